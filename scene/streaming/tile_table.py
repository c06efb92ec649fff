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

from octoscope.scene.formats.gltf.document import file_beside
from octoscope.scene.formats.tiles.cells import LARGEST_NUMBER, Tile
from octoscope.scene.formats.tiles.placed_tilesets import PlacedTileset, read_placed_tilesets
from octoscope.scene.formats.tiles.tileset import read_tileset_file
from octoscope.scene.geometry.affine import Factors, factorize
from octoscope.scene.geometry.ranges import ranges
from octoscope.scene.system.text_file import ReadError, printable
from octoscope.scene.up_axis import UpAxis
from octoscope.scene.upright import turn_between

NO_CONTENT = -1
_WHOLE_PIXELS = 300.0  # across a tile, up to which it is shown as one mesh: of a thousand objects each has ten pixels
_DEEPEST = 8  # of tilesets in tilesets
_MOST_TILES = 2**22  # of all placed tilesets together: some hundred bytes each
_CHUNK = 2**16  # tiles that are placed in the world at once: their matrices are there for each


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
        world_from_content: (p, 4, 4) float64; none shears.
        rotations: (p, 4) float64 unit quaternions x, y, z, w of these.
        scales: (p, 3) float64 of these.
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
    rotations: np.ndarray
    scales: np.ndarray

    def __len__(self) -> int:
        return len(self.parents)

    def children_of(self, tiles: np.ndarray) -> np.ndarray:
        """Return the children of (k,) tiles, those of one behind those of the one before; int64."""
        return ranges(self.first_children[tiles], self.child_counts[tiles])


class _Tiles(NamedTuple):
    """The tiles of one tileset.json, in its own frame, the topmost first."""

    parents: np.ndarray
    centers: np.ndarray
    edges: np.ndarray  # (n, 3, 3) half of each, as vectors
    errors: np.ndarray
    contents: np.ndarray
    names: np.ndarray


@dataclass(frozen=True)
class _Tileset:
    """One tileset.json: tiles, and the tilesets that are placed below the first of them.

    Attributes:
        first: row of its first tile among those of all files.
        tiles: its own; one alone where others are placed below it.
        placed: their numbers among all files, none in an implicit octree.
        outer_from_inner: (p, 4, 4) float64 their places.
        height: of how many files that place others there are in each other, from this one down.
        count: of the tiles that it comes to with all that is placed in it.
    """

    first: int
    tiles: _Tiles
    placed: np.ndarray
    outer_from_inner: np.ndarray
    height: int
    count: int


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
    # A tileset's frame has Z up.
    world_from_tiles = np.eye(4)
    world_from_tiles[:3, :3] = turn_between("z", up_axis)
    files = _Files(path)
    return files.table(files.read(path, 0), world_from_tiles)


