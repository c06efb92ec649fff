"""The materials that nodes show, and how nodes get a colour."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from octoscope.scene.geometry.colors import colors_of
from octoscope.scene.geometry.ranges import ranges
from octoscope.scene.mesh.material import ARROW_MATERIAL, DEFAULT_MATERIAL, Material
from octoscope.scene.nodes.hierarchy import owners
from octoscope.scene.nodes.material_index import MadeMaterials
from octoscope.scene.nodes.node_table import NodeTable
from octoscope.scene.nodes.unused_meshes import unused_meshes

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
        known |= dict(zip(new, added_materials(table, new, list(known.values())), strict=True))
    return np.array([known[material] for material in wanted], dtype=np.int64)


def added_materials(table: NodeTable, new: Sequence[Material], kept: Sequence[int] = ()) -> list[int]:
    """Add materials, and return their ids; they take the places of such that nothing shows any more, but not of `kept`.

    They are for nodes or meshes of this table alone: nobody else may hold their ids.
    """
    made = table.made_materials
    if len(new) > len(made.free) and len(made.ids) >= max(made.enough, _FEW_MADE):
        made = _without_unused(table, made, kept)
        table.material_index.update(table.materials)
    ids: list[int] = made.free[: len(new)].tolist()
    table.replace_materials(dict(zip(ids, new, strict=False)))
    if len(ids) < len(new):
        ids += table.add_materials(new[len(ids) :])
    table.made_materials = MadeMaterials(np.append(made.ids, ids), made.free[len(new) :], made.enough)
    table.material_index.update(table.materials, ids)
    return ids


def material_under_scalars(table: NodeTable, node_id: int) -> int:
    """Return the first material of the mesh that a node shows, or that which it had before scalars were shown on it.

    That is white where it is not known.
    """
    first = int(table.meshes.mesh(int(table.mesh_ids[node_id])).material_ids[0])
    if first not in table.color_scales:
        return first
    covered = table.covered_by_scalars.get(first)
    if covered is None:
        return int(found_or_added(table, [table.materials[first]])[0])
    return covered.own_materials.get(node_id, int(covered.material_ids[0]))


def keep_materials(table: NodeTable, ids: ArrayLike) -> None:
    """Keep materials in their places because something holds their ids, such as an edit that can be undone."""
    made = table.made_materials
    if len(made.ids):
        table.made_materials = made._replace(ids=made.ids[~np.isin(made.ids, ids)])


def are_used(table: NodeTable, ids: ArrayLike) -> np.ndarray:
    """Return which materials nodes refer to, and all meshes that are not `unused_meshes`: (materials,) bool."""
    used = np.zeros(len(table.materials) + 1, dtype=bool)  # one more, for nodes without one of their own
    rows, is_shown = table.meshes.rows, np.ones(len(table.meshes), dtype=bool)
    is_shown[unused_meshes(table)] = False
    meshes = np.flatnonzero(is_shown)  # np.setdiff1d would import numpy.ma, which takes 15 ms
    vertices = ranges(rows["first_vertex"][meshes], rows["vertex_count"][meshes])
    used[table.meshes.vertices["material"][vertices]] = True
    used[table.material_overrides[np.asarray(ids, dtype=np.int64)]] = True
    return used[:-1]


def drop_scales(table: NodeTable, ids: Set[int]) -> None:
    """Drop the color scales of materials that nothing shows, and what these had covered."""
    if not ids.isdisjoint(table.color_scales):
        table.color_scales = {key: kept for key, kept in table.color_scales.items() if key not in ids}
        table.covered_by_scalars = {key: kept for key, kept in table.covered_by_scalars.items() if key not in ids}


def _without_unused(table: NodeTable, made: MadeMaterials, wanted: Sequence[int]) -> MadeMaterials:
    """Drop made materials that nothing shows, with their color scales; ids that are wanted stay."""
    used = are_used(table, np.arange(table.row_count))  # deleted nodes, too: undo restores them
    used[list(wanted)] = True
    is_used = used[made.ids]
    unused = made.ids[~is_used]
    table.replace_materials(dict.fromkeys(unused.tolist(), DEFAULT_MATERIAL))
    drop_scales(table, set(unused.tolist()))
    return MadeMaterials(made.ids[is_used], np.append(made.free, unused), enough=2 * int(is_used.sum()))
