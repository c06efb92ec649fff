"""The objects whose meshes lie in a file that is missing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from scene import Scene
from scene.mesh_references import lacking_nodes
from scene.project.paths import written_path
from scene.system.paths import abspath
from scene.system.text_file import printable


@dataclass(frozen=True, eq=False)
class Lacking:
    """Nodes whose meshes are not there.

    Attributes:
        ids: (k,) int64. sources: (k,) their files' places in Scene.sources. names: (k,) what their meshes are called.
        is_lacking: (n,) bool by node id.
    """

    ids: np.ndarray
    sources: np.ndarray
    names: np.ndarray
    is_lacking: np.ndarray


class LackingNodes:
    """Finds them once for each state of the scene."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._found_for: tuple[object, ...] = ()
        self._found = Lacking(*(np.empty(0, dtype=np.int64) for _ in range(3)), np.empty(0, dtype=np.bool_))

    @property
    def now(self) -> Lacking:
        """Those that there are now."""
        scene = self._scene
        state = scene.tree_revision, scene.row_count, len(scene.project.unresolved_meshes), scene.project
        if state != self._found_for:
            self._found_for = state
            ids, sources, names, _ = lacking_nodes(scene)
            is_lacking = np.zeros(scene.row_count, dtype=np.bool_)
            is_lacking[ids] = True
            self._found = Lacking(ids, sources, names, is_lacking)
        return self._found

    def among(self, ids: np.ndarray) -> np.ndarray:
        """(j,) places in `now` of those among some nodes."""
        now = self.now
        return np.flatnonzero(np.isin(now.ids, ids)) if len(now.ids) else np.empty(0, dtype=np.int64)

    def text_of(self, place: int) -> str:
        """What one of them waits for, for a person: the object and its file, the path as the project writes it."""
        now = self.now
        path = shown_path(self._scene, self._scene.sources[int(now.sources[place])])
        return f"{printable(str(now.names[place])) or '(no name)'} in {path}"


def shown_path(scene: Scene, path: Path) -> str:
    """A path for a person: as the scene's project writes it, else from the root on, without detours."""
    project = scene.project.path
    return printable(abspath(path) if project is None else written_path(path, project.parent))
