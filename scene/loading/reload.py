"""FileReload: replace what was read of a file that has changed on disk; everything else stays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from octoscope.scene.background import BackgroundChange
from octoscope.scene.content import FileContent
from octoscope.scene.loaded_source import LoadedSource
from octoscope.scene.loading.file_import import WORTH_A_THREAD
from octoscope.scene.loading.new_objects import add_new_nodes, nodes_of_source
from octoscope.scene.loading.reload_materials import material_ids_of, set_file_materials, updated_material_ids
from octoscope.scene.mesh.data import MeshBatch
from octoscope.scene.mesh.pool import NO_MESH, NO_PLACE, Meshes
from octoscope.scene.scene import Scene


@dataclass(frozen=True)
class ReloadCounts:
    """Numbers of nodes that reading a file again has changed."""

    kept: int  # nodes whose object is still in the file; they show its new mesh
    # nodes whose object is no longer in the file. They are empty until it comes back; nodes that reloading had added
    # and nobody has edited are deleted until then.
    gone: int
    new: int  # objects that had no node; they have new nodes, or those that they had before


class FileReload(BackgroundChange["_PreparedReload", ReloadCounts]):
    """Replaces what a file held by what it holds now; names, transforms and edits of nodes stay.

    Objects are recognised by name and occurrence. They, their meshes and materials keep their ids, because edits that
    may be undone refer to these. Meshes that are no longer in the file stay in the pool until the scene is saved and
    opened. A file that could not be read until now, such as one that was missing when a project was opened, gives
    meshes to the nodes without, and no new nodes, as opening the project would.

    Args:
        source: index of the file in Scene.sources.
        content: of the file as it is now; used up.
        is_edited: returns (k,) bool for (k,) node ids: somebody has edited the node, and it stays. None: no node was
            edited.

    Attributes:
        is_large: it takes longer than starting a thread.
    """

    def __init__(
        self,
        scene: Scene,
        source: int,
        content: FileContent,
        *,
        is_edited: Callable[[np.ndarray], np.ndarray] | None = None,
    ) -> None:
        self._source = source
        self._content = content
        self._is_edited = is_edited or (lambda ids: np.zeros(len(ids), dtype=np.bool_))
        self.is_large = len(content.meshes.positions) + len(scene.meshes) > WORTH_A_THREAD
        super().__init__(scene, copies=self.is_large)

    def _state(self, scene: Scene) -> object:
        loaded = scene.loaded_sources.get(self._source)
        missing = len(scene.project.unresolved_meshes)
        return scene.meshes.version, len(scene.materials), scene.tree_revision, missing, id(loaded)

    def _commit(self, scene: Scene, made: _PreparedReload) -> ReloadCounts:
        source, content = self._source, self._content
        pool, ids, is_new, nodes, names, occurrences, found, material_ids = made
        was_loaded = source in scene.loaded_sources
        loaded = scene.loaded_sources.get(source, LoadedSource())
        set_file_materials(scene, content.materials, material_ids)
        is_new = is_new & ~np.isin(ids, found) & was_loaded
        is_there = scene.alive[nodes]
        # Deleted nodes get their meshes as well, so that undo restores them with these.
        deleted, found_again = nodes[~is_there], found[~is_there]
        nodes, names, occurrences, found = (column[is_there] for column in (nodes, names, occurrences, found))
        scene.replace_meshes(pool, nodes)
        scene.set_meshes(nodes, found)
        scene.set_meshes_of_deleted(deleted, found_again)
        gone = found == NO_MESH
        # A project saves these references as they were, and finds the meshes again if they come back.
        scene.project.unresolved_meshes.append(
            int(gone.sum()), node=nodes[gone], source=source, name=names[gone], occurrence=occurrences[gone]
        )
        is_back = (found_again != NO_MESH) & np.isin(deleted, list(loaded.withdrawn_ids))
        revived = _restore(scene, deleted[is_back], loaded.withdrawn_ids)
        new, object_count = add_new_nodes(scene, source, content, ids, is_new, material_ids)
        added = loaded.added_ids.union(new)
        withdrawn = _withdraw(scene, np.array(sorted(added), dtype=np.int64), self._is_edited)
        again = LoadedSource(
            content.dependencies,
            content.read_materials,
            updated_material_ids(loaded, content.materials, material_ids),
            added,
            loaded.withdrawn_ids.difference(revived.tolist()).union(withdrawn.tolist()),
            content.free_form,
            content.properties,
        )
        scene.loaded_sources = {**scene.loaded_sources, source: again}
        scene.report.replace_problems(scene.sources[source], content.problems)
        return ReloadCounts(kept=int((~gone).sum()), gone=int(gone.sum()), new=object_count + int(is_back.sum()))

    def _compute(self, scene: Scene) -> _PreparedReload:
        loaded = scene.loaded_sources.get(self._source, LoadedSource())
        material_ids = material_ids_of(loaded, self._content.materials, len(scene.materials))
        # A new array: the content must stay as it is, since this may be done again.
        meshes = replace(self._content.meshes, material_ids=material_ids[self._content.meshes.material_ids])
        pool, ids, is_new = _pool_with(scene.meshes, self._source, meshes)
        nodes, names, occurrences = nodes_of_source(scene, self._source)
        found = pool.find(ids, names, occurrences)
        return _PreparedReload(pool, ids, is_new, nodes, names, occurrences, found, material_ids)


class _PreparedReload(NamedTuple):
    """The result of the first step, which leaves the scene as it is.

    Attributes:
        pool: meshes, with those that the file has now.
        ids: (m,) ids of the file's meshes.
        is_new: (m,) bool: the mesh was not in the file before.
        nodes: (k,) nodes that show meshes of the file, or would.
        names, occurrences: (k,) of these meshes.
        found: (k,) ids of the meshes that the nodes get, or NO_MESH.
        material_ids: (n,) ids of the file's materials.
    """

    pool: Meshes
    ids: np.ndarray
    is_new: np.ndarray
    nodes: np.ndarray
    names: np.ndarray
    occurrences: np.ndarray
    found: np.ndarray
    material_ids: np.ndarray


def _pool_with(old: Meshes, source: int, meshes: MeshBatch) -> tuple[Meshes, np.ndarray, np.ndarray]:
    """Return a pool with the meshes that a file has now, in the order of ids.

    Returns:
        the pool, (m,) ids of the file's meshes, and (m,) bool: the mesh is new.
    """
    of_file = np.flatnonzero(old.rows["source"] == source)
    mixed = Meshes()
    new = np.array(mixed.extend(meshes, source=source))
    ids = old.find(of_file, mixed.rows["name"], mixed.rows["occurrence"])
    is_new = ids < 0
    ids[is_new] = len(old) + np.arange(int(is_new.sum()))
    places = np.full(len(old) + int(is_new.sum()), -1, dtype=np.int64)
    places[ids] = new
    stay = np.flatnonzero(places < 0)
    places[stay] = mixed.copy_of(old, stay)
    mixed.rows["place"][places[np.setdiff1d(of_file, ids)]] = NO_PLACE
    if (places == np.arange(len(places))).all():
        return mixed, ids, is_new
    pool = Meshes()
    pool.copy_of(mixed, places)
    return pool, ids, is_new


def _restore(scene: Scene, ids: np.ndarray, withdrawn: frozenset[int]) -> np.ndarray:
    """Restore nodes that reloading has deleted, with the groups above them that it has deleted, too; return their ids.

    Nodes below one that the user has deleted since stay deleted.
    """
    revived: set[int] = set()
    for node in ids.tolist():
        path = []
        while node >= 0 and not scene.alive[node] and node in withdrawn and node not in revived:
            path.append(node)
            node = int(scene.parents[node])
        if node < 0 or scene.alive[node] or node in revived:
            revived.update(path)
    back = np.array(sorted(revived), dtype=np.int64)
    if len(back):
        scene.set_alive(back, True)
    return back


def _withdraw(scene: Scene, added: np.ndarray, is_edited: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Delete nodes that reloading has added and are empty now, unless somebody has edited, measured or labelled them.

    Args:
        added: (k,) nodes that reloading has added.
    """
    empty = added[scene.alive[added] & (scene.mesh_ids[added] == NO_MESH)]
    if len(empty) == 0:
        return empty
    measured = [anchor.node for measurement in scene.measurements for anchor in measurement.anchors]
    labelled = [label.anchor.node for label in scene.labels]
    empty = empty[~is_edited(empty) & ~np.isin(empty, measured + labelled)]
    withdrawn = np.empty(0, dtype=np.int64)
    while True:
        holding = scene.parents[np.flatnonzero(scene.alive)]
        leaves = empty[scene.alive[empty] & ~np.isin(empty, holding)]
        if len(leaves) == 0:
            return withdrawn
        scene.set_alive(leaves, False)
        withdrawn = np.concatenate([withdrawn, leaves])
