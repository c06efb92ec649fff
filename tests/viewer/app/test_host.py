"""A script that draws pictures without a window stays as it was: its settings, and its own use of OpenGL."""

from __future__ import annotations

import moderngl
import numpy as np

from octoscope.scene import load
from octoscope.viewer import render
from octoscope.viewer.rendering.context.offscreen import offscreen_thread
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.app.host_state import differences, host_state
from tests.viewer.rendering.gl_objects import count_gl_objects
from tests.viewer.scenes import box_scene, picture, sketches, view_of


def test_a_renderer_that_is_released_leaves_no_gl_object() -> None:
    view = view_of(sketches(30, seed=3), distance=20.0)
    view.selection.ids, view.hovered = view.index.all_ids()[:3], 20
    view.settings.show_boxes = view.settings.show_edges = True

    def draw(ctx: moderngl.Context) -> None:
        renderer = Renderer(ctx)
        picture(renderer, view)
        view.visibility.toggle_freeze(view.snapshot.frustum)
        view.layout.set_count(4)
        renderer.render_parts(view.build_frames((90, 60)), (90, 60))
        view.layout.set_count(1)
        renderer.release()

    def counts(ctx: moderngl.Context) -> list[dict[str, int]]:
        found = []
        for _ in range(20):
            draw(ctx)
            found.append(count_gl_objects())
        return found

    found = offscreen_thread().call(counts)
    assert all(later == found[0] for later in found), found


def test_pictures_without_a_window_leave_a_scripts_settings_as_they_were(boxes, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    with np.errstate(all="raise", under="warn"):
        before = host_state()
        scene = load([boxes])
        for _ in range(3):
            render(scene, (64, 48))
        assert not differences(before, host_state())


def test_pictures_without_a_window_leave_a_scripts_own_context_in_use(ctx: moderngl.Context) -> None:
    scene = box_scene()
    target = ctx.simple_framebuffer((4, 4))
    target.use()
    before = count_gl_objects()
    for _ in range(20):
        render(scene, (32, 32))
        assert count_gl_objects() == before
        target.clear(1.0, 0.0, 0.0, 1.0)
        assert target.read()[:3] == b"\xff\0\0"
