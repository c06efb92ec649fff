"""Placement: new local transforms for nodes, from matrices, as an edit.

A node holds T R S and no shear. Where a matrix would need shear (a rotation below a parent that is scaled unevenly, for
example) the node gets the matrix's translation and the nearest rotation and scale; the edit's notes say so.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from octoscope.scene.editing.edits import Edit, EditError, changed
from octoscope.scene.geometry.affine import linear, quaternions
from octoscope.scene.geometry.decompose import decompose_all, premultiply
from octoscope.scene.geometry.polar import nearest_rotations
from octoscope.scene.geometry.ranges import unique_rows
from octoscope.scene.scene import Scene

# For functions that make edits: numbers that overflow are refused in one line when they are placed.
ignore_overflow = np.errstate(over="ignore", invalid="ignore")

_WORST_CONDITION = 1e13  # largest over smallest singular value; beyond, an inverse is nothing but rounding


def parent_worlds(scene: Scene, parents: np.ndarray) -> np.ndarray:
    """Return the world_from_local of (k,) nodes, the identity for -1: (k, 4, 4)."""
    worlds = scene.world_from_local[parents]
    worlds[parents < 0] = np.eye(4)
    return worlds


def inverses(matrices: np.ndarray) -> np.ndarray:
    """Invert affine matrices: (k, 4, 4).

    Raises:
        EditError: one is flat, or not finite: its children have no place of their own in the world.
    """
    linear = matrices[:, :3, :3]
    result = np.tile(np.eye(4), (len(matrices), 1, 1))
    plain = (linear == np.eye(3)).all(axis=(1, 2))
    rest = np.flatnonzero(~plain)
    if len(rest):
        finite = np.isfinite(matrices[rest]).all()
        firsts, kinds = unique_rows(*linear[rest].reshape(-1, 9).T)  # those of one parent are inverted once
        different = linear[rest[firsts]]
        if not finite or not (np.linalg.cond(different) < _WORST_CONDITION).all():
            raise EditError("children of a node that is scaled to zero cannot be placed in the world")
        result[rest, :3, :3] = np.linalg.inv(different)[kinds]
    result[:, :3, 3] = -(result[:, :3, :3] @ matrices[:, :3, 3:])[:, :, 0]
    return result


class LocalTransforms(NamedTuple):
    """Nodes and their local transforms.

    Attributes:
        ids: (k,).
        translations: (k, 3).
        rotations: (k, 4) unit quaternions x, y, z, w.
        scales: (k, 3).
    """

    ids: np.ndarray
    translations: np.ndarray
    rotations: np.ndarray
    scales: np.ndarray

    @classmethod
    def of(cls, scene: Scene, ids: np.ndarray) -> LocalTransforms:
        """Copy the transforms that nodes have now."""
        return cls(ids, scene.translations[ids], scene.rotations[ids], scene.scales[ids])

    def columns(self) -> dict[str, np.ndarray]:
        """Return the transforms by the names of an edit's columns."""
        return {"translation": self.translations, "rotation": self.rotations, "scale": self.scales}

    def matrices(self) -> np.ndarray:
        """Compose the matrices T R S: (k, 4, 4)."""
        matrices = np.tile(np.eye(4), (len(self.ids), 1, 1))
        matrices[:, :3, :3] = linear(self.rotations, self.scales)
        matrices[:, :3, 3] = self.translations
        return matrices


def premultiplied(nodes: LocalTransforms, matrices: np.ndarray, which: np.ndarray | None = None) -> Edit:
    """Make the edit that gives nodes the local transforms matrix @ T R S.

    Args:
        nodes: before.
        matrices: (m, 4, 4).
        which: (k,) the index of each node's matrix; None: each node has one of its own.

    Returns:
        the edit.

    Raises:
        EditError: a number would not be finite.
    """
    after = nodes.translations.copy(), nodes.rotations.copy(), nodes.scales.copy()
    linears = np.empty((len(nodes.ids), 3, 3))
    failed = np.empty(len(nodes.ids), dtype=np.bool_)
    which = np.arange(len(matrices)) if which is None else which
    premultiply(np.ascontiguousarray(matrices, dtype=np.float64), which, *after, linears, failed)
    return _edit(nodes, *_settled(LocalTransforms(nodes.ids, *after), linears, failed))


def placed(nodes: LocalTransforms, local_matrices: np.ndarray) -> Edit:
    """Make the edit that gives nodes local transforms: (k, 4, 4) matrices.

    Raises:
        EditError: as `premultiplied`.
    """
    return _edit(nodes, *decomposed(nodes, local_matrices))


