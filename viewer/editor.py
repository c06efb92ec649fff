"""Editor: what panels, tools and commands change a scene through, so that there is one place where it happens."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from scene import Edit, History, SaveError, change_nodes
from viewer.log import Log
from viewer.view import View
from viewer.work import Work


class Editor:
    """Does edits to a view's scene, remembers them, and selects in it.

    Attributes:
        view: whose scene it is. log: where what cannot be done is said.
        history: what was done. work: what is done beside the window, for results that become edits or selections.
        changed: whether the picture is no longer what it should show; whoever draws it sets it back.
        revision: counts what was done and undone.
        locked: why the scene must stay as it is for now, such as that it is being written; or None.
    """

    def __init__(self, view: View, log: Log) -> None:
        self.view = view
        self.scene = view.scene
        self.log = log
        self.history = History(view.scene)
        self.work = Work()
        self.history.selection.on_change = self._show_selection
        self.changed = False
        self._unsaid: Edit | None = None  # what the gesture does, with notes that are yet to be said
        self.revision = 0
        self.locked: str | None = None

    @property
    def selected_ids(self) -> np.ndarray:
        """(s,) int32; the last is the one that was selected last. Another array whenever something else is."""
        return self.history.selection.ids

    def select(self, ids: ArrayLike) -> None:
        """Select these nodes and no others."""
        self._try(lambda: self.history.select(ids), "Select")

    def do(self, edit: Edit, *, continues: bool = False, instead: bool = False) -> bool:
        """Apply an edit; whether that could be done. Where it could not, the log says why and nothing changed.

        Args:
            continues: whether it is one step of a gesture that goes on until `finish`, such as a drag; all of it is one
                entry of the history.
            instead: the same, but the edit takes the place of what the gesture has done so far, and is made from the
                scene as it was when it began. What is to be said of it is said when it is finished.
        """
        if not edit.changes and edit.selects is None and (not instead or self.history.gesture is None):
            return True
        if edit.changes and self._is_locked(edit.label):
            return False

        def run() -> None:
            if instead:
                (self.history.gesture or self.history.begin(edit.label)).set(edit)
            elif continues:
                (self.history.gesture or self.history.begin(edit.label)).add(edit)
            else:
                self.history.do(edit)

        if not self._try(run, edit.label):
            return False
        if instead:
            self._unsaid = edit
        else:
            self._say_notes(edit)
        return True

    def _say_notes(self, edit: Edit) -> None:
        for note in edit.notes:
            self.log.say("warning", f"{edit.label}: {note}")

    def make(self, operation: Callable[..., Edit], *arguments: object, **options: object) -> bool:
        """Do what an operation of scene.editing makes of this scene; whether that could be done."""
        edits: list[Edit] = []
        label = operation.__name__.replace("_", " ").capitalize()
        if self._is_locked(label):
            return False
        made = self._try(lambda: edits.append(operation(self.scene, *arguments, **options)), label)
        return made and self.do(edits[0])

    def rename(self, node_id: int, name: str) -> None:
        """Give a node another name."""
        label = f"Rename {self.scene.names[node_id]} to {name}"
        self.do(change_nodes(self.scene, [node_id], label=label, name=name))

    def finish(self) -> None:
        """The gesture is over, if there is one."""
        if self.history.gesture is not None:
            self._try(self.history.commit, "Edit")
            if self._unsaid is not None:
                self._say_notes(self._unsaid)
        self._unsaid = None

    def cancel(self) -> None:
        """Take back what the gesture has done, if there is one."""
        self._try(self.history.cancel, "Cancel")
        self._unsaid = None

    def undo(self) -> None:
        """Take back what was done last."""
        if not self._is_locked("Undo"):
            self._try(self.history.undo, "Undo")

    def redo(self) -> None:
        """Do again what was taken back last."""
        if not self._is_locked("Redo"):
            self._try(self.history.redo, "Redo")

    def go_to(self, position: int) -> None:
        """Undo or redo until so many of the history's entries are done."""
        if not self._is_locked("Undo"):
            self._try(lambda: self.history.go_to(position), "Undo")

    def _is_locked(self, label: str) -> bool:
        if self.locked is not None:
            self.log.say("warning", f"{label}: {self.locked}; try again when it is done")
        return self.locked is not None

    def _try(self, run: Callable[[], object], label: str) -> bool:
        self.changed = True
        self.revision += 1
        try:
            run()
        except SaveError as error:  # it is done all the same
            self.log.say("error", str(error))
        except (ValueError, IndexError) as error:
            self.log.say("error", f"{label}: {error}")
            return False
        return True

    def _show_selection(self) -> None:
        self.view.selected_ids = self.history.selection.ids
        self.changed = True
