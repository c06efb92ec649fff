"""`octoscope doctor`: what works on this machine, and one line about each thing that does not."""

import json
import os
import signal
import subprocess
import sys
from contextlib import nullcontext
from functools import cache

import pytest

from octoscope.viewer.cli import doctor, main
from octoscope.viewer.rendering.context.card_errors import DrawError
from octoscope.viewer.rendering.context.offscreen import offscreen_thread
from octoscope.viewer.rendering.context.reversed_depth import ReversedDepth
from octoscope.viewer.rendering.passes.mesh_drawing import MeshDrawing
from octoscope.viewer.rendering.self_test import context_facts
from tests.viewer.cli.test_cli_surroundings import as_process

NO_DRIVERS = dict.fromkeys(("__EGL_VENDOR_LIBRARY_FILENAMES", "LIBGL_DRIVERS_PATH", "GBM_BACKENDS_PATH"), "/nowhere")


_tried_once = cache(doctor._tried)


def test_it_draws_in_every_way_that_works_and_leaves_the_environment_alone(capsys, monkeypatch):
    monkeypatch.setattr(doctor, "_tried", _tried_once)
    before = dict(os.environ)
    assert main(["doctor", "--json"]) == 0
    assert dict(os.environ) == before
    facts = json.loads(capsys.readouterr().out)
    working = [found for found in facts["opengl"].values() if "error" not in found]
    assert working
    for found in working:
        assert found["limits"]["largest picture or texture"] >= 1024
        assert found["first picture ms"] > 0
    assert facts["settings"]["writable"]


def test_nothing_is_drawn_for_a_file_that_cannot_be_written(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(doctor, "_tried", lambda way: pytest.fail("it was drawn"))
    assert main(["doctor", "--full", "-o", str(tmp_path / "missing" / "report.html")]) == 2
    assert "cannot be saved (there is no such folder)" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform != "linux", reason="hides Mesa's drivers")
def test_no_opengl_at_all_is_said_with_a_remedy():
    environment = NO_DRIVERS | {"DISPLAY": ":9999", "GALLIUM_DRIVER": "none"}
    process = as_process("doctor", environment=environment)
    assert process.returncode == 2
    lines = process.stderr.decode().splitlines()
    assert all(line.startswith("octoscope: ") for line in lines)
    assert any("install" in line for line in lines) and any(line.startswith("octoscope: window: ") for line in lines)
    assert "does not work" in process.stdout.decode()


def test_people_read_the_same_and_that_a_settings_folder_cannot_be_written(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(doctor, "_tried", _tried_once)
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("OCTOSCOPE_CONFIG_DIR", str(tmp_path / "file"))
    assert main(["doctor"]) == 0
    text, problems = capsys.readouterr()
    assert "kernels" in text and "renderer" in text and "samples a pixel" in text
    assert "cannot be written" in problems


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (f"import os; os.kill(os.getpid(), {int(signal.SIGSEGV)})", "the driver crashed, signal 11"),
        ("raise ValueError('no such card')", "it failed (ValueError: no such card)"),
    ],
)
def test_a_driver_that_crashes_ends_only_its_own_process(code, said, monkeypatch):
    run = subprocess.run
    monkeypatch.setattr(doctor.subprocess, "run", lambda command, **how: run([*command[:2], code], **how))
    assert said in doctor._tried("egl")["error"]


def test_a_cube_that_is_not_drawn_is_noticed(monkeypatch):
    monkeypatch.setattr(MeshDrawing, "draw", lambda *_, **__: 0)
    with pytest.raises(DrawError, match="empty"):
        offscreen_thread().call(context_facts)


def test_a_way_of_depth_that_fails_without_clip_control_is_noticed(monkeypatch):
    def use(depth):
        return in_use(depth) if not depth.defines else nullcontext()  # then what is farther is seen, which is nothing

    in_use = ReversedDepth.in_use
    monkeypatch.setattr(ReversedDepth, "in_use", use)
    with pytest.raises(DrawError, match="without glClipControl"):
        offscreen_thread().call(context_facts)
