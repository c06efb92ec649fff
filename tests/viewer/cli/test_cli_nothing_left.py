"""Files that open, and of which nothing can be shown: commands say why and do not pretend."""

import os
import re

import pytest

from octoscope.scene import Scene, load
from octoscope.scene.loading.save import save
from tests.viewer.cli.cli_steps import TRIANGLE

pytestmark = pytest.mark.usefixtures("in_folder")

FAR = "o far\nv 1e20 0 0\nv -1e20 0 0\nv 0 1e20 0\nf 1 2 3\n"


def _broken(kind, write) -> tuple[str, str]:
    """Write a file that opens and shows nothing; return its name and what is said of it."""
    name = write("far.obj", FAR)
    if kind == "far":
        return name, r"out of range: far \(far\.obj: line 1\); scale them down or move them nearer, to within 1e\+17"
    scene = load(write("gone.obj", TRIANGLE))
    save(scene, "without.octo.json")
    os.remove("gone.obj")
    return "without.octo.json", r"gone\.obj: no such file; check the path: its objects are shown as empty nodes"


@pytest.mark.parametrize("kind", ["far", "missing"])
@pytest.mark.parametrize("command", [("render", "out.png"), ("convert", "out.glb"), ("convert", "out.obj")])
def test_no_picture_and_no_file_is_written_of_nothing(write, run, kind, command):
    name, reason = _broken(kind, write)
    status, out, err = run(command[0], name, "-o", command[1])
    assert (status, out) == (2, "") and len(err) == 2
    assert (
        re.search(reason, err[0]) and f"{command[1]}: not written, as nothing of what was opened can be shown" in err[1]
    )
    assert not os.path.exists(command[1])


@pytest.mark.parametrize("kind", ["far", "missing"])
def test_info_of_nothing_reports_and_fails(write, run, kind):
    name, reason = _broken(kind, write)
    for options in ([], ["--json"]):
        status, out, err = run("info", name, *options)
        assert status == 1 and "octree" in out and re.search(reason, err[0])


def test_one_object_that_is_left_is_enough(write, run):
    name = write("both.obj", FAR + "o near\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 4 5 6\n")
    assert [run("info", name)[0], run("convert", name, "-o", "out.glb")[0]] == [0, 0]
    save(Scene(), "empty.octo.json")  # holds nothing, and so nothing is missing
    assert run("render", "empty.octo.json", "-o", "out.png")[0] == 0
