"""Tessellation: curves become lines, surfaces triangles; neighbours have the same vertices along their edge."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from octoscope.scene.formats.obj.freeform.axes import Axis
from octoscope.scene.formats.obj.freeform.definitions import Element
from octoscope.scene.formats.obj.freeform.patches import Patches
from octoscope.scene.formats.obj.freeform.refining import Fineness, Mesh, refined, refined_lines
from octoscope.scene.formats.obj.freeform.regions import closed_loop, region_triangles
from octoscope.scene.system.read_limits import current_limits

_WIDEST_GAP = 1e-3  # of a range of parameters, between the ends of curves that make a loop
_AT_LEAST = 2  # parts of a span, so that it is not taken for flat where it is by chance
_CELL_BYTES = 400
_COPIES = 3  # of the polynomials, while they are made
_MOST_CELLS = 2**22

Report = Callable[[Element, str, str], None]


class Tessellated(NamedTuple):
    """The vertices of all surfaces and curves, and of each element its triangles or lines."""

    positions: np.ndarray  # (n, 3) float64
    uvs: np.ndarray  # (n, 2) float64
    normals: np.ndarray  # (n, 3) float64
    corners: list[np.ndarray]  # of each element (t, 3) int64 triangles, or (l, 2) lines


def tessellated(elements: Sequence[Element], curves: Sequence[Element | None], report: Report) -> Tessellated:
    """Tessellate curves and surfaces; `curves` are the 2D ones, `report` is told what an element has wrong."""
    groups: dict[tuple[bool, int, int, int], list[int]] = defaultdict(list)
    for number, element in enumerate(elements):
        groups[element.keyword == "surf", element.u.degree, element.v.degree, element.controls.shape[2]].append(number)
    corners = [np.empty((0, 2), dtype=np.int64)] * len(elements)
    columns: list[list[np.ndarray]] = []
    count = 0
    loops = _Loops(curves)
    for (is_surface, *_), numbers in groups.items():
        group = [elements[number] for number in numbers]
        pieces = sum(len(each.u.firsts) * len(each.v.firsts) for each in group)
        numbers_of_piece = (group[0].u.degree + 1) * (group[0].v.degree + 1) * group[0].controls.shape[2]
        current_limits().take(_COPIES * 8 * pieces * numbers_of_piece)
        patches = Patches([(each.u, each.v) for each in group], [each.controls for each in group])
        fineness = _fineness(group)
        made = _surfaces(patches, group, fineness, loops, report) if is_surface else _lines(patches, group, fineness)
        owners, found, *columns_of_group = made
        columns.append(columns_of_group)
        order = np.argsort(owners, kind="stable")
        borders = np.searchsorted(owners[order], np.arange(len(group) + 1))
        for k, number in enumerate(numbers):
            corners[number] = found[order[borders[k] : borders[k + 1]]] + count
        count += len(columns_of_group[0])
    positions, uvs, normals = (np.concatenate(parts) for parts in zip(*columns, strict=True))
    return Tessellated(positions, uvs, normals, corners)


def _fineness(group: Sequence[Element]) -> Fineness:
    count = len(group)
    distance, length, step_u, step_v = np.full((4, count), np.inf)
    cosine = np.full(count, -2.0)
    for row, element in enumerate(group):
        name, numbers = element.technique.name, [*element.technique.numbers, *element.technique.numbers][:2]
        if name == "cspace":
            length[row] = max(numbers[0], 0.0)
        elif name == "curv":
            distance[row] = max(numbers[0], 0.0)
            cosine[row] = np.cos(np.deg2rad(max(numbers[1], 0.0))) if numbers[1] < 180.0 else -2.0
        else:
            steps = [
                (axis.breaks[-1] - axis.breaks[0]) / len(axis.firsts) / _divisions(axis, resolution)
                for axis, resolution in zip((element.u, element.v), numbers, strict=True)
            ]
            step_u[row], step_v[row] = steps[0], np.inf if element.keyword == "curv" else steps[1]
    return Fineness(distance, length, cosine, step_u, step_v)


def _divisions(axis: Axis, resolution: float) -> int:
    return int(min(max(1.0, np.ceil(resolution * axis.degree)), _MOST_CELLS))


def _parameters(axis: Axis, limits: np.ndarray, element: Element, side: int) -> np.ndarray:
    """Return the parameters from which on a direction is divided: joints, and between those what the file says."""
    low, high = limits.tolist()
    divisions = _AT_LEAST if axis.degree > 1 else 1
    if element.technique.name.startswith("cparm"):
        divisions = _divisions(axis, element.technique.numbers[min(side, len(element.technique.numbers) - 1)])
    if divisions * len(axis.firsts) > _MOST_CELLS:
        current_limits().check(_CELL_BYTES * divisions * len(axis.firsts))
        divisions = max(1, _MOST_CELLS // len(axis.firsts))
    shares = np.arange(divisions) / divisions
    inner = (axis.breaks[:-1, None] + shares * np.diff(axis.breaks)[:, None]).ravel()
    return np.concatenate([[low], inner[(inner > low) & (inner < high)], [high]])


def _lines(patches: Patches, group: Sequence[Element], fineness: Fineness) -> tuple[np.ndarray, ...]:
    """Return the curve of each line, its ends, and positions, texture coordinates and normals of the points."""
    parameters = [_parameters(each.u, each.domain[:2], each, 0) for each in group]
    owners = np.repeat(np.arange(len(group)), [len(each) for each in parameters])
    owners, _, positions = refined_lines(patches, owners, np.concatenate(parameters), fineness)
    first = np.flatnonzero(owners[:-1] == owners[1:])
    zeros = np.zeros((len(positions), 3))
    return owners[first], np.stack([first, first + 1], axis=1), positions, zeros[:, :2], zeros


def _surfaces(
    patches: Patches, group: Sequence[Element], fineness: Fineness, loops: _Loops, report: Report
) -> tuple[np.ndarray, ...]:
    """Return the surface of each triangle, its corners, and positions, texture coordinates and normals of vertices."""
    points, triangles = [], []
    count = 0
    for element in group:
        of_element, cut = _trimmed(element, loops, report) if element.loops else _whole(element)
        triangles.append(cut + count)
        points.append(of_element)
        count += len(of_element)
    owners = np.repeat(np.arange(len(group)), [len(each) for each in points])
    u, v = np.concatenate(points).T
    mesh, found = refined(patches, Mesh(owners, u, v, np.concatenate(triangles)), fineness)
    corners = found.positions[mesh.triangles]
    areas = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    kept = mesh.triangles[areas.any(axis=1)]  # at a pole a side has no length
    return mesh.surfaces[kept[:, 0]], kept, found.positions, found.uvs, found.normals


def _whole(element: Element) -> tuple[np.ndarray, np.ndarray]:
    """Return (p, 2) points of the range of parameters, and (t, 3) triangles, counter-clockwise."""
    u = _parameters(element.u, element.domain[:2], element, 0)
    v = _parameters(element.v, element.domain[2:], element, 1)
    current_limits().check(_CELL_BYTES * len(u) * len(v))
    points = np.stack(np.meshgrid(u, v), axis=-1).reshape(-1, 2)
    numbers = np.arange(len(points)).reshape(len(v), len(u))
    a, b, c, d = numbers[:-1, :-1], numbers[:-1, 1:], numbers[1:, 1:], numbers[1:, :-1]
    return points, np.stack([a, b, c, a, c, d], axis=-1).reshape(-1, 3)


def _trimmed(element: Element, loops: _Loops, report: Report) -> tuple[np.ndarray, np.ndarray]:
    """Return what `_whole` does of what the loops leave: each `trim` is a region, the holes behind it are cut out."""
    low_u, high_u, low_v, high_v = element.domain.tolist()
    border = np.array([(low_u, low_v), (high_u, low_v), (high_u, high_v), (low_u, high_v)])
    regions: list[tuple[np.ndarray, list[np.ndarray]]] = []
    for loop in element.loops:
        parts = [loops.points(*part) for part in loop.parts]
        points, gap = closed_loop([part for part in parts if part is not None] or [border[:1]], element.domain)
        if None in [None if part is None else 0 for part in parts] or len(points) < 3:
            report(element, "has a trimming loop whose curves cannot be used", "shown without it")
            continue
        if gap > _WIDEST_GAP:
            report(element, "has a trimming loop that does not close", "closed by a straight line")
        if loop.keyword == "hole":
            if not regions:
                regions.append((border, []))
            regions[-1][1].append(points)
        else:
            regions.append((points, []))
    if not regions:
        return _whole(element)
    axes = (element.u, element.v)
    steps = np.array([(axis.breaks[-1] - axis.breaks[0]) / len(axis.firsts) / _AT_LEAST for axis in axes])
    found = [region_triangles(outer, holes, steps) for outer, holes in regions]
    before = np.cumsum([0, *(len(points) for points, _ in found)])
    triangles = [cut + first for (_, cut), first in zip(found, before[:-1].tolist(), strict=True)]
    return np.concatenate([points for points, _ in found]), np.concatenate(triangles)


class _Loops:
    """The points of 2D curves."""

    def __init__(self, curves: Sequence[Element | None]) -> None:
        self._curves = curves

    def points(self, begin: float, end: float, number: int) -> np.ndarray | None:
        """Return (n, 2) points of a curve from one parameter to another; None for one that cannot be used."""
        curve = self._curves[number]
        if curve is None or begin == end:
            return None
        low, high = np.clip(sorted((begin, end)), *curve.domain[:2]).tolist()
        if not low < high:
            return None
        patches = Patches([(curve.u, curve.v)], [curve.controls])
        parameters = _parameters(curve.u, np.array([low, high]), curve, 0)
        rows = np.zeros(len(parameters), dtype=np.int64)
        points = refined_lines(patches, rows, parameters, _fineness([curve]))[2][:, :2]
        return points if begin < end else points[::-1]
