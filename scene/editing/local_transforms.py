"""New local transforms of nodes, from matrices, as an edit.

A node holds T R S and no shear. Where a matrix would need shear (a rotation below a parent that is scaled unevenly, for
example) the node gets the matrix's translation and the nearest rotation and scale; the edit's notes say so.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from octoscope.scene.editing.edits import Edit, EditError, changed
from octoscope.scene.geometry.affine import linear
from octoscope.scene.geometry.decompose import FLAT, SHEARED, nearest, nearest_of_flat, premultiply
from octoscope.scene.nodes import placing
from octoscope.scene.nodes.placing import parent_worlds
from octoscope.scene.scene import Scene

# For functions that make edits: numbers that overflow are refused in one line when they are placed.
ignore_overflow = np.errstate(over="ignore", invalid="ignore")


def inverses(matrices: np.ndarray) -> np.ndarray:
    """Invert affine matrices, (k, 4, 4), by `placing.inverses`; its ValueError becomes an EditError."""
    try:
        return placing.inverses(matrices)
    except ValueError as error:
        raise EditError(str(error)) from None


class LocalTransforms(NamedTuple):
    """Nodes and their local transforms."""

    ids: np.ndarray
    translations: np.ndarray  # (k, 3)
    rotations: np.ndarray  # (k, 4) unit quaternions x, y, z, w
    scales: np.ndarray  # (k, 3)

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
    """Make the edit that gives nodes local transforms matrix @ T R S; `which` (k,): of (m, 4, 4), None: of one each."""
    after = nodes.translations.copy(), nodes.rotations.copy(), nodes.scales.copy()
    linears = np.empty((len(nodes.ids), 3, 3))
    outcomes = np.empty(len(nodes.ids), dtype=np.uint8)
    which = np.arange(len(matrices)) if which is None else which
    premultiply(np.ascontiguousarray(matrices, dtype=np.float64), which, *after, linears, outcomes)
    flat = np.flatnonzero(outcomes & FLAT)
    if len(flat):
        require_finite(linears[flat])
        after[1][flat], after[2][flat] = nearest_of_flat(linears[flat], after[2][flat])
    require_finite(*after)
    return _edit(nodes, LocalTransforms(nodes.ids, *after), _count_sheared(outcomes))


def placed(nodes: LocalTransforms, local_matrices: np.ndarray) -> Edit:
    """Make the edit that gives nodes local transforms: (k, 4, 4) matrices."""
    return _edit(nodes, *decomposed(nodes, local_matrices))


def decomposed(nodes: LocalTransforms, local_matrices: np.ndarray) -> tuple[LocalTransforms, int]:
    """Give nodes (k, 4, 4) local transforms; return them, and how many would need shear to be exact."""
    require_finite(local_matrices)
    rotations, scales, outcomes = nearest(local_matrices[:, :3, :3], nodes.scales)
    require_finite(rotations, scales)
    return LocalTransforms(nodes.ids, local_matrices[:, :3, 3].copy(), rotations, scales), _count_sheared(outcomes)


def translated(nodes: LocalTransforms, offsets: np.ndarray) -> Edit:
    """Make the edit that moves nodes in their parents' frames by (k, 3) or (3,) offsets; the rest stays to the bit."""
    translations = nodes.translations + offsets
    require_finite(translations)
    return changed(nodes.ids, {"translation": nodes.translations}, {"translation": translations})


def moved(scene: Scene, ids: np.ndarray, offsets: np.ndarray) -> Edit:
    """Make the edit that moves nodes in the world by (k, 3) or (3,) offsets."""
    local_from_world = inverses(parent_worlds(scene, scene.parents[ids]))[:, :3, :3]
    offsets = np.broadcast_to(offsets, (len(ids), 3))
    return translated(LocalTransforms.of(scene, ids), (local_from_world @ offsets[:, :, None])[:, :, 0])


def _count_sheared(outcomes: np.ndarray) -> int:
    return int(np.count_nonzero(outcomes & SHEARED))


def _edit(nodes: LocalTransforms, after: LocalTransforms, sheared: int) -> Edit:
    edit = changed(nodes.ids, nodes.columns(), after.columns())
    if sheared:
        objects = f"{sheared:,} objects" if sheared > 1 else "an object"
        note = f"{objects} would need shear, which no transform can hold; the nearest rotation and scale are used"
        return Edit("", edit.changes, notes=(note,))
    return edit


def require_finite(*columns: np.ndarray) -> None:
    """EditError where a number is not finite."""
    if not all(np.isfinite(column).all() for column in columns):
        raise EditError("the result is out of the range of numbers")
