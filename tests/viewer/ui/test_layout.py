"""How a window's room is divided between panels and picture as it changes its size."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.viewer.desk import Desk
from tests.viewer.scenes import box_scene
from viewer.ui.imgui.docking import Area
from viewer.ui.overlays.viewport_labels import placed_label

LEAST_SHARE = 0.43  # of the window that the picture keeps, with the bars beside it


def widths(desk: Desk) -> tuple[float, float]:
    """Of what is at the left of the picture, and at its right."""
    picture = desk.shell.picture
    return picture.left, desk.size[0] - picture.right


def share(desk: Desk, axis: int = 0) -> float:
    return desk.shell.picture.size[axis] / desk.size[axis]


def resize(desk: Desk, width: int, height: int) -> None:
    desk.size = (width, height)
    desk.settle()


def drag_right_panel(desk: Desk, pixels: float) -> None:
    """Make it wider."""
    edge, y = desk.shell.picture.right + 1.0, 300.0
    desk.drag((edge, y), (edge - pixels, y))


@pytest.fixture
def desk(desk_over) -> Desk:
    return desk_over(box_scene(), draws=False)


@pytest.mark.parametrize("width", [1000, 800, 700])
def test_a_window_that_shrinks_leaves_the_picture_its_share_and_panels_come_back_as_they_were(desk, width):
    before = widths(desk)
    for step in range(1280, width, -60):  # as it is dragged by its edge
        resize(desk, step, 720)
    resize(desk, width, 600)
    assert share(desk) >= LEAST_SHARE
    assert min(widths(desk)) >= 150.0
    resize(desk, 600, 400)
    assert share(desk) == 1.0, "too small for panels beside the picture"
    resize(desk, 1280, 720)
    assert widths(desk) == pytest.approx(before, abs=1.0)


def test_a_window_that_shrinks_in_height_leaves_the_picture_its_share(desk):
    desk.press("Ctrl+3")
    desk.drag((600.0, desk.shell.picture.bottom + 1.0), (600.0, 360.0))
    tall = desk.shell.picture.bottom
    assert share(desk, 1) < 0.5
    resize(desk, 1280, 400)
    assert 0.35 < share(desk, 1) < 0.5, "menus and the bar below are no panels"
    resize(desk, 1280, 720)
    assert desk.shell.picture.bottom == pytest.approx(tall, abs=1.0)


def test_a_small_picture_that_a_person_made_keeps_that_share(desk):
    drag_right_panel(desk, 400.0)
    made, before = share(desk), widths(desk)
    assert made < 0.3
    resize(desk, 1000, 720)
    assert share(desk) == pytest.approx(made, abs=0.02)
    resize(desk, 1280, 720)
    assert widths(desk) == pytest.approx(before, abs=1.0)


def test_what_a_person_changes_in_a_smaller_window_stays(desk):
    resize(desk, 800, 720)
    drag_right_panel(desk, -60.0)
    after = widths(desk)
    resize(desk, 1280, 720)
    assert widths(desk) == pytest.approx(after, abs=1.0)


def test_panels_that_were_left_in_a_larger_window_fit_a_smaller_one(desk, desk_over):
    resize(desk, 1900, 900)
    drag_right_panel(desk, 400.0)
    assert sum(widths(desk)) > 900.0
    again = desk_over(box_scene(), draws=False, state=desk.shell.state)
    assert share(again) >= LEAST_SHARE


def test_a_window_on_a_display_of_twice_the_pixels_has_panels_beside_the_picture(desk_over):
    desk = desk_over(box_scene(), draws=False, scale=2.0)
    assert share(desk) >= LEAST_SHARE and min(widths(desk)) >= 320.0


@pytest.mark.parametrize("factor", [1.5, 0.75])
def test_kept_panels_grow_and_shrink_with_the_scale_of_text(desk, desk_over, factor):
    drag_right_panel(desk, -60.0)
    desk.press("Ctrl+3")
    left, right = widths(desk)
    below = desk.size[1] - desk.shell.picture.bottom
    desk.shell.show_panel("messages")
    kept = desk.shell.state
    again = desk_over(box_scene(), draws=False, state=kept, scale=factor, size=(1920, 1080))
    assert widths(again) == pytest.approx((left * factor, right * factor), abs=3.0)
    assert again.size[1] - again.shell.picture.bottom == pytest.approx(below * factor, rel=0.05)
    back = desk_over(box_scene(), draws=False, state=again.shell.state)
    assert widths(back) == pytest.approx((left, right), abs=3.0)


def test_kept_panels_that_grow_with_the_scale_of_text_leave_the_picture_its_share(desk, desk_over):
    again = desk_over(box_scene(), draws=False, state=desk.shell.state, scale=2.0)
    assert share(again) >= LEAST_SHARE and min(widths(again)) >= 100.0


def test_a_layout_of_unknown_scale_stays_as_it_is(desk, desk_over):
    kept = replace(desk.shell.state, layout_scale=None)
    again = desk_over(box_scene(), draws=False, state=kept, scale=1.25)
    assert widths(again) == pytest.approx(widths(desk), abs=2.0)


@pytest.mark.parametrize(
    ("size", "scale"), [((1280, 720), 1.0), ((1280, 720), 2.0), ((1920, 1080), 2.0), ((900, 600), 1.5)]
)
@pytest.mark.parametrize("count", [2, 4])
def test_the_name_of_a_view_lies_under_nothing(desk_over, monkeypatch, size, scale, count):
    placed: list[tuple[Area, Area, list[Area]]] = []

    def noted(label, part, taken, *more, **options):
        text, place = placed_label(label, part, taken, *more, **options)
        placed.append((part, place, list(taken)))
        return text, place

    monkeypatch.setattr("viewer.ui.overlays.viewport_labels.placed_label", noted)
    desk = desk_over(box_scene(), size=size, scale=scale, draws=False)
    desk.session.host.state.figures = True
    desk.view.set_viewport_count(count)
    desk.view.build_frames((600, 400))
    desk.settle()
    placed.clear()
    desk.frame()
    assert len(placed) == count
    for part, place, taken in placed:
        assert len(taken) == 1 + (desk.shell.picture.size[0] >= 260.0 * scale), "the figures, and the toolbar"
        assert not any(place.overlaps(area) for area in taken)
        assert part.left <= place.left and place.right <= part.right
        assert part.top <= place.top and place.bottom <= part.bottom
