"""MissingMeshFinder: the objects whose meshes lie in a file that is missing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from octoscope.scene import Scene
from octoscope.scene.mesh_references import nodes_without_their_mesh
from octoscope.scene.project.paths import path_to_json
from octoscope.scene.system.paths import abspath
from octoscope.scene.system.text_file import printable


@dataclass(frozen=True, eq=False)
class MissingMeshes:
    """Nodes whose meshes are missing, k of them."""

    ids: np.ndarray  # (k,) int64 node ids
    sources: np.ndarray  # (k,) indices of their files in Scene.sources
    names: np.ndarray  # (k,) names of their meshes within those files
    is_missing: np.ndarray  # (n,) bool by node id


class MissingMeshFinder:
    """Finds the missing meshes of a scene, once for each state of it."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._found_for: tuple[object, ...] = ()
        nothing = np.empty(0, dtype=np.int64)
        self._found = MissingMeshes(nothing, nothing, nothing, np.empty(0, dtype=np.bool_))

    @property
    def current(self) -> MissingMeshes:
        """The meshes that are missing now."""
        scene = self._scene
        state = scene.tree_revision, scene.row_count, len(scene.project.unresolved_meshes), scene.project
        if state != self._found_for:
            self._found_for = state
            ids, sources, names, _ = nodes_without_their_mesh(scene)
            is_missing = np.zeros(scene.row_count, dtype=np.bool_)
            is_missing[ids] = True
            self._found = MissingMeshes(ids, sources, names, is_missing)
        return self._found

    def among(self, ids: np.ndarray) -> np.ndarray:
        """Return (j,) indices into `current` of the nodes among some ids."""
        return np.flatnonzero(np.isin(self.current.ids, ids))

    def text_of(self, index: int) -> str:
        """Return the name of a missing mesh and its file, the path as the project writes it, else absolute."""
        missing, project = self.current, self._scene.project.path
        path = self._scene.sources[int(missing.sources[index])]
        shown = printable(abspath(path) if project is None else path_to_json(path, project.parent))
        return f"{printable(str(missing.names[index])) or '(no name)'} in {shown}"
