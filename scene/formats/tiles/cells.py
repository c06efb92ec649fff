"""Cells of the octree of a tileset, in the frame of 3D Tiles: Z up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from octoscope.octree.layout.morton import decode_3d, encode_3d

DEEPEST_LEVEL = 20  # of a cell; three times as many bits and one more fit in 64
LARGEST_NUMBER = 1e100  # of a box or an error that is read: its square is finite
_MARGIN = 2e-6  # of a box, as a share of half its size: contents are float32, off by half of that at most


def filled_in(template: str, level: int, *cell: int) -> str:
    """Put the level and coordinates of a tile into a template URI such as "{level}/{x}/{y}/{z}.glb"."""
    for name, value in zip(("level", "x", "y", "z"), (level, *cell), strict=False):
        template = template.replace(f"{{{name}}}", str(value))
    return template


class Tile(NamedTuple):
    """A tile's place in the octree."""

    level: int  # 0 is the root
    x: int  # cells of the level from the root's lowest corner
    y: int  # cells of the level from the root's lowest corner
    z: int  # cells of the level from the root's lowest corner

    @property
    def morton(self) -> int:
        """The Morton code among the tiles of its level."""
        return int(encode_3d(self.x, self.y, self.z))

    @classmethod
    def of(cls, level: int, morton: int) -> Tile:
        """Return the tile of a Morton code on a level."""
        x, y, z = decode_3d(morton)
        return cls(level, int(x), int(y), int(z))

    @property
    def parent(self) -> Tile:
        """The tile above."""
        return Tile(self.level - 1, self.x >> 1, self.y >> 1, self.z >> 1)

    def ancestor(self, level: int) -> Tile:
        """Return the tile on a coarser level that contains this one; on its own level, this tile."""
        up = self.level - level
        return Tile(level, self.x >> up, self.y >> up, self.z >> up)

    def placed_in(self, template: str) -> str:
        """Put the tile into a template URI such as "{level}/{x}/{y}/{z}.glb"."""
        return filled_in(template, *self)


@dataclass(frozen=True, eq=False)
class Root:
    """The root cell, a cube."""

    lower: np.ndarray  # (3,) float64 its lowest corner, in the frame of 3D Tiles
    size: float  # of its edges

    @classmethod
    def around(cls, lower: np.ndarray, upper: np.ndarray) -> Root:
        """Return a cube around a box in a scene's frame, Y up; (3,) each."""
        corners = tiles_from_scene(np.stack([lower, upper]))
        middle = corners.mean(axis=0)
        size = float((corners.max(axis=0) - corners.min(axis=0)).max())
        # A little larger than needed, so that no box within leads outside; and of a size, also around a single point.
        size = size * (1.0 + 4.0 * _MARGIN) + float(np.abs(middle).max()) * 1e-12 or 1.0
        return cls(middle - size / 2.0, size)

    def corners(self) -> tuple[np.ndarray, np.ndarray]:
        """Return lower and upper corner, (3,), scene frame, Y up, of the root without margin: skirts stay inside."""
        x, y, z = self.lower
        lower, margin = np.array([x, z, -y - self.size]), self.size * _MARGIN
        return lower + margin, lower + self.size - margin

    def codes_of(self, points: np.ndarray, level: int) -> np.ndarray:
        """Return the Morton codes, (n,) int64, of the cells of a level nearest to (n, 3) points of the scene."""
        scaled = (tiles_from_scene(points) - self.lower) / self.size * 2.0**level
        cells = np.clip(np.floor(scaled), 0, 2**level - 1).astype(np.int64)
        return np.asarray(encode_3d(*cells.T))


def tiles_from_scene(points: np.ndarray) -> np.ndarray:
    """Turn (n, 3) points from a scene's frame, Y up, to that of 3D Tiles, Z up, as every program turns contents."""
    x, y, z = points.T  # as `turn_between` does it, without products
    return np.stack([x, -z, y], axis=1)


def box_around(lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
    """Return the (12,) "box" of 3D Tiles around a box in a scene's frame, with a margin for what is rounded."""
    corners = tiles_from_scene(np.stack([lower, upper]))
    low, high = corners.min(axis=0), corners.max(axis=0)
    half = high / 2.0 - low / 2.0
    return np.concatenate([low / 2.0 + high / 2.0, np.diag(half + half.max() * _MARGIN).ravel()])


def corners_of_box(box: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the lower and upper corner of a "box" along the axes, in the frame of 3D Tiles."""
    half = np.abs(box[3:].reshape(3, 3)).sum(axis=0)
    return box[:3] - half, box[:3] + half