def decomposed(nodes: LocalTransforms, local_matrices: np.ndarray) -> tuple[LocalTransforms, int]:
    """Give nodes other local transforms, (k, 4, 4) matrices.

    Returns:
        the nodes, and how many would need shear to be exact.

    Raises:
        EditError: as `premultiplied`.
    """
    after = LocalTransforms(nodes.ids, local_matrices[:, :3, 3].copy(), nodes.rotations.copy(), nodes.scales.copy())
    linears = np.ascontiguousarray(local_matrices[:, :3, :3])
    failed = np.empty(len(nodes.ids), dtype=np.bool_)
    decompose_all(linears, after.rotations, after.scales, failed)
    return _settled(after, linears, failed)


def translated(nodes: LocalTransforms, offsets: np.ndarray) -> Edit:
    """Make the edit that moves nodes in their parents' frames by (k, 3) or (3,) offsets; the rest stays to the bit.

    Raises:
        EditError: as `premultiplied`.
    """
    translations = nodes.translations + offsets
    _require_finite(translations)
    return changed(nodes.ids, {"translation": nodes.translations}, {"translation": translations})


def moved(scene: Scene, ids: np.ndarray, offsets: np.ndarray) -> Edit:
    """Make the edit that moves nodes in the world by (k, 3) or (3,) offsets.

    Raises:
        EditError: as `premultiplied`.
    """
    local_from_world = inverses(parent_worlds(scene, scene.parents[ids]))[:, :3, :3]
    offsets = np.broadcast_to(offsets, (len(ids), 3))
    return translated(LocalTransforms.of(scene, ids), (local_from_world @ offsets[:, :, None])[:, :, 0])


def _settled(after: LocalTransforms, linears: np.ndarray, failed: np.ndarray) -> tuple[LocalTransforms, int]:
    """Give nodes that could not be decomposed the nearest rotation and scale.

    Returns:
        the nodes, and how many of them are sheared.
    """
    sheared = 0
    rest = np.flatnonzero(failed)
    if len(rest):
        after.rotations[rest], after.scales[rest], shears = nearest(linears[rest], after.scales[rest])
        sheared = int(shears.sum())
    _require_finite(*after[1:])
    return after, sheared


def _edit(nodes: LocalTransforms, after: LocalTransforms, sheared: int) -> Edit:
    edit = changed(nodes.ids, nodes.columns(), after.columns())
    if sheared:
        objects = f"{sheared:,} objects" if sheared > 1 else "an object"
        note = f"{objects} would need shear, which no transform can hold; the nearest rotation and scale are used"
        return Edit("", edit.changes, notes=(note,))
    return edit


def nearest(linears: np.ndarray, like_scales: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Find the rotation nearest to the axes of (k, 3, 3) matrices, and the scale along it.

    It is the polar factor of the axes' directions, so that all axes are treated alike.

    Args:
        linears: (k, 3, 3).
        like_scales: (k, 3) the signs that the scales are to have.

    Returns:
        (k, 4) unit quaternions, (k, 3) scales, and (k,) whether shear would be needed to be exact.

    Raises:
        EditError: a matrix is not finite.
    """
    _require_finite(linears)
    count = len(linears)
    rotations, scales = np.empty((count, 4)), np.empty((count, 3))
    sheared, flat = np.empty(count, dtype=np.bool_), np.empty(count, dtype=np.bool_)
    nearest_rotations(
        np.ascontiguousarray(linears), np.ascontiguousarray(like_scales), rotations, scales, sheared, flat
    )
    rest = np.flatnonzero(flat)
    if len(rest):
        rotations[rest], scales[rest] = _nearest_of_flat(linears[rest], like_scales[rest])
    return rotations, scales, sheared


def _nearest_of_flat(linears: np.ndarray, like_scales: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Do what `nearest` does for matrices that are flat, or nearly so: by their singular values."""
    largest = np.abs(linears).max(axis=(1, 2), keepdims=True)
    signs = np.where(like_scales < 0.0, -1.0, 1.0)
    matrices = linears / np.where(largest > 0.0, largest, 1.0)  # so that squares neither vanish nor overflow
    matrices = matrices * signs[:, None, :]
    lengths = np.linalg.norm(matrices, axis=1, keepdims=True)
    u, _, v_transposed = np.linalg.svd(matrices / np.where(lengths > 0.0, lengths, 1.0))
    rotations = u @ v_transposed
    # A reflection goes into the scale: of an axis that has none, or of x.
    mirrored = np.where((lengths == 0.0).any(axis=2), lengths.argmin(axis=2), 0)[:, 0]
    rotations[np.arange(len(rotations)), :, mirrored] *= np.linalg.det(rotations)[:, None].round()
    return quaternions(rotations), (rotations * matrices).sum(axis=1) * signs * largest[:, 0]


def _require_finite(*columns: np.ndarray) -> None:
    if not all(np.isfinite(column).all() for column in columns):
        raise EditError("the result is out of the range of numbers")
