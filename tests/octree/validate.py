"""Check every invariant of a tree's arrays in numpy, without the kernels that keep them."""

from __future__ import annotations

import numpy as np

from octoscope.octree import LeafOctree, Octree
from octoscope.octree.layout.morton import decode_3d
from octoscope.octree.layout.slots import (
    DEAD_RADIUS,
    ancestor_key,
    cell_key,
    decode_keys,
    leaf_bits,
    leaf_of,
    level_of,
    subtree_sizes,
)


def validate(tree: Octree) -> None:
    """Check a tree's arrays.

    Raises:
        AssertionError: says which invariant is broken.
    """
    _check_ids(tree)
    _check_order(tree)
    _check_table(tree)
    _check_places(tree)
    if tree.capacity:
        _check_division(tree)


def _stores_once(tree: Octree) -> bool:
    """Tell whether a sphere stands in one slot."""
    return not isinstance(tree, LeafOctree)


def _check_ids(tree: Octree) -> None:
    id_at = tree._slots.id_at[: tree._slot_count]
    live, dead = np.flatnonzero(id_at >= 0), np.flatnonzero(id_at < 0)
    ids = np.unique(id_at[live])
    assert len(ids) == tree._live_count, "the ids in the slots differ from the count"
    assert len(dead) == tree._dead_count, "the dead slots differ from their count"
    assert (dead < tree._sorted_count).all(), "a dead slot in the overflow"
    assert (tree._slots.r[dead] == DEAD_RADIUS).all(), "a dead slot that could be seen"
    assert np.count_nonzero(tree._slot_of) == len(ids), "slot_of knows ids that have no slot"
    assert (id_at[tree._slot_of[ids] - 1] == ids).all(), "slot_of does not lead to the id's slot"
    if _stores_once(tree):
        assert len(ids) == len(live), "an id stands in two slots"
        return
    entries = []
    following = tree._slot_of[ids]
    while len(following):
        entries.append(following - 1)
        following = following[following <= tree._sorted_count]  # entries in the overflow are alone
        following = tree._next_entry[following - 1]
        following = following[following > 0]
    chained = np.concatenate(entries) if entries else np.empty(0, dtype=np.int32)
    assert np.array_equal(np.sort(chained), live), "the chains of entries miss a slot, or meet one twice"


def _check_order(tree: Octree) -> None:
    keys = tree._slots.key[: tree._sorted_count]
    grid = tree._grid
    to_table = leaf_bits(grid.table_level, grid.split_level)
    levels = np.minimum(level_of(keys), grid.table_level)
    buckets = cell_key(leaf_of(keys) >> to_table, levels)
    assert (np.diff(buckets) >= 0).all(), "sorted slots are not in the order of the table's cells"
    limit = tree._division.sorted_above
    _, inverse, counts = np.unique(buckets, return_inverse=True, return_counts=True)
    crowded = counts[inverse] > limit
    together = crowded[1:] & crowded[:-1] & (np.diff(buckets) == 0)
    assert (np.diff(keys)[together] >= 0).all(), "a crowded cell's slots are not in the order of their keys"


def _check_table(tree: Octree) -> None:
    grid = tree._grid
    keys = tree._slots.key[: tree._sorted_count]
    levels = np.minimum(level_of(keys), grid.table_level)
    codes = leaf_of(keys) >> leaf_bits(grid.table_level, grid.split_level)
    indices = levels.copy()
    for level in range(1, grid.table_level + 1):
        indices += (codes >> 3 * (grid.table_level - level) & 7) * grid.subtree_sizes[level]
    assert np.array_equal(grid.subtree_sizes, subtree_sizes(grid.table_level)), "the table's sizes are wrong"
    if tree._sorted_count == 0:
        assert not grid.table[:-1].any(), "a table over nothing"
        return
    begin = np.searchsorted(indices, np.arange(int(grid.subtree_sizes[0]) + 1))
    assert np.array_equal(grid.table[: len(begin)], begin), "the table is wrong"


def _check_places(tree: Octree) -> None:
    grid = tree._grid
    live = np.flatnonzero(tree._slots.id_at[: tree._slot_count] >= 0)
    if not _stores_once(tree):
        live = live[live < tree._sorted_count]
    keys = tree._slots.key[live]
    x, y, z, r = (column[live].astype(np.float64) for column in tree._slots[:4])
    levels, codes = decode_keys(keys, grid.split_level)
    half_sizes = grid.half_size * 0.5**levels
    centers = -grid.half_size + (2 * np.stack(decode_3d(codes)) + 1) * half_sizes
    off = np.abs(np.stack((x, y, z)) - centers)
    below = levels > 0
    slack = grid.half_size * 2.0**-18
    if not _stores_once(tree):
        beyond = (np.maximum(off - half_sizes, 0.0) ** 2).sum(axis=0)
        assert (beyond <= (r + slack) ** 2)[below].all(), "an entry in a cell that its sphere does not touch"
    else:
        assert (off.max(axis=0) <= half_sizes + slack)[below].all(), "a sphere's centre is not in its cell"
        loose = tree.looseness * half_sizes + slack
        assert (off.max(axis=0) + r <= loose)[below].all(), "a sphere sticks out of its loose cell"
    in_order = live < tree._sorted_count
    sticking_out = np.minimum(r, np.maximum(off.max(axis=0) + r - half_sizes, 0.0))
    if not _stores_once(tree):
        sticking_out = r
    assert (sticking_out <= grid.overhang[levels] + slack)[below & in_order].all(), "a sphere sticks out farther"
    assert (np.diff(grid.overhang[1:]) <= 0.0).all(), "the overhang grows with the level"


def _check_division(tree: Octree) -> None:
    assert (np.diff(tree._division.cells.keys) > 0).all(), "the divided cells are not in order"
    levels = level_of(tree._division.cells.keys)
    assert (levels < tree.split_level).all(), "a leaf is divided"
    parents = ancestor_key(tree._division.cells.keys, levels - 1, tree.split_level)
    assert np.isin(parents[levels > 0], tree._division.cells.keys).all(), "a cell is divided below one that is not"
    keys = tree._slots.key[: tree._slot_count]
    levels = level_of(keys)
    parents = ancestor_key(keys, levels - 1, tree.split_level)
    overflow = np.arange(len(keys)) >= tree._sorted_count
    stays = np.isin(parents, tree._division.cells.keys) | (levels == 0) | (overflow & (not _stores_once(tree)))
    assert stays.all(), "a sphere lies below a cell that is not divided"
