"""TileTable: the tiles of any tileset as arrays, with their boxes in the world of a scene.

A tile's content is one mesh, as hundreds of objects that are a few pixels each would cost more than they tell. Each of
the finest tiles has a further one below it, which shows the same objects one by one when they are seen from near.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from octoscope.scene.conventions.up_axis import UpAxis
from octoscope.scene.conventions.upright import turn_between
from octoscope.scene.formats.tiles.cells import LARGEST_NUMBER
from octoscope.scene.formats.tiles.description import TilesetDescription, UnreadableTileset
from octoscope.scene.formats.tiles.tileset import folder_of
from octoscope.scene.formats.tiles.volumes import frame_on_earth
from octoscope.scene.geometry.affine import Factors, factorize
from octoscope.scene.geometry.ranges import ranges
from octoscope.scene.system.elsewhere import fetch, place_of
from octoscope.scene.system.report import Problem, Problems
from octoscope.scene.system.text_file import ReadError

NO_CONTENT = -1
_WHOLE_PIXELS = 300.0  # across a tile, up to which it is shown as one mesh: of a thousand objects each has ten pixels
_DEEPEST = 8  # of tilesets in tilesets
_MOST_TILES = 2**22  # of all placed tilesets together: some hundred bytes each
_CHUNK = 2**16  # tiles that are placed in the world at once: their matrices are there for each


@dataclass(frozen=True, eq=False)
class TileTable:
    """Tiles in columns: parents before children, and the children of one tile behind each other."""

    parents: np.ndarray  # (n,) int32, -1 for the topmost, which is the first alone
    first_children: np.ndarray  # (n,) int32 the first child of each; meaningless without any
    child_counts: np.ndarray  # (n,) int32
    centers: np.ndarray  # (n, 3) float64 of boxes along the world's axes
    halves: np.ndarray  # (n, 3) float64 half their edges
    # (n,) float64, world units, as TileFacts has them; for streaming no less than a share of the tile's size
    errors: np.ndarray
    # (n,) bool: the tile is shown together with those below it, which show more and not the same finer
    is_added: np.ndarray
    contents: np.ndarray  # (n,) int32 row in `files`, NO_CONTENT for a tile that shows nothing
    placements: np.ndarray  # (n,) int32 row in `world_from_content`
    names: np.ndarray  # (n,) StringDType, for people
    properties: np.ndarray  # (n,) object: what the metadata of each says, by name, or None
    files: list[tuple[Path, ...]]  # of each content, one or more; tilesets that are placed several times share them
    is_by_object: np.ndarray  # (c,) bool: the content is a mesh for each object of the file, and else one mesh of all
    file_bytes: np.ndarray  # (c,) int64 their sizes; 0 where there is none
    world_from_content: np.ndarray  # (p, 4, 4) float64; none shears
    rotations: np.ndarray  # (p, 4) float64 unit quaternions x, y, z, w of these
    scales: np.ndarray  # (p, 3) float64 of these
    folder: Path  # which all files are in
    problems: list[Problem]  # of tiles that were left out, or guessed

    def __len__(self) -> int:
        return len(self.parents)

    def children_of(self, tiles: np.ndarray) -> np.ndarray:
        """Return the children of (k,) tiles, those of one behind those of the one before; int64."""
        return ranges(self.first_children[tiles], self.child_counts[tiles])

    def lost(self, broken: np.ndarray) -> np.ndarray:
        """Return the tiles, (k,) int64 ascending, that show nothing, and nothing below them, as it cannot be read.

        Args:
            broken: (n,) bool, tiles whose contents cannot be read.
        """
        is_lost = broken & (self.child_counts == 0)
        shows_nothing = broken | (self.contents == NO_CONTENT)
        new = np.flatnonzero(is_lost)
        while len(new):
            above = np.unique(self.parents[new])
            above = above[above >= 0]
            above = above[shows_nothing[above]]
            counts = self.child_counts[above]
            ends = np.cumsum(counts)
            lost_before = np.concatenate([[0], np.cumsum(is_lost[self.children_of(above)])])
            new = above[lost_before[ends] - lost_before[ends - counts] == counts]
            is_lost[new] = True
        return np.flatnonzero(is_lost)


class _Tiles(NamedTuple):
    """The tiles of one tileset.json, each in its own frame, the topmost first."""

    parents: np.ndarray
    centers: np.ndarray
    edges: np.ndarray  # (n, 3, 3) half of each, as vectors
    is_region: np.ndarray  # (n,) bool: centres and edges are in the frame of the Earth
    errors: np.ndarray
    is_added: np.ndarray
    contents: np.ndarray
    steps: np.ndarray  # (n,) row of the transform from the tile above in all transforms, 0: none
    names: np.ndarray
    properties: np.ndarray


@dataclass(frozen=True)
class _Tileset:
    """One tileset.json: tiles, and the tilesets that are placed below them."""

    first: int  # row of its first tile among those of all files
    tiles: _Tiles  # its own
    placing: np.ndarray  # (p,) rows of its tiles, of those that others are placed below
    placed: np.ndarray  # (p,) numbers of these tilesets among all files
    place_steps: np.ndarray  # (p,) as _Tiles.steps
    height: int  # of how many files that place others there are in each other, from this one down
    count: int  # of the tiles that it comes to with all that is placed in it


def read_tile_table(path: Path, *, up_axis: UpAxis = "y", by_object: bool = True) -> TileTable:
    """Read which tiles a tileset has, with all external tilesets, and none of their contents.

    A tileset that stands on the Earth is shown about its middle there: what is up at that place is up in the scene.
    """
    files = _Files(path, by_object=by_object)
    number = files.read(path, 0)
    # A tileset's frame has Z up.
    world_from_tiles = np.eye(4)
    world_from_tiles[:3, :3] = turn_between("z", up_axis)
    frame = frame_on_earth(files.middle(number)) if files.may_be_on_earth else None
    return files.table(number, world_from_tiles if frame is None else world_from_tiles @ np.linalg.inv(frame))


class _Files:
    """The files of a tileset, each read once however often it is placed.

    Tiles are counted file by file, from the innermost to the outermost, before one is made for each place: a few
    kilobytes can place tilesets in each other a billion times.
    """

    def __init__(self, root: Path, *, by_object: bool) -> None:
        self._root = root
        self._by_object = by_object
        self.may_be_on_earth = False  # whether the frame of the outermost file may be that of the Earth
        self._problems = Problems(root)
        self._numbers: dict[Path, int] = {}
        self._begun: set[Path] = set()  # those that others are being read for
        self._tilesets: list[_Tileset] = []
        self._steps: list[np.ndarray] = [np.eye(4)]
        self._contents: dict[tuple[tuple[Path, ...], bool], int] = {}  # by files, and whether by object
        self._count = 0  # of the tiles of all files, each once

    def read(self, path: Path, depth: int) -> int:
        """Read a file and those that it places."""
        number = self._numbers.get(path)
        if number is None:
            if path in self._begun:
                raise UnreadableTileset(path, "is placed in itself, maybe by others in it; remove that place")
            self._begun.add(path)
            described = TilesetDescription(path, self._root, self._problems)
            if depth == 0:
                self.may_be_on_earth = described.may_be_on_earth
            if described.external and depth >= _DEEPEST:
                raise _too_deep(path)
            tileset = self._tileset(described, depth)
            self._begun.remove(path)
            number = self._numbers[path] = len(self._tilesets)
            self._tilesets.append(tileset)
            self._count += len(tileset.tiles.parents)
            if max(self._count, tileset.count) > _MOST_TILES:
                raise ReadError(self._root, f"more than {_MOST_TILES:,} tiles; open the tilesets in it one by one")
        if depth + self._tilesets[number].height > _DEEPEST:
            raise _too_deep(path)
        return number

    def _tileset(self, described: TilesetDescription, depth: int) -> _Tileset:
        """Make the columns of a file's tiles, and read the tilesets that it places."""
        placing, numbers, place_steps = [], [], []
        fetch([file for _, file, _ in described.external if file not in self._numbers])
        for row, file, matrix in described.external:
            try:
                number = self.read(file, depth + 1)
            except UnreadableTileset as error:
                self._problems.report("tile", error.reason, "left out", file=error.path)
                continue
            placing.append(row)
            numbers.append(number)
            top = self._tilesets[number].tiles.steps[0]
            place_steps.append(self._step(matrix @ self._steps[top]))
        below = [self._tilesets[number] for number in numbers]
        parents, boxes, is_region, errors, is_added, matrices, contents, names, said = zip(
            *described.tiles, strict=True
        )
        count = len(parents)
        has_below = np.zeros(count, dtype=np.bool_)
        has_below[placing] = True
        has_below[[parent for parent in parents if parent >= 0]] = True
        leaves = [row for row in range(count) if not has_below[row] and contents[row]]
        if not self._by_object:
            leaves = []
        of_rows = np.array([*range(count), *leaves])  # the second time one by one
        is_by_object = np.arange(len(of_rows)) >= count
        boxes = np.array(boxes)[of_rows]
        edges = boxes[:, 3:].reshape(-1, 3, 3)
        errors = np.array(errors)[of_rows]
        if self._by_object:
            least = 2.0 * np.linalg.norm(edges.sum(axis=1), axis=1) / _WHOLE_PIXELS
            errors = np.where(is_by_object, errors, np.maximum(errors, least))
        is_added = np.array(is_added)[of_rows]
        is_added[leaves] = False  # the further tile shows the same
        steps = [0 if matrix is None else self._step(matrix) for matrix in matrices]
        made = _Tiles(
            np.array([*parents, *leaves]),
            boxes[:, :3],
            edges,
            np.array(is_region)[of_rows],
            errors,
            is_added,
            np.array(
                [
                    self._content(contents[row], by_object=by_object)
                    for row, by_object in zip(of_rows.tolist(), is_by_object.tolist(), strict=True)
                ]
            ),
            np.array([*steps, *[0] * len(leaves)]),
            np.array(names, dtype=np.dtypes.StringDType())[of_rows],
            np.array([*said, None], dtype=object)[of_rows],
        )
        return _Tileset(
            self._count,
            made,
            np.array(placing, dtype=np.int64),
            np.array(numbers, dtype=np.int64),
            np.array(place_steps, dtype=np.int64),
            1 + max(each.height for each in below) if below else 0,
            len(of_rows) + sum(each.count for each in below),
        )

    def _content(self, files: tuple[Path, ...], *, by_object: bool) -> int:
        return self._contents.setdefault((files, by_object), len(self._contents)) if files else NO_CONTENT

    def _step(self, matrix: np.ndarray) -> int:
        self._steps.append(matrix)
        return len(self._steps) - 1

    def middle(self, number: int) -> np.ndarray:
        """Return the (3,) middle of a file's topmost tile in the frame around the file."""
        tiles = self._tilesets[number].tiles
        if tiles.is_region[0]:
            return tiles.centers[0]
        matrix = self._steps[tiles.steps[0]]
        return matrix[:3, :3] @ tiles.centers[0] + matrix[:3, 3]

    def table(self, number: int, world_from_tiles: np.ndarray) -> TileTable:
        """Make a tile of each tile of each place of a file in the world, level by level."""
        files = self._tilesets
        starts, below, steps = _children(files)
        worlds = _Worlds(world_from_tiles, np.array(self._steps))
        tile, placement, parents = np.array([files[number].first]), np.array([0]), np.array([-1])
        top = files[number].tiles.steps[:1]
        if top[0]:
            placement = worlds.place(placement, top)
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
            raise ReadError(self._root, "places something too large or too far out; make it again")
        if factors.sheared.any():
            raise ReadError(self._root, "a transform in it shears, which no object can; make it again")
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
            whole.is_added[tile],
            whole.contents[tile].astype(np.int32),
            placement.astype(np.int32),
            whole.names[tile],
            whole.properties[tile],
            paths,
            np.array([by_object for _, by_object in self._contents], dtype=np.bool_),
            np.array([sum(map(_size_of, each)) for each in paths], dtype=np.int64),
            (worlds.matrices.reshape(-1, 4) @ tiles_from_content).reshape(-1, 4, 4),
            factors.rotations[worlds.kinds],
            factors.scales[worlds.kinds],
            folder_of(self._root),
            list(self._problems),
        )


