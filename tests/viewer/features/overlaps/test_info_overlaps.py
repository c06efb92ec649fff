"""`octoscope info --overlaps`: which objects reach into each other, in figures."""

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.viewer.cli.cli_steps import TRIANGLE, box

pytestmark = pytest.mark.usefixtures("in_folder")


def boxes(*centers, **options) -> str:
    return "".join(box(f"box{i}", center, first=8 * i, **options) for i, center in enumerate(centers))


@pytest.fixture
def three(write):
    """The first and the second overlap, the third stands on the second."""
    return write("three.obj", boxes((0, 0, 0), (1.5, 0.5, 0.25), (1.5, 2.5, 0.25)))


def test_json_holds_all_pairs_by_path_and_id(three, facts):
    overlaps = facts("info", three, "--overlaps")["overlaps"]
    assert overlaps["crossing"][0].pop("depth") == pytest.approx(0.5)
    assert overlaps["crossing"][0].pop("normal") == pytest.approx([1.0, 0.0, 0.0])
    assert overlaps["crossing"][0].pop("inside") is False
    assert overlaps["crossing"][0].pop("point") == pytest.approx([0.75, 0.25, 0.125])
    assert overlaps == {
        "crossing_count": 1,
        "crossing": [{"paths": ["three.obj/box0", "three.obj/box1"], "ids": [1, 2]}],
        "touching_count": 1,
        "touching": [{"paths": ["three.obj/box1", "three.obj/box2"], "ids": [2, 3]}],
    }


def test_people_are_told_in_lines(three, run):
    status, out, err = run("info", three, "--overlaps")
    assert (status, err) == (0, [])
    assert out.splitlines()[-2:] == [
        "overlap: three.obj/box0 and three.obj/box1, depth 0.5",
        "pairs of objects that overlap: 1; that only touch: 1",
    ]


def test_a_long_list_is_cut_for_people_and_whole_for_scripts(write, run, facts):
    name = write("many.obj", boxes(*((0.1 * i, 0.1 * i, 0.1 * i) for i in range(8))))
    lines = run("info", name, "--overlaps")[1].splitlines()
    assert sum(line.startswith("overlap: ") for line in lines) == 20
    assert "and 8 more" in lines[-2] and lines[-1].endswith("overlap: 28; that only touch: 0")
    assert len(facts("info", name, "--overlaps")["overlaps"]["crossing"]) == 28


def test_tolerance_forgives_what_is_less_deep(write, facts):
    name = write("deep.obj", boxes((0, 0, 0), (0.5, 0.5, 1.99)))
    assert facts("info", name, "--overlaps")["overlaps"]["crossing_count"] == 1
    assert facts("info", name, "--overlaps", "--tolerance", 0)["overlaps"]["crossing_count"] == 1
    overlaps = facts("info", name, "--overlaps", "--tolerance", 0.02)["overlaps"]
    assert (overlaps["crossing_count"], overlaps["touching_count"]) == (0, 1)


def test_nothing_is_said_of_overlaps_unless_asked(three, run, facts):
    assert "overlaps" not in facts("info", three)
    assert "overlap" not in run("info", three)[1]


def test_a_file_of_one_object_has_none(write, run):
    _, out, _ = run("info", write("one.obj", TRIANGLE), "--overlaps")
    assert out.endswith("overlap: 0; that only touch: 0\n")


@pytest.mark.parametrize("tolerance", ["-1", "nan", "inf", "much"])
def test_a_tolerance_that_is_none_is_refused(three, run, tolerance):
    status, out, err = run("info", three, "--overlaps", "--tolerance", tolerance)
    assert (status, out, len(err)) == (2, "", 1)
    assert "--tolerance" in err[0]


def test_a_tolerance_alone_is_refused(three, run):
    status, out, err = run("info", three, "--tolerance", "1")
    assert (status, out) == (2, "") and err == ["octoscope: --tolerance: only with --overlaps"]


def test_ctrl_c_while_a_terminal_shows_progress_ends_cleanly(write):
    """Thousands of plates of several layers that all cross: seconds of work."""
    count, faces = 2000, "f -3 -2 -1\n" * 8
    name = write(
        "plates.obj",
        "".join(
            f"o p{i}\nv 0 {i} 0\nv {count} {i + 0.5} 0\nv 0 {i} {count}\n{faces}"
            f"o q{i}\nv {i} 0 0.1\nv {i} {count} 0.2\nv {i} 0 {count}\n{faces}"
            for i in range(count)
        ),
    )
    own, theirs = pty.openpty()
    command = [
        sys.executable,
        "-c",
        "from octoscope.viewer.cli import main as m; raise SystemExit(m())",
        "info",
        name,
        "--overlaps",
    ]
    root = Path(__file__).parents[4]
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env={**os.environ, "PYTHONPATH": str(root), "TERM": "xterm"},
        # Tests that run in the background of a shell inherit an ignored SIGINT; a person's program does not.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    os.close(theirs)
    shown = b""
    while f"/{count * count}".encode() not in shown:
        shown += os.read(own, 4096)
    process.send_signal(signal.SIGINT)
    try:
        while chunk := os.read(own, 4096):
            shown += chunk
    except OSError:  # the other end is closed
        pass
    assert process.wait(20) == 130, shown[-500:]
    assert b"Traceback" not in shown and b"Exception" not in shown
