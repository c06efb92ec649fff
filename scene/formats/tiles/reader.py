"""Read a tileset that Octoscope has written: the finest contents as one file's objects, with their names and tree."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from scene.content import FileContent, unmoved
from scene.formats.gltf.accessors import accessors_of
from scene.formats.gltf.codes import COMPONENT_TYPES, FEATURE_IDS, FLOAT, STRUCTURAL_METADATA, UNSIGNED_SHORT
from scene.formats.gltf.document import GltfDocument, file_beside, objects
from scene.formats.gltf.read_draco import read_decoded
from scene.formats.gltf.reader import content_of
from scene.formats.tiles.content import OBJECT_CLASS
from scene.formats.tiles.geometry import TileGeometry
from scene.formats.tiles.materials import merged_materials
from scene.formats.tiles.objects import Objects
from scene.formats.tiles.property_table import Columns, unpack_table
from scene.formats.tiles.tileset import read_tileset_file
from scene.mesh.data import ALL_EDGES, MeshBatch
from scene.mesh.material import Material
from scene.system.text_file import ReadError, printable


def read_tileset(path: Path) -> FileContent:
    """Read the leaves of a tileset.

    An object that was cut into several tiles is one mesh again; where it was cut, its vertices are there more than
    once. Positions are as exact as those of a GLB.

    Args:
        path: of tileset.json.

    Returns:
        the contents.

    Raises:
        ReadError: missing or broken files, or a tileset of another kind.
    """
    tileset = read_tileset_file(path)
    parts: list[TileGeometry] = []
    tables: list[Columns] = []
    materials: list[list[Material]] = []
    dependencies: set[Path] = set()
    for tile in tileset.leaves:
        if tileset.tiles[tile].has_content:
            file = file_beside(path, tile.placed_in(tileset.content_template))
            geometry, table, of_tile, further = read_content(file)
            parts.append(geometry)
            tables.append(table)
            materials.append(of_tile)
            dependencies |= {file, *further}
    if not parts:
        raise ReadError(f"{printable(path)}: nothing to show in it; make it again")
    objects, ids = Objects.of_columns(tables)
    different, numbers = merged_materials(materials)
    whole = TileGeometry.joined(
        [part.renumbered(None, number) for part, number in zip(parts, numbers, strict=True)]
    ).by_object()
    shown, batch = meshes_by_object(whole)
    rows = np.searchsorted(ids, shown)
    node_meshes = np.full(len(ids), -1, dtype=np.int32)
    node_meshes[rows] = np.arange(len(shown))
    batch.names[:] = objects.names[rows]
    return FileContent(
        printable(path.name),
        len(whole.positions),
        objects.names,
        objects.parents,
        node_meshes,
        batch,
        different,
        *unmoved(len(ids)),
        dependencies=frozenset(dependencies),
        up_axis="y",
    )


def read_content(path: Path) -> tuple[TileGeometry, Columns, list[Material], frozenset[Path]]:
    """Read the content of a tile, as `content.write_content` writes it.

    Args:
        path: of the GLB.

    Returns:
        its geometry, with the numbers that objects have in the tileset, and materials that have them in the file; what
        it says of its objects; its materials; the files that it names.

    Raises:
        ReadError: missing, broken, or not written by Octoscope.
    """
    document = read_decoded(path)
    read = content_of(document)
    try:
        features = _features_of(document)
        table = _table_of(document)
        ids = np.asarray(table["id"]).astype(np.int32)
        if len(read.meshes) != 1 or not (table.keys() >= {"id", "name", "ancestors", "path"}):
            raise ValueError
        batch = read.meshes
        objects = ids[features[batch.source_vertices]]
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):
        raise ReadError(
            f"{printable(path)}: does not say which objects it shows, as octoscope tiles does; open the files that the "
            "tileset was made of"
        ) from None
    geometry = TileGeometry(
        batch.positions,
        batch.normals,
        batch.uvs,
        batch.colors,
        batch.material_ids,
        objects,
        batch.triangles,
        batch.lines,
        batch.points[:, None],
    )
    return geometry, table, read.materials, read.dependencies


def _features_of(document: GltfDocument) -> np.ndarray:
    """Return the feature of each vertex of a document's one mesh, (v,) int64, in the order of `source_vertices`."""
    (mesh,) = document.objects("meshes")
    primitives = objects(mesh, "primitives", document.path)
    attributes = [one["attributes"] for one in primitives]
    # Primitives that share vertices share their features.
    number_of = {one["POSITION"]: one[FEATURE_IDS] for one in attributes if isinstance(one, dict)}
    positions = np.array(sorted(number_of))
    numbers = np.array([number_of[position] for position in positions.tolist()])
    accessors = accessors_of(document)
    if not accessors.usable(numbers, components=(FLOAT, UNSIGNED_SHORT), widths=(1,)).all():
        raise ValueError("no feature ids")
    features = []
    for number in numbers.tolist():
        kind = np.dtype(COMPONENT_TYPES[int(accessors.components[number])])
        start, stride, count = (
            int(column[number]) for column in (accessors.starts, accessors.strides, accessors.counts)
        )
        values = np.lib.stride_tricks.as_strided(accessors.data[start:], (count, kind.itemsize), (stride, 1))
        features.append(np.round(np.ascontiguousarray(values).view(kind)[:, 0]).astype(np.int64))
    if (accessors.counts[numbers] != accessors.counts[positions]).any():
        raise ValueError("features of other vertices")
    return np.concatenate(features)


def _table_of(document: GltfDocument) -> Columns:
    """Return the columns of a document's table of objects."""
    extensions = document.json["extensions"]
    assert isinstance(extensions, dict)
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


def meshes_by_object(geometry: TileGeometry) -> tuple[np.ndarray, MeshBatch]:
    """Return (k,) int32 the objects of a geometry that is sorted by object, ascending, and their meshes, unnamed."""
    shown, firsts, counts = np.unique(geometry.objects, return_index=True, return_counts=True)
    owners = [np.searchsorted(shown, geometry.objects[rows[:, 0]]) for rows in geometry.elements]
    element_counts = [np.bincount(owner, minlength=len(shown)) for owner in owners]
    triangles, lines, points = (
        (rows - firsts[owner][:, None]).astype(np.int32) for rows, owner in zip(geometry.elements, owners, strict=True)
    )
    batch = MeshBatch(
        vertex_counts=counts,
        triangle_counts=element_counts[0],
        line_counts=element_counts[1],
        point_counts=element_counts[2],
        names=np.empty(len(shown), dtype=np.dtypes.StringDType()),
        positions=geometry.positions,
        normals=geometry.normals,
        uvs=geometry.uvs,
        colors=geometry.colors,
        material_ids=geometry.materials,
        source_vertices=(np.arange(len(geometry.positions)) - np.repeat(firsts, counts)).astype(np.int32),
        triangles=triangles,
        edges=np.full(len(triangles), ALL_EDGES, dtype=np.uint8),
        lines=lines,
        points=points[:, 0].copy(),
    )
    return shown, batch
