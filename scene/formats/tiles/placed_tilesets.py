"""Tilesets placed in another one: a tileset.json whose tiles are other tilesets, each with a transform.

The same tileset may be placed often. Its files are there once, on disk and in the memory of whoever shows it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from scene.formats.gltf.document import file_beside
from scene.formats.tiles.cells import LARGEST_NUMBER
from scene.formats.tiles.tileset import read_tileset_json

_MOST_PLACED = 2**16


@dataclass(frozen=True, eq=False)
class PlacedTileset:
    """A tileset and its place in another one.

    Attributes:
        path: of its tileset.json.
        outer_from_inner: (4, 4) float64, in the frames of 3D Tiles: Z up.
        box: (12,) float64 around it, in the outer frame, as `cells.box_around` returns it.
        error: of showing nothing in its place, world units.
    """

    path: Path
    outer_from_inner: np.ndarray
    box: np.ndarray
    error: float


def read_placed_tilesets(path: Path) -> list[PlacedTileset] | None:
    """Read the tilesets that are placed in another one.

    Args:
        path: of tileset.json.

    Returns:
        the tilesets; None: the file is a tileset of another kind, such as an implicit octree.

    Raises:
        ReadError: missing, no JSON, or it names files that are not below its folder.
    """
    document = read_tileset_json(path)
    try:
        top = document["root"]
        described = [
            (
                child["content"]["uri"],
                np.array(child.get("transform", np.eye(4).T.ravel()), dtype=np.float64),
                np.array(child["boundingVolume"]["box"], dtype=np.float64),
                float(child["geometricError"]),
            )
            for child in top["children"]
        ]
        suits = 0 < len(described) <= _MOST_PLACED and "content" not in top and "transform" not in top
        for uri, transform, box, error in described:
            numbers = np.concatenate([transform, box, [error]])
            suits &= str(uri).endswith(".json") and len(transform) == 16 and len(box) == 12
            suits &= bool((np.abs(numbers) < LARGEST_NUMBER).all())
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    if not suits:
        return None
    return [
        PlacedTileset(file_beside(path, uri), transform.reshape(4, 4).T, box, error)
        for uri, transform, box, error in described
    ]


def write_placed_tilesets(path: Path, placed: Sequence[PlacedTileset]) -> None:
    """Write a tileset.json in which other tilesets are placed.

    Args:
        path: of the file.
        placed: one or more, whose files are in the folder of `path` or below.
    """
    boxes = np.array([each.box for each in placed])
    reach = np.abs(boxes[:, 3:].reshape(-1, 3, 3)).sum(axis=1)
    lower, upper = (boxes[:, :3] - reach).min(axis=0), (boxes[:, :3] + reach).max(axis=0)
    whole = [*((lower + upper) / 2.0).tolist(), *np.diag((upper - lower) / 2.0).ravel().tolist()]
    error = max(float(np.linalg.norm(upper - lower)), *(each.error for each in placed))
    children = [
        {
            "boundingVolume": {"box": each.box.tolist()},
            "transform": each.outer_from_inner.T.ravel().tolist(),
            "geometricError": each.error,
            "refine": "REPLACE",
            "content": {"uri": each.path.relative_to(path.parent).as_posix()},
        }
        for each in placed
    ]
    document = {
        "asset": {"version": "1.1", "generator": "Octoscope"},
        "geometricError": error,
        "root": {
            "boundingVolume": {"box": whole},
            "geometricError": error,
            "refine": "REPLACE",
            "children": children,
        },
    }
    path.write_text(json.dumps(document), encoding="utf-8")
