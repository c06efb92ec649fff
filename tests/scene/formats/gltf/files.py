"""glTF files made by hand, for the tests of the reader."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np

COMPONENTS = {"i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125, "f4": 5126}
TYPES = {(): "SCALAR", (2,): "VEC2", (3,): "VEC3", (4,): "VEC4"}
CORNERS = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], dtype="<f4")
TWO_TRIANGLES = np.array([0, 1, 2, 0, 2, 3], dtype="<u2")


def document_of(path: Path) -> dict:
    """The JSON of a GLB whose lengths are right."""
    data = path.read_bytes()
    magic, version, length, size, kind = struct.unpack_from("<4sII I4s", data)
    assert (magic, version, length, kind) == (b"glTF", 2, len(data), b"JSON") and size % 4 == 0
    if 20 + size < length:
        binary, kind = struct.unpack_from("<I4s", data, 20 + size)
        assert kind == b"BIN\0" and 28 + size + binary == length and binary % 4 == 0
    return json.loads(data[20 : 20 + size])


def accessor_of(path: Path, number: int) -> np.ndarray:
    """The items of one accessor of a GLB whose data lie close together, from the file's own bytes."""
    document, data = document_of(path), path.read_bytes()
    (size,) = struct.unpack_from("<I", data, 12)
    accessor = document["accessors"][number]
    first = document["bufferViews"][accessor["bufferView"]]["byteOffset"] + accessor.get("byteOffset", 0)
    kind = next(kind for kind, code in COMPONENTS.items() if code == accessor["componentType"])
    width = next((shape[0] for shape, name in TYPES.items() if shape and name == accessor["type"]), 1)
    return np.frombuffer(data, f"<{kind}", accessor["count"] * width, 28 + size + first).reshape(-1, width)


class Gltf:
    """A document and its bytes; a scene of the nodes at the top is made when it is written, unless there is one."""

    def __init__(self) -> None:
        self.json: dict = {"asset": {"version": "2.0"}, "bufferViews": [], "accessors": [], "meshes": [], "nodes": []}
        self.data = b""

    def accessor(self, array: np.ndarray, **fields: object) -> int:
        """Append an array; `fields` go into the accessor."""
        array = np.asarray(array)
        self.data += bytes(-len(self.data) % 4)
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": array.nbytes}
        self.data += array.astype(array.dtype.newbyteorder("<")).tobytes()
        self.json["bufferViews"].append(view)
        accessor = {
            "bufferView": len(self.json["bufferViews"]) - 1,
            "componentType": COMPONENTS[array.dtype.str[1:]],
            "count": len(array),
            "type": TYPES[array.shape[1:]],
        }
        self.json["accessors"].append(accessor | fields)
        return len(self.json["accessors"]) - 1

    def primitive(
        self, positions: np.ndarray = CORNERS, indices: np.ndarray | None = TWO_TRIANGLES, **fields: object
    ) -> dict:
        """A primitive of new accessors; upper-case fields are attributes."""
        attributes = {"POSITION": self.accessor(positions)} | {
            k: v for k, v in fields.items() if k.isupper() or "_" in k
        }
        primitive = {"attributes": attributes} | {k: v for k, v in fields.items() if k not in attributes}
        return primitive if indices is None else primitive | {"indices": self.accessor(indices)}

    def mesh(self, *primitives: dict, **fields: object) -> int:
        self.json["meshes"].append({"primitives": list(primitives)} | fields)
        return len(self.json["meshes"]) - 1

    def node(self, **fields: object) -> int:
        self.json["nodes"].append(fields)
        return len(self.json["nodes"]) - 1

    def document(self, **fields: object) -> dict:
        document = dict(self.json)
        if self.data:
            document["buffers"] = [{"byteLength": len(self.data)}]
        return document | fields

    def glb(self, path: Path, **fields: object) -> Path:
        """Write it; `fields` go to the top."""
        path.write_bytes(glb_bytes(self.document(**fields), self.data))
        return path


def glb_bytes(document: dict, data: bytes = b"") -> bytes:
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    data += bytes(-len(data) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    if data:
        chunks += struct.pack("<I4s", len(data), b"BIN\0") + data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def square() -> Gltf:
    """One node that shows a square of two triangles."""
    gltf = Gltf()
    gltf.node(name="square", mesh=gltf.mesh(gltf.primitive(), name="square mesh"))
    return gltf


def places(value: object, above: tuple = ()) -> list[tuple]:
    """Every place in a document, as the keys that lead to it."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, inner in pairs for place in ((*above, key), *places(inner, (*above, key)))]
