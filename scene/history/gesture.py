"""Gesture: what changes a scene many times, such as a drag, and becomes one entry of its history."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from scene.editing.edits import Edit, inverse, merged
from scene.project.recording import fall_out_of_step

if TYPE_CHECKING:
    from scene.history.history import History


class Gesture:
    """A gesture that is under way (History.begin).

    Attributes:
        edit: what it has done so far.
    """

    def __init__(self, history: History, label: str) -> None:
        self.edit = Edit(label, ())
        self._history = history
        self._label = label
        self._content = history.scene.project.content

    def set(self, edit: Edit) -> None:
        """Let the whole gesture have done this, made from the scene as it was when it began: each step of a drag.

        Raises:
            ValueError, IndexError: it cannot be done; the gesture has done what it had.
        """
        self._require_running()
        apply, before = self._history._apply, self.edit
        if not _sets_all_of(edit, before):
            apply(inverse(before))
            try:
                apply(edit)
            except (ValueError, IndexError):
                apply(before)
                raise
        else:
            apply(edit)
        self._keep(edit)

    def add(self, edit: Edit) -> None:
        """Let the gesture do something more, made from the scene as it is now.

        Raises:
            ValueError, IndexError: it cannot be done; the gesture has done what it had.
        """
        self._require_running()
        self._history._apply(edit)
        self._keep(merged(self.edit, edit))

    def commit(self) -> None:
        """End it; what it did is one entry. SaveError: as History.do."""
        self._end()
        self._history._remember(self.edit, may_be_undone=True)

    def cancel(self) -> None:
        """End it, and take back what it did."""
        self._end()
        self._history._apply(inverse(self.edit))

    def _end(self) -> None:
        self._require_running()
        self._history.gesture = None
        if self._content is not self._history.scene.project.content:  # saved meanwhile: the file has a part of it
            fall_out_of_step(self._history.scene)

    def _keep(self, edit: Edit) -> None:
        self.edit = replace(edit, label=self._label or edit.label)

    def _require_running(self) -> None:
        if self._history.gesture is not self:
            raise ValueError("the gesture has ended")


def _sets_all_of(edit: Edit, other: Edit) -> bool:
    """Whether an edit sets every value again that another did, so that the other need not be taken back first."""
    columns = {change.column: change.ids for change in edit.changes}
    return all(
        change.column not in ("alive", "parent")
        and change.column in columns
        and np.array_equal(columns[change.column], change.ids)
        for change in other.changes
    )
