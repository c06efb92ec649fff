"""Tilesets placed in another one: a tileset.json whose tiles are other tilesets, each with a transform.

The same tileset may be placed often. Its files are there once, on disk and in the memory of whoever shows it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from octoscope.scene.formats.tiles.cells import corners_of_box
from octoscope.scene.formats.tiles.description import TilesetDescription
from octoscope.scene.formats.tiles.subtree import TILE_SCHEMA
from octoscope.scene.formats.tiles.tileset import folder_of
from octoscope.scene.system.atomic_file import WriteError, atomic_file

_MOST_PLACED = 2**16


@dataclass(frozen=True, eq=False)
class PlacedTileset:
    """A tileset and its place in another one."""

    path: Path  # of its tileset.json
    outer_from_inner: np.ndarray  # (4, 4) float64, in the frames of 3D Tiles: Z up
    box: np.ndarray  # (12,) float64 around it, in the outer frame, as `cells.box_around` returns it
    error: float  # of showing nothing in its place, world units


def beside_each_other(paths: Sequence[Path], copies: tuple[int, int] = (1, 1)) -> list[PlacedTileset]:
    """Place tilesets where they are in their own frames, and copies of the whole of them side by side on the ground.

    Args:
        copies: how often along X and along Y of a frame with Z up.
    """
    if len(paths) * math.prod(copies) > _MOST_PLACED:
        raise WriteError(f"more than {_MOST_PLACED:,} tilesets would be placed; place fewer in each of several")
    boxes = np.array([_box_of(path) for path in paths])
    lower, upper = _around(boxes)
    size = upper - lower
    placed = []
    for x, y in np.ndindex(copies):
        outer_from_inner = np.eye(4)
        outer_from_inner[:2, 3] = (x, y) * size[:2]
        for path, box in zip(paths, boxes, strict=True):
            moved = np.append(box[:3] + outer_from_inner[:3, 3], box[3:])
            placed.append(PlacedTileset(path, outer_from_inner, moved, float(np.linalg.norm(np.abs(box[3:])) * 2.0)))
    return placed


def _box_of(path: Path) -> np.ndarray:
    """Read the box around all that a tileset shows, (12,) float64 in the frame around it."""
    top = TilesetDescription(path, folder_of(path)).tiles[0]
    return top.box if top.matrix is None or top.is_region else _moved(top.box, top.matrix)


def _around(boxes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the corners, along the axes, of the box around (n, 12) boxes."""
    corners = np.array([corners_of_box(box) for box in boxes])
    return corners[:, 0].min(axis=0), corners[:, 1].max(axis=0)


def write_placed_tilesets(path: Path, placed: Sequence[PlacedTileset]) -> None:
    """Write a tileset.json in which other tilesets, in its folder or below, are placed."""
    lower, upper = _around(np.array([each.box for each in placed]))
    whole = [*((lower + upper) / 2.0).tolist(), *np.diag((upper - lower) / 2.0).ravel().tolist()]
    error = max(float(np.linalg.norm(upper - lower)), *(each.error for each in placed))
    children = [
        {
            # A tile's transform is one of its box and its error, too (3D Tiles 1.1, "Tile transforms").
            "boundingVolume": {"box": _moved(each.box, np.linalg.inv(each.outer_from_inner)).tolist()},
            "transform": each.outer_from_inner.T.ravel().tolist(),
            "geometricError": each.error / float(np.linalg.norm(each.outer_from_inner[:3, :3], axis=0).max()),
            "refine": "REPLACE",
            "content": {"uri": each.path.relative_to(path.parent).as_posix()},
        }
        for each in placed
    ]
    document = {
        "asset": {"version": "1.1", "generator": "Octoscope"},
        "schema": TILE_SCHEMA,  # CesiumJS looks for that of subtrees here alone, also for those of placed tilesets
        "geometricError": error,
        "root": {
            "boundingVolume": {"box": whole},
            "geometricError": error,
            "refine": "REPLACE",
            "children": children,
        },
    }
    with atomic_file(path) as file:
        file.write(json.dumps(document).encode())


def _moved(box: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """Transform a "box" by an affine matrix (4, 4)."""
    linear = matrix[:3, :3]
    return np.concatenate([linear @ box[:3] + matrix[:3, 3], (box[3:].reshape(3, 3) @ linear.T).ravel()])