class _Files:
    """The files of a tileset, each read once however often it is placed.

    Tiles are counted file by file, from the innermost to the outermost, before one is made for each place: a few
    kilobytes can place tilesets in each other a billion times.

    Args:
        root: of tileset.json, for messages.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._numbers: dict[Path, int] = {}
        self._begun: set[Path] = set()  # those that others are being read for
        self._tilesets: list[_Tileset] = []
        self._contents: dict[tuple[Path, bool], int] = {}  # by file, and whether by object
        self._count = 0  # of the tiles of all files, each once

    def read(self, path: Path, depth: int) -> int:
        """Read a file and those that it places.

        Args:
            path: of the file.
            depth: of how many others it is in.

        Returns:
            its number.
        """
        number = self._numbers.get(path)
        if number is None:
            if path in self._begun:
                raise ReadError(f"{printable(path)}: is placed in itself, maybe by others in it; remove that place")
            placed = read_placed_tilesets(path)
            if placed is not None and depth >= _DEEPEST:
                raise _too_deep(path)
            self._begun.add(path)
            tileset = self._octree(path) if placed is None else self._of_others(path, placed, depth)
            self._begun.remove(path)
            number = self._numbers[path] = len(self._tilesets)
            self._tilesets.append(tileset)
            self._count += len(tileset.tiles.parents)
            if max(self._count, tileset.count) > _MOST_TILES:
                raise ReadError(
                    f"{printable(self._root)}: more than {_MOST_TILES:,} tiles; open the tilesets in it one by one"
                )
        if depth + self._tilesets[number].height > _DEEPEST:
            raise _too_deep(path)
        return number

    def _of_others(self, path: Path, placed: list[PlacedTileset], depth: int) -> _Tileset:
        """Read a tileset in which others are placed."""
        matrices = np.array([each.outer_from_inner for each in placed])
        boxes = np.array([each.box for each in placed])
        reach = np.abs(boxes[:, 3:].reshape(-1, 3, 3)).sum(axis=1)
        lower, upper = (boxes[:, :3] - reach).min(axis=0), (boxes[:, :3] + reach).max(axis=0)
        top = _Tiles(
            np.array([-1]),
            (lower / 2.0 + upper / 2.0)[None],
            np.diag(upper / 2.0 - lower / 2.0)[None],
            np.array([max(each.error for each in placed)]),
            np.array([NO_CONTENT]),
            np.array([printable(path.parent.name)], dtype=np.dtypes.StringDType()),
        )
        numbers = [self.read(each.path, depth + 1) for each in placed]
        below = [self._tilesets[number] for number in numbers]
        return _Tileset(
            self._count,
            top,
            np.array(numbers),
            matrices,
            1 + max(each.height for each in below),
            1 + sum(each.count for each in below),
        )

    def _octree(self, path: Path) -> _Tileset:
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
        made = _Tiles(
            np.array(parents + leaves),
            boxes[:, :3],
            edges,
            np.where(is_by_object, errors, np.maximum(errors, least)),
            np.array(contents),
            np.array([_name(tiles[row]) for row in of_rows], dtype=np.dtypes.StringDType()),
        )
        none = np.empty(0, dtype=np.int64)
        return _Tileset(self._count, made, none, np.empty((0, 4, 4)), 0, len(of_rows))

    def _content(self, path: Path, *, by_object: bool) -> int:
        return self._contents.setdefault((path, by_object), len(self._contents))

    def table(self, number: int, world_from_tiles: np.ndarray) -> TileTable:
        """Make a tile of each tile of each place of a file in the world, level by level."""
        files = self._tilesets
        starts, below, steps = _children(files)
        worlds = _Worlds(
            world_from_tiles, np.concatenate([np.eye(4)[None], *(each.outer_from_inner for each in files)])
        )
        tile, placement, parents = np.array([files[number].first]), np.array([0]), np.array([-1])
        levels, count = [], 0
        while len(tile):
            levels.append((tile, placement, parents))
            counts = starts[tile + 1] - starts[tile]
            edges = ranges(starts[tile], counts)
            parents = np.repeat(np.arange(count, count + len(tile)), counts)
            placement = np.repeat(placement, counts)
            count += len(tile)
            is_placed = steps[edges] > 0
            placement[is_placed] = worlds.place(placement[is_placed], steps[edges[is_placed]])
            tile = below[edges]
        tile, placement, parents = (np.concatenate(columns) for columns in zip(*levels, strict=True))
        whole = _Tiles(*(np.concatenate(columns) for columns in zip(*(each.tiles for each in files), strict=True)))
        child_counts = np.diff(starts)[tile]
        tiles_from_content = np.eye(4)
        tiles_from_content[:3, :3] = turn_between("y", "z")
        factors = worlds.factors(tiles_from_content[:3, :3])
        if factors is None:
            raise ReadError(f"{printable(self._root)}: places something too large or too far out; make it again")
        if factors.sheared.any():
            raise ReadError(f"{printable(self._root)}: a transform in it shears, which no object can; make it again")
        centers, halves, errors = _in_world(whole, tile, placement, worlds.matrices)
        paths = [path for path, _ in self._contents]
        return TileTable(
            parents.astype(np.int32),
            # Those of each tile stand behind those of the tile before it.
            np.where(child_counts > 0, 1 + np.cumsum(child_counts) - child_counts, 0).astype(np.int32),
            child_counts.astype(np.int32),
            centers,
            halves,
            errors,
            whole.contents[tile].astype(np.int32),
            placement.astype(np.int32),
            whole.names[tile],
            paths,
            np.array([by_object for _, by_object in self._contents], dtype=np.bool_),
            np.array([_size_of(path) for path in paths], dtype=np.int64),
            (worlds.matrices.reshape(-1, 4) @ tiles_from_content).reshape(-1, 4, 4),
            factors.rotations[worlds.kinds],
            factors.scales[worlds.kinds],
        )


class _Worlds:
    """Placements in the world; those that turn and scale alike, as copies side by side do, are of one kind.

    Args:
        first: (4, 4) float64 the first placement.
        steps: (s, 4, 4) float64 from a placement to those of what is placed in it.

    Attributes:
        matrices: (p, 4, 4) float64 world_from_tiles.
        kinds: (p,) int64.
    """

    def __init__(self, first: np.ndarray, steps: np.ndarray) -> None:
        self.matrices = first[None]
        self.kinds = np.array([0])
        self._steps = steps
        different, kinds = np.unique(steps[:, :3, :3].reshape(-1, 9), axis=0, return_inverse=True)
        self._step_kinds, self._step_kind_count = kinds.ravel(), len(different)
        self._examples = np.array([0])  # a placement of each kind

    def place(self, outer: np.ndarray, steps: np.ndarray) -> np.ndarray:
        """Add (k,) placements, each a step from another one, and return their numbers."""
        first = len(self.matrices)
        pairs = self.kinds[outer] * self._step_kind_count + self._step_kinds[steps]
        _, examples, kinds = np.unique(pairs, return_index=True, return_inverse=True)
        self.kinds = np.concatenate([self.kinds, len(self._examples) + kinds.ravel()])
        self._examples = np.concatenate([self._examples, first + examples])
        with np.errstate(over="ignore", invalid="ignore"):  # `factors` tells
            self.matrices = np.concatenate([self.matrices, self.matrices[outer] @ self._steps[steps]])
        return np.arange(first, len(self.matrices))

    def factors(self, inner: np.ndarray) -> Factors | None:
        """Factor the matrices of each kind, times a rotation (3, 3); None where numbers are too large."""
        if not (np.abs(self.matrices) < LARGEST_NUMBER).all():  # NaN is not
            return None
        return factorize(self.matrices[self._examples, :3, :3] @ inner)


def _children(files: list[_Tileset]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Group the tiles of all files, and the topmost ones of what they place, by the tile above.

    Returns:
        (n + 1,) where those below each tile start, (e,) the tiles, and (e,) the transforms to them: 0 for none, else
        numbered from 1 over what all files place.
    """
    firsts = np.array([each.first for each in files])
    inner = [
        (each.tiles.parents[1:] + each.first, np.arange(1, len(each.tiles.parents)) + each.first) for each in files
    ]
    placing = np.concatenate([np.full(len(each.placed), each.first) for each in files])
    placed = firsts[np.concatenate([each.placed for each in files])]
    above = np.concatenate([*(parents for parents, _ in inner), placing])
    below = np.concatenate([*(rows for _, rows in inner), placed])
    steps = np.concatenate([np.zeros(len(below) - len(placed), dtype=np.int64), np.arange(1, len(placed) + 1)])
    order = np.argsort(above, kind="stable")
    count = sum(len(each.tiles.parents) for each in files)
    starts = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(np.bincount(above, minlength=count), out=starts[1:])
    return starts, below[order], steps[order]


