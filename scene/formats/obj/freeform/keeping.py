"""Curves and surfaces are written to OBJ files again, as long as their mesh follows its file."""

from __future__ import annotations

import numpy as np

from octoscope.scene.content import FreeForm
from octoscope.scene.formats.obj.collected import Collected
from octoscope.scene.formats.obj.freeform.definitions import Element
from octoscope.scene.mesh.pool import occurrences_of
from octoscope.scene.scene import Scene


def free_form_of_meshes(
    elements: list[tuple[Element, int]], file: Collected, first: np.ndarray, filled: np.ndarray, names: np.ndarray
) -> dict[tuple[str, int], FreeForm | None]:
    """Return the curves and surfaces of a file's meshes, as FileContent has them.

    Args:
        elements: each with the number of its triangles or lines.
        first: (m + 1, 3) as in ObjectTree.
        filled: (m,) bool, of which meshes something was left.
        names: of the meshes of which something was left.
    """
    found: dict[int, list[Element]] = {}
    left = np.diff(first, axis=0).sum(axis=1)
    for element, count in elements:
        if count:
            column = 1 if element.keyword == "curv" else 0
            place = file.events.values[element.event, 1 + column]
            mesh = int(np.searchsorted(first[:, column], place, side="right")) - 1
            found.setdefault(mesh, []).append(element)
            left[mesh] -= count
    if not found:
        return {}
    keys = list(zip(names.tolist(), occurrences_of(names).tolist(), strict=True))
    rows = np.cumsum(filled) - 1
    return {
        keys[rows[mesh]]: FreeForm(
            tuple((each.controls.reshape(-1, each.controls.shape[2]), each.text) for each in of_mesh),
            all(each.is_affine for each in of_mesh),
        )
        if left[mesh] == 0 and all(each.text for each in of_mesh)
        else None
        for mesh, of_mesh in found.items()
        if filled[mesh]
    }


def free_form_of_nodes(scene: Scene, ids: np.ndarray, notes: list[str]) -> dict[int, FreeForm]:
    """Return the curves and surfaces of nodes, in world coordinates, by place in (k,) ids.

    Nodes whose curves and surfaces cannot be written as such are counted in a note.
    """
    found, lost, rows = {}, 0, scene.meshes.rows
    sources = [source for source, loaded in scene.loaded_sources.items() if loaded.free_form]
    for place in np.flatnonzero(np.isin(rows["source"][scene.mesh_ids[ids]], sources)).tolist():
        mesh, matrix = int(scene.mesh_ids[ids[place]]), scene.world_from_local[ids[place]]
        kept = scene.loaded_sources[int(rows["source"][mesh])].free_form
        key = str(rows["name"][mesh]), int(rows["occurrence"][mesh])
        if key in kept:
            placed = _placed(kept[key], matrix)
            begin, count = rows["first_vertex"][mesh], rows["vertex_count"][mesh]
            of_vertices = scene.meshes.vertices["material"][begin : begin + count]
            if placed is None or (scene.material_overrides[ids[place]] < 0 and (of_vertices != of_vertices[0]).any()):
                lost += 1
            else:
                found[place] = placed
    if lost:
        whose = "1 object" if lost == 1 else f"{lost:,} objects"
        notes.append(f"curves and surfaces of {whose} are written as the lines and triangles that are shown")
    return found


def _placed(form: FreeForm | None, matrix: np.ndarray) -> FreeForm | None:
    """Transform control points; None where the surface would not follow them as its triangles do."""
    if form is None or (matrix == np.eye(4)).all():
        return form
    has_normals = any(points.shape[1] in (7, 9) for points, _ in form.parts)
    if has_normals or not form.is_affine or not np.linalg.slogdet(matrix[:3, :3]).sign > 0.0:
        return None
    parts = []
    for points, text in form.parts:
        moved = points.copy()
        with np.errstate(over="ignore", invalid="ignore"):
            moved[:, :3] = points[:, :3] @ matrix[:3, :3].T + matrix[:3, 3]
        if not np.isfinite(moved).all():
            return None
        parts.append((moved, text))
    return form._replace(parts=tuple(parts))


def text_of_free_form(form: FreeForm, heading: str, material: str | None) -> tuple[str, np.ndarray]:
    """Write an object; return also how many v, vt and vn statements it holds, (3,) int64."""
    lines, written = list(filter(None, (heading, material and f"usemtl {material}"))), np.zeros(3, dtype=np.int64)
    for points, text in form.parts:
        width = points.shape[1]
        count = 4 if (points[:, 3] != 1.0).any() else 3
        columns = (0, "v", slice(count)), (1, "vt", slice(4, 6)), (2, "vn", slice(width - 3, width))
        for number, keyword, column in columns:
            if number == 0 or width in ((6, 9), (7, 9))[number - 1]:
                lines += [f"{keyword} {' '.join(map(repr, row))}" for row in points[:, column].tolist()]
                written[number] += len(points)
        lines += text
    return "\n".join(lines) + "\n", written
