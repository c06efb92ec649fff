"""The Edit menu."""

from __future__ import annotations

from functools import partial

from octoscope.scene import editing
from octoscope.viewer.commands.context import Context, has_selection
from octoscope.viewer.commands.menus.arrays import make_copies
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.editing.log import brief
from octoscope.viewer.editing.selection import AN_OBJECT
from octoscope.viewer.settings.config import config_folder
from octoscope.viewer.settings.settings_file import open_settings_file
from octoscope.viewer.tools.gizmo.settings import MOVE

command = Declarations("Edit")
_DUPLICATE = "Edit/Duplicate as"
of_selection = partial(command, enabled=has_selection, refusal=AN_OBJECT)
of_duplication = partial(of_selection, repeats=True)


command(
    "edit.undo",
    "Undo",
    "undo the last change",
    keys=("Ctrl+Z",),
    enabled=lambda context: context.editor.history.undo_label is not None,
    of=lambda context: brief(context.editor.history.undo_label or ""),
    refusal="nothing to undo",
    in_context_menu=False,
    synonyms=("back",),
)(lambda context: context.editor.undo())

command(
    "edit.redo",
    "Redo",
    "redo the change that was undone last",
    keys=("Ctrl+Shift+Z", "Ctrl+Y"),
    enabled=lambda context: context.editor.history.redo_label is not None,
    of=lambda context: brief(context.editor.history.redo_label or ""),
    refusal="nothing to redo",
    in_context_menu=False,
    synonyms=("forward",),
)(lambda context: context.editor.redo())


@command(
    "edit.repeat",
    "Repeat",
    "run the last command of the Object menu, or the last duplication, on the present selection",
    blender_keys=("Shift+R",),
    enabled=lambda context: context.table().repeated is not None,
    of=lambda context: "" if (last := context.table().repeated) is None else last.label,
    refusal="nothing to repeat",
    in_context_menu=False,
    synonyms=("again", "repeat last", "redo last"),
)
def repeat(context: Context) -> None:
    last = context.table().repeated
    assert last is not None
    context.run(last.id)


@of_duplication(
    "edit.duplicate",
    "Duplicate",
    "copies that share the mesh",
    keys=("Ctrl+D",),
    separated=True,
    synonyms=("copy", "clone", "instance"),
)
def duplicate(context: Context, *, copy_meshes: bool = False) -> None:
    if not _duplicate(context, copy_meshes):
        return
    count, keys = len(context.selected_ids), context.shown_keys("gizmo.move_by_keys")
    copies, they = (
        ("1 object", "in the same place as the original")
        if count == 1
        else (f"{count:,} objects", "in the same places as the originals")
    )
    how = f"; {keys} moves {'it' if count == 1 else 'them'}" if keys else ""
    context.editor.log.say("info", f"{copies} duplicated: {they}{how}")


of_duplication(
    "edit.duplicate_meshes",
    "Duplicate with mesh",
    "copies with meshes of their own",
    menu=_DUPLICATE,
    keys=("Ctrl+Shift+D",),
    synonyms=("deep copy", "make unique"),
)(partial(duplicate, copy_meshes=True))


@of_duplication(
    "edit.duplicate_and_move",
    "Duplicate and move",
    "copies that share the mesh and follow the mouse; Esc leaves them in place",
    menu=_DUPLICATE,
    keys=("Shift+D",),
    blender_keys=("Alt+D",),
    needs_window=True,
)
def duplicate_and_move(context: Context, *, copy_meshes: bool = False) -> None:
    if _duplicate(context, copy_meshes):
        context.tools.gizmo.begin_modal(MOVE)


of_duplication(
    "edit.duplicate_meshes_and_move",
    "Duplicate with mesh and move",
    "the same, with meshes of their own",
    menu=_DUPLICATE,
    blender_keys=("Shift+D",),
    needs_window=True,
)(partial(duplicate_and_move, copy_meshes=True))

of_selection(
    "edit.delete",
    "Delete",
    "with their children",
    keys=("Del",),
    blender_keys=("X", "Del"),
    synonyms=("remove", "erase"),
)(lambda context: context.change(editing.delete))

of_selection("edit.rename", "Rename", "type a new name in the outliner", keys=("F2",))(lambda context: context.rename())

command(
    "file.settings",
    "Settings file",
    "opens config.toml, which has all settings; what is saved there takes effect at once",
    in_context_menu=False,
    needs_window=True,
    synonyms=("preferences", "options", "configuration"),
)(lambda context: context.editor.log.say(*open_settings_file(config_folder())))


def _duplicate(context: Context, copy_meshes: bool) -> bool:
    """Return whether the copies exist: not if they were refused, or are made in the background."""
    history = context.editor.history
    before = history.last_done
    make_copies(context.editor, 1, editing.duplicate, context.selected_ids, copy_meshes=copy_meshes)
    return history.last_done is not before
