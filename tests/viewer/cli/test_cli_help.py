"""Help, and what is said of commands that are misspelt or incomplete."""

import argparse
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from octoscope.viewer import cli
from octoscope.viewer.cli import commands
from tests.viewer.cli.cli_steps import box

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.usefixtures("in_folder")


def test_help_names_every_command(run):
    status, out, _ = run("--help")
    assert status == 0
    assert all(re.search(rf"^ +{name} ", out, re.M) for name in ("open", "render", "info", "pick", "demo"))


@pytest.mark.parametrize("command", ["open", "render", "info", "pick", "demo"])
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


def commands_and_options() -> dict[str, set[str]]:
    found = {}
    for name, command in commands().items():
        parser = argparse.ArgumentParser()
        command.add_options(parser)
        found[name] = {option for action in parser._actions for option in action.option_strings}
    return found


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "tcsh", "powershell"])
def test_a_shell_is_told_all_commands_and_options(run, shell):
    status, out, err = run(f"--completion={shell}")
    assert (status, err) == (0, [])
    for command, options in commands_and_options().items():
        assert command in out
        for option in options:
            assert option.lstrip("-") in out, (command, option)


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("octoscope ren", {"render"}),
        ("octoscope render --turn", {"--turntable"}),
        ("octoscope render --up ", {"y", "z"}),
        ("octoscope info h", {"house.obj"}),
    ],
)
def test_bash_completes(run, words, expected, tmp_path):
    (tmp_path / "house.obj").write_text("")
    script = tmp_path / "script.bash"
    script.write_text(run("--completion", "bash")[1])
    asked = (
        f"source {script}; COMP_LINE='{words}'; COMP_WORDS=({words.rstrip()}); "
        + ("COMP_WORDS+=(''); " if words.endswith(" ") else "")
        + "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _shtab_octoscope; printf '%s\\n' \"${COMPREPLY[@]}\""
    )
    done = subprocess.run(["bash", "-c", asked], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert {line.strip() for line in done.stdout.splitlines()} == expected, done.stderr


def test_a_shell_that_is_none_is_refused(run):
    status, _, err = run("--completion", "cmd")
    assert status == 2 and "invalid choice: 'cmd'" in err[0]


def test_the_manual_has_all_commands_and_options(run):
    status, out, err = run("--man")
    assert (status, err) == (0, [])
    plain = out.replace("\\-", "-")
    for command, options in commands_and_options().items():
        section = plain.partition(f'.SS "octoscope {command}"')[2].partition(".SS")[0]
        assert all(option in section for option in options - {"-h", "--help"}), command
    assert "%" not in re.sub(r"%0?\dd|%g", "", plain.replace("%03d", "")), "what argparse fills in"
    requests = {line.split()[0] for line in out.splitlines() if line.startswith(".")}
    assert requests <= {".TH", ".SH", ".SS", ".TP", ".B", ".br"}


@pytest.mark.skipif(shutil.which("groff") is None, reason="needs groff")
def test_groff_takes_the_manual_without_a_word(run):
    page = run("--man")[1]
    done = subprocess.run(["groff", "-man", "-Tutf8", "-ww"], input=page, capture_output=True, text=True, check=True)
    assert done.stderr == "" and "octoscope render" in re.sub(".\x08", "", done.stdout), "bold is printed twice"


def test_advice_of_messages_names_options_and_commands_that_there_are():
    parser = cli._parser(None)
    (commands,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    options = {name for each in commands.choices.values() for name in each._option_string_actions}
    named: dict[str, str] = {}
    for path in (file for room in ("scene", "viewer") for file in sorted((ROOT / room).rglob("*.py"))):
        for text in re.findall(r'"[^"\n]*; ([^"\n]*)"', path.read_text()):
            named |= dict.fromkeys(re.findall(r"--[a-z][a-z-]+|octoscope [a-z]+", text), f"{path}: {text}")
    assert len(named) > 5
    for name, place in named.items():
        assert name in options or name.removeprefix("octoscope ") in commands.choices, place


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (("render", "a.obj", "-o", "a.png", "--sise", "3x3"), "did you mean --size?"),
        (("info", "a.obj", "--jsn"), "did you mean --json?"),
        (("render", "a.obj", "--ouput=x.png"), "did you mean --output?"),
        (("completion",), "did you mean octoscope --completion?"),
        (("render", "a.obj", "-o", "a.png", "--siz", "3"), None),
        (("info", "a.obj", "--nothing-like-it"), None),
    ],
)
def test_a_misspelt_option_is_told_which_one_may_be_meant(run, arguments, meant):
    status, _, err = run(*arguments)
    assert status == 2 and len(err) == 1
    assert meant in err[0] if meant else "did you mean" not in err[0]
