"""Planes of a section: commands that add, flip and remove them, and handles that drag the active one."""

from __future__ import annotations

import re

import numpy as np
import pytest

from octoscope.viewer.features.section.tool import SectionTool
from octoscope.viewer.frame.section import MOST_PLANES, NO_SECTION, Section
from octoscope.viewer.tools.gizmo.handles import ARM, RING
from octoscope.viewer.ui.overlays.status_bar import status_bar
from tests.viewer.commands.test_far_away import far_scene
from tests.viewer.headless_app import HeadlessApp


def run(app: HeadlessApp, name: str) -> None:
    app.table.run(app.table[f"section.{name}"])
    app.settle()


def texts(app: HeadlessApp) -> list[str]:
    return [plane.text for plane in app.view.settings.section.planes]


def middle_of(app: HeadlessApp, shape: str, axes: tuple[int, ...]) -> tuple[float, float]:
    """Place in the window of the middle of a handle's seen part."""
    tool = app.feature_tool(SectionTool)
    (handle,) = (each for each in tool.handles(tool.projections()[0]) if (each.shape, each.axes) == (shape, axes))
    seen = handle.outline if handle.hidden is None else handle.outline[:-1][~handle.hidden]
    point = seen.mean(axis=0) if shape == ARM else seen[len(seen) // 3]
    return app.shell.picture.left + float(point[0]), app.shell.picture.top + float(point[1])


def test_planes_are_added_on_the_cameras_side_flipped_and_removed(app):
    back = app.view.camera.axes[2]
    assert (back > 0.0).all()
    for axis in "xyz":
        run(app, f"add_{axis}")
    assert texts(app) == ["x<0", "y<0", "z<0"] and app.feature_tool(SectionTool).active == 2
    run(app, "flip")
    run(app, "next")
    run(app, "flip")
    assert texts(app) == ["x>0", "y<0", "z>0"]
    run(app, "next")
    run(app, "remove")
    assert texts(app) == ["x>0", "z>0"]
    run(app, "add_view")
    np.testing.assert_allclose(app.view.settings.section.planes[-1].normal, -back)
    run(app, "clear")
    assert app.view.settings.section is NO_SECTION
    for name in ("add_x", "add_y", "add_x"):
        run(app, name)
    assert texts(app) == ["x<0", "y<0"] and app.feature_tool(SectionTool).active == 0, "no two equal ones"
    app.view.settings.section = Section.of([f"x<{offset}" for offset in range(MOST_PLANES)])
    assert not app.table["section.add_x"].enabled()


def test_the_key_switches_the_section_off_and_on_as_it_was(app):
    app.press("Shift+C")
    assert len(texts(app)) == 1
    run(app, "add_y")
    before = app.view.settings.section
    app.press("Shift+C")
    assert not app.view.settings.section
    app.press("Shift+C")
    assert app.view.settings.section == before


def test_a_plane_goes_through_the_middle_of_the_selection(app):
    app.editor.select([2])
    run(app, "add_x")
    assert texts(app) == ["x<2"]


def test_the_arrow_moves_the_plane_along_its_normal_and_esc_takes_it_back(app):
    for axis, name in enumerate("xyz"):
        run(app, f"add_{name}")
        assert app.feature_tool(SectionTool).color_axes[2] == axis, "the arrow has the colour of its axis"
    run(app, "clear")
    run(app, "add_x")
    point = middle_of(app, ARM, (2,))
    along = np.array(point) - middle_of_origin(app)
    farther = tuple(np.array(point) + along)
    app.move(point)
    assert app.feature_tool(SectionTool).hovered is not None
    app.drag(point, farther)
    (plane,) = app.view.settings.section.planes
    assert plane.normal == (-1.0, 0.0, 0.0) and -plane.offset > 0.05
    assert len(app.selected) == 0
    moved = app.view.settings.section
    point = middle_of(app, ARM, (2,))
    with app.mouse_down(point, tuple(np.array(point) - 0.5 * along)):
        assert app.view.settings.section != moved
        (number,) = re.findall(r"keeping x<(\S+)", app.feature_tool(SectionTool).text())
        assert 1 <= len(re.sub(r"\D", "", number).lstrip("0")) <= 6, "as many digits as a person reads"
        app.press("Esc")
        assert app.view.settings.section == moved
    assert app.view.settings.section == moved


def middle_of_origin(app: HeadlessApp) -> np.ndarray:
    tool = app.feature_tool(SectionTool)
    (arm,) = (each for each in tool.handles(tool.projections()[0]) if each.shape == ARM)
    return arm.outline[0] + (app.shell.picture.left, app.shell.picture.top)


def test_a_ring_turns_the_plane_about_where_its_handles_stand(app):
    run(app, "add_x")
    stands = app.feature_tool(SectionTool)._frame_of(0).origin
    point = middle_of(app, RING, (0,))
    around = np.array(point) - middle_of_origin(app)
    turned = middle_of_origin(app) + np.array([(0.8, -0.6), (0.6, 0.8)]) @ around
    app.drag(point, tuple(turned))
    (plane,) = app.view.settings.section.planes
    normal = np.array(plane.normal)
    assert 0.2 < -normal[0] < 0.99
    assert normal @ stands == pytest.approx(plane.offset)
    np.testing.assert_allclose(app.feature_tool(SectionTool)._frame_of(0).origin, stands)


def test_the_border_of_the_plane_is_drawn_around_the_scene(app):
    tool = app.feature_tool(SectionTool)
    app.view.settings.section = Section.of("x<0.5")
    (projection,) = tool.projections()
    sides = np.array([side for _, side in tool.guides(projection)])
    low, high = np.array(app.view.index.bounds()) + np.array([[-1.0], [1.0]]) * 0.03 * 5.0
    corners = np.array([(0.5, y, z) for y in (low[1], high[1]) for z in (low[2], high[2])])
    assert sides.shape == (4, 2, 2)
    np.testing.assert_array_equal(sides[:, 1], np.roll(sides[:, 0], -1, axis=0))
    wanted = sorted(map(tuple, projection.pixels(corners).tolist()))
    for side, pixel in zip(sorted(map(tuple, sides[:, 0].tolist())), wanted, strict=True):
        assert np.hypot(*np.subtract(side, pixel)) < 20.0
    app.view.settings.section = Section.of("1,1,1<0")
    assert len(tool.guides(projection)) in (3, 4, 5, 6)
    app.view.settings.section = Section.of("x<500")
    assert tool.guides(projection) == []


def test_handles_can_be_hidden_and_then_drags_move_the_camera(app):
    run(app, "add_x")
    point = middle_of(app, ARM, (2,))
    run(app, "handles")
    before, camera = app.view.settings.section, app.view.camera
    app.drag(point, (point[0] + 60.0, point[1]))
    assert app.view.settings.section == before and not app.view.camera.shows_as(camera)


def test_what_is_cut_is_selected(app):
    app.view.settings.section = Section.of("x<2.2")
    app.table.run(app.table["select.cut"])
    assert app.selected == [2]
    app.view.settings.section = NO_SECTION
    assert not app.table["select.cut"].enabled()


def test_the_status_line_says_how_to_drag_handles_and_leaves_room_for_what_is_selected(app):
    def line() -> str:
        assert app.feature_tool(SectionTool).text() is None, "nothing follows the mouse but the number of a drag"
        return status_bar(app.view, app.document, app.tools, app.session.status_line, flies=False).text

    assert "section" not in line()
    run(app, "add_x")
    assert "Drag the arrow to move the section's plane" in line()
    app.editor.select([0])
    assert "section" not in line()
    app.move(middle_of(app, ARM, (2,)))
    app.settle()
    assert "Drag the arrow" in line(), "the mouse is over a handle"
    run(app, "handles")
    assert "section" not in line()


@pytest.mark.parametrize(
    ("command_id", "said"),
    [
        ("tools.measure_angle", "click point 1 of 3"),
        ("select.box", "Drag a box"),
        ("light.turn", "Drag to turn the key light"),
    ],
)
def test_a_tool_that_is_used_has_the_status_line_before_a_section(app, command_id, said):
    run(app, "add_x")
    app.table.run(app.table[command_id])
    assert said in status_bar(app.view, app.document, app.tools, app.session.status_line, flies=False).text


def test_a_section_that_would_lie_too_far_away_is_refused_in_a_message(open_app):
    app = open_app(far_scene(1e16))
    for axis in "xyz":
        app.table.run(app.table[f"section.add_{axis}"])
        assert not app.view.settings.section
        assert "lies at most 1e+15 from the origin" in app.editor.log.toasts[-1].text
