"""A command that changes neither the scene nor its picture draws none; the judge is the picture itself."""

from __future__ import annotations

from collections.abc import Callable

import moderngl
import numpy as np
import pytest

from octoscope.viewer.frame.redraw import Damage
from octoscope.viewer.rendering.context.offscreen import image_of
from octoscope.viewer.rendering.renderer import Renderer
from octoscope.viewer.settings.config import WindowState
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import box_scene

_SIZE = (96, 64)
_LEFT_OUT = (
    "file.",  # they end the document or replace it, or write and read files
    "octree.",  # what these switch may be out of sight, and culling never changes a picture
    "view.flat",  # nothing here has normals
    "view.backface_culling",  # nor a single-sided material
    "view.lines_",  # nor lines or points
    "view.points_",
    "view.round_points",
    "view.theme_",  # where the background is one colour, only the panels have the theme's
    "light.fix",  # the light falls as before until the camera moves
    "light.shadow",  # seen when the picture is refined
    "light.occlusion",
    "section.add_",  # other planes may cut away the same
    "section.flip",
    "section.remove",
    "bookmark.",  # a camera comes back from a bookmark with its angles rounded
)


class Judge:
    """Draws what an app shows, and says what was to be drawn again since the last look."""

    def __init__(self, ctx: moderngl.Context, app: HeadlessApp) -> None:
        self._app = app
        self._renderer = Renderer(ctx)
        self._last, self._done = self._look(), app.editor.history.position

    def _look(self) -> np.ndarray:
        """Draw everything, without outlines."""
        view = self._app.view
        size = view.layout.last_size
        parts = view.build_frames(_SIZE)
        self._renderer.render_parts(parts, _SIZE)
        view.layout.resize(size)
        view.redraw.note_picture()
        shown = [self._renderer._targets[index].scene for index in range(len(parts))]
        return np.concatenate([np.asarray(image_of(each)).ravel() for each in shown])

    def is_drawn_in_vain(self) -> bool:
        """Return True if a new picture is asked for and equals the last one, of the same scene."""
        asked = self._app.view.redraw.damage == Damage.SCENE
        before, done, self._last, self._done = self._last, self._done, self._look(), self._app.editor.history.position
        return asked and np.array_equal(before, self._last) and done == self._done


@pytest.fixture
def app(open_app: Callable[..., HeadlessApp]) -> HeadlessApp:
    app = open_app(box_scene(), state=WindowState(panels=False))
    app.view.update()
    app.view.framing.frame_nodes(None)
    app.editor.select([0])
    return app


def test_no_command_draws_a_picture_that_does_not_change(ctx: moderngl.Context, app: HeadlessApp) -> None:
    judge, in_vain = Judge(ctx, app), []
    for command in app.table.commands:
        if command.id.startswith(_LEFT_OUT):
            continue
        for time in ("first", "second")[: 1 if command.checked is None else 2]:
            app.table.run(command)
            app.frame()
            app.press("Escape")
            if judge.is_drawn_in_vain():
                in_vain.append((command.id, time))
    if in_vain:
        pytest.fail(", ".join(f"{command_id} ({time})" for command_id, time in in_vain))
