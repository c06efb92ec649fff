"""A session without a window: what is drawn again follows from what was done, and one document from another."""

from __future__ import annotations

import pytest

from scene import Scene
from tests.viewer.desk import Desk
from tests.viewer.scenes import box_scene
from viewer.frame.redraw import Damage


@pytest.fixture
def desk(desk_over) -> Desk:
    return desk_over(box_scene(), draws=False)


@pytest.mark.parametrize(
    ("keys", "level"),
    [
        ("F1", Damage.PANELS),
        ("Ctrl+P", Damage.PANELS),
        ("F2", Damage.PANELS),
        ("I", Damage.PANELS),
        ("W", Damage.PANELS),
        ("B", Damage.PANELS),
        ("A", Damage.OVERLAY),
        ("Shift+G", Damage.SCENE),
        ("7", Damage.SCENE),
        ("Del", Damage.SCENE),
    ],
)
def test_a_command_has_as_much_drawn_again_as_shows_what_it_did(desk, keys, level):
    desk.editor.select([1])
    desk.settle()
    desk.view.redraw.note_picture()
    desk.press(keys)
    assert max(desk.view.redraw.damage, Damage.PANELS) == level


def test_a_click_that_selects_has_outlines_drawn_and_hovering_nothing_has_nothing(desk):
    desk.view.frame_nodes(None)
    desk.view.build_frames(desk.view.last_size)
    desk.view.redraw.note_picture()
    picture = desk.shell.picture
    desk.move((picture.left + 5.0, picture.bottom - 40.0))
    desk.settle()
    assert desk.view.redraw.damage <= Damage.PANELS
    desk.click(((picture.left + picture.right) / 2.0, (picture.top + picture.bottom) / 2.0))
    assert desk.selected and desk.view.redraw.damage == Damage.OVERLAY


def test_another_document_keeps_what_was_set_and_knows_nothing_of_the_one_before(desk):
    desk.press("Shift+G")
    desk.shell.show_panel("history")
    desk.settle()
    before = desk.session
    desk.show(Scene())
    assert desk.session is not before and desk.document is not before.document
    assert not desk.view.show_grid and desk.shell.is_open(desk.shell.panels[-1])
    assert desk.editor.history.entries == [] and len(desk.outliner.rows) == 0
    desk.press("Shift+G")
    assert desk.view.show_grid and not before.view.show_grid
