"""The materials that nodes show, and how nodes get a colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from octoscope.scene.geometry.colors import colors_of
from octoscope.scene.mesh.material import ARROW_MATERIAL, Material
from octoscope.scene.nodes.hierarchy import owners
from octoscope.scene.nodes.node_table import NodeTable


def first_materials(table: NodeTable, ids: np.ndarray) -> np.ndarray:
    """Find the material that each of some nodes with a mesh shows, of several the first vertex's: (k,) int32."""
    meshes, own = table.meshes, table.material_overrides[ids]
    first_vertices = meshes.rows["first_vertex"][table.mesh_ids[ids]]
    return np.where(own >= 0, own, meshes.vertices["material"][first_vertices]).astype(np.int32)


def set_colors(table: NodeTable, ids: ArrayLike, colors: str | ArrayLike) -> None:
    """Give nodes materials of one colour; arguments and errors are those of Scene.set_colors."""
    given = table.checked_ids(ids, alive=True)
    rgba = colors_of(colors, len(given))
    owner = owners(table, given)
    ids = np.flatnonzero((owner >= 0) & table.alive[: len(owner)] & (table.mesh_ids[: len(owner)] >= 0))
    shown = first_materials(table, ids)
    arrows = [number for number in np.unique(shown).tolist() if table.materials[number] == ARROW_MATERIAL]
    ids = ids[~np.isin(shown, arrows) | np.isin(ids, given)]
    set_own_colors(table, ids, rgba if len(rgba) == 1 else rgba[owner[ids]])


def set_own_colors(table: NodeTable, ids: np.ndarray, rgba: np.ndarray) -> None:
    """Give nodes with a mesh materials of one colour, (1, 4) or (k, 4) as `colors_of` returns them."""
    bases = first_materials(table, ids)
    rows = np.column_stack([bases, np.broadcast_to(rgba, (len(ids), 4))])
    kinds, which = np.unique(rows, axis=0, return_inverse=True)
    wanted = []
    for base, red, green, blue, opacity in kinds.tolist():
        material = table.materials[int(base)]
        color = (red, green, blue)
        kept = material.opacity if np.isnan(opacity) else opacity
        wanted.append(replace(material, base_color=color, opacity=kept, base_color_texture=None))
    table.set_materials(ids, found_or_added(table, wanted)[which.ravel()])


def found_or_added(table: NodeTable, wanted: Sequence[Material]) -> np.ndarray:
    """Return the ids of materials, (m,) int64, after adding those that the scene does not have."""
    known = table.material_index.ids_of(table.materials, wanted)
    new = [material for material in dict.fromkeys(wanted) if material not in known]
    known |= dict(zip(new, table.add_materials(new), strict=True))
    return np.array([known[material] for material in wanted], dtype=np.int64)
