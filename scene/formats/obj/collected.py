"""Collected: a whole file's numbers, block after block; from here on every index is absolute."""

from __future__ import annotations

import math
import mmap
import tempfile
from copy import copy
from functools import partial
from pathlib import Path

import numpy as np

from octoscope.octree.jit import kernel
from octoscope.scene.formats.obj.block_arrays import (
    COLORED,
    CORNERS,
    ELEMENT_LINES,
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
    POINTS,
    RELATIVE,
    SMOOTHING,
    TEXT_LINES,
    UNKNOWN,
    UVS,
    VERTICES,
    WEIGHTS,
    BlockArrays,
)

_SPARE = 1.02  # times the rows that are expected of the rest of a file
# Bytes that a row takes until the meshes are made, beside what follows from the number of their vertices.
_PEAK_BYTES = {
    "positions": 110,
    "colors": 26,
    "uvs": 12,
    "normals": 18,
    "corners": 28,
    "face_sizes": 20,
    "jumps": 80,
    "lines": 24,
    "points": 14,
    "element_lines": 40,
    "events": 320,
    "names": 2,
    "weights": 16,
}


class GrowingArray:
    """An array that grows at its end, with room for what the rest of the file may bring; unused room costs nothing."""

    def __init__(self, dtype: type[np.generic], *shape: int) -> None:
        self._room: np.ndarray = np.empty((0, *shape), dtype=dtype)
        self._count = 0

    @classmethod
    def of(cls, values: np.ndarray) -> GrowingArray:
        """Return one that holds an array, uncopied."""
        array = GrowingArray(values.dtype.type, *values.shape[1:])
        array._room, array._count = values, len(values)
        return array

    def __len__(self) -> int:
        return self._count

    @property
    def values(self) -> np.ndarray:
        """The rows that there are, as a view."""
        return self._room[: self._count]

    def release(self) -> None:
        """Free the rows; `len` still tells how many there were."""
        self._room = self._room[:0].copy()

    def append(self, rows: np.ndarray, further_blocks: float) -> np.ndarray:
        """Append rows, and return them, as a view; as many may follow with each of `further_blocks`."""
        first, last = self._count, self._count + len(rows)
        if last > len(self._room):
            expected = last + int(_SPARE * len(rows) * further_blocks)
            self._grow_to(max(expected, 3 * last // 2))
        self._room[first:last] = rows
        self._count = last
        return self._room[first:last]

    def _grow_to(self, count: int) -> None:
        """Make room for so many rows, and keep those that there are."""
        room = np.empty((count, *self._room.shape[1:]), dtype=self._room.dtype)
        room[: self._count] = self.values
        self._room = room


class MappedArray(GrowingArray):
    """A growing array in a file in a folder, of which the system keeps in memory what is in use.

    The file has no name and goes away with the array.
    """

    def __init__(self, folder: Path, dtype: type[np.generic], *shape: int) -> None:
        super().__init__(dtype, *shape)
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115  (for as long as the array is there)
        self._map: mmap.mmap | None = None

    def _grow_to(self, count: int) -> None:
        shape = (count, *self._room.shape[1:])
        size = int(np.prod(shape)) * self._room.dtype.itemsize
        self._file.truncate(size)  # what is not written takes no room on the disk
        self._map = mmap.mmap(self._file.fileno(), size)
        self._room = np.frombuffer(self._map, dtype=self._room.dtype).reshape(shape)

    def leave_memory(self) -> None:
        """Release the memory that the array takes; the system reads it from the disk again when it is used."""
        if self._map is not None and hasattr(mmap, "MADV_DONTNEED"):  # not on Windows, which does it by itself
            self._map.madvise(mmap.MADV_DONTNEED)


class Collected:
    """The statements of a file, as numbers; with a folder, what is largest is kept in files there."""

    def __init__(self, folder: Path | None = None) -> None:
        large = GrowingArray if folder is None else partial(MappedArray, folder)
        self.positions = large(np.float64, 3)  # (v, 3) float64
        self.colors = large(np.float32, 3)  # (v, 3) float32, or none at all
        self.uvs = large(np.float32, 2)  # (t, 2) float32
        self.normals = large(np.float32, 3)  # (n, 3) float32
        # (c, 3) int32 vertex, uv and normal of every face's corners, or MISSING; an index out of range is at least
        # MOST_INDICES - 1, or refers to a row that does not exist
        self.corners = large(np.int32, 3)
        self.face_sizes = large(np.int32)  # (f,) int32
        self.jumps = GrowingArray(np.int64, 2)  # (j, 2) int64, as in BlockArrays, with lines of the file
        self.lines = GrowingArray(np.int32, 2)  # (l, 2) int32 vertices
        self.points = GrowingArray(np.int32)  # (p,) int32 vertices
        # (q, 4) int64, as in BlockArrays, with indices and lines of the file
        self.element_lines = GrowingArray(np.int64, 4)
        # (e, 10) int64, as in BlockArrays, with counts, lines and offsets in `names` of the file
        self.events = GrowingArray(np.int64, 10)
        self.names = GrowingArray(np.uint8)  # (b,) uint8
        self.weights = GrowingArray(np.float64, 2)  # (w, 2) float64, as in BlockArrays, with vertices of the file
        # (kind, hash of the keyword or OTHERS) -> (how many, line of the first, the beginning of the first)
        self.faults: dict[tuple[int, int], tuple[int, int, bytes]] = {}
        self.text_lines = 0  # lines so far
        self.all_finite = True  # no position is NaN or infinite
        self.largest_color = 0.0  # 0 where there are none

    def leave_memory(self) -> None:
        """Release the memory of the arrays that are kept in files."""
        for column in vars(self).values():
            if isinstance(column, MappedArray):
                column.leave_memory()

    def part(self, begin: np.ndarray, end: np.ndarray, corners: slice) -> Collected:
        """Return a file of some of the faces, lines and points, and all that they may refer to; uncopied."""
        chosen = copy(self)
        for name in ("positions", "colors", "uvs", "normals"):
            setattr(chosen, name, GrowingArray.of(getattr(self, name).values))
        chosen.corners = GrowingArray.of(self.corners.values[corners])
        for name, first, last in zip(("face_sizes", "lines", "points"), begin.tolist(), end.tolist(), strict=True):
            setattr(chosen, name, GrowingArray.of(getattr(self, name).values[first:last]))
        return chosen

    @property
    def peak_bytes(self) -> int:
        """The memory that making meshes of these rows takes, if these have a vertex for each position."""
        return sum(size * len(getattr(self, name)) for name, size in _PEAK_BYTES.items())

    def append(self, block: BlockArrays, further_blocks: float) -> None:
        """Append the contents of a block; blocks come in the order of the file."""
        counts = block.counts
        bases = np.array([len(self.positions), len(self.uvs), len(self.normals)])
        if counts[COLORED] and len(self.colors) < len(self.positions):
            self.colors.append(np.ones((len(self.positions) - len(self.colors), 3)), further_blocks)
        if counts[COLORED]:
            colors = self.colors.append(block.colors[: counts[VERTICES]], further_blocks)
            self.largest_color = max(self.largest_color, float(colors.max()))
        elif len(self.colors):
            self.colors.append(np.ones((counts[VERTICES], 3)), further_blocks)
        jumps = self.jumps.append(block.jumps[: counts[JUMPS]], further_blocks)
        jumps += (len(self.face_sizes), self.text_lines)
        events = self.events.append(block.events[: counts[EVENTS]], further_blocks)
        events[:, 1:5] += (len(self.face_sizes), len(self.lines), len(self.points), self.text_lines)
        events[:, 7:] += bases
        events[events[:, 0] != SMOOTHING, 5] += len(self.names)
        self.names.append(block.names[: counts[NAME_BYTES]], further_blocks)
        weights = self.weights.append(block.weights[: counts[WEIGHTS]], further_blocks)
        weights[:, 0] += len(self.positions)
        positions = self.positions.append(block.positions[: counts[VERTICES]], further_blocks)
        # NaN is both the least and the greatest.
        least, greatest = positions.min(initial=0.0), positions.max(initial=0.0)
        self.all_finite = self.all_finite and math.isfinite(least) and math.isfinite(greatest)
        self.uvs.append(block.uvs[: counts[UVS]], further_blocks)
        self.normals.append(block.normals[: counts[NORMALS]], further_blocks)
        corners = self.corners.append(block.corners[: counts[CORNERS]], further_blocks)
        _make_absolute(corners, bases)
        self.face_sizes.append(block.face_sizes[: counts[FACES]], further_blocks)
        element_lines = self.element_lines.append(block.element_lines[: counts[ELEMENT_LINES]], further_blocks)
        element_lines[:, 1] += np.where(element_lines[:, 0] == LINES, len(self.lines), len(self.points))
        element_lines[:, 2] += self.text_lines
        lines = self.lines.append(block.lines[: counts[LINES]], further_blocks)
        _make_absolute(lines, bases[[0, 0]])
        points = self.points.append(block.points[: counts[POINTS]], further_blocks)
        _make_absolute(points[:, None], bases)
        for k in range(counts[FAULT_KINDS]):
            kind, keyword, count, line = block.faults[k].tolist()
            if kind == UNKNOWN and (kind, keyword) not in self.faults and len(self.faults) >= MOST_KEYWORDS:
                keyword = OTHERS
            first = (0, line + self.text_lines, block.snippets[k].tobytes())
            known, line, snippet = self.faults.get((kind, keyword), first)
            self.faults[kind, keyword] = (known + count, line, snippet)
        self.text_lines += int(counts[TEXT_LINES])

    def show_vertices_as_points(self) -> None:
        """Make a point of every vertex, each of the object that it stands under: for files with nothing else."""
        self.points.append(np.arange(len(self.positions), dtype=np.int32), 0.0)
        self.events.values[:, 3] = self.events.values[:, 7]

    def face_line(self, face: int) -> int:
        """Find the line on which a face stands."""
        jumps = self.jumps.values
        jump = np.searchsorted(jumps[:, 0], face, side="right") - 1
        return int(jumps[jump, 1] + face - jumps[jump, 0])

    def element_line(self, part: int, element: int) -> int | None:
        """Find the line on which one of the LINES or POINTS stands; None for points that no statement made."""
        element_lines = self.element_lines.values[self.element_lines.values[:, 0] == part]
        row = np.searchsorted(element_lines[:, 1], element, side="right") - 1
        if row < 0:
            return None
        return int(element_lines[row, 2] + (element - element_lines[row, 1]) // element_lines[row, 3])


@kernel
def _make_absolute(rows: np.ndarray, bases: np.ndarray) -> None:
    """Add the counts before a block to its relative indices; those before the file's first become MOST_INDICES."""
    for i in range(rows.shape[0]):
        for k in range(rows.shape[1]):
            if rows[i, k] < MISSING:
                index = rows[i, k] + bases[k] - RELATIVE
                rows[i, k] = index if index >= 0 else MOST_INDICES
