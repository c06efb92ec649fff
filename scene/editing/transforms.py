"""Move, rotate and scale nodes in the world, from numbers or a drag, and change their parents without moving them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from octoscope.array_arguments import checked_numbers, for_each
from octoscope.guesses import advises
from octoscope.scene.editing.chosen import checked_nodes, title, topmost
from octoscope.scene.editing.edits import Edit, EditError, change_nodes, combined
from octoscope.scene.editing.local_transforms import (
    LocalTransforms,
    decomposed,
    ignore_overflow,
    inverses,
    placed,
    premultiplied,
    translated,
)
from octoscope.scene.geometry.affine import linear, unit_rotations
from octoscope.scene.nodes.arguments import checked_rows
from octoscope.scene.nodes.hierarchy import owners
from octoscope.scene.nodes.node_table import NO_PARENT
from octoscope.scene.nodes.placing import parent_worlds
from octoscope.scene.scene import Scene


class Transformation:
    """A transformation of nodes in progress: their transforms when it began, and the edits that lead from there.

    It serves drags, which ask for another edit at each step, always from the same begin. The scene may show one of
    those edits meanwhile (History.begin); it must not change otherwise.

    Attributes:
        ids: (k,) int64: the nodes that are moved; chosen nodes below another one move with it.
    """

    @advises()
    @ignore_overflow
    def __init__(self, scene: Scene, ids: ArrayLike) -> None:
        self._scene = scene
        self.ids = topmost(scene, ids)
        parents, self._which = np.unique(scene.parents[self.ids], return_inverse=True)
        self._world_from_parent = parent_worlds(scene, parents)
        self._parent_from_world = inverses(self._world_from_parent)
        self._begin = LocalTransforms.of(scene, self.ids)

    @ignore_overflow
    def by(self, matrix: ArrayLike, *, pivot: ArrayLike = (0.0, 0.0, 0.0), label: str = "Transform") -> Edit:
        """Make the edit that transforms the nodes by a world matrix.

        Args:
            matrix: (4, 4) affine, or (k, 4, 4), one for each of `ids`.
            pivot: (3,) the world point that it is about, or (k, 3), one for each, such as `pivot_points`.

        Raises:
            EditError: the result is out of range.
            ValueError: a matrix or pivot that is not finite, or of another shape.
        """
        matrix, pivot = checked_numbers(matrix, "matrix", copy=None), checked_numbers(pivot, "pivot", copy=None)
        count = len(self.ids)
        is_of_each = matrix.shape in ((4, 4), (count, 4, 4)) and pivot.shape in ((3,), (count, 3))
        if not is_of_each or not np.isfinite(matrix).all() or not np.isfinite(pivot).all():
            raise ValueError("a finite (4, 4) matrix and a finite pivot are needed, or one for each of the nodes")
        offset = matrix[..., :3, 3] + pivot - (matrix[..., :3, :3] @ pivot[..., None])[..., 0]
        if (matrix[..., :3, :3] == np.eye(3)).all():
            from_world, offset = self._parent_from_world[:, :3, :3], matrix[..., :3, 3]
            if offset.ndim == 1:
                edit = translated(self._begin, (from_world @ offset)[self._which])
            else:
                edit = translated(self._begin, (from_world[self._which] @ offset[:, :, None])[:, :, 0])
        else:
            full = np.zeros((*np.broadcast_shapes(matrix.shape[:-2], offset.shape[:-1]), 4, 4))
            full[..., :3, :3] = matrix[..., :3, :3]
            full[..., :3, 3] = offset
            full[..., 3, 3] = 1.0
            if full.ndim == 2:  # the same for all below one parent
                local = self._parent_from_world @ full @ self._world_from_parent
                edit = premultiplied(self._begin, local, self._which)
            else:
                local = self._parent_from_world[self._which] @ full @ self._world_from_parent[self._which]
                edit = premultiplied(self._begin, local)
        return combined(self._scene, title(self._scene, label, self.ids), edit)


@advises()
@ignore_overflow
def transform(
    scene: Scene, ids: ArrayLike, matrix: ArrayLike, *, pivot: ArrayLike = (0.0, 0.0, 0.0), label: str = "Transform"
) -> Edit:
    """Transform nodes by a world matrix about a pivot; as `Transformation.by`."""
    return Transformation(scene, ids).by(matrix, pivot=pivot, label=label)


@advises()
def world_transforms(
    scene: Scene, ids: ArrayLike, *, relative_to: ArrayLike | None = NO_PARENT
) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Return the world transforms of nodes, as `set_world` takes them.

    A node that is sheared in the world has the nearest rotation and scale.

    Args:
        relative_to: a node, or one for each, in whose frame the transforms are; None or -1: in the world.

    Returns:
        (k, 3) translations, (k, 4) unit quaternions x, y, z, w, (k, 3) scales, and how many are sheared.
    """
    ids = scene.checked_ids(ids, alive=True)
    frames = _frames(scene, relative_to, len(ids))
    nodes, sheared = decomposed(LocalTransforms.of(scene, ids), inverses(frames) @ scene.world_from_local[ids])
    return nodes.translations, nodes.rotations, nodes.scales, sheared


