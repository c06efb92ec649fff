"""Edits: what a person did to nodes in one gesture, as values before and after, so that it can be undone and written.

Applying an edit and then its inverse leaves every value as it was, bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from scene.scene import Scene


@dataclass(frozen=True)
class _Column:
    dtype: DTypeLike
    row_shape: tuple[int, ...]
    values: Callable[[Scene], np.ndarray]
    set_values: Callable[[Scene, np.ndarray, np.ndarray], None]


_STRING = np.dtypes.StringDType()
COLUMNS = {
    "translation": _Column(np.float64, (3,), lambda scene: scene.translations, Scene.set_translations),
    "rotation": _Column(np.float64, (4,), lambda scene: scene.rotations, Scene.set_rotations),
    "scale": _Column(np.float64, (3,), lambda scene: scene.scales, Scene.set_scales),
    "name": _Column(_STRING, (), lambda scene: scene.names, Scene.set_names),
    "parent": _Column(np.int32, (), lambda scene: scene.parents, Scene.set_parents),
    "material": _Column(np.int32, (), lambda scene: scene.material_overrides, Scene.set_materials),
}


@dataclass(frozen=True, eq=False)
class Change:
    """Values of one column of some nodes.

    Attributes:
        column: translation, rotation, scale, name, parent or material, as in Scene.add_nodes.
        ids: (k,) int32 node ids, none twice.
        before, after: (k, ...) what these nodes had, and what they get.
    """

    column: str
    ids: np.ndarray
    before: np.ndarray
    after: np.ndarray


@dataclass(frozen=True, eq=False)
class Edit:
    """One gesture.

    Attributes:
        label: what it did, for a menu: "Move 3 objects".
        changes: what to set, in this order; empty when nothing changes.
    """

    label: str
    changes: tuple[Change, ...]


def change_nodes(scene: Scene, ids: ArrayLike, *, label: str = "", **columns: ArrayLike) -> Edit:
    """What setting columns of nodes would change, as an edit; nothing is set yet.

    Args:
        ids: (k,) node ids, none twice.
        **columns: column = one value for all or one for each, for any of COLUMNS.

    Raises:
        ValueError: an id is there twice, or values do not fit. IndexError: a node is not there.
    """
    ids = np.array(ids, dtype=np.int64).ravel()
    if ((ids < 0) | (ids >= len(scene))).any():
        raise IndexError(f"node ids must be 0 to {len(scene) - 1}")
    if len(np.unique(ids)) < len(ids):
        raise ValueError("a node is there twice")
    changes = []
    for name, values in columns.items():
        column = COLUMNS[name]
        after = np.broadcast_to(np.asarray(values, dtype=column.dtype), (len(ids), *column.row_shape))
        before = column.values(scene)[ids]
        differ = before != after
        if column.dtype is np.float64:  # -0.0 equals 0.0, and yet a file that holds one gives it back
            differ |= np.signbit(before) != np.signbit(after)
        changed = differ if differ.ndim == 1 else differ.any(axis=1)
        if changed.any():
            changes.append(Change(name, ids[changed].astype(np.int32), before[changed], after[changed]))
    return Edit(label, tuple(changes))


def inverse(edit: Edit) -> Edit:
    """The edit that takes an edit back."""
    changes = (Change(change.column, change.ids, change.after, change.before) for change in reversed(edit.changes))
    return Edit(edit.label, tuple(changes))


def apply(scene: Scene, edit: Edit) -> None:
    """Set what an edit says.

    Raises:
        ValueError: a value is not finite, not there or hangs a node below itself; the scene is as it was.
        IndexError: a node is not there; the scene is as it was.
    """
    for done, change in enumerate(edit.changes):
        try:
            COLUMNS[change.column].set_values(scene, change.ids, change.after)
        except (ValueError, IndexError):
            for earlier in reversed(edit.changes[:done]):
                COLUMNS[earlier.column].set_values(scene, earlier.ids, earlier.before)
            raise
