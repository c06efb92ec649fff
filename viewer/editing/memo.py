"""Memo: a value that is computed once for as long as the scene stays the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

import numpy as np

from octoscope.scene import Scene
from octoscope.scene.conventions.length_unit import LENGTH_UNITS

Found = TypeVar("Found")

State = tuple[int, ...]


class Memo(Generic[Found]):
    """A value that was found from a scene, kept until the scene or the nodes that it is about are others."""

    def __init__(self) -> None:
        self._kept: tuple[np.ndarray, tuple[object, ...], Found] | None = None

    def get(self, ids: np.ndarray, key: tuple[object, ...], find: Callable[[], Found]) -> Found:
        """Return the value for the very same array of ids and an equal key; find it anew for others."""
        if self._kept is None or self._kept[0] is not ids or self._kept[1] != key:
            self._kept = ids, key, find()
        return self._kept[2]


def material_users(scene: Scene) -> State:
    """Return a key that changes with which nodes show which materials, as these are numbered."""
    return id(scene.meshes), scene.tree_revision, scene.column_versions.get("material", 0)


def state_of(scene: Scene) -> State:
    """Return a key that changes with the scene's nodes, meshes and places in the world, and how lengths are written."""
    unit = LENGTH_UNITS.index(scene.length_unit)
    decimals = -1 if scene.length_decimals is None else scene.length_decimals
    return id(scene.meshes), len(scene.meshes), scene.tree_revision, scene.world_revision, unit, decimals
