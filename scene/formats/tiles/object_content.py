"""The objects of contents: what is of one feature, or one mesh of a node; and their meshes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from octoscope.scene.bake import transformed
from octoscope.scene.content import FileContent
from octoscope.scene.formats.gltf.accessors import accessors_of
from octoscope.scene.formats.tiles.contents import PlacedContent
from octoscope.scene.formats.tiles.objects import Chains
from octoscope.scene.formats.tiles.tables.at_point import properties_at_point
from octoscope.scene.formats.tiles.tables.features import NO_FEATURE, Features
from octoscope.scene.formats.tiles.tables.metadata import BROKEN
from octoscope.scene.geometry.affine import linear
from octoscope.scene.merging.merged_geometry import MergedGeometry
from octoscope.scene.mesh.data import MeshBatch
from octoscope.scene.mesh.pool import Meshes

_FIRST_NODE = 2**62  # keys of nodes without a feature are below 0
_MOST_OBJECTS = 2**16  # of a content: vertices that are each a feature are no objects


class ContentObjects(NamedTuple):
    """The objects of a content in its own frame: one for each feature, or for each mesh of a node without features."""

    geometry: MergedGeometry  # whose objects are numbered from 0
    names: np.ndarray  # (k,) StringDType
    keys: np.ndarray  # (k,) int64, the feature of each, or NO_FEATURE
    features: Features


def objects_in(part: PlacedContent, features: Features | None = None) -> ContentObjects:
    """Return the objects of a content; `features` are those that it has, if they are known."""
    content, features = part.content, part.features if features is None else features
    rows = np.flatnonzero(content.node_meshes >= 0)
    copies = len(part.matrices)
    batch = _placed_meshes(part)
    names = np.tile(content.node_names[rows], copies)
    of_meshes = np.tile(features.of_nodes[rows], copies)
    if features.of_instances is not None:
        of_meshes = np.where(of_meshes < 0, np.repeat(features.of_instances, len(rows)), of_meshes)
    keys = np.where(of_meshes < 0, np.arange(len(names)) - _FIRST_NODE, of_meshes)
    of_vertices = np.repeat(keys, batch.vertex_counts)
    if len(features.of_vertices):
        own = features.of_vertices[batch.source_vertices]
        named = np.where(own < 0, of_vertices, own)
        if len(np.unique(named)) <= _MOST_OBJECTS:
            of_vertices = named
    different, objects = np.unique(of_vertices, return_inverse=True)
    geometry = MergedGeometry.of(batch, np.zeros(len(batch), dtype=np.int32))
    geometry = _apart(replace(geometry, objects=objects.astype(np.int32)))
    left, objects = np.unique(geometry.objects, return_inverse=True)
    different = different[left]
    is_node = different < 0
    defaults = names[np.where(is_node, different + _FIRST_NODE, 0)]
    found = np.where(is_node, NO_FEATURE, different)
    return ContentObjects(
        replace(geometry, objects=objects.astype(np.int32)), features.names(found, defaults), found, features
    )


def _placed_meshes(part: PlacedContent) -> MeshBatch:
    """Return the meshes of a content in its own frame, one for each place of each node that has one."""
    content = part.content
    rows = np.flatnonzero(content.node_meshes >= 0)
    copies = len(part.matrices)
    matrices = (part.matrices[:, None] @ _matrices(content)[rows]).reshape(-1, 4, 4)
    pool = Meshes()
    pool.extend(content.meshes)
    batch = transformed(pool, np.tile(content.node_meshes[rows], copies), matrices)
    overrides = np.repeat(np.tile(content.node_materials[rows], copies), batch.vertex_counts)
    batch.material_ids[:] = np.where(overrides >= 0, overrides, batch.material_ids)
    return batch


def properties_at(part: PlacedContent, world_from_content: np.ndarray, point: np.ndarray) -> dict[str, object]:
    """Return the properties that a content has at the point of its surface nearest to one in the world, by name."""
    document, gltf = part.document, part.gltf
    if document is None or gltf is None or not part.has_properties_at_points:
        return {}
    batch = _placed_meshes(part)
    geometry = MergedGeometry.of(batch, np.zeros(len(batch), dtype=np.int32))
    # Also of what is scaled flat, or far out.
    place = np.linalg.pinv(world_from_content[:3, :3]) @ (point - world_from_content[:3, 3])
    vertices, weights = _nearest(geometry.positions, geometry.elements, place)
    sources = batch.source_vertices[vertices]
    counts = accessors_of(document).counts[gltf.positions]
    ends = np.cumsum(counts)
    number = int(np.searchsorted(ends, sources[0], side="right"))
    try:
        tables = part.features.tables
        items = sources - (ends[number] - counts[number])
        return properties_at_point(document, tables, int(gltf.positions[number]), items, weights)
    except BROKEN:
        return {}


def _nearest(
    positions: np.ndarray, elements: tuple[np.ndarray, ...], point: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the vertices of the element that is nearest to a point, (k,), and their weights there."""
    found = []
    for rows in elements:
        if not len(rows):
            continue
        corners = positions[rows] - point
        weights = np.ones((len(rows), 1))
        if rows.shape[1] > 1:  # the point of the plane or line that is nearest, or one at the border
            edges = corners[:, 1:] - corners[:, :1]
            squares = edges @ edges.transpose(0, 2, 1)
            inverses = np.linalg.pinv(squares)
            shares = np.clip((inverses @ (edges @ -corners[:, 0, :, None]))[:, :, 0], 0.0, 1.0)
            shares /= np.maximum(shares.sum(axis=1, keepdims=True), 1.0)
            weights = np.concatenate([1.0 - shares.sum(axis=1, keepdims=True), shares], axis=1)
        distances = np.linalg.norm((weights[:, :, None] * corners).sum(axis=1), axis=1)
        row = int(distances.argmin())
        found.append((float(distances[row]), rows[row], weights[row]))
    _, vertices, of_vertices = min(found, key=lambda each: each[0])
    return vertices, of_vertices


