"""Tab goes to every field of a panel, shows where it is, and gives the keyboard back."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui

from octoscope.scene import Scene
from octoscope.viewer.document.questions import Choice
from octoscope.viewer.ui.focus import Keyboard
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.needs import needs
from tests.viewer.scenes import box_scene

BESIDE = (1020, 278)  # in the inspector, where there is no field


def typed(app: HeadlessApp) -> str:
    """Return the key of the number field that is typed in."""
    typing = app.session.inspector._transform._fields._typing
    return "" if typing is None else typing.key


@needs("octree_view")
def test_tab_reaches_every_field_of_the_inspector_and_escape_leaves(open_app):
    app = open_app(box_scene())
    app.editor.select([1])
    app.click(BESIDE)
    seen, keys = [], []
    for _ in range(60):
        app.press("Tab")
        assert app.shell.focus.keyboard is Keyboard.FIELD and app.backend.navigates
        seen.append(imgui.get_current_context().nav_id)
        keys.append(typed(app))
        if seen[-1] in seen[:-1]:
            break
    assert list(filter(None, dict.fromkeys(keys))) == [
        f"{column} {axis}" for column in ("translation", "rotation", "scale", "dimensions") for axis in range(3)
    ]
    # Name; three headings, More; parent, world, lock; twelve numbers; colour and its swatch; three sliders; texture,
    # its button; two buttons of the octree.
    assert len({*seen}) >= 1 + 5 + 3 + 12 + 2 + 3 + 2 + 2
    app.press("Esc")
    assert app.shell.focus.keyboard is Keyboard.COMMANDS


def test_what_has_the_ring_is_framed_and_enter_gives_commands_the_keyboard_again(open_app):
    app = open_app(box_scene())
    app.editor.select([1])
    app.click(BESIDE)
    before = app.picture()
    while typed(app) != "translation 0":
        app.press("Tab")
    ring = np.round(255.0 * np.array(app.shell.theme.link[:3]))
    found = [(np.abs(picture.astype(int) - ring).max(axis=2) < 12).sum() for picture in (before, app.picture())]
    assert found[1] - found[0] > 100, "no ring is drawn"
    app.type("7")
    app.press("Enter")
    assert app.view.scene.translations[1, 0] == 7.0
    assert app.shell.focus.keyboard is Keyboard.COMMANDS


def menus() -> list[str]:
    """Return the names of the menus that are open, the outermost first."""
    popups = imgui.get_current_context().open_popup_stack
    return [popups[level].window.name.partition("#")[0] for level in range(popups.size())]


def test_menus_are_walked_by_arrows_and_left_by_escape(open_app):
    app = open_app(box_scene())
    app.editor.select([1])
    app.move((640, 400))
    app.press("F10")
    for keys, shown in (
        (["Down"] * 4, ["File"]),
        (["Right"], ["File", "Other files"]),
        (["Left"], ["File"]),
        (["Right", "Esc"], ["File"]),
        (["Up", "Right"], ["File", "Open recent"]),
        (["Right"], ["Edit"]),
        (["Right"], ["Select"]),
        (["Left", "Left"], ["File"]),
        (["Esc"], []),
    ):
        for key in keys:
            app.press(key)
            app.frame()  # the menu beside opens some frames later
            app.frame()
        assert menus() == shown, keys
    assert app.editor.selected_ids == [1] and app.shell.focus.keyboard is Keyboard.COMMANDS
    app.press("F10")
    app.window.press("Right", "Down")  # before the menu beside has opened
    app.settle()
    assert menus() == ["Edit"] and not app.editor.history.is_dirty
    app.press("Esc")
    for keys in (["F10", "Right", "Right", "Esc"], ["F10", "Right"]):
        for key in keys:
            app.press(key)
            app.frame()
            app.frame()
    assert menus() == ["Edit"], "arrows begin at the first menu, wherever they were left"
    app.press("Esc")
    app.click(BESIDE)
    app.editor.select([1])
    app.press("F10", "Down", "Right", "Down", "Esc", "Esc")
    app.click((110, 10))
    app.press("Down", "Enter")
    assert not app.editor.history.is_dirty, "arrows that walked a menu have not moved the selected object"
    assert menus() == [] and len(app.editor.selected_ids) > 1
    app.editor.select([])
    app.click(BESIDE)
    app.press("Tab", "Tab", "Enter")
    assert len(menus()) == 1, "of units of length"
    app.press("Down", "Enter")
    assert app.view.scene.length_unit == "mm" and app.shell.focus.keyboard is Keyboard.COMMANDS


def test_escape_closes_the_menu_that_the_mouse_is_over(open_app):
    app = open_app(box_scene())
    app.click((20, 10))
    row = next(y for y in range(30, 300, 4) if (app.move((60, y)), app.settle(), len(menus()) == 2)[-1])
    app.press("Esc")
    assert menus() == ["File"]
    app.press("Esc")
    assert menus() == []
    app.click((60, 10))
    assert menus() == ["Edit"], row


def test_before_any_click_tab_goes_to_the_start_box_or_the_inspector_but_not_from_what_is_being_moved(open_app):
    for scene, panel in ((Scene(), "start"), (box_scene(), "Inspector###inspector")):
        app = open_app(scene)
        app.press("Tab")
        assert app.backend.navigates and imgui.get_current_context().nav_window.name == panel
    app.press("Esc")
    app.editor.select([1])
    app.table.run(app.table["gizmo.move_by_keys"])
    app.press("2", "Tab", "3", "Tab", "4", "Enter")
    assert app.view.scene.translations[1].tolist() == [2.0, 3.0, 4.0] and not app.backend.navigates


def test_tab_goes_to_each_answer_of_a_question_and_enter_takes_it(open_app, monkeypatch):
    app = open_app(box_scene())
    answers = []
    monkeypatch.setattr(app.session.boxes.question, "_answer", answers.append)
    app.editor.select([1])
    app.press("Delete", "Ctrl+N", "Tab", "Tab", "Enter")
    assert answers == [Choice.DISCARD_CHANGES]
    app.press("Enter")
    assert answers[1:] == [Choice.SAVE_AS_PROJECT], "nothing has the ring any more"


@needs("history")
def test_a_tab_has_room_for_its_title_once_no_more_frames_are_asked_for(open_app):
    app = open_app(box_scene())
    while app.shell.places_tabs:
        app.frame()
    app.table.run(app.table["panel.history"])
    while app.shell.places_tabs:
        app.frame()
    panel = next(each for each in app.shell.panels if each.id == "history")
    (tab,) = imgui.internal.find_window_by_name(f"{panel.title}###{panel.id}").dock_node.tab_bar.tabs
    assert tab.width == tab.content_width > 0.0
