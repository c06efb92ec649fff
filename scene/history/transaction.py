"""Transaction: an edit of several steps, such as a drag, that becomes one entry of the history."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from octoscope.scene.editing.edits import Edit, inverse, merged


class Transaction:
    """An edit of several steps that has begun and not ended (History.begin).

    Args:
        end: called at the end with the edit, or with None if it was cancelled.
    """

    def __init__(self, label: str, apply: Callable[[Edit], object], end: Callable[[Edit | None], object]) -> None:
        self.edit = Edit(label, ())  # everything that the steps have done
        self._label = label
        self._apply = apply
        self._end = end
        self._has_ended = False

    def set(self, edit: Edit) -> None:
        """Replace everything done so far by an edit of the scene as it was at the beginning: a step of a drag.

        Raises:
            ValueError: it cannot be done; nothing has changed.
            IndexError: the same, because of an id.
        """
        self._require_running()
        before = self.edit
        if not _overwrites(edit, before):
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
        """Add a step, made from the scene as it is now.

        Raises:
            ValueError: it cannot be done; nothing has changed.
            IndexError: the same, because of an id.
        """
        self._require_running()
        self._apply(edit)
        self._keep(merged(self.edit, edit))

    def commit(self) -> None:
        """End it and keep what was done as one entry; raises SaveError as History.do."""
        self._require_running()
        self._has_ended = True
        self._end(self.edit)

    def cancel(self) -> None:
        """End it and undo what was done."""
        self._require_running()
        self._has_ended = True
        self._apply(inverse(self.edit))
        self._end(None)

    def _keep(self, edit: Edit) -> None:
        self.edit = replace(edit, label=self._label or edit.label)

    def _require_running(self) -> None:
        if self._has_ended:
            raise ValueError("the transaction has ended")


def _overwrites(edit: Edit, other: Edit) -> bool:
    """Return whether an edit overwrites every value of another, so that the other need not be undone first."""
    columns = {change.column: change.ids for change in edit.changes}
    return all(
        change.column not in ("alive", "parent")
        and change.column in columns
        and np.array_equal(columns[change.column], change.ids)
        for change in other.changes
    )
