"""Select which tiles to show, and which to read, for what cameras see: pure functions over arrays of tiles.

Tiles refine by replacement (OGC 22-025r4, "3D Tiles", refinement REPLACE). The most urgent refinement is the one whose
tile is off by the most pixels. The order in which tiles become finer is that of Cozzi and Ring, "3D Engine Design for
Virtual Globes", 2011, chapter 12, without its queues: all tiles of a level are looked at together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from octoscope.scene.formats.tiles.tile_table import NO_CONTENT, TileTable
from octoscope.scene.spatial.lod_view import LodView


@dataclass(frozen=True, eq=False)
class TileSelection:
    """Tiles to show and contents to read."""

    shown: np.ndarray  # (s,) int64 ascending, tiles to show: all of them are there, and no point is in two of them
    wanted: np.ndarray  # (w,) int64 contents that the picture needs, or needs to become finer, the most urgent first
    missing: np.ndarray  # (m,) int64 those of them that are to be read
    is_held_back: bool  # some tile stays coarser than it should be because finer ones would exceed the budget


def screen_space_errors(tiles: TileTable, chosen: np.ndarray, lod_views: Sequence[LodView]) -> np.ndarray:
    """Compute the screen-space errors of tiles: how many pixels they are off at most.

    Returns:
        (k,) float64, the largest of what each camera sees; -1 for tiles that none sees.
    """
    centers, halves, errors = tiles.centers[chosen], tiles.halves[chosen], tiles.errors[chosen]
    most = np.full(len(chosen), -1.0)
    for lod_view in lod_views:
        offsets = centers - lod_view.position
        depths = offsets @ lod_view.planes[:, :3].T + lod_view.planes[:, 3] + halves @ np.abs(lod_view.planes[:, :3]).T
        pixels = errors * lod_view.pixels_per_unit
        if lod_view.is_perspective:
            nearest = np.maximum(np.abs(offsets) - halves, 0.0)
            distances = np.sqrt(np.einsum("ij,ij->i", nearest, nearest))
            with np.errstate(divide="ignore", invalid="ignore"):  # the camera is in the box
                pixels = np.where(errors > 0.0, pixels / distances, 0.0)
        most = np.where((depths >= 0.0).all(axis=1), np.maximum(most, pixels), most)
    return most


def select(
    tiles: TileTable,
    is_resident: np.ndarray,
    is_broken: np.ndarray,
    content_bytes: np.ndarray,
    lod_views: Sequence[LodView],
    *,
    threshold_pixels: float,
    budget_bytes: float,
) -> TileSelection:
    """Select tiles.

    A tile is refined where a camera sees it and it is off by more than the threshold, or where it shows nothing: it has
    no content, or one that cannot be read. What would be replaced by tiles of which one is lost is not refined. The
    refinements that are off by the most pixels come first, as many as the budget has room for. Until all tiles right
    below one are there, it is shown itself. A tile with a viewer request volume, and what is below it, is shown only
    to cameras inside the volume.

    Args:
        is_resident: (c,) bool contents that are in memory.
        is_broken: (c,) bool contents that cannot be read.
        content_bytes: (c,) what each takes in memory, bytes, known or estimated.
        threshold_pixels: tiles that are off by no more are not refined.
    """
    there = np.append(is_resident, True)  # a tile without content, NO_CONTENT, is there
    contents_of, is_stuck = tiles.contents, np.zeros(len(tiles), dtype=np.bool_)
    if is_broken.any():
        broken = np.append(is_broken, False)[tiles.contents]
        contents_of = np.where(broken, NO_CONTENT, tiles.contents)
        above_lost = tiles.parents[tiles.lost(broken)]
        is_stuck[above_lost[above_lost >= 0]] = True
        is_stuck &= (contents_of != NO_CONTENT) & ~tiles.is_added

    closed = _closed_gates(tiles, lod_views)
    is_stuck[closed] = True
    above_closed = tiles.parents[closed]  # shown in place of what is behind
    is_stuck[above_closed] |= (contents_of[above_closed] != NO_CONTENT) & ~tiles.is_added[above_closed]

    found, urgencies = [], []
    rows, above = np.array([0]), np.array([np.inf])
    while len(rows):
        urgency = screen_space_errors(tiles, rows, lod_views)
        # A tile that shows nothing is no stand-in for those below it; and none comes before the one above it.
        urgency = np.minimum(np.where(contents_of[rows] == NO_CONTENT, np.inf, urgency), above)
        refines = (urgency > threshold_pixels) & (tiles.child_counts[rows] > 0) & ~is_stuck[rows]
        rows, urgency = rows[refines], urgency[refines]
        found.append(rows)
        urgencies.append(urgency)
        above = np.repeat(urgency, tiles.child_counts[rows])
        rows = tiles.children_of(rows)
    refined = np.concatenate(found)
    refined = refined[np.argsort(-np.concatenate(urgencies), kind="stable")]

    below = tiles.children_of(refined)
    needed = np.concatenate([[0], below])
    contents = contents_of[needed]
    firsts = np.unique(contents, return_index=True)[1]
    costs = np.zeros(len(needed))
    costs[firsts] = np.append(content_bytes, 0)[contents[firsts]]
    ends = np.concatenate([[0], np.cumsum(tiles.child_counts[refined])])
    fits = np.cumsum(costs)[ends[1:]] <= budget_bytes
    count = len(fits) if fits.all() else int(np.argmin(fits))
    wanted = contents[np.sort(firsts[firsts <= ends[count]])]
    wanted = wanted[wanted >= 0].astype(np.int64)

    may_refine = np.zeros(len(tiles), dtype=np.bool_)
    may_refine[refined[:count]] = True
    return TileSelection(
        _shown(tiles, may_refine, there[contents_of]),
        wanted,
        wanted[~is_resident[wanted]],
        is_held_back=count < len(fits),
    )


def _closed_gates(tiles: TileTable, lod_views: Sequence[LodView]) -> np.ndarray:
    """Return the tiles, (k,), that are request volumes, each as its box along the world's axes, without a camera."""
    gates = np.flatnonzero(tiles.is_gate)
    is_open = np.zeros(len(gates), dtype=np.bool_)
    for view in lod_views:
        is_open |= (np.abs(tiles.centers[gates] - view.position) <= tiles.halves[gates]).all(axis=1)
    return gates[~is_open]


