"""Gesture: what changes a scene many times, such as a drag, and becomes one entry of its history."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from scene.editing.edits import Edit, inverse, merged


class Gesture:
    """A gesture that is under way (History.begin).

    Args:
        label: of the edit; "": that of the last edit that it is made of.
        apply: applies an edit to the scene.
        end: is called with the edit when the gesture ends, or with None when all of it was taken back.

    Attributes:
        edit: what it has done so far.
    """

    def __init__(self, label: str, apply: Callable[[Edit], object], end: Callable[[Edit | None], object]) -> None:
        self.edit = Edit(label, ())
        self._label = label
        self._apply = apply
        self._end = end
        self._has_ended = False

    def set(self, edit: Edit) -> None:
        """Let the whole gesture have done this, made from the scene as it was when it began: each step of a drag.

        Raises:
            ValueError, IndexError: it cannot be done; the gesture has done what it had.
        """
        self._require_running()
        before = self.edit
        if not _sets_all_of(edit, before):
            self._apply(inverse(before))
            try:
                self._apply(edit)
            except (ValueError, IndexError):
                self._apply(before)
                raise
        else:
            self._apply(edit)
        self._keep(edit)

    def add(self, edit: Edit) -> None:
        """Let the gesture do something more, made from the scene as it is now.

        Raises:
            ValueError, IndexError: it cannot be done; the gesture has done what it had.
        """
        self._require_running()
        self._apply(edit)
        self._keep(merged(self.edit, edit))

    def commit(self) -> None:
        """End it; what it did is one entry. SaveError: as History.do."""
        self._require_running()
        self._has_ended = True
        self._end(self.edit)

    def cancel(self) -> None:
        """End it, and take back what it did."""
        self._require_running()
        self._has_ended = True
        self._apply(inverse(self.edit))
        self._end(None)

    def _keep(self, edit: Edit) -> None:
        self.edit = replace(edit, label=self._label or edit.label)

    def _require_running(self) -> None:
        if self._has_ended:
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
