"""OBJ files of known content, written as exporters write them, for the benchmarks of reading."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.benchmarks.kernels import write_faces, write_rows

_MATERIALS = 50


@dataclass(frozen=True)
class ObjFile:
    """A file and what is in it."""

    path: Path
    objects: int
    vertices: int
    triangles: int
    area: float  # of all triangles


def write_objects(path: Path, objects: int, rings: int, segments: int) -> ObjFile:
    """Write `count` balls of (2 * rings - 2) * segments triangles, one `o` each, 50 materials, v//vn."""
    positions, quads, caps = _ball(rings, segments)
    triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]], caps])
    places = np.random.default_rng(1).uniform(-1000.0, 1000.0, (objects, 3))
    count = len(positions)
    with path.open("wb") as file:
        _write_materials(file, path)
        for number, place in enumerate(places):
            base = number * count + 1
            file.write(f"o ball_{number:06d}\n".encode())
            file.write(_rows("v", positions + place))
            file.write(_rows("vn", positions))
            file.write(f"usemtl material_{number % _MATERIALS}\ns 1\n".encode())
            file.write(_faces(triangles + base, "//"))
    a, b, c = positions[triangles].swapaxes(0, 1)
    area = objects * float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()) / 2.0
    return ObjFile(path, objects, objects * count, objects * len(triangles), area)


def write_terrain(path: Path, triangles: int, *, polygons: bool = False) -> ObjFile:
    """Write one mesh of about `triangles` triangles, v/vt/vn; with `polygons`, quads and hexagons among them."""
    side = 6 * (int(np.sqrt(triangles / 2.0)) // 6)
    x, z = np.meshgrid(np.linspace(-50.0, 50.0, side + 1), np.linspace(-50.0, 50.0, side + 1))
    positions = np.stack([x, np.sin(x) * np.cos(z), z], axis=2).reshape(-1, 3)
    corner = (np.arange(side)[:, None] * (side + 1) + np.arange(side)).ravel() + 1
    quads = np.stack([corner, corner + side + 1, corner + side + 2, corner + 1], axis=1)
    with path.open("wb") as file:
        _write_materials(file, path)
        file.write(b"o terrain\nusemtl material_0\n")
        file.write(_rows("v", positions))
        file.write(_rows("vt", positions[:, ::2] / 100.0 + 0.5))
        file.write(_rows("vn", np.stack([-np.cos(x), np.ones_like(x), np.sin(z)], axis=2).reshape(-1, 3)))
        if not polygons:
            file.write(_faces(np.concatenate([quads[:, :3], quads[:, [0, 2, 3]]], axis=1).reshape(-1, 3), "/"))
        else:
            # Of six cells in a row two are triangles, two quads, and the last two one hexagon.
            sixes = quads.reshape(-1, 6, 4)
            file.write(_faces(sixes[:, :2][:, :, [0, 1, 2, 0, 2, 3]].reshape(-1, 3), "/"))
            file.write(_faces(sixes[:, 2:4].reshape(-1, 4), "/"))
            file.write(_faces(np.concatenate([sixes[:, 4, :3], sixes[:, 5, 2:], sixes[:, 4, 3:]], axis=1), "/"))
    a, b, c = positions[np.concatenate([quads[:, :3], quads[:, [0, 2, 3]]]) - 1].swapaxes(0, 1)
    area = float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()) / 2.0
    return ObjFile(path, 1, len(positions), 2 * len(quads), area)


def _ball(rings: int, segments: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return positions (n, 3), the quads between the poles, and the triangles at the poles."""
    heights = np.linspace(np.pi, 0.0, rings + 1)[1:-1, None]
    angles = np.arange(segments) * (2.0 * np.pi / segments)
    around = np.stack([np.sin(heights) * np.cos(angles), np.sin(heights) * np.sin(angles)], axis=2)
    grid = np.concatenate([around, np.broadcast_to(np.cos(heights), around.shape[:2])[:, :, None]], axis=2)
    positions = np.concatenate([grid.reshape(-1, 3), [(0.0, 0.0, -1.0), (0.0, 0.0, 1.0)]])
    here = np.arange((rings - 2) * segments)
    after = here // segments * segments + (here + 1) % segments
    quads = np.stack([here, after, after + segments, here + segments], axis=1)
    first = np.arange(segments)
    second = (first + 1) % segments
    last = (rings - 2) * segments
    south, north = len(positions) - 2, len(positions) - 1
    caps = [(np.full(segments, south), second, first), (np.full(segments, north), first + last, second + last)]
    return positions, quads, np.concatenate([np.stack(cap, axis=1) for cap in caps])


def _write_materials(file, path: Path) -> None:
    colors = np.random.default_rng(2).uniform(0.2, 0.9, (_MATERIALS, 3)).round(3).tolist()
    library = "".join(f"newmtl material_{number}\nKd {r} {g} {b}\n" for number, (r, g, b) in enumerate(colors))
    path.with_suffix(".mtl").write_text(library)
    file.write(f"# written to be read\nmtllib {path.with_suffix('.mtl').name}\n".encode())


def _rows(keyword: str, values: np.ndarray) -> memoryview:
    """Return statements of numbers with six decimals."""
    room = np.empty(len(values) * (len(keyword) + 1 + 16 * values.shape[1]), dtype=np.uint8)
    scaled = np.round(values * 1e6).astype(np.int64)
    return room[: write_rows(np.frombuffer(keyword.encode(), dtype=np.uint8), scaled, room)].data


def _faces(corners: np.ndarray, separator: str) -> memoryview:
    """Return faces with one index for the vertex and what follows the separator ("/": twice)."""
    room = np.empty(len(corners) * (2 + 36 * corners.shape[1]), dtype=np.uint8)
    return room[: write_faces(corners, len(separator) == 2, room)].data
