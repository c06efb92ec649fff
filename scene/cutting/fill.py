"""Fill: divide what closed lines in a plane enclose into pieces with two level sides, each of one object.

A sweep from below, from one height at which lines begin, end or cross to the next: between two of them the lines stand
side by side, and what lies between two neighbours is inside of the same objects. Where objects lie within each other
the one of least rank is seen. Pieces between the same two lines are joined.
Source: Bentley and Ottmann, "Algorithms for Reporting and Counting Geometric Intersections", 1979, for the sweep.
"""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel

_AHEAD = 1e-6  # share of a step by which lines are compared above its lower end, where some meet
_MOST_CROSSINGS = 200  # within a step; a knot of more is drawn as it comes
_LEFT, _LOW, _RIGHT, _HIGH = range(
    4
)  # columns of lines that are turned upwards: x and y of the lower end, and the upper


def fill(lines: np.ndarray, owners: np.ndarray, agree: np.ndarray, clips: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (t, 3, 2) float64 triangles, counter-clockwise, of what lines enclose, and (t,) int64 their owners.

    Args:
        lines: (s, 4) float64, begin and end of each; those of an owner close.
        owners: (s,) int64, below len(agree), by rank: of objects within each other that of the least is seen.
        agree: (m,) bool, by owner, as closed_lines returns it.
        clips: (c, 3) float64: what lies at x, y with a x + b y + c < 0 is left out.
    """
    is_up = lines[:, 3] > lines[:, 1]
    upwards = np.where(is_up[:, None], lines, lines[:, [2, 3, 0, 1]])
    steps = np.where(is_up, 1, -1)
    is_level = upwards[:, _LOW] == upwards[:, _HIGH]
    groups = _groups(upwards, owners, len(agree))[owners]
    order = np.lexsort((upwards[:, _LOW], groups))
    order = order[~is_level[order]]
    upwards, owners, steps, groups = upwards[order], owners[order], steps[order], groups[order]
    begins = np.append(np.flatnonzero(np.diff(groups, prepend=-1)), len(groups))
    pieces, piece_owners = sweep(np.ascontiguousarray(upwards), owners, steps, agree, begins)
    return cut_pieces(pieces, piece_owners, clips)


def _groups(upwards: np.ndarray, owners: np.ndarray, owner_count: int) -> np.ndarray:
    """Return (owner_count,) int64: the same number for owners whose lines' bounds overlap, directly or by others."""
    lower, upper = np.full((owner_count, 2), np.inf), np.full((owner_count, 2), -np.inf)
    for low, high in ((_LEFT, _RIGHT), (_RIGHT, _LEFT)):
        np.minimum.at(lower[:, 0], owners, upwards[:, low])
        np.maximum.at(upper[:, 0], owners, upwards[:, high])
    np.minimum.at(lower[:, 1], owners, upwards[:, _LOW])
    np.maximum.at(upper[:, 1], owners, upwards[:, _HIGH])
    return grouped(lower, upper)


def grouped(lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
    """Number (m,) rectangles by lower and upper corners, (m, 2), so that those that overlap have the same number.

    They are compared along the axis on which fewer of them overlap: not along x where all stand above each other.
    """
    orders = np.argsort(lower, axis=0, kind="stable")
    begins = np.take_along_axis(lower, orders, axis=0)
    overlapping = [np.searchsorted(begins[:, axis], upper[:, axis], side="right").sum() for axis in range(2)]
    axis = int(np.argmin(overlapping))
    if axis == 1:
        lower, upper = np.ascontiguousarray(lower[:, ::-1]), np.ascontiguousarray(upper[:, ::-1])
    return compared(lower, upper, orders[:, axis].copy())


@kernel
def compared(lower: np.ndarray, upper: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Number rectangles as `grouped` does; (m,) `order` is theirs by the first column of `lower`."""
    parents = np.arange(len(lower))
    for i in range(len(order)):
        first = order[i]
        for k in range(i + 1, len(order)):
            second = order[k]
            if lower[second, 0] > upper[first, 0]:
                break
            if lower[second, 1] <= upper[first, 1] and lower[first, 1] <= upper[second, 1]:
                a, b = first, second
                while parents[a] != a:
                    parents[a] = parents[parents[a]]
                    a = parents[a]
                while parents[b] != b:
                    parents[b] = parents[parents[b]]
                    b = parents[b]
                parents[max(a, b)] = min(a, b)
    for i in range(len(parents)):
        while parents[parents[i]] != parents[i]:
            parents[i] = parents[parents[i]]
    return parents


@kernel
def _x_at(line: np.ndarray, y: float) -> float:
    if y <= line[1]:
        return line[0]
    if y >= line[3]:
        return line[2]
    return line[0] + (y - line[1]) / (line[3] - line[1]) * (line[2] - line[0])


@kernel
def sweep(
    lines: np.ndarray, owners: np.ndarray, steps: np.ndarray, agree: np.ndarray, begins: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Divide what lines enclose into pieces with level sides.

    Args:
        lines: (s, 4) float64, the lower end and the higher one of each, by group and then by the lower end.
        owners: (s,) int64.
        steps: (s,) int64: 1 for lines that ran upwards, -1 for others.
        agree: (m,) bool, by owner.
        begins: (g + 1,) where the lines of each group begin, and where the last ones end.

    Returns:
        (p, 6) float64 pieces: lower y, x of the left and the right end there; and the same for the upper y; and (p,)
        int64 their owners.
    """
    pieces = np.empty((256, 6))
    piece_owners = np.empty(256, dtype=np.int64)
    count = 0
    total = len(lines)
    active, keys = np.empty(total, dtype=np.int64), np.empty(total)
    # Of the piece that grows to the right of a line: where it began, its right line, and its owner or -1 for none.
    low, right, owner = np.empty(total), np.empty(total, dtype=np.int64), np.full(total, -1)
    lefts, rights, inner = np.empty(total, dtype=np.int64), np.empty(total, dtype=np.int64), np.empty(total, np.int64)
    growing = np.empty(total, dtype=np.int64)
    goes_on = np.zeros(total, dtype=np.bool_)
    windings, inside = np.zeros(len(agree), dtype=np.int64), np.empty(len(agree), dtype=np.int64)
    for group in range(len(begins) - 1):
        following, end = begins[group], begins[group + 1]
        heights = np.sort(np.concatenate((lines[following:end, 1], lines[following:end, 3])))
        active_count = growing_count = crossings = level = 0
        y = heights[0]
        while True:
            kept = 0
            for k in range(active_count):
                if lines[active[k], 3] > y:
                    active[kept] = active[k]
                    kept += 1
            active_count = kept
            while following < end and lines[following, 1] <= y:
                active[active_count] = following
                active_count += 1
                following += 1
            while level < len(heights) and heights[level] <= y:
                level += 1
                crossings = 0
            top = heights[level] if level < len(heights) else y
            if active_count > 0:
                top = _sort(lines, active, active_count, keys, y, top, crossings < _MOST_CROSSINGS)
                crossings += 1
            span_count = _spans(active, active_count, owners, steps, agree, windings, inside, lefts, rights, inner)
            for k in range(span_count):
                left = lefts[k]
                goes_on[left] = owner[left] == inner[k] and right[left] == rights[k]
            if count + growing_count > len(piece_owners):
                pieces = np.concatenate((pieces, np.empty((count + growing_count, 6))))
                piece_owners = np.concatenate((piece_owners, np.empty(count + growing_count, dtype=np.int64)))
            for k in range(growing_count):
                left = growing[k]
                if not goes_on[left]:
                    for side, height in ((0, low[left]), (3, y)):
                        pieces[count, side] = height
                        pieces[count, side + 1] = _x_at(lines[left], height)
                        pieces[count, side + 2] = _x_at(lines[right[left]], height)
                    piece_owners[count] = owner[left]
                    owner[left] = -1
                    count += 1
            for k in range(span_count):
                left = lefts[k]
                if not goes_on[left]:
                    low[left], right[left], owner[left] = y, rights[k], inner[k]
                goes_on[left] = False
                growing[k] = left
            growing_count = span_count
            if active_count == 0 and following == end:
                break
            y = top
    return pieces[:count].copy(), piece_owners[:count].copy()


@kernel
def _sort(
    lines: np.ndarray,
    active: np.ndarray,
    count: int,
    keys: np.ndarray,
    y: float,
    top: float,
    looks_for_crossings: bool,
) -> float:
    """Sort the active lines from left to right just above y; return where two of them cross below `top`, or `top`."""
    ahead = y + _AHEAD * (top - y)
    for k in range(count):
        line = active[k]
        key = _x_at(lines[line], ahead)
        place = k
        while place > 0 and keys[place - 1] > key:
            keys[place] = keys[place - 1]
            active[place] = active[place - 1]
            place -= 1
        keys[place] = key
        active[place] = line
    first = top
    if looks_for_crossings:
        before = -np.inf
        for k in range(count):
            x = _x_at(lines[active[k]], top)
            if x < before:
                gap = keys[k] - keys[k - 1]
                crossing = ahead + gap / (gap + before - x) * (top - ahead)
                if ahead < crossing < first:
                    first = crossing
            before = x
    return first


@kernel
def _spans(
    active: np.ndarray,
    count: int,
    owners: np.ndarray,
    steps: np.ndarray,
    agree: np.ndarray,
    windings: np.ndarray,
    inside: np.ndarray,
    lefts: np.ndarray,
    rights: np.ndarray,
    inner: np.ndarray,
) -> int:
    """Write left line, right line and owner of what lies between the sorted active lines; return how many there are."""
    spans = inside_count = 0
    now = -1
    for k in range(count):
        line = active[k]
        owner = owners[line]
        was_in = windings[owner] != 0
        windings[owner] = windings[owner] + steps[line] if agree[owner] else 1 - windings[owner]
        is_in = windings[owner] != 0
        if is_in == was_in:
            continue
        if is_in:
            inside[inside_count] = owner
            inside_count += 1
        else:
            place = 0
            while inside[place] != owner:
                place += 1
            inside_count -= 1
            inside[place] = inside[inside_count]
        least = -1
        for i in range(inside_count):
            if least < 0 or inside[i] < least:
                least = inside[i]
        if least == now:
            continue
        if now >= 0:
            rights[spans - 1] = line
        if least >= 0:
            lefts[spans], inner[spans] = line, least
            spans += 1
        now = least
    for k in range(count):  # what did not close, as rounding may leave it
        windings[owners[active[k]]] = 0
    return spans if now < 0 else spans - 1


_MOST_CORNERS = 4 + 6


@kernel
def cut_pieces(pieces: np.ndarray, owners: np.ndarray, clips: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Divide pieces into triangles, without what lies beyond lines; return (t, 3, 2) float64 and (t,) int64, as `fill`.

    Args:
        pieces: (p, 6) as sweep returns them.
        owners: (p,) int64.
        clips: (c, 3), at most five, as of `fill`.
    """
    triangles = np.empty((len(pieces) * (_MOST_CORNERS - 2), 3, 2))
    triangle_owners = np.empty(len(triangles), dtype=np.int64)
    count = 0
    polygon, cut = np.empty((_MOST_CORNERS, 2)), np.empty((_MOST_CORNERS, 2))
    for i in range(len(pieces)):
        low, low_left, low_right, high, high_left, high_right = pieces[i]
        corners = 4
        polygon[0, 0], polygon[1, 0], polygon[2, 0], polygon[3, 0] = low_left, low_right, high_right, high_left
        polygon[0, 1] = polygon[1, 1] = low
        polygon[2, 1] = polygon[3, 1] = high
        for clip in clips:
            left = 0
            for k in range(corners):
                a = clip[0] * polygon[k, 0] + clip[1] * polygon[k, 1] + clip[2]
                after = (k + 1) % corners
                b = clip[0] * polygon[after, 0] + clip[1] * polygon[after, 1] + clip[2]
                if a >= 0.0:
                    cut[left] = polygon[k]
                    left += 1
                if (a >= 0.0) != (b >= 0.0):
                    share = a / (a - b)
                    cut[left, 0] = polygon[k, 0] + share * (polygon[after, 0] - polygon[k, 0])
                    cut[left, 1] = polygon[k, 1] + share * (polygon[after, 1] - polygon[k, 1])
                    left += 1
            corners = left
            polygon[:corners] = cut[:corners]
        for k in range(2, corners):
            along_x, along_y = polygon[k - 1, 0] - polygon[0, 0], polygon[k - 1, 1] - polygon[0, 1]
            area = along_x * (polygon[k, 1] - polygon[0, 1]) - along_y * (polygon[k, 0] - polygon[0, 0])
            if area > 0.0:
                triangles[count, 0] = polygon[0]
                triangles[count, 1] = polygon[k - 1]
                triangles[count, 2] = polygon[k]
                triangle_owners[count] = owners[i]
                count += 1
    return triangles[:count].copy(), triangle_owners[:count].copy()
