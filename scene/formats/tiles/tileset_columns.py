"""TilesetColumns: the tiles of one tileset.json as arrays, in its own frame."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from octoscope.scene.formats.tiles.description import GATE, TilesetDescription
from octoscope.scene.formats.tiles.tables.metadata import Metadata
from octoscope.scene.formats.tiles.volumes import TILES_FROM_CONTENT
from octoscope.scene.geometry.ranges import ranges
from octoscope.scene.system.report import Problem

_WHOLE_PIXELS = 300.0  # across a tile, up to which it is shown as one mesh: of a thousand objects each has ten pixels


class TileFiles(NamedTuple):
    """The files of a content, and what they are."""

    files: tuple[Path, ...]
    is_by_object: bool = False  # the content is a mesh for each object of the file, and else one mesh of all
    is_tileset: bool = False  # another tileset, whose tiles take the place of the tile
    is_z_up: bool = False  # as for `read_contents`


@dataclass(frozen=True, eq=False)
class TilesetColumns:
    """Tiles in columns, the topmost first: parents before children, and the children of one behind each other."""

    path: Path
    parents: np.ndarray  # (n,) int64
    first_children: np.ndarray  # (n,) int64 the first child of each; meaningless without any
    child_counts: np.ndarray  # (n,) int64
    centers: np.ndarray  # (n, 3) of boxes
    edges: np.ndarray  # (n, 3, 3) half of each, as vectors
    is_region: np.ndarray  # (n,) bool: centres and edges are in the frame of the Earth
    errors: np.ndarray  # (n,) in the units of each tile, or GATE
    is_added: np.ndarray
    contents: list[TileFiles | None]
    placements: np.ndarray  # (n,) int64 row in `frames`
    names: np.ndarray
    metadata: np.ndarray
    frames: np.ndarray  # (p, 4, 4) from tiles to where the tileset is placed, both turned to Y up as contents are
    may_be_on_earth: bool  # whether it may be placed in the frame of the Earth
    own_metadata: list[Metadata]  # what is said of the tileset
    problems: list[Problem]

    def __len__(self) -> int:
        return len(self.parents)

    @property
    def middle(self) -> np.ndarray:
        """The (3,) middle of the topmost tile in the frame around the file, Z up."""
        if self.is_region[0]:
            return self.centers[0]
        matrix = TILES_FROM_CONTENT @ self.frames[self.placements[0]] @ TILES_FROM_CONTENT.T
        return matrix[:3, :3] @ self.centers[0] + matrix[:3, 3]


def read_columns(path: Path, folder: Path, *, by_object: bool) -> TilesetColumns:
    """Read which tiles a tileset.json has, without those of tilesets that it places.

    Args:
        folder: which all of its files are in.
        by_object: each of the finest tiles has a further one below it, which shows its objects one by one.
    """
    described = TilesetDescription(path, folder)
    tiles = described.tiles
    inner = {tile.parent for tile in tiles}
    count = len(tiles)
    shown = [row for row, tile in enumerate(tiles) if tile.contents and not tile.is_placed]
    leaves = [row for row in shown if by_object and row not in inner]
    frames, placements = [np.eye(4)], [0] * count
    for row, tile in enumerate(tiles):
        placements[row] = 0 if tile.parent < 0 else placements[tile.parent]
        if tile.matrix is not None:
            with np.errstate(over="ignore", invalid="ignore"):  # who places them tells
                frames.append(frames[placements[row]] @ (TILES_FROM_CONTENT.T @ tile.matrix @ TILES_FROM_CONTENT))
            placements[row] = len(frames) - 1
    parents = np.array([*(tile.parent for tile in tiles), *leaves])
    order, child_counts = _by_level(parents)
    numbers = np.argsort(order)
    rows = np.array([*range(count), *leaves])[order]  # of those that are described, some for the second time
    is_further = order >= count
    edges = np.array([tile.box[3:] for tile in tiles]).reshape(-1, 3, 3)[rows]
    errors = np.array([tile.error for tile in tiles])[rows]
    if by_object:
        least = 2.0 * np.linalg.norm(edges.sum(axis=1), axis=1) / _WHOLE_PIXELS
        errors = np.where(is_further | (errors == GATE), errors, np.maximum(errors, least))
    is_added = np.array([tile.is_added for tile in tiles])[rows]
    is_added[numbers[leaves]] = False  # the further tile shows the same
    metadata = np.empty(count, dtype=object)
    metadata[:] = [tile.metadata or None for tile in tiles]  # tuples, of which np.array would make rows
    shown_again = ((tiles[row], by_object) for row, by_object in zip(rows.tolist(), is_further.tolist(), strict=True))
    return TilesetColumns(
        path,
        np.append(-1, numbers[parents[order[1:]]]),
        1 + np.cumsum(child_counts) - child_counts,
        child_counts,
        np.array([tile.box[:3] for tile in tiles])[rows],
        edges,
        np.array([tile.is_region for tile in tiles])[rows],
        errors,
        is_added,
        [
            TileFiles(tile.contents, by_object, tile.is_placed, described.is_z_up) if tile.contents else None
            for tile, by_object in shown_again
        ],
        np.array(placements)[rows],
        np.array([tile.name for tile in tiles], dtype=np.dtypes.StringDType())[rows],
        metadata[rows],
        np.array(frames),
        described.may_be_on_earth,
        described.metadata,
        list(described.problems),
    )


def _by_level(parents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the order of tiles from the topmost down, (n,), and how many children each has in that order."""
    counts = np.bincount(parents[1:], minlength=len(parents))
    below = np.argsort(parents[1:], kind="stable") + 1
    starts = np.cumsum(counts) - counts
    levels = [np.array([0])]
    while len(level := levels[-1]):
        levels.append(below[ranges(starts[level], counts[level])])
    order = np.concatenate(levels)
    return order, counts[order]