def _apart(geometry: MergedGeometry) -> MergedGeometry:
    """Give vertices of their own to elements between vertices of several objects: they are of that of their first."""
    vertices, objects = [np.arange(len(geometry.positions))], [geometry.objects]
    elements, count = [], len(geometry.positions)
    for rows in geometry.elements:
        owners = np.broadcast_to(geometry.objects[rows[:, :1]], rows.shape)
        places = np.nonzero(geometry.objects[rows] != owners)
        vertices.append(rows[places])
        objects.append(owners[places])
        rows = rows.copy()
        rows[places] = np.arange(count, count + len(places[0]))
        count += len(places[0])
        elements.append(rows)
    columns = geometry.of_vertices(np.concatenate(vertices)) | {"objects": np.concatenate(objects)}
    whole = MergedGeometry(**columns, triangles=elements[0], lines=elements[1], points=elements[2])
    return whole.with_elements(*elements)


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


def in_tileset(found: ContentObjects) -> tuple[np.ndarray, Chains] | None:
    """Return the numbers in their tileset of the objects of a content, (k,) int32, and those above them.

    None where the content does not say them: `content.write_content` writes them.
    """
    try:
        (table,) = found.features.tables
        columns: Any = table.columns
        chains = Chains.of_columns(columns)
        return None if (found.keys < 0).any() else (columns["id"].astype(np.int32)[found.keys], chains)
    except BROKEN:
        return None


def meshes_by_object(geometry: MergedGeometry) -> tuple[np.ndarray, MeshBatch]:
    """Return (k,) int32 the objects of a geometry that is sorted by object, ascending, and their meshes, unnamed."""
    shown, firsts, counts = np.unique(geometry.objects, return_index=True, return_counts=True)
    owners = [np.searchsorted(shown, geometry.objects[rows[:, 0]]) for rows in geometry.elements]
    element_counts = [np.bincount(owner, minlength=len(shown)) for owner in owners]
    triangles, lines, points = (
        (rows - firsts[owner][:, None]).astype(np.int32) for rows, owner in zip(geometry.elements, owners, strict=True)
    )
    names = np.empty(len(shown), dtype=np.dtypes.StringDType())
    columns = geometry.mesh_columns(slice(None))
    return shown, MeshBatch.with_defaults(
        names, [counts, *element_counts], **columns, triangles=triangles, lines=lines, points=points[:, 0].copy()
    )
