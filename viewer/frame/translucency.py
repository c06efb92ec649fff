"""Translucency: which objects may be seen through."""

from __future__ import annotations

import numpy as np

from octoscope.scene import Material, Meshes, Scene

_OPAQUE = 255  # of a vertex's colour


class Translucency:
    """Finds the translucent objects of a scene.

    An object is translucent if one of its materials has an opacity below 1 or a texture with such texels, or if one of
    its vertices has such a colour. Results are kept until materials or meshes change.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._materials_key: tuple[int, int] | None = None  # count and revision
        self._of_materials = np.empty(0, dtype=bool)
        self._meshes: Meshes | None = None
        self._meshes_key: tuple[int, bytes] | None = None  # count of meshes, and the translucent materials
        self._colors_of_meshes = self._of_meshes = np.empty(0, dtype=bool)

    def of(self, node_ids: np.ndarray) -> np.ndarray:
        """Return which nodes are translucent.

        Args:
            node_ids: (k,) int32 nodes with a mesh.

        Returns:
            (k,) bool.
        """
        scene = self._scene
        self._update_materials()
        self._update_meshes()
        if not (self._of_materials.any() or self._colors_of_meshes.any()):
            return np.zeros(len(node_ids), dtype=bool)
        mesh_ids, overrides = scene.mesh_ids[node_ids], scene.material_overrides[node_ids]
        by_material = np.where(overrides >= 0, self._of_materials[overrides], self._of_meshes[mesh_ids])
        return by_material | self._colors_of_meshes[mesh_ids]

    def _update_materials(self) -> None:
        materials = self._scene.materials
        key = len(materials), self._scene.materials_revision
        if key != self._materials_key:
            self._of_materials = np.fromiter(map(is_translucent, materials), dtype=bool, count=len(materials))
            self._materials_key = key

    def _update_meshes(self) -> None:
        meshes = self._scene.meshes
        if meshes is not self._meshes:  # the scene has another pool
            self._meshes, self._meshes_key, self._colors_of_meshes = meshes, None, np.empty(0, dtype=bool)
        key = len(meshes), self._of_materials.tobytes()
        if key == self._meshes_key:
            return
        self._meshes_key = key
        firsts = meshes.rows["first_vertex"]
        done = len(self._colors_of_meshes)
        if done < len(meshes):
            colors = meshes.vertices["color"][firsts[done] :, 3] < _OPAQUE
            new = np.logical_or.reduceat(colors, firsts[done:] - firsts[done])
            self._colors_of_meshes = np.concatenate([self._colors_of_meshes, new])
        if self._of_materials.any():
            self._of_meshes = np.logical_or.reduceat(self._of_materials[meshes.vertices["material"]], firsts)
        else:
            self._of_meshes = np.zeros(len(meshes), dtype=bool)


def is_translucent(material: Material) -> bool:
    """Return whether something may be seen through a surface of a material."""
    texture = material.base_color_texture
    return material.opacity < 1.0 or (texture is not None and not texture.is_opaque)