@advises()
@ignore_overflow
def set_world(
    scene: Scene,
    ids: ArrayLike,
    *,
    translation: ArrayLike | None = None,
    rotation: ArrayLike | None = None,
    scale: ArrayLike | None = None,
    relative_to: ArrayLike | None = NO_PARENT,
) -> Edit:
    """Set translations, rotations or scales of nodes in the world; None leaves one as it is.

    (For those in the parent's frame: change_nodes.) A node below another of them gets its own values, wherever that one
    goes. A node that is sheared in the world has the nearest rotation and scale.

    Args:
        translation: (3,) or (k, 3).
        rotation: (4,) or (k, 4) quaternions x, y, z, w.
        scale: (3,) or (k, 3).
        relative_to: a node, or one for each, in whose frame the values are; None or -1: in the world.

    Raises:
        EditError: a value that is not finite or a quaternion of length zero.
    """
    ids = checked_nodes(scene, ids)
    worlds, frames = scene.world_from_local[ids], _frames(scene, relative_to, len(ids))
    targets = inverses(frames) @ worlds
    if translation is not None:
        targets[:, :3, 3] = for_each(checked_numbers(translation, "translation"), "translation", (len(ids), 3))
    if rotation is not None or scale is not None:
        _, _, rotations, scales = decomposed(LocalTransforms.of(scene, ids), targets)[0]
        if rotation is not None:
            rotations = for_each(checked_numbers(rotation, "rotation"), "rotation", rotations.shape)
            try:
                rotations = unit_rotations(rotations)
            except ValueError:
                raise EditError("a rotation needs four finite numbers, not all of them 0") from None
        if scale is not None:
            scales = np.ascontiguousarray(for_each(checked_numbers(scale, "scale"), "scale", scales.shape))
        targets[:, :3, :3] = linear(rotations, scales)
    if not np.isfinite(targets).all():
        raise EditError("translation, rotation and scale must be finite numbers")
    targets, parents = frames @ targets, scene.parents[ids]
    above = np.append(owners(scene, ids), -1)[parents]
    bases = parent_worlds(scene, parents)
    below = np.flatnonzero(above >= 0)  # whose parent moves too
    if len(below):
        over = above[below]
        bases[below] = targets[over] @ inverses(worlds[over]) @ bases[below]
    local = inverses(bases) @ targets
    nodes = LocalTransforms.of(scene, ids)
    if rotation is None and scale is None:
        edit = translated(nodes, local[:, :3, 3] - nodes.translations)
    else:
        edit = placed(nodes, local)
    return combined(scene, title(scene, "Transform", ids), edit)


