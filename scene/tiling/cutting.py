"""Make tiles: leaves from a bucket's elements, and above them coarser tiles, each from the tiles right below it."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from octoscope.scene.formats.tiles.cells import DEEPEST_LEVEL, Tile, box_around
from octoscope.scene.formats.tiles.content import write_content
from octoscope.scene.formats.tiles.repeats import Repeats
from octoscope.scene.formats.tiles.tileset import CONTENT_TEMPLATE, TileFacts
from octoscope.scene.merging.merged_geometry import Counts, MergedGeometry
from octoscope.scene.merging.simplification import simplify
from octoscope.scene.merging.skirts import with_skirts
from octoscope.scene.tiling.pieces import Piece, Plan, load_geometry, plan_of, save_geometry


class MadeTile(NamedTuple):
    """A tile whose content was written."""

    tile: Tile
    facts: TileFacts
    counts: Counts  # of its elements
    content_bytes: int
    lower: np.ndarray  # (3,) float64 corners, in a scene's frame, of the box around all that is shown in its place
    upper: np.ndarray  # (3,) float64 corners, in a scene's frame, of the box around all that is shown in its place


class BucketJob(NamedTuple):
    """A bucket to be made to tiles."""

    plan: Path
    cell: Tile
    pieces: list[Piece]
    result: Path | None  # the file for the geometry of its topmost tile; None: it is the root


class JoinJob(NamedTuple):
    """A tile above buckets."""

    plan: Path
    tile: Tile
    below: list[MadeTile]  # the tiles right below it
    geometries: list[Path]  # their geometries' files
    result: Path | None  # the file for its own geometry; None: it is the root


def cut_bucket(job: BucketJob) -> list[MadeTile]:
    """Make the tiles of a bucket; the last is its topmost."""
    plan = plan_of(job.plan)
    geometry = MergedGeometry.merged([plan.load(piece) for piece in job.pieces])
    codes = plan.root.codes_of(geometry.centers(), DEEPEST_LEVEL)
    order = np.argsort(codes, kind="stable")
    made: list[MadeTile] = []
    topmost = _cut(plan, geometry, order, codes[order], job.cell, made)
    if job.result is not None:
        save_geometry(topmost, job.result)
    return made


# No function within `cut_bucket`: one that calls itself is a cycle, which keeps a bucket in memory beside the next.
def _cut(
    plan: Plan, geometry: MergedGeometry, order: np.ndarray, codes: np.ndarray, tile: Tile, made: list[MadeTile]
) -> MergedGeometry:
    """Make a tile of elements, whose ascending Morton codes are given, and all below it; return what it shows."""
    if len(order) <= plan.leaf_elements or tile.level == DEEPEST_LEVEL:
        own = geometry.taken(np.sort(order))
        made.append(_written(plan, tile, own, 0.0, *own.bounds()))
        return own
    up = 3 * (DEEPEST_LEVEL - tile.level - 1)
    octants = (tile.morton << 3) + np.arange(9)
    borders = np.searchsorted(codes, octants << up).tolist()
    parts, below = [], []
    for octant, (begin, end) in zip(octants.tolist(), pairwise(borders), strict=False):
        if end > begin:
            child = Tile.of(tile.level + 1, octant)
            parts.append(_cut(plan, geometry, order[begin:end], codes[begin:end], child, made))
            below.append(made[-1])
    own, topmost = _above(plan, tile, parts, below)
    made.append(topmost)
    return own


def join_tiles(job: JoinJob) -> MadeTile:
    """Make a tile above buckets."""
    plan = plan_of(job.plan)
    parts = [load_geometry(path) for path in job.geometries]
    own, made = _above(plan, job.tile, parts, job.below)
    if job.result is not None:
        save_geometry(own, job.result)
    return made


def _above(
    plan: Plan, tile: Tile, parts: list[MergedGeometry], below: list[MadeTile]
) -> tuple[MergedGeometry, MadeTile]:
    """Make a tile from the geometry of the tiles right below it, simplified.

    The tile's error is the largest of theirs plus that of its own simplification. Skirts are for the picture alone: the
    tile above is made without them.
    """
    own = MergedGeometry.merged(parts)
    error = max(each.facts.error for each in below)
    if own.element_count:
        own, off = simplify(own, plan.root.size / 2.0**tile.level / plan.sharpness)
        error += off
    shown = with_skirts(own, error, *plan.root.corners())
    boxes = [*((each.lower, each.upper) for each in below), *([shown.bounds()] if shown.element_count else [])]
    lowers, uppers = zip(*boxes, strict=True)
    return own, _written(plan, tile, shown, error, np.min(lowers, axis=0), np.max(uppers, axis=0))


def _written(
    plan: Plan, tile: Tile, geometry: MergedGeometry, error: float, lower: np.ndarray, upper: np.ndarray
) -> MadeTile:
    size = 0
    if geometry.element_count:
        path = plan.folder / tile.placed_in(CONTENT_TEMPLATE)
        # Above leaves each copy was simplified by itself, and is like no other.
        repeats = plan.repeats if error == 0.0 else Repeats.none()
        size = write_content(
            path,
            geometry,
            plan.objects,
            plan.materials,
            repeats=repeats,
            compresses=plan.compresses,
            error=error,
        )
    facts = TileFacts(box_around(lower, upper), error, size > 0)
    return MadeTile(tile, facts, geometry.counts, size, lower, upper)
