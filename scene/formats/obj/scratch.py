"""Scratch: where one block of a file leaves what it holds, until it is collected."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from octree.jit import borrowing_kernel
from scene.formats.obj.words import is_line_end

MISSING = -1
RELATIVE = -(2**31) + 2**29  # added to an index that counts from the block's beginning, which may be negative
MOST_INDICES = 2**29  # what an index may reach, and what it is taken for beyond: no file has so many
PADDING = 32  # line ends that must follow a block
_MOST_FAULTS = 64  # that are kept apart in one block
MOST_KEYWORDS = 48  # unknown ones that are kept apart: more than anybody reads
OTHERS = -1  # stands for the hash of any further keyword
_SNIPPET = 48  # bytes of a faulty statement that are kept for a message

# Events: statements that say something about what follows them.
OBJECT, GROUP, MATERIAL, LIBRARY, SMOOTHING = range(5)

# Faults: what can be wrong with a statement.
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

# Places in Scratch.counts.
(
    VERTICES,
    UVS,
    NORMALS,
    CORNERS,
    FACES,
    JUMPS,
    LINES,
    POINTS,
    PLACES,
    EVENTS,
    NAME_BYTES,
    FAULT_KINDS,
    COLORED,
    TEXT_LINES,
) = range(14)


class Scratch(NamedTuple):
    """Room for what one block holds; `counts` says how much of each is used.

    positions (n, 3) float64; colors (n, 3) float32, of use when counts[COLORED]; uvs (n, 2), normals (n, 3) float32.
    corners (n, 3) int32: vertex, uv, normal, each absolute from 0, or MISSING, or relative (see RELATIVE).
    face_sizes (n,) int32. jumps (n, 2) int32: faces that do not stand on the line behind the face before, and where
    they do. lines (n, 2), points (n,) int32 vertices. places (n, 4) int32: LINES or POINTS, from which one on, on which
    line it stands, and how many stand there and on each line behind it. events (n, 8) int32: kind; faces, lines and
    points before it; its line; where its name lies in `names`: first, length (SMOOTHING: the group, 0); vertices before
    it.
    faults (n, 4) int64: kind, hash of the keyword or OTHERS, how many, line of the first; snippets (n, 48) uint8, its
    text, ended by 0.
    """

    counts: np.ndarray
    positions: np.ndarray
    colors: np.ndarray
    uvs: np.ndarray
    normals: np.ndarray
    corners: np.ndarray
    face_sizes: np.ndarray
    jumps: np.ndarray
    lines: np.ndarray
    points: np.ndarray
    places: np.ndarray
    events: np.ndarray
    names: np.ndarray
    faults: np.ndarray
    snippets: np.ndarray


def scratch_for(block_bytes: int) -> Scratch:
    """Room for the worst that so many bytes can hold; pages that stay untouched cost nothing."""
    n = block_bytes
    return Scratch(
        counts=np.zeros(TEXT_LINES + 1, dtype=np.int64),
        positions=np.empty((n // 2 + 1, 3)),
        colors=np.empty((n // 2 + 1, 3), dtype=np.float32),
        uvs=np.empty((n // 3 + 1, 2), dtype=np.float32),
        normals=np.empty((n // 3 + 1, 3), dtype=np.float32),
        corners=np.empty((n // 2 + 1, 3), dtype=np.int32),
        face_sizes=np.empty(n // 7 + 1, dtype=np.int32),
        jumps=np.empty((n // 7 + 1, 2), dtype=np.int32),
        lines=np.empty((n // 2 + 1, 2), dtype=np.int32),
        points=np.empty(n // 2 + 1, dtype=np.int32),
        places=np.empty((n // 4 + 1, 4), dtype=np.int32),
        events=np.empty((n // 2 + 1, 8), dtype=np.int32),
        names=np.empty(n + 1, dtype=np.uint8),
        faults=np.empty((_MOST_FAULTS, 4), dtype=np.int64),
        snippets=np.empty((_MOST_FAULTS, _SNIPPET), dtype=np.uint8),
    )


@borrowing_kernel
def add_place(scratch: Scratch, part: int, count: int, line: int) -> None:
    """Let there be `count` LINES or POINTS, and note where the new ones stand, unless the last note says so already."""
    places = scratch.places
    first = scratch.counts[part]
    size = count - first
    last = scratch.counts[PLACES] - 1
    scratch.counts[part] = count
    goes_on = last >= 0 and places[last, 0] == part and places[last, 3] == size
    if goes_on and (line - places[last, 2]) * size == first - places[last, 1]:
        return
    last += 1
    places[last, 0] = part
    places[last, 1] = first
    places[last, 2] = line
    places[last, 3] = size
    scratch.counts[PLACES] = last + 1


@borrowing_kernel
def add_fault(scratch: Scratch, kind: int, data: np.ndarray, begin: int, line: int, keyword_hash: int) -> None:
    """Note what is wrong with the statement at data[begin], or count it with one of its kind and keyword."""
    faults = scratch.faults
    count = scratch.counts[FAULT_KINDS]
    place = _place_of(faults, count, kind, keyword_hash)
    if place == count and kind == UNKNOWN and count >= MOST_KEYWORDS:
        keyword_hash = np.int64(OTHERS)
        place = _place_of(faults, count, kind, keyword_hash)
    if place < count:
        faults[place, 2] += 1
        return
    faults[count, 0] = kind
    faults[count, 1] = keyword_hash
    faults[count, 2] = 1
    faults[count, 3] = line
    snippet = scratch.snippets[count]
    snippet[:] = 0
    for k in range(len(snippet)):
        c = data[begin + np.uint64(k)]
        if is_line_end(c):
            break
        snippet[k] = c
    scratch.counts[FAULT_KINDS] = count + 1


@borrowing_kernel
def _place_of(faults: np.ndarray, count: int, kind: int, keyword_hash: int) -> int:
    """Which of the faults so far is of a kind and keyword; `count` where none is."""
    for k in range(count):
        if faults[k, 0] == kind and faults[k, 1] == keyword_hash:
            return k
    return count
