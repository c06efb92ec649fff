"""Opening a window, with a GLFW that stands for those of drivers that are not here."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from octoscope.viewer.window import window
from octoscope.viewer.window.opengl_request import OpenGLRequest
from octoscope.viewer.window.window import Window, WindowUnavailable

VERSIONS = OpenGLRequest().versions

pytest.importorskip("moderngl_window.context.glfw.window")  # which needs GLFW's library


class DriverOf:
    """GLFW over a driver that makes what it is asked for, up to a version, and no later one."""

    def __init__(self, newest: tuple[int, int], *, robust: bool) -> None:
        self._newest, self._robust = newest, robust
        self._hints: dict[str, object] = {}
        self._on_error = None
        self.made: list[tuple[object, object]] = []
        self.sizes: tuple[int, ...] = ()  # smallest and largest
        self.has_ended = False

    def __getattr__(self, name: str) -> object:
        return name if name.isupper() else lambda *_: (1, 1)  # constants, and functions that say yes or a size

    def default_window_hints(self) -> None:
        self._hints.clear()

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

    def set_window_size_limits(self, _: object, *sizes: int) -> None:
        self.sizes = sizes

    def terminate(self) -> None:
        self.has_ended = True


@pytest.fixture
def open_with(monkeypatch):
    """A function that opens a window with a driver."""
    backend = window._import_backend()
    monkeypatch.setattr(Window, "_granted", [])
    screen = SimpleNamespace(viewport=None)
    info = {"GL_MAX_TEXTURE_SIZE": 8192}
    context = SimpleNamespace(error="GL_NO_ERROR", screen=screen, version_code=450, info=info)
    monkeypatch.setattr(window.moderngl, "create_context", lambda **_: context)

    def open_with(driver: DriverOf) -> None:
        monkeypatch.setattr(backend, "glfw", driver)
        window._open((640, 480), "title")

    return open_with


@pytest.mark.parametrize("robust", (True, False))
@pytest.mark.parametrize("newest", VERSIONS)
def test_a_window_gets_the_newest_opengl_that_the_driver_has(open_with, newest, robust) -> None:
    driver = DriverOf(newest, robust=robust)
    open_with(driver)
    assert driver.made == [(newest, robust)]


def test_a_window_is_no_larger_than_a_picture_can_be(open_with) -> None:
    driver = DriverOf(VERSIONS[0], robust=True)
    open_with(driver)
    assert driver.sizes[2:] == (8192, 8192)


def test_a_second_window_does_not_end_the_first_one(open_with) -> None:
    driver = DriverOf(VERSIONS[-1], robust=False)
    open_with(driver)
    driver.has_ended = False
    open_with(driver)
    assert len(driver.made) == 2 and not driver.has_ended


def test_a_driver_without_opengl_3_3_is_told_in_one_line(open_with) -> None:
    with pytest.raises(WindowUnavailable, match=r"^no window can be opened \(no context of version 3\.3\)$"):
        open_with(DriverOf((3, 1), robust=True))


def test_a_context_that_moderngl_cannot_use_is_told_in_one_line(open_with, monkeypatch) -> None:
    def refuse(**_: object) -> None:
        raise RuntimeError("no\n  functions")

    monkeypatch.setattr(window.moderngl, "create_context", refuse)
    with pytest.raises(WindowUnavailable, match=r"^no window can be opened \(no functions\)$"):
        open_with(DriverOf(VERSIONS[0], robust=True))
