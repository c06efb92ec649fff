"""Mend meshes: operations that give nodes mended copies of their meshes. The old meshes stay as they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from octoscope.guesses import advises
from octoscope.scene.editing.chosen import checked_nodes, title
from octoscope.scene.editing.edits import Edit, EditError, change_nodes, combined
from octoscope.scene.mending.mending import (
    Mended,
    decimated,
    decimated_to,
    facing_outward,
    flipped,
    welded_vertices,
    with_holes_filled,
    without_bad_triangles,
)
from octoscope.scene.mesh.data import MeshBatch, counted
from octoscope.scene.scene import Scene, all_or_nothing

USUAL_WELD = 1e-4
USUAL_HOLE = 30
USUAL_CELL = 0.02


@advises()
def flip_faces(scene: Scene, ids: ArrayLike) -> Edit:
    """Turn all faces of nodes' meshes over, with their normals.

    Nodes that shared a mesh share the mended one; others that show it, and are not among the nodes, keep the old one.
    The edit's outcome says what has changed. All of these do so.

    Raises:
        EditError: no selected object has faces.
    """
    return _mended(scene, ids, "Flip faces of", flipped, "no selected object has faces")


@advises()
def face_outward(scene: Scene, ids: ArrayLike) -> Edit:
    """Turn faces over so that neighbours look to the same side, and closed surfaces outward (recalculate outside).

    Surfaces inside another may be the walls of a hollow, and of open ones nothing tells what is outside: these keep the
    winding that most of their area has. Normals that then look to the back of their faces are reversed.

    Raises:
        EditError: all faces look outward already.
    """
    return _mended(scene, ids, "Face outward", facing_outward, "all faces are consistent and look outward already")


@advises()
def remove_bad_faces(scene: Scene, ids: ArrayLike) -> Edit:
    """Remove faces without an area, and those that are there twice with the same front.

    Faces whose corners lie in a line stay where they keep a mesh closed.

    Raises:
        EditError: there are none.
    """
    return _mended(
        scene, ids, "Remove bad faces of", without_bad_triangles, "no degenerate or duplicate faces to remove"
    )


@advises()
def weld(scene: Scene, ids: ArrayLike, *, distance: float = USUAL_WELD) -> Edit:
    """Bring vertices within a distance to one place, and make those one that are equal (merge by distance).

    Vertices that differ in normal, texture coordinates, colour or material stay apart at that place, as along the seams
    of textures. Faces that have shrunk to nothing are removed.

    Args:
        distance: in the meshes' own units, before the nodes' scales; above 0.

    Raises:
        EditError: no vertices are so near each other.
        ValueError: no such distance.
    """
    if not 0.0 < distance < np.inf:
        raise ValueError(f"distance must be above 0, not {distance}")
    mend = partial(welded_vertices, distance=distance)
    return _mended(scene, ids, "Weld", mend, f"no vertices are equal, or within {distance:g} of each other")


@advises()
def fill_holes(scene: Scene, ids: ArrayLike, *, most_edges: int = USUAL_HOLE) -> Edit:
    """Close the holes of nodes' meshes that have up to so many edges, each with a flat face.

    The outer border of a sheet is no hole, and one that touches another at a point stays. New faces take over texture
    coordinates, colours and materials from the vertices around.

    Args:
        most_edges: 3 or more.

    Raises:
        EditError: no such holes.
        ValueError: too few edges.
    """
    if most_edges < 3:
        raise ValueError(f"most_edges must be 3 or more, not {most_edges}")
    mend = partial(with_holes_filled, most_edges=most_edges)
    return _mended(scene, ids, "Fill holes of", mend, f"no holes of up to {most_edges} edges that can be filled")


@advises()
def decimate(scene: Scene, ids: ArrayLike, *, cell: float = USUAL_CELL, share: float | None = None) -> Edit:
    """Draw together the vertices in each cell of a grid: fewer faces over some of the same vertices.

    Normals, texture coordinates, colours and materials of the vertices that stay are kept.

    Args:
        cell: the side of a cell, as a share of the longest side of the mesh: above 0, up to 1.
        share: of the triangles of each mesh that stay at most, above 0, below 1, in place of a cell; None: any.

    Raises:
        EditError: no mesh gets fewer faces.
        ValueError: no such share.
    """
    if not 0.0 < cell <= 1.0:
        raise ValueError(f"cell must be above 0, up to 1, not {cell}")
    if share is not None and not 0.0 < share < 1.0:
        raise ValueError(f"share must be above 0, below 1, not {share}")
    mend = partial(decimated, cell=cell) if share is None else partial(decimated_to, share=share)
    return _mended(scene, ids, "Decimate", mend, "no mesh gets fewer faces and keeps some; try another share or cell")


@all_or_nothing
def _mended(scene: Scene, ids: ArrayLike, label: str, mend: Callable[[MeshBatch], Mended], none: str) -> Edit:
    """Give nodes mended copies of those of their meshes that change; `none`: what is said if none does."""
    ids = checked_nodes(scene, ids)
    ids = ids[(scene.mesh_ids[ids] >= 0)]
    ids = ids[scene.meshes.rows["triangle_count"][scene.mesh_ids[ids]] > 0]
    if len(ids) == 0:
        raise EditError("no selected object has faces")
    meshes = np.unique(scene.mesh_ids[ids])
    before = scene.meshes.batch(meshes)
    after, is_changed = mend(before)
    if not is_changed.any():
        raise EditError(none)
    if not is_changed.all():  # the others stay as they are
        meshes = meshes[is_changed]
        before = scene.meshes.batch(meshes)
        after, _ = mend(before)
    ids = ids[np.isin(scene.mesh_ids[ids], meshes)]
    try:
        copies = np.array(scene.meshes.extend(after))
    except ValueError:  # positions that are not finite
        raise EditError("the result is out of the range of numbers") from None
    shown = copies[np.searchsorted(meshes, scene.mesh_ids[ids])]
    notes = []
    others = int((np.isin(scene.mesh_ids, meshes) & scene.alive).sum()) - len(ids)
    if others:
        notes.append(f"{others:,} other {'object keeps' if others == 1 else 'objects keep'} the mesh as it was")
    edit = combined(scene, title(scene, label, ids), change_nodes(scene, ids, mesh=shown))
    return replace(edit, notes=(*edit.notes, *notes), outcome=_difference(before, after))


def _difference(before: MeshBatch, after: MeshBatch) -> str:
    """Write what a mend has changed."""
    if len(after.positions) != len(before.positions) or len(after.triangles) != len(before.triangles):
        return f"{_counts(before)} became {_counts(after)}"
    turned = int((after.triangles != before.triangles).any(axis=1).sum())
    if turned:
        return f"{turned:,} of {len(before.triangles):,} faces turned over"
    moved = int((after.positions != before.positions).any(axis=1).sum())
    return f"{moved:,} of {len(before.positions):,} vertices moved"


def _counts(batch: MeshBatch) -> str:
    return counted(vertices=len(batch.positions), triangles=len(batch.triangles))
