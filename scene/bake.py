"""Bake geometry: meshes of nodes in world coordinates, for formats that have no transforms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from octoscope.scene.conventions.up_axis import UpAxis
from octoscope.scene.conventions.upright import turn_between
from octoscope.scene.geometry.vertex_transform import transform_vertices
from octoscope.scene.mesh.data import MeshBatch, reversed_triangles
from octoscope.scene.mesh.pool import Meshes
from octoscope.scene.scene import Scene


def baked(scene: Scene, ids: np.ndarray, *, up_axis: UpAxis | None = None) -> MeshBatch:
    """Return the meshes of (k,) nodes in world coordinates, one for each node, with the node's name and material.

    Args:
        ids: (k,) of the nodes.
        up_axis: turn the world so that this axis points up; None: leave it as it is.
    """
    ids = scene.checked_ids(ids)
    batch = transformed(scene.meshes, scene.mesh_ids[ids], baking_matrices(scene, ids, up_axis=up_axis))
    material = np.repeat(scene.material_overrides[ids], batch.vertex_counts)
    return replace(batch, names=scene.names[ids], material_ids=np.where(material >= 0, material, batch.material_ids))


def baking_matrices(scene: Scene, ids: np.ndarray, *, up_axis: UpAxis | None = None) -> np.ndarray:
    """Return the matrices (k, 4, 4) by which `baked` transforms the meshes of (k,) nodes; arguments are the same."""
    matrices = scene.world_from_local[ids]
    if up_axis is not None and up_axis != scene.up_axis:
        matrices[:, :3] = turn_between(scene.up_axis, up_axis) @ matrices[:, :3]
    return matrices


def transformed(meshes: Meshes, mesh_ids: np.ndarray, matrices: np.ndarray) -> MeshBatch:
    """Return copies of (k,) meshes, each transformed by one of the matrices (k, 4, 4).

    Where a matrix mirrors, the triangles' winding is reversed, so that their fronts stay fronts.
    """
    rows, pool = meshes.rows, meshes.vertices
    vertex_counts = rows["vertex_count"][mesh_ids]
    positions = np.empty((int(vertex_counts.sum()), 3))
    normals = np.empty((len(positions), 3), dtype=np.float32)
    transform_vertices(
        rows["first_vertex"][mesh_ids], vertex_counts, matrices, pool["position"], pool["normal"], positions, normals
    )
    batch = meshes.batch(mesh_ids, positions=positions, normals=normals)
    triangles, edges = batch.triangles, batch.edges
    linear = matrices[:, :3, :3]
    largest = np.abs(linear).max(axis=(1, 2), keepdims=True, initial=0.0)
    with np.errstate(all="ignore"):  # of what is near 1, so that the sign does not vanish with the product
        determinants = np.linalg.det(linear / np.where(largest > 0.0, largest, 1.0))
    mirrored = np.repeat(determinants < 0.0, batch.triangle_counts)
    triangles[mirrored], edges[mirrored] = reversed_triangles(triangles[mirrored], edges[mirrored])
    return batch