def _in_world(
    tiles: _Tiles, rows: np.ndarray, placements: np.ndarray, worlds: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return centres, half edges of boxes along the world's axes, and errors, of tiles at their placements."""
    centers, halves, errors = np.empty((len(rows), 3)), np.empty((len(rows), 3)), np.empty(len(rows))
    for begin in range(0, len(rows), _CHUNK):
        part = slice(begin, begin + _CHUNK)
        matrices, chosen = worlds[placements[part]], rows[part]
        linear = matrices[:, :3, :3]
        centers[part] = (linear @ tiles.centers[chosen, :, None])[:, :, 0] + matrices[:, :3, 3]
        halves[part] = np.abs(tiles.edges[chosen] @ linear.transpose(0, 2, 1)).sum(axis=1)
        errors[part] = tiles.errors[chosen] * np.linalg.norm(linear, axis=1).max(axis=1)
    return centers, halves, errors


def _too_deep(path: Path) -> ReadError:
    return ReadError(f"{printable(path)}: more than {_DEEPEST} tilesets in each other; place them in one")


def _name(tile: Tile) -> str:
    return f"tile {tile.level}/{tile.x}/{tile.y}/{tile.z}"


def _size_of(path: Path) -> int:
    try:
        return os.path.getsize(path)
    except OSError:  # reading it says so, if it is ever needed
        return 0
