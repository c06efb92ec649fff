"""Joining: what was read of a file gets ready on another thread to join a scene that goes on meanwhile."""

from __future__ import annotations

from pathlib import Path

from scene.background import BackgroundChange
from scene.content import FileContent
from scene.loading.load import Result, add_result, source_path
from scene.mesh.pool import Meshes
from scene.scene import Scene

_LARGE = 2**14  # vertices and nodes; less joins sooner than a thread starts


class Joining(BackgroundChange[Scene | Meshes | Result, None]):
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
        self.is_large = _is_large(scene, result)  # whether it takes longer than starting a thread
        super().__init__(scene, copies=self.is_large)

    def _state(self, scene: Scene) -> object:
        if scene.row_count == 0:
            return scene.version
        return scene.meshes.version, len(scene.materials), len(scene.sources)

    def _make(self, scene: Scene) -> Scene | Meshes | Result:
        result = self.result
        if isinstance(result, FileContent) and scene.row_count:
            meshes = scene.meshes.frozen()
            source = -1 if source_path(self.path) is None else len(scene.sources)
            meshes.extend(result.meshes, first_material=len(scene.materials), source=source)
            return meshes
        if isinstance(result, Exception) or scene.row_count:
            return result
        whole = result if isinstance(result, Scene) else Scene()
        if isinstance(result, FileContent):
            add_result(whole, self.path, result)
        whole.index.fit_like(scene.index)
        whole.index.update()
        return whole

    def _commit(self, scene: Scene, made: Scene | Meshes | Result) -> None:
        if isinstance(made, Meshes):
            add_result(scene, self.path, self.result, meshes=made)
        else:
            add_result(scene, self.path, made)


def _is_large(scene: Scene, result: Result) -> bool:
    if isinstance(result, FileContent):
        return len(result.meshes.positions) + len(result.node_names) > _LARGE
    return isinstance(result, Scene) and scene.row_count == 0 and result.row_count > _LARGE
