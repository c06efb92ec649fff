"""Editor: the only way in which panels, tools and commands change a scene. LiveEdit: an edit under way, as a drag."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from octoscope.scene import Edit, EditError, History, Hit, ReadError, SaveError, Scene, apply, change_nodes
from octoscope.scene.history.background_edit import BackgroundEdit
from octoscope.scene.history.history import Entry
from octoscope.scene.history.transaction import Transaction
from octoscope.scene.measuring.near_cursor import NearHit
from octoscope.scene.nodes.hierarchy import with_all_below
from octoscope.scene.nodes.node_table import DeletedNodeError
from octoscope.scene.system.text_file import printable
from octoscope.viewer.editing.jobs import JobKind, Jobs, Progress
from octoscope.viewer.editing.log import Log, brief
from octoscope.viewer.frame.redraw import Damage
from octoscope.viewer.frame.view import View

_TRAVERSAL_SECONDS = 0.03  # of undoing or redoing in a frame, for `go_to`
JOURNAL = "journal"  # subject of its messages in the log
REFUSED = "edit"  # subject of messages about edits that cannot be done; the next edit that is done settles them
# All else that an operation raises is a fault of the program.
_REFUSALS = (EditError, DeletedNodeError)
Content = TypeVar("Content")
_OUT_OF_SIGHT = "out of sight"  # subject of the toast about what was added there
LARGE = 10_000  # objects; an edit of fewer ends before a progress bar would be seen


class Editor:
    """Edits a view's scene with undo, and selects in it."""

    def __init__(self, view: View, log: Log) -> None:
        self.view = view
        self.scene = view.scene
        self.log = log
        self.history = History(view.scene, selection=view.selection)
        self.history.listeners.append(self._note_edit)
        self.jobs = Jobs()
        self.read_only: str | None = None  # the reason why the scene can never be edited or saved; None: it can
        self.clicked_hit: Hit | NearHit | None = None  # what the last click that selects has hit
        self._live: LiveEdit | None = None
        self._listed: np.ndarray | None = None  # the selection, if a list of findings made it
        self._chosen = self.selected_ids  # what the user had selected before that
        self._locks: dict[object, str] = {}
        self._target: int | None = None  # entries to be done, while `go_to` is under way
        self._left_at: tuple[int, Entry | None] = (0, None)

    def _note_edit(self, edit: Edit) -> None:
        self.view.redraw.request(Damage.SCENE if edit.changes else Damage.NONE)
        if edit.changes:
            self.log.settle(REFUSED)

    @property
    def locked(self) -> str | None:
        """The reason why the scene cannot be edited now, such as that it is being written, or None."""
        return next(reversed(self._locks.values()), None)

    def lock(self, why: str) -> Callable[[], object]:
        """Forbid edits until the returned function is called; all locks must be released."""
        key = object()
        self._locks[key] = why
        return lambda: self._locks.pop(key, None)

    @property
    def selected_ids(self) -> np.ndarray:
        """(s,) int32; the last is the active one. Another array whenever the selection is another."""
        return self.history.selection.ids

    def select(self, ids: ArrayLike) -> None:
        """Select these nodes and no others."""
        self.finish()
        self._try(lambda: self.history.select(ids), "Select")
        self._listed = None

    @property
    def selection_is_listed(self) -> bool:
        """True if a list of findings made the selection, and no user."""
        return self.selected_ids is self._listed

    @property
    def chosen_ids(self) -> np.ndarray:
        """(s,) int32 what the user selected last, as far as it is there; lists may have selected more since."""
        chosen = self._chosen if self.selection_is_listed else self.selected_ids
        return chosen[self.scene.alive[chosen]]

    def select_listed(self, ids: ArrayLike) -> None:
        """Select nodes for a list of findings: what the user has chosen is remembered."""
        self._chosen = self.chosen_ids
        self.select(ids)
        self._listed = self.selected_ids

    def do(self, edit: Edit) -> bool:
        """Apply an edit; return False, with a line in the log and nothing changed, where it cannot be done."""
        if not edit.changes and edit.selects is None:
            return True
        if edit.changes and self.refuses(edit.label):
            return False
        self.finish()
        done = self._try(lambda: self.history.do(edit), edit.label)
        if done:
            self._say_notes(edit)
        return done

    def do_annotations(self, edit: Edit) -> bool:
        """Apply an edit of annotations alone, as `do`. A scene that is read only has them until it is closed."""
        if self.read_only is None:
            return self.do(edit)
        apply(self.scene, edit)
        self.view.redraw.request(Damage.SCENE)
        return True

    def begin_live(self, *, is_preview: bool = False) -> LiveEdit:
        """Begin a live edit, such as a drag; the present one ends."""
        self.finish()
        self._live = LiveEdit(self, is_preview=is_preview)
        return self._live

    def _say_notes(self, edit: Edit) -> None:
        if edit.outcome:
            self.log.say("info", f"{edit.label}: {edit.outcome}")
        for note in edit.notes:
            self.log.say("warning", f"{edit.label}: {note}")
        is_more = any(change.column == "alive" and change.after.any() for change in edit.changes)
        if is_more and self.view.framing.is_out_of_sight(self.selected_ids):
            where = f"{brief(edit.label)}: outside the picture"
            self.log.toast(where, _OUT_OF_SIGHT, ("Frame it", "view.frame"))

    def run(self, operation: Callable[..., Edit], *arguments: object, **options: object) -> bool:
        """Run an operation of scene.editing on this scene and apply its edit; return whether that could be done."""
        edits: list[Edit] = []
        label = _label_of(operation)
        if self.refuses(label):
            return False
        self.finish()  # a preview would be taken for a part of the scene
        made = self._try(lambda: edits.append(operation(self.scene, *arguments, **options)), label)
        return made and self.do(edits[0])

    def run_on_nodes(
        self, ids: ArrayLike, operation: Callable[..., Edit], *arguments: object, **options: object
    ) -> None:
        """Run an operation whose first argument is nodes, in the background where they are many."""
        count = len(with_all_below(self.scene, np.asarray(ids)))
        if count > LARGE:
            self.run_in_background(f"changing {count:,} objects", operation, ids, *arguments, **options)
        else:
            self.run(operation, ids, *arguments, **options)

    def run_in_background(
        self, doing: str, operation: Callable[..., Edit], *arguments: object, **options: object
    ) -> None:
        """Run an operation that takes long, with a bar and the scene locked; cancelling leaves all as it was."""
        label = _label_of(operation)
        if self.refuses(label):
            return
        if not self.has_job(label):
            self.begin_background_edit(
                doing, label, lambda scene: operation(scene, *arguments, **options), lambda done: None
            )

    def read_in_background(
        self, subject: str, path: Path, read: Callable[[Progress], Content], then: Callable[[Content], object]
    ) -> None:
        """Read a file, and call `then` with its content; the log says about a subject why it cannot be read."""
        if self.has_job(subject):
            return

        def take(content: Content) -> None:
            self.log.settle(subject)
            then(content)

        def refuse(error: Exception) -> None:
            if not isinstance(error, ReadError):
                raise error
            self.log.say("error", str(error), subject)

        self.jobs.begin(JobKind.EDIT, f"reading {printable(path.name)}", read, take, failed=refuse)

    def has_job(self, label: str) -> bool:
        """Return whether another edit or selection is being made; the log then says that this one has to wait."""
        is_busy = self.jobs.is_busy(JobKind.EDIT)
        if is_busy:
            self.log.say("warning", f"{label}: {self.jobs[JobKind.EDIT].label}; try again when it is done", REFUSED)
        return is_busy

    def begin_background_edit(
        self, doing: str, label: str, operation: Callable[[Scene], Edit], then: Callable[[bool], object]
    ) -> None:
        """Make an edit in a job while the editor is locked."""
        self.finish()
        self.view.update()  # so that the thread need not
        unlock = self.lock(f"{doing} is still running")
        background = BackgroundEdit(self.scene, operation, self.history.recorder)

        def done(_: object) -> None:
            unlock()
            # A thread that saves reads the scene.
            then(not self.refuses(label) and self._join(background, label))

        def failed(error: Exception) -> None:
            unlock()
            if not isinstance(error, (*_REFUSALS, MemoryError)):
                raise error
            why = "out of memory; nothing was changed" if isinstance(error, MemoryError) else error
            self.log.say("error", f"{label}: {why}", REFUSED)
            then(False)

        def stopped() -> None:
            unlock()
            self.log.say("info", f"{label}: cancelled, nothing was changed")
            then(False)

        self.jobs.begin(JobKind.EDIT, doing, background.prepare, done, failed=failed, stopped=stopped)

    def _join(self, background: BackgroundEdit, label: str) -> bool:
        edit = background.edit
        if not edit.changes:
            return self.do(edit)
        done = self._try(lambda: self.history.join(background), label)
        if done:
            self._say_notes(edit)
        return done

    def rename(self, node_id: int, name: str) -> None:
        """Rename a node."""
        label = f"Rename {self.scene.names[node_id]} to {name}"
        self.do(change_nodes(self.scene, [node_id], label=label, name=name))

    def commit(self, transaction: Transaction) -> None:
        """End an edit of several steps that has begun, unless it has ended; its result stays."""
        if self.history.transaction is transaction:
            self._try(self.history.commit, "Edit")

    def finish(self) -> None:
        """Commit the live edit, if there is one; a preview is taken back."""
        if self._live is not None:
            self._live.end()

    def take_back(self) -> None:
        """Undo the last edit silently, to do another in its place."""
        self._try(self.history.undo, "Undo")

    def undo(self) -> None:
        """Undo the last edit."""
        self._step("Undo", self.history.undo, lambda: self.history.redo_label)

    def redo(self) -> None:
        """Redo the edit that was undone last."""
        self._step("Redo", self.history.redo, lambda: self.history.undo_label)

    def go_to(self, position: int) -> None:
        """Undo or redo until so many entries of the history are done; `poll` does a long way in pieces."""
        if not 0 <= position <= len(self.history.entries):
            raise ValueError(f"positions are 0 to {len(self.history.entries)}")
        if not self.refuses("Undo"):
            self.finish()
            # The gesture has taken the place of what could be done again.
            self._target, self._left_at = min(position, len(self.history.entries)), self._place
            self._step_to_target()

    @property
    def is_traversing(self) -> bool:
        """True while `go_to` is under way."""
        return self._target is not None

    def poll(self) -> bool:
        """Continue what is under way and take in jobs that have ended; return whether there was anything."""
        was_going = self.is_traversing
        if was_going:
            self._step_to_target()
        return self.jobs.poll() | was_going

    @property
    def _place(self) -> tuple[int, Entry | None]:
        """A value that is another after every edit, undo and redo."""
        return self.history.position, self.history.last_done

    def _step_to_target(self) -> None:
        history, target, deadline = self.history, self._target, time.perf_counter() + _TRAVERSAL_SECONDS
        assert target is not None

        def run() -> None:
            while history.position != target:
                history.go_to(history.position + (1 if target > history.position else -1))
                if time.perf_counter() > deadline:
                    break

        # Another edit on the way ends the traversal.
        going = self._left_at == self._place and self.locked is None and self._try(run, "Undo")
        self._left_at = self._place
        if not going or history.position == target:
            self._target = None

    def _step(self, label: str, run: Callable[[], bool], done: Callable[[], str | None]) -> None:
        """Undo or redo, and show a toast about it: its effect may be out of sight."""
        steps: list[bool] = []
        if not self.refuses(label) and self._try(lambda: steps.append(run()), label) and any(steps):
            self.log.toast(f"{label} {brief(done() or '')}", "undo")

    def refuses_ever(self, label: str) -> bool:
        """Return whether the scene can never be edited or saved; the log then says why."""
        if self.read_only is not None:
            self.log.say("warning", f"{label}: {self.read_only}", REFUSED)
        return self.read_only is not None

    def refuses(self, label: str) -> bool:
        """Return whether the scene is locked; the log then says that this has to wait, or why it is for ever."""
        if self.refuses_ever(label):
            return True
        if self.locked is not None:
            self.log.say("warning", f"{label}: {self.locked}; try again when it is done", REFUSED)
        return self.locked is not None

    def _try(self, run: Callable[[], object], label: str) -> bool:
        try:
            run()
        except SaveError as error:  # it is done all the same
            self.log.say("error", str(error), JOURNAL)
        except _REFUSALS as error:
            self.log.say("error", f"{label}: {error}", REFUSED)
            return False
        recorder = self.history.recorder
        if recorder is not None and not recorder.journal.has_unwritten:
            self.log.settle(JOURNAL)
        return True


