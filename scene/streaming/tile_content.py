"""read_tile: a tile's files as one mesh, or as one for each object that is in it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from octoscope.scene.formats.tiles.contents import read_contents
from octoscope.scene.formats.tiles.object_content import in_tileset, meshes_by_object, objects_in
from octoscope.scene.formats.tiles.tables.features import NO_FEATURE, ROWS
from octoscope.scene.formats.tiles.tables.property_table import PropertyTable
from octoscope.scene.merging.merged_geometry import MergedGeometry
from octoscope.scene.mesh.data import MeshBatch
from octoscope.scene.mesh.layout import COLUMNS
from octoscope.scene.mesh.material import Material
from octoscope.scene.system.report import Problem

# Bytes on the graphics card, besides the columns in memory.
_VERTEX_BYTES = 36
_TRIANGLE_BYTES = 12
_OTHER_BYTES = 8  # of a line or a point
_OBJECT_BYTES = 200 + 350  # of a row of meshes, and one of nodes with its copy on the card and in the octree


@dataclass(frozen=True, eq=False)
class TileContent:
    """The objects in a tile."""

    meshes: MeshBatch  # of the objects, with their names; or one of all of them
    objects: np.ndarray  # (k,) int32 the number of each object, -1 for a mesh of all
    materials: list[Material]
    features: np.ndarray  # (k,) int64 the feature that each is, in these tables, or NO_FEATURE
    tables: list[PropertyTable]
    problems: list[Problem]  # of what is not shown, or not as it should be
    has_properties_at_points: bool  # whether properties may differ from point to point of one object
    is_numbered: bool  # whether the numbers of objects are those of the whole tileset, and else of this content alone

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


def read_tile(files: tuple[Path, ...], folder: Path, *, by_object: bool = True, is_z_up: bool = False) -> TileContent:
    """Read the contents of a tile.

    Args:
        folder: which all files that they name are in.
        by_object: a mesh for each object, which is one that a content names, or a node; False: one of all, where there
            are several.
        is_z_up: the glTF in the contents has Z up.

    Raises:
        ReadError: one is missing or broken.
    """
    objects: list[np.ndarray] = []
    names: list[np.ndarray] = []
    keys: list[np.ndarray] = []
    tables: list[PropertyTable] = []
    geometries: list[MergedGeometry] = []
    materials: list[Material] = []
    problems: list[Problem] = []
    has_properties, is_numbered = False, True
    for file in files:
        for part in read_contents(file, folder, is_z_up=is_z_up):
            found = objects_in(part)
            has_properties |= part.has_properties_at_points
            numbers = np.arange(len(part.content.materials), dtype=np.int32) + np.int32(len(materials))
            if (numbered := in_tileset(found)) is None:
                ids, is_numbered = np.arange(len(found.names), dtype=np.int32), False
            else:
                ids = numbered[0]
            # Objects of several contents are told apart by numbers behind each other.
            ids = ids + np.int32(0 if not objects else max(each.max(initial=-1) for each in objects) + 1)
            geometries.append(found.geometry.renumbered(ids, numbers))
            objects.append(ids)
            names.append(found.names)
            keys.append(np.where(found.keys < 0, NO_FEATURE, found.keys + ROWS * len(tables)))
            tables += found.features.tables
            materials += part.content.materials
            problems += part.content.problems
    geometry = MergedGeometry.merged(geometries)
    count = sum(map(len, objects))
    if count > 1 and not by_object:
        _, batch = meshes_by_object(replace(geometry, objects=np.zeros_like(geometry.objects)))
        batch.names[:] = f"{count:,} objects"
        nobody = np.array([-1], dtype=np.int32)
        return TileContent(batch, nobody, materials, np.array([NO_FEATURE]), [], problems, has_properties, is_numbered)
    shown, batch = meshes_by_object(geometry.by_object())
    order = np.argsort(np.concatenate(objects), kind="stable")
    batch.names[:] = np.concatenate(names)[order]
    features = np.concatenate(keys)[order]
    return TileContent(
        batch, shown.astype(np.int32), materials, features, tables, problems, has_properties, is_numbered
    )
