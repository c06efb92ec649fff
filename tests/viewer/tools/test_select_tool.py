"""Selection by clicks, boxes and commands, without a window."""

from __future__ import annotations

import math

import numpy as np
import pytest

from octoscope.scene import Scene
from octoscope.scene.editing import duplicate
from octoscope.viewer.commands.menus import select
from octoscope.viewer.commands.table import CommandTable
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.log import Log
from octoscope.viewer.editing.selection import active_of, added, removed, toggled
from octoscope.viewer.frame.frame import ViewportFrame
from octoscope.viewer.frame.redraw import Damage
from octoscope.viewer.frame.view import View
from octoscope.viewer.frame.viewports import PointerLocation
from octoscope.viewer.rendering.renderer import Renderer
from octoscope.viewer.tools import select_tool as hover_module
from octoscope.viewer.tools.intents import Click, DoubleClick, Drag
from octoscope.viewer.tools.select_tool import HoverPicker, SelectTool
from octoscope.viewer.window.keys import Chord
from tests.viewer.contexts import context_of
from tests.viewer.scenes import add_box_mesh, box_scene, picture, place_at, view_of

WINDOW = (320, 200)


def three_boxes() -> tuple[View, SelectTool, dict[str, PointerLocation]]:
    """The boxes red, green and blue from the front, drawn once, and where their middles are."""
    view = view_of(box_scene(), yaw_rad=0.0, pitch_rad=0.0)
    view.build_frames(WINDOW)
    clip = view.camera.clip_from_world(WINDOW[0] / WINDOW[1])
    points = {}
    for place, name in ((-2.0, "red"), (0.0, "green"), (2.0, "blue")):
        x, y, _, w = clip @ (place, 0.0, 0.0, 1.0)
        points[name] = place_at(view, ((1.0 + x / w) / 2.0, (1.0 - y / w) / 2.0))
    points["nothing"] = place_at(view, (0.5, 0.05))
    return view, tool_of(view), points


def names(view: View) -> set[str]:
    return set(view.scene.names[view.selected_ids].tolist())


def active(view: View) -> str | None:
    node_id = active_of(view.selected_ids)
    return None if node_id is None else str(view.scene.names[node_id])


def tool_of(view: View) -> SelectTool:
    return SelectTool(Editor(view, Log()))


def test_clicks_select_add_and_toggle_and_one_on_nothing_clears():
    view, tool, at = three_boxes()
    for click, expected, last in (
        (Click(at["red"]), {"red"}, "red"),
        (Click(at["green"]), {"green"}, "green"),
        (Click(at["blue"], shift=True), {"green", "blue"}, "blue"),
        (Click(at["green"], shift=True), {"green", "blue"}, "green"),
        (Click(at["red"], ctrl=True), {"red", "green", "blue"}, "red"),
        (Click(at["blue"], ctrl=True), {"red", "green"}, "red"),
        (Click(at["red"], ctrl=True), {"green"}, "green"),
        (Click(at["nothing"], shift=True), {"green"}, "green"),
        (Click(at["nothing"], ctrl=True), {"green"}, "green"),
        (Click(at["nothing"]), set(), None),
    ):
        tool.click(click)
        assert names(view) == expected
        assert active(view) == last


def row_of_boxes() -> tuple[View, SelectTool]:
    """a, b and c behind each other, seen from the front."""
    scene = Scene()
    scene.add_nodes(list("abc"), mesh=add_box_mesh(scene), translation=[(0.0, 0.0, -2.0 * k) for k in range(3)])
    scene.update_world()
    view = view_of(scene, yaw_rad=0.0, pitch_rad=0.0, distance=20.0)
    view.build_frames(WINDOW)
    return view, tool_of(view)


def test_alt_clicks_go_through_what_lies_behind_and_begin_anew():
    view, tool = row_of_boxes()
    chosen = []
    for x in (0.5, 0.503, 0.497, 0.5):  # an unsteady hand
        tool.click(Click(place_at(view, (x, 0.5)), alt=True))
        assert tool.stack.node_ids == (0, 1, 2)
        assert view.selected_ids.tolist() == [tool.stack.node_ids[tool.stack.chosen]]
        chosen.append(tool.stack.chosen)
    assert chosen == [0, 1, 2, 0]
    tool.choose_stacked(2)
    assert names(view) == {"c"} and tool.stack is None
    tool.click(Click(place_at(view, (0.5, 0.5))))
    assert names(view) == {"a"}
    tool.click(Click(place_at(view, (0.5, 0.5)), alt=True))
    assert names(view) == {"b"}, "a was selected already"
    tool.click(Click(place_at(view, (0.01, 0.01)), alt=True))
    assert names(view) == {"b"} and tool.stack is None


