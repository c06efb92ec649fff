"""octoscope convert: files of one format become one file of another, or one line says why not."""

import io
import json
import os
import struct
import sys
from pathlib import Path

import pytest

from octoscope.scene import load
from tests.limits import largest_file
from tests.scene.formats.gltf.files import square
from tests.viewer.cli.cli_steps import PALETTE, TRIANGLE, box

pytestmark = pytest.mark.usefixtures("in_folder")


@pytest.fixture
def town(write):
    write("town.mtl", PALETTE)
    return write("town.obj", "mtllib town.mtl\n" + box("a", all="red") + box("b", (5, 0, 0), 2.0, 8, all="blue"))


@pytest.mark.parametrize("ending", ["glb", "obj", "ply", "stl", "GLB"])
def test_every_format_is_written_and_opens_again(town, run, ending):
    status, out, err = run("convert", town, "-o", f"out.{ending}")
    assert status == 0 and out.startswith(f"out.{ending}: ")
    assert all(line.startswith(f"octoscope: out.{ending}: ") for line in err)
    scene = load(f"out.{ending}")
    assert scene.element_count("triangle") == 24
    assert [corner.tolist() for corner in scene.bounds()] == [[-1, -2, -2], [7, 2, 2]]
    if ending.lower() in ("glb", "obj"):
        assert scene.names[1:].tolist() == ["a", "b"]
        assert {material.name for material in scene.materials} == {"default", "red", "blue"}


def test_the_report_says_what_was_written(town, facts):
    report = facts("convert", town, "-o", "out.glb")
    assert report["output"] == "out.glb" and report["files"] == [town]
    assert (report["objects"], report["triangles"], report["warnings"]) == (2, 24, [])
    assert report["notes"] == [], "that a GLB has triangles alone is no news"
    assert report["bytes"] == os.path.getsize("out.glb") and report["seconds"] > 0


def test_an_obj_becomes_an_obj_and_that_one_itself(town, run):
    assert run("convert", town, "-o", "b.obj")[0] == 0
    assert run("convert", "b.obj", "-o", "c.obj")[0] == 0
    with open("b.obj") as first, open("c.obj") as second:
        assert first.read().replace("b.mtl", "c.mtl") == second.read()


def test_several_files_become_one(town, write, facts):
    square().glb(Path("square.glb"))
    report = facts("convert", town, "square.glb", write("t.obj", TRIANGLE), "-o", "all.glb")
    assert (report["objects"], report["triangles"]) == (4, 27)
    names = load("all.glb").names.tolist()
    assert names == ["all.glb", "town.obj", "a", "b", "square.glb", "square", "t.obj", "t"]


def test_what_a_format_cannot_hold_is_said(town, run):
    run("convert", town, town, "-o", "out.glb")
    status, _, err = run("convert", "out.glb", "-o", "out.obj")
    assert status == 0 and any("names of nodes without a mesh are left out" in line for line in err)
    _, _, err = run("convert", town, "-o", "out.stl")
    assert any("names, materials and polygons" in line for line in err)


def test_what_was_skipped_in_reading_is_said(write, run, facts):
    odd = write("odd.obj", TRIANGLE + "f 1 2\n")
    _, _, err = run("convert", odd, "-o", "out.glb")
    assert any("odd.obj" in line for line in err)
    assert facts("convert", odd, "-o", "out.glb")["warnings"]


@pytest.mark.parametrize("name", ["out.foo", "out", ".glb", "out.gltf"])
def test_an_unknown_ending_is_refused(town, refused, name):
    assert "unknown format; end the name in .octo.json, .glb, .obj" in refused("convert", town, "-o", name)


def test_an_input_is_never_overwritten(town, write, refused, tmp_path):
    before = (tmp_path / town).read_bytes()
    os.link(town, "hard.glb")
    os.symlink(town, "soft.obj")
    for output in (town, f"./{town}", "hard.glb", "soft.obj", str(tmp_path / town)):
        assert "one of the input files" in refused("convert", town, "-o", output)
    assert (tmp_path / town).read_bytes() == before
    write("other.obj", "mtllib out.mtl\n" + TRIANGLE)
    write("out.mtl", "newmtl theirs\n")
    assert "out.mtl: would be overwritten" in refused("convert", town, "-o", "out.obj")


def test_one_bad_input_stops_all(town, refused):
    assert "nowhere.obj: no such file" in refused("convert", town, "nowhere.obj", "-o", "out.glb")
    assert not os.path.exists("out.glb")


def test_bad_inputs_are_told_in_a_line_each(write, run):
    write("bad.glb", struct.pack("<4sII", b"glTF", 2, 999))
    write("bad.ply", "hello")
    status, out, err = run("convert", "bad.glb", "bad.ply", "-o", "out.glb")
    assert (status, out) == (2, "") and ["cut off" in err[0], "no PLY" in err[1]] == [True, True] and len(err) == 2


