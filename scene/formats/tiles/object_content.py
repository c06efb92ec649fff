"""Contents that say which objects they show: the meshes of each, with its name and place in the tree."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from octoscope.scene.bake import transformed
from octoscope.scene.content import FileContent
from octoscope.scene.formats.gltf.accessors import Accessors, accessors_of
from octoscope.scene.formats.gltf.codes import FEATURE_IDS, FLOAT, GPU_INSTANCING, STRUCTURAL_METADATA, UNSIGNED_SHORT
from octoscope.scene.formats.gltf.document import GltfDocument, objects
from octoscope.scene.formats.gltf.instances import read_floats, read_plain
from octoscope.scene.formats.tiles.content import OBJECT_CLASS
from octoscope.scene.formats.tiles.contents import PlacedContent
from octoscope.scene.formats.tiles.objects import check_columns
from octoscope.scene.formats.tiles.property_table import Columns, unpack_table
from octoscope.scene.geometry.affine import linear
from octoscope.scene.merging.merged_geometry import MergedGeometry
from octoscope.scene.mesh.data import MeshBatch
from octoscope.scene.mesh.pool import Meshes
from octoscope.scene.system.text_file import ReadError


def tells_objects(document: GltfDocument | None) -> bool:
    """Return whether a content says which objects it shows, as `content.write_content` writes it."""
    value: Any = None if document is None else document.json.get("extensions")
    for key in (STRUCTURAL_METADATA, "schema", "classes", OBJECT_CLASS, "properties"):
        value = value.get(key) if isinstance(value, dict) else None
    return isinstance(value, dict) and {"id", "name", "ancestors", "path"} <= value.keys()


def objects_of_content(path: Path, part: PlacedContent) -> tuple[MergedGeometry, Columns]:
    """Return the geometry of a content that `tells_objects`, and its table of them.

    Objects have the numbers of the tileset, materials those of the file.
    """
    document = part.document
    assert document is not None
    try:
        features = _Features.of(document)
        table = _table_of(document)
        check_columns(table)
        geometry = _baked(part.content, features, np.asarray(table["id"]).astype(np.int32))
        _check_objects(geometry)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, OverflowError):
        raise ReadError(
            path,
            "does not say which objects it shows, as octoscope tiles does; open the files that the tileset was made of",
        ) from None
    return geometry, table


class _Features(NamedTuple):
    """The features that a content names."""

    # (v,) int64 of each vertex of the file, as `source_vertices` counts them; -1 in meshes that stand at many places
    of_vertices: np.ndarray
    # (n,) int64 of each node that shows a mesh, in the order in which they are read; -1: its vertices tell
    of_nodes: np.ndarray

    @classmethod
    def of(cls, document: GltfDocument) -> _Features:
        """Read them."""
        accessors = accessors_of(document)
        own, of_nodes = -1, []
        for node in document.objects("nodes"):
            extensions: Any = node.get("extensions", {})
            if GPU_INSTANCING in extensions:
                number = extensions[GPU_INSTANCING]["attributes"][FEATURE_IDS]
                of_nodes.append(_whole(read_floats(accessors, number, 1)[:, 0]))
            else:
                own = int(str(node["mesh"]))
                of_nodes.append(np.array([-1]))
        # Vertices are counted over the positions of all meshes; primitives that share them share their features.
        number_of: dict[int, int | None] = {}
        for mesh_number, mesh in enumerate(document.objects("meshes")):
            for one in objects(mesh, "primitives", document.path):
                attributes: Any = one["attributes"]
                number_of[attributes["POSITION"]] = attributes[FEATURE_IDS] if mesh_number == own else None
        of_vertices = [_column(accessors, position, number_of[position]) for position in sorted(number_of)]
        return cls(np.concatenate(of_vertices), np.concatenate(of_nodes))


def _column(accessors: Accessors, positions: int, number: int | None) -> np.ndarray:
    """Return the feature of each vertex of some positions, (v,) int64; -1 where no accessor has them."""
    count = int(accessors.counts[positions])
    if number is None:
        return np.full(count, -1)
    usable = accessors.usable(np.array([number]), components=(FLOAT, UNSIGNED_SHORT), widths=(1,))
    if not usable.all() or accessors.counts[number] != count:
        raise ValueError("no feature ids")
    return _whole(read_plain(accessors, number, 1)[:, 0])


def _whole(features: np.ndarray) -> np.ndarray:
    if not ((features >= 0) & (features < 2**31)).all():  # NaN is neither
        raise ValueError("features that there are not")
    return np.round(features).astype(np.int64)


def _baked(read: FileContent, features: _Features, ids: np.ndarray) -> MergedGeometry:
    """Return all that a content shows, in world coordinates; `ids` (k,) int32 are the object of each feature."""
    rows = np.flatnonzero(read.node_meshes >= 0)
    if len(rows) != len(features.of_nodes) or np.count_nonzero(features.of_nodes < 0) > 1:
        raise ValueError("other nodes than it says")
    pool = Meshes()
    pool.extend(read.meshes)
    parts = []
    is_copy = features.of_nodes >= 0
    own, copies = rows[~is_copy], rows[is_copy]
    if len(own):
        # Its positions are in the world already; Octoscope notes what its node moves it by.
        batch = pool.batch(read.node_meshes[own])
        geometry = MergedGeometry.of(batch, np.zeros(1, dtype=np.int32))
        parts.append(replace(geometry, objects=ids[features.of_vertices[batch.source_vertices]]))
    if len(copies):
        matrices = np.tile(np.eye(4), (len(copies), 1, 1))
        matrices[:, :3, :3] = linear(read.rotations[copies], read.scales[copies])
        matrices[:, :3, 3] = read.translations[copies] + read.translations[read.node_parents[copies]]
        batch = transformed(pool, read.node_meshes[copies], matrices)
        parts.append(MergedGeometry.of(batch, ids[features.of_nodes[is_copy]]))
    return MergedGeometry.merged(parts)


def _check_objects(geometry: MergedGeometry) -> None:
    """Raise ValueError where an element belongs to several objects, or an object has vertices and no element."""
    owners = [geometry.objects[rows] for rows in geometry.elements]
    if any((owner != owner[:, :1]).any() for owner in owners):
        raise ValueError("an element of several objects")
    if not np.isin(geometry.objects, np.concatenate([owner[:, 0] for owner in owners])).all():
        raise ValueError("an object without elements")


def _table_of(document: GltfDocument) -> Columns:
    extensions: Any = document.json["extensions"]
    metadata = extensions[STRUCTURAL_METADATA]
    (table,) = metadata["propertyTables"]
    views = document.objects("bufferViews")

    def view(number: object) -> np.ndarray:
        described = views[int(str(number))]
        offset, length = int(str(described.get("byteOffset", 0))), int(str(described["byteLength"]))
        begin = int(document.buffer_starts[0]) + offset
        return document.data[begin : begin + length]

    properties = metadata["schema"]["classes"][OBJECT_CLASS]["properties"]
    return unpack_table(properties, table["properties"], int(table["count"]), view)


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


def names_of(table: Columns, shown: np.ndarray) -> np.ndarray:
    """Return the names of (k,) objects that a content's table has, StringDType."""
    ids, names = table["id"], table["name"]
    assert isinstance(ids, np.ndarray) and isinstance(names, np.ndarray)
    order = np.argsort(ids, kind="stable")
    return names[order[np.searchsorted(ids, shown, sorter=order)]]
