"""Insertion: what tessellation makes of curves and surfaces is put among the faces and lines of their file.

It stands where the statement of its curve or surface does, so that object, group and material are those of it.
"""

from __future__ import annotations

import numpy as np

from octoscope.scene.formats.obj.block_arrays import FREE_FORM, LINES, WEIGHT
from octoscope.scene.formats.obj.collected import Collected, GrowingArray
from octoscope.scene.formats.obj.freeform.definitions import Definitions, Element
from octoscope.scene.formats.obj.freeform.tessellation import Tessellated, tessellated
from octoscope.scene.mesh.material import LARGEST_FLOAT32
from octoscope.scene.system.read_limits import current_limits
from octoscope.scene.system.report import Problems

_FACE_BYTES, _VERTEX_BYTES = 200, 400  # until the meshes are made, as Collected counts them


def insert_free_form(file: Collected, problems: Problems) -> list[tuple[Element, int]]:
    """Tessellate the curves and surfaces of a file, and put what they become among its own.

    Returns:
        each with the number of its triangles or lines.
    """
    if not (file.events.values[:, 0] == FREE_FORM).any():
        return []

    def report(element: Element, what: str, done: str) -> None:
        problems.report("free-form", f"'{element.keyword}' {what}", done, line=element.line)

    with np.errstate(all="ignore"):  # what is not finite is left out
        definitions = Definitions(file, problems)
    if definitions.are_rational:
        file.faults = {fault: met for fault, met in file.faults.items() if fault[0] != WEIGHT}
    if not definitions.elements:
        return []
    with np.errstate(all="ignore"):
        made = tessellated(definitions.elements, definitions.curves, report)
    is_sound = np.isfinite(np.concatenate([made.positions, made.uvs, made.normals], axis=1)).all(axis=1)
    is_sound &= (np.abs(made.uvs) <= LARGEST_FLOAT32).all(axis=1)
    corners = []
    for element, of_element in zip(definitions.elements, made.corners, strict=True):
        shown = of_element[is_sound[of_element].all(axis=1)]
        if len(shown) < len(of_element):
            report(element, "has points that are no finite numbers", "shown without them")
        corners.append(shown)
    used, rows = np.unique(np.concatenate([shown.ravel() for shown in corners]), return_inverse=True)
    borders = np.cumsum([shown.size for shown in corners])[:-1]
    corners = [part.reshape(-1, shown.shape[1]) for part, shown in zip(np.split(rows, borders), corners, strict=True)]
    made = Tessellated(made.positions[used], made.uvs[used], made.normals[used], corners)
    current_limits().take(_VERTEX_BYTES * len(made.positions) + _FACE_BYTES * sum(map(len, corners)))
    _insert(file, definitions.elements, made)
    return list(zip(definitions.elements, map(len, corners), strict=True))


def _insert(file: Collected, elements: list[Element], made: Tessellated) -> None:
    first = np.array([len(file.positions), len(file.uvs), len(file.normals)])
    for column, rows in ((file.positions, made.positions), (file.uvs, made.uvs), (file.normals, made.normals)):
        column.append(rows.astype(column.values.dtype), 0.0)
    if len(file.colors):
        file.colors.append(np.ones((len(made.positions), 3)), 0.0)
    events, corners = file.events.values, made.corners
    triangles = [(each.event, found) for each, found in zip(elements, corners, strict=True) if found.shape[1] == 3]
    lines = [(each.event, found) for each, found in zip(elements, corners, strict=True) if found.shape[1] == 2]
    if triangles:
        faces = np.concatenate([found for _, found in triangles])
        at = np.repeat(events[[event for event, _ in triangles], 1], [len(found) for _, found in triangles])
        sizes = file.face_sizes.values
        corner_at = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])[at]
        rows = (faces[..., None] + first).reshape(-1, 3).astype(np.int32)
        rows[~made.normals[faces.ravel()].any(axis=1), 2] = -1
        file.corners = GrowingArray.of(np.insert(file.corners.values, np.repeat(corner_at, 3), rows, axis=0))
        file.face_sizes = GrowingArray.of(np.insert(sizes, at, 3))
        jumps = file.jumps.values
        jumps[:, 0] += np.searchsorted(at, jumps[:, 0], side="right")
    if lines:
        ends = np.concatenate([found for _, found in lines])
        at = np.repeat(events[[event for event, _ in lines], 2], [len(found) for _, found in lines])
        file.lines = GrowingArray.of(np.insert(file.lines.values, at, (ends + first[0]).astype(np.int32), axis=0))
        notes = file.element_lines.values
        of_lines = notes[:, 0] == LINES
        notes[of_lines, 1] += np.searchsorted(at, notes[of_lines, 1], side="right")
    for column, chosen in ((1, triangles), (2, lines)):
        further = np.zeros(len(events) + 1, dtype=np.int64)
        for event, found in chosen:
            further[event + 1] += len(found)
        events[:, column] += np.cumsum(further)[:-1]
