"""Scripts without a window: they get the reason, and an import that costs little."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import octoscope.viewer
from octoscope.scene import Scene
from octoscope.viewer import WindowUnavailable, show


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only X11 systems can be without a display")
def test_without_a_display_a_script_can_catch_why(monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    with pytest.raises(
        WindowUnavailable, match=r"^no display \(neither DISPLAY nor WAYLAND_DISPLAY is set\); where='notebook'"
    ):
        show(Scene())


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs X11")
def test_a_display_that_does_not_answer_is_named(tmp_path):
    code = "from octoscope.scene import Scene; from octoscope.viewer import *; show(Scene())"
    environment = {**os.environ, "DISPLAY": ":4242", "OCTOSCOPE_CONFIG_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert done.stderr.splitlines()[-1].startswith(
        "octoscope.viewer.window.window.WindowUnavailable: no window can be opened ("
    )
    assert ":4242" in done.stderr.splitlines()[-1]


def test_importing_the_viewer_loads_neither_window_nor_opengl():
    code = "import sys, octoscope.viewer; print({'moderngl', 'moderngl_window', 'glfw', 'numba'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_what_the_viewer_offers_scripts_is_there():
    assert {*octoscope.__all__} <= {*dir(octoscope)}
    assert all(callable(getattr(octoscope, name)) for name in {*octoscope.__all__} - {"editing"})
    with pytest.raises(AttributeError, match="no attribute 'shown'"):
        _ = octoscope.shown
