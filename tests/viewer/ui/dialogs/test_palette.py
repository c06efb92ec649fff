"""What the palette says of commands."""

from __future__ import annotations

from imgui_bundle import imgui

from scene import Scene
from tests.viewer.scenes import add_box_mesh


def test_what_a_row_has_no_room_for_is_said_below_the_list(desk_over, monkeypatch):
    scene = Scene()
    scene.add_nodes(["box"], mesh=add_box_mesh(scene))
    desk = desk_over(scene, draws=False)
    said: list[str] = []
    original = imgui.text_colored
    monkeypatch.setattr(imgui, "text_colored", lambda color, text: said.append(text) or original(color, text))

    def says() -> list[str]:
        desk.settle()
        said.clear()
        desk.frame()
        return list(said)

    refusal = desk.table["object.share_mesh"].refusal
    desk.press("Ctrl+P")
    desk.type("mesh of the active")
    assert says().count(refusal) == 1
    desk.press("Esc")
    assert refusal not in says()
    desk.press("Ctrl+P")
    desk.type("undo")
    below = says()
    assert not any(desk.table["edit.undo"].description == text for text in below), "there is room beside its name"


def test_what_cannot_be_done_now_stays_first_and_says_why_and_enter_does_not_do_it(desk_over, monkeypatch):
    scene = Scene()
    scene.add_nodes(["box"], mesh=add_box_mesh(scene))
    desk = desk_over(scene, draws=False)
    said: list[str] = []
    original = imgui.text_colored
    monkeypatch.setattr(imgui, "text_colored", lambda color, text: said.append(text) or original(color, text))
    ran: list[str] = []
    desk.table.after_run = lambda command: ran.append(command.id)
    desk.press("Ctrl+P")
    ran.clear()
    desk.type("arr")
    said.clear()
    desk.frame()
    labels = {command.label_now for command in desk.table.commands}
    assert next(text for text in said if text in labels) == desk.table["object.array"].label_now
    assert any(desk.table["object.array"].refusal in text for text in said)
    desk.press("Enter")
    assert ran == []


def test_where_nothing_matches_that_stands_in_place_of_the_list(desk_over, monkeypatch):
    desk = desk_over(Scene(), draws=False)
    below: list[float] = []
    original = imgui.text_colored

    def text_colored(color, text):
        if text == "no matching command":
            below.append(imgui.get_cursor_pos_y() / imgui.get_frame_height_with_spacing())
        original(color, text)

    monkeypatch.setattr(imgui, "text_colored", text_colored)
    desk.press("Ctrl+P")
    desk.type("qqqq")
    assert below and below[-1] < 1.5, "directly below the field"


def test_what_people_look_for_is_found_first(desk_over):
    table = desk_over(Scene(), draws=False).table
    for query, command_id in (
        ("mirror", "gizmo.mirror_x"),
        ("flip", "gizmo.mirror_x"),
        ("ruler", "tools.measure_distance"),
    ):
        assert table.search(query)[0].id == command_id, query
