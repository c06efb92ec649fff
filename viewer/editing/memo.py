"""Memo: what is found once from a scene, and not again as long as that is as it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

import numpy as np

from scene import Scene

Found = TypeVar("Found")


State = tuple[int, ...]


class Memo(Generic[Found]):
    """A value, and what it was found from."""

    def __init__(self) -> None:
        self._ids: np.ndarray | None = None
        self._key: tuple[object, ...] = ()
        self._found: Found | None = None

    def get(self, ids: np.ndarray, key: tuple[object, ...], find: Callable[[], Found]) -> Found:
        """The value for the very same array of ids and an equal key, found anew for another."""
        if self._ids is not ids or self._key != key:
            self._found = find()
            self._ids, self._key = ids, key
        return self._found


def state_of(scene: Scene) -> State:
    """A key that changes with the scene's nodes and meshes, and with where they are in the world."""
    return id(scene.meshes), len(scene.meshes), scene.tree_revision, scene.world_revision
