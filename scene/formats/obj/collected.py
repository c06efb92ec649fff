"""Collected: a whole file's numbers, block after block; from here on every index is absolute."""

from __future__ import annotations

import numpy as np

from octree.jit import kernel
from scene.formats.obj.scratch import (
    COLORED,
    CORNERS,
    EVENTS,
    FACES,
    FAULT_KINDS,
    JUMPS,
    LINES,
    MISSING,
    MOST_INDICES,
    MOST_KEYWORDS,
    NAME_BYTES,
    NORMALS,
    OTHERS,
    PLACES,
    POINTS,
    RELATIVE,
    SMOOTHING,
    TEXT_LINES,
    UNKNOWN,
    UVS,
    VERTICES,
    Scratch,
)

_SPARE = 1.02  # of what a file's further bytes are expected to bring


class Column:
    """An array that grows at its end, with room for what the rest of the file may bring; unused room costs nothing."""

    def __init__(self, dtype: type, *shape: int) -> None:
        self._room = np.empty((0, *shape), dtype=dtype)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def values(self) -> np.ndarray:
        """What there is, a view."""
        return self._room[: self._count]

    def release(self) -> None:
        """Let go of the rows; `len` still tells how many there were."""
        self._room = self._room[:0].copy()

    def append(self, rows: np.ndarray, further_blocks: float) -> np.ndarray:
        """Add rows, of which as many more may follow for each further block; returns the new rows, a view."""
        first, last = self._count, self._count + len(rows)
        if last > len(self._room):
            expected = last + int(_SPARE * len(rows) * further_blocks)
            room = np.empty((max(expected, 3 * last // 2), *self._room.shape[1:]), dtype=self._room.dtype)
            room[:first] = self.values
            self._room = room
        self._room[first:last] = rows
        self._count = last
        return self._room[first:last]


class Collected:
    """What a file states.

    Attributes:
        positions (v, 3) float64, colors (v, 3) float32 or none at all, uvs (t, 2), normals (n, 3) float32.
        corners: (c, 3) int32 vertex, uv and normal of every face's corners, or MISSING; those that are out of range
            are at least MOST_INDICES - 1, or refer to what is not there.
        face_sizes: (f,) int32. jumps: (j, 2) int64, as in Scratch, with lines of the file.
        lines (l, 2), points (p,) int32 vertices. places: (q, 4) int64, as in Scratch, with numbers and lines
            of the file.
        events: (e, 8) int64, as in Scratch, with counts, lines and places in `names` of the file.
        names: (b,) uint8.
        faults: (kind, hash of the keyword or OTHERS) -> [how many, line of the first, the beginning of the first].
        text_lines: lines so far. statement_bytes: read so far.
    """

    def __init__(self) -> None:
        self.positions = Column(np.float64, 3)
        self.colors = Column(np.float32, 3)
        self.uvs = Column(np.float32, 2)
        self.normals = Column(np.float32, 3)
        self.corners = Column(np.int32, 3)
        self.face_sizes = Column(np.int32)
        self.jumps = Column(np.int64, 2)
        self.lines = Column(np.int32, 2)
        self.points = Column(np.int32)
        self.places = Column(np.int64, 4)
        self.events = Column(np.int64, 8)
        self.names = Column(np.uint8)
        self.faults: dict[tuple[int, int], list] = {}
        self.text_lines = 0

    @property
    def nbytes(self) -> int:
        """Of what is in use."""
        return sum(column.values.nbytes for column in vars(self).values() if isinstance(column, Column))

    def append(self, block: Scratch, further_blocks: float) -> None:
        """Add what a block holds; it must be the one behind the last."""
        counts = block.counts
        bases = np.array([len(self.positions), len(self.uvs), len(self.normals)])
        if counts[COLORED] and len(self.colors) < len(self.positions):
            self.colors.append(np.ones((len(self.positions) - len(self.colors), 3)), further_blocks)
        if counts[COLORED]:
            self.colors.append(block.colors[: counts[VERTICES]], further_blocks)
        elif len(self.colors):
            self.colors.append(np.ones((counts[VERTICES], 3)), further_blocks)
        jumps = self.jumps.append(block.jumps[: counts[JUMPS]], further_blocks)
        jumps += (len(self.face_sizes), self.text_lines)
        events = self.events.append(block.events[: counts[EVENTS]], further_blocks)
        events[:, 1:5] += (len(self.face_sizes), len(self.lines), len(self.points), self.text_lines)
        events[:, 7] += len(self.positions)
        events[events[:, 0] != SMOOTHING, 5] += len(self.names)
        self.names.append(block.names[: counts[NAME_BYTES]], further_blocks)
        self.positions.append(block.positions[: counts[VERTICES]], further_blocks)
        self.uvs.append(block.uvs[: counts[UVS]], further_blocks)
        self.normals.append(block.normals[: counts[NORMALS]], further_blocks)
        corners = self.corners.append(block.corners[: counts[CORNERS]], further_blocks)
        _make_absolute(corners, bases)
        self.face_sizes.append(block.face_sizes[: counts[FACES]], further_blocks)
        places = self.places.append(block.places[: counts[PLACES]], further_blocks)
        places[:, 1] += np.where(places[:, 0] == LINES, len(self.lines), len(self.points))
        places[:, 2] += self.text_lines
        lines = self.lines.append(block.lines[: counts[LINES]], further_blocks)
        _make_absolute(lines, bases[[0, 0]])
        points = self.points.append(block.points[: counts[POINTS]], further_blocks)
        _make_absolute(points[:, None], bases)
        for k in range(counts[FAULT_KINDS]):
            kind, keyword, count, line = block.faults[k].tolist()
            if kind == UNKNOWN and (kind, keyword) not in self.faults and len(self.faults) >= MOST_KEYWORDS:
                keyword = OTHERS
            known = self.faults.setdefault((kind, keyword), [0, line + self.text_lines, block.snippets[k].tobytes()])
            known[0] += count
        self.text_lines += int(counts[TEXT_LINES])

    def show_vertices_as_points(self) -> None:
        """Make a point of every vertex, each of the object that it stands under: for files that state no more."""
        self.points.append(np.arange(len(self.positions), dtype=np.int32), 0.0)
        self.events.values[:, 3] = self.events.values[:, 7]

    def face_line(self, face: int) -> int:
        """The line on which a face stands."""
        jumps = self.jumps.values
        jump = np.searchsorted(jumps[:, 0], face, side="right") - 1
        return int(jumps[jump, 1] + face - jumps[jump, 0])

    def place_line(self, part: int, number: int) -> int | None:
        """The line on which one of the LINES or POINTS stands; None for points that no statement made."""
        places = self.places.values[self.places.values[:, 0] == part]
        place = np.searchsorted(places[:, 1], number, side="right") - 1
        if place < 0:
            return None
        return int(places[place, 2] + (number - places[place, 1]) // places[place, 3])


@kernel
def _make_absolute(rows: np.ndarray, bases: np.ndarray) -> None:
    """Add to every relative index what stood before its block; those that reach before the file's first are out."""
    for i in range(rows.shape[0]):
        for k in range(rows.shape[1]):
            if rows[i, k] < MISSING:
                index = rows[i, k] + bases[k] - RELATIVE
                rows[i, k] = index if index >= 0 else MOST_INDICES
