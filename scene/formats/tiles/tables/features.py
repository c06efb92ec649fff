"""Features: which row of which table each vertex, node or instance of a content is of, and what the tables say.

glTF has them as EXT_mesh_features, EXT_instance_features and EXT_structural_metadata; contents of 1.0 as batch tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from octoscope.scene.formats.gltf.accessors import Accessors, accessors_of, read_plain
from octoscope.scene.formats.gltf.codes import (
    FLOAT,
    GPU_INSTANCING,
    INSTANCE_FEATURES,
    MESH_FEATURES,
    STRUCTURAL_METADATA,
    UNSIGNED_BYTE,
    UNSIGNED_INT,
    UNSIGNED_SHORT,
)
from octoscope.scene.formats.gltf.document import GltfDocument, bytes_of_view, objects
from octoscope.scene.formats.gltf.reader import GltfContent
from octoscope.scene.formats.tiles.tables.metadata import extension_of, read_schema
from octoscope.scene.formats.tiles.tables.property_table import PropertyTable, unpack_table
from octoscope.scene.system.report import Problem

NO_FEATURE = -1
ROWS = 2**31  # that a table may have; a feature is its table's number times this, plus its row
_BATCH_IDS = "_BATCHID", "BATCHID"  # attributes of b3dm, the second before glTF 2.0


@dataclass(frozen=True, eq=False)
class Features:
    """The features of a content: the number of a table times 2**31, plus a row; NO_FEATURE."""

    tables: list[PropertyTable]
    of_vertices: np.ndarray  # (v,) int64, as `source_vertices` counts them; empty where no vertex has one
    of_nodes: np.ndarray  # (n,) int64
    of_instances: np.ndarray | None = None  # (k,) int64 of the places where all of it stands; None: they have none

    def names(self, features: np.ndarray, defaults: np.ndarray) -> np.ndarray:
        """Return what (k,) features are called, (k,) StringDType; their defaults where there is none."""
        names = defaults.copy()
        for number, table in enumerate(self.tables):
            chosen = np.flatnonzero((features >= 0) & (features // ROWS == number))
            names[chosen] = np.array(table.names(features[chosen] % ROWS), dtype=names.dtype)
        return names


def gltf_features(document: GltfDocument, gltf: GltfContent, batch: PropertyTable | None = None) -> Features:
    """Return the features of a glTF; `batch` is the batch table of a b3dm around it.

    Raises:
        ValueError and its like: broken.
    """
    tables = [batch] if batch is not None else _tables_of(document)
    reader = _Reader(document, tables, is_batched=batch is not None)
    of_vertices = reader.of_vertices(gltf.positions)
    if reader.has_several_sets:
        done = "objects are told apart by the first that has a table"
        problem = Problem(str(document.path), None, "features", "several sets of feature ids", done)
        gltf.content.problems.append(problem)
    of_nodes = np.full(len(gltf.node_sources), NO_FEATURE)
    count = len(document.objects("nodes"))
    is_instance = gltf.node_sources >= count
    if is_instance.any():
        of_nodes[is_instance] = reader.of_instances(gltf)[gltf.node_sources[is_instance] - count]
    return Features(tables, of_vertices, of_nodes)


class _Reader:
    """Reads which features primitives and instances say that they are of; adds tables of those that have none."""

    def __init__(self, document: GltfDocument, tables: list[PropertyTable], *, is_batched: bool) -> None:
        self._document = document
        self._tables = tables
        self._is_batched = is_batched
        self._accessors: Accessors = accessors_of(document)
        self.has_several_sets = False

    def of_vertices(self, positions: np.ndarray) -> np.ndarray:
        """Return the feature of each vertex of (p,) accessors of positions; empty where there is none."""
        found: dict[int, np.ndarray] = {}
        for mesh in self._document.objects("meshes"):
            for one in objects(mesh, "primitives", self._document.path):
                attributes: Any = one["attributes"]
                number = attributes.get("POSITION")
                if number not in found and (features := self._of_primitive(one, attributes)) is not None:
                    found[number] = features
        if not found:
            return np.empty(0, dtype=np.int64)
        columns = []
        for number in positions.tolist():
            column = np.full(int(self._accessors.counts[number]), NO_FEATURE)
            given = found.get(number, column)
            column[: len(given)] = given[: len(column)]
            columns.append(column)
        return np.concatenate(columns)

    def _of_primitive(self, primitive: Mapping[str, Any], attributes: Mapping[str, Any]) -> np.ndarray | None:
        if self._is_batched:
            name = next((name for name in _BATCH_IDS if name in attributes), None)
            return None if name is None else self._column(attributes[name], {"propertyTable": 0})
        return self._of_set(primitive, MESH_FEATURES, attributes)

    def _of_set(self, holder: Mapping[str, Any], extension: str, attributes: Mapping[str, Any]) -> np.ndarray | None:
        """Return the features of the first set that has an attribute, of those with a table if there are any."""
        sets = extension_of(holder, extension).get("featureIds", [])
        usable = [each for each in sets if f"_FEATURE_ID_{each.get('attribute')}" in attributes]
        if not usable:
            return None
        self.has_several_sets |= len(usable) > 1
        chosen = next((each for each in usable if "propertyTable" in each), usable[0])
        return self._column(attributes[f"_FEATURE_ID_{chosen['attribute']}"], chosen)

    def of_instances(self, gltf: GltfContent) -> np.ndarray:
        """Return the feature of each instance of the file."""
        instances = gltf.instances
        found = np.full(len(instances), NO_FEATURE)
        nodes = self._document.objects("nodes")
        for owner in np.unique(instances.owners).tolist():
            extensions: Any = nodes[owner]["extensions"]
            column = self._of_set(nodes[owner], INSTANCE_FEATURES, extensions[GPU_INSTANCING]["attributes"])
            if column is not None:
                rows = np.flatnonzero(instances.owners == owner)
                rows = rows[instances.numbers[rows] < len(column)]
                found[rows] = column[instances.numbers[rows]]
        return found

    def _column(self, number: object, described: Mapping[str, Any]) -> np.ndarray:
        """Return the features that the items of an accessor stand for."""
        if type(number) is not int:
            raise ValueError("no feature ids")
        kinds = FLOAT, UNSIGNED_BYTE, UNSIGNED_SHORT, UNSIGNED_INT
        if not self._accessors.usable(np.array([number]), components=kinds, widths=(1,)).all():
            raise ValueError("no feature ids")
        ids = read_plain(self._accessors, number, 1)[:, 0].astype(np.float64)
        ids[ids == described.get("nullFeatureId", -1)] = NO_FEATURE
        table = described.get("propertyTable")
        if table is None:
            self._tables.append(PropertyTable(ROWS))
            table = len(self._tables) - 1
        if type(table) is not int or not 0 <= table < len(self._tables):
            raise ValueError("a property table that there is not")
        return features_of(ids, self._tables[table], table)


def features_of(ids: np.ndarray, table: PropertyTable, number: int = 0) -> np.ndarray:
    """Return the features that (k,) ids of a table, which has a number, stand for."""
    with np.errstate(invalid="ignore"):
        is_one = (ids >= 0) & (ids < table.count)  # NaN is neither
    return np.where(is_one, np.where(is_one, np.round(ids), 0).astype(np.int64) + number * ROWS, NO_FEATURE)


def _tables_of(document: GltfDocument) -> list[PropertyTable]:
    """Return the property tables of a glTF."""
    metadata = extension_of(document.json, STRUCTURAL_METADATA)
    views = document.objects("bufferViews")

    def view(number: object) -> np.ndarray:
        if type(number) is not int or not 0 <= number < len(views):
            raise ValueError(f"there is no buffer view {number}")
        return bytes_of_view(document, views[number])

    schema, files = read_schema(metadata, document.path, document.folder)
    document.dependencies.update(files)
    tables = []
    for table in metadata.get("propertyTables", []):
        stated = schema["classes"][table["class"]].get("properties", {})
        properties = {name: kind for name, kind in stated.items() if isinstance(kind, Mapping)}
        count, values = table["count"], table.get("properties", {})
        if type(count) is not int or not 0 < count < ROWS:
            raise ValueError("a table without a number of rows")
        columns = unpack_table(properties, values, count, view, schema.get("enums"))
        tables.append(PropertyTable(count, columns, properties))
    return tables
