"""The commands that answer in figures: what a file holds, and what a ray hits."""

import json
import os
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from numba.core.event import Event, EventStatus, broadcast

from octoscope.octree.jit import compile_time as timing
from octoscope.octree.jit import compile_timer, kernels
from octoscope.scene import Scene, write_glb
from octoscope.scene.loading.load import opened
from octoscope.viewer.cli import common
from octoscope.viewer.cli import info as info_command
from tests.scene.builders import ball
from tests.viewer.cli.cli_steps import PALETTE, TRIANGLE, box

pytestmark = pytest.mark.usefixtures("in_folder")


# info


def test_info_says_what_a_file_holds(write, facts):
    write("palette.mtl", PALETTE)
    name = write("scene.obj", "mtllib palette.mtl\n" + box("a", front="red", right="blue") + box("b", (5, 0, 0), 1, 8))
    info = facts("info", name)
    assert info["nodes"] == 3  # the file and its objects
    assert info["meshes"] == 2
    assert info["triangles"] == 24
    assert info["vertices"] == 16
    assert info["materials"] == 2
    assert info["bounds"] == {"min": [-1, -1, -1], "max": [6, 1, 1]}
    assert info["load_seconds"] > 0
    assert info["warnings"] == []
    assert info["octree"]["split_level"] >= 0 and info["octree"]["occupied"] >= 1


def test_info_of_a_box_a_million_units_away_is_exact(write, facts):
    info = facts("info", write("far.obj", box("far", (1e6, -2e6, 3e6), 0.5)))
    assert info["bounds"] == {"min": [999999.5, -2000000.5, 2999999.5], "max": [1000000.5, -1999999.5, 3000000.5]}


def test_bounds_of_turned_objects_are_those_of_their_vertices(facts):
    scene = Scene()
    sphere = scene.meshes.add(ball())
    turned = scene.add_node("turned", mesh=sphere, rotation=(0.1, 0.2, 0.3, 0.9))
    below = scene.add_node("below", parent=turned.id, mesh=sphere, translation=(3.0, 0.0, 0.0))
    write_glb(scene, Path("turned.glb"))
    corners = np.concatenate([node.world_from_local[:3, :3] @ ball().positions.T for node in (turned, below)], axis=1)
    corners[:, len(ball().positions) :] += below.world_from_local[:3, 3:]
    bounds = facts("info", "turned.glb")["bounds"]
    np.testing.assert_allclose([bounds["min"], bounds["max"]], [corners.min(axis=1), corners.max(axis=1)], atol=1e-6)


def test_bounds_leave_out_vertices_that_no_face_uses(write, facts):
    info = facts("info", write("stray.obj", TRIANGLE + "v 100 100 100\n"))
    assert (info["bounds"]["max"], info["vertices"]) == ([1, 1, 0], 4)


def test_info_tells_area_volume_and_what_is_watertight(write, facts, run):
    info = facts("info", write("two.obj", box("a") + box("b", (5, 0, 0), 0.5, 8)))
    assert (info["area"], info["volume"]) == (30.0, 9.0)
    assert info["watertight"] is True and info["watertight_objects"] == 2 and info["open_edges"] == 0
    name = write("open.obj", box("a") + TRIANGLE.replace("f 1 2 3", "o open\nf 9 10 11"))
    info = facts("info", name)
    assert (info["area"], info["volume"]) == (24.5, 8.0), "what is open encloses nothing"
    assert info["watertight"] is False and info["watertight_objects"] == 1 and info["open_edges"] == 3
    assert re.search(r"^watertight\s+1 of 2 objects\s*$", run("info", name)[1], re.MULTILINE)


def test_info_tells_how_long_lines_are(write, facts, run):
    corners = "v 0 0 0\nv 3 0 0\nv 3 4 0\n"
    name = write("lines.obj", corners + "l 1 2 3\n")
    assert facts("info", name)["length"] == 7.0
    assert re.search(r"^length\s+7\s*$", run("info", name)[1], re.MULTILINE)
    assert facts("info", write("flat.obj", TRIANGLE))["length"] == 0.0
    assert not re.search("^length", run("info", "flat.obj")[1], re.MULTILINE)
    far = write("far.obj", corners + "l 1 2\nv -1e308 0 0\nv 1e308 0 0\no far\nl 4 5\n")
    assert facts("info", far)["length"] is None


