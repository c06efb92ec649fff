"""The table of commands: keys, menus and what the palette finds; and that of a whole window."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import octoscope.viewer.commands
import octoscope.viewer.ui
from octoscope.viewer.commands.menus import file
from octoscope.viewer.commands.menus.all_commands import commands_of_menus
from octoscope.viewer.commands.table import MENUS, Command, CommandTable, Declarations
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.log import Log
from octoscope.viewer.frame.view import View
from octoscope.viewer.settings.recent_files import add_recent
from octoscope.viewer.ui.dialogs.palette import NOT_THERE, not_there
from octoscope.viewer.window.keys import PRESETS, Chord
from tests.viewer.contexts import context_of
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.needs import needs_all
from tests.viewer.scenes import box_scene


def command(command_id: str, label: str, menu: str = "View", **more: object) -> Command:
    return Command(command_id, label, lambda: None, menu, **more)


@pytest.fixture(scope="module")
def commands(shared_ctx, tmp_path_factory) -> Iterator[tuple[Command, ...]]:
    """Those of a window, without the window, with files that were opened before."""
    folder = tmp_path_factory.mktemp("recent")
    for name in ("a.obj", "b.octo.json"):
        (folder / name).write_text("")
        add_recent(folder, folder / name)
    with shared_ctx:
        app = HeadlessApp(shared_ctx, box_scene(), folder=folder)
    yield app.table.commands
    with shared_ctx:
        app.close()


@pytest.mark.parametrize("preset", PRESETS)
def test_no_key_of_a_window_is_there_twice_in_one_preset(commands, preset):
    CommandTable(commands, preset=preset)  # raises where one is


def test_every_command_of_a_window_is_reached_from_a_menu(commands):
    table = CommandTable(commands)
    reached, waiting = [], list(MENUS)
    while waiting:
        for item in table.in_menu(waiting.pop()):
            (reached if isinstance(item, Command) else waiting).append(item)
    assert sorted(found.id for found in reached) == sorted(found.id for found in commands)


@pytest.mark.parametrize("menu", MENUS)
def test_a_menu_is_read_at_a_glance(commands, menu):
    assert len(CommandTable(commands).in_menu(menu)) <= 18


def test_every_command_of_a_window_is_found_by_its_label(commands):
    table = CommandTable(commands)
    for wanted in commands:
        assert wanted in table.search(wanted.label)[:2], wanted.label


def test_every_command_of_a_window_says_whether_it_can_be_done_and_is_on(commands):
    for found in commands:
        assert found.enabled() in (True, False)
        assert found.checked is None or found.checked() in (True, False)
        assert found.id.count(".") == 1 and found.label == found.label.strip() != ""


def test_commands_are_functions_of_the_context_that_they_are_bound_to():
    declared = Declarations("View")

    @declared("a.one", "One", "first", keys=("F",), enabled=lambda lines: len(lines) < 2, checked=lambda lines: lines)
    def one(lines: list[str]) -> None:
        lines.append("one")

    @declared.several
    def others(lines: list[str]) -> Iterator[Command]:
        yield Command("a.two", "Two", lambda: lines.append("two"), "View/More")

    ours, theirs = [], []
    table, other = CommandTable(declared.bound_to(ours)), CommandTable(declared.bound_to(theirs))
    for command_id in ("a.one", "a.two", "a.one"):
        table.run(table[command_id])
    assert ours == ["one", "two"] and table["a.one"].checked() and not table["a.one"].enabled()
    assert theirs == [] and not other["a.one"].checked() and other["a.one"].enabled()
    assert table.in_menu("View") == (table["a.one"], "View/More") and table["a.one"].description == "first"


def test_no_file_of_commands_is_left_out(commands):
    found = {command.id for command in commands}
    for module in pkgutil.iter_modules(octoscope.viewer.commands.__path__, "octoscope.viewer.commands."):
        for declared in vars(importlib.import_module(module.name)).values():
            if isinstance(declared, Declarations):
                context = context_of(Editor(View(box_scene()), Log()), recent=[Path("a.obj")])
                assert {command.id for command in declared.bound_to(context)} <= found, module.name


def test_a_key_runs_what_it_belongs_to_where_that_can_be_done():
    ran = []
    table = CommandTable(
        (
            Command("a.one", "One", lambda: ran.append(1), "View", keys=("F",)),
            Command("a.two", "Two", lambda: ran.append(2), "View", keys=("Ctrl+F",), enabled=lambda: False),
        )
    )
    told = []
    table.after_run = lambda command: told.append(command.id)
    for text in ("F", "Ctrl+F", "Shift+F", "G"):
        table.press(Chord.parse(text))
    assert ran == [1] and told == ["a.one"]


def test_the_blender_preset_differs_where_a_command_says_so():
    move = command("tool.move", "Move", keys=("W",), blender_keys=("G",))
    frame = command("view.frame", "Frame", keys=("F",))
    shown = {preset: CommandTable((move, frame), preset=preset) for preset in PRESETS}
    assert [shown["octoscope"].shown_keys(c) for c in (move, frame)] == ["W", "F"]
    assert [shown["blender"].shown_keys(c) for c in (move, frame)] == ["G", "F"]


def test_menus_in_a_menu_stand_where_their_first_command_does():
    one, two, three, four = (
        command("a.one", "One"),
        command("a.two", "Two", "View/Look from"),
        command("a.three", "Three"),
        command("a.four", "Four", "View/Look from/Below"),
    )
    table = CommandTable((one, two, three, four, command("a.five", "Five", "Viewport")))
    assert table.in_menu("View") == (one, "View/Look from", three)
    assert table.in_menu("View/Look from") == (two, "View/Look from/Below")
    assert table.in_menu("View/Look from/Below") == (four,)


def test_commands_behind_the_same_one_stand_in_their_own_order():
    places = {"a": "", "b": "", "c": "a", "d": "a", "e": "c", "f": "gone"}
    table = CommandTable([Command(name, name, lambda _: None, "View", after=after) for name, after in places.items()])
    assert [each.id for each in table.commands] == ["a", "c", "e", "d", "b", "f"]


def test_two_commands_of_one_id_are_a_fault_of_ours():
    with pytest.raises(ValueError):
        CommandTable((command("a.one", "One"), command("a.one", "Two")))


@pytest.mark.parametrize(
    ("query", "first"),
    (
        ("frame all", "Frame all"),
        ("fa", "Frame all"),
        ("grid", "Ground grid"),
        ("oct nod", "Octree nodes"),
        ("FRAME SEL", "Frame selection"),
        ("look top", "Top"),
    ),
)
def test_a_few_letters_in_their_order_find_a_command(query, first):
    table = CommandTable(
        (
            command("a", "Frame selection"),
            command("b", "Frame all"),
            command("c", "Ground grid"),
            command("d", "Octree nodes", "Octree"),
            command("e", "Top", "View/Look from"),
            command("f", "Freeze culling", "Octree"),
        )
    )
    assert table.search(query)[0].label == first


def test_letters_that_are_not_there_find_nothing_and_none_find_all():
    table = CommandTable((command("a", "Frame all"), command("b", "Ground grid")))
    assert table.search("xq") == []
    assert [found.id for found in table.search("  ")] == ["a", "b"]


def test_undo_and_redo_say_what_they_take_back(commands):
    table = CommandTable(commands)
    undo, redo = table["edit.undo"], table["edit.redo"]
    assert (undo.label_now, redo.label_now) == ("Undo", "Redo")
    table.run(table["add.cube"])
    assert (undo.label_now, redo.label_now) == ("Undo Add cube", "Redo")
    table.run(undo)
    assert (undo.label_now, redo.label_now) == ("Undo", "Redo Add cube")
    assert table.search("undo")[0] is undo


WORDS = {  # what people type who come from elsewhere, or know a part of the name: the command that they mean
    "arr": "object.array",
    "table": "panel.objects",
    "find overl": "select.overlapping",
    "grid": "view.grid",
    "radial": "object.radial_array",
    "quit": "file.close",
    "exit": "file.close",
    "mirror": "gizmo.mirror_x",
    "settings": "edit.settings",
    "preferences": "edit.settings",
    "pref": "edit.settings",
    "background": "view.theme_dark",
    "light mode": "view.theme_light",
    "theme": "view.theme_dark",
    "fullscreen": "view.fullscreen",
    "full screen": "view.fullscreen",
    "wireframe": "view.see_wireframe",
    "wire": "view.see_wireframe",
    "normals": "view.see_normals",
    "depth": "view.see_depth",
    "matcap": "view.see_matcap",
    "line width": "view.lines_up",
    "point size": "view.points_up",
    "jade": "view.matcap_jade",
    "x-ray": "view.see_xray",
    "xray": "view.see_xray",
    "backface": "view.backface_culling",
    "face orientation": "view.see_facing",
    "ids": "view.see_objects",
    "uv": "view.see_uv",
    "solid": "view.see_shaded",
    "shade smooth": "object.smooth",
    "shadow": "light.shadows",
    "ambient occlusion": "light.occlusion",
    "perspective": "view.orthographic",
    "fov": "view.orthographic",
    "isometric": "view.iso",
    "three": "view.iso",
    "clone": "edit.duplicate",
    "remove": "edit.delete",
    "deselect": "select.none",
    "solo": "select.isolate",
    "unhide": "select.show_all",
    "join": "object.merge",
    "split": "object.separate",
    "translate": "gizmo.move",
    "save": "file.save",
    "render": "file.screenshot",
    "shortcuts": "help.keys",
    "fps": "view.figures",
    "frsel": "view.frame",
    "all frame": "view.frame_all",
    "plicate": "edit.duplicate",
    "overlap": "select.overlapping",
    "overlaps": "select.overlapping",
    "ruler": "view.rulers",
    "rulers": "view.rulers",
    "array": "object.array",
    "camera": "panel.camera",
    "octree": "panel.octree",
    "material": "panel.materials",
    "history": "panel.history",
    "console": "panel.console",
    "label": "tools.add_label",
    "align": "object.align",
    "group": "object.group",
    "hide": "select.hide",
    "merge": "object.merge",
    "cut": "edit.cut",
    "csv": "file.export_table",
    "select": "select.all",
    "shadows": "light.shadows",
}


@needs_all
@pytest.mark.parametrize("word", WORDS)
def test_a_word_finds_the_command_that_is_meant_by_it_whether_it_can_be_done_now_or_not(commands, word):
    assert CommandTable(commands).search(word)[0].id == WORDS[word]


@needs_all
def test_what_can_run_stands_above_what_cannot(open_app):
    app = open_app(box_scene())
    app.editor.select([1])
    for word, several in {"array": 4, "overlap": 5, "parent": 4, "csv": 2}.items():
        can_run = [found.enabled() for found in app.table.search(word)]
        assert can_run == sorted(can_run, reverse=True) and len(can_run) == several, word


@pytest.mark.parametrize("word", ("subdivide", "weights"))
def test_a_word_for_what_there_is_not_finds_nothing(commands, word):
    assert [found.label for found in CommandTable(commands).search(word)] == []


def test_synonyms_are_written_as_they_are_looked_for(commands):
    for found in commands:
        assert all(synonym == " ".join(synonym.lower().split()) != "" for synonym in found.synonyms), found.id


# Words in labels that are names, and so have large letters wherever they stand.
NAMES = {"X", "Y", "Z", "GLB", "OBJ", "PLY", "STL", "Octoscope"}


def test_every_label_of_a_window_is_in_sentence_case(commands):
    for found in commands:
        if not found.id.startswith("file.recent"):
            for label in (found.label, *found.menu.split("/")):
                first, *others = label.split()
                assert first[0].isupper() or not first[0].isalpha(), label
                assert all(word in NAMES or word == word.lower() for word in others), label
            assert not found.description[:1].isupper() or found.description.split()[0] in NAMES, found.description


def test_every_label_that_panels_draw_begins_with_a_large_letter():
    viewer = Path(octoscope.viewer.ui.__file__).parents[1]
    drawing = {"button", "small_button", "checkbox", "radio_button", "menu_item", "begin_menu", "collapsing_header"}
    labels = list[str]()
    for path in (*(viewer / "ui").rglob("*.py"), *(viewer / "features").rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and call.args and getattr(call.func, "attr", "") in drawing:
                text = call.args[0]
                if isinstance(text, ast.Call) and text.args:  # item(text, id)
                    text = text.args[0]
                texts = [text.body, text.orelse] if isinstance(text, ast.IfExp) else [text]
                labels += [
                    each.value for each in texts if isinstance(each, ast.Constant) and isinstance(each.value, str)
                ]
    labels = [label for label in labels if label and not label.startswith("#")]
    assert len(labels) > 5 and [label for label in labels if label[0].islower()] == []


@needs_all
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("light", "light.turn"),
        ("measure", "tools.measure_distance"),
        ("hdri", "view.environment_open"),
        ("scale", "gizmo.scale_by_keys"),
        ("recent", "file.recent_1"),
        ("about", "help.about"),
        ("version", "help.about"),
        ("manual", "help.documentation"),
        ("snap vertex", "gizmo.target_vertices"),
        ("point cloud", "view.points_up"),
    ],
)
def test_what_people_look_for_is_found(commands, query, found):
    assert found in [command.id for command in CommandTable(commands).search(query)[:3]]


def test_what_there_is_not_is_said(commands):
    table = CommandTable(commands)
    for query in ("subdivide", "bevel", "boolean"):
        line = not_there(query)
        assert line, query
    assert [not_there(query) for query in ("", "un", "frame", "group", "recent", "move")] == [""] * 6
    labels = [command.label for command in table.commands]
    for names, line in NOT_THERE.items():
        assert all(name == name.lower() for name in names)
        for name in re.findall(r"[A-Z][a-z]+ (?:small|by|rotation)[a-z ]*?(?= draws| makes| changes)", line):
            assert name in labels, "what stands in its place is there"


def test_files_of_this_session_are_listed_as_recent_with_folders_where_names_are_alike(open_app, tmp_path):
    app, paths = open_app(box_scene(), folder=tmp_path), [tmp_path / folder / "a.obj" for folder in ("one", "two")]
    before = app.table.commands
    for path in paths:
        path.parent.mkdir()
        path.touch()
        app.document._note_recent(path)
    labels = [command.label for command in app.table.in_menu(file.RECENT_MENU)]
    assert labels == [f"a.obj in {path.parent}" for path in reversed(paths)]
    assert [each.id for each in app.table.commands if each.menu != file.RECENT_MENU] == [
        each.id for each in before if each.id != file.NO_RECENT
    ]
    paths[0].unlink()
    app.document._note_recent(paths[1])
    assert [command.label for command in app.table.in_menu(file.RECENT_MENU)] == ["a.obj"]


def test_a_menu_of_recent_files_says_that_there_are_none():
    table = CommandTable(commands_of_menus(context_of(Editor(View(box_scene()), Log()))))
    (none,) = table.in_menu("File/Open recent")
    assert none in table.search("recent") and not none.enabled() and none.refusal
    for replaced in ((), (none,)):  # an empty menu can be filled again
        table.replace_menu("File/Open recent", replaced)
        assert table.in_menu("File/Open recent") == replaced