@advises()
@ignore_overflow
def reparent(scene: Scene, ids: ArrayLike, parent: ArrayLike | None, *, keep_world: bool = True) -> Edit:
    """Put nodes under another one.

    Args:
        parent: a node or its id; None or -1: the top.
        keep_world: whether they stay where they are in the world; else they keep their local transforms.

    Raises:
        EditError: the parent is one of them or below one.
    """
    ids = topmost(scene, ids)
    above = int(scene.checked_parents(parent, scene.row_count))
    if above >= 0:
        scene.checked_ids(above, alive=True)
        if (owner := owners(scene, ids)[above]) >= 0:
            raise EditError(f"{scene.names[ids[owner]]} cannot be its own ancestor")
    ids = ids[scene.parents[ids] != above]
    return combined(
        scene, title(scene, "Reparent", ids) if len(ids) else "", set_parents(scene, ids, above, keep_world=keep_world)
    )


@advises()
@ignore_overflow
def move_up(scene: Scene, ids: ArrayLike) -> Edit:
    """Put nodes beside their parents, without moving them in the world; those at the top stay.

    Raises:
        EditError: all of them are at the top.
    """
    ids = topmost(scene, ids)
    ids = ids[scene.parents[ids] >= 0]
    if len(ids) == 0:
        raise EditError("the selection has no parent")
    return combined(scene, title(scene, "Move up", ids), set_parents(scene, ids, scene.parents[scene.parents[ids]]))


def set_parents(scene: Scene, ids: np.ndarray, parents: ArrayLike, *, keep_world: bool = True) -> Edit:
    """Do what `reparent` does, for nodes that were checked, under one node or (k,) nodes; they stand behind others."""
    edit = change_nodes(scene, ids, parent=parents, order=0)
    if not keep_world or len(ids) == 0:
        return edit
    worlds = parent_worlds(scene, scene.parents[ids])
    new = parent_worlds(scene, np.broadcast_to(np.asarray(parents, dtype=np.int64), ids.shape))
    different = (worlds != new).any(axis=(1, 2))  # below equal parents every bit stays
    if not different.any():
        return edit
    matrices = inverses(new[different]) @ worlds[different]
    return combined(scene, "", edit, premultiplied(LocalTransforms.of(scene, ids[different]), matrices))


def dimensions(scene: Scene, ids: np.ndarray) -> np.ndarray:
    """Return the (k, 3) sides of the boxes around the meshes of (k,) nodes, along the nodes' axes, in the world."""
    rows, meshes = scene.meshes.rows, scene.mesh_ids[ids]
    axes = np.hypot.reduce(scene.world_from_local[ids, :3, :3], axis=1)  # which overflows no sooner than its result
    return np.asarray((rows["upper"][meshes] - rows["lower"][meshes]) * axes)


def set_dimensions(scene: Scene, ids: np.ndarray, wanted: np.ndarray, *, label: str) -> Edit:
    """Scale nodes to (k, 3) `dimensions`; along axes in which they are flat they stay as they are.

    Raises:
        EditError: a dimension is not above 0.
    """
    now = dimensions(scene, ids)
    is_flat = now == 0.0
    if not (is_flat | (wanted > 0.0)).all():
        raise EditError("a dimension is a number above 0")
    factors = np.where(is_flat, 1.0, wanted / np.where(is_flat, 1.0, now))
    return change_nodes(scene, ids, label=label, scale=scene.scales[ids] * factors)


def _frames(scene: Scene, relative_to: ArrayLike | None, count: int) -> np.ndarray:
    """Return the (count, 4, 4) world matrices of one node for all or of one for each; None or -1: the world's."""
    given = NO_PARENT if relative_to is None else relative_to
    nodes = checked_rows("relative_to", given, scene.row_count, lowest=NO_PARENT)
    return parent_worlds(scene, for_each(nodes, "relative_to", (count,)))
