"""The size and the levels of an octree that fit the nodes of a scene."""

from __future__ import annotations

import math

import numpy as np

from octoscope.octree import Octree
from octoscope.octree.building.placement import SMALLEST_ROOT
from octoscope.octree.linear import root_cube
from octoscope.scene.nodes.node_table import NodeTable
from octoscope.scene.spatial.index_settings import IndexSettings

FARTHEST_INDEXED = 1e17  # so that no two are farther apart than octree.building.placement allows
_DEEPEST_CHOSEN = 7  # of two million leaves; smaller cells would be left at every step of what moves
_SIZE_TOLERATED = 1.5  # of the root, before it is made anew; a tree's own growing doubles it
_SAMPLE = 2**14  # nodes that tell where nearly all are


def indexable(spheres: np.ndarray) -> np.ndarray:
    """Return (n,) bool: which spheres (n, 4), centre and radius, an octree can hold; not those with NaN."""
    return (np.abs(spheres) < FARTHEST_INDEXED).all(axis=1)


def fitting_tree(nodes: NodeTable, settings: IndexSettings, ids: np.ndarray) -> Octree:
    """Return an empty tree that fits nodes, of which some may be broken."""
    sound = ids[indexable(nodes.world_spheres[ids])]
    center, half_size = _root_cube(nodes, _sample(sound), nodes.own_bounds(sound), settings.half_size)
    return settings.make_tree(center, half_size, _level_for(len(ids), settings.split_level))


def fits_badly(
    tree: Octree,
    nodes: NodeTable,
    settings: IndexSettings,
    there: tuple[np.ndarray, np.ndarray] | None,
    coming: np.ndarray,
) -> bool:
    """Return whether a tree built for its nodes and the coming ones would differ from the present one.

    Files that join a scene may change its size, its middle, or the number of its objects by much.

    Args:
        there: world box (lower, upper) of the nodes in the tree; None if there are none.
    """
    coming = coming[indexable(nodes.world_spheres[coming])]
    boxes = [box for box in (there, nodes.own_bounds(coming)) if box is not None]
    if not boxes:
        return False
    ids = np.flatnonzero(nodes.mesh_ids >= 0)
    box = np.min([lower for lower, _ in boxes], axis=0), np.max([upper for _, upper in boxes], axis=0)
    sample = _sample(ids)
    center, half_size = _root_cube(nodes, sample[indexable(nodes.world_spheres[sample])], box, settings.half_size)
    if _level_for(len(ids), settings.split_level) != tree.split_level:
        return True
    if settings.half_size is not None:  # what somebody chose is kept, and grows where it must
        return False
    far_off = np.abs(center - tree.center).max() > half_size / 2.0
    return far_off or not 1.0 / _SIZE_TOLERATED < half_size / tree.half_size < _SIZE_TOLERATED


def _root_cube(
    nodes: NodeTable, ids: np.ndarray, box: tuple[np.ndarray, np.ndarray] | None, chosen: float | None
) -> tuple[np.ndarray, float]:
    """Compute centre and half size of the root cube: around all nodes, but for a few that lie far out.

    Args:
        ids: of the nodes that can be indexed, or of a sample of them.
        box: world box (lower, upper) of all nodes that can be indexed; None for no nodes.
        chosen: half size that somebody chose, or None.
    """
    if box is None or len(ids) == 0:
        return np.zeros(3), chosen or 1.0
    middle, half_size = root_cube(*box, nodes.world_spheres[ids, :3])
    if chosen is not None:
        half_size = chosen
    return middle, max(half_size, SMALLEST_ROOT) if half_size > 0.0 else 1.0


def _level_for(count: int, chosen: int | None) -> int:
    """Return the level of the leaves for so many objects, or the one that somebody chose."""
    if chosen is not None:
        return chosen
    return min(_DEEPEST_CHOSEN, max(1, math.ceil(math.log(max(count, 1), 8))))


def _sample(ids: np.ndarray) -> np.ndarray:
    """Return at most _SAMPLE of the ids, chosen at random."""
    return ids if len(ids) <= _SAMPLE else ids[np.random.default_rng(0).integers(len(ids), size=_SAMPLE)]
