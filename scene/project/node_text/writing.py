"""Write the lines of nodes in a project file."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import borrowing_kernel
from octoscope.scene.project.node_text import literals
from octoscope.scene.project.node_text.literals import (
    BACKSLASH,
    CHILDREN,
    CLOSING,
    COMMA,
    EMBEDDED,
    EMBEDDED_NUMBER,
    FILE,
    HIDDEN,
    LINE_FEED,
    LIST_CLOSING,
    LIST_OPENING,
    MATERIAL,
    MATERIAL_NUMBER,
    MESH_OF_FILE,
    NAME,
    OBJECT,
    OCCURRENCE,
    OCCURRENCE_NUMBER,
    OPENING,
    QUOTE,
    ROTATION,
    SCALE,
    TRANSLATION,
    UNSELECTABLE,
)
from octoscope.scene.project.node_text.shortest_numbers import LONGEST, write_double, write_whole

_ONE = np.uint64(np.float64(1.0).view(np.uint64))  # the bits of 1.0
_NUMBERS = 10  # of a node's transform


def nodes_text(
    names: bytes,
    child_counts: np.ndarray,
    children: np.ndarray,
    transforms: np.ndarray,
    numbers: np.ndarray,
    objects: bytes,
    flags: np.ndarray,
) -> bytes:
    r"""Return the lines of n nodes: each after a line feed, with commas in between.

    Args:
        names: n strings of JSON with commas in between.
        child_counts: (n,) int64.
        children: int64 ids, one node's behind the other's.
        transforms: (n, 10) finite float64: translations, rotations, scales.
        numbers: (n, 4) int64: file, occurrence and number of an embedded mesh, and material; -1 for none.
        objects: the names of meshes of those nodes that have a file, as `names`.
        flags: (n, 2) bool: hidden, unselectable.
    """
    assert np.isfinite(transforms).all(), "JSON has no such numbers"
    count = len(child_counts)
    fixed = literals.LONGEST + _NUMBERS * (LONGEST + 1) + 4 * LONGEST + 20
    out = np.empty(count * fixed + len(children) * (LONGEST + 1) + len(names) + len(objects), dtype=np.uint8)
    bits = np.ascontiguousarray(transforms).view(np.uint64)
    name_bytes, object_bytes = (np.frombuffer(text, dtype=np.uint8) for text in (names, objects))
    size = _write_nodes(out, name_bytes, object_bytes, child_counts, children, bits, numbers, flags)
    return out[:size].tobytes()


@borrowing_kernel
def _write_nodes(
    out: np.ndarray,
    names: np.ndarray,
    objects: np.ndarray,
    child_counts: np.ndarray,
    children: np.ndarray,
    transforms: np.ndarray,
    numbers: np.ndarray,
    flags: np.ndarray,
) -> int:
    """Write all nodes, with room for a comma behind the last; return the number of bytes."""
    i = name = object_name = child = 0
    for node in range(len(child_counts)):
        out[i] = LINE_FEED
        begin = i = i + 1
        # Each field begins with a comma; the first one's becomes the bracket.
        end = _string_end(names, name)
        if end > name + 2:
            i = _copy(out, _key(out, i, NAME), names, name, end)
        name = end + 1
        if child_counts[node]:
            i = _write_list(out, _key(out, i, CHILDREN), children, child, child_counts[node])
            child += child_counts[node]
        i = _write_transform(out, i, transforms[node])
        if numbers[node, FILE] >= 0:
            end = _string_end(objects, object_name)
            i = write_whole(out, _key(out, i, MESH_OF_FILE), numbers[node, FILE])
            i = _copy(out, _literal(out, i, OBJECT), objects, object_name, end)
            object_name = end + 1
            if numbers[node, OCCURRENCE_NUMBER] > 0:
                i = write_whole(out, _literal(out, i, OCCURRENCE), numbers[node, OCCURRENCE_NUMBER])
            out[i] = CLOSING
            i += 1
        if numbers[node, EMBEDDED_NUMBER] >= 0:
            i = _key(out, i, EMBEDDED)
            i = write_whole(out, i, numbers[node, EMBEDDED_NUMBER])
            out[i] = CLOSING
            i += 1
        if numbers[node, MATERIAL_NUMBER] >= 0:
            i = _key(out, i, MATERIAL)
            i = write_whole(out, i, numbers[node, MATERIAL_NUMBER])
        if flags[node, 0]:
            i = _key(out, i, HIDDEN)
        if flags[node, 1]:
            i = _key(out, i, UNSELECTABLE)
        i = max(i, begin + 1)
        out[begin] = OPENING
        out[i], out[i + 1] = CLOSING, COMMA
        i += 2
    return max(i - 1, 0)


@borrowing_kernel
def _write_transform(out: np.ndarray, i: int, bits: np.ndarray) -> int:
    """Write what differs in any bit from the transform of a node that is not moved: -0.0 is not 0.0."""
    if bits[0] | bits[1] | bits[2]:
        i = _write_vector(out, _key(out, i, TRANSLATION), bits, 0, 3)
    if bits[3] | bits[4] | bits[5] | (bits[6] ^ _ONE):
        i = _write_vector(out, _key(out, i, ROTATION), bits, 3, 7)
    if (bits[7] ^ _ONE) | (bits[8] ^ _ONE) | (bits[9] ^ _ONE):
        i = _write_vector(out, _key(out, i, SCALE), bits, 7, 10)
    return i


@borrowing_kernel
def _write_vector(out: np.ndarray, i: int, bits: np.ndarray, first: int, end: int) -> int:
    out[i] = LIST_OPENING
    for k in range(first, end):
        i = write_double(out, i + 1, bits[k])
        out[i] = COMMA
    out[i] = LIST_CLOSING
    return i + 1


@borrowing_kernel
def _write_list(out: np.ndarray, i: int, numbers: np.ndarray, first: int, count: int) -> int:
    out[i] = LIST_OPENING
    for k in range(first, first + count):
        i = write_whole(out, i + 1, numbers[k])
        out[i] = COMMA
    out[i] = LIST_CLOSING
    return i + 1


@borrowing_kernel
def _string_end(text: np.ndarray, i: int) -> int:
    """Return the position behind a string of JSON that begins at i."""
    i += 1
    while text[i] != QUOTE:
        i += 2 if text[i] == BACKSLASH else 1
    return i + 1


@borrowing_kernel
def _key(out: np.ndarray, i: int, key: np.ndarray) -> int:
    """Write a comma and the name of a field."""
    out[i] = COMMA
    return _literal(out, i + 1, key)


@borrowing_kernel
def _literal(out: np.ndarray, i: int, text: np.ndarray) -> int:
    return _copy(out, i, text, 0, len(text))


@borrowing_kernel
def _copy(out: np.ndarray, i: int, text: np.ndarray, first: int, end: int) -> int:
    """Copy a part of a text to out[i] and on; return the position behind it."""
    for k in range(first, end):
        out[i + k - first] = text[k]
    return i + end - first
