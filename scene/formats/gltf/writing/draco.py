"""Compress triangles by Draco, as KHR_draco_mesh_compression has them. Needs octoscope[draco].

Each primitive is a Draco mesh with vertices of its own; its accessors say what comes out, and have no bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from octoscope.scene.formats.gltf import codes
from octoscope.scene.formats.gltf.writing.container import View
from octoscope.scene.formats.gltf.writing.meshes import PackedMeshes

# Positions are off by the size of what is compressed over 2**21 at most, hardly more than by being float32.
_POSITION_BITS = 20
_NORMAL_BITS = 10  # of each of two numbers for a direction: a tenth of a degree
_UV_BITS = 16
_LEVEL = 7  # of 0 (fast) to 10 (small)


class DracoMeshes(NamedTuple):
    """Packed meshes of which primitives are compressed; the first three as in PackedMeshes."""

    views: list[View]
    accessors: list[str]  # JSON of each
    primitives: np.ndarray  # (p,) object array of strings
    extensions: list[dict[str, object]]  # of each primitive, by name; empty for those that are not compressed


def compressed(packed: PackedMeshes) -> DracoMeshes:
    """Compress the triangles of packed meshes; lines, points and what Draco refuses stay as they are."""
    old = [json.loads(text) for text in packed.accessors]
    primitives = [json.loads(f"{text}}}") for text in packed.primitives.tolist()]
    encoded = []
    for primitive in primitives:
        encoded.append(_encoded(packed.views, old, primitive) if primitive["mode"] == codes.TRIANGLES else None)
    # What is not compressed keeps its accessors, and these their buffer views.
    views: list[View] = []
    accessors: list[Mapping[str, Any]] = []
    view_numbers: dict[int, int] = {}
    accessor_numbers: dict[int, int] = {}

    def kept(number: int) -> int:
        if number not in accessor_numbers:
            view = old[number]["bufferView"]
            if view not in view_numbers:
                view_numbers[view] = len(views)
                views.append(packed.views[view])
            accessor_numbers[number] = len(accessors)
            accessors.append(old[number] | {"bufferView": view_numbers[view]})
        return accessor_numbers[number]

    def added(accessor: Mapping[str, Any]) -> int:
        accessors.append(accessor)
        return len(accessors) - 1

    extensions: list[dict[str, object]] = []
    for primitive, made in zip(primitives, encoded, strict=True):
        if made is None:
            extensions.append({})
            primitive["indices"] = kept(primitive["indices"])
            primitive["attributes"] = {name: kept(number) for name, number in primitive["attributes"].items()}
            continue
        extensions.append({codes.DRACO: {"bufferView": len(views), "attributes": made.ids}})
        views.append((None, None, np.frombuffer(made.data, dtype=np.uint8)))
        primitive["indices"] = added(made.indices)
        primitive["attributes"] = {name: added(accessor) for name, accessor in made.attributes.items()}
    texts = np.array([json.dumps(primitive)[:-1] for primitive in primitives], dtype=object)
    return DracoMeshes(views, [json.dumps(accessor) for accessor in accessors], texts, extensions)


class _Encoded(NamedTuple):
    """A compressed primitive."""

    data: bytes  # by Draco
    ids: dict[str, int]  # the id of each attribute in the data, by name
    indices: dict[str, Any]  # the accessor of the indices that come out
    attributes: dict[str, dict[str, Any]]  # the accessor of each attribute that comes out, by name


def _encoded(
    views: Sequence[View], accessors: Sequence[Mapping[str, Any]], primitive: Mapping[str, Any]
) -> _Encoded | None:
    """Return a primitive's triangles compressed; None where Draco refuses, or all is at one point."""
    import DracoPy  # here: an extra

    # Primitives of a mesh share its box, and so the grid on which positions are put: no cracks are between them.
    place = accessors[primitive["attributes"]["POSITION"]]
    lower, upper = np.array(place["min"]), np.array(place["max"])
    extent = float((upper - lower).max())
    if extent <= 0.0:
        return None
    used, faces = np.unique(_items(views, accessors[primitive["indices"]]), return_inverse=True)
    columns = {name: _items(views, accessors[number])[used] for name, number in primitive["attributes"].items()}
    stated = {
        name: {key: value for key, value in accessors[number].items() if key not in ("bufferView", "byteOffset")}
        for name, number in primitive["attributes"].items()
    }
    if codes.FEATURE_IDS in columns and columns[codes.FEATURE_IDS].max() < 2**16:  # whole numbers become smaller
        columns[codes.FEATURE_IDS] = columns[codes.FEATURE_IDS].astype(np.uint16)
        stated[codes.FEATURE_IDS]["componentType"] = codes.UNSIGNED_SHORT
    own_kinds = {
        "POSITION": DracoPy.AttributeType.POSITION,
        "NORMAL": DracoPy.AttributeType.NORMAL,
        "TEXCOORD_0": DracoPy.AttributeType.TEX_COORD,
    }
    generic = [name for name in columns if name not in own_kinds]
    normals, uvs = (columns[name].astype(np.float64) if name in columns else None for name in ("NORMAL", "TEXCOORD_0"))
    try:
        data = DracoPy.encode(
            columns["POSITION"],
            faces.reshape(-1, 3).astype(np.uint32),
            quantization_bits=_POSITION_BITS,
            quantization_range=extent,
            quantization_origin=lower,
            compression_level=_LEVEL,
            normals=normals,
            normal_quantization_bits=_NORMAL_BITS,
            tex_coord=uvs,
            tex_coord_quantization_bits=_UV_BITS,
            generic_attributes={number: columns[name] for number, name in enumerate(generic)} or None,
        )
        mesh = DracoPy.decode(data)
    except (DracoPy.EncodingFailedException, DracoPy.FileTypeException):
        return None
    ids = {
        name: generic.index(name) if name in generic else mesh.get_attribute_by_type(own_kinds[name])["unique_id"]
        for name in columns
    }
    attributes = {name: one | {"count": len(mesh.points)} for name, one in stated.items()}
    attributes["POSITION"] |= {"min": mesh.points.min(axis=0).tolist(), "max": mesh.points.max(axis=0).tolist()}
    indices = {"componentType": codes.UNSIGNED_INT, "count": mesh.faces.size, "type": "SCALAR"}
    return _Encoded(data, ids, indices, attributes)


def _items(views: Sequence[View], accessor: Mapping[str, Any]) -> np.ndarray:
    """Return the items of an accessor, (n, width), of a buffer view that holds nothing between them."""
    array = views[accessor["bufferView"]][2]
    kind, width = np.dtype(codes.COMPONENT_TYPES[accessor["componentType"]]), codes.WIDTHS[accessor["type"]]
    begin = accessor.get("byteOffset", 0) // kind.itemsize
    flat = array.reshape(-1).view(kind)
    return flat[begin : begin + accessor["count"] * width].reshape(-1, width)
