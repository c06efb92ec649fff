"""Curves and surfaces are written to OBJ files again, as long as their mesh follows its file."""

from __future__ import annotations

import numpy as np

from octoscope.scene.content import Connection, FreeForm, FreeFormPart, Statements
from octoscope.scene.formats.obj.collected import Collected
from octoscope.scene.formats.obj.freeform.definitions import Element
from octoscope.scene.loaded_source import free_form_of
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
            tuple(_part(each) for each in of_mesh),
            tuple(connection for each in of_mesh for connection in each.connections),
            all(each.is_affine for each in of_mesh),
        )
        if left[mesh] == 0 and all(each.text for each in of_mesh)
        else None
        for mesh, of_mesh in found.items()
        if filled[mesh]
    }


def _part(element: Element) -> FreeFormPart:
    statements = *(curve.statements for curve in element.curves), element.statements
    return FreeFormPart(element.event, element.controls.reshape(-1, element.controls.shape[2]), statements)


def free_form_of_nodes(scene: Scene, ids: np.ndarray, notes: list[str]) -> dict[int, tuple[int, FreeForm]]:
    """Return the curves and surfaces of nodes, in world coordinates, with their source, by place in (k,) ids.

    Nodes whose curves and surfaces cannot be written as such are counted in a note.
    """
    found, lost, rows = {}, 0, scene.meshes.rows
    for place, (source, form) in free_form_of(scene.meshes, scene.loaded_sources, scene.mesh_ids[ids]).items():
        mesh, placed = scene.mesh_ids[ids[place]], _placed(form, scene.world_from_local[ids[place]])
        begin, count = rows["first_vertex"][mesh], rows["vertex_count"][mesh]
        of_vertices = scene.meshes.vertices["material"][begin : begin + count]
        if placed is None or (scene.material_overrides[ids[place]] < 0 and (of_vertices != of_vertices[0]).any()):
            lost += 1
        else:
            found[place] = source, placed
    if lost:
        whose = "1 object" if lost == 1 else f"{lost:,} objects"
        notes.append(f"curves and surfaces of {whose} are written as the lines and triangles that are shown")
    return found


def _placed(form: FreeForm | None, matrix: np.ndarray) -> FreeForm | None:
    """Transform control points; None where the surface would not follow them as its triangles do."""
    if form is None or (matrix == np.eye(4)).all():
        return form
    has_normals = any(part.controls.shape[1] in (7, 9) for part in form.parts)
    sign, logarithm = np.linalg.slogdet(matrix[:3, :3])
    if has_normals or not form.is_affine or not sign > 0.0:
        return None
    scale = float(np.exp(logarithm / 3.0))
    parts = []
    for part in form.parts:
        moved = part.controls.copy()
        with np.errstate(over="ignore", invalid="ignore"):
            moved[:, :3] = moved[:, :3] @ matrix[:3, :3].T + matrix[:3, 3]
        if not np.isfinite(moved).all():
            return None
        *of_curves, own = part.statements
        states = tuple(state._replace(length=state.length * scale) for state in own.states)
        parts.append(part._replace(controls=moved, statements=(*of_curves, own._replace(states=states))))
    return form._replace(parts=tuple(parts))


class FreeFormWriter:
    """Curves and surfaces as text, in the order of a file: statements may hold for all behind them, and refer back."""

    def __init__(self) -> None:
        self._stated = {"mg": "off"}  # what follows a keyword
        # the numbers, from 1, of a surface and its copies, by source and number there
        self._surfaces: dict[tuple[int, int], list[int]] = {}
        self._connections: dict[tuple[int, Connection], None] = {}
        self._count = 0

    def text_of(self, source: int, form: FreeForm, heading: str, material: str | None) -> tuple[str, np.ndarray]:
        """Write an object; return also how many v, vt and vn statements it holds, (3,) int64."""
        lines, written = list(filter(None, (heading, material and f"usemtl {material}"))), np.zeros(3, dtype=np.int64)
        for number, points, statements in form.parts:
            width = points.shape[1]
            count = 4 if (points[:, 3] != 1.0).any() else 3
            columns = (0, "v", slice(count)), (1, "vt", slice(4, 6)), (2, "vn", slice(width - 3, width))
            for row, keyword, column in columns:
                if row == 0 or width in ((6, 9), (7, 9))[row - 1]:
                    lines += [f"{keyword} {' '.join(map(repr, numbers))}" for numbers in points[:, column].tolist()]
                    written[row] += len(points)
            lines += self._lines(statements)
            if "\nsurf " in statements[-1].text:
                self._count += 1
                self._surfaces.setdefault((source, number), []).append(self._count)
        self._connections |= {(source, connection): None for connection in form.connections}
        return "\n".join(lines) + "\n", written

    def connections(self) -> str:
        """Write the connections of all surfaces that are written; of copies the first with the first, and so on."""
        lines = []
        for source, (form, surfaces, curves) in self._connections:
            for numbers in zip(*(self._surfaces.get((source, surface), []) for surface in surfaces), strict=False):
                lines += [*self._lines(curves), form.format(*numbers)]
        return "".join(f"{line}\n" for line in lines)

    def _lines(self, statements: tuple[Statements, ...]) -> list[str]:
        lines = []
        for text, states in statements:
            for keyword, form, length, is_stated in states:
                words = form.format(length)
                if (is_stated or keyword in self._stated) and self._stated.get(keyword) != words:
                    lines.append(f"{keyword} {words}")
                    self._stated[keyword] = words
            lines.append(text)
        return lines
