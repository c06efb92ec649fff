"""Texts of the palette about commands."""

from __future__ import annotations

import pytest
from imgui_bundle import imgui

from octoscope.scene import Scene
from octoscope.viewer.ui.imgui.items import sentence_case
from tests.viewer.needs import needs_all
from tests.viewer.scenes import add_box_mesh


def test_what_a_row_has_no_room_for_is_said_below_the_list(open_app, monkeypatch):
    scene = Scene()
    scene.add_nodes(["box"], mesh=add_box_mesh(scene))
    app = open_app(scene)
    said: list[str] = []
    original = imgui.text_colored
    monkeypatch.setattr(imgui, "text_colored", lambda color, text: said.append(text) or original(color, text))

    def says() -> list[str]:
        app.settle()
        said.clear()
        app.frame()
        return list(said)

    refusal = sentence_case(app.table["object.share_mesh"].refusal)
    app.press("Ctrl+P")
    app.type("mesh of the active")
    assert says().count(refusal) == 1
    app.press("Esc")
    assert refusal not in says()
    app.press("Ctrl+P")
    app.type("undo")
    below = says()
    assert not any(sentence_case(app.table["edit.undo"].description) == text for text in below), (
        "there is room beside its name"
    )


def test_what_cannot_be_done_now_stays_first_and_says_why_and_enter_does_not_do_it(open_app, monkeypatch):
    scene = Scene()
    scene.add_nodes(["box"], mesh=add_box_mesh(scene))
    app = open_app(scene)
    said: list[str] = []
    original = imgui.text_colored
    monkeypatch.setattr(imgui, "text_colored", lambda color, text: said.append(text) or original(color, text))
    ran: list[str] = []
    app.table.after_run = lambda command: ran.append(command.id)
    app.press("Ctrl+P")
    ran.clear()
    app.type("arr")
    said.clear()
    app.frame()
    of_inspector = {"Objects", "Materials"}
    labels = {command.label_now for command in app.table.commands if not command.label.isdigit()} - of_inspector
    assert next(text for text in said if text in labels) == app.table["object.array"].label_now
    assert any(app.table["object.array"].refusal in text for text in said)
    app.press("Enter")
    assert ran == []


def test_where_nothing_matches_that_stands_in_place_of_the_list(open_app, monkeypatch):
    app = open_app(Scene())
    below: list[float] = []
    original = imgui.text_colored

    def text_colored(color, text):
        if text == "No matching command":
            below.append(imgui.get_cursor_pos_y() / imgui.get_frame_height_with_spacing())
        original(color, text)

    monkeypatch.setattr(imgui, "text_colored", text_colored)
    app.press("Ctrl+P")
    app.type("qqqq")
    assert below and below[-1] < 1.5, "directly below the field"


@needs_all
def test_what_people_look_for_is_found_first(open_app):
    table = open_app(Scene()).table
    for query, command_id in (
        ("mirror", "gizmo.mirror_x"),
        ("flip", "object.flip_faces"),
        ("mend", "select.check_meshes"),
        ("unit m", "scene.unit_m"),
        ("materials", "panel.materials"),
    ):
        assert table.search(query)[0].id == command_id, query
    assert "view.object_axes" not in [command.id for command in table.search("origin")[:4]], "names before synonyms"
    assert "object.fill_holes" in [command.id for command in table.search("repair")]
    found = [command.id for command in table.search("materials")]
    assert found.index("material.new") < found.index("file.export_table"), "singular, too"
    steps = [command.id.removeprefix("octree.walk_") for command in table.search("slow motion")[:7]]
    assert steps == ["cull", "ray", "play", "next", "back", "record", "end"], "in the order of the menu"


@pytest.mark.parametrize("typed", ["zzz", "arr"])
def test_keys_after_enter_that_ran_nothing_stay_in_the_palette(open_app, typed):
    scene = Scene()
    scene.add_nodes(["box"], mesh=add_box_mesh(scene))
    app = open_app(scene)
    if typed == "zzz":  # without a selection, "arr" finds an array that cannot be made
        app.editor.select([0])
    before = app.done
    app.press("Ctrl+P")
    app.type(typed)
    app.press("Enter", "Delete", "H")
    assert len(scene) == 1 and app.done == before
    app.type("q")
    assert app.shell._palette._query == "q" or app.shell._palette._query.endswith("q")
