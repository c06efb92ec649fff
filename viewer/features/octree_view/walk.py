"""Walk: a query of the octree step by step, which cell is asked and what it answers, in the order of the kernels.

The kernels (octree/queries/) keep no record of their way, which would cost them time. So their walks are written here
once more, in numpy and for one query at a time; the tests hold both against each other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from octoscope.octree import Frustum, Octree
from octoscope.octree.frustum import INSIDE, INTERSECTING, OUTSIDE
from octoscope.octree.layout.slots import cell_key, leaf_bits
from octoscope.octree.queries import raycast
from octoscope.octree.queries.raycast import RayTree
from octoscope.octree.sphere_tree import flat_limit
from octoscope.viewer.camera.camera import BOX_EDGES

_LOOSER = 1.0 + 2.0**-18  # as octree.layout.walk.child_sizes has it
_NONE = np.empty(0, dtype=np.int32)
_CHILD_SIDES = 2.0 * (np.arange(8)[:, None] >> np.arange(3) & 1) - 1.0  # (8, 3): -1 or 1, by child

_CULL_VERDICTS = "outside", "cut by the border", "inside"
_RAY_VERDICTS = "missed, or behind the hit", "met", "hit"
_FEW = "So few objects are not worth a walk through cells"

# Takes ids (k,) and the t of the nearest hit so far; returns the id and t of a nearer hit among them, or None.
HitTest = Callable[[np.ndarray, float], tuple[int, float] | None]


@dataclass(frozen=True, eq=False)
class Step:
    """A question to a cell, and its answer."""

    center: np.ndarray  # (3,) float64 of the cell, world
    half_size: float  # of the cell, world units
    bounds: float  # half size of its bounds, which its objects lie in and by which it is judged to be outside or missed
    level: int  # of the cell
    verdict: int  # OUTSIDE, INTERSECTING or INSIDE, of the volume; missed, met or hit by the ray
    answer: str  # a sentence: what the cell answers, and what follows of it
    tested: np.ndarray  # (t,) int32 objects whose spheres are tested one by one because of it
    copied: np.ndarray  # (c,) int32 objects that are found without a test


class Walk(NamedTuple):
    """The steps of a query."""

    title: str  # "cull" or "ray"
    verdicts: tuple[str, str, str]  # what OUTSIDE, INTERSECTING and INSIDE mean of its steps
    steps: Sequence[Step]
    lines: np.ndarray  # (n, 2, 3) float64 world: the edges of the frustum, or the ray
    origin: np.ndarray  # (3,) float64 world: of the camera
    found: np.ndarray  # (f,) int32 objects that the query finds
    object_count: int  # in the tree
    cell_count: int  # in the tree: those that hold an object, themselves or below

    def caption(self, place: int) -> tuple[str, ...]:
        """Return lines about a step: which cell is asked, and its answer; at the last step the sum of all, too."""
        step = self.steps[place]
        cell = f"level {step.level}" if step.level else "the root"
        lines = f"{self.title.capitalize()}, step {place + 1} of {len(self.steps)}, {cell}", step.answer
        return lines if place < len(self.steps) - 1 else (*lines, *self.summary)

    @property
    def summary(self) -> tuple[str, ...]:
        """Lines that count the visited cells and the tested objects."""
        visited = len({(step.level, *step.center.tolist()) for step in self.steps})
        tested = sum(len(step.tested) for step in self.steps)
        copied = sum(len(step.copied) for step in self.steps)
        if visited == 1:
            return ("Open the sample scene (File > Open sample scene) for a walk through more cells.",)
        untested = f", {copied:,} of them without a test" if copied else ""
        objects = _objects(self.object_count)
        return (
            f"The {self.title} visited {visited:,} of {self.cell_count:,} cells and tested {tested:,} of {objects}.",
            f"It found {_objects(len(self.found))}{untested}; without a tree it would test all {self.object_count:,}.",
        )


class _Cell(NamedTuple):
    level: int
    leaf: int  # Morton code of its first leaf
    begin: int  # slots of its subtree
    end: int
    center: np.ndarray  # (3,) about the root's centre
    entered: float = 0.0  # t where the ray enters its bounds


class _Cells:
    """The cells of a tree as walks need them."""

    def __init__(self, tree: Octree) -> None:
        self.arrays: RayTree = tree.ray_tree()
        self.origin = tree.center
        self.root = _Cell(0, 0, 0, self.arrays.sorted_count, np.zeros(3))
        self._grid = self.arrays.grid

    def half_size(self, cell: _Cell) -> float:
        return self._grid.half_size / 2**cell.level

    def bounds(self, cell: _Cell) -> float:
        """Return half the size of the bounds that the spheres of a cell lie in; those of the root may lie anywhere."""
        return self.half_size(cell) * _LOOSER + (float(self._grid.overhang[cell.level]) if cell.level else 0.0)

    def is_leaf(self, cell: _Cell) -> bool:
        return cell.level == self._grid.split_level

    def ids(self, begin: int, end: int) -> np.ndarray:
        ids = self.arrays.slots.id_at[begin:end]
        return ids[ids >= 0]

    def children(self, cell: _Cell) -> list[_Cell]:
        """Return all eight children; those that hold nothing, too."""
        bits = leaf_bits(cell.level + 1, self._grid.split_level)
        keys = self.arrays.slots.key[cell.begin : cell.end]
        firsts = [cell_key(cell.leaf, cell.level + 1), *(cell_key(cell.leaf + (n << bits), 0) for n in range(1, 8))]
        begins = [*(cell.begin + np.searchsorted(keys, firsts)).tolist(), cell.end]
        centers = cell.center + _CHILD_SIDES * (self.half_size(cell) / 2.0)
        return [_Cell(cell.level + 1, cell.leaf + (n << bits), begins[n], begins[n + 1], centers[n]) for n in range(8)]

    def step(
        self, cell: _Cell, verdict: int, answer: str, tested: np.ndarray = _NONE, copied: np.ndarray = _NONE
    ) -> Step:
        """Make a step of what a cell answers."""
        return Step(
            self.origin + cell.center,
            self.half_size(cell),
            self.bounds(cell),
            cell.level,
            verdict,
            answer,
            tested,
            copied,
        )


def walk_of_cull(tree: Octree, frustum: Frustum) -> Walk:
    """Return how `cull` finds what a frustum sees, in a tree that is sorted completely."""
    cells = _Cells(tree)
    is_found = np.zeros(int(cells.ids(0, cells.root.end).max(initial=0)) + 1, dtype=bool)
    found = tree.cull(frustum)
    is_found[found] = True
    limit = flat_limit(len(tree))
    planes = frustum.planes_about(tree.center)
    reach = np.abs(planes[:, :3]).sum(axis=1)
    edges = frustum.origin + _corners_until(frustum, cells)[BOX_EDGES]

    def few(cell: _Cell) -> bool:
        return cell.end - cell.begin <= limit or cells.is_leaf(cell)

    def tested_step(cell: _Cell, ids: np.ndarray, text: str, what: str = "its {}") -> Step:
        if len(ids):
            seen = np.count_nonzero(is_found[ids])
            text += f" tests {what.format(_objects(len(ids)))} and finds {seen:,} in view"
        return cells.step(cell, INTERSECTING, f"{text}.", tested=ids)

    def asking_step(cell: _Cell, text: str) -> Step:
        own = cells.ids(cell.begin, cells.children(cell)[0].begin)
        return tested_step(cell, own, f"{text}; the cull" if len(own) else text, "{} that no child holds")

    def walk(steps: list[Step]) -> Walk:
        return Walk("cull", _CULL_VERDICTS, steps, edges, frustum.origin, found, len(tree), _cell_count(tree))

    root = cells.root
    if few(root):
        return walk([tested_step(root, cells.ids(0, root.end), f"{_FEW}, so the cull")])
    steps, stack = [asking_step(root, "The cull begins at the root, whose children are asked next")], [root]
    while stack:
        for child in cells.children(stack.pop()):
            ids = cells.ids(child.begin, child.end)
            if child.begin == child.end:
                continue
            distances = planes[:, :3] @ child.center + planes[:, 3]
            if (distances < -cells.bounds(child) * reach).any():
                text = f"The frustum misses this cell, so the cull skips its {_objects(len(ids))} without a test."
                steps.append(cells.step(child, OUTSIDE, text))
            elif (distances >= cells.half_size(child) * reach).all():
                text = f"This cell lies inside the frustum, so the cull takes its {_objects(len(ids))} without a test."
                steps.append(cells.step(child, INSIDE, text, copied=ids))
            elif few(child):
                steps.append(tested_step(child, ids, "The frustum cuts this cell, so the cull"))
            else:
                steps.append(asking_step(child, "The frustum cuts this cell, so its children are asked later"))
                stack.append(child)
    return walk(steps)


def _corners_until(frustum: Frustum, cells: _Cells) -> np.ndarray:
    """Return the corners of a frustum that ends behind the last sphere, (8, 3) about its origin."""
    near, far = frustum.corners.reshape(2, 4, 3)
    slots = cells.arrays.slots
    live = slots.id_at[: cells.root.end] >= 0
    x, y, z, radii = (
        column[: cells.root.end][live].astype(np.float64) for column in (slots.x, slots.y, slots.z, slots.r)
    )
    plane = frustum.planes[5]
    depth = plane[:3] @ near[0] + plane[3]
    middles = np.stack([x, y, z], axis=1) + (cells.origin - frustum.origin)
    behind = float((middles @ plane[:3] + plane[3] - radii).min(initial=depth))
    least = min(cells.half_size(cells.root) / depth, 1.0)  # where nothing lies before the camera
    return np.concatenate([near, near + np.clip(1.0 - behind / depth, least, 1.0) * (far - near)])


def walk_of_ray(
    tree: Octree, origin: np.ndarray, direction: np.ndarray, test: HitTest, name_of: Callable[[int], str] = str
) -> Walk:
    """Return how the nearest hit of a ray is found, in a tree that is sorted completely.

    Args:
        origin: (3,) world.
        direction: (3,) unit vector, world.
        test: what decides about objects whose spheres the ray enters.
    """
    cells = _Cells(tree)
    start = origin - tree.center
    best_id, best = -1, math.inf
    steps: list[Step] = []

    def look_into(cell: _Cell, begin: int, end: int) -> None:
        """Test the spheres of slots, and the objects in those that are met."""
        nonlocal best_id, best
        ids = cells.ids(begin, end)
        met = ids[_entered(cells.arrays, begin, end, start, direction, best)]
        hit = test(met, best) if len(met) else None
        nearer = "nearer " if best_id >= 0 else ""
        follows = f", meets {len(met)}, but hits no {nearer}object" if len(met) else " and meets none"
        if hit is not None:
            best_id, best = hit
            follows = f", meets {len(met)}, and hits {name_of(best_id)}"
        spheres = "1 sphere" if len(ids) == 1 else f"{len(ids):,} spheres"
        is_flat = cells.root.end <= raycast.FLAT_LIMIT
        begins = f"{_FEW}, so the ray tests {spheres}" if is_flat else f"The ray tests {spheres} in this cell"
        text = f"{begins}{follows}."
        steps.append(cells.step(cell, INTERSECTING if hit is None else INSIDE, text, tested=ids))

    stack = [cells.root]
    while stack:
        cell = stack.pop()
        if cell.entered > best:
            text = f"This cell begins behind the hit, so the ray skips its {_objects(cell.end - cell.begin)}."
            steps.append(cells.step(cell, OUTSIDE, text))
            continue
        if cell.end - cell.begin <= raycast.FLAT_LIMIT or cells.is_leaf(cell):
            look_into(cell, cell.begin, cell.end)
            continue
        children = cells.children(cell)
        away = sum(int(direction[axis] > 0.0) << axis for axis in range(3))
        for child in (children[order ^ away] for order in range(8)):  # the farthest first: the stack turns them round
            if child.begin == child.end:
                continue
            t = _enter_cube(start, direction, child.center, cells.bounds(child), best)
            count = _objects(child.end - child.begin)
            if t < math.inf:
                text = f"The ray enters this cell, which waits with its {count} until nearer cells are searched."
                steps.append(cells.step(child, INTERSECTING, text))
                stack.append(child._replace(entered=t))
            else:
                steps.append(cells.step(child, OUTSIDE, f"The ray misses this cell and skips its {count}."))
        if cell.begin < children[0].begin:
            look_into(cell, cell.begin, children[0].begin)
    end = best if best_id >= 0 else 4.0 * tree.half_size + float(np.linalg.norm(start))
    found = np.array([best_id] if best_id >= 0 else [], dtype=np.int32)
    line = np.array([[origin, origin + end * direction]])
    return Walk("ray", _RAY_VERDICTS, steps, line, origin, found, len(tree), _cell_count(tree))


def _cell_count(tree: Octree) -> int:
    return sum(len(tree.cells(level=level).levels) for level in range(tree.split_level + 1))


def _objects(count: int) -> str:
    return "1 object" if count == 1 else f"{count:,} objects"


def _enter_cube(origin: np.ndarray, direction: np.ndarray, center: np.ndarray, half: float, t_max: float) -> float:
    """Return the t, 0 to t_max, where a ray enters a cube; infinity where it does not."""
    offset = center - origin
    along = direction != 0.0
    if (np.abs(offset[~along]) > half).any():
        return math.inf
    ends = (offset[along] + np.array([[-half], [half]])) / direction[along]
    near, far = max(0.0, ends.min(axis=0).max()), min(t_max, ends.max(axis=0).min())
    return float(near) if near <= far else math.inf


def _entered(
    tree: RayTree, begin: int, end: int, origin: np.ndarray, direction: np.ndarray, t_max: float
) -> np.ndarray:
    """Return (k,) bool: which spheres of the live slots begin..end a ray enters before t_max."""
    slots = tree.slots
    live = slots.id_at[begin:end] >= 0
    x, y, z, radii = (column[begin:end][live].astype(np.float64) for column in (slots.x, slots.y, slots.z, slots.r))
    offsets = np.stack([x, y, z], axis=1) - origin
    along = offsets @ direction
    squared = radii**2 - ((offsets - along[:, None] * direction) ** 2).sum(axis=1)
    half_chord = np.sqrt(np.maximum(squared, 0.0))
    return (squared >= 0.0) & (along + half_chord >= 0.0) & (np.maximum(along - half_chord, 0.0) <= t_max)
