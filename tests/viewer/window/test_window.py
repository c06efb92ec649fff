"""Opening a window, with a GLFW that stands for those of drivers that are not here."""

from __future__ import annotations

import pytest

from octoscope.viewer.window import window
from octoscope.viewer.window.opengl_versions import VERSIONS
from octoscope.viewer.window.window import WindowUnavailable


class DriverOf:
    """GLFW over a driver that makes what it is asked for, up to a version, and no later one."""

    def __init__(self, newest: tuple[int, int], *, robust: bool) -> None:
        self._newest, self._robust = newest, robust
        self._hints: dict[str, object] = {}
        self._on_error = None
        self.made: list[tuple[object, object]] = []

    def __getattr__(self, name: str) -> object:
        return name if name.isupper() else lambda *_: True  # constants, and functions that do nothing

    def set_error_callback(self, callback) -> None:
        self._on_error = callback

    def window_hint(self, name: str, value: object) -> None:
        self._hints[name] = value

    def create_window(self, *_: object) -> object:
        version = self._hints["CONTEXT_VERSION_MAJOR"], self._hints["CONTEXT_VERSION_MINOR"]
        is_robust = self._hints["CONTEXT_ROBUSTNESS"] == "LOSE_CONTEXT_ON_RESET"
        if version > self._newest or (is_robust and not self._robust):
            self._on_error(0, b"no context of version %d.%d" % version)
            return None
        self.made.append((version, is_robust))
        return object()


@pytest.mark.parametrize("robust", (True, False))
@pytest.mark.parametrize("newest", VERSIONS)
def test_a_window_gets_the_newest_opengl_that_the_driver_has(monkeypatch, newest, robust) -> None:
    driver = DriverOf(newest, robust=robust)
    monkeypatch.setattr(window, "_import_glfw", lambda: driver)
    window._open((640, 480), "title")
    assert driver.made == [(newest, robust)]


def test_a_driver_without_opengl_3_3_is_told_in_one_line(monkeypatch) -> None:
    monkeypatch.setattr(window, "_import_glfw", lambda: DriverOf((3, 1), robust=True))
    with pytest.raises(WindowUnavailable, match=r"^no window can be opened \(no context of version 3\.3\)$"):
        window._open((640, 480), "title")
