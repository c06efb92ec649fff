"""Reloading: a file that changed on disk takes the place of what was read of it; everything else stays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from scene.content import FileContent
from scene.mesh_data import MeshBatch
from scene.meshes import NO_MESH, Meshes
from scene.scene import Scene
from scene.snapshot import snapshot

_LARGE = 2**14  # vertices and meshes; less is there sooner than a thread starts


@dataclass(frozen=True)
class Reloaded:
    """What reloading a file changed.

    Attributes:
        kept: nodes whose object is still in it; they have the new mesh. gone: nodes whose object is not; they are empty
            now, until it comes back. new: objects that were not in it before; they have new nodes.
    """

    kept: int
    gone: int
    new: int


def reload(scene: Scene, source: int, content: FileContent) -> Reloaded:
    """Put what a file holds now in the place of what it held; names, places and edits of nodes stay.

    Objects are known again by name and occurrence, and so are their meshes, which keep their ids: edits that were
    made, and may be undone, name them. What is no longer in the file stays in the pool until the scene is saved and
    opened.

    Args:
        source: the file's place in Scene.sources. content: what it holds now; used up.
    """
    return Reloading(scene, source, content).join()


class Reloading:
    """`reload` on its way: most of it can be done on another thread, while the scene goes on."""

    def __init__(self, scene: Scene, source: int, content: FileContent) -> None:
        self._scene = scene
        self._source = source
        self._content = content
        self._begin: Scene | None = None  # as it was, for the thread
        if self.is_large:
            self._begin = snapshot(scene)
        self._state = self._state_now()
        self._found: _Found | None = None

    @property
    def is_large(self) -> bool:
        """Whether it takes longer than starting a thread."""
        return len(self._content.meshes.positions) + len(self._scene.meshes) > _LARGE

    def prepare(self) -> None:
        """Do what needs nothing that may change; on any thread."""
        self._found = self._find(self._begin or self._scene)
        self._begin = None

    def join(self) -> Reloaded:
        """Let it take its place; what is not prepared, or for another state of the scene, is prepared now."""
        scene, source, content = self._scene, self._source, self._content
        if self._found is None or self._state_now() != self._state:
            self._found = self._find(scene)
        pool, ids, is_new, nodes, names, occurrences, found = self._found
        scene.materials += content.materials
        is_new = is_new & ~np.isin(ids, found)
        is_there = scene.alive[nodes]
        # Deleted nodes lack their mesh, too: undo brings them back as if they had been there when it came back.
        deleted, found_again = nodes[~is_there], found[~is_there]
        nodes, names, occurrences, found = (column[is_there] for column in (nodes, names, occurrences, found))
        scene.replace_meshes(pool, nodes)
        scene.set_meshes(nodes, found)
        scene.set_meshes_of_deleted(deleted, found_again)
        gone = found == NO_MESH
        # Where a project keeps what it could not find: they are saved as they were, and found again if they come back.
        scene.project.missing_meshes.append(
            int(gone.sum()), node=nodes[gone], source=source, name=names[gone], occurrence=occurrences[gone]
        )
        _add_new_nodes(scene, source, content, ids, is_new)
        return Reloaded(kept=int((~gone).sum()), gone=int(gone.sum()), new=int(is_new.sum()))

    def _find(self, scene: Scene) -> _Found:
        # Its materials are counted on in place: they stay as they were, should it have to be done again.
        meshes = replace(self._content.meshes, material_ids=self._content.meshes.material_ids.copy())
        pool, ids, is_new = _pool_with(scene.meshes, self._source, meshes, len(scene.materials))
        nodes, names, occurrences = _nodes_of(scene, self._source)
        return _Found(pool, ids, is_new, nodes, names, occurrences, pool.find(ids, names, occurrences))

    def _state_now(self) -> tuple[object, ...]:
        """What a pool that was prepared must fit."""
        scene = self._scene
        missing = len(scene.project.missing_meshes)
        return id(scene.meshes), len(scene.meshes), len(scene.materials), scene.tree_revision, missing


class _Found(NamedTuple):
    """The pool with what a file holds now, (m,) ids of the file's meshes and which are new; (k,) nodes that show it,
    by what names and occurrences, and what they are to show."""

    pool: Meshes
    ids: np.ndarray
    is_new: np.ndarray
    nodes: np.ndarray
    names: np.ndarray
    occurrences: np.ndarray
    found: np.ndarray


def _pool_with(
    old: Meshes, source: int, meshes: MeshBatch, first_material: int
) -> tuple[Meshes, np.ndarray, np.ndarray]:
    """A pool with what a file holds now, in the order of ids; (m,) ids of the file's meshes, and which are new."""
    of_file = np.flatnonzero(old.rows["source"] == source)
    mixed = Meshes()
    new = np.array(mixed.extend(meshes, first_material=first_material, source=source))
    ids = old.find(of_file, mixed.rows["name"], mixed.rows["occurrence"])
    is_new = ids < 0
    ids[is_new] = len(old) + np.arange(int(is_new.sum()))
    places = np.full(len(old) + int(is_new.sum()), -1, dtype=np.int64)
    places[ids] = new
    stay = np.flatnonzero(places < 0)
    places[stay] = mixed.copy_of(old, stay)
    if (places == np.arange(len(places))).all():
        return mixed, ids, is_new
    pool = Meshes()
    pool.copy_of(mixed, places)
    return pool, ids, is_new


def _nodes_of(scene: Scene, source: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(k,) nodes that show something of a file, or would if it were still in it; its names and occurrences.

    Deleted ones are among those that would.
    """
    rows = scene.meshes.rows
    shown = np.flatnonzero(scene.mesh_ids >= 0)
    shown = shown[rows["source"][scene.mesh_ids[shown]] == source]
    missing = scene.project.missing_meshes
    _, lasts = np.unique(missing["node"][::-1], return_index=True)
    lacking = len(missing) - 1 - lasts  # what each node lacked last
    nodes = missing["node"][lacking]
    has_none = (scene.mesh_ids[nodes] == NO_MESH) & (scene.kept_mesh_ids[nodes] == NO_MESH)
    lacking = lacking[has_none & (missing["source"][lacking] == source)]
    return (
        np.concatenate([shown, missing["node"][lacking]]),
        np.concatenate([rows["name"][scene.mesh_ids[shown]], missing["name"][lacking]]),
        np.concatenate([rows["occurrence"][scene.mesh_ids[shown]], missing["occurrence"][lacking]]),
    )


def _add_new_nodes(scene: Scene, source: int, content: FileContent, added: np.ndarray, is_new: np.ndarray) -> None:
    """Nodes for the objects that were not there before, under the node of their file, or at the top if it is gone."""
    shown = np.flatnonzero(content.node_meshes >= 0)
    shown = shown[is_new[content.node_meshes[shown]]]
    if len(shown) == 0:
        return
    of_file = np.flatnonzero(scene.mesh_ids >= 0)
    of_file = of_file[scene.meshes.rows["source"][scene.mesh_ids[of_file]] == source]
    parent = -1
    if len(of_file):
        parent = int(of_file[0])
        while scene.parents[parent] >= 0:
            parent = int(scene.parents[parent])
    columns = {
        name: column[shown]
        for name, column in (
            ("translation", content.translations),
            ("rotation", content.rotations),
            ("scale", content.scales),
        )
        if column is not None
    }
    scene.add_nodes(content.node_names[shown], parent=parent, mesh=added[content.node_meshes[shown]], **columns)
