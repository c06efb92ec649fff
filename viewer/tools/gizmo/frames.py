"""GizmoFrame: the origin and axes of the gizmo for a selection, a space and a pivot."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from octoscope.scene import Scene
from octoscope.scene.geometry.affine import linear
from octoscope.scene.geometry.pyrr_transforms import normalized
from octoscope.scene.nodes.bounds import pivot_points
from octoscope.scene.nodes.hierarchy import with_all_below

_WORST_CONDITION = 1e6  # of axes: beyond, two of them are one in the picture


@dataclass(frozen=True, eq=False)
class GizmoFrame:
    """An origin and axes."""

    origin: np.ndarray  # (3,) world
    # (3, 3) columns x, y, z, world, of volume 1 or, mirrored, -1. They are unequal and not perpendicular where parents
    # scale unevenly: rotating and scaling along such axes is what the objects' own values can hold exactly
    basis: np.ndarray

    @property
    def directions(self) -> np.ndarray:
        """(3, 3): the columns of the basis at length 1."""
        return normalized(self.basis.T).T


def frame_of(scene: Scene, ids: np.ndarray, space: str, pivot: str) -> GizmoFrame:
    """Return the gizmo's frame for (k,) nodes, the last one active; without a 3D cursor, that pivot is the centre."""
    return GizmoFrame(_origin(scene, ids, pivot), bases_of(scene, ids[-1:], space)[0])


def bases_of(scene: Scene, ids: np.ndarray, space: str) -> np.ndarray:
    """Return the axes of each node in a space, (k, 3, 3) as GizmoFrame.basis.

    Local axes are the world's axes turned by the node's rotation and by all of its parents, without its own scale.
    """
    bases = np.tile(np.eye(3), (len(ids), 1, 1))
    if space == "world":
        return bases
    parents = scene.parents[ids]
    has_parent = parents >= 0
    bases[has_parent] = scene.world_from_local[parents[has_parent], :3, :3]
    if space == "local":
        bases = bases @ linear(scene.rotations[ids], np.ones((len(ids), 3)))
    with np.errstate(all="ignore"):
        sound = np.isfinite(bases).all(axis=(1, 2))
        bases[~sound] = np.eye(3)
        bases[~(np.linalg.cond(bases) < _WORST_CONDITION)] = np.eye(3)
        return bases / np.cbrt(np.abs(np.linalg.det(bases)))[:, None, None]


def _origin(scene: Scene, ids: np.ndarray, pivot: str) -> np.ndarray:
    if pivot in ("individual", "active"):
        return pivot_points(scene, ids[-1:])[0]
    with np.errstate(over="ignore"):  # infinite then: nothing is drawn there
        if pivot == "median":
            return pivot_points(scene, ids).mean(axis=0)
        if pivot == "cursor" and scene.cursor is not None:
            return np.array(scene.cursor)
        bounds = scene.own_bounds(with_all_below(scene, ids))  # quick also for large meshes: each step of an edit asks
        if bounds is None:
            return scene.world_from_local[ids, :3, 3].mean(axis=0)
        return bounds[0] / 2.0 + bounds[1] / 2.0
