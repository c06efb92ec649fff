"""Decode the streams of EXT_meshopt_compression and KHR_meshopt_compression.

Streams come from a file and may be damaged: nothing is read outside of them, and each function tells whether its stream
was sound. The specification of the latter extension has names for all that is read here: its appendix A.
"""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel

MOST_STRIDE = 256  # bytes of an item
_GROUP = 16  # items whose deltas are stored together
_MOST_OF_BLOCK = 256  # items
_WORD = 0xFFFFFFFF
Integer = int | np.int64
# Where a decoder of triangles is in its stream; which vertex is next, which was the last that was written out, and how
# many were kept.
_AT, _UPCOMING, _LAST, _VERTEX_COUNT = range(4)


@kernel
def decode_attributes(source: np.ndarray, stride: int, out: np.ndarray) -> bool:
    """Decode (n, stride) items of mode ATTRIBUTES, version 0 or 1; return whether the stream is one of so many.

    `stride` is a multiple of 4 up to MOST_STRIDE.
    """
    if len(source) == 0 or (source[0] != 0xA0 and source[0] != 0xA1):
        return False
    channels = stride // 4 if source[0] == 0xA1 else 0  # of four bytes each, which version 1 tells apart
    tail = stride + channels
    end = len(source) - max(tail, 24 if channels else 32)
    if end < 1:
        return False
    modes = np.zeros(stride // 4, np.uint8)
    modes[:channels] = source[len(source) - channels :]
    for mode in modes:
        if mode & 15 > 2 or (mode & 15 < 2 and mode > 1):
            return False
    last = source[len(source) - tail : len(source) - channels].copy()
    most = min((8192 // stride) & ~(_GROUP - 1), _MOST_OF_BLOCK)
    deltas = np.empty((stride, _MOST_OF_BLOCK), np.uint8)
    at = 1
    for first in range(0, len(out), most):
        count = min(most, len(out) - first)
        controls = at
        at += channels
        if at > end:
            return False
        for k in range(stride):
            control = (source[controls + k // 4] >> (k % 4 * 2)) & 3 if channels else -1
            at = _read_deltas(source, at, end, control, count, deltas[k])
            if at < 0:
                return False
        for channel in range(stride // 4):
            begin, behind = channel * 4, channel * 4 + 4
            _add_deltas(
                deltas[begin:behind], modes[channel], last[begin:behind], out[first : first + count, begin:behind]
            )
    return at == end


@kernel
def _read_deltas(source: np.ndarray, at: Integer, end: int, control: int, count: int, deltas: np.ndarray) -> Integer:
    """Read the (256,) deltas of one byte of a block's items, and up to 15 more; return where they end, or -1.

    `control` says how version 1 stores them; -1: version 0.
    """
    if control == 2:
        deltas[:count] = 0
        return at
    if control == 3:
        if at + count > end:
            return -1
        deltas[:count] = source[at : at + count]
        return at + count
    groups = (count + _GROUP - 1) // _GROUP
    widths = at
    at += (groups + 3) // 4
    if at > end:
        return -1
    for group in range(groups):
        width = np.int64(source[widths + group // 4] >> (group % 4 * 2)) & 3
        # 0, 1, 2, 4 bits; 1, 2, 4, 8; in version 0 0, 2, 4, 8
        bits = 0 if width == 0 and control < 1 else 1 << (width - 1 if control == 0 else width)
        first = group * _GROUP
        if bits == 0:
            deltas[first : first + _GROUP] = 0
            continue
        own = at + 2 * bits  # where those begin that do not fit into so few bits
        if own > end:
            return -1
        largest = (1 << bits) - 1
        for k in range(_GROUP):
            bit = k * bits
            shift = bit % 8 if bits == 1 else 8 - bits - bit % 8
            delta = np.int64(source[at + bit // 8] >> shift) & largest
            if delta == largest and bits < 8:
                if own >= end:
                    return -1
                delta = np.int64(source[own])
                own += 1
            deltas[first + k] = delta
        at = own
    return at


@kernel
def _add_deltas(deltas: np.ndarray, mode: int, last: np.ndarray, out: np.ndarray) -> None:
    """Write four bytes of a block's items from their deltas.

    Args:
        mode: of the channel: deltas of bytes, of pairs of bytes, or of bits that are turned by its high half.
        last: (4,) the bytes of the item before; those of the last one after it.
    """
    turn = np.int64(mode) >> 4
    for i in range(len(out)):
        if mode & 15 == 2:
            bits = np.int64(0)
            for k in range(4):
                bits |= np.int64(deltas[k, i]) << (8 * k)
            bits = ((bits << turn) | (bits >> (32 - turn))) & _WORD
            for k in range(4):
                last[k] ^= (bits >> (8 * k)) & 255
        elif mode == 1:
            for k in (0, 2):
                delta = np.int64(deltas[k, i]) | np.int64(deltas[k + 1, i]) << 8
                value = (np.int64(last[k]) | np.int64(last[k + 1]) << 8) + ((delta >> 1) ^ -(delta & 1))
                last[k] = value & 255
                last[k + 1] = (value >> 8) & 255
        else:
            for k in range(4):
                delta = np.int64(deltas[k, i])
                last[k] = (np.int64(last[k]) + ((delta >> 1) ^ -(delta & 1))) & 255
        out[i] = last


@kernel
def _read_number(source: np.ndarray, at: Integer, end: int) -> tuple[Integer, Integer]:
    """Read a number of 7 bits a byte: the number, up to 2**32, and where it ends, or -1."""
    number = np.int64(0)
    for k in range(5):
        if at >= end:
            break
        byte = np.int64(source[at])
        at += 1
        number |= (byte & 127) << (7 * k)
        if byte < 128:
            return number & _WORD, at
    return np.int64(0), -1


@kernel
def decode_indices(source: np.ndarray, out: np.ndarray) -> bool:
    """Decode (n,) numbers that are near to one of two before: mode INDICES; return whether the stream has so many."""
    end = len(source) - 4
    if end < 1 or source[0] != 0xD1:
        return False
    last = np.zeros(2, np.int64)
    at = 1
    for i in range(len(out)):
        number, at = _read_number(source, at, end)
        if at < 0:
            return False
        which = number & 1
        last[which] = (last[which] + ((number >> 2) ^ -((number >> 1) & 1))) & _WORD
        out[i] = last[which]
    return at == end


@kernel
def decode_triangles(source: np.ndarray, out: np.ndarray) -> bool:
    """Decode (t, 3) vertices that share edges with those before: mode TRIANGLES; return whether there are so many."""
    end = len(source) - 16
    if end < 1 + len(out) or source[0] != 0xE1:
        return False
    edges = np.zeros((16, 2), np.int64)
    edge_count = 0
    vertices = np.zeros(16, np.int64)
    state = np.zeros(4, np.int64)
    state[_AT] = 1 + len(out)
    for triangle in range(len(out)):
        high, low = np.int64(source[1 + triangle]) >> 4, np.int64(source[1 + triangle]) & 15
        if high < 15:
            if high >= edge_count:
                return False
            edge = (edge_count - 1 - high) & 15
            a, b = edges[edge, 0], edges[edge, 1]
            if low == 13 or low == 14:
                c = state[_LAST] = (state[_LAST] + (1 if low == 14 else -1)) & _WORD
                vertices[state[_VERTEX_COUNT] & 15] = c
                state[_VERTEX_COUNT] += 1
            else:
                c = _corner(source, end, low if low == 0 or low == 15 else low + 1, vertices, state)
                _keep(vertices, state, c, low)
        else:
            kinds = np.int64(source[end + low])
            if low >= 14:
                if state[_AT] >= end:
                    return False
                kinds = np.int64(source[state[_AT]])
                state[_AT] += 1
                if kinds == 0:
                    state[_UPCOMING] = 0
            elif kinds >> 4 == 15 or kinds & 15 == 15:
                return False
            of_a, of_b, of_c = 15 if low == 15 else 0, kinds >> 4, kinds & 15
            a = _corner(source, end, of_a, vertices, state)
            b = _corner(source, end, of_b, vertices, state)
            c = _corner(source, end, of_c, vertices, state)
            _keep(vertices, state, a, of_a)
            _keep(vertices, state, b, of_b)
            _keep(vertices, state, c, of_c)
            edges[edge_count & 15, 0] = b
            edges[edge_count & 15, 1] = a
            edge_count += 1
        if min(a, b, c) < 0:
            return False
        edges[edge_count & 15, 0] = c
        edges[edge_count & 15, 1] = b
        edges[(edge_count + 1) & 15, 0] = a
        edges[(edge_count + 1) & 15, 1] = c
        edge_count += 2
        out[triangle, 0], out[triangle, 1], out[triangle, 2] = a, b, c
    return state[_AT] == end


@kernel
def _corner(source: np.ndarray, end: int, kind: Integer, vertices: np.ndarray, state: np.ndarray) -> Integer:
    """Return a corner of a triangle, or -1.

    Args:
        kind: 0: the vertex that is next; 15: written out, from the last that was; else the kind-th last in `vertices`.
    """
    if kind == 0:
        corner = state[_UPCOMING]
        state[_UPCOMING] = (corner + 1) & _WORD
        return corner
    if kind == 15:
        if state[_AT] < 0:
            return -1
        number, state[_AT] = _read_number(source, state[_AT], end)
        if state[_AT] < 0:
            return -1
        state[_LAST] = (state[_LAST] + ((number >> 1) ^ -(number & 1))) & _WORD
        return state[_LAST]
    return vertices[(state[_VERTEX_COUNT] - kind) & 15] if kind <= state[_VERTEX_COUNT] else -1


@kernel
def _keep(vertices: np.ndarray, state: np.ndarray, corner: Integer, kind: Integer) -> None:
    """Keep a corner that was next or written out, and was not among those that are kept."""
    if kind == 0 or kind == 15:
        vertices[state[_VERTEX_COUNT] & 15] = corner
        state[_VERTEX_COUNT] += 1