def test_a_double_click_frames_what_it_hits_and_turns_about_that_point():
    view, tool, at = three_boxes()
    beside = view.locate(tuple(np.add(at["blue"].pixel, (3.2, 0.0))))
    hit = beside.pick()
    tool.double_click(DoubleClick(beside))
    assert names(view) == {"blue"}
    np.testing.assert_array_equal(view.camera.pivot, hit.point)
    view.build_frames(WINDOW)
    assert view.snapshot.pick_box((0.0, 0.0), (1.0, 1.0), wholly=True).tolist() == [2], "it just fits"
    before = view.camera
    tool.double_click(DoubleClick(place_at(view, (0.001, 0.001))))
    assert view.camera is before and names(view) == set(), "it is a click on nothing"


def test_a_click_selects_a_whole_file_where_clicks_take_files_and_a_double_click_goes_deeper():
    view, tool, at = three_boxes()
    scene = view.scene
    kit, alone = scene.add_nodes(["kit.obj", "alone.obj"], file_root=True)
    first, second, third = scene.objects.ids
    scene.set_parents([first, second, third], [kit, kit, alone])
    view.update()
    for location in at.values():
        tool.click(Click(location))
    tool.takes_files = True
    wholes = {int(node): int(kit) for node in (first, second)} | {int(third): int(third)}
    for location in at.values():
        hit = location.hit()
        if hit is None:
            continue
        tool.click(Click(location))
        assert view.selection.ids.tolist() == [wholes[hit.node.id]]
        tool.take_under(location)
        assert view.selection.ids.tolist() == [wholes[hit.node.id]], "a right click leaves it selected"
        tool.hover.move(location)
        tool.hover.update()
        assert view.hovered == wholes[hit.node.id]
        tool.double_click(DoubleClick(location))
        assert view.selection.ids.tolist() == [hit.node.id]


def drag(tool: SelectTool, begin: PointerLocation, end: PointerLocation, **held: bool) -> None:
    middle = tool._view.locate(tuple(np.mean((begin.pixel, end.pixel), axis=0)))
    assert tool.drag(Drag(1.0, 1.0, begin, middle, is_first=True, **held))
    assert tool.box.begin == begin
    assert tool.drag(Drag(1.0, 1.0, begin, end, **held))
    assert tool.drag(Drag(0.0, 0.0, begin, end, is_last=True, **held))
    assert tool.box is None and not tool.draws_boxes


def test_a_drag_draws_a_box_only_after_b_and_the_direction_decides():
    view, tool, at = three_boxes()
    assert not tool.drag(Drag(5.0, 0.0, at["nothing"], at["red"], is_first=True))
    right_of_red = view.locate((at["red"].pixel[0], 0.99 * WINDOW[1]))
    upper_left, lower_right = place_at(view, (0.0, 0.01)), place_at(view, (0.99, 0.99))
    beside_nothing = place_at(view, (0.51, 0.06))
    for begin, end, held, expected in (
        (right_of_red, upper_left, {}, {"red"}),
        (upper_left, right_of_red, {}, set()),  # half of it sticks out
        (upper_left, lower_right, {}, {"red", "green", "blue"}),
        (right_of_red, upper_left, {"ctrl": True}, {"green", "blue"}),
        (right_of_red, upper_left, {"shift": True}, {"red", "green", "blue"}),
        (at["nothing"], beside_nothing, {"shift": True}, {"red", "green", "blue"}),
        (at["nothing"], beside_nothing, {}, set()),
    ):
        tool.toggle_boxes()
        drag(tool, begin, end, **held)
        assert names(view) == expected, (begin, end, held)
    tool.right_touches = True
    for begin, end, expected in ((upper_left, right_of_red, {"red"}), (right_of_red, upper_left, set())):
        tool.toggle_boxes()
        drag(tool, begin, end)
        assert names(view) == expected


def test_what_a_box_selects_is_said_while_boxes_are_drawn():
    _, tool, _ = three_boxes()
    assert tool.text == ""
    tool.toggle_boxes()
    assert "to the right what lies in it, to the left what touches it" in tool.text
    tool.right_touches = True
    assert "to the right what touches it, to the left what lies in it" in tool.text


def test_a_box_that_is_cancelled_selects_nothing_and_turns_no_camera():
    view, tool, at = three_boxes()
    tool.toggle_boxes()
    assert tool.drag(Drag(9.0, 9.0, place_at(view, (0.0, 0.0)), at["green"], is_first=True))
    assert tool.cancel()
    assert tool.drag(Drag(9.0, 9.0, place_at(view, (0.0, 0.0)), at["blue"]))
    assert tool.drag(Drag(0.0, 0.0, place_at(view, (0.0, 0.0)), at["blue"], is_last=True))
    assert tool.box is None and names(view) == set()
    assert not tool.cancel()


