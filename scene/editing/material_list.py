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
from octoscope.scene.system.unique_names import UniqueNames

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
    """Return titles of materials that share a name: of different ones that are called "texture" one is "texture (2)".

    They are counted in the order of the objects that show them, which stays as it is when a material is edited.
    """
    first_nodes = use.first_nodes()
    numbers = np.argsort(first_nodes, kind="stable")[np.count_nonzero(first_nodes < 0) :].tolist()
    listed = [scene.materials[number] for number in numbers if number not in scene.color_scales]
    listed += scene.unused_materials
    counts = Counter(material.name for material in listed)
    names = UniqueNames(name for name, count in counts.items() if count == 1)
    different = dict.fromkeys(material for material in listed if counts[material.name] > 1)
    return {material: names.take(material.name) for material in different}


def free_material_names(scene: Scene, use: MaterialUse) -> UniqueNames:
    """Return names for further materials: such as no material and no title has."""
    names = (material.name for material in (*scene.used_materials, *scene.unused_materials))
    return UniqueNames((*names, *material_titles(scene, use).values()))


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
def rename_material(scene: Scene, material: Material, name: str) -> Edit:
    """Make the edit that gives a material another name, wherever it is shown or kept.

    Objects that show it on a part of their mesh get a copy of the mesh, which projects keep whole.
    """
    use, renamed = MaterialUse(scene), replace(material, name=name)
    unused = [renamed if each == material else each for each in scene.unused_materials]
    edits = [change_scene(scene, unused_materials=unused)]
    equal = scene.material_index.equal_to(scene.materials, {material})
    ids = [number for number in equal if number not in scene.color_scales]
    whole, on_part = use.showing(ids)
    if len(whole) or len(on_part):
        (number,) = found_or_added(scene, [renamed]).tolist()
        edits.append(change_nodes(scene, whole, material=number))
        edits.append(_on_parts(scene, on_part, dict.fromkeys(ids, number)))
    return combined(scene, f"Rename material {material.name}", *edits)


def _on_parts(scene: Scene, nodes: np.ndarray, new_ids: Mapping[int, int]) -> Edit:
    """Make the edit that gives nodes copies of their meshes with other materials, `new_ids` by those of now."""
    meshes = np.unique(scene.mesh_ids[nodes])
    if not len(meshes):
        return Edit("", ())
    batch = scene.meshes.batch(meshes)
    batch.material_ids[:] = _replaced(scene, new_ids)[batch.material_ids]
    copies = np.array(scene.meshes.extend(batch))
    edit = change_nodes(scene, nodes, mesh=copies[np.searchsorted(meshes, scene.mesh_ids[nodes])])
    follows = (scene.meshes.rows["source"][meshes] >= 0).any()
    note = "objects that show it on a part of a mesh no longer follow their file: projects keep them"
    return replace(edit, notes=(note, *edit.notes) if follows else edit.notes)


def _replaced(scene: Scene, new_ids: Mapping[int, int]) -> np.ndarray:
    """Return the material in place of each, `new_ids` by id or the same: (materials,) int32."""
    replaced = np.arange(len(scene.materials), dtype=np.int32)
    replaced[list(new_ids)] = list(new_ids.values())
    return replaced


@all_or_nothing
def give_materials(
    scene: Scene, use: MaterialUse, ids: np.ndarray, new_ids: Mapping[int, int], *, for_all: bool, label: str
) -> Edit:
    """Make the edit that replaces materials that some nodes show, all over or on a part of their mesh.

    Nodes with several get copies of their meshes, which projects keep whole.

    Args:
        new_ids: new material ids, by the id of each material that is replaced.
        for_all: whether all other users of the materials that some node shows all over, and of equal ones, get the new
            ones too.
    """
    if for_all:
        plain = [old for old in new_ids if old not in scene.color_scales]
        by_value = {scene.materials[old]: new_ids[old] for old in plain}
        new_ids = {old: by_value[scene.materials[old]] for old in use.equal(plain).tolist()} | dict(new_ids)
    shown, olds = use.shown(), list(new_ids)
    whole, parts = ids[np.isin(shown[ids], olds)], ids[shown[ids] == SEVERAL]
    if for_all:
        whole = np.union1d(whole, use.users(np.unique(shown[whole]), shown))
    parts = parts[np.isin(parts, use.showing(olds)[1])]
    edit = change_nodes(scene, whole, material=_replaced(scene, new_ids)[shown[whole]])
    return combined(scene, label, edit, _on_parts(scene, parts, new_ids))
