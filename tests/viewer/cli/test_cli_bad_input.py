"""Files that are broken, odd or oddly named: understood, or told of in one line that names the file."""

import argparse
import json
import os
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from octoscope.viewer import cli
from octoscope.viewer.cli.arguments.options import COMMANDS
from octoscope.viewer.cli.documentation import commands_of
from tests.viewer.cli.cli_steps import PALETTE, TRIANGLE, box

pytestmark = pytest.mark.usefixtures("in_folder")


# Bad input: one line that names the file and says what to do.


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "no such file"),
        (b"", "empty"),
        (b" \n\t\n", "not an OBJ"),
        (b"# only a comment\n", "not an OBJ"),
        (b"hello world\nthis is no scene\n", "not an OBJ"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "not an OBJ"),
        (b"v 0 0 0\0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "not an OBJ"),
        (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", "line 4: a face refers to vertex 9, and there are 3"),
        (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99999999999999999999\n", "refers to a vertex"),
        (b"f 1 2 3\n", "none of its"),
        (b"v nan 0 0\nv nan 0 0\nv 0 nan 0\nf 1 2 3\n", "none of its"),
        (b"v 0 0\nv 1 0\nv 0 1\nf 1 2 3\n", "broken"),
        (b"v 0 0 0\nv 1 0\nv 0 1 0\nf 1 2 3\n", "broken"),
        (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 x\n", "broken"),
        (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 \\", ""),
        (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1/1 2/1 usemtl 3/1\n", "broken"),
    ],
)
@pytest.mark.parametrize("command", ["info", "pick", "render"])
def test_bad_file_is_one_line(write, refused, command, content, says):
    if content is not None:
        write("bad name.obj", content)
    more = {"info": ["--json"], "pick": ["--json", "--ray", 0, 0, 5, 0, 0, -1], "render": ["-o", "out.png"]}[command]
    line = refused(command, "bad name.obj", *more)
    assert line.startswith("octoscope: bad name.obj: ") and says in line
    assert not os.path.exists("out.png")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("part.IGES", "IGES files are not read; convert it to .obj with FreeCAD"),
        ("hero.fbx", "FBX files are not read; convert it to .glb with Blender"),
        ("city.3dtiles", "3D Tiles SQLite files are not read; convert it to .3tz or a folder with 3d-tiles-tools"),
        ("house.ifc", "IFC files are not read; convert it to .glb with IfcConvert"),
        ("scene.mtl", "holds materials alone; open the .obj that names it"),
        ("kit.zip", "an archive; unpack it, and open what is in it"),
    ],
)
@pytest.mark.parametrize("content", (b"Kaydara FBX Binary  \0", b"ISO-10303-21;\n", b""))
def test_files_of_other_formats_are_named_with_what_converts_them(write, refused, name, says, content):
    assert refused("info", write(name, content)) == f"octoscope: {name}: {says}"
    assert "no such file" in refused("info", f"missing {name}")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
def test_what_is_no_file_does_not_hang(refused, tmp_path):
    os.mkfifo("fifo.obj")
    (tmp_path / "folder.obj").mkdir()
    os.symlink("loop.obj", "loop.obj")
    assert "not a regular file" in refused("info", "fifo.obj")
    assert "a folder" in refused("info", "folder.obj")
    assert "symbolic links" in refused("info", "loop.obj")
    assert "/dev/zero" in refused("info", "/dev/zero")
    assert "too long" in refused("info", "x" * 300 + ".obj")


def test_standard_input_that_is_closed_is_told(refused, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert "standard input is closed" in refused("info", "-")


def test_no_memory_at_all_is_refused(write, run):
    status, out, err = run("info", write("a.obj", TRIANGLE), "--max-memory", "0")
    assert (status, out) == (2, "") and "--max-memory" in err[-1]


@pytest.mark.parametrize("number", ["9" * 20, "9" * 400, "9" * 5000, "-" + "9" * 5000])
def test_every_option_takes_or_refuses_numbers_of_absurd_size(number):
    taken = set()
    for parser in commands_of(cli._parser(None)).values():
        for action in parser._actions:
            if action.type in (None, Path):
                continue
            for text in (number, f"{number}x{number}", f"{number}G"):
                with suppress(argparse.ArgumentTypeError, TypeError, ValueError):  # what argparse tells in a line
                    action.type(text)
                    taken.add(action.dest)
    assert len(number) > 20 or "ray" in taken


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_unreadable_file(write, refused):
    os.chmod(write("secret.obj", TRIANGLE), 0)
    assert "secret.obj" in refused("info", "secret.obj")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
@pytest.mark.parametrize(
    "library", ["missing.mtl", "folder", "fifo", "/dev/zero", "scene.obj", "big.mtl", "x" * 300, "a.mtl missing.mtl"]
)
def test_bad_material_library_is_a_warning(write, facts, tmp_path, library):
    (tmp_path / "folder").mkdir()
    os.mkfifo("fifo")
    write("a.mtl", PALETTE)
    with open("big.mtl", "wb") as file:
        file.truncate(200 * 2**20)
    info = facts("info", write("scene.obj", f"mtllib {library}\nusemtl red\n" + TRIANGLE))
    assert info["triangles"] == 1
    assert any("missing.mtl" in line for line in info["warnings"]) if "a.mtl" in library else info["warnings"]


def test_latin_1_material_library_is_read(write, facts):
    write("latin.mtl", "# matériaux\nnewmtl red\nKd 1 0 0\n".encode("latin-1"))
    assert facts("info", write("scene.obj", "mtllib latin.mtl\nusemtl red\n" + TRIANGLE))["warnings"] == []


@pytest.mark.parametrize(
    ("statements", "triangles"),
    [
        ("g\nf 1 2 3\n", 1),
        ("usemtl\nf 1 2 3\n", 1),
        ("o\nf 1 2 3\ng a b\nf 2 3 4\n", 2),
        ("  f 1 2 3\n\tf\t2\t3\t4\n", 2),
        ("f 1 2 3 # comment\nf 2 3 \\\n 4", 2),
        ("f -4 -3 -2\nf 0 1 2\nf 1 2\n", 1),
        ("f 1/1 2/1 3/1\nf 1//1 2//1 3//1\nf 1 2 3 4\n", 4),
        ("l 1 2\np 1\ns off\ncstype bezier\nf 1 2 3\n", 1),
    ],
)
def test_odd_statements_are_understood(write, facts, statements, triangles):
    text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\n" + statements
    info = facts("info", write("odd.obj", text))
    assert info["triangles"] == triangles
    assert info["bounds"] == {"min": [0, 0, 0], "max": [1, 1, 0]}


@pytest.mark.parametrize("face", ["1/1/1 2//1 3", "1/1 2 3", "1 2/1 3", "1//1 2 3", "1//1 2/1 3/1", "1/1/1 2/2 3/3"])
def test_corners_of_one_face_may_be_written_differently(write, facts, face):
    """Either understood or skipped with a warning, never another triangle."""
    text = "v 0 0 0\nv 4 0 0\nv 0 2 0\nvt 0 0\nvt 1 0\nvt 0 1\nvn 0 0 1\n"
    name = write("mixed.obj", text + f"o mixed\nf {face}\no plain\nv 9 9 9\nv 8 9 9\nv 9 8 9\nf 4 5 6\n")
    info = facts("info", name)
    hit = facts("pick", name, "--ray", 0.5, 0.5, 5, 0, 0, -1)
    assert (info["triangles"], hit["hit"]) == (2, True) or (info["triangles"] == 1 and info["warnings"])


@pytest.mark.parametrize("line", ["v 1 0\nv 1 1 0 7", "v 1 0\nv 1 1 0", "v\nv 1 0 0"])
def test_vertex_of_too_few_coordinates_is_not_passed_over(write, run, line):
    """It must not lend numbers from its neighbours, nor vanish and move the indices of all that follow."""
    status, out, err = run("info", write("short.obj", f"v 0 0 0\n{line}\nv 0 1 0\nf 1 3 4\n"), "--json")
    if status == 0:
        assert json.loads(out)["warnings"]
    else:
        assert (status, out, len(err)) == (2, "", 1)


def test_object_too_far_away_for_the_octree_is_reported(write, facts):
    text = TRIANGLE + "o far\nv 1e30 0 0\nv 1e30 1 0\nv 1e30 0 1\nf 4 5 6\n"
    info = facts("info", write("far.obj", text))
    assert info["octree"]["spheres"] == 2 or info["warnings"]


# A file that cannot be opened beside one that can: for each command the options it needs, and its exit status.
PARTIAL = {
    "open": ((), 1),
    "render": (("-o", "out.png", "--size", "8x8"), 1),
    "info": (("--json",), 1),
    "pick": (("--ray", 0, 0, 5, 0, 0, -1, "--json"), 1),
    "convert": (("-o", "out.stl", "--json"), 2),
}


def test_the_status_of_every_command_that_takes_files_is_tested():
    def takes_files(add_options):
        parser = argparse.ArgumentParser()
        add_options(parser)
        return any(action.dest == "files" for action in parser._actions)

    assert {name for name, command in COMMANDS.items() if takes_files(command.add_options)} == PARTIAL.keys()


@pytest.mark.parametrize("command", PARTIAL)
def test_a_file_that_cannot_be_opened_shows_in_the_exit_status_and_in_json(write, run, command):
    write("a.obj", box("a"))
    more, expected = PARTIAL[command]
    status, out, err = run(command, "a.obj", "nosuch.obj", *more)
    assert (status, sum("nosuch.obj: no such file" in line for line in err)) == (expected, 1)
    if expected == 2:
        assert out == "" and not os.path.exists(more[1])
    elif "--json" in more:
        (failed,) = json.loads(out)["failed"]
        assert failed["file"] == "nosuch.obj" and "no such file" in failed["reason"]
    assert run(command, "a.obj", *more)[0] == 0


# Names of files.


@pytest.mark.parametrize("name", ["render", "two  blanks.obj", "ümläut-文字-😀.obj", "[bold]red[/].obj", "UP.OBJ"])
def test_names_of_files(write, facts, tmp_path, name):
    name = write(name.replace("/", ""), box("a"))
    assert facts("info", name)["files"] == [name]
    assert facts("info", f"./{name}")["triangles"] == 12
    assert facts("info", tmp_path / name)["files"] == [str(tmp_path / name)]


def test_name_with_a_leading_dash(write, facts):
    write("-dash.obj", box("a"))
    assert facts("info", "./-dash.obj")["triangles"] == 12
    json_first = facts("info", "--json", "--split-level", 1, "./-dash.obj")
    assert json_first["triangles"] == 12


def test_file_named_like_a_command_opens_by_its_path(write, run, tmp_path):
    write("render", box("a"))
    assert run("./render", "--size", "20x20")[0] == 0
    assert (tmp_path / "octoscope-render.png").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="names are bytes on Linux only")
def test_name_that_is_not_utf_8(facts):
    name = os.fsdecode(b"bad\xff.obj")
    with open(name, "w") as file:
        file.write(TRIANGLE)
    assert facts("info", name)["triangles"] == 1


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--octree-size", "1e-300"), "is not a length from"),
        (("--octree-size", "5e18"), "is not a length from"),
        (("--octree-size", "nan"), "is not a length from"),
        (("--depth", "a.npy", "--ids", "a.npy"), "a file of its own"),
        (("--depth", "a.npy", "--normals", "./a.npy"), "a file of its own"),
        (("--mode", "clay", "--matcap", "gold"), "leave one of them out"),
    ],
)
def test_options_that_cannot_be_meant_are_refused_before_anything_is_drawn(write, refused, options, says):
    write("a.obj", box("a"))
    assert says in refused("render", "a.obj", "-o", "a.png", *options)
    assert not os.path.exists("a.png") and not os.path.exists("a.npy")


@pytest.mark.parametrize("command", [("render", "a.obj", "-o", "a.png"), ("a.obj",), ("demo", "-o", "a.png")])
def test_every_command_refuses_two_modes_at_once(write, refused, command):
    write("a.obj", box("a"))
    assert "leave one of them out" in refused(*command, "--mode", "clay", "--matcap", "gold")


@pytest.mark.parametrize("size", ["2e-12", "2e18"])
def test_the_least_and_the_largest_octree_are_made(write, run, size):
    write("a.obj", box("a"))
    status, _, _ = run("info", "a.obj", "--octree-size", size)
    assert status == 0


@pytest.mark.parametrize("name", ["f%0999999999d.png", "f%999d.png"])
def test_a_number_of_hundreds_of_digits_is_refused_at_once(write, refused, name):
    write("a.obj", box("a"))
    assert "%03d" in refused("render", "a.obj", "--turntable", "2", "-o", name)
