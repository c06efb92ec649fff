"""`octoscope serve`, as a program."""

import os
import re
import signal
import subprocess
import sys
import urllib.request
from importlib.metadata import requires, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from octoscope import load, open_project, save_project
from octoscope.scene import Recorder
from octoscope.viewer.features import web
from tests.cases import quick
from tests.viewer.cli.cli_steps import TRIANGLE
from tests.viewer.cli.test_cli_start import imported_by, within
from tests.viewer.features.web.forgotten import forget_web

pytestmark = pytest.mark.usefixtures("in_folder")


def test_a_missing_extra_is_named_with_its_mend(write, monkeypatch, capsys):
    from octoscope.viewer.cli import main

    write("a.obj", TRIANGLE)
    forget_web(monkeypatch)
    monkeypatch.setitem(sys.modules, "viser", None)
    assert main(["serve", "a.obj"]) == 2
    assert capsys.readouterr().err == "octoscope: serve needs viser: pip install 'octoscope[web]'\n"


def test_bad_ports_and_files_are_refused_in_a_line(write, capsys):
    pytest.importorskip("viser")
    from octoscope.viewer.cli import main

    write("a.obj", TRIANGLE)
    for port in ("70000", "-1", "http"):
        assert main(["serve", "a.obj", "--port", port]) == 2
    assert main(["serve", "missing.obj"]) == 2
    for host in ("a..b", "x" * 300, "no\nsuch.invalid"):
        assert main(["serve", "a.obj", "--host", host, "--port", "0"]) == 2
    assert capsys.readouterr().err.count("\n") == 7


def test_a_file_that_cannot_be_opened_shows_in_the_exit_status(write, monkeypatch, capsys, tmp_path):
    pytest.importorskip("viser")
    from octoscope.viewer.cli import main

    dark = []
    (tmp_path / "config.toml").write_text('theme = "light"', encoding="utf-8")
    monkeypatch.setenv("OCTOSCOPE_CONFIG_DIR", str(tmp_path))
    run = "octoscope.viewer.features.web.session.WebSession.run"
    monkeypatch.setattr(run, lambda session: dark.append(session.view.settings.shown_backdrop.is_dark))
    write("a.obj", TRIANGLE)
    assert main(["serve", "a.obj", "nosuch.obj", "--port", "0"]) == 1
    assert "nosuch.obj: no such file" in capsys.readouterr().err
    write("script.py", "window.slider('size', 0, 9)\nimport sys\nsys.stderr.write(f'{scene!r} {window.camera}')")
    capsys.readouterr()
    assert main(["serve", "a.obj", "--port", "0", "--script", "script.py"]) == 0
    assert "AttributeError: 'ShownScene' object has no attribute 'camera'" in capsys.readouterr().err
    assert dark == [False, False], "the theme of config.toml"
    assert main(["serve", "a.obj", "--script", "nosuch.py"]) == 2


def test_other_commands_import_nothing_of_it(write):
    write("a.obj", TRIANGLE)
    _, modules = imported_by("info", "a.obj")
    assert within(modules, "viser websockets octoscope.viewer.features.web.session") == []


@pytest.mark.parametrize(
    "where",
    quick(
        ["octoscope.viewer.features.web.serve.answer", "octoscope.viewer.features.web.session.WebSession._set_up"], 1
    ),
)
def test_an_interrupt_while_it_starts_ends_it_without_a_word(write, where):
    pytest.importorskip("viser")
    write("a.obj", TRIANGLE)
    interrupted = (
        "import sys, unittest.mock\n"
        "from octoscope.viewer.cli import main\n"
        f"with unittest.mock.patch({where!r}, side_effect=KeyboardInterrupt):\n"
        "    sys.exit(main(['serve', 'a.obj', '--port', '0']))"
    )
    ended = subprocess.run([sys.executable, "-c", interrupted], capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


def test_a_project_that_is_open_elsewhere_is_told(write):
    pytest.importorskip("viser")
    save_project(load(write("a.obj", TRIANGLE)), "a.octo.json")
    recorder = Recorder(open_project("a.octo.json"))
    with subprocess.Popen(
        [sys.executable, "-m", "octoscope", "serve", "a.octo.json", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as program:
        told = program.stderr.readline()
        program.kill()
    recorder.close()
    assert told.startswith("octoscope: a.octo.json: open in another Octoscope; this is a copy")


@pytest.mark.parametrize("number", quick((signal.SIGINT, signal.SIGTERM), 1))
def test_it_prints_its_address_serves_and_ends_by_a_signal(write, number):
    pytest.importorskip("viser")
    write("a.obj", TRIANGLE)
    with subprocess.Popen(
        [sys.executable, "-m", "octoscope", "serve", "a.obj", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Tests that run in the background of a shell inherit an ignored SIGINT; a person's program does not.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as program:
        address = program.stdout.readline().strip()
        lacks, advice = program.stderr.readline(), program.stderr.readline()
        with urllib.request.urlopen(address, timeout=20) as page:
            assert b"<html" in page.read()
        program.send_signal(number)
        rest, problems = program.communicate(timeout=60)
        assert (program.returncode, rest, problems) == (128 + number, "", "")
        assert os.listdir() == ["a.obj"]
        assert lacks.startswith("octoscope: in browsers shadows and ambient occlusion are left out")
        assert advice == "octoscope: open that address in a browser; Ctrl+C ends\n"


def wanted_viser():
    (wanted,) = {text.split(";")[0].strip() for text in requires("octoscope") if text.startswith("viser")}
    return Requirement(wanted).specifier


def test_no_file_knows_inner_parts_of_viser_and_the_range_of_versions_holds_the_installed_one():
    inner = re.compile(r"(from|import) viser(\.infra)?\._|from viser(\.infra)? import _|viser\._\w")
    assert not [path for path in Path(web.__file__).parent.glob("*.py") if inner.search(path.read_text())]
    assert version("viser") in wanted_viser()


@pytest.mark.slow
def test_the_oldest_viser_of_the_range_is_guarded_as_the_installed_one(tmp_path):
    (oldest,) = (each.version for each in wanted_viser() if each.operator == ">=")
    install = f"-m pip install -q --no-deps viser=={oldest}.0 --target".split()
    if subprocess.run([sys.executable, *install, str(tmp_path)], capture_output=True).returncode:
        pytest.skip("pip gets no other viser")
    tests = [str(Path(__file__).with_name(f"test_{name}.py")) for name in ("guard", "messages")]
    run = [sys.executable, "-m", "pytest", "-q", "-n0", *tests]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(run, capture_output=True, text=True, env=environment, cwd=Path(__file__).parents[4])
    assert done.returncode == 0, done.stdout[-2000:]
