"""The window's own box that names files: what clicks, double clicks and keys choose, and what it shows."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from imgui_bundle import imgui

from octoscope.scene import Scene
from octoscope.viewer.document.file_names import OPENED, PathRequest
from octoscope.viewer.ui.dialogs.path_box import _fitting
from tests.viewer.headless_app import HeadlessApp

TAKE = (865.0, 560.0)
FILES = ("a.obj", "b.obj", "c.obj", "d.obj")


def row(place: int) -> tuple[float, float]:
    """The middle of a row of the list; the first, 0, is the folder above."""
    return 500.0, 204.0 + 20.0 * place


FOLDER, A, B, C, D = map(row, range(1, 6))


class Asked:
    """An app that asks for files of a folder, which holds another folder, and what was chosen."""

    def __init__(self, app: HeadlessApp, folder: Path) -> None:
        self.app, self.folder = app, folder
        self.chosen: list[object] = []
        (folder / "more").mkdir()
        for name in FILES:
            (folder / name).write_text("")

    @property
    def is_open(self) -> bool:
        return self.app.shell.boxes.path.is_open

    def ask(self, **options: object) -> None:
        request = PathRequest("Open", (".obj",), self.chosen.append, folder=self.folder, **options)
        self.app.shell.boxes.ask_path(request)
        self.app.settle()


@pytest.fixture
def asked(open_app, tmp_path) -> Asked:
    return Asked(open_app(Scene()), tmp_path)


def test_a_click_marks_a_file_and_a_double_click_takes_it(asked):
    asked.ask()
    asked.app.click(B)
    x, y = map(round, B)
    under_mouse = asked.app.picture()[y, x + 100].astype(float)
    assert abs(under_mouse - asked.app.chosen_color()).max() <= 4.0, "it is seen to be marked"
    asked.app.click(C, held="ctrl")
    asked.app.click(D, held="shift")
    asked.app.click(A)
    assert asked.is_open and asked.chosen == []
    asked.app.click(C, times=2)
    assert not asked.is_open and asked.chosen == [asked.folder / "c.obj"]


@pytest.mark.parametrize("how", ["Enter", "button"])
def test_what_is_marked_is_taken_and_only_one_where_one_is_asked_for(asked, how):
    asked.ask()
    asked.app.click(B)
    asked.app.click(C, held="ctrl")
    asked.app.press("Enter") if how == "Enter" else asked.app.click(TAKE)
    assert not asked.is_open and asked.chosen == [asked.folder / "c.obj"]


def test_ctrl_and_shift_mark_several_files_where_several_can_be_chosen(asked):
    asked.ask(several=True)
    asked.app.click(A)
    asked.app.click(D, held="shift")
    asked.app.click(B, held="ctrl")
    asked.app.click(TAKE)
    assert not asked.is_open and asked.chosen == [tuple(asked.folder / name for name in ("a.obj", "c.obj", "d.obj"))]


def test_a_folder_is_listed_by_a_double_click_and_left_by_one_on_the_first_row(asked):
    asked.ask()
    asked.app.click(FOLDER)
    assert asked.app.shell.boxes.path._listed_folder == asked.folder
    asked.app.click(FOLDER, times=2)
    assert asked.app.shell.boxes.path._listed_folder == asked.folder / "more"
    asked.app.click(row(0), times=2)
    assert asked.app.shell.boxes.path._listed_folder == asked.folder
    assert asked.is_open and asked.chosen == []


def test_typing_goes_on_after_a_click_and_unmarks(asked):
    asked.ask()
    asked.app.click(C)
    asked.app.type("b.o")
    asked.app.press("Enter")
    assert asked.chosen == [asked.folder / "b.obj"]


def test_what_is_hidden_is_listed_once_a_dot_is_typed(asked):
    (asked.folder / ".git").mkdir()
    asked.ask()
    asked.app.press("Down", "Down")
    assert asked.app.shell.boxes.path._marked == {"a.obj"}, "below the folder that is not hidden"
    asked.app.type(".")
    asked.app.press("Down")
    assert asked.app.shell.boxes.path._marked == {".git"}


def test_arrow_keys_mark_the_next_file_of_those_that_fit(asked):
    asked.ask()
    asked.app.type(".obj")
    asked.app.press("Down", "Down", "Down", "Up")
    assert asked.app.shell.boxes.path._marked == {"b.obj"}
    asked.app.press("Enter")
    assert asked.chosen == [asked.folder / "b.obj"]


def test_to_write_a_file_a_click_copies_its_name_and_a_double_click_takes_it(asked):
    asked.ask(suggestion=asked.folder / "new.obj")
    asked.app.click(B)
    assert asked.is_open and asked.app.shell.boxes.path._text == "b.obj"
    asked.app.click(C, times=2)
    assert not asked.is_open and asked.chosen == [asked.folder / "c.obj"]


def test_endings_stay_beside_the_buttons(asked):
    middle = imgui.calc_text_size(", ".join(OPENED)).x * 0.8
    for room in (60.0, middle, 5000.0):
        text = _fitting(OPENED, room)
        assert imgui.calc_text_size(text).x <= room
        assert ("more" in text) == (room == middle)
    assert text == ", ".join(OPENED)


PLACES, ORDERS = (895.0, 180.0), (933.0, 180.0)  # the buttons beside the field


def menu_row(button: tuple[float, float], place: int) -> tuple[float, float]:
    return button[0] + 20.0, button[1] + 16.0 + 20.0 * place


def test_the_list_is_sorted_by_size_and_by_date(asked):
    for number, name in enumerate(FILES):
        (asked.folder / name).write_text("v 0 0 0\n" * (1, 4, 2, 3)[number])
        os.utime(asked.folder / name, (0, 1000 * (3, 1, 4, 2)[number]))
    for place, first in ((1, "b.obj"), (2, "c.obj"), (0, "a.obj")):
        asked.ask()
        asked.app.click(ORDERS)
        asked.app.click(menu_row(ORDERS, place))
        assert asked.is_open
        asked.app.click(A, times=2)
        assert asked.chosen.pop() == asked.folder / first, "folders stay before the files"


def test_one_goes_to_places(asked, monkeypatch):
    home = asked.folder / "more"
    (home / "at_home.obj").write_text("")
    monkeypatch.setattr(Path, "home", lambda: home)
    asked.ask()
    asked.app.click(PLACES)
    asked.app.press("Esc")
    assert asked.is_open, "Esc closes the menu alone"
    asked.app.click(PLACES)
    asked.app.click(menu_row(PLACES, 0))
    asked.app.click(row(1), times=2)
    assert asked.chosen == [home / "at_home.obj"]
    asked.ask()
    asked.app.press("Esc")
    assert not asked.is_open
