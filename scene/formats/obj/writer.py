"""Write a scene to an OBJ file and its .mtl file, in world coordinates: OBJ has no transforms and no instances."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import pairwise
from operator import itemgetter
from pathlib import Path
from typing import BinaryIO

import numpy as np

from octoscope.guesses import advises
from octoscope.scene.bake import baked
from octoscope.scene.formats.export import (
    ExportedNodes,
    exported_nodes,
    is_moved,
    nodes_to_bake,
    note_left_out,
    require_ending,
    tell,
)
from octoscope.scene.formats.mtl.writer import as_in_mtl, check_mtl_path, write_mtl
from octoscope.scene.formats.obj.freeform.keeping import FreeFormWriter, free_form_of_nodes
from octoscope.scene.formats.obj.text import text_of
from octoscope.scene.geometry.ranges import index_in
from octoscope.scene.mesh.material import DEFAULT_MATERIAL, Material
from octoscope.scene.scene import Scene
from octoscope.scene.system.atomic_file import WriteError, WriteProgress, atomic_file
from octoscope.scene.system.paths import StrPath
from octoscope.scene.system.unique_names import UniqueNames

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_ODD = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]|^$|^\s|\s$|\\$", re.MULTILINE)
_UNNAMED = "unnamed"
_HEADING = "# Written by Octoscope in world coordinates: OBJ has no transforms.\n"
_ELEMENTS_AT_ONCE = 2**16  # vertices and triangles whose text is made at a time; parts of that block other threads


@advises()
def write_obj(scene: Scene, path: StrPath, *, progress: WriteProgress | None = None) -> list[str]:
    """Write a scene as Wavefront OBJ, with an .mtl file beside it; return a line for each thing that it cannot hold.

    Every node with a mesh is an object (`o`) of its own, with positions and normals in world coordinates; groups (`g`)
    of an object that were read from an OBJ file become groups again. Vertices keep the order of their file, each
    written once; numbers are the shortest that read back equal. Polygons are polygons again, and free-form curves and
    surfaces are such again, unless their mesh was edited. A file that this function wrote, read and written again, is
    the same, byte for byte.

    Raises:
        WriteError: nothing to write, or the .mtl file belongs to somebody else.
    """
    require_ending(path, ".obj")
    notes: list[str] = []
    nodes = exported_nodes(scene)
    ids = nodes_to_bake(scene, nodes, notes)
    materials, row_of_material = _materials(scene, ids, notes)
    library = Path(path).with_suffix(".mtl")
    heading = _HEADING
    if materials:
        check_mtl_path(library)
        heading += f"mtllib {obj_names(np.array([library.name], dtype=np.dtypes.StringDType()))[0][0]}\n"
    note_left_out(scene, nodes, notes)
    _note_losses(scene, ids, notes)
    headings = _headings(scene, nodes, ids, notes)
    free_form, free_form_writer = free_form_of_nodes(scene, ids, notes), FreeFormWriter()

    def write(file: BinaryIO) -> None:
        file.write(heading.encode())
        written = np.zeros(3, dtype=np.int64)
        for first, end in _batches(scene, ids, free_form):
            tell(progress, first / len(ids))
            batch = baked(scene, ids[first:end])
            if not np.isfinite(batch.positions).all():
                raise WriteError("an object's coordinates are out of range; scale it down")
            material_rows = row_of_material[batch.material_ids]
            if first in free_form:
                material = list(materials)[material_rows[0]] if material_rows[0] >= 0 else None
                text, further = free_form_writer.text_of(*free_form[first], headings[first], material)
            else:
                text, further = text_of(batch, headings[first:end], material_rows, list(materials), written)
            file.write(text.encode())
            written += further
        file.write(free_form_writer.connections().encode())
        if materials:  # after the OBJ, which may be too large for the disk, and before that replaces the old file
            file.flush()
            write_mtl(materials, library)

    with atomic_file(path) as file:
        write(file)
    return notes


def _batches(scene: Scene, ids: np.ndarray, alone: Collection[int]) -> list[tuple[int, int]]:
    """Cut `ids` into ranges of not much more than _ELEMENTS_AT_ONCE; those at some places are `alone`."""
    rows, mesh = scene.meshes.rows, scene.mesh_ids[ids]
    sizes = sum(rows[f"{element}_count"][mesh] for element in ("vertex", "triangle", "line", "point"))
    batch = (np.cumsum(sizes) - sizes) // _ELEMENTS_AT_ONCE
    bounds = {0, *(np.flatnonzero(np.diff(batch)) + 1).tolist(), len(ids), *alone, *(place + 1 for place in alone)}
    return list(pairwise(sorted(bounds)))


def _materials(scene: Scene, ids: np.ndarray, notes: list[str]) -> tuple[dict[str, Material], np.ndarray]:
    """Return the materials in use by name, equal ones once, and the index of each of the scene's among them.

    Where all of the scene is in the default material these are none, and -1.
    """
    overrides = scene.material_overrides[ids]
    shown = np.zeros(len(scene.meshes), dtype=np.bool_)
    shown[scene.mesh_ids[ids[overrides < 0]]] = True
    used = np.unique(np.concatenate([overrides[overrides >= 0], *_first_materials(scene, shown)])).tolist()
    rows = np.full(len(scene.materials), -1)
    if all(scene.materials[number] == DEFAULT_MATERIAL for number in used):
        return {}, rows
    different = list(dict.fromkeys(scene.materials[number] for number in used))
    by_name = dict(sorted(zip(material_names(different), different, strict=True), key=itemgetter(0)))
    row_of = {material: row for row, material in enumerate(by_name.values())}
    rows[used] = [row_of[scene.materials[number]] for number in used]
    return as_in_mtl(by_name, notes), rows


def _first_materials(scene: Scene, shown: np.ndarray) -> list[np.ndarray]:
    """Find the materials of the first corners of all elements of the meshes that are shown, (m,) bool."""
    rows, pool = scene.meshes.rows, scene.meshes.vertices["material"]
    found = []
    for element, corners in (
        ("triangle", scene.meshes.triangles["corners"][:, 0]),
        ("line", scene.meshes.lines["ends"][:, 0]),
        ("point", scene.meshes.points["vertex"]),
    ):
        counts = rows[f"{element}_count"]
        chosen = np.repeat(shown, counts)
        found.append(np.unique(pool[(np.repeat(rows["first_vertex"], counts) + corners)[chosen]]))
    return found


def _note_losses(scene: Scene, ids: np.ndarray, notes: list[str]) -> None:
    if is_moved(scene, ids):
        notes.append("transforms are baked into the vertices: OBJ has none")
    shared = len(ids) - len(np.unique(scene.mesh_ids[ids]))
    if shared:
        copies = "1 copy of a shared mesh is" if shared == 1 else f"{shared:,} copies of shared meshes are"
        notes.append(f"{copies} written in full: OBJ has no instances")
    used = np.unique(scene.mesh_ids[ids])
    chosen = np.zeros(len(scene.meshes), dtype=np.bool_)
    chosen[used] = True
    is_chosen, vertices = np.repeat(chosen, scene.meshes.rows["vertex_count"]), scene.meshes.vertices
    if "second_uv" in vertices.names and vertices["second_uv"][is_chosen].any():
        notes.append("second texture coordinates of vertices are left out: OBJ has one set of them")
    opacities = vertices["color"][:, 3][is_chosen]
    if (opacities < 255).any():
        notes.append("opacities of vertices are left out: OBJ has none")


def _headings(scene: Scene, nodes: ExportedNodes, ids: np.ndarray, notes: list[str]) -> list[str]:
    """Write the `o` and `g` statements that begin each of these nodes.

    A node directly below one at the top whose mesh came from an OBJ file is a group of it, as the file had it. All
    others are objects: programs take those for separate things, not groups.
    """
    own = index_in(nodes.ids, scene.row_count)[ids]
    above = nodes.parents[own]
    at_second_level = (above >= 0) & (nodes.parents[above] < 0)
    from_obj = np.array([source.suffix.lower() == ".obj" for source in scene.sources] + [False])
    is_group = at_second_level & from_obj[scene.meshes.rows["source"][scene.mesh_ids[ids]]]
    names, changed = obj_names(scene.names[nodes.ids])
    if changed:
        notes.append(f"{changed:,} names are changed: an OBJ name is one line without blanks at its ends")
    objects = np.where(is_group, above, own)
    begins = np.concatenate([[True], objects[1:] != objects[:-1]]) | ~is_group
    found = [f"o {names[index]}" if begin else "" for index, begin in zip(objects.tolist(), begins, strict=True)]
    groups = np.flatnonzero(is_group).tolist()
    follows = is_group & np.roll(is_group, 1) & ~begins
    group_names, numbered = _told_apart([names[own[index]] for index in groups], follows[groups].tolist())
    if numbered:
        notes.append(f"{numbered:,} names get a number: a repeated name continues the earlier group in an OBJ")
    for index, name in zip(groups, group_names, strict=True):
        found[index] = f"{found[index]}\ng {name}".lstrip("\n")
    kept = np.zeros(len(nodes.ids), dtype=np.bool_)
    kept[own] = kept[objects] = True
    lost = int((~kept).sum())
    if lost:
        notes.append(f"{lost:,} names of nodes without a mesh are left out: OBJ has no tree")
    return found


def _told_apart(names: list[str], follows: list[bool]) -> tuple[list[str], int]:
    """Make names of groups differ where one `follows` one that it repeats; return them, and how many are changed."""
    told: list[str] = []
    number = 1
    for i, (name, follow) in enumerate(zip(names, follows, strict=True)):
        number = number + 1 if follow and name == names[i - 1] else 1
        written = name if number == 1 else f"{name}_{number}"
        while follow and written == told[-1]:
            number += 1
            written = f"{name}_{number}"
        told.append(written)
    return told, sum(old != new for old, new in zip(names, told, strict=True))


def obj_names(names: np.ndarray) -> tuple[list[str], int]:
    """Change names that an OBJ file cannot hold; return the names, and how many are changed.

    Line breaks and other control characters, blanks at the ends, and a backslash at the end, which would continue the
    line, become underscores; an empty name becomes 'unnamed'.
    """
    found = names.tolist()
    joined = "\n".join(found)
    if joined.count("\n") == len(found) - 1 and not _ODD.search(joined):
        return found, 0
    changed = [_obj_name(name) for name in found]
    return changed, sum(old != new for old, new in zip(found, changed, strict=True))


def material_names(materials: list[Material]) -> list[str]:
    """Make a unique name for each material: those that are taken get a number."""
    wanted, _ = obj_names(np.array([material.name for material in materials], dtype=np.dtypes.StringDType()))
    return list(map(UniqueNames(numbered="{}_{}".format).take, wanted))


def _obj_name(name: str) -> str:
    name = _CONTROL.sub("_", name)
    inner = name.strip()
    begin = len(name) - len(name.lstrip())
    name = "_" * begin + inner + "_" * (len(name) - begin - len(inner)) if inner else "_" * len(name)
    return (name[:-1] + "_" if name.endswith("\\") else name) or _UNNAMED
