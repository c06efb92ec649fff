"""The commands that change the scene, each an operation of scene.editing on what is selected."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from scene import editing
from scene.primitives import PRIMITIVES
from viewer.commands import Command
from viewer.editor import Editor

_SIDES = (("min", "lower ends"), ("centre", "middles"), ("max", "upper ends"))


def edit_commands(editor: Editor) -> tuple[Command, ...]:
    """Undo, redo, and what can be done to objects."""
    history = editor.history

    def count() -> int:
        return len(editor.selected_ids)

    def to_selection(operation: Callable[..., object], **options: object) -> Callable[[], object]:
        return lambda: editor.make(operation, editor.selected_ids, **options)

    def command(
        command_id: str,
        label: str,
        run: Callable[[], object],
        menu: str = "Object",
        *,
        least: int = 1,
        **more: object,
    ) -> Command:
        """One that needs so many objects."""
        return Command(command_id, label, run, menu, enabled=lambda: count() >= least, **more)

    def align(axis: str, side: str, what: str) -> Command:
        run = to_selection(editing.align, **{axis: side})
        return command(f"object.align_{axis}_{side}", f"{axis.upper()}, {what}", run, "Object/Align", least=2)

    def distribute(axis: int) -> Command:
        run = to_selection(editing.distribute, axis=axis)
        name = "xyz"[axis]
        return command(f"object.distribute_{name}", f"Along {name.upper()}", run, "Object/Distribute", least=3)

    def add(kind: str) -> Command:
        def run() -> None:
            editor.make(editing.add_primitive, kind, translation=np.round(editor.view.camera.pivot, 3))

        return Command(f"add.{kind}", kind.capitalize(), run, "Object/Add", description="where one looks")

    return (
        Command(
            "edit.undo",
            "Undo",
            editor.undo,
            "Edit",
            keys=("Ctrl+Z",),
            description="take back what was done last",
            enabled=lambda: history.undo_label is not None,
        ),
        Command(
            "edit.redo",
            "Redo",
            editor.redo,
            "Edit",
            keys=("Ctrl+Shift+Z", "Ctrl+Y"),
            description="do again what was taken back",
            enabled=lambda: history.redo_label is not None,
        ),
        command(
            "edit.duplicate",
            "Duplicate",
            to_selection(editing.duplicate),
            "Edit",
            keys=("Ctrl+D",),
            blender_keys=("Alt+D",),
            description="copies that share the mesh",
            separated=True,
        ),
        command(
            "edit.duplicate_meshes",
            "Duplicate with mesh",
            to_selection(editing.duplicate, copy_meshes=True),
            "Edit",
            keys=("Ctrl+Shift+D",),
            blender_keys=("Shift+D",),
            description="copies with meshes of their own",
        ),
        command(
            "edit.delete",
            "Delete",
            to_selection(editing.delete),
            "Edit",
            keys=("Del",),
            blender_keys=("X", "Del"),
            description="with all that hangs below",
        ),
        command("object.group", "Group", to_selection(editing.group), keys=("Ctrl+G",)),
        command("object.ungroup", "Ungroup", to_selection(editing.ungroup), keys=("Ctrl+Shift+G",)),
        command(
            "object.unparent",
            "To the top",
            to_selection(editing.reparent, parent=-1),
            keys=("Alt+P",),
            description="out of all groups, in the same place",
        ),
        command(
            "object.drop",
            "Drop to ground",
            to_selection(editing.drop_to_ground),
            keys=("End",),
            description="let each stand on the ground",
            separated=True,
        ),
        *(align(axis, side, what) for axis in "xyz" for side, what in _SIDES),
        *map(distribute, range(3)),
        command(
            "object.apply_transform",
            "Apply rotation and scale",
            to_selection(editing.apply_transform),
            description="bake them into the mesh",
            separated=True,
        ),
        command(
            "object.center_pivot",
            "Centre origin",
            to_selection(editing.center_pivot),
            description="bring the origin to the middle of the mesh",
        ),
        command(
            "object.merge",
            "Merge",
            to_selection(editing.merge),
            least=2,
            keys=("Ctrl+J",),
            description="one object of several",
        ),
        *map(add, PRIMITIVES),
    )
