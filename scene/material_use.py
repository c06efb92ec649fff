"""The materials that objects show, and the objects that show a material.

A node has a material of its own for the whole of it, or shows its mesh's, which may be several. A node that shows one
material all over is a user of it, and shares it with the material's other users. Materials are values: equal ones, as
of several files of a kit, are one, and have their users in common.
"""

from __future__ import annotations

from weakref import ref

import numpy as np
from numpy.typing import ArrayLike

from octoscope.scene.mesh.material import DEFAULT_MATERIAL
from octoscope.scene.mesh.pool import Meshes
from octoscope.scene.nodes.coloring import first_materials
from octoscope.scene.scene import Scene

NO_MATERIAL, SEVERAL = -1, -2


class MaterialUse:
    """Finds the users of materials; the materials of meshes are found once and kept."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._meshes: ref[Meshes] = ref(scene.meshes)  # weak: a pool that the scene has no more takes no memory
        self._of_mesh = np.empty(0, dtype=np.int32)
        self._parts = np.empty((0, 2), dtype=np.int64)  # the different pairs of a mesh with several and one of these

    def shown(self, ids: np.ndarray | None = None) -> np.ndarray:
        """Find the (k,) int32 material that each node shows all over: NO_MATERIAL without mesh, SEVERAL of several."""
        scene = self._scene
        own, mesh_ids = scene.material_overrides, scene.mesh_ids
        if ids is not None:
            own, mesh_ids = own[ids], mesh_ids[ids]
        of_mesh = np.append(self._materials_of_meshes(), NO_MATERIAL)[mesh_ids]
        return np.where((own >= 0) & (mesh_ids >= 0), own, of_mesh).astype(np.int32)

    def first(self, ids: np.ndarray) -> np.ndarray:
        """Find the material that each of some nodes with a mesh shows, of several the first vertex's: (k,) int32."""
        return first_materials(self._scene, ids)

    def equal(self, material_ids: ArrayLike) -> np.ndarray:
        """Find the (k,) ids of (m,) materials and of all that are equal, but for those that have colour scales."""
        scene, ids = self._scene, np.array(material_ids, dtype=np.int64)
        wanted = {scene.materials[number] for number in ids.tolist() if number not in scene.color_scales}
        equal = scene.material_index.equal_to(scene.materials, wanted)
        return np.union1d(ids, [number for number in equal if number not in scene.color_scales]).astype(np.int64)

    def users(self, material_ids: np.ndarray, shown: np.ndarray | None = None) -> np.ndarray:
        """Find all nodes that show one of (m,) materials, or an equal one, all over; none of the default one."""
        shown = self.shown() if shown is None else shown
        wanted = np.zeros(len(self._scene.materials) + 2, dtype=bool)
        wanted[[i for i in self.equal(material_ids).tolist() if self._scene.materials[i] != DEFAULT_MATERIAL]] = True
        return np.flatnonzero(wanted[shown]).astype(np.int32)

    def counts(self, ids: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Count the nodes that show each material all over, and those that show it on a part: (materials,) each."""
        shown, mesh_ids = self.shown(ids), self._scene.mesh_ids if ids is None else self._scene.mesh_ids[ids]
        whole = np.bincount(shown[shown >= 0], minlength=len(self._scene.materials))
        of_meshes = np.bincount(mesh_ids[shown == SEVERAL], minlength=len(self._scene.meshes))
        meshes, materials = self._parts.T
        parts = np.bincount(materials, of_meshes[meshes], minlength=len(self._scene.materials))
        return whole, parts.astype(np.int64)

    def first_nodes(self) -> np.ndarray:
        """Find the first node that shows each material, all over or on a part; (materials,), -1: none does."""
        shown, mesh_ids, none = self.shown(), self._scene.mesh_ids, self._scene.row_count
        nodes, several = np.flatnonzero(shown >= 0), np.flatnonzero(shown == SEVERAL)
        of_materials, of_meshes = np.full(len(self._scene.materials), none), np.full(len(self._scene.meshes), none)
        np.minimum.at(of_materials, shown[nodes], nodes)
        np.minimum.at(of_meshes, mesh_ids[several], several)
        meshes, materials = self._parts.T
        np.minimum.at(of_materials, materials, of_meshes[meshes])
        return np.where(of_materials < none, of_materials, -1)

    def showing(self, material_ids: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Find the nodes that show one of (m,) materials, or an equal one, all over, and on a part: (k,) ids each."""
        shown, material_ids = self.shown(), self.equal(material_ids)
        meshes, materials = self._parts.T
        on_part = (shown == SEVERAL) & np.isin(self._scene.mesh_ids, meshes[np.isin(materials, material_ids)])
        return np.flatnonzero(np.isin(shown, material_ids)), np.flatnonzero(on_part)

    def _materials_of_meshes(self) -> np.ndarray:
        """Return the one material of each mesh, or SEVERAL: (m,) int32."""
        meshes = self._scene.meshes
        if meshes is not self._meshes():
            self._meshes, self._of_mesh, self._parts = ref(meshes), self._of_mesh[:0], self._parts[:0]
        done = len(self._of_mesh)
        if done < len(meshes):
            firsts = meshes.rows["first_vertex"][done:]
            materials = meshes.vertices["material"][firsts[0] :]
            least, most = (ufunc.reduceat(materials, firsts - firsts[0]) for ufunc in (np.minimum, np.maximum))
            self._of_mesh = np.concatenate([self._of_mesh, np.where(least == most, least, SEVERAL)]).astype(np.int32)
            changes = np.union1d(firsts, np.flatnonzero(np.diff(materials)) + 1 + firsts[0])
            of_mesh = done + np.searchsorted(firsts, changes, side="right") - 1
            pairs = np.column_stack([of_mesh, materials[changes - firsts[0]]])[self._of_mesh[of_mesh] == SEVERAL]
            self._parts = np.concatenate([self._parts, np.unique(pairs, axis=0)])
        return self._of_mesh
