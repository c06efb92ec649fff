"""TileTable: the tiles of any tileset as arrays, with their boxes in the world of a scene.

A tile's content is one mesh, as hundreds of objects that are a few pixels each would cost more than they tell. Each of
the finest tiles has a further one below it, which shows the same objects one by one when they are seen from near.
Tilesets that are placed in a tileset are contents, too: their tiles are added when they are read.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from octoscope.scene.conventions.up_axis import UpAxis
from octoscope.scene.conventions.upright import turn_between
from octoscope.scene.formats.tiles.cells import LARGEST_NUMBER
from octoscope.scene.formats.tiles.tables.metadata import Metadata, values_of
from octoscope.scene.formats.tiles.tileset import folder_of
from octoscope.scene.formats.tiles.tileset_columns import TileFiles, TilesetColumns, read_columns
from octoscope.scene.formats.tiles.volumes import TILES_FROM_CONTENT, frame_on_earth
from octoscope.scene.geometry.affine import factorize
from octoscope.scene.geometry.ranges import ranges
from octoscope.scene.system.elsewhere import fetch, place_of
from octoscope.scene.system.read_limits import current_limits
from octoscope.scene.system.report import Problems
from octoscope.scene.system.text_file import ReadError

NO_CONTENT = -1
_DEEPEST = 64  # of tilesets in tilesets: a server can make up ever more of them
_MOST_TILES = 2**22  # of all placed tilesets together
_TILE_BYTES = 400
_CHUNK = 2**16  # tiles that are placed in the world at once: their matrices are there for each


class PlacedFile(NamedTuple):
    """A tileset.json that was read."""

    path: Path
    outer: int  # row in `placed` of the tileset that places it, -1 for the outermost
    metadata: Sequence[Metadata]  # of the tileset


@dataclass(eq=False)
class TileTable:
    """Tiles in columns: parents before children, and the children of one tile behind each other.

    The tiles of another tileset come behind those that there are, and its topmost tile in the place of the tile whose
    content it is; all else stays where it is.
    """

    parents: np.ndarray  # (n,) int32, -1 for the topmost, which is the first alone
    first_children: np.ndarray  # (n,) int32 the first child of each; meaningless without any
    child_counts: np.ndarray  # (n,) int32
    centers: np.ndarray  # (n, 3) float64 of boxes along the world's axes
    halves: np.ndarray  # (n, 3) float64 half their edges
    # (n,) float64, world units, as TileFacts has them; for streaming no less than a share of the tile's size. Below 0:
    # the tile is a gate (GATE), beyond which only cameras in its box see
    errors: np.ndarray
    # (n,) bool: the tile is shown together with those below it, which show more and not the same finer
    is_added: np.ndarray
    contents: np.ndarray  # (n,) int32 row in `files`, NO_CONTENT for a tile that shows nothing
    placements: np.ndarray  # (n,) int32 row in `world_from_content`
    names: np.ndarray  # (n,) StringDType, for people
    metadata: np.ndarray  # (n,) object: a tuple of Metadata of each, or None
    tilesets: np.ndarray  # (n,) int32 row in `placed`: the file that describes the tile
    files: list[tuple[Path, ...]]  # of each content, one or more; tilesets that are placed several times share them
    is_by_object: np.ndarray  # (c,) bool: the content is a mesh for each object of the file, and else one mesh of all
    is_tileset: np.ndarray  # (c,) bool: the content is another tileset
    is_z_up: np.ndarray  # (c,) bool, as for `read_contents`
    file_bytes: np.ndarray  # (c,) int64 their sizes; 0 where there is none
    world_from_content: np.ndarray  # (p, 4, 4) float64; none shears
    rotations: np.ndarray  # (p, 4) float64 unit quaternions x, y, z, w of these
    scales: np.ndarray  # (p, 3) float64 of these
    folder: Path  # which all files are in
    by_object: bool  # whether each of the finest tiles has a further one, which shows its objects one by one
    problems: Problems  # of tiles that were left out, or guessed
    placed: list[PlacedFile] = field(default_factory=list)
    _numbers: dict[TileFiles, int] = field(default_factory=dict)  # of contents

    def __len__(self) -> int:
        return len(self.parents)

    @property
    def is_gate(self) -> np.ndarray:
        """Gates, beyond which only cameras in their boxes see: (n,) bool."""
        return self.errors < 0.0  # GATE, in whatever units

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

    @property
    def has_metadata(self) -> bool:
        """True if anything is said of a tile, or of a tileset."""
        return any(self.metadata.tolist()) or any(each.metadata for each in self.placed)

    def grouped_properties(self, tile: int) -> dict[str, dict[str, object]]:
        """Return the properties of a tile, and of the tilesets that it is in, each below its heading."""
        return {"Tile": self.properties_of(tile), "Tileset": self.properties_of_tileset(tile)}

    def properties_of(self, tile: int) -> dict[str, object]:
        """Return the properties of a tile, its contents and their groups, by name."""
        return values_of(self.metadata[tile] or ())

    def properties_of_tileset(self, tile: int) -> dict[str, object]:
        """Return the properties of the tileset that a tile is of, and of those around it, by name."""
        found: dict[str, object] = {}
        number = int(self.tilesets[tile])
        while number >= 0:
            found = values_of(self.placed[number].metadata) | found
            number = self.placed[number].outer
        return found

    @classmethod
    def around(cls, path: Path, world_from_tiles: np.ndarray, *, by_object: bool) -> TileTable:
        """Return a table of one tile, whose content is a tileset."""
        world_from_content = world_from_tiles @ TILES_FROM_CONTENT
        factors = factorize(world_from_content[None, :3, :3])
        first = np.zeros(1, dtype=np.int32)
        table = cls(
            parents=np.array([-1], dtype=np.int32),
            first_children=first.copy(),
            child_counts=first.copy(),
            placements=first.copy(),
            centers=np.zeros((1, 3)),
            halves=np.zeros((1, 3)),
            errors=np.zeros(1),
            is_added=np.zeros(1, dtype=np.bool_),
            contents=first.copy(),
            names=np.array([""], dtype=np.dtypes.StringDType()),
            metadata=np.array([None], dtype=object),
            tilesets=np.array([-1], dtype=np.int32),
            files=[],
            is_by_object=np.empty(0, dtype=np.bool_),
            is_tileset=np.empty(0, dtype=np.bool_),
            is_z_up=np.empty(0, dtype=np.bool_),
            file_bytes=np.empty(0, dtype=np.int64),
            world_from_content=world_from_content[None],
            rotations=factors.rotations,
            scales=factors.scales,
            folder=folder_of(path),
            by_object=by_object,
            problems=Problems(path),
        )
        table._numbered([TileFiles((path,), is_tileset=True)])
        return table

    def read_tileset(self, content: int) -> TilesetColumns:
        """Read a content that is a tileset, on any thread."""
        return read_columns(self.files[content][0], self.folder, by_object=self.by_object)

    def read_tilesets(self) -> dict[int, ReadError]:
        """Read all tilesets that are placed in it, also in each other; return why contents of these cannot be read."""
        broken: dict[int, ReadError] = {}
        while True:
            shown = np.unique(self.contents[self.contents >= 0])
            waiting = [content for content in shown[self.is_tileset[shown]].tolist() if content not in broken]
            if not waiting:
                return broken
            fetch([self.files[content][0] for content in waiting])
            read = []
            for content in waiting:
                try:
                    read.append((content, self.read_tileset(content)))
                except ReadError as error:
                    broken[content] = error
            broken |= self.place(read)

    def place(self, read: Sequence[tuple[int, TilesetColumns]]) -> dict[int, ReadError]:
        """Put the tiles of tilesets in the place of those whose contents they are; return why some cannot be."""
        blocks: list[dict[str, np.ndarray]] = []
        broken, count = {}, len(self)
        for content, tileset in read:
            rows = np.flatnonzero(self.contents == content)
            try:
                block = self._block(rows, tileset, count)
            except ReadError as error:
                broken[content] = error
                continue
            self.problems += tileset.problems
            for name in block.keys() - {"parents"}:  # the tile stays below the one above it
                getattr(self, name)[rows] = block[name][:, 0]
            blocks.append({name: column[:, 1:].reshape(-1, *column.shape[2:]) for name, column in block.items()})
            count += len(rows) * (len(tileset) - 1)
        for name in blocks[0] if blocks else ():
            column = getattr(self, name)
            setattr(self, name, np.concatenate([column, *(block[name].astype(column.dtype) for block in blocks)]))
        return broken

    def _block(self, rows: np.ndarray, tileset: TilesetColumns, first: int) -> dict[str, np.ndarray]:
        """Return columns of the tiles of a tileset in the place of each of (k,) tiles: (k, n) and more."""
        places, tiles = len(rows), len(tileset)
        if first + places * (tiles - 1) > _MOST_TILES:
            raise ReadError(tileset.path, f"more than {_MOST_TILES:,} tiles with those before it; open it alone")
        current_limits().take(_TILE_BYTES * places * tiles)
        numbers = first + np.arange(places)[:, None] * (tiles - 1) + np.arange(tiles) - 1
        numbers[:, 0] = rows
        frames = len(self.world_from_content)
        self._add_placements(self.placements[rows], tileset)
        placements = frames + np.arange(places)[:, None] * len(tileset.frames) + tileset.placements
        whole = np.tile(np.arange(tiles), places)
        centers, halves, errors = _in_world(tileset, whole, placements.ravel(), self.world_from_content)
        contents, tilesets = self._contents_in(self.tilesets[rows], tileset)
        same = {name: getattr(tileset, name) for name in ("child_counts", "is_added", "names", "metadata")}
        return {
            "parents": numbers[:, tileset.parents],
            "first_children": numbers[:, np.minimum(tileset.first_children, tiles - 1)],
            "centers": centers.reshape(places, tiles, 3),
            "halves": halves.reshape(places, tiles, 3),
            "errors": errors.reshape(places, tiles),
            "contents": contents,
            "placements": placements,
            "tilesets": np.broadcast_to(tilesets[:, None], (places, tiles)),
            **{name: np.broadcast_to(column, (places, tiles)) for name, column in same.items()},
        }

    def _add_placements(self, outer: np.ndarray, tileset: TilesetColumns) -> None:
        """Add a placement of each frame of a tileset in each of (k,) placements."""
        with np.errstate(over="ignore", invalid="ignore"):
            worlds = (self.world_from_content[outer][:, None] @ tileset.frames).reshape(-1, 4, 4)
        if not (np.abs(worlds) < LARGEST_NUMBER).all():  # NaN is not
            raise ReadError(tileset.path, "places something too large or too far out; make it again")
        # Those that turn and scale alike, as copies side by side do, are factored once.
        different, kinds = np.unique(worlds[:, :3, :3].reshape(-1, 9), axis=0, return_inverse=True)
        factors = factorize(different.reshape(-1, 3, 3))
        if factors.sheared.any():
            raise ReadError(tileset.path, "a transform in it shears, which no object can; make it again")
        self.world_from_content = np.concatenate([self.world_from_content, worlds])
        self.rotations = np.concatenate([self.rotations, factors.rotations[kinds.ravel()]])
        self.scales = np.concatenate([self.scales, factors.scales[kinds.ravel()]])

    def _contents_in(self, outer: np.ndarray, tileset: TilesetColumns) -> tuple[np.ndarray, np.ndarray]:
        """Return the contents, (k, n), of a tileset in each of (k,) others, and its rows in `placed`, (k,)."""
        numbers = self._numbered(tileset.contents)
        contents, placed = np.tile(numbers, (len(outer), 1)), np.empty(len(outer), dtype=np.int64)
        inner = {number for number in np.unique(numbers).tolist() if number >= 0 and self.is_tileset[number]}
        for each in np.unique(outer).tolist():
            chain, above = [tileset.path], each
            while above >= 0:
                chain.append(self.placed[above].path)
                above = self.placed[above].outer
            rows = np.flatnonzero(outer == each)
            placed[rows] = len(self.placed)
            self.placed.append(PlacedFile(tileset.path, each, tileset.own_metadata))
            for number in inner:
                (file,) = self.files[number]
                reason = "is placed in itself, maybe by others in it; remove that place" if file in chain else ""
                if not reason and len(chain) >= _DEEPEST:
                    reason = f"more than {_DEEPEST} tilesets in each other; place them in one"
                if reason:
                    self.problems.report("tile", reason, "left out", file=file)
                    contents[np.ix_(rows, np.flatnonzero(numbers == number))] = NO_CONTENT
        return contents, placed

    def _numbered(self, contents: Sequence[TileFiles | None]) -> np.ndarray:
        """Return the numbers of contents, (n,) int32, which are new where they were not there before."""
        before = len(self.files)
        known = self._numbers
        numbers = [NO_CONTENT if each is None else known.setdefault(each, len(known)) for each in contents]
        new = list(known)[before:]
        self.files += [each.files for each in new]
        sizes = [sum(map(_size_of, each.files)) for each in new]
        for name in ("is_by_object", "is_tileset", "is_z_up"):
            setattr(self, name, np.append(getattr(self, name), [getattr(each, name) for each in new]).astype(np.bool_))
        self.file_bytes = np.append(self.file_bytes, sizes).astype(np.int64)
        return np.array(numbers, dtype=np.int32)


def read_tile_table(path: Path, *, up_axis: UpAxis = "y", by_object: bool = True) -> TileTable:
    """Read which tiles a tileset has, without those of tilesets that are placed in it, and none of their contents.

    A tileset that stands on the Earth is shown about its middle there: what is up at that place is up in the scene.
    """
    outermost = read_columns(path, folder_of(path), by_object=by_object)
    # A tileset's frame has Z up.
    world_from_tiles = np.eye(4)
    world_from_tiles[:3, :3] = turn_between("z", up_axis)
    frame = frame_on_earth(outermost.middle) if outermost.may_be_on_earth else None
    world_from_tiles = world_from_tiles if frame is None else world_from_tiles @ np.linalg.inv(frame)
    table = TileTable.around(path, world_from_tiles, by_object=by_object)
    for error in table.place([(0, outermost)]).values():
        raise error
    return table


def _in_world(
    tiles: TilesetColumns, rows: np.ndarray, placements: np.ndarray, world_from_content: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return centres, half edges of boxes along the world's axes, and errors, of tiles at their placements."""
    centers, halves, errors = np.empty((len(rows), 3)), np.empty((len(rows), 3)), np.empty(len(rows))
    for begin in range(0, len(rows), _CHUNK):
        part = slice(begin, begin + _CHUNK)
        chosen, places = rows[part], placements[part]
        errors[part] = tiles.errors[chosen] * np.linalg.norm(world_from_content[places, :3, :3], axis=1).max(axis=1)
        # Regions are where they are on the Earth, in the frame around the outermost file.
        worlds = world_from_content[np.where(tiles.is_region[chosen], 0, places)] @ TILES_FROM_CONTENT.T
        linear = worlds[:, :3, :3]
        centers[part] = (linear @ tiles.centers[chosen, :, None])[:, :, 0] + worlds[:, :3, 3]
        halves[part] = np.abs(tiles.edges[chosen] @ linear.transpose(0, 2, 1)).sum(axis=1)
    return centers, halves, errors


def nothing_in(path: Path, problems: Sequence[str]) -> ReadError:
    """Return the error that refuses a tileset of which nothing is left; the last problem is nearest to the cause."""
    return ReadError(path, f"nothing to show in it ({problems[-1] if problems else 'none of its tiles has a content'})")


def _size_of(path: Path) -> int:
    if (place := place_of(path)) is not None:
        return place.size(path)
    try:
        return os.path.getsize(path)
    except OSError:  # reading it says so, if it is ever needed
        return 0
