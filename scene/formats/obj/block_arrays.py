"""BlockArrays: the numbers of one block of a file, until they are collected."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from octoscope.octree.jit import borrowing_kernel
from octoscope.scene.formats.obj.words import is_line_end

MISSING = -1
RELATIVE = -(2**31) + 2**29  # added to an index that counts from the block's beginning, which may be negative
MOST_INDICES = 2**29  # limit of indices, larger ones count as this: no file has so many
PADDING = 32  # line ends that must follow a block
_MOST_FAULTS = 64  # different ones in one block
MOST_KEYWORDS = 48  # different unknown ones: more than anybody reads
OTHERS = -1  # stands for the hash of any further keyword
_SNIPPET = 48  # bytes of a faulty statement that are kept for a message

# Events: statements about what follows them.
OBJECT, GROUP, MATERIAL, LIBRARY, SMOOTHING, FREE_FORM = range(6)

# Faults of statements.
(
    BAD_VERTEX,
    BAD_UV,
    BAD_NORMAL,
    BAD_CORNER,
    ZERO_INDEX,
    SHORT_FACE,
    SHORT_LINE,
    UNKNOWN,
    WEIGHT,
    BAD_COLOR,
) = range(10)

# Places in BlockArrays.counts.
(
    VERTICES,
    UVS,
    NORMALS,
    CORNERS,
    FACES,
    JUMPS,
    LINES,
    POINTS,
    ELEMENT_LINES,
    EVENTS,
    NAME_BYTES,
    FAULT_KINDS,
    COLORED,
    TEXT_LINES,
    WEIGHTS,
) = range(15)


class BlockArrays(NamedTuple):
    """The numbers of one block, in arrays of which a part is used."""

    counts: np.ndarray  # (15,) int64, how many rows of each are used
    positions: np.ndarray  # (n, 3) float64
    colors: np.ndarray  # (n, 3) float32, in use when counts[COLORED]
    uvs: np.ndarray  # (n, 2) float32
    normals: np.ndarray  # (n, 3) float32
    # (n, 3) int32: vertex, uv, normal, each absolute from 0, or MISSING, or relative (see RELATIVE)
    corners: np.ndarray
    face_sizes: np.ndarray  # (n,) int32
    jumps: np.ndarray  # (n, 2) int32: a face that does not stand on the line after the face before, and its line
    lines: np.ndarray  # (n, 2) int32 vertices
    points: np.ndarray  # (n,) int32 vertices
    # (n, 4) int32: LINES or POINTS; an index from which on it holds; the line of that one; and how many stand on it and
    # on each line after it
    element_lines: np.ndarray
    # (n, 10) int32: kind; faces, lines and points before it; its line; offset and length of its name in `names`
    # (SMOOTHING: the group and 0; FREE_FORM: all of the statement); vertices, uvs and normals before it
    events: np.ndarray
    names: np.ndarray  # (n,) uint8
    faults: np.ndarray  # (n, 4) int64: kind, hash of the keyword or OTHERS, how many, line of the first
    snippets: np.ndarray  # (n, 48) uint8, the text of each fault's first statement, ended by 0
    weights: np.ndarray  # (n, 2) float64: a vertex whose weight is not 1, and the weight

    @property
    def used_bytes(self) -> int:
        """Bytes of the rows that are used, about."""
        counts = self.counts[[VERTICES, *range(VERTICES, FAULT_KINDS)]].tolist()  # positions and colours are as many
        return sum(count * column[:1].nbytes for count, column in zip(counts, self[1:], strict=False))


def block_arrays_for(block_bytes: int) -> BlockArrays:
    """Allocate arrays for the worst that so many bytes can hold; pages that stay untouched cost nothing."""
    n = block_bytes
    return BlockArrays(
        counts=np.zeros(WEIGHTS + 1, dtype=np.int64),
        positions=np.empty((n // 2 + 1, 3)),
        colors=np.empty((n // 2 + 1, 3), dtype=np.float32),
        uvs=np.empty((n // 3 + 1, 2), dtype=np.float32),
        normals=np.empty((n // 3 + 1, 3), dtype=np.float32),
        corners=np.empty((n // 2 + 1, 3), dtype=np.int32),
        face_sizes=np.empty(n // 7 + 1, dtype=np.int32),
        jumps=np.empty((n // 7 + 1, 2), dtype=np.int32),
        lines=np.empty((n // 2 + 1, 2), dtype=np.int32),
        points=np.empty(n // 2 + 1, dtype=np.int32),
        element_lines=np.empty((n // 4 + 1, 4), dtype=np.int32),
        events=np.empty((n // 2 + 1, 10), dtype=np.int32),
        names=np.empty(n + 1, dtype=np.uint8),
        faults=np.empty((_MOST_FAULTS, 4), dtype=np.int64),
        snippets=np.empty((_MOST_FAULTS, _SNIPPET), dtype=np.uint8),
        weights=np.empty((n // 8 + 1, 2)),
    )


@borrowing_kernel
def add_element_lines(block: BlockArrays, part: int, count: int, line: int) -> None:
    """Set the count of LINES or POINTS, and note the line of the new ones, unless the last note says so already."""
    element_lines = block.element_lines
    first = block.counts[part]
    size = count - first
    last = block.counts[ELEMENT_LINES] - 1
    block.counts[part] = count
    goes_on = last >= 0 and element_lines[last, 0] == part and element_lines[last, 3] == size
    if goes_on and (line - element_lines[last, 2]) * size == first - element_lines[last, 1]:
        return
    last += 1
    element_lines[last, 0] = part
    element_lines[last, 1] = first
    element_lines[last, 2] = line
    element_lines[last, 3] = size
    block.counts[ELEMENT_LINES] = last + 1


@borrowing_kernel
def add_fault(block: BlockArrays, kind: int, data: np.ndarray, begin: int, line: int, keyword_hash: int) -> None:
    """Record what is wrong with the statement at data[begin], or count it with an equal fault of the same keyword."""
    faults = block.faults
    count = block.counts[FAULT_KINDS]
    row = _find_fault(faults, count, kind, keyword_hash)
    if row == count and kind == UNKNOWN and count >= MOST_KEYWORDS:
        keyword_hash = np.int64(OTHERS)
        row = _find_fault(faults, count, kind, keyword_hash)
    if row < count:
        faults[row, 2] += 1
        return
    faults[count, 0] = kind
    faults[count, 1] = keyword_hash
    faults[count, 2] = 1
    faults[count, 3] = line
    snippet = block.snippets[count]
    snippet[:] = 0
    for k in range(len(snippet)):
        c = data[begin + np.uint64(k)]
        if is_line_end(c):
            break
        snippet[k] = c
    block.counts[FAULT_KINDS] = count + 1


@borrowing_kernel
def _find_fault(faults: np.ndarray, count: int, kind: int, keyword_hash: int) -> int:
    """Find the fault of a kind and keyword; `count` where there is none."""
    for k in range(count):
        if faults[k, 0] == kind and faults[k, 1] == keyword_hash:
            return k
    return count