def test_compiling_is_told_once_and_does_not_count_as_loading(write, run, monkeypatch):
    """Three kernels compile, and one that the first of them calls; the test sets the clock."""
    kernels._compiler()  # imports numba, which the test plays
    seconds = 0.0
    clock = SimpleNamespace(perf_counter=lambda: seconds)

    def load_and_compile(*arguments, **options):
        nonlocal seconds
        for waits in ((10.0, 5.0), (0.5,), (1.0,)):
            seconds += 3.0
            for wait in waits:
                broadcast(Event("numba:compile", EventStatus.START))
                seconds += wait
            for _ in waits:
                broadcast(Event("numba:compile", EventStatus.END))
        return opened(*arguments, **options)

    for module in (timing, info_command):
        monkeypatch.setattr(module, "time", clock)
    monkeypatch.setattr(common, "opened", load_and_compile)
    path = write("a.obj", TRIANGLE)
    monkeypatch.setattr(compile_timer, "is_told", False)
    _, out, err = run("info", path, "--json")
    assert len(err) == 1 and err[0].startswith("octoscope: compiling")
    assert json.loads(out)["load_seconds"] == 9.0


def test_info_of_what_has_no_volume_or_one_that_no_number_holds(write, facts):
    info = facts("info", write("flat.obj", TRIANGLE))
    assert (info["area"], info["volume"], info["watertight"]) == (0.5, None, False)
    info = facts("info", write("point.obj", "v 5 5 5\nf 1 1 1\n"))
    assert (info["area"], info["volume"], info["watertight"]) == (0.0, None, False)
    write("near.obj", box("b"))
    info = facts("info", write("large.obj", box("a", half_size=1e180)), "near.obj")
    assert (info["area"], info["volume"], info["watertight"]) == (None, None, True)


@pytest.mark.parametrize("level", [0, 1, 9])
def test_split_level_is_taken(write, facts, level):
    assert facts("info", write("a.obj", box("a")), "--split-level", level)["octree"]["split_level"] == level


def test_info_for_people_is_a_table(write, run):
    status, out, err = run("info", write("a.obj", box("a", (123456789.25, 2e9, 1e-9))))
    assert (status, err) == (0, [])
    rows = dict(re.split(r"\s{2,}", line.strip(), maxsplit=1) for line in out.splitlines())
    assert (rows["triangles"], rows["bounds min"]) == ("12", "123456788.2 1999999999 -0.999999999")


def test_good_files_open_beside_bad_ones(write, run):
    good, bad = write("good.obj", box("a")), write("bad.obj", "hello\n")
    status, out, err = run("info", "missing.obj", good, bad, "--json")
    info = json.loads(out)
    assert (status, info["files"], info["triangles"]) == (1, ["good.obj"], 12)
    assert [line.split(":")[0] for line in info["warnings"]] == ["missing.obj", "bad.obj"]
    assert [line.removeprefix("octoscope: ") for line in err] == info["warnings"]


def test_when_all_files_are_bad_each_gets_its_line(run):
    status, out, err = run("info", "one.obj", "two.obj", "--json")
    assert (status, out) == (2, "")
    assert [line.split(":")[1].strip() for line in err] == ["one.obj", "two.obj"]


# pick


@pytest.fixture
def two(write):
    return write("two.obj", box("near") + box("behind", (0, 0, -10), 2.0, 8))


def test_pick_hits_the_nearest(two, facts):
    hit = facts("pick", two, "--ray", 0.25, 0.5, 5, 0, 0, -1)
    assert (hit["hit"], hit["node"], hit["t"]) == (True, "near", 4.0)
    assert (hit["point"], hit["normal"]) == ([0.25, 0.5, 1.0], [0.0, 0.0, 1.0])
    assert hit["triangle"] in range(12)


def test_pick_all_is_by_ascending_t(two, facts):
    answer = facts("pick", two, "--ray", 0.25, 0.5, 5, 0, 0, -2, "--all")
    hits = [(hit["node"], hit["t"], hit["point"][2], hit["normal"][2]) for hit in answer["hits"]]
    assert hits == [("near", 4, 1, 1), ("near", 6, -1, -1), ("behind", 13, -8, 1), ("behind", 17, -12, -1)]
    assert {key: answer[key] for key in answer["hits"][0]} == answer["hits"][0]


def test_pick_from_inside_and_backwards(two, facts):
    hits = facts("pick", two, "--ray", 0.25, 0.5, 0, 0, 0, 1, "--all")["hits"]
    assert [(hit["node"], hit["t"]) for hit in hits] == [("near", 1.0)]


@pytest.mark.parametrize("half_size", [0.1, 0.3, 1.1, 1e3 / 3, 1e15])
def test_no_ray_slips_between_two_triangles(write, facts, half_size):
    name = write("box.obj", box("a", half_size=half_size))
    hits = facts("pick", name, "--ray", 0, 0, 2 * half_size, 0, 0, -1, "--all")["hits"]
    assert [hit["t"] for hit in hits] == pytest.approx([half_size, 3 * half_size])