# Commands.


class Commands:
    """The table of what selecting can do, worked by keys."""

    def __init__(self, tool: SelectTool) -> None:
        self.editor = tool._editor
        self.view = self.editor.view
        context = context_of(self.editor)
        context.tools.select = tool
        self.table = CommandTable(select.command.bound_to(context))

    def press(self, shown: str) -> set[str]:
        self.table.press(Chord.parse(shown))
        self.view.build_frames(WINDOW)
        return names(self.view)

    def drawn(self) -> set[str]:
        self.view.build_frames(WINDOW)
        return set(self.view.scene.names[self.view.snapshot.visible_ids].tolist())


def test_all_none_invert_hide_show_and_isolate():
    view, tool, at = three_boxes()
    commands = Commands(tool)
    assert commands.press("A") == {"red", "green", "blue"}
    assert commands.press("Alt+A") == set()
    tool.click(Click(at["green"]))
    assert commands.press("Ctrl+I") == {"red", "blue"}
    assert commands.press("H") == set()
    assert commands.drawn() == {"green"}
    assert at["red"].pick() is None
    assert commands.press("A") == {"green"}, "what is hidden is not among all"
    assert commands.press("Alt+H") == {"red", "blue"}
    commands.editor.undo()
    assert commands.drawn() == {"green"} and names(view) == {"green"}
    commands.editor.redo()
    assert commands.drawn() == {"red", "green", "blue"} and names(view) == {"red", "blue"}
    assert [entry.label for entry in commands.editor.history.entries if entry.edit.changes] == [
        "Hide 2 objects",
        "Show 2 objects",
    ]
    commands.press("/")
    assert commands.drawn() == {"red", "blue"}
    assert at["green"].pick() is None
    assert commands.press("A") == {"red", "blue"}
    commands.press("/")
    assert commands.drawn() == {"red", "green", "blue"}
    assert commands.editor.history.undo_label == "Show 2 objects", "isolation is no edit"


def test_what_is_made_while_others_are_left_out_is_shown_and_showing_all_brings_the_others_back():
    view, tool, at = three_boxes()
    commands = Commands(tool)
    tool.click(Click(at["green"]))
    assert commands.press("/") == {"green"} and commands.drawn() == {"green"}
    shown = view.visibility.shown_rows()
    assert not shown[view.scene["red"].id] and shown[view.scene["green"].id]
    commands.editor.run(duplicate, view.selected_ids)
    (copy,) = view.selected_ids
    commands.editor.rename(copy, "copy")
    assert commands.drawn() == {"green", "copy"}
    commands.press("H")
    assert commands.drawn() == {"green"}
    assert commands.press("Alt+H") == {"copy"}
    assert commands.drawn() == {"red", "green", "blue", "copy"}
    label = commands.editor.history.undo_label
    commands.press("Shift+H")
    assert commands.drawn() == {"copy"}
    commands.press("Alt+H")
    assert commands.drawn() == {"red", "green", "blue", "copy"}
    assert commands.editor.history.undo_label == label, "nothing was hidden: no edit"


def test_family_and_likeness():
    scene = Scene()
    mesh, other = add_box_mesh(scene), add_box_mesh(scene)
    group = scene.add_node("group").id
    scene.add_nodes(["a", "b"], mesh=[mesh, other], parent=group, translation=[(-2, 0, 0), (2, 0, 0)])
    scene.add_nodes(["c", "d"], mesh=mesh, hidden=[False, True])
    scene.update_world()
    view = view_of(scene)
    commands = Commands(tool_of(view))
    commands.editor.select([1])
    assert commands.press("[") == {"group"}
    outlined = view.build_frames(WINDOW)[0].frame.outlined
    assert outlined.active.count == 2, "a group is outlined by what is in it, here as the active one"
    assert commands.press("[") == {"group"}, "nothing above"
    commands.press("/")
    assert commands.drawn() == {"a", "b"}
    commands.press("/")
    assert commands.press("]") == {"a", "b"}
    assert commands.press("]") == {"a", "b"}, "nothing below"
    commands.editor.select([1])
    assert commands.press("L") == {"a", "c"}
    assert commands.press("Shift+L") == {"a", "b", "c"}, "all wear the default"
    commands.editor.select([group])
    assert commands.press("Shift+]") == {"group", "a", "b"}
    commands.editor.select([group])
    assert commands.press("H") == set()
    assert commands.drawn() == {"c"}


