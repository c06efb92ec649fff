"""Tell which meshes have normals, texture coordinates and textures."""

from __future__ import annotations

import numpy as np

from octoscope.octree.jit import kernel


@kernel
def vertex_looks(
    first_vertices: np.ndarray,
    vertex_counts: np.ndarray,
    normals: np.ndarray,
    uvs: np.ndarray,
    materials: np.ndarray,
    is_textured: np.ndarray,
) -> np.ndarray:
    """Tell of meshes, (m, 3) bool: a vertex has a normal; texture coordinates differ; a material has a texture.

    Args:
        first_vertices, vertex_counts: (m,) int64.
        normals, uvs, materials: by vertex, of the pool.
        is_textured: by material.
    """
    looks = np.zeros((len(first_vertices), 3), np.bool_)
    for mesh in range(len(first_vertices)):
        first = first_vertices[mesh]
        for vertex in range(first, first + vertex_counts[mesh]):
            x, y, z = normals[vertex, 0], normals[vertex, 1], normals[vertex, 2]
            looks[mesh, 0] |= (x != 0.0) | (y != 0.0) | (z != 0.0)
            looks[mesh, 1] |= (uvs[vertex, 0] != uvs[first, 0]) | (uvs[vertex, 1] != uvs[first, 1])
            looks[mesh, 2] |= is_textured[materials[vertex]]
    return looks
