"""What the commands ask of a selection: gathered once for as long as neither it nor the tree changes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from viewer.editing.editor import Editor

AN_OBJECT = "select an object first"  # what most commands need


@dataclass(frozen=True)
class SelectedFacts:
    """What there is of a selection.

    Attributes:
        count: of nodes. shown: how many of them have a mesh. last_is_shown: whether the one selected last has one.
        has_children, has_parents: whether anything hangs below one of them, or one of them below anything.
    """

    count: int
    shown: int
    last_is_shown: bool
    has_children: bool
    has_parents: bool


class Selected:
    """Facts of an editor's selection."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._of: tuple[np.ndarray, int] | None = None
        self._facts = SelectedFacts(0, 0, False, False, False)

    @property
    def facts(self) -> SelectedFacts:
        """As it is now."""
        ids, scene = self._editor.selected_ids, self._editor.scene
        if self._of is None or self._of[0] is not ids or self._of[1] != scene.tree_revision:
            self._of = ids, scene.tree_revision
            selected = np.zeros(scene.row_count + 1, dtype=bool)
            selected[ids] = True
            shown = scene.mesh_ids[ids] >= 0
            self._facts = SelectedFacts(
                len(ids),
                int(shown.sum()),
                bool(len(ids) and shown[-1]),
                bool((selected[scene.parents] & (scene.parents >= 0) & scene.alive).any()),
                bool((scene.parents[ids] >= 0).any()),
            )
        return self._facts
