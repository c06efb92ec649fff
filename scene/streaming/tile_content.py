"""read_tile: a tile's files as one mesh, or as one for each object that is in it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from octoscope.scene.bake import transformed
from octoscope.scene.content import FileContent
from octoscope.scene.formats.tiles.contents import PlacedContent, read_contents
from octoscope.scene.formats.tiles.object_content import meshes_by_object, names_of, objects_of_content, tells_objects
from octoscope.scene.geometry.affine import linear
from octoscope.scene.merging.merged_geometry import MergedGeometry
from octoscope.scene.mesh.data import MeshBatch
from octoscope.scene.mesh.layout import COLUMNS
from octoscope.scene.mesh.material import Material
from octoscope.scene.mesh.pool import Meshes

# Bytes on the graphics card, besides the columns in memory.
_VERTEX_BYTES = 36
_TRIANGLE_BYTES = 12
_OTHER_BYTES = 8  # of a line or a point
_OBJECT_BYTES = 200 + 350  # of a row of meshes, and one of nodes with its copy on the card and in the octree


@dataclass(frozen=True, eq=False)
class TileContent:
    """The objects in a tile."""

    meshes: MeshBatch  # of the objects, with their names; or one of all of them
    objects: np.ndarray  # (k,) int32 the number of each object in its tileset, -1 for a mesh of all
    materials: list[Material]

    @property
    def memory_bytes(self) -> int:
        """The memory that it takes while it is shown, on the card, too; without images, which contents share."""
        meshes = self.meshes
        others = len(meshes.lines) + len(meshes.points)
        optional = [getattr(meshes, column.name) for column in COLUMNS if column.is_optional]
        return (
            meshes.nbytes
            + sum(column.nbytes for column in optional if column is not None)
            + _VERTEX_BYTES * len(meshes.positions)
            + _TRIANGLE_BYTES * len(meshes.triangles)
            + _OTHER_BYTES * others
            + _OBJECT_BYTES * len(meshes)
        )


def read_tile(files: tuple[Path, ...], folder: Path, *, by_object: bool = True) -> TileContent:
    """Read the contents of a tile.

    Args:
        folder: which all files that they name are in.
        by_object: a mesh for each object, which is one that a content names, or a node; False: one of all, where there
            are several.

    Raises:
        ReadError: one is missing or broken.
    """
    objects: list[np.ndarray] = []
    names: list[np.ndarray] = []
    geometries: list[MergedGeometry] = []
    materials: list[Material] = []
    for file in files:
        for part in read_contents(file, folder):
            if tells_objects(part.document):
                geometry, table = objects_of_content(file, part)
                shown = np.unique(geometry.objects)
                names.append(names_of(table, shown))
            else:
                geometry, texts = _baked(part)
                shown = np.unique(geometry.objects)
                names.append(texts[shown])
            # Objects of several contents are told apart by numbers behind each other.
            first = 0 if not objects else int(max(each.max(initial=-1) for each in objects)) + 1
            objects.append(shown.astype(np.int32) + np.int32(first))
            numbers = np.arange(len(part.content.materials), dtype=np.int32) + np.int32(len(materials))
            renumbered = geometry.renumbered(None, numbers)
            geometries.append(replace(renumbered, objects=renumbered.objects + np.int32(first)))
            materials += part.content.materials
    geometry = MergedGeometry.merged(geometries)
    count = sum(map(len, objects))
    if count > 1 and not by_object:
        _, batch = meshes_by_object(replace(geometry, objects=np.zeros_like(geometry.objects)))
        batch.names[:] = f"{count:,} objects"
        return TileContent(batch, np.array([-1], dtype=np.int32), materials)
    shown, batch = meshes_by_object(geometry.by_object())
    batch.names[:] = np.concatenate(names)
    return TileContent(batch, shown.astype(np.int32), materials)


def _baked(part: PlacedContent) -> tuple[MergedGeometry, np.ndarray]:
    """Return what a content shows in its own frame, an object for each mesh of a node, and their names."""
    content = part.content
    rows = np.flatnonzero(content.node_meshes >= 0)
    own = _matrices(content)[rows]
    matrices = (part.matrices[:, None] @ own).reshape(-1, 4, 4)
    copies = len(part.matrices)
    pool = Meshes()
    pool.extend(content.meshes)
    batch = transformed(pool, np.tile(content.node_meshes[rows], copies), matrices)
    overrides = np.repeat(np.tile(content.node_materials[rows], copies), batch.vertex_counts)
    batch.material_ids[:] = np.where(overrides >= 0, overrides, batch.material_ids)
    return MergedGeometry.of(batch, np.arange(len(batch), dtype=np.int32)), np.tile(content.node_names[rows], copies)


def _matrices(content: FileContent) -> np.ndarray:
    """Return (n, 4, 4) matrices of nodes to the frame of their file."""
    matrices = np.tile(np.eye(4), (len(content.node_names), 1, 1))
    matrices[:, :3, :3] = linear(np.ascontiguousarray(content.rotations), np.ascontiguousarray(content.scales))
    matrices[:, :3, 3] = content.translations
    local, above = matrices.copy(), content.node_parents.astype(np.int64)
    while (below := np.flatnonzero(above >= 0)).size:  # a level of the tree at a time
        matrices[below] = local[above[below]] @ matrices[below]
        above[below] = content.node_parents[above[below]]
    return matrices
