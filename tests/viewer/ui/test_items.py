"""Names that a person gives are shown as they are, wherever Dear ImGui would read more than text in them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from imgui_bundle import imgui

import octoscope.viewer.ui
from octoscope.viewer.commands.menus import file
from octoscope.viewer.commands.table import CommandTable
from octoscope.viewer.settings.config import WindowState
from octoscope.viewer.ui.imgui import items
from octoscope.viewer.ui.imgui.items import item, sentence
from octoscope.viewer.ui.overlays.menus import draw_menu
from tests.viewer.contexts import context_of
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import box_scene

ODD = ("a##b", "a###b", "##", "#", "###x", "100%s %d %n", "plain", "")
# What has a label that is an id as well.
LABELLED = {
    "begin_combo",
    "begin_menu",
    "begin_tab_item",
    "button",
    "check_box",
    "checkbox",
    "collapsing_header",
    "list_row",
    "menu_item",
    "menu_item_simple",
    "primary_button",
    "radio_button",
    "selectable",
    "small_button",
    "text_link",
    "tree_node",
    "tree_node_ex",
}


@pytest.fixture
def app(open_app) -> HeadlessApp:
    return open_app(box_scene())


@contextmanager
def window(app: HeadlessApp) -> Iterator[None]:
    """One of Dear ImGui's, in a frame of its own."""
    app.backend.new_frame(app.size, app.size, 0.02)
    imgui.begin("a window")
    yield
    imgui.end()
    app.backend.end_frame()


def shown_width(label: str) -> float:
    return imgui.calc_text_size(label, True).x


@pytest.mark.parametrize("text", ODD)
def test_all_of_a_text_is_shown_and_what_is_shown_says_nothing_of_which_it_is(app, text):
    with window(app):
        assert shown_width(item(text, 7)) == imgui.calc_text_size(text).x
        assert imgui.get_id(item(text, 7)) == imgui.get_id(item("another", 7)) != imgui.get_id(item(text, 8))


def test_a_message_begins_with_a_large_letter_unless_it_begins_with_a_name():
    for message, shown in (
        ("saved work/room.obj", "Saved work/room.obj"),
        ("room.obj: 3 faces are left out", "room.obj: 3 faces are left out"),
        ("door: bookmark added", "door: bookmark added"),
        ("2 objects duplicated", "2 objects duplicated"),
        ("", ""),
    ):
        assert sentence(message) == shown


def test_the_menus_show_odd_names_whole(app, monkeypatch, tmp_path):
    shown: dict[str, float] = {}
    menu_item = imgui.menu_item

    def noted(label: str, *more: object) -> object:
        shown[label.rpartition("###")[2]] = shown_width(label)
        return menu_item(label, *more)

    monkeypatch.setattr(imgui, "menu_item", noted)
    paths = [tmp_path / f"{name}.obj" for name in ODD]
    recent = CommandTable(file.command.bound_to(context_of(app.editor, recent=paths)))
    for name in ODD:
        app.editor.select([0])
        app.editor.rename(0, f"{name}.")
        with window(app):
            draw_menu(app.table, "Edit")
            draw_menu(recent, "File/Open recent")
            undone = f"Undo {app.editor.history.undo_label}"
            assert f"{name}." in undone and shown["edit.undo"] == imgui.calc_text_size(undone).x
            for number, path in enumerate(paths, start=1):
                assert shown[f"file.recent_{number}"] == imgui.calc_text_size(path.name).x


def test_chosen_rows_keep_their_colour_under_the_mouse_in_all_lists():
    """Rows are list_row's: those of imgui.selectable look under the mouse as if they were not chosen."""
    files = Path(octoscope.viewer.__file__).parent.rglob("*.py")
    assert [path for path in files if "imgui.selectable(" in path.read_text(encoding="utf-8")] == [Path(items.__file__)]


def test_no_label_in_the_interface_is_made_otherwise():
    faults = []
    for path in sorted({*Path(octoscope.viewer.ui.__file__).parent.rglob("*.py")} - {Path(items.__file__)}):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and _name_of(call) in LABELLED and not _is_safe(call.args[0]):
                faults.append(f"{path.name}:{call.lineno}: {ast.unparse(call.args[0])}")
    assert not faults


def _name_of(call: ast.Call) -> str:
    of_imgui = isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) == "imgui"
    return call.func.attr if of_imgui else ""


def _is_safe(label: ast.expr) -> bool:
    """Tell whether a label is made by `item`, is a literal of the program, or is an id alone."""
    match label:
        case ast.Constant():
            return True
        case ast.Call(func=ast.Name(id="item")):
            return True
        case ast.JoinedStr(values=[ast.Constant(value=text), *_]) if text.startswith("##"):
            return True
        case ast.JoinedStr(values=values):
            return all(_is_safe(value) for value in values)
        case ast.FormattedValue(value=value) | value:
            return ast.unparse(value).startswith("icons.ICON_FA_")
    return False


def test_a_scene_of_odd_names_can_be_worked_in(open_app):
    scene = box_scene()
    ids = scene.add_nodes([*ODD, "two\nlines", "tab\there", "\u202eturned", "\0"])
    scene.update_world()
    app = open_app(scene, state=WindowState(open={"history": True, "bookmarks": True, "messages": True}))
    for node_id in ids:
        app.editor.select([int(node_id)])
        app.editor.rename(int(node_id), str(scene.names[node_id]) + "!")
        app.settle()
    app.press("Ctrl+Z", "Ctrl+Y")
    assert app.done[-1].startswith("Rename")


def test_an_item_without_an_id_is_refused():
    """The choice of all kinds of messages had none, and opening the list ended the program."""
    with pytest.raises(ValueError, match="must not be empty"):
        item("all kinds", "")
