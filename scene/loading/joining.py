"""Joining: what was read of a file gets ready on another thread to join a scene that goes on meanwhile."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from scene.content import FileContent
from scene.loading.load import Result, add_result
from scene.mesh.pool import NewMeshes
from scene.scene import Scene

_LARGE = 2**14  # vertices and nodes; less joins sooner than a thread starts


class Joining:
    """One file on its way into a scene.

    An empty scene gets all of it ready made, octree and all; another one gets the meshes so, which are the most of it.

    Args:
        result: what reading the file gave; used up.

    Attributes:
        path: the file. result: what is to join.
    """

    def __init__(self, scene: Scene, path: Path, result: Result) -> None:
        self.path = path
        self.result = result
        self._scene = scene
        self._whole: Scene | None = None
        self._is_first = scene.row_count == 0
        if isinstance(result, FileContent) and not self._is_first:
            result.prepared = NewMeshes(scene.meshes, result.meshes)

    @property
    def is_large(self) -> bool:
        """Whether it takes longer than starting a thread."""
        result = self.result
        if isinstance(result, FileContent):
            return len(result.meshes.positions) + len(result.node_names) > _LARGE
        return isinstance(result, Scene) and self._is_first and result.row_count > _LARGE

    def prepare(self) -> None:
        """Do what needs nothing that may change; on any thread."""
        result = self.result
        if not self._is_first:
            if isinstance(result, FileContent):
                result.prepared.prepare()
            return
        self._whole = result
        if isinstance(result, FileContent):
            # Its materials are counted on in place: they stay as they were, should the scene not be empty by then.
            meshes = replace(result.meshes, material_ids=result.meshes.material_ids.copy())
            self._whole = Scene()
            add_result(self._whole, self.path, replace(result, meshes=meshes))
        self._whole.fit_index_like(self._scene)

    def join(self) -> None:
        """Let it join the scene, with what is to be reported; as files.add_result."""
        if self._whole is not None and self._scene.row_count == 0:
            self._scene.become(self._whole)
        else:
            add_result(self._scene, self.path, self.result)
