"""Help, and what is said of commands that are misspelt or incomplete."""

import re

import pytest

from tests.viewer.cli.cli_steps import box

pytestmark = pytest.mark.usefixtures("in_folder")


def test_help_names_every_command(run):
    status, out, _ = run("--help")
    assert status == 0
    assert all(re.search(rf"^ +{name} ", out, re.M) for name in ("open", "render", "info", "pick", "demo", "bench"))


@pytest.mark.parametrize("command", ["open", "render", "info", "pick", "demo", "bench"])
def test_commands_have_help(run, command):
    status, out, err = run(command, "--help")
    assert (status, err) == (0, [])
    assert f"octoscope {command}" in out


def test_version(run):
    status, out, _ = run("--version")
    assert status == 0 and re.fullmatch(r"octoscope \d+\.\d+\.\d+\n", out)


UNKNOWN = [[command, "a.obj", "-o", "a.png", "--foo"] for command in ("convert", "render")]
UNKNOWN += [["info", "a.obj", "--foo"], ["open", "a.obj", "--foo"], ["pick", "a.obj", "--center", "--foo=1"]]


@pytest.mark.parametrize(
    "arguments", [["render", "a.obj"], ["info"], ["pick", "a.obj"], ["info", "--nonsense"], *UNKNOWN]
)
def test_incomplete_commands(run, arguments):
    status, out, err = run(*arguments)
    assert (status, out, len(err)) == (2, "", 1)
    assert err[0].startswith("octoscope: ") and err[0].endswith(f"see octoscope {arguments[0]} --help")


def test_a_misspelt_command_is_not_taken_for_a_file(write, run):
    status, _, err = run("rendr", write("a.obj", box("a")))
    assert status == 2 and len(err) == 1 and "did you mean octoscope render?" in err[0]


def test_help_says_that_a_window_keeps_its_size_and_a_picture_has_a_fixed_one(run):
    assert "(default: as it was when last closed)" in " ".join(run("open", "--help")[1].split())
    assert "(default: 1280x720)" in " ".join(run("render", "--help")[1].split())