def _shown(tiles: TileTable, may_refine: np.ndarray, is_there: np.ndarray) -> np.ndarray:
    """Go down from the topmost tile as long as all tiles right below are there; return where that ends."""
    shown = []
    rows = np.array([0])[is_there[:1]]
    while len(rows):
        goes_on = may_refine[rows]
        inner = rows[goes_on]
        if len(inner):
            counts = tiles.child_counts[inner]
            goes_on[goes_on] = np.logical_and.reduceat(is_there[tiles.children_of(inner)], np.cumsum(counts) - counts)
        shown.append(rows[~goes_on | tiles.is_added[rows]])
        rows = tiles.children_of(rows[goes_on])
    return np.sort(np.concatenate(shown)) if shown else np.empty(0, dtype=np.int64)


def kept_contents(
    is_resident: np.ndarray,
    wanted: np.ndarray,
    last_seen: np.ndarray,
    content_bytes: np.ndarray,
    budget_bytes: float,
) -> np.ndarray:
    """Choose the contents that stay in memory, (c,) bool: the wanted, then those seen last, as far as a budget goes.

    Args:
        is_resident: (c,) bool contents that are in memory.
        wanted: (w,) contents that stay in any case.
        last_seen: (c,) when each was wanted last, any ascending numbers.
        content_bytes: (c,) what each takes in memory, bytes.
    """
    is_wanted = np.zeros(len(is_resident), dtype=np.bool_)
    is_wanted[wanted] = True
    stays = is_resident & is_wanted
    others = np.flatnonzero(is_resident & ~is_wanted)
    others = others[np.argsort(-last_seen[others], kind="stable")]
    room = budget_bytes - float(content_bytes[stays].sum())
    stays[others[np.cumsum(content_bytes[others]) <= room]] = True
    return stays
