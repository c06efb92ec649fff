"""Fixtures that several of the viewer's tests use: for drawing off-screen, for the command line, for the window."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from zlib import crc32

import moderngl
import numpy as np
import pytest
from PIL import Image

from octoscope.octree.jit import compile_timer
from octoscope.scene import Scene
from octoscope.viewer.cli import main
from octoscope.viewer.rendering.context.offscreen import create_context
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.windows import xvfb
from tests.viewer.windows.window_boxes import write_boxes
from tests.viewer.windows.window_steps import SharedWindow
from tests.viewer.windows.xvfb import Window

_WAYS = {True: "opengl 4.5", False: "opengl 3.3"}

# Drawing off-screen: one context, which the tests must leave without an error.


@pytest.fixture(scope="session")
def shared_ctx() -> Iterator[moderngl.Context]:
    ctx = create_context()
    yield ctx
    ctx.release()


@pytest.fixture
def ctx(shared_ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> Iterator[moderngl.Context]:
    """The context; an OpenGL error before or after the test fails it. Renderers that the test made end with it."""
    renderers: set[Renderer] = set()
    make, release = Renderer.__init__, Renderer.release

    def make_and_note(renderer: Renderer, ctx: moderngl.Context, *arguments: object, **options: object) -> None:
        make(renderer, ctx, *arguments, **options)
        if ctx is shared_ctx:
            renderers.add(renderer)

    def release_and_note(renderer: Renderer) -> None:
        release(renderer)
        renderers.discard(renderer)

    monkeypatch.setattr(Renderer, "__init__", make_and_note)
    monkeypatch.setattr(Renderer, "release", release_and_note)
    shared_ctx.__enter__()  # a window test may have made another context current
    assert shared_ctx.error == "GL_NO_ERROR", "left over from an earlier test"
    yield shared_ctx
    with shared_ctx:
        for renderer in tuple(renderers):
            renderer.release()
    assert shared_ctx.error == "GL_NO_ERROR"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave one of the two ways of drawing of each test to `-m slow`, another one from test to test."""
    for item in items:
        way = getattr(item, "callspec", None) and item.callspec.params.get("renderer")
        if way is not None and way != crc32(item.nodeid.replace(_WAYS[way], "").encode()) % 2:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(params=_WAYS, ids=_WAYS.get)
def renderer(request: pytest.FixtureRequest, ctx: moderngl.Context) -> Renderer:
    return Renderer(ctx, indirect=request.param, clip_control=request.param)


@pytest.fixture
def open_app(ctx) -> Iterator[Callable[..., HeadlessApp]]:
    """Return a function that opens a scene in a HeadlessApp."""
    apps: list[HeadlessApp] = []

    def make(scene: Scene, **options: object) -> HeadlessApp:
        apps.append(HeadlessApp(ctx, scene, **options))
        return apps[-1]

    yield make
    for app in apps:
        app.close()


# The command line.


@pytest.fixture
def in_folder(tmp_path, monkeypatch):
    """The test runs in a folder of its own, without a display."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DISPLAY", raising=False)


@pytest.fixture
def write(tmp_path):
    def write(name, text):
        (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return name

    return write


@pytest.fixture
def run(capsys, monkeypatch):
    """Run the program here: exit status, standard output, lines of standard error, without one about compiling."""
    monkeypatch.setattr(compile_timer, "is_told", True)

    def run(*arguments):
        capsys.readouterr()
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as leaving:  # argparse
            status = leaving.code
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return status, out, err.splitlines()

    return run


@pytest.fixture
def facts(run):
    """The JSON of a command that must succeed."""

    def facts(*arguments):
        status, out, _ = run(*arguments, "--json")
        assert status == 0
        return json.loads(out)

    return facts


@pytest.fixture
def refused(run):
    """The one line of a command that must be refused with status 2, nothing on standard output."""

    def refused(*arguments):
        status, out, err = run(*arguments)
        assert (status, out) == (2, "")
        assert len(err) == 1 and err[0].startswith("octoscope: "), err
        return err[0]

    return refused


@pytest.fixture
def picture(run):
    """(height, width, 3) int pixels of a command that draws."""

    def picture(*arguments, size="64x48"):
        status, _, _ = run(*arguments, "-o", "out.png", "--size", size)
        assert status == 0
        return np.asarray(Image.open("out.png").convert("RGB")).astype(int)

    return picture


# The window.


@pytest.fixture
def tools() -> None:
    assert not xvfb.missing_tools(), "the tests of the window need Xvfb and xdotool"


@pytest.fixture(scope="session")
def boxes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_boxes(tmp_path_factory.mktemp("boxes"))


@pytest.fixture(scope="session")
def shared(boxes: Path) -> Iterator[SharedWindow]:
    shared = SharedWindow(boxes)
    yield shared
    shared.close()


@pytest.fixture
def window(shared: SharedWindow) -> Window:
    """A window on the boxes, as if just opened."""
    return shared.fresh()


@pytest.fixture
def first(window: Window, shared: SharedWindow) -> np.ndarray:
    """The picture that `window` begins with."""
    return shared.first_picture
