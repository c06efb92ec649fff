"""Edit > Cut, Copy, Paste: objects as a text on the system's clipboard."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from pathlib import Path
from urllib.request import url2pathname

import numpy as np

from octoscope.scene import Edit, EditError, Scene, editing
from octoscope.scene.editing.chosen import title, topmost
from octoscope.scene.nodes.node_table import NO_PARENT
from octoscope.scene.one_object_files import with_whole_files
from octoscope.scene.project.clipboard import is_text_of_nodes, paste, text_of
from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.editing.editor import REFUSED
from octoscope.viewer.editing.selection import AN_OBJECT

_LARGE_TEXT = 2**20  # characters; nodes of a shorter one are there before a progress bar would be seen
_MOST_PATHS = 1000

command = Declarations("Edit", after="edit.redo")


class Clipboard:
    """Copies the selected objects as a text, and pastes such texts; or opens the files that a text names."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._handled: np.ndarray | None = None  # the selection that was copied or pasted last

    @property
    def has_selection(self) -> bool:
        """True if any node is selected."""
        return len(self._context.selected_ids) > 0

    def copy(self) -> bool:
        """Put the selection on the clipboard; return False, with a line in the log, if it is too large."""
        context = self._context
        try:
            text = text_of(context.scene, context.selected_ids)
        except EditError as error:
            context.editor.log.say("error", f"Copy: {error}", REFUSED)
            return False
        context.copy(text)
        self._handled = context.selected_ids
        self._say("Copied")
        return True

    def _say(self, verb: str, where: str = "") -> None:
        scene = self._context.scene
        told = title(scene, verb, topmost(scene, self._context.selected_ids)) + where
        self._context.editor.log.toast(told, "clipboard")

    def cut(self) -> None:
        """Put the selection on the clipboard, and delete it."""
        context = self._context
        if not context.editor.refuses("Cut") and self.copy():
            context.change(cut)

    def paste(self) -> None:
        """Add what the clipboard holds below the parent of the selection, in its place in the world."""
        self._paste(self._parent())

    def paste_at_mouse(self) -> None:
        """Add what the clipboard holds, and stand it on the surface under the mouse."""
        location = self._context.tools.select.hover.location
        if location is None:
            self._context.editor.log.say("warning", "Paste at mouse: move the mouse over the picture first", REFUSED)
        else:
            self._paste(NO_PARENT, self._context.view.locate(location.pixel).surface().point)

    def _paste(self, parent: int, point: np.ndarray | None = None) -> None:
        text, editor = self._context.paste(), self._context.editor
        if is_text_of_nodes(text):
            is_large = len(text) > _LARGE_TEXT
            make = partial(editor.run_in_background, "pasting objects") if is_large else editor.run
            if make(paste, text, parent, at=point):
                self._say("Pasted", "" if point is not None else " in place: Paste at mouse puts it elsewhere")
            self._handled = self._context.selected_ids
        elif paths := paths_in(text):
            self._context.document.drop(paths)
        else:
            editor.log.say("warning", "Paste: the clipboard holds no objects or files; copy some first", REFUSED)

    def _parent(self) -> int:
        """Return the active node where that is a group, else its parent; what was copied gets copies beside it.

        Beside an object that is all its file holds means beside that file.
        """
        scene, ids = self._context.scene, self._context.selected_ids
        if len(ids) == 0:
            return NO_PARENT
        is_group = scene.mesh_ids[ids[-1]] < 0 and ids is not self._handled
        return int(ids[-1] if is_group else scene.parents[with_whole_files(scene, ids[-1:])[0]])


def paths_in(text: str) -> list[Path]:
    """Return the files that a text names, a path or file URI on each line, as file managers copy them; else none."""
    lines = [line.strip().strip('"') for line in text.splitlines()[: _MOST_PATHS + 1]]
    lines = [line for line in lines if line and not line.startswith("#")]
    paths = [Path(url2pathname(line[len("file://") :]) if line.startswith("file://") else line) for line in lines]
    is_list = len(paths) <= _MOST_PATHS and all(path.is_absolute() and os.path.exists(path) for path in paths)
    return paths if is_list else []


def cut(scene: Scene, ids: np.ndarray) -> Edit:
    return replace(editing.delete(scene, ids), label=title(scene, "Cut", topmost(scene, ids)))


of_selection = partial(command, enabled=lambda clipboard: clipboard.has_selection, refusal=AN_OBJECT)

of_selection("edit.cut", "Cut", "copy, and delete", keys=("Ctrl+X",), separated=True)(Clipboard.cut)
of_selection(
    "edit.copy",
    "Copy",
    "with their children, as text: for this window, another one, or a mail",
    keys=("Ctrl+C",),
    synonyms=("clipboard",),
)(Clipboard.copy)
command(
    "edit.paste",
    "Paste",
    "copied objects, in their places, beside the selection or into the selected group; or copied files",
    keys=("Ctrl+V",),
    synonyms=("insert", "clipboard"),
)(Clipboard.paste)
command(
    "edit.paste_at_mouse",
    "Paste at mouse",
    "copied objects, on the surface under the mouse",
    needs_window=True,
    keys=("Ctrl+Shift+V",),
    synonyms=("paste here", "insert"),
)(Clipboard.paste_at_mouse)


PART = WindowPart(lambda context: Contribution(commands=command.bound_to(Clipboard(context))))
