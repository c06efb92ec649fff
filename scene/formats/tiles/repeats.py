"""Repeats: which objects of a tileset show the same mesh, and where; copies of it in one tile are stored once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from octoscope.scene.geometry.affine import factorize
from octoscope.scene.geometry.ranges import unique_rows
from octoscope.scene.merging.merged_geometry import MergedGeometry
from octoscope.scene.mesh.data import MeshData

_FEWEST = 3  # copies in a tile for which their mesh is stored once
_LEAST_SAVED = 64  # vertices: a mesh of its own has a head of some hundred bytes
_ROUNDING = 1e-7  # of a mesh's size: how far a vertex of a copy may be from where its matrix puts it
_NORMAL_ROUNDING = 1e-3


@dataclass(frozen=True, eq=False)
class Repeats:
    """Objects whose mesh other objects show too, in columns (r,)."""

    objects: np.ndarray  # int64 their numbers, ascending
    meshes: np.ndarray  # int64 the number of each one's mesh
    matrices: np.ndarray  # (r, 3, 4) float64 world_from_mesh, Y up

    @classmethod
    def of(cls, objects: np.ndarray, meshes: np.ndarray, matrices: np.ndarray) -> Repeats:
        """Choose those of (n,) objects, ascending, whose mesh at least _FEWEST show; arguments as the attributes."""
        _, numbers, counts = np.unique(meshes, return_inverse=True, return_counts=True)
        rows = np.flatnonzero(counts[numbers] >= _FEWEST)
        return cls(objects[rows].astype(np.int64), meshes[rows].astype(np.int64), matrices[rows, :3].copy())

    @classmethod
    def none(cls) -> Repeats:
        """Return that no mesh is repeated."""
        return cls(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty((0, 3, 4)))

    @classmethod
    def joined(cls, parts: Sequence[Repeats], first_objects: Sequence[int]) -> Repeats:
        """Put those of several sources together, whose objects begin at some numbers."""
        meshes, first_mesh = [], 0
        for part in parts:
            meshes.append(part.meshes + first_mesh)
            first_mesh += int(part.meshes.max(initial=-1)) + 1
        return cls(
            np.concatenate([part.objects + first for part, first in zip(parts, first_objects, strict=True)]),
            np.concatenate(meshes),
            np.concatenate([part.matrices for part in parts]),
        )

    def rows_of(self, objects: np.ndarray) -> np.ndarray:
        """Return the row of each of (k,) objects, or -1."""
        if len(self.objects) == 0:
            return np.full(len(objects), -1)
        rows = np.minimum(np.searchsorted(self.objects, objects), len(self.objects) - 1)
        return np.where(self.objects[rows] == objects, rows, -1)


class Copies(NamedTuple):
    """Objects of a tile that show the same."""

    mesh: MeshData  # in its own frame
    objects: np.ndarray  # (m,) int32
    translations: np.ndarray  # (m, 3) float64, world
    rotations: np.ndarray  # (m, 4) unit quaternions x, y, z, w
    scales: np.ndarray  # (m, 3)


def without_copies(geometry: MergedGeometry, repeats: Repeats) -> tuple[MergedGeometry, list[Copies]]:
    """Take objects out of a geometry that are copies of one mesh, as they are in it: cut off parts are missing."""
    shown = np.unique(geometry.objects)
    rows = repeats.rows_of(shown)
    if np.count_nonzero(rows >= 0) < _FEWEST:
        return geometry, []
    geometry = geometry.by_object()
    firsts, counts = np.unique(geometry.objects, return_index=True, return_counts=True)[1:]
    # Of each kind of element, where those of each object begin, and where the last end.
    borders = [
        np.searchsorted(geometry.objects[elements[:, 0]], np.append(shown, shown[-1] + 1))
        for elements in geometry.elements
    ]
    factors = factorize(repeats.matrices[rows, :, :3])
    usable = (rows >= 0) & ~factors.sheared & (np.linalg.det(repeats.matrices[rows, :, :3]) > 0.0)
    candidates = np.flatnonzero(usable)
    kinds = [repeats.meshes[rows], counts, geometry.material_ids[firsts], *(np.diff(each) for each in borders)]
    _, kind_of = unique_rows(*(column[candidates] for column in kinds))
    copies = []
    is_copy = np.zeros(len(shown), dtype=np.bool_)
    for kind in range(int(kind_of.max(initial=-1)) + 1):
        members = candidates[kind_of == kind]
        vertices = int(counts[members[0]])
        if len(members) < _FEWEST or (len(members) - 1) * vertices < _LEAST_SAVED:
            continue
        mesh, same = _compared(geometry, firsts[members], vertices, repeats.matrices[rows[members]], borders, members)
        members = members[same]
        if len(members) < _FEWEST:
            continue
        is_copy[members] = True
        copies.append(
            Copies(
                mesh,
                shown[members],
                repeats.matrices[rows[members], :, 3],
                factors.rotations[members],
                factors.scales[members],
            )
        )
    if not copies:
        return geometry, []
    stays = ~is_copy[np.searchsorted(shown, geometry.objects)]
    kept = [elements[stays[elements[:, 0]]] for elements in geometry.elements]
    return geometry.with_elements(*kept), copies


def _compared(
    geometry: MergedGeometry,
    firsts: np.ndarray,
    vertices: int,
    matrices: np.ndarray,
    borders: list[np.ndarray],
    members: np.ndarray,
) -> tuple[MeshData, np.ndarray]:
    """Return the first of some objects as a mesh in its own frame, and which of them, (m,) bool, are copies of it.

    Args:
        geometry: sorted by object.
        firsts: (m,) the first vertex of each object.
        matrices: (m, 3, 4) world_from_mesh.
        borders: of each kind of element, where those of each object of the geometry begin.
        members: (m,) which of these objects; all have as many elements.
    """
    rows = firsts[:, None] + np.arange(vertices)
    linear = matrices[:, :, :3]
    columns = geometry.mesh_columns(rows)
    inverses = np.linalg.inv(linear)
    positions = np.einsum("mij,mvj->mvi", inverses, columns.pop("positions") - matrices[:, None, :, 3])
    size = np.ptp(positions[0], axis=0).max()
    normals = np.einsum("mji,mvj->mvi", linear, columns.pop("normals").astype(np.float64))
    lengths = np.linalg.norm(normals, axis=2, keepdims=True)
    normals = np.divide(normals, lengths, out=np.zeros_like(normals), where=lengths > 0.0)
    same = (np.abs(positions - positions[0]) <= _ROUNDING * size).all(axis=(1, 2))
    same &= (np.abs(normals - normals[0]) <= _NORMAL_ROUNDING).all(axis=(1, 2))
    for column in columns.values():
        same &= (column == column[0]).reshape(len(members), -1).all(axis=1)
    elements = []
    for of_kind, border in zip(geometry.elements, borders, strict=True):
        count = border[members[0] + 1] - border[members[0]]
        own = of_kind[border[members][:, None] + np.arange(count)] - firsts[:, None, None]
        same &= (own == own[0]).all(axis=(1, 2))
        elements.append(own[0].astype(np.int32))
    columns = {name: column[0] for name, column in columns.items()}
    columns |= {"positions": positions[0], "normals": normals[0].astype(np.float32)}
    mesh = MeshData(**columns, triangles=elements[0], lines=elements[1], points=elements[2][:, 0])
    return mesh, same
