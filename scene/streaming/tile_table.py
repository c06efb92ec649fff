"""TileTable: the tiles of a tileset as arrays, with their boxes in the world of a scene.

A tile's content is one mesh, as hundreds of objects that are a few pixels each would cost more than they tell. Each of
the finest tiles has a further one below it, which shows the same objects one by one when they are seen from near.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from scene.formats.gltf.document import file_beside
from scene.formats.tiles.cells import Tile
from scene.formats.tiles.placed_tilesets import PlacedTileset, read_placed_tilesets
from scene.formats.tiles.tileset import read_tileset_file
from scene.geometry.affine import factorize
from scene.geometry.ranges import ranges
from scene.system.text_file import ReadError, printable
from scene.up_axis import UpAxis
from scene.upright import turn_between

NO_CONTENT = -1
_WHOLE_PIXELS = 300.0  # across a tile, up to which it is shown as one mesh: of a thousand objects each has ten pixels
_DEEPEST = 8  # of tilesets in tilesets
_MOST_TILES = 2**22  # of all placed tilesets together: some hundred bytes each


@dataclass(frozen=True, eq=False)
class TileTable:
    """Tiles in columns: parents before children, and the children of one tile behind each other.

    Attributes:
        parents: (n,) int32, -1 for the topmost, which is the first alone.
        first_children: (n,) int32 the first child of each; meaningless without any.
        child_counts: (n,) int32.
        centers: (n, 3) float64 of boxes along the world's axes.
        halves: (n, 3) float64 half their edges.
        errors: (n,) float64, world units, as TileFacts has them, but no less than a share of the tile's size.
        contents: (n,) int32 row in `files`, NO_CONTENT for a tile that shows nothing.
        placements: (n,) int32 row in `world_from_content`.
        names: (n,) StringDType, for people.
        files: of the contents; tilesets that are placed several times share them.
        is_by_object: (c,) bool: the content is a mesh for each object of the file, and else one mesh of all.
        file_bytes: (c,) int64 their sizes; 0 where there is none.
        world_from_content: (p, 4, 4) float64.
    """

    parents: np.ndarray
    first_children: np.ndarray
    child_counts: np.ndarray
    centers: np.ndarray
    halves: np.ndarray
    errors: np.ndarray
    contents: np.ndarray
    placements: np.ndarray
    names: np.ndarray
    files: list[Path]
    is_by_object: np.ndarray
    file_bytes: np.ndarray
    world_from_content: np.ndarray

    def __len__(self) -> int:
        return len(self.parents)

    def children_of(self, tiles: np.ndarray) -> np.ndarray:
        """Return the children of (k,) tiles, those of one behind those of the one before; int64."""
        return ranges(self.first_children[tiles], self.child_counts[tiles])


class _Rows(NamedTuple):
    """Tiles of a tileset, or of one tile above others, in its own frame."""

    depths: np.ndarray
    parents: np.ndarray
    centers: np.ndarray
    edges: np.ndarray  # (n, 3, 3) half of each, as vectors
    errors: np.ndarray
    contents: np.ndarray
    names: np.ndarray


def read_tile_table(path: Path, *, up_axis: UpAxis = "y") -> TileTable:
    """Read which tiles a tileset has, and none of their contents.

    Args:
        path: of tileset.json: an implicit octree, as `octoscope tiles` writes it, or one in which such are placed.
        up_axis: of the scene.

    Returns:
        the tiles.

    Raises:
        ReadError: missing or broken files, tilesets of another kind, too many tiles.
    """
    reading = _Reading()
    # A tileset's frame has Z up.
    world_from_tiles = np.eye(4)
    world_from_tiles[:3, :3] = turn_between("z", up_axis)
    reading.add(path, world_from_tiles, -1, 0)
    return reading.table()


class _Reading:
    """Tilesets that are read, and placed in the world."""

    def __init__(self) -> None:
        self._root: Path | None = None
        self._known: dict[Path, _Rows] = {}  # implicit octrees
        self._placed_in: dict[Path, list[PlacedTileset] | None] = {}  # by file; None: it is an implicit octree
        self._contents: dict[tuple[Path, bool], int] = {}  # by file, and whether by object
        self._blocks: list[tuple[_Rows, np.ndarray, int]] = []  # and world_from_tiles, and the row of the parent
        self._count = 0

    def add(self, path: Path, world_from_tiles: np.ndarray, parent: int, depth: int) -> None:
        """Add a tileset below a tile, with all that is placed in it."""
        self._root = self._root or path
        if path not in self._placed_in:
            self._placed_in[path] = read_placed_tilesets(path)
        placed = self._placed_in[path]
        if placed is None:
            if path not in self._known:
                self._known[path] = self._octree(path)
            rows = self._known[path]
            self._place(rows._replace(depths=rows.depths + depth), world_from_tiles, parent)
            return
        if depth >= _DEEPEST:
            raise ReadError(f"{printable(path)}: more than {_DEEPEST} tilesets in each other; place them in one")
        lower = np.min([each.box[:3] - np.abs(each.box[3:].reshape(3, 3)).sum(axis=0) for each in placed], axis=0)
        upper = np.max([each.box[:3] + np.abs(each.box[3:].reshape(3, 3)).sum(axis=0) for each in placed], axis=0)
        box = np.concatenate([lower / 2.0 + upper / 2.0, np.diag(upper / 2.0 - lower / 2.0).ravel()])
        top = self._count
        self._place(
            _Rows(
                np.array([depth]),
                np.array([-1]),
                box[None, :3],
                box[None, 3:].reshape(1, 3, 3),
                np.array([max(each.error for each in placed)]),
                np.array([NO_CONTENT]),
                np.array([printable(path.parent.name)], dtype=np.dtypes.StringDType()),
            ),
            world_from_tiles,
            parent,
        )
        if factorize(np.array([each.outer_from_inner[:3, :3] for each in placed])).sheared.any():
            raise ReadError(f"{printable(path)}: a transform in it shears, which no object can; make it again")
        for each in placed:
            self.add(each.path, world_from_tiles @ each.outer_from_inner, top, depth + 1)

    def _place(self, rows: _Rows, world_from_tiles: np.ndarray, parent: int) -> None:
        self._count += len(rows.parents)
        if self._count > _MOST_TILES:
            raise ReadError(f"{printable(str(self._root))}: more than {_MOST_TILES:,} tiles; open a part of it")
        self._blocks.append((rows, world_from_tiles, parent))

    def _octree(self, path: Path) -> _Rows:
        """Read an implicit octree."""
        tileset = read_tileset_file(path)
        tiles = sorted(tileset.tiles, key=lambda tile: (tile.level, tile.morton))
        rows = {tile: row for row, tile in enumerate(tiles)}
        parents = [rows[tile.parent] if tile.level else -1 for tile in tiles]
        leaves = [rows[tile] for tile in tileset.leaves if tileset.tiles[tile].has_content]
        of_rows = [*range(len(tiles)), *leaves]  # the second time one by one
        is_by_object = np.arange(len(of_rows)) >= len(tiles)
        facts = [tileset.tiles[tiles[row]] for row in of_rows]
        boxes = np.array([each.box for each in facts])
        edges = boxes[:, 3:].reshape(-1, 3, 3)
        errors = np.array([each.error for each in facts])
        least = 2.0 * np.linalg.norm(edges.sum(axis=1), axis=1) / _WHOLE_PIXELS
        contents = [
            self._content(file_beside(path, tiles[row].placed_in(tileset.content_template)), by_object=by_object)
            if each.has_content
            else NO_CONTENT
            for row, each, by_object in zip(of_rows, facts, is_by_object.tolist(), strict=True)
        ]
        return _Rows(
            np.array([tiles[row].level for row in of_rows]) + is_by_object,
            np.array(parents + leaves),
            boxes[:, :3],
            edges,
            np.where(is_by_object, errors, np.maximum(errors, least)),
            np.array(contents),
            np.array([_name(tiles[row]) for row in of_rows], dtype=np.dtypes.StringDType()),
        )

    def _content(self, path: Path, *, by_object: bool) -> int:
        return self._contents.setdefault((path, by_object), len(self._contents))

    def table(self) -> TileTable:
        """Return all tiles that were added."""
        counts = [len(rows.parents) for rows, _, _ in self._blocks]
        firsts = np.cumsum(counts) - counts
        parents = np.concatenate(
            [
                np.where(rows.parents < 0, parent, rows.parents + first)
                for (rows, _, parent), first in zip(self._blocks, firsts.tolist(), strict=True)
            ]
        )
        # By depth: the tilesets of one parent were added behind each other, and so their topmost tiles stay.
        order = np.argsort(np.concatenate([rows.depths for rows, _, _ in self._blocks]), kind="stable")
        places = np.empty(len(order), dtype=np.int64)
        places[order] = np.arange(len(order))
        parents = parents[order]
        parents = np.where(parents < 0, -1, places[parents]).astype(np.int32)
        child_counts = np.bincount(parents[parents >= 0], minlength=len(parents)).astype(np.int32)
        first_children = np.zeros(len(parents), dtype=np.int32)
        with_parent = np.flatnonzero(parents >= 0)[::-1]
        first_children[parents[with_parent]] = with_parent  # the lowest is written last
        centers, halves, errors = [], [], []
        for rows, world_from_tiles, _ in self._blocks:
            linear = world_from_tiles[:3, :3]
            centers.append(rows.centers @ linear.T + world_from_tiles[:3, 3])
            halves.append(np.abs(rows.edges @ linear.T).sum(axis=1))
            errors.append(rows.errors * np.linalg.norm(linear, axis=0).max())
        tiles_from_content = np.eye(4)
        tiles_from_content[:3, :3] = turn_between("y", "z")
        files = [path for path, _ in self._contents]
        return TileTable(
            parents,
            first_children,
            child_counts,
            np.concatenate(centers)[order],
            np.concatenate(halves)[order],
            np.concatenate(errors)[order],
            np.concatenate([rows.contents for rows, _, _ in self._blocks]).astype(np.int32)[order],
            np.repeat(np.arange(len(counts), dtype=np.int32), counts)[order],
            np.concatenate([rows.names for rows, _, _ in self._blocks])[order],
            files,
            np.array([by_object for _, by_object in self._contents], dtype=np.bool_),
            np.array([_size_of(file) for file in files], dtype=np.int64),
            np.array([world_from_tiles @ tiles_from_content for _, world_from_tiles, _ in self._blocks]),
        )


def _name(tile: Tile) -> str:
    return f"tile {tile.level}/{tile.x}/{tile.y}/{tile.z}"


def _size_of(path: Path) -> int:
    try:
        return os.path.getsize(path)
    except OSError:  # reading it says so, if it is ever needed
        return 0
