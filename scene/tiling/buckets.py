"""Buckets: cells whose elements fit in memory, so that the tiles of each bucket are made separately."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from octoscope.scene.formats.tiles.cells import Tile
from octoscope.scene.merging.merged_geometry import MergedGeometry
from octoscope.scene.tiling.pieces import Piece, plan_of, save_geometry

BUCKET_LEVEL = 8  # deepest level of the octree on which a bucket may lie


class Histogram(NamedTuple):
    """Numbers of elements in the cells of BUCKET_LEVEL that are not empty."""

    codes: np.ndarray  # (c,) int64 Morton codes, ascending
    counts: np.ndarray  # (c,) int64


class PieceJob(NamedTuple):
    """Pieces to be counted or distributed."""

    plan: Path
    pieces: list[Piece]
    starts: np.ndarray  # (b,) int64 the first Morton code of each bucket, on BUCKET_LEVEL, ascending
    folder: Path


def count_pieces(job: PieceJob) -> Histogram:
    """Count the elements of pieces by cell; see Histogram."""
    plan = plan_of(job.plan)
    codes = [plan.root.codes_of(plan.load(piece).centers(), BUCKET_LEVEL) for piece in job.pieces]
    return Histogram(*np.unique(np.concatenate(codes), return_counts=True))


def merged(histograms: list[Histogram]) -> Histogram:
    """Return the sum of one or more histograms."""
    codes, of_each = np.unique(np.concatenate([each.codes for each in histograms]), return_inverse=True)
    counts = np.bincount(of_each, np.concatenate([each.counts for each in histograms]))
    return Histogram(codes, counts.astype(np.int64))


def chosen_buckets(histogram: Histogram, capacity: int) -> list[Tile]:
    """Return cells with elements, in Morton order, divided until none has more than fit, or down to BUCKET_LEVEL."""
    before = np.concatenate([[0], np.cumsum(histogram.counts)])
    buckets = []
    waiting = [Tile(0, 0, 0, 0)]
    while waiting:
        cell = waiting.pop()
        up = 3 * (BUCKET_LEVEL - cell.level)
        begin, end = np.searchsorted(histogram.codes, [cell.morton << up, (cell.morton + 1) << up])
        count = int(before[end] - before[begin])
        if count and (count <= capacity or cell.level == BUCKET_LEVEL):
            buckets.append(cell)
        elif count:
            waiting += [Tile.of(cell.level + 1, cell.morton << 3 | octant) for octant in range(7, -1, -1)]
    return buckets


def first_codes(buckets: list[Tile]) -> np.ndarray:
    """Return the first Morton code of each bucket on BUCKET_LEVEL."""
    return np.array([bucket.morton << 3 * (BUCKET_LEVEL - bucket.level) for bucket in buckets], dtype=np.int64)


def distribute(job: PieceJob) -> list[tuple[int, Piece]]:
    """Cut pieces by bucket; returns the parts with the numbers of their buckets."""
    plan = plan_of(job.plan)
    geometry = MergedGeometry.merged([plan.load(piece) for piece in job.pieces])
    job.folder.mkdir(exist_ok=True)  # by one who was lost
    bucket_of = np.searchsorted(job.starts, plan.root.codes_of(geometry.centers(), BUCKET_LEVEL), side="right") - 1
    order = np.argsort(bucket_of, kind="stable")
    found, begins = np.unique(bucket_of[order], return_index=True)
    parts = []
    for bucket, chosen in zip(found.tolist(), np.split(order, begins[1:]), strict=True):
        path = job.folder / f"{bucket}"
        save_geometry(geometry.taken(chosen), path)
        parts.append((bucket, Piece(path, -1)))
    return parts
