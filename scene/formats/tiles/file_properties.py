"""FileProperties: property tables and metadata of the objects of a tileset that was read whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from octoscope.scene.content import FileContent
from octoscope.scene.formats.tiles.contents import PlacedContent, read_contents
from octoscope.scene.formats.tiles.object_content import meshes_by_object, objects_in, properties_at
from octoscope.scene.formats.tiles.tables.features import NO_FEATURE, ROWS, Features
from octoscope.scene.formats.tiles.tables.property_table import PropertyTable
from octoscope.scene.formats.tiles.tile_table import TileTable
from octoscope.scene.mesh.pool import NO_MESH, NO_PLACE
from octoscope.scene.node import Node

OWN = "Object"  # the heading of what is said of one


class ContentSource(NamedTuple):
    """The file, and the place in it, from which a content can be read again."""

    file: Path
    folder: Path  # which all files that it names are in
    is_z_up: bool  # as for `read_contents`
    number: int  # of the contents in the file


class DescribedContent(NamedTuple):
    """A content whose nodes are the features that its vertices are of, if they are of any."""

    content: FileContent
    features: Features
    of_places: np.ndarray  # (k,) int64 the feature of each place where it stands, or NO_FEATURE
    keys: np.ndarray  # (k, n) int64 the same of each of its n nodes there


def described(placed: PlacedContent) -> DescribedContent:
    """Return a content with the features of its nodes; those of points are kept in the frame of the content."""
    features, read = placed.features, placed.content
    keys, copies = features.of_nodes, features.of_instances
    if len(features.of_vertices) or placed.has_properties_at_points:
        found = objects_in(replace(placed, matrices=np.eye(4)[None]), replace(features, of_instances=None))
        _, batch = meshes_by_object(found.geometry.by_object())
        batch.names[:] = found.names
        content = FileContent.flat(read.name, read.vertex_count, batch, read.materials)
        keys = found.keys
    else:
        content = replace(read, node_names=features.names(keys, read.node_names))
    of_places = np.full(len(placed.matrices), NO_FEATURE) if copies is None else copies
    return DescribedContent(content, features, of_places, np.where(keys < 0, of_places[:, None], keys))


@dataclass(frozen=True, eq=False)
class FileProperties:
    """The properties of a file's objects, each told by the place of its mesh and its instance of that mesh."""

    tables: list[PropertyTable]
    firsts: np.ndarray  # (m + 1,) int64 the first object of each mesh
    keys: np.ndarray  # (k,) int64 the feature of each object, or NO_FEATURE
    tiles: TileTable | None  # whose metadata they have
    tile_of: np.ndarray  # (k,) int32 the tile of each object
    sources: Mapping[int, ContentSource]  # by mesh, where its points have properties of their own

    @property
    def is_of_points(self) -> bool:
        """True if points of an object may have properties of their own."""
        return bool(self.sources)

    def grouped_properties(self, node: Node) -> dict[str, dict[str, object]]:
        """Return what is said of the object that a node shows, its tile and its tileset."""
        place, instance = self._place(node), int(node.scene.instances[node.id])
        row = int(self.firsts[place]) + instance
        if place == NO_PLACE or instance < 0 or row >= self.firsts[place + 1]:  # the file has changed
            return {}
        key = int(self.keys[row])
        own = self.tables[key // ROWS].row(key % ROWS) if key >= 0 else {}
        return {OWN: own} if self.tiles is None else {OWN: own, **self.tiles.grouped_properties(int(self.tile_of[row]))}

    def properties_at(self, node: Node, point: np.ndarray) -> dict[str, object]:
        """Return what the content says of a point, read again."""
        source = self.sources.get(self._place(node))
        if source is None or node.scene.file_mesh_ids[node.id] not in (NO_MESH, node.mesh_id):  # of another shape now
            return {}
        contents = read_contents(source.file, source.folder, is_z_up=source.is_z_up)[source.number :]
        if not contents:  # the file has changed
            return {}
        return properties_at(replace(contents[0], matrices=np.eye(4)[None]), node.world_from_local, point)

    @staticmethod
    def _place(node: Node) -> int:
        (mesh,) = node.scene.stating_meshes(np.array([node.id]))
        return NO_PLACE if mesh == NO_MESH else int(node.scene.meshes.rows["place"][mesh])


def add_properties(
    content: FileContent,
    tables: list[PropertyTable],
    keys: np.ndarray,
    sources: Mapping[int, ContentSource],
    tiles: TileTable,
    tile_of: np.ndarray,
) -> FileContent:
    """Return the content of a tileset with the properties of its objects, where it states any.

    Args:
        keys: (n,) the feature of each node, or NO_FEATURE.
        sources: by mesh, where its points have properties of their own.
        tile_of: (n,) the tile of each node.
    """
    if not tiles.has_metadata and not (keys >= 0).any() and not sources:
        return content
    meshes = content.node_meshes
    nodes = np.argsort(meshes, kind="stable")[np.count_nonzero(meshes < 0) :]
    counts = np.bincount(meshes[nodes], minlength=len(content.meshes))
    firsts = np.concatenate([[0], np.cumsum(counts)])
    instances = np.zeros(len(meshes), dtype=np.int32)
    instances[nodes] = np.arange(len(nodes)) - firsts[meshes[nodes]]
    described_tiles = tiles if tiles.has_metadata else None
    properties = FileProperties(tables, firsts, keys[nodes], described_tiles, tile_of[nodes].astype(np.int32), sources)
    return replace(content, node_instances=instances, properties=properties)
