"""Facts of the selection that commands ask for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from octoscope.scene import Scene

AN_OBJECT = "select an object first"  # what most commands need


@dataclass(frozen=True)
class SelectionFacts:
    """Facts of a selection; `shown` are the nodes of it that have a mesh."""

    count: int
    shown: int
    last_is_shown: bool
    has_children: bool
    has_parents: bool


def selection_facts(scene: Scene, ids: np.ndarray) -> SelectionFacts:
    """Return the facts of a selection of (s,) node ids, the last of which is the active one."""
    selected = np.zeros(scene.row_count + 1, dtype=bool)
    selected[ids] = True
    shown = scene.mesh_ids[ids] >= 0
    return SelectionFacts(
        len(ids),
        int(shown.sum()),
        bool(len(ids) and shown[-1]),
        bool((selected[scene.parents] & (scene.parents >= 0) & scene.alive).any()),
        bool((scene.parents[ids] >= 0).any()),
    )
