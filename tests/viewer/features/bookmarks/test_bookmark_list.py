"""Bookmarks as a person uses them: each change is undone by one step, and what is shown is where one was."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from octoscope.viewer.camera import controls
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.log import Log
from octoscope.viewer.features.bookmarks.bookmark_list import BookmarkList
from octoscope.viewer.frame.redraw import Damage
from octoscope.viewer.frame.view import View
from tests.viewer.scenes import box_scene


@pytest.fixture
def editor() -> Editor:
    scene = box_scene()
    return Editor(View(scene), Log())


@pytest.fixture
def bookmarks(editor: Editor) -> BookmarkList:
    """Those of the front, the right and the top."""
    bookmarks = BookmarkList(editor)
    for name in ("front", "right", "top"):
        editor.view.camera = controls.look_from(editor.view.camera, name)
        bookmarks.add()
        bookmarks.rename(bookmarks.current, name)
    return bookmarks


def looks_from(editor: Editor, name: str) -> bool:
    return np.allclose(editor.view.camera.axes, controls.look_from(editor.view.camera, name).axes)


def test_one_steps_through_bookmarks_round_and_round(editor, bookmarks):
    assert bookmarks.names == ["front", "right", "top"] and bookmarks.current == "top"
    for steps, name in ((1, "front"), (1, "right"), (-1, "front"), (-1, "top"), (-1, "right")):
        bookmarks.step(steps)
        assert bookmarks.current == name and looks_from(editor, name)
    assert editor.view.redraw.damage == Damage.SCENE, "the picture is to be drawn anew"


def test_stepping_begins_at_the_ends(editor):
    assert BookmarkList(editor).step(1) is None, "there are none"
    for _ in range(3):
        BookmarkList(editor).add()
    for steps, name in ((1, "bookmark"), (-1, "bookmark (3)")):
        bookmarks = BookmarkList(editor)
        assert bookmarks.current is None
        bookmarks.step(steps)
        assert bookmarks.current == name


def test_going_to_one_moves_the_active_viewport_alone(editor, bookmarks):
    view = editor.view
    view.layout.set_count(2)
    view.active = view.viewports[1]
    before = view.viewports[0].camera
    bookmarks.go("right")
    assert looks_from(editor, "right") and view.viewports[0].camera is before


def test_renaming_keeps_the_order_and_numbers_what_is_taken(bookmarks):
    bookmarks.go("right")
    bookmarks.rename("right", " starboard ")
    assert bookmarks.names == ["front", "starboard", "top"] and bookmarks.current == "starboard"
    bookmarks.rename("top", "front")
    assert bookmarks.names == ["front", "starboard", "front (2)"]
    bookmarks.rename("front", "front")
    bookmarks.rename("front", "  ")
    assert bookmarks.names[0] == "front"


def test_all_of_it_can_be_undone(editor, bookmarks):
    bookmarks.remove("right")
    assert bookmarks.names == ["front", "top"]
    editor.undo()
    assert bookmarks.names == ["front", "right", "top"]
    bookmarks.remove_current()
    assert bookmarks.names == ["front", "right"] and bookmarks.current is None
    bookmarks.remove_current()
    while bookmarks.names:
        editor.undo()
    assert editor.history.position == 0
    for _ in range(6):
        editor.redo()
    assert bookmarks.names == ["front", "right", "top"]


def test_where_no_bookmark_can_be_kept_it_is_said(editor):
    bookmarks = BookmarkList(editor)
    editor.view.camera = replace(editor.view.camera, pivot=np.array((1e30, 0.0, 0.0)))
    bookmarks.add()
    assert bookmarks.names == [] and "no bookmark" in editor.log.toasts[-1].text
