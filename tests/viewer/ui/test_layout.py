"""Division of the window between panels and picture as its size changes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from imgui_bundle import imgui

from octoscope.viewer.ui.imgui.docking import Area
from octoscope.viewer.ui.overlays.viewport_labels import placed_label
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import box_scene

LEAST_SHARE = 0.43  # of the window that the picture keeps, with the bars beside it


def widths(app: HeadlessApp) -> tuple[float, float]:
    """Return the widths of the panels left and right of the picture."""
    picture = app.shell.picture
    return picture.left, app.size[0] - picture.right


def share(app: HeadlessApp, axis: int = 0) -> float:
    return app.shell.picture.size[axis] / app.size[axis]


def resize(app: HeadlessApp, width: int, height: int) -> None:
    app.size = (width, height)
    app.settle()


def drag_right_panel(app: HeadlessApp, pixels: float) -> None:
    """Make it wider."""
    edge, y = app.shell.picture.right + 1.0, 300.0
    app.drag((edge, y), (edge - pixels, y))


@pytest.fixture
def app(open_app) -> HeadlessApp:
    return open_app(box_scene())


@pytest.mark.parametrize("width", [1000, 800, 700])
def test_a_window_that_shrinks_leaves_the_picture_its_share_and_panels_come_back_as_they_were(app, width):
    before = widths(app)
    for step in range(1280, width, -60):  # as it is dragged by its edge
        resize(app, step, 720)
    resize(app, width, 600)
    assert share(app) >= LEAST_SHARE
    assert min(widths(app)) >= 150.0
    resize(app, 600, 400)
    assert share(app) == 1.0, "too small for panels beside the picture"
    resize(app, 1280, 720)
    assert widths(app) == pytest.approx(before, abs=1.0)


def test_a_window_that_shrinks_in_height_leaves_the_picture_its_share(app):
    app.press("Ctrl+3")
    app.drag((600.0, app.shell.picture.bottom + 1.0), (600.0, 360.0))
    tall = app.shell.picture.bottom
    assert share(app, 1) < 0.5
    resize(app, 1280, 400)
    assert 0.35 < share(app, 1) < 0.5, "menus and the bar below are no panels"
    resize(app, 1280, 720)
    assert app.shell.picture.bottom == pytest.approx(tall, abs=1.0)


def test_a_small_picture_that_a_person_made_keeps_that_share(app):
    drag_right_panel(app, 400.0)
    made, before = share(app), widths(app)
    assert made < 0.3
    resize(app, 1000, 720)
    assert share(app) == pytest.approx(made, abs=0.02)
    resize(app, 1280, 720)
    assert widths(app) == pytest.approx(before, abs=1.0)


def test_what_a_person_changes_in_a_smaller_window_stays(app):
    resize(app, 800, 720)
    drag_right_panel(app, -60.0)
    after = widths(app)
    resize(app, 1280, 720)
    assert widths(app) == pytest.approx(after, abs=1.0)


def test_panels_that_were_left_in_a_larger_window_fit_a_smaller_one(app, open_app):
    resize(app, 1900, 900)
    drag_right_panel(app, 400.0)
    assert sum(widths(app)) > 900.0
    again = open_app(box_scene(), state=app.shell.state)
    assert share(again) >= LEAST_SHARE


def test_a_window_on_a_display_of_twice_the_pixels_has_panels_beside_the_picture(open_app):
    app = open_app(box_scene(), scale=2.0)
    assert share(app) >= LEAST_SHARE and min(widths(app)) >= 320.0


@pytest.mark.parametrize("factor", [1.5, 0.75])
def test_kept_panels_grow_and_shrink_with_the_scale_of_text(app, open_app, factor):
    drag_right_panel(app, -60.0)
    app.press("Ctrl+3")
    left, right = widths(app)
    below = app.size[1] - app.shell.picture.bottom
    app.shell.show_panel("messages")
    kept = app.shell.state
    again = open_app(box_scene(), state=kept, scale=factor, size=(1920, 1080))
    assert widths(again) == pytest.approx((left * factor, right * factor), abs=3.0)
    assert again.size[1] - again.shell.picture.bottom == pytest.approx(below * factor, rel=0.05)
    back = open_app(box_scene(), state=again.shell.state)
    assert widths(back) == pytest.approx((left, right), abs=3.0)


def test_a_window_that_comes_to_a_screen_of_another_scale_looks_as_one_that_is_opened_there(open_app):
    """Also there and back, and in a document that is opened there."""
    app = open_app(box_scene(), size=(1920, 1080))
    before, kept = widths(app), app.shell.state
    app.shell.rescale(2.0)
    app.settle()
    there = widths(app)
    app.show(box_scene())
    assert app.view.interface_scale == imgui.get_style().font_scale_main == 2.0 == app.shell.state.layout_scale
    app.shell.rescale(1.0)
    app.settle()
    assert widths(app) == pytest.approx(before, abs=3.0)
    assert app.view.interface_scale == imgui.get_style().font_scale_main == 1.0 == app.shell.state.layout_scale
    assert min(there) > 1.2 * min(before), "as far as the picture keeps its share"
    again = open_app(box_scene(), state=kept, scale=2.0, size=(1920, 1080))
    assert widths(again) == pytest.approx(there, abs=3.0)


def test_kept_panels_that_grow_with_the_scale_of_text_leave_the_picture_its_share(app, open_app):
    again = open_app(box_scene(), state=app.shell.state, scale=2.0)
    assert share(again) >= LEAST_SHARE and min(widths(again)) >= 100.0
    back = open_app(box_scene(), state=again.shell.state)
    assert widths(back) == pytest.approx(widths(app), abs=15.0), "what had no room is not squeezed where it has"


def test_a_layout_of_unknown_scale_stays_as_it_is(app, open_app):
    kept = replace(app.shell.state, layout_scale=None)
    again = open_app(box_scene(), state=kept, scale=1.25)
    assert widths(again) == pytest.approx(widths(app), abs=2.0)


@pytest.mark.parametrize(
    ("size", "scale"), [((1280, 720), 1.0), ((1280, 720), 2.0), ((1920, 1080), 2.0), ((900, 600), 1.5)]
)
@pytest.mark.parametrize("count", [2, 4])
def test_the_name_of_a_view_lies_under_nothing(open_app, monkeypatch, size, scale, count):
    placed: list[tuple[Area, Area, list[Area]]] = []

    def noted(label, part, taken, *more, **options):
        text, place = placed_label(label, part, taken, *more, **options)
        placed.append((part, place, list(taken)))
        return text, place

    monkeypatch.setattr("octoscope.viewer.ui.overlays.viewport_labels.placed_label", noted)
    app = open_app(box_scene(), size=size, scale=scale)
    app.session.host.state.statistics = True
    app.view.layout.set_count(count)
    app.view.build_frames((600, 400))
    app.settle()
    placed.clear()
    app.frame()
    assert len(placed) == count
    for part, place, taken in placed:
        assert len(taken) == 1 + (app.shell.picture.size[0] >= 260.0 * scale), "the statistics, and the toolbar"
        assert not any(place.overlaps(area) for area in taken)
        assert part.left <= place.left and place.right <= part.right
        assert part.top <= place.top and place.bottom <= part.bottom
