"""Tools work in each of several viewports as in the only one: boxes, what lies behind, outlines."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.log import Log
from octoscope.viewer.frame.view import View
from octoscope.viewer.frame.viewports import PointerLocation
from octoscope.viewer.rendering.renderer import Renderer
from octoscope.viewer.tools.intents import Click, Drag
from octoscope.viewer.tools.select_tool import SelectTool
from tests.viewer.frame.test_viewports import divided_picture
from tests.viewer.scenes import box_scene, place_at, view_of

SIZE = (400, 300)


@pytest.fixture
def view() -> View:
    view = view_of(box_scene(), distance=12.0)
    view.layout.set_count(4)
    view.build_frames(SIZE)
    return view


@pytest.fixture
def tool(view: View) -> SelectTool:
    return SelectTool(Editor(view, Log()))


def seen_at(view: View, place: int, position: np.ndarray) -> PointerLocation:
    """Return the location in a viewport's picture of a world point."""
    viewport = view.viewports[place]
    part = view.layout.area(viewport)
    clip = viewport.camera.clip_from_world(part.aspect) @ (*position, 1.0)
    x, y = (clip[:2] / clip[3] * (1, -1) + 1.0) / 2.0
    return view.locate((part.x + x * part.width, part.y + y * part.height))


def test_a_box_selects_in_the_viewport_where_it_began(view: View, tool: SelectTool) -> None:
    begin = seen_at(view, 2, np.array((-3.5, 1.5, 0.0)))
    end = seen_at(view, 2, np.array((0.9, -1.5, 0.0)))  # from the front: about red and green
    for wanted, names in ((end, {"red", "green"}), (place_at(view, (0.999, 0.999)), {"red", "green", "blue"})):
        tool.toggle_boxes()
        tool.drag(Drag(5.0, 5.0, begin, wanted, is_first=True))
        tool.drag(Drag(0.0, 0.0, begin, wanted, is_last=True))
        assert set(view.scene.names[view.selected_ids]) == names


def test_what_lies_behind_is_what_lies_there_in_that_viewport(view: View, tool: SelectTool) -> None:
    point = seen_at(view, 3, np.zeros(3))  # from the right they hide one another
    names = []
    for _ in range(4):
        tool.click(Click(point, alt=True))
        names.append(str(view.scene.names[view.selected_ids[0]]))
    assert names == ["blue", "green", "red", "blue"]


def test_outlines_alone_are_drawn_anew_in_all_viewports(ctx: moderngl.Context, view: View) -> None:
    renderer = Renderer(ctx)
    divided_picture(renderer, view, SIZE)
    frames = view.build_frames(SIZE)
    renderer.render_parts(frames, SIZE)
    view.selection.ids, view.hovered = np.array([0], dtype=np.int32), 2
    renderer.render_outlines(view.with_outlines(frames))
    anew = renderer.picture.read(components=3, alignment=1)
    divided_picture(renderer, view, SIZE)
    assert renderer.picture.read(components=3, alignment=1) == anew