def test_what_is_locked_is_clicked_through_until_it_is_unlocked():
    view, tool, at = three_boxes()
    commands = Commands(tool)
    tool.click(Click(at["red"]))
    commands.table.run(commands.table["select.lock"])
    view.build_frames(WINDOW)
    tool.click(Click(at["red"]))
    assert names(view) == set() and commands.drawn() == {"red", "green", "blue"}
    assert commands.press("A") == {"green", "blue"}
    commands.table.run(commands.table["select.unlock_all"])
    assert names(view) == {"red"}
    view.build_frames(WINDOW)
    tool.click(Click(at["blue"]))
    tool.click(Click(at["red"], shift=True))
    assert names(view) == {"red", "blue"}


# The selection itself.


@pytest.mark.parametrize("seed", range(3))
def test_a_selection_is_a_set_in_the_order_of_choosing(seed):
    rng = np.random.default_rng(seed)
    ids, expected = np.empty(0, dtype=np.int32), []
    for _ in range(200):
        others = rng.integers(0, 12, rng.integers(0, 5))
        given = list(dict.fromkeys(others.tolist()))
        rest = [node for node in expected if node not in given]
        match rng.integers(3):
            case 0:
                ids, expected = added(ids, others), rest + given
            case 1:
                ids, expected = removed(ids, others), rest
            case 2:
                ids, expected = toggled(ids, others), rest + [node for node in given if node not in expected]
        assert ids.dtype == np.int32 and ids.tolist() == expected
        assert active_of(ids) == (expected[-1] if expected else None)


# Hovering.


def test_hover_finds_what_a_click_would_select_once_for_each_move(monkeypatch):
    monkeypatch.setattr(hover_module, "_BUDGET_SECONDS", math.inf)
    view, _, at = three_boxes()
    hover = HoverPicker(view)
    hover.update()
    assert view.hovered is None
    hover.move(at["red"])
    hover.update()
    assert view.hovered == 0 and not hover.is_due
    hover.move(view.locate(tuple(np.add(at["red"].pixel, (3.2, 0.0)))))
    view.redraw.note_picture()
    hover.update()
    assert view.hovered == 0 and view.redraw.damage < Damage.OVERLAY, "the same node"
    hover.move(at["blue"])
    hover.update()
    assert view.hovered == 2
    view.scene.set_hidden([2], True)
    view.build_frames(WINDOW)
    hover.refresh()
    hover.update()
    assert view.hovered is None
    hover.move(at["green"])
    hover.update()
    assert view.hovered == 1
    hover.move(None)
    hover.update()
    assert view.hovered is None
    hover.move(at["green"])
    hover.enabled = False
    hover.update()
    assert view.hovered is None


def test_after_a_pick_that_was_too_slow_hovering_rests(monkeypatch):
    view, _, at = three_boxes()
    hover = HoverPicker(view)
    monkeypatch.setattr(hover_module, "_BUDGET_SECONDS", -1.0)
    monkeypatch.setattr(hover_module, "_REST", 1e9)
    hover.move(at["red"])
    hover.update()
    assert view.hovered == 0
    hover.move(at["blue"])
    hover.update()
    assert view.hovered == 0
    hover.move(None)
    hover.update()
    assert view.hovered is None, "that takes no pick"


def test_what_is_hovered_over_is_outlined_thinly_and_outlines_alone_can_be_drawn_anew(renderer: Renderer):
    view = view_of(box_scene(), yaw_rad=0.0, pitch_rad=0.0)
    view.settings.show_grid = False
    plain = picture(renderer, view).astype(int)
    frame = view.build_frames((192, 120))[0].frame

    def outlined() -> np.ndarray:
        whole = picture(renderer, view).astype(int)
        renderer.render(frame)
        renderer.render_outlines(view.with_outlines([ViewportFrame(frame, (0, 0))]))
        anew = np.frombuffer(renderer.picture.read(components=3, alignment=1), np.uint8).reshape(120, 192, 3)[::-1]
        np.testing.assert_array_equal(anew, whole)
        return abs(whole - plain).max(axis=2) > 30

    view.hovered = 1
    hovered = outlined()
    view.selection.ids = np.array([1], dtype=np.int32)
    both = outlined()
    view.hovered = None
    selected = outlined()
    np.testing.assert_array_equal(both, selected)
    assert 50 < hovered.sum() < selected.sum()
    view.scene.set_hidden([1], True)
    view.build_frames((192, 120))
    assert view.build_frames((192, 120))[0].frame.outlined.selected.count == 0
