"""The section panel under the mouse: buttons add, flip and remove planes, and typed numbers move and turn them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from octoscope.viewer.features.section.panel import SectionPanel
from octoscope.viewer.features.section.tool import SectionTool
from octoscope.viewer.frame.section import NO_SECTION, Section
from octoscope.viewer.settings.config import WindowState
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import box_scene

ADD_Y, ADD_VIEW = (1136, 65), (1199, 65)
PLANES = 99  # where the first plane begins, pixels from the top
HEIGHT = 90  # of a plane
COLUMNS = (1125, 1184, 1242)


@pytest.fixture
def app(ctx) -> Iterator[HeadlessApp]:
    """Return an app with the panel in the inspector's place."""
    app = HeadlessApp(ctx, box_scene(), state=WindowState(open={SectionPanel.id: True, "inspector": False}))
    app.view.update()
    app.view.framing.frame_nodes(None)
    app.settle()
    yield app
    app.close()


def enter(app: HeadlessApp, point: tuple[int, int], text: str) -> None:
    app.click(point)
    app.type(text)
    app.press("Enter")


def texts(app: HeadlessApp) -> list[str]:
    return [plane.text for plane in app.view.settings.section.planes]


def test_buttons_add_planes_choose_the_active_one_flip_and_remove(app):
    app.click(ADD_Y)
    app.click(ADD_VIEW)
    assert texts(app)[0] == "y<0" and len(texts(app)) == 2 and app.feature_tool(SectionTool).active == 1
    app.click((1026, PLANES))
    assert app.feature_tool(SectionTool).active == 0
    app.click((1109, PLANES))
    assert texts(app)[0] == "y>0"
    app.click((1160, PLANES + HEIGHT))
    assert texts(app) == ["y>0"]


def test_a_typed_distance_moves_a_plane_and_a_typed_direction_turns_it(app):
    app.view.settings.section = Section.of(["x<1", "z<0.25"])
    app.settle()
    enter(app, (1184, PLANES + 56), "3/2")
    assert texts(app) == ["x<1.5", "z<0.25"]
    enter(app, (1184, PLANES + HEIGHT + 56), "-=1")
    assert texts(app) == ["x<1.5", "z<-0.75"]
    stands = app.feature_tool(SectionTool)._frame_of(1).origin
    enter(app, (COLUMNS[0], PLANES + HEIGHT + 28), "1")
    plane = app.view.settings.section.planes[1]
    np.testing.assert_allclose(plane.normal, np.array((-1.0, 0.0, -1.0)) / np.sqrt(2.0))
    assert np.array(plane.normal) @ stands == pytest.approx(plane.offset)


def test_a_direction_without_a_length_is_refused_in_a_line(app):
    app.view.settings.section = Section.of("x<1")
    app.settle()
    enter(app, (COLUMNS[0], PLANES + 28), "0")
    assert texts(app) == ["x<1"]
    assert any("Section" in toast.text or "length" in toast.text for toast in app.session.log.toasts)
    enter(app, (COLUMNS[0], PLANES + 28), "2")
    assert app.session.log.toasts == []
    app.view.settings.section = NO_SECTION
    app.settle()