class _Worlds:
    """Placements in the world; those that turn and scale alike, as copies side by side do, are of one kind.

    Args:
        first: (4, 4) float64 the first placement.
        steps: (s, 4, 4) float64 from a placement to those of what is placed in it.
    """

    def __init__(self, first: np.ndarray, steps: np.ndarray) -> None:
        self.matrices = first[None]  # (p, 4, 4) float64 world_from_tiles
        self.kinds = np.array([0])  # (p,) int64
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
        (n + 1,) where those below each tile start, (e,) the tiles, and (e,) the transforms to them, as _Tiles.steps.
    """
    firsts = np.array([each.first for each in files])
    above = [each.tiles.parents[1:] + each.first for each in files]
    below = [np.arange(1, len(each.tiles.parents)) + each.first for each in files]
    steps = [each.tiles.steps[1:] for each in files]
    above += [each.placing + each.first for each in files]
    below += [firsts[each.placed] for each in files]
    steps += [each.place_steps for each in files]
    owners = np.concatenate(above)
    order = np.argsort(owners, kind="stable")
    count = sum(len(each.tiles.parents) for each in files)
    starts = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(np.bincount(owners, minlength=count), out=starts[1:])
    return starts, np.concatenate(below)[order], np.concatenate(steps)[order]


def _in_world(
    tiles: _Tiles, rows: np.ndarray, placements: np.ndarray, worlds: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return centres, half edges of boxes along the world's axes, and errors, of tiles at their placements."""
    centers, halves, errors = np.empty((len(rows), 3)), np.empty((len(rows), 3)), np.empty(len(rows))
    for begin in range(0, len(rows), _CHUNK):
        part = slice(begin, begin + _CHUNK)
        chosen = rows[part]
        errors[part] = tiles.errors[chosen] * np.linalg.norm(worlds[placements[part], :3, :3], axis=1).max(axis=1)
        matrices = worlds[np.where(tiles.is_region[chosen], 0, placements[part])]
        linear = matrices[:, :3, :3]
        centers[part] = (linear @ tiles.centers[chosen, :, None])[:, :, 0] + matrices[:, :3, 3]
        halves[part] = np.abs(tiles.edges[chosen] @ linear.transpose(0, 2, 1)).sum(axis=1)
    return centers, halves, errors


def _too_deep(path: Path) -> ReadError:
    return ReadError(path, f"more than {_DEEPEST} tilesets in each other; place them in one")


def _size_of(path: Path) -> int:
    if (place := place_of(path)) is not None:
        return place.size(path)
    try:
        return os.path.getsize(path)
    except OSError:  # reading it says so, if it is ever needed
        return 0
