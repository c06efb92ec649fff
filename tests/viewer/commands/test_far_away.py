"""Every command of a window does its work, or says why not, on objects far away from the world's origin."""

from __future__ import annotations

from collections.abc import Callable

import moderngl
import pytest

from octoscope.scene import Scene
from octoscope.viewer.editing.jobs import JobKind
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import box_scene

_LEFT_OUT = ("file.", "app.quit", "help.open")  # they end or replace the document, or ask the desktop
_SIZE = (48, 32)


def far_scene(away: float) -> Scene:
    scene = box_scene()
    objects = scene.objects
    scene.set_parents(objects, scene.add_node("far", translation=(away, -away, 0.5 * away), scale=[0.01 * away] * 3))
    return scene


@pytest.mark.parametrize(
    "away", [1e16, *(pytest.param(away, marks=pytest.mark.slow) for away in (1e9, 1e18, 1e19, 1e30, 1e200))]
)
def test_every_command_is_done_or_refused_on_objects_far_away(
    ctx: moderngl.Context, open_app: Callable[..., HeadlessApp], away: float
) -> None:
    app, renderer, failed = open_app(far_scene(away)), Renderer(ctx), {}
    app.view.framing.frame_nodes(None)
    for command in app.table.commands:
        if command.id.startswith(_LEFT_OUT):
            continue
        app.editor.select(app.editor.scene.objects.ids)
        try:
            app.table.run(command)
            app.editor.jobs.wait(JobKind.EDIT)
            app.frame()
            if command.asks:
                app.settle()
                app.press("Enter")
                app.wait_for_work()
            app.press("Escape")
            renderer.render_parts(app.view.build_frames(_SIZE), _SIZE)
        except Exception as error:  # all of them are to be seen at once
            failed[command.id] = repr(error)
    assert failed == {}
