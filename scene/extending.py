"""Extending: nodes and meshes are added to a scene on another thread, and the scene gets them all at once."""

from __future__ import annotations

from collections.abc import Callable

from scene.edits import Edit, EditError, apply
from scene.scene import Scene
from scene.snapshot import snapshot

_STEPS = 3


class Extending:
    """An edit that adds much, on its way.

    It is made in a copy of the scene, where world and octree follow it at once; the scene takes the copy's place for
    its own. Until then it may be looked at, and must not be changed.
    """

    def __init__(self, scene: Scene) -> None:
        scene.update_world()
        self._scene = scene
        self._copy: Scene | None = None
        self._edit = Edit("", ())
        self._begin = _state_of(scene)

    def prepare(self, operation: Callable[[Scene], Edit], progress: Callable[[int, int], object]) -> None:
        """Do all that takes long; on any thread.

        Args:
            operation: makes the edit, such as one of scene.editing does, of the scene that it is given.
            progress: called with what is done and what there is; what it raises ends it, and nothing has changed.
        """
        progress(0, _STEPS)
        copy = snapshot(self._scene)
        progress(1, _STEPS)
        self._edit = operation(copy)
        progress(2, _STEPS)
        apply(copy, self._edit)
        copy.fit_index_like(self._scene)
        copy.index.ray_tree()  # which sorts it: else the first who asks would
        progress(_STEPS, _STEPS)
        self._copy = copy

    def join(self) -> Edit:
        """Let the scene have it; the edit, which was applied, for its history: applying it again changes nothing.

        Raises:
            EditError: the scene was changed meanwhile; it stays as it is.
        """
        scene, copy = self._scene, self._copy
        if copy is None:
            raise ValueError("it was not prepared")
        if _state_of(scene) != self._begin:
            raise EditError("the scene was changed meanwhile")
        if len(copy.meshes) != len(scene.meshes):
            scene.meshes = copy.meshes
        scene._nodes, scene._order, scene._alive_count = copy._nodes, copy._order, copy._alive_count
        scene.tree_revision += 1
        scene.names_revision += 1
        scene.world_revision += 1
        scene._adopt_index(copy)
        self._copy = None
        return self._edit


def _state_of(scene: Scene) -> tuple[object, ...]:
    return scene.row_count, scene.tree_revision, scene.names_revision, scene.world_revision, scene.is_stale
