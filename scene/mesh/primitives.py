"""Primitives: simple shapes with normals and texture coordinates, facing outward.

All are centred on the origin; those with an axis have it along Y. Round surfaces are shaded smoothly; sharp edges have
a vertex for each side. Vertices at the same point share a source vertex, so that shapes are closed. Sizes are in local
units; texture coordinates cover an image once.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from octoscope.guesses import advises
from octoscope.scene.mesh.data import MeshData
from octoscope.scene.mesh.layout import ALL_EDGES

_MOST_SEGMENTS = 4096


@advises()
def cube(size: float = 1.0) -> MeshData:
    """Make a cube with edges of length `size`; 12 triangles."""
    _require(size=size)
    parts = []
    for axis in range(3):
        for side in (-1.0, 1.0):
            u, v = np.roll(np.eye(3), 1, axis=0)[axis], np.roll(np.eye(3), 2, axis=0)[axis]
            u = u * side
            normal = np.cross(u, v)
            corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
            positions = (normal + corners[:, :1] * u + corners[:, 1:] * v) * size / 2.0
            parts.append((positions, np.tile(normal, (4, 1)), (corners + 1) / 2.0, _quads(1, 1)))
    return _mesh(parts)


@advises()
def plane(size: float = 1.0) -> MeshData:
    """Make a level square that faces up; 2 triangles."""
    _require(size=size)
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    positions = np.stack([corners[:, 0], np.zeros(4), -corners[:, 1]], axis=1) * size / 2.0
    return _mesh([(positions, np.tile((0.0, 1.0, 0.0), (4, 1)), (corners + 1) / 2.0, _quads(1, 1))])


@advises()
def sphere(radius: float = 0.5, segments: int = 32, rings: int = 16) -> MeshData:
    """Make a sphere with `segments` around and `rings` from pole to pole."""
    _require(radius=radius)
    _require_segments(segments, 3)
    _require_segments(rings, 2)
    angles = np.linspace(0.0, np.pi, rings + 1)
    profile = np.stack([_exact(np.sin, angles), -_exact(np.cos, angles)], axis=1)
    return _mesh([_turned(profile * radius, profile, segments)])


@advises()
def cylinder(radius: float = 0.5, height: float = 1.0, segments: int = 32) -> MeshData:
    """Make a cylinder with both ends closed."""
    _require(radius=radius, height=height)
    _require_segments(segments, 3)
    half = height / 2.0
    side = _turned(np.array([(radius, -half), (radius, half)]), np.array([(1.0, 0.0), (1.0, 0.0)]), segments)
    return _mesh([side, _disc(radius, -half, segments, up=False), _disc(radius, half, segments, up=True)])


@advises()
def cone(radius: float = 0.5, height: float = 1.0, segments: int = 32) -> MeshData:
    """Make a cone with its base closed and its tip up."""
    _require(radius=radius, height=height)
    _require_segments(segments, 3)
    half = height / 2.0
    slope = np.array((height, radius)) / np.hypot(height, radius)
    side = _turned(np.array([(radius, -half), (0.0, half)]), np.array([slope, slope]), segments)
    return _mesh([side, _disc(radius, -half, segments, up=False)])


@advises()
def torus(radius: float = 0.375, tube: float = 0.125, segments: int = 48, sides: int = 24) -> MeshData:
    """Make a level ring: a tube of radius `tube` around a circle of radius `radius`."""
    _require(radius=radius, tube=tube)
    if tube > radius:
        raise ValueError("a ring's tube must not be thicker than the ring")
    _require_segments(segments, 3)
    _require_segments(sides, 3)
    angles = np.linspace(-np.pi, np.pi, sides + 1)
    normals = np.stack([_exact(np.cos, angles), _exact(np.sin, angles)], axis=1)
    normals[-1] = normals[0]
    return _mesh([_turned(normals * tube + (radius, 0.0), normals, segments)])


PRIMITIVES: dict[str, Callable[..., MeshData]] = {
    "cube": cube,
    "sphere": sphere,
    "cylinder": cylinder,
    "cone": cone,
    "plane": plane,
    "torus": torus,
}


_Part = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]  # positions, normals, uvs, quads


def _turned(profile: np.ndarray, normals: np.ndarray, segments: int) -> _Part:
    """Sweep a profile around the Y axis; the first and last column of vertices are at the same points.

    Args:
        profile: (p, 2) distances from the axis and heights, upwards.
        normals: (p, 2), as the profile.
    """
    angles = np.linspace(0.0, 2.0 * np.pi, segments + 1)
    around = np.stack([_exact(np.sin, angles), np.zeros(segments + 1), _exact(np.cos, angles)], axis=1)
    around[-1] = around[0]
    up = np.array((0.0, 1.0, 0.0))
    positions = profile[:, None, :1] * around + profile[:, None, 1:] * up
    directions = normals[:, None, :1] * around + normals[:, None, 1:] * up
    steps = np.linalg.norm(np.diff(profile, axis=0), axis=1)
    heights = np.concatenate([[0.0], np.cumsum(steps)]) / steps.sum()
    uvs = np.stack(np.broadcast_arrays(angles / (2.0 * np.pi), heights[:, None]), axis=2)
    return positions.reshape(-1, 3), directions.reshape(-1, 3), uvs.reshape(-1, 2), _quads(len(profile) - 1, segments)


def _disc(radius: float, height: float, segments: int, *, up: bool) -> _Part:
    """Make a level disc about the Y axis, of quads with two corners in the middle; one triangle of each has an area."""
    side = 1.0 if up else -1.0
    profile = np.array([(radius, height), (0.0, height)])[:: int(side)]
    positions, normals, _, quads = _turned(profile, np.array([(0.0, side), (0.0, side)]), segments)
    return positions, normals, positions[:, ::2] * (1.0, -side) / (2.0 * radius) + 0.5, quads


def _quads(rows: int, columns: int) -> np.ndarray:
    """Return the quads of a grid of vertices, row by row: (rows * columns, 4) corners, counter-clockwise."""
    if rows == columns == 1:
        return np.array([(0, 1, 2, 3)])
    first = (np.arange(rows)[:, None] * (columns + 1) + np.arange(columns)).ravel()
    return np.stack([first, first + 1, first + columns + 2, first + columns + 1], axis=1)


def _mesh(parts: list[_Part]) -> MeshData:
    """Combine parts to a mesh without unused vertices; those at the same point share a source vertex."""
    firsts = np.cumsum([0, *(len(part[0]) for part in parts[:-1])])
    positions, normals, uvs = (np.concatenate([part[column] for part in parts]) for column in range(3))
    positions = positions + 0.0  # turns -0 into 0
    quads = np.concatenate([part[3] + first for part, first in zip(parts, firsts, strict=True)])
    _, sources = np.unique(positions, axis=0, return_inverse=True)
    sources = sources.ravel()
    triangles = quads[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3)
    # A quad's triangles leave out the side that they share; at a pole one of them has no area and is left out, and all
    # sides of the other are the polygon's.
    edges = np.tile(np.array((0b011, 0b110), dtype=np.uint8), len(quads))
    corners = sources[triangles]
    flat = (corners == np.roll(corners, 1, axis=1)).any(axis=1)
    partner = np.arange(len(triangles)) ^ 1
    edges[flat[partner]] = ALL_EDGES
    triangles, edges = triangles[~flat], edges[~flat]
    used, numbers = np.unique(triangles, return_inverse=True)
    return MeshData(
        positions[used],
        numbers.reshape(-1, 3).astype(np.int32),
        normals[used].astype(np.float32),
        np.zeros(len(used), dtype=np.int32),
        uvs[used].astype(np.float32),
        source_vertices=np.unique(sources[used], return_inverse=True)[1].astype(np.int32),
        edges=edges,
    )


def _exact(function: Callable[[np.ndarray], np.ndarray], angles: np.ndarray) -> np.ndarray:
    """Compute sine or cosine without the rounding at multiples of a quarter turn: poles are points, not rings."""
    values = function(angles)
    return np.where(np.abs(values) < 1e-15, 0.0, values)


def _require(**sizes: float) -> None:
    for name, size in sizes.items():
        if not 0.0 < size < np.inf:
            raise ValueError(f"a {name} above 0 needed")


def _require_segments(count: int, least: int) -> None:
    if not least <= count <= _MOST_SEGMENTS:
        raise ValueError(f"{least} to {_MOST_SEGMENTS} segments needed")
