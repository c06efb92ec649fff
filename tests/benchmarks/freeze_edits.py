"""Edits of many objects, for `make bench ARGS=freeze`: each is undone and redone, and all results are checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from octoscope.scene import Scene, change_nodes, editing, save_project
from octoscope.scene.city import city
from octoscope.viewer.commands.menus.arrays import make_copies
from octoscope.viewer.tools.gizmo.settings import MOVE, ROTATE, SCALE, VERBS
from octoscope.viewer.tools.intents import Hover
from tests.benchmarks.freeze_window import TimedWindow
from tests.benchmarks.harness import Result

OBJECTS = 100_000
_ARRAY = 500
_GIZMO_STEPS = 5
_ROUNDS = 3  # of undoing and doing again, of which the median counts
_ENTRIES = 20  # that a click in the history leads over

Acts = Sequence[Callable[[], object]]


class City:
    """A window with a city, whose project's journal is written."""

    def __init__(self, folder: Path) -> None:
        self.scene = city(OBJECTS)
        save_project(self.scene, folder / "worked.octo.json", even_if_changed=True)
        self.window = TimedWindow(self.scene)
        self.app, self.editor = self.window.app, self.window.app.session.editor
        self.rows = self.app.session.outliner.rows
        self.objects = np.flatnonzero(self.scene.mesh_ids >= 0)
        self.blocks = np.flatnonzero((self.scene.mesh_ids < 0) & (self.scene.parents >= 0))
        self.app.view.framing.frame_nodes(None)
        self.window.do()

    def close(self) -> None:
        """Close window, scene and journal."""
        self.window.close()
        if self.editor.history.recorder is not None:
            self.editor.history.recorder.close(forget=True)

    def command(self, command_id: str) -> Callable[[], object]:
        """Return a function that runs a command, which must be possible."""
        table = self.app.session.table

        def run() -> None:
            assert table[command_id].enabled(), command_id
            table.run(table[command_id])

        return run

    def select(self, ids: np.ndarray) -> None:
        """Select nodes, without measuring."""
        if not np.array_equal(ids, self.editor.selected_ids):
            self.window.do(lambda: self.editor.select(ids))

    def edit(self, name: str, *acts: Callable[[], object], of: np.ndarray | None = None) -> Iterator[Result]:
        """Measure one edit, its undo and its redo, and undo it at the end.

        The nodes in `of` (None: all objects) are selected before.
        """
        window, editor, scene = self.window, self.editor, self.scene
        self.select(self.objects if of is None else of)
        before, position = _state(scene), editor.history.position
        yield window.measure(name, *acts)
        after = _state(scene)
        assert editor.history.position == position + 1 and not _equal(before, after), name
        undone, redone = [], []
        for _ in range(_ROUNDS):
            undone.append(window.measure(f"undo: {name}", editor.undo))
            assert _equal(_state(scene), before), name
            redone.append(window.measure(f"redo: {name}", editor.redo))
            assert _equal(_state(scene), after), name
        window.do(editor.undo)
        yield from (sorted(results, key=lambda each: each.ours)[_ROUNDS // 2] for results in (undone, redone))

    def gizmo_steps(self, mode: str) -> Acts:
        """Return the steps of moving the selection by the mouse."""
        gizmo = self.app.session.tools.gizmo

        def go(step: int) -> Callable[[], object]:
            def act() -> None:
                width, height = self.app.view.layout.size
                gizmo.follow(Hover(self.app.view.locate(((0.5 + 0.02 * step) * width, 0.55 * height))))

            return act

        steps = [go(step) for step in range(_GIZMO_STEPS)]
        return [go(0), lambda: gizmo.begin_modal(mode), *steps, gizmo.commit]


def selecting(folder: Path) -> Iterator[Result]:
    """Measure selecting, showing and filtering."""
    town = City(folder)
    window, editor, rows, command = town.window, town.editor, town.rows, town.command
    yield window.measure("select all", command("select.all"))
    assert len(editor.selected_ids) == OBJECTS
    yield window.measure("undo: select all", editor.undo)
    yield window.measure("redo: select all", editor.redo)
    for command_id in ("select.invert", "select.none"):
        yield window.measure(command_id.replace("select.", "select: "), command(command_id))
        assert len(editor.selected_ids) == 0
        town.select(town.objects)
    for command_id in ("parents", "children", "below", "same_mesh", "same_material"):
        town.select(town.blocks if command_id in ("children", "below") else town.objects)
        yield window.measure(f"select: {command_id.replace('_', ' ')}", command(f"select.{command_id}"))
    for verb, command_id in (("hide", "select.hide"), ("lock", "select.lock")):
        yield from town.edit(f"{verb} all", command(command_id))
    town.select(town.objects)
    window.do(command("select.hide"))
    yield window.measure("show all", command("select.show_all"))
    town.select(town.objects[: OBJECTS // 2])
    yield window.measure("isolate half", command("select.isolate"))
    yield window.measure("show the others again", command("select.isolate"))
    yield window.measure("frame all", command("view.frame_all"))
    yield window.measure("four views", command("view.four"))
    window.do(command("view.one"))

    def look_for(text: str) -> Callable[[], None]:
        def act() -> None:
            rows.query = text

        return act

    yield window.measure("look for a name: its first letter", look_for("t"))
    yield window.measure("look for a name: more letters", look_for("tr"), look_for("tre"))
    assert rows.match_count > OBJECTS // 100
    yield window.measure("look for a pattern", look_for("*ee*"))
    yield window.measure("look for nothing", look_for(""))
    for name, is_open in (("open all folders", True), ("close all folders", False)):
        yield window.measure(name, partial(rows.set_open_below, 0, is_open))
    window.do(lambda: rows.set_open_below(0, True))
    yield from town.edit("hide all, folders open", command("select.hide"))
    town.close()


def moving(folder: Path) -> Iterator[Result]:
    """Measure changes of transforms."""
    town = City(folder)
    scene, editor, window = town.scene, town.editor, town.window
    for mode, verb in ((MOVE, "move"), (ROTATE, "turn"), (SCALE, "scale")):
        town.select(town.objects)
        yield from town.edit(f"{verb} all by the mouse", *town.gizmo_steps(mode))
        assert str(editor.history.redo_label).startswith(VERBS[mode])
    places = scene.translations[town.objects] + (1.0, 2.0, 3.0)
    yield from town.edit(
        "type places for all", lambda: editor.do(change_nodes(scene, town.objects, translation=places))
    )
    yield from town.edit(
        "type places for all, in the world",
        lambda: editor.run_on_nodes(town.objects, editing.set_world, translation=places),
    )
    yield from town.edit("align all", lambda: editor.run_on_nodes(town.objects, editing.align, x="min"))
    for command_id, name in (
        ("object.distribute_x", "distribute all"),
        ("object.drop", "drop all to the ground"),
        ("object.drop_onto", "drop all onto what is below"),
    ):
        window.do(lambda: editor.do(change_nodes(scene, town.objects, translation=places)))
        yield from town.edit(name, town.command(command_id))
        window.do(editor.undo)
    window.do(lambda: editor.do(change_nodes(scene, town.blocks, scale=(1.0, 1.5, 1.0))))
    for mode, verb in ((ROTATE, "turn"), (SCALE, "scale")):
        yield from town.edit(f"{verb} all below uneven parents", *town.gizmo_steps(mode))
    town.close()


def hanging(folder: Path) -> Iterator[Result]:
    """Measure changes of the tree."""
    town = City(folder)
    command, scene, editor = town.command, town.scene, town.editor
    yield from town.edit("delete all", command("edit.delete"))
    yield from town.edit("group all", command("object.group"))
    yield from town.edit("ungroup all", command("object.ungroup"), of=town.blocks)
    yield from town.edit("parent all to the last", command("object.parent"))
    yield from town.edit("unparent all", command("object.unparent"))
    yield from town.edit("move all to the root", command("object.to_root"))
    turned = np.tile((0.0, np.sin(0.3), 0.0, np.cos(0.3)), (len(town.blocks), 1))
    town.window.do(lambda: editor.do(change_nodes(scene, town.blocks, rotation=turned)))
    yield from town.edit("group all, of turned parents", command("object.group"))
    yield from town.edit("ungroup all, of turned parents", command("object.ungroup"), of=town.blocks)
    yield from town.edit("move all to the root, of turned parents", command("object.to_root"))
    names = np.strings.add(scene.names[town.objects], " of the city")
    yield from town.edit("rename all", lambda: editor.do(change_nodes(scene, town.objects, name=names)))
    town.close()


def shaping(folder: Path) -> Iterator[Result]:
    """Measure changes of meshes and materials."""
    town = City(folder)
    command, scene, editor = town.command, town.scene, town.editor
    yield from town.edit("let all show one mesh", command("object.share_mesh"))
    yield from town.edit("centre all origins", command("object.center_pivot"))
    yield from town.edit("apply rotation and scale of all", command("object.apply_transform"))
    yield from town.edit("merge all", command("object.merge"))
    materials = (scene.material_overrides[town.objects] + 2) % len(scene.materials)
    yield from town.edit(
        "other materials for all", lambda: editor.do(change_nodes(scene, town.objects, material=materials))
    )
    town.close()


def multiplying(folder: Path) -> Iterator[Result]:
    """Measure copies of many objects."""
    town = City(folder)
    yield from town.edit("duplicate all", town.command("edit.duplicate"))
    yield from town.edit("duplicate all with meshes", town.command("edit.duplicate_meshes"))
    town.close()
    town = City(folder)
    editor = town.editor
    steps, some = (4.0 * OBJECTS, 0.0, 0.0), town.objects[: OBJECTS // 100]
    yield from town.edit(
        f"array of {_ARRAY * len(some):,}",
        lambda: make_copies(editor, _ARRAY - 1, editing.array, some, _ARRAY, steps),
        of=some,
    )
    town.close()


def going_back(folder: Path) -> Iterator[Result]:
    """Measure going through many entries of the history at once."""
    town = City(folder)
    editor, scene = town.editor, town.scene
    before = _state(scene)
    for step in range(_ENTRIES):
        places = scene.translations[town.objects] + (0.0, step + 1.0, 0.0)
        town.window.do(partial(editor.do, change_nodes(scene, town.objects, translation=places)))
    after, last = _state(scene), editor.history.position
    yield town.window.measure(f"click in the history: back over {_ENTRIES} moves of all", lambda: editor.go_to(0))
    assert _equal(_state(scene), before)
    yield town.window.measure(f"click in the history: on over {_ENTRIES} moves of all", lambda: editor.go_to(last))
    assert _equal(_state(scene), after)
    town.close()


def _state(scene: Scene) -> tuple[np.ndarray, ...]:
    """Return everything that an edit can change of the nodes that are alive."""
    ids = scene.ids
    columns = (
        scene.names,
        scene.parents,
        scene.translations,
        scene.rotations,
        scene.scales,
        scene.mesh_ids,
        scene.material_overrides,
        scene.hidden,
        scene.unselectable,
    )
    return (ids, *(column[ids] for column in columns))


def _equal(state: tuple[np.ndarray, ...], other: tuple[np.ndarray, ...]) -> bool:
    return all(np.array_equal(column, others) for column, others in zip(state, other, strict=True))
