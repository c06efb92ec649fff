"""The materials of a scene as a list: those that objects show, and those that are kept though none shows them.

Materials are values: equal ones, as of several files, are one row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from octoscope.scene.editing.chosen import checked_nodes, title
from octoscope.scene.editing.edits import Edit, change_nodes, change_scene, combined
from octoscope.scene.material_use import SEVERAL, MaterialUse
from octoscope.scene.mesh.material import DEFAULT_MATERIAL, Material
from octoscope.scene.nodes.coloring import found_or_added
from octoscope.scene.scene import Scene, all_or_nothing

MOST_LISTED = 5_000  # of those that objects show; a scene in which each object has a colour of its own may have more


@dataclass(frozen=True, eq=False)
class MaterialRow:
    """A material of the list."""

    material: Material
    title: str  # as of `material_titles`
    ids: tuple[int, ...] = ()  # its places in Scene.materials; none where no object shows it
    whole: int = 0  # objects that show it all over
    parts: int = 0  # objects that show it on a part of their mesh


def material_rows(scene: Scene, use: MaterialUse) -> list[MaterialRow]:
    """List the materials, sorted by name, without the default one and those of colour scales.

    Of very many, the MOST_LISTED that most objects show are listed.
    """
    whole, parts = use.counts()
    places: dict[Material, list[int]] = {material: [] for material in scene.unused_materials}
    shown = np.flatnonzero(whole + parts)
    if len(shown) > MOST_LISTED:
        shown = shown[np.argsort(-(whole + parts)[shown], kind="stable")[:MOST_LISTED]]
    for number in shown.tolist():
        if number not in scene.color_scales:
            places.setdefault(scene.materials[number], []).append(number)
    places.pop(DEFAULT_MATERIAL, None)
    titles = material_titles(scene, use)
    rows = [
        MaterialRow(
            material, titles.get(material, material.name), tuple(ids), int(whole[ids].sum()), int(parts[ids].sum())
        )
        for material, ids in places.items()
    ]
    return sorted(rows, key=lambda row: (row.material.name.casefold(), row.title))


def material_titles(scene: Scene, use: MaterialUse) -> dict[Material, str]:
    """Return names that tell materials apart: of different ones that are called "texture" one is "texture (2)".

    They are counted in the order of the objects that show them, which stays as it is when a material is edited.
    """
    shown, on_part = use.shown(), use.counts()[1] > 0
    nodes = np.flatnonzero(shown >= 0)[::-1]
    first_nodes = np.where(on_part, scene.row_count, -1)
    first_nodes[shown[nodes]] = nodes
    numbers = np.argsort(first_nodes, kind="stable")[np.count_nonzero(first_nodes < 0) :].tolist()
    listed = [scene.materials[number] for number in numbers if number not in scene.color_scales]
    titles, counts = {}, Counter[str]()
    for material in dict.fromkeys((*listed[:MOST_LISTED], *scene.unused_materials)):
        counts[material.name] += 1
        count = counts[material.name]
        titles[material] = material.name if count == 1 else f"{material.name} ({count})"
    return titles


def assign_material(scene: Scene, ids: ArrayLike, material: Material) -> Edit:
    """Make the edit that has objects show a material all over; what no other object shows becomes an unused one."""
    ids = checked_nodes(scene, ids)
    ids = ids[scene.mesh_ids[ids] >= 0]
    use = MaterialUse(scene)
    ours = np.add(*use.counts(ids))
    left = np.flatnonzero((ours > 0) & (ours == np.add(*use.counts()))).tolist()
    unused = dict.fromkeys(
        (*scene.unused_materials, *(scene.materials[number] for number in left if number not in scene.color_scales))
    )
    unused = {each: None for each in unused if each not in (material, DEFAULT_MATERIAL)}
    (number,) = found_or_added(scene, [material]).tolist()
    label = title(scene, f"Assign {material.name} to", ids)
    edits = change_nodes(scene, ids, material=number), change_scene(scene, unused_materials=unused)
    return combined(scene, label, *edits)


@all_or_nothing
def rename_material(scene: Scene, row: MaterialRow, name: str) -> Edit:
    """Make the edit that gives a material another name, wherever it is shown or kept.

    Objects that show it on a part of their mesh get a copy of the mesh, which projects keep whole.
    """
    renamed = replace(row.material, name=name)
    unused = [renamed if each == row.material else each for each in scene.unused_materials]
    edits = [change_scene(scene, unused_materials=unused)]
    notes = []
    if row.ids:
        (whole, on_part), (number,) = MaterialUse(scene).showing(row.ids), found_or_added(scene, [renamed]).tolist()
        edits.append(change_nodes(scene, whole, material=number))
        meshes = np.unique(scene.mesh_ids[on_part])
        if len(meshes):
            batch = scene.meshes.batch(meshes)
            batch.material_ids[np.isin(batch.material_ids, row.ids)] = number
            copies = np.array(scene.meshes.extend(batch))
            edits.append(change_nodes(scene, on_part, mesh=copies[np.searchsorted(meshes, scene.mesh_ids[on_part])]))
            if (scene.meshes.rows["source"][meshes] >= 0).any():
                notes.append("objects that show it on a part of a mesh no longer follow their file: projects keep them")
    return combined(scene, f"Rename material {row.material.name}", *edits, notes=notes)


def give_materials(
    scene: Scene, use: MaterialUse, ids: np.ndarray, new_ids: Mapping[int, int], *, for_all: bool, label: str
) -> Edit:
    """Make the edit that replaces the materials that some nodes show.

    An object whose mesh has several gets one for the whole of it, in place of that of its first vertex.

    Args:
        new_ids: new material ids, by the id of each material that one of them shows (MaterialUse.first).
        for_all: whether all other users of these materials, and of equal ones, get the new ones too.
    """
    replaced = np.arange(len(scene.materials), dtype=np.int32)
    by_value = {scene.materials[old]: new for old, new in new_ids.items()}
    equal = use.equal(list(new_ids)).tolist() if for_all else []
    replaced[equal] = [by_value[scene.materials[number]] for number in equal]
    replaced[list(new_ids)] = list(new_ids.values())
    bases = use.first(ids)
    if for_all:
        shown = use.shown()
        alone = use.shown(ids) == SEVERAL  # these show it in parts only, and do not share it with its users
        others = use.users(np.unique(bases[~alone]), shown)
        others = others[~np.isin(others, ids)]
        ids, bases = np.concatenate([ids, others]), np.concatenate([bases, shown[others]])
    return change_nodes(scene, ids, label=label, material=replaced[bases])