def test_pick_that_hits_nothing(two, facts, run):
    nothing = {"files": [two], "failed": [], "hit": False}
    assert facts("pick", two, "--ray", 50, 0, 5, 0, 0, -1) == nothing
    assert facts("pick", two, "--ray", 0, 0, 5, 0, 0, 1, "--all") == nothing | {"hits": []}
    assert run("pick", two, "--ray", 50, 0, 5, 0, 0, -1) == (0, "nothing on that ray\n", [])


def test_pick_for_people_is_a_table_by_ascending_t(write, run):
    two = write("two.obj", box("[red]") + box("far\x1b[31m", (0, 0, -10), 2.0, 8))
    status, out, err = run("pick", two, "--ray", 0.25, 0.5, 5, 0, 0, -1)
    assert (status, err) == (0, [])
    assert [line.split() for line in out.splitlines()] == [
        ["object", "t", "point", "triangle"],
        ["two.obj/[red]", "4", "0.25", "0.5", "1", out.split()[-1]],
    ]
    _, out, _ = run("pick", two, "--ray", 0.25, 0.5, 5, 0, 0, -1, "--all")
    assert [line.split()[1] for line in out.splitlines()] == ["t", "4", "6", "13", "17"]
    assert "\x1b" not in out and "two.obj/far\\x1b[31m" in out


@pytest.mark.parametrize("number", ["-1e-3", "-1E-3", "-.001", "-1.0e-03", "-0.001"])
def test_pick_takes_negative_numbers_in_every_form(two, facts, number):
    hit = facts("pick", two, "--ray", number, number, 5, 0, 0, "-1.")
    assert (hit["node"], hit["point"]) == ("near", [-0.001, -0.001, 1.0])


def test_pick_takes_files_after_the_ray(two, facts):
    assert facts("pick", "--ray", 0, 0, 5, 0, 0, -1, two)["t"] == 4.0


@pytest.mark.parametrize("ray", ["nan 0 5 0 0 -1", "0 0 inf 0 0 -1", "0 0 -inf 0 0 1", "0 0 5 0 0 0", "0 0 5 0 nan 1"])
def test_pick_refuses_impossible_rays(two, refused, ray):
    assert "--ray" in refused("pick", two, "--json", "--ray", *ray.split())


@pytest.mark.parametrize("ray", ["", "0 0 5 0 0", "0 0 5 0 0 x"])
def test_pick_refuses_incomplete_rays(two, run, ray):
    status, out, err = run("pick", two, "--json", "--ray", *ray.split())
    assert (status, out) == (2, "")
    assert "--ray" in err[-1]


def test_what_is_wrong_with_a_material_file_is_said_once_with_how_many_files_name_it(write, facts, run):
    write("scene.mtl", "newmtl red\nKd 1 oops 0\nnewmtl green\nmap_Kd gone.png\n")
    lines = "mtllib scene.mtl\nusemtl {}\n" + TRIANGLE
    names = [write(f"{number}.obj", lines.format(("red", "green")[number % 2])) for number in range(30)]
    info = facts("info", *names)
    told = {problem["kind"]: (problem["count"], problem["naming_files"]) for problem in info["problems"]}
    assert told == {"mtl-number": (1, 30), "texture-missing": (1, 15)}
    assert info["problems_by_kind"] == {"mtl-number": 1, "texture-missing": 1}
    said = [line for line in run("info", *names)[2] if "scene.mtl" in line]
    assert len(said) == 2 and "(named by 30 files)" in said[0] and "(named by 15 files)" in said[1]


def test_a_folder_stands_for_its_files_up_to_a_limit(write, facts, refused, tmp_path, monkeypatch):
    folder = tmp_path / "parts"
    folder.mkdir()
    for name in ("b10.obj", "b9.obj"):
        (folder / name).write_text(box(name[:-4]))
    (folder / "notes.txt").write_text("")
    opened = facts("info", write("other.obj", box("other")), str(folder))["files"]
    assert [os.path.basename(name) for name in opened] == ["other.obj", "b9.obj", "b10.obj"]
    monkeypatch.setattr("octoscope.viewer.cli.MOST_FILES", 1)
    assert "a folder with 2 files, more than 1; name those to open" in refused("info", str(folder))
    (tmp_path / "empty").mkdir()
    assert "a folder without files of the formats" in refused("info", str(tmp_path / "empty"))