class LiveEdit:
    """An edit under way, such as a drag (Editor.begin_live): steps show at once and are one entry of the history.

    It ends with commit or cancel, or by itself where anything else is done to the scene, which it then does not touch.

    Args:
        is_preview: whether it shows what nobody has confirmed yet, and is taken back before anything else is done.
    """

    def __init__(self, editor: Editor, *, is_preview: bool = False) -> None:
        self._editor = editor
        self._is_preview = is_preview
        self._history = editor.history
        self._begun_after = editor.history.last_done
        self._transaction: Transaction | None = None  # from the first step on

    @property
    def has_begun(self) -> bool:
        """True after its first step."""
        return self._transaction is not None

    @property
    def is_alive(self) -> bool:
        """True until it has ended."""
        if self._transaction is not None:
            return self._history.transaction is self._transaction
        return self._history.transaction is None and self._history.last_done is self._begun_after

    def preview(self, edit: Edit) -> bool:
        """Apply an edit, made from the scene as it was at first, in place of all steps so far; tell if that worked.

        Notes of the edit are logged when it is committed.
        """
        return self._step(edit, lambda gesture: gesture.set(edit))

    def extend(self, edit: Edit) -> bool:
        """Apply an edit, made from the scene as it is now, after all steps so far; return if that could be done."""
        return self._step(edit, lambda gesture: gesture.add(edit))

    def commit(self) -> None:
        """End it; its result stays."""
        if self._transaction is not None and self.is_alive:
            edit = self._transaction.edit
            self._editor._try(self._history.commit, "Edit")
            self._editor._say_notes(edit)

    def end(self) -> None:
        """End it as is right when something else is to be done."""
        if self._is_preview:
            self.cancel()
        else:
            self.commit()

    def cancel(self) -> None:
        """End it and undo its steps."""
        if self.has_begun and self.is_alive:
            self._editor._try(self._history.cancel, "Cancel")

    def _step(self, edit: Edit, apply: Callable[[Transaction], object]) -> bool:
        if not self.is_alive or (edit.changes and self._editor.refuses(edit.label)):
            return False
        if not edit.changes and not self.has_begun:
            return True

        def run() -> None:
            self._transaction = self._transaction or self._history.begin(edit.label)
            apply(self._transaction)

        return self._editor._try(run, edit.label)


def _label_of(operation: Callable[..., Edit]) -> str:
    return operation.__name__.replace("_", " ").capitalize()
