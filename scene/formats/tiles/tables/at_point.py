"""Properties at a point of a glTF's surface: of features in textures, in property textures, and of vertices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from octoscope.scene.formats.gltf.accessors import accessors_of, read_plain
from octoscope.scene.formats.gltf.codes import MESH_FEATURES, STRUCTURAL_METADATA
from octoscope.scene.formats.gltf.document import GltfDocument, objects
from octoscope.scene.formats.gltf.read_materials import Images
from octoscope.scene.formats.tiles.tables.metadata import extension_of, properties_of, read_schema
from octoscope.scene.formats.tiles.tables.property_table import PropertyTable, unpack_table
from octoscope.scene.mesh.texture import Wrap
from octoscope.scene.system.report import Problems

_FEATURE = "feature"  # what a feature is called that has no other label


def has_properties_at_points(document: GltfDocument) -> bool:
    """Return whether properties may differ from point to point of one object: by textures or per vertex."""
    keys = "propertyTextures", "propertyAttributes"
    primitives = _primitives(document)
    return any(_ids_in_textures(each) or any(_references(each, key) for key in keys) for each in primitives)


def _primitives(document: GltfDocument) -> list[dict[str, Any]]:
    return [one for mesh in document.objects("meshes") for one in objects(mesh, "primitives", document.path)]


def _ids_in_textures(primitive: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [each for each in extension_of(primitive, MESH_FEATURES).get("featureIds", []) if "texture" in each]


def _references(primitive: Mapping[str, Any], key: str) -> list[int]:
    found: list[int] = extension_of(primitive, STRUCTURAL_METADATA).get(key, [])
    return found


def properties_at_point(
    document: GltfDocument, tables: list[PropertyTable], accessor: int, items: np.ndarray, weights: np.ndarray
) -> dict[str, object]:
    """Return the properties of a point, by name; ValueError and its like: broken.

    Args:
        tables: the property tables of the file.
        accessor: of the positions between which it lies.
        items: (k,) which of them these are.
        weights: (k,) of these, from 0 to 1.
    """
    chosen = next(one for one in _primitives(document) if one["attributes"].get("POSITION") == accessor)
    point = _Point(document, chosen["attributes"], items, weights)
    found: dict[str, object] = {}
    for ids in _ids_in_textures(chosen):
        channels = point.channels(ids["texture"])
        number = int.from_bytes(channels.tobytes(), "little")
        if number == ids.get("nullFeatureId"):
            continue
        label = str(ids.get("label", _FEATURE))
        found[label] = number
        if "propertyTable" in ids and number < (table := tables[ids["propertyTable"]]).count:
            found |= {label: table.names(np.array([number]))[0]} | table.row(number)
    metadata = extension_of(document.json, STRUCTURAL_METADATA)
    schema, _ = read_schema(metadata, document.path, document.folder)
    for key, value_of in (("propertyTextures", point.channels), ("propertyAttributes", point.item)):
        for number in _references(chosen, key):
            described = metadata[key][number]
            kinds = properties_of(schema, described["class"])
            given = {name: {"values": name, **each} for name, each in described.get("properties", {}).items()}
            values = {name: value_of(each) for name, each in given.items() if name in kinds}
            columns = unpack_table(kinds, given, 1, values.__getitem__, schema.get("enums"))
            found |= PropertyTable(1, columns, kinds).row(0)
    return found


class _Point:
    """A point between vertices of a primitive."""

    def __init__(
        self, document: GltfDocument, attributes: Mapping[str, Any], items: np.ndarray, weights: np.ndarray
    ) -> None:
        self._document = document
        self._attributes = attributes
        self._items, self._weights = items, weights
        self._accessors = accessors_of(document)
        self._images = Images(document, Problems(document.path))

    def item(self, described: Mapping[str, Any]) -> np.ndarray:
        """Return the bytes of an attribute at the nearest vertex, (b,) uint8."""
        number = self._attributes[described["attribute"]]
        width = int(self._accessors.widths[number])
        return read_plain(self._accessors, number, width)[self._items[self._weights.argmax()]].view(np.uint8)

    def channels(self, described: Mapping[str, Any]) -> np.ndarray:
        """Return the bytes of a texture's pixel, (b,) uint8: those of its channels."""
        number = self._attributes[f"TEXCOORD_{described.get('texCoord', 0)}"]
        values = read_plain(self._accessors, number, 2)[self._items]
        largest = 1.0 if values.dtype.kind == "f" else float(np.iinfo(values.dtype).max)
        place = self._weights @ values.astype(np.float64) / largest
        texture = self._images.texture(dict(described), None)
        if texture is None:
            raise ValueError("no image")
        height, width = texture.pixels.shape[:2]
        column, row = (_wrapped(*each) for each in zip(place, (width, height), texture.wrap, strict=True))
        return texture.pixels[row, column, described.get("channels", [0])]


def _wrapped(place: float, size: int, wrap: Wrap) -> int:
    """Return the pixel of a texture coordinate along one side."""
    if wrap == "clamp":
        place = min(max(place, 0.0), 1.0)
    elif wrap == "mirror":
        place = 1.0 - abs(place % 2.0 - 1.0)
    else:
        place %= 1.0
    return min(int(place * size), size - 1)
