"""The materials that nodes show, and how nodes get a colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from octoscope.scene.geometry.colors import colors_of
from octoscope.scene.mesh.material import ARROW_MATERIAL, DEFAULT_MATERIAL, Material
from octoscope.scene.nodes.hierarchy import owners
from octoscope.scene.nodes.material_index import MadeMaterials
from octoscope.scene.nodes.node_table import NodeTable

_FEW_MADE = 1000  # materials that a table made: fewer are not worth a look at which of them nothing shows


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
    of_scalars = ids[np.isin(bases, list(table.color_scales))]
    if len(of_scalars):
        raise ValueError(
            f"{str(table.names[of_scalars[0]])!r} shows scalars, which a colour would tint: leave it out, or take them "
            "off by scene.set_scalars(node, None)"
        )
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
    """Return the ids of materials for nodes or meshes, (m,) int64, after adding those that the scene does not have.

    They take the places of such materials that nothing shows any more. One that has a color scale is its mesh's alone.
    """
    known = table.material_index.ids_of(table.materials, wanted, table.color_scales)
    new = [material for material in dict.fromkeys(wanted) if material not in known]
    if new:
        made = table.made_materials
        if len(new) > len(made.free) and len(made.ids) >= max(made.enough, _FEW_MADE):
            made = _without_unused(table, made, list(known.values()))
            table.material_index.update(table.materials)
        places, free = made.free[: len(new)], made.free[len(new) :]
        ids = places.tolist()
        table.replace_materials(dict(zip(ids, new, strict=False)))
        if len(ids) < len(new):
            ids += table.add_materials(new[len(ids) :])
        table.made_materials = MadeMaterials(np.append(made.ids, ids), free, made.enough)
        table.material_index.update(table.materials, ids)
        known |= dict(zip(new, ids, strict=True))
    return np.array([known[material] for material in wanted], dtype=np.int64)


def keep_materials(table: NodeTable, ids: ArrayLike) -> None:
    """Keep materials in their places because something holds their ids, such as an edit that can be undone."""
    made = table.made_materials
    if len(made.ids):
        table.made_materials = made._replace(ids=made.ids[~np.isin(made.ids, ids)])


def are_used(table: NodeTable, ids: np.ndarray) -> np.ndarray:
    """Return which materials nodes and all meshes refer to: (number of materials,) bool."""
    used = np.zeros(len(table.materials) + 1, dtype=bool)  # one more, for nodes without one of their own
    used[table.meshes.vertices["material"]] = True
    used[table.material_overrides[ids]] = True
    return used[:-1]


def _without_unused(table: NodeTable, made: MadeMaterials, wanted: Sequence[int]) -> MadeMaterials:
    """Drop made materials that nothing shows; ids that are wanted stay."""
    used = are_used(table, np.arange(table.row_count))  # deleted nodes, too: undo restores them
    used[list(wanted)] = True
    is_used = used[made.ids]
    unused = made.ids[~is_used]
    table.replace_materials(dict.fromkeys(unused.tolist(), DEFAULT_MATERIAL))
    return MadeMaterials(made.ids[is_used], np.append(made.free, unused), enough=2 * int(is_used.sum()))
