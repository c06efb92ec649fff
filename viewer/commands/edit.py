"""The commands that change the scene, each an operation of scene.editing on what is selected."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from scene import editing
from scene.nodes.hierarchy import with_all_below
from viewer.commands.arrays import array_commands, make_copies
from viewer.commands.forms import Form
from viewer.commands.mesh import mesh_commands
from viewer.commands.table import Command
from viewer.document.file_names import PathRequest
from viewer.editing.editor import Editor
from viewer.editing.log import brief
from viewer.editing.selection_facts import AN_OBJECT, Selected, SelectedFacts
from viewer.tools.gizmo.settings import MOVE
from viewer.tools.gizmo.tool import GizmoTool

_SIDES = (("min", "lower ends"), ("centre", "middles"), ("max", "upper ends"))
_MANY, _LARGE_MESH = 1_000, 100_000  # objects, triangles: to let as many fall takes longer than a person waits
_TWO, _THREE = "select two or more objects", "select three or more objects"


def edit_commands(
    editor: Editor,
    gizmo: GizmoTool,
    ask: Callable[[Form], object],
    ask_path: Callable[[PathRequest], object],
    shown_keys: Callable[[str], str],
) -> tuple[Command, ...]:
    """Undo, redo, and what can be done to objects.

    Args:
        gizmo: whose pivot and cursor count. ask, ask_path: let a person fill in a form, or name a file.
        shown_keys: the keys of a command, by its id.
    """
    history, view, scene = editor.history, editor.view, editor.scene
    selected = Selected(editor)

    def to_selection(operation: Callable[..., object], **options: object) -> Callable[[], object]:
        return lambda: editor.make_of(editor.selected_ids, operation, **options)

    def command(
        command_id: str,
        label: str,
        run: Callable[[], object],
        menu: str = "Object",
        *,
        refusal: str = AN_OBJECT,
        can: Callable[[SelectedFacts], bool] = lambda facts: facts.count > 0,
        **more: object,
    ) -> Command:
        return Command(command_id, label, run, menu, enabled=lambda: can(selected.facts), refusal=refusal, **more)

    def align(axis: str, side: str, what: str) -> Command:
        run = to_selection(editing.align, **{axis: side})
        label, description = f"{axis.upper()}, {what}", f"align the {what} of the bounding boxes along {axis.upper()}"
        return command(
            f"object.align_{axis}_{side}",
            label,
            run,
            "Object/Align",
            refusal=_TWO,
            can=lambda facts: facts.count > 1,
            description=description,
        )

    def distribute(axis: int) -> Command:
        run = to_selection(editing.distribute, axis=axis)
        name = "xyz"[axis]
        return command(
            f"object.distribute_{name}",
            f"Along {name.upper()}",
            run,
            "Object/Distribute",
            refusal=_THREE,
            can=lambda facts: facts.count > 2,
            description="equal gaps; the first and the last stay in place",
        )

    def duplicate(*, moves: bool = False, **options: object) -> Callable[[], object]:
        def run() -> None:
            before = history.last_done
            make_copies(editor, 1, editing.duplicate, editor.selected_ids, **options)
            if history.last_done is before:  # they were refused, or so many that they are made beside the window
                return
            if moves:
                gizmo.begin_by_keys(MOVE)
                return
            count, keys = len(editor.selected_ids), shown_keys("gizmo.move_by_keys")
            copies, they = (
                ("1 object", "in the same place as the original")
                if count == 1
                else (f"{count:,} objects", "in the same places as the originals")
            )
            how = f"; {keys} moves {'it' if count == 1 else 'them'}" if keys else ""
            editor.log.say("info", f"{copies} duplicated: {they}{how}")

        return run

    def parent_to_active() -> None:
        ids = editor.selected_ids
        editor.make_of(ids[:-1], editing.reparent, int(ids[-1]))

    def drop(*, as_one: bool) -> Callable[[], object]:
        def run() -> None:
            among = np.zeros(scene.row_count, dtype=bool)
            among[view.shown_ids()] = True
            ids = editor.selected_ids
            largest = scene.meshes.rows["triangle_count"].max(initial=0)  # a tree of its triangles may be missing
            if len(with_all_below(scene, ids)) > _MANY or largest > _LARGE_MESH:
                editor.make_beside("dropping objects", editing.drop, ids, as_one=as_one, among=among)
            else:
                editor.make(editing.drop, ids, as_one=as_one, among=among)

        return run

    return (
        Command(
            "edit.undo",
            "Undo",
            editor.undo,
            "Edit",
            keys=("Ctrl+Z",),
            description="undo the last change",
            enabled=lambda: history.undo_label is not None,
            of=lambda: brief(history.undo_label or ""),
            refusal="nothing to undo",
            synonyms=("revert", "back"),
        ),
        Command(
            "edit.redo",
            "Redo",
            editor.redo,
            "Edit",
            keys=("Ctrl+Shift+Z", "Ctrl+Y"),
            description="redo the change that was undone last",
            enabled=lambda: history.redo_label is not None,
            of=lambda: brief(history.redo_label or ""),
            refusal="nothing to redo",
            synonyms=("repeat", "forward"),
        ),
        command(
            "edit.duplicate",
            "Duplicate",
            duplicate(),
            "Edit",
            keys=("Ctrl+D",),
            description="copies that share the mesh",
            separated=True,
            synonyms=("copy", "clone", "instance"),
        ),
        command(
            "edit.duplicate_meshes",
            "Duplicate with mesh",
            duplicate(copy_meshes=True),
            "Edit",
            keys=("Ctrl+Shift+D",),
            description="copies with meshes of their own",
            synonyms=("deep copy", "make unique"),
        ),
        command(
            "edit.duplicate_and_move",
            "Duplicate and move",
            duplicate(moves=True),
            "Edit",
            keys=("Shift+D",),
            blender_keys=("Alt+D",),
            description="copies that share the mesh and follow the mouse; Esc leaves them in place",
        ),
        command(
            "edit.duplicate_meshes_and_move",
            "Duplicate with mesh and move",
            duplicate(moves=True, copy_meshes=True),
            "Edit",
            blender_keys=("Shift+D",),
            description="the same, with meshes of their own",
        ),
        command(
            "edit.delete",
            "Delete",
            to_selection(editing.delete),
            "Edit",
            keys=("Del",),
            blender_keys=("X", "Del"),
            description="with their children",
            synonyms=("remove", "erase"),
        ),
        command(
            "object.group",
            "Group",
            to_selection(editing.group),
            keys=("Ctrl+G",),
            description="make them children of a new node, in place",
            synonyms=("collection", "folder"),
        ),
        command(
            "object.ungroup",
            "Ungroup",
            to_selection(editing.ungroup),
            keys=("Ctrl+Shift+G",),
            description="move the children up a level, in place, and delete the group",
            refusal="select a group",
            can=lambda facts: facts.has_children,
            synonyms=("dissolve",),
        ),
        command(
            "object.parent",
            "Parent to active",
            parent_to_active,
            "Object/Hierarchy",
            keys=("P",),
            description="make the active object the parent of the others, in place",
            refusal=_TWO,
            can=lambda facts: facts.count > 1,
            synonyms=("set parent", "link"),
        ),
        command(
            "object.unparent",
            "Unparent",
            to_selection(editing.move_up),
            "Object/Hierarchy",
            keys=("Shift+P",),
            description="move up a level in the tree, in place",
            refusal="select an object that has a parent",
            can=lambda facts: facts.has_parents,
            synonyms=("clear parent",),
        ),
        command(
            "object.to_root",
            "Move to root",
            to_selection(editing.reparent, parent=-1),
            "Object/Hierarchy",
            keys=("Alt+P",),
            description="move to the top of the tree, in place",
            refusal="select an object that has a parent",
            can=lambda facts: facts.has_parents,
        ),
        command(
            "object.drop",
            "Drop to ground",
            to_selection(editing.drop_to_ground),
            "Object/Drop",
            keys=("End",),
            description="each falls to the ground, at height 0",
            synonyms=("snap to ground", "floor"),
        ),
        command(
            "object.drop_onto",
            "Drop onto what is below",
            drop(as_one=False),
            "Object/Drop",
            keys=("Shift+End",),
            description="each falls until it touches something below, or the ground",
            synonyms=("gravity", "fall"),
        ),
        command(
            "object.drop_as_one",
            "Drop as one",
            drop(as_one=True),
            "Object/Drop",
            description="all fall together until the first touches something below",
        ),
        *(align(axis, side, what) for axis in "xyz" for side, what in _SIDES),
        *map(distribute, range(3)),
        *array_commands(editor, gizmo, ask, command),
        *mesh_commands(editor, ask_path, command),
    )
