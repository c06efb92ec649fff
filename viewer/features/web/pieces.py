"""Piece: a part of the scene that is sent to browsers at once; content_of: the points and meshes that it is sent as."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import numpy as np

from octoscope.scene import MeshData, Scene
from octoscope.scene.bake import transformed
from octoscope.scene.merging.merged_geometry import MergedGeometry
from octoscope.viewer.features.web.detail import Specks, blocks_of, narrow_errors, simpler, specks_of
from octoscope.viewer.features.web.geometry import BrowserFrame, by_material, clipped, with_overrides

WORTH_IT = 0.7  # of what a browser has to draw: what takes more than this is not worth to be sent again

_NO_PLANES = np.empty((0, 4))


@dataclass(eq=False)
class Piece:
    """A part of the scene that is sent at once."""

    ids: np.ndarray  # (k,) int32 nodes
    # mesh and material override that all of them have, if they are instances; None: they are joined
    pair: tuple[int, int] | None
    # (3,) local point that the vertices of an instances' mesh are about
    center: np.ndarray = field(default_factory=lambda: np.zeros(3))
    # (3,) corner of the box around its objects' spheres, world
    lower: np.ndarray = field(default_factory=lambda: np.zeros(3))
    upper: np.ndarray = field(default_factory=lambda: np.zeros(3))  # (3,) the other one
    # by how far they may be off, viser's handles of what is not points: one for each material of instances. Those of
    # joined objects are at 0. Empty before the piece is sent
    meshes: dict[float, list[Any]] = field(default_factory=dict)
    # viser's handles of the points in place of small objects, by their widths
    points: dict[float, Any] = field(default_factory=dict)
    cost: int = 0  # triangles and points that a browser draws
    drawn: float = 0.0  # what was estimated of these when a look was made last, whether it was sent or not
    # what it was looked at for last, besides places: pixels of all browsers and the like; () never
    state: tuple[float, ...] = ()
    places: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))  # (b, 3) where their cameras were then, world
    reach: float = 0.0  # how far these may move before it is looked at again
    is_hidden: bool = False  # whether browsers keep it without drawing it
    # (3,) world, of the camera for which its points are lit
    eye: np.ndarray = field(default_factory=lambda: np.zeros(3))

    @property
    def handles(self) -> list[Any]:
        """All of viser's handles."""
        return [*(handle for handles in self.meshes.values() for handle in handles), *self.points.values()]

    def is_good_for(self, places: np.ndarray, state: tuple[float, ...]) -> bool:
        """Return whether cameras have moved so little since this was looked at that it is as it should be."""
        return self.state == state and bool(np.linalg.norm(places - self.places, axis=1).max() < self.reach)


@dataclass
class Content:
    """The points and meshes that a piece is sent as."""

    specks: Specks  # points in place of small nodes
    errors: np.ndarray  # (k,) how far each node of the piece may be off, 0 if it is as it is
    widths: np.ndarray  # (k,) how narrow those are that are points for being a few pixels wide; 0 for the others
    # the nodes that are no points, (m,) int32, by how far they may be off; all at 0 if they are joined
    others: dict[float, np.ndarray] = field(default_factory=dict)
    # of these, one for each material: in the browser's frame if they are joined; those of one instance
    meshes: dict[float, list[MeshData]] = field(default_factory=dict)
    cost: int = 0  # triangles and points that a browser draws


def content_of(
    scene: Scene,
    frame: BrowserFrame,
    piece: Piece,
    errors: np.ndarray,
    widest: np.ndarray,
    eye: np.ndarray,
    *,
    cuts: np.ndarray = _NO_PLANES,
    has_meshes: bool = True,
) -> Content:
    """Return what a piece is sent as.

    Args:
        errors: (k,) how far its nodes may be off, world; few different ones.
        widest: (k,) how narrow, world, its nodes must be to be points as wide as they are; 0: they are none.
        eye: (3,) world, of the camera for which points are lit.
        cuts: (p, 4) planes of a section, about the origin of the browser's frame; what is joined is cut by them.
        has_meshes: without meshes, groups of nodes that turn out to have the same are not joined.
    """
    ids, narrow = piece.ids, narrow_errors(scene, piece.ids)
    is_tiny = (narrow <= errors) & (errors > 0.0)
    is_block = (narrow <= widest) & (widest > 0.0) & ~is_tiny
    tiny = [specks_of(scene, ids[is_tiny & (errors == error)], error, eye) for error in np.unique(errors[is_tiny])]
    specks = Specks.joined([*tiny, blocks_of(scene, ids[is_block], eye)])
    is_other = ~(is_tiny | is_block)
    rows_by_error = {
        error: np.flatnonzero(is_other & (errors == error)) for error in np.unique(errors[is_other]).tolist()
    }
    content = Content(specks, errors.copy(), np.where(is_block, narrow, 0.0), cost=len(specks.positions))
    if not has_meshes:
        content.others = {error: ids[rows] for error, rows in rows_by_error.items()}
    elif piece.pair is not None:
        _add_instances(content, scene, piece, piece.pair, rows_by_error)
    elif rows_by_error:
        _add_joined(content, scene, frame, ids, rows_by_error, cuts)
    return content


def _add_instances(
    content: Content, scene: Scene, piece: Piece, pair: tuple[int, int], rows_by_error: dict[float, np.ndarray]
) -> None:
    """Add the instances of a mesh, those that may be off by more with a simpler one if that is worth it."""
    mesh_id, override = pair
    to_center = np.eye(4)
    to_center[:3, 3] = -piece.center
    batch = with_overrides(transformed(scene.meshes, np.array([mesh_id]), to_center[None]), np.array([override]))
    chosen = whole = MergedGeometry.of(batch, np.zeros(1, dtype=np.int64))
    chosen_error = 0.0
    for error, rows in rows_by_error.items():
        ids = piece.ids[rows]
        scales = np.linalg.norm(scene.world_from_local[ids, :3, :3], axis=1).max(axis=0)
        geometry = simpler(whole, error, scales)
        if geometry.element_count <= WORTH_IT * chosen.element_count:
            chosen, chosen_error = geometry, error
        content.others[chosen_error] = np.concatenate([content.others.get(chosen_error, ids[:0]), ids])
        content.meshes[chosen_error] = by_material(chosen)
        content.errors[rows] = chosen_error
        content.cost += len(ids) * chosen.element_count


def _add_joined(
    content: Content,
    scene: Scene,
    frame: BrowserFrame,
    ids: np.ndarray,
    rows_by_error: dict[float, np.ndarray],
    cuts: np.ndarray,
) -> None:
    """Add nodes with meshes of their own, joined, each as simple as it may be, and cut."""
    parts = []
    for error, rows in rows_by_error.items():
        nodes = ids[rows]
        batch = transformed(scene.meshes, scene.mesh_ids[nodes], frame.matrices(scene.world_from_local[nodes]))
        whole = MergedGeometry.of(with_overrides(batch, scene.material_overrides[nodes]), np.arange(len(nodes)))
        geometry = simpler(whole, error * frame.scale)
        if geometry.element_count >= whole.element_count:
            content.errors[rows] = 0.0
        geometry = reduce(clipped, cuts, geometry)
        parts.append(geometry)
        content.cost += geometry.element_count
    content.others[0.0] = ids[np.sort(np.concatenate(list(rows_by_error.values())))]
    content.meshes[0.0] = by_material(MergedGeometry.merged(parts))
