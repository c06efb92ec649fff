"""read_tile: a tile's file as one mesh, or as one for each object that is in it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from octoscope.scene.formats.tiles.reader import meshes_by_object, read_content
from octoscope.scene.mesh.data import MeshBatch
from octoscope.scene.mesh.material import Material

# Columns of the pool, of vertices on the graphics card, of triangles on both.
_VERTEX_BYTES = 56 + 36
_SECOND_UV_BYTES = 8 + 8
_TRIANGLE_BYTES = 13 + 12
_OBJECT_BYTES = 250 + 350  # of a row of meshes, and one of nodes with its copy on the card and in the octree
_OTHER_BYTES = 16  # of a line or a point


@dataclass(frozen=True, eq=False)
class TileContent:
    """The objects in a tile.

    Attributes:
        meshes: of the objects, with their names; or one of all of them.
        objects: (k,) int32 the number of each object in its tileset, -1 for a mesh of all.
        materials: to which the meshes refer.
    """

    meshes: MeshBatch
    objects: np.ndarray
    materials: list[Material]

    @property
    def memory_bytes(self) -> int:
        """The memory that it takes while it is shown, on the card, too; without images, which contents share."""
        meshes = self.meshes
        others = len(meshes.lines) + len(meshes.points)
        return (
            (_VERTEX_BYTES + (0 if meshes.second_uvs is None else _SECOND_UV_BYTES)) * len(meshes.positions)
            + _TRIANGLE_BYTES * len(meshes.triangles)
            + _OTHER_BYTES * others
            + _OBJECT_BYTES * len(meshes)
        )


def read_tile(path: Path, *, by_object: bool = True) -> TileContent:
    """Read the content of a tile.

    Args:
        path: of the GLB.
        by_object: a mesh for each object; False: one of all, where there are several.

    Returns:
        its objects.

    Raises:
        ReadError: missing, broken, or not written by Octoscope.
    """
    geometry, table, materials, _ = read_content(path)
    count = len(np.unique(geometry.objects))
    if count > 1 and not by_object:
        _, batch = meshes_by_object(replace(geometry, objects=np.zeros_like(geometry.objects)))
        batch.names[:] = f"{count:,} objects"
        return TileContent(batch, np.array([-1], dtype=np.int32), materials)
    shown, batch = meshes_by_object(geometry.by_object())
    ids, names = table["id"], table["name"]
    assert isinstance(ids, np.ndarray) and isinstance(names, np.ndarray)
    order = np.argsort(ids, kind="stable")
    batch.names[:] = names[order[np.searchsorted(ids, shown, sorter=order)]]
    return TileContent(batch, shown.astype(np.int32), materials)