def test_a_folder_that_is_missing_or_none_is_refused_before_anything_is_read(refused, write):
    write("file", "x")
    for output in ("nowhere/out.glb", "file/out.glb"):
        assert "cannot be saved" in refused("convert", "nowhere.obj", "-o", output)
    os.mkdir("folder.glb")
    assert "cannot be saved" in refused("convert", "nowhere.obj", "-o", "folder.glb")
    assert "too long" in refused("convert", "nowhere.obj", "-o", "x" * 300 + ".glb")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
@pytest.mark.parametrize("command", ["convert", "render"])
def test_what_is_no_file_is_not_written_to(refused, command):
    name = {"convert": "out.glb", "render": "out.png"}[command]
    os.mkfifo(name)
    assert "device" in refused(command, "nowhere.obj", "-o", name)
    os.remove(name)
    os.symlink(name, name)
    assert "symbolic links" in refused(command, "nowhere.obj", "-o", name)


def test_what_came_through_a_pipe_stands_in_the_project(write, monkeypatch, run):
    write("town.mtl", "newmtl red\nKd 1 0 0\n")
    text = "mtllib town.mtl\nusemtl red\n" + box("a") + box("b", (4, 0, 0))
    with open(write("town.obj", text), "rb") as file:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(file))
        assert run("convert", "-", "-o", "town.octo.json")[0] == 0
    os.remove("town.obj")
    info = json.loads(run("info", "town.octo.json", "--json")[1])
    assert (info["triangles"], info["objects"], info["materials"], info["warnings"]) == (24, 2, 1, [])


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everything")
def test_a_folder_that_may_not_be_written_is_refused(town, refused):
    os.mkdir("closed", 0o500)
    assert "write-protected" in refused("convert", town, "-o", "closed/out.glb")


@pytest.mark.parametrize("ending", ["glb", "obj", "ply", "stl"])
def test_a_full_disk_is_a_line_and_leaves_the_old_file(town, write, run, refused, ending):
    assert run("convert", town, "-o", f"before.{ending}")[0] == 0
    write(f"out.{ending}", "old")
    with largest_file(40):
        line = refused("convert", town, "-o", f"out.{ending}")
    assert "cannot be saved (File too large)" in line
    with open(f"out.{ending}") as file:
        assert file.read() == "old"
    assert not [name for name in os.listdir() if name.startswith(".") or name.endswith(".octoscope-saving")]


def test_a_scene_without_triangles_is_no_stl(write, refused):
    gltf = square()
    gltf.json["meshes"][0]["primitives"][0]["mode"] = 1
    gltf.glb(Path("lines.glb"))
    assert "triangles only" in refused("convert", "lines.glb", "-o", "out.stl")


def test_names_of_files_may_be_odd(write, run):
    name = write("ümläut 😀.obj", box("a"))
    for output in ("ein Büro.obj", "[b].glb"):
        assert run("convert", name, "-o", output)[0] == 0
        assert json.loads(run("info", output, "--json")[1])["triangles"] == 12


@pytest.mark.parametrize(
    ("elements", "said"),
    [
        ("f 1 2 3\n", "1 triangle"),
        ("l 1 2 3\n", "2 lines"),
        ("p 1\n", "1 point"),
        ("f 1 2 3 4\nl 1 2\np 1 2 3\n", "2 triangles, 1 line, 3 points"),
    ],
)
def test_convert_says_how_much_it_wrote(write, run, facts, elements, said):
    name = write("some.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n" + elements)
    assert f" bytes, {said}, " in run("convert", name, "-o", "out.glb")[1]
    told = facts("convert", name, "-o", "out.glb")
    counts = {name: told[f"{name}s"] for name in ("triangle", "line", "point")}
    assert ", ".join(f"{count} {name}{'s' * (count != 1)}" for name, count in counts.items() if count) == said


def test_files_that_lie_over_one_another_are_laid_out(run):
    for name in "abc":
        Path(f"{name}.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n", encoding="utf-8")
    assert any("--lay-out" in line for line in run("convert", "a.obj", "b.obj", "c.obj", "-o", "one.glb")[2])
    assert not any(
        "--lay-out" in line for line in run("convert", *map("{}.obj".format, "abc"), "--lay-out", "-o", "grid.glb")[2]
    )
    lower, upper = (boxes := load("grid.glb").bounds())
    assert (upper - lower)[[0, 2]].min() > 2.0, boxes


def test_lengths_are_converted_where_the_unit_is_known(town, run):
    assert run("convert", town, "--unit", "in", "--to-unit", "mm", "-o", "mm.stl")[0] == 0
    assert load("mm.stl").bounds()[1][0] == pytest.approx(7 * 25.4)
    assert run("convert", town, "--unit", "in", "-o", "metres.glb")[0] == 0
    assert load("metres.glb").bounds()[1][0] == pytest.approx(7 * 0.0254)
    assert run("convert", "metres.glb", town, "--unit", "cm", "-o", "both.obj")[0] == 0
    assert load("both.obj").bounds()[1][0] == pytest.approx(7 * 2.54)
    status, _, err = run("convert", town, "--to-unit", "mm", "-o", "mm.obj")
    assert status and "--unit mm" in err[0] and not Path("mm.obj").exists()
