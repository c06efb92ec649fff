"""Files of every format whose reading takes some 50 to 150 MB, each for another reason; and small ones of the kind."""

from __future__ import annotations

import base64
import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image

from tests.scene.formats.gltf.files import glb_bytes
from tests.scene.formats.simple_files import threemf

_FLOAT, _UNSIGNED_INT = 5126, 5125
_INSTANCING = "EXT_mesh_gpu_instancing"
_CORNER = np.eye(3, dtype="<f4")


def _random(*shape: int) -> np.ndarray:
    return np.random.default_rng(1).random(shape, dtype=np.float32)


def _picks(count: int, below: int, width: int = 3) -> np.ndarray:
    return np.random.default_rng(2).integers(0, below, (count, width), dtype=np.int32)


def _lines(template: str, values: np.ndarray) -> str:
    return (template * len(values)) % tuple(values.ravel().tolist())


def _obj_vertices(count: int) -> bytes:
    return b"v 0 0 0\n" * count


def _obj_faces(count: int) -> bytes:
    corners = _picks(count, count) + 1
    text = _lines("v %.4f %.4f %.4f\nvt 0 0\nvn 0 0 1\n", _random(count, 3))
    return (text + _lines("f %d/%d/%d %d/%d/%d %d/%d/%d\n", np.hstack([corners] * 3))).encode()


def _obj_objects(count: int) -> bytes:
    return ("v 0 0 0\nv 1 0 0\nv 0 1 0\n" + _lines("o object%d\nf 1 2 3\n", np.arange(count))).encode()


def _obj_materials(count: int) -> bytes:
    return ("v 0 0 0\nv 1 0 0\nv 0 1 0\n" + _lines("usemtl m%d\nf 1 2 3\n", np.arange(count))).encode()


def _ply(vertices: np.ndarray, faces: np.ndarray | None = None) -> bytes:
    heading = f"ply\nformat binary_little_endian 1.0\nelement vertex {len(vertices)}\n"
    heading += "".join(f"property float {axis}\n" for axis in "xyz")
    if faces is None:
        return f"{heading}end_header\n".encode() + vertices.tobytes()
    rows = np.zeros(len(faces), dtype=[("count", "u1"), ("corners", "<i4", faces.shape[1])])
    rows["count"], rows["corners"] = faces.shape[1], faces
    heading += f"element face {len(faces)}\nproperty list uchar int vertex_indices\nend_header\n"
    return heading.encode() + vertices.tobytes() + rows.tobytes()


def _ply_text(count: int) -> bytes:
    binary = _ply(_random(count, 3), _picks(count, count))
    heading = binary[: binary.index(b"end_header")].replace(b"binary_little_endian", b"ascii") + b"end_header\n"
    return heading + b"0 0 1\n" * count + b"3 0 1 2\n" * count


def _stl(count: int) -> bytes:
    facets = np.zeros(count, dtype=[("normal", "<f4", 3), ("corners", "<f4", 9), ("attribute", "<u2")])
    facets["corners"] = _random(count, 9)
    return bytes(80) + count.to_bytes(4, "little") + facets.tobytes()


def _stl_text(count: int) -> bytes:
    corners = b"vertex 0 0 1\nvertex 0 1 0\nvertex 1 0 0\n"
    facet = b"facet normal 0 0 1\nouter loop\n" + corners + b"endloop\nendfacet\n"
    return b"solid a\n" + facet * count + b"endsolid a\n"


def _off(count: int) -> bytes:
    return f"OFF\n{count} {count} 0\n".encode() + b"0 0 1\n" * count + b"3 0 1 2\n" * count


def _glb(
    arrays: list[np.ndarray], nodes: list[dict], primitive: dict, used: tuple[str, ...] = (), image: bytes = b""
) -> bytes:
    views, accessors, data = [], [], b""
    for array in arrays:
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": array.nbytes})
        kind = _UNSIGNED_INT if array.dtype.kind == "i" else _FLOAT
        width = {1: "SCALAR", 3: "VEC3"}[array.shape[1]]
        accessors.append({"bufferView": len(views) - 1, "componentType": kind, "count": len(array), "type": width})
        data += array.tobytes()
    views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(image)})
    material = {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}
    document = {
        "images": [{"bufferView": len(views) - 1, "mimeType": "image/png"}],
        "textures": [{"source": 0}],
        "materials": [material],
        "asset": {"version": "2.0"},
        "extensionsUsed": list(used),
        "scenes": [{"nodes": list(range(len(nodes)))}],
        "nodes": nodes,
        "meshes": [{"primitives": [primitive]}],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": len(data + image)}],
    }
    return glb_bytes(document, data + image)


def _glb_mesh(count: int) -> bytes:
    arrays = [_random(count, 3), _picks(3 * count, count, 1)]
    return _glb(arrays, [{"mesh": 0}], {"attributes": {"POSITION": 0}, "indices": 1})


def _gltf_text(count: int) -> bytes:
    """Points with two sets of texture coordinates and colours, all in one text of base64."""
    widths = {"POSITION": 3, "NORMAL": 3, "TEXCOORD_0": 2, "TEXCOORD_1": 2, "COLOR_0": 4}
    data = _random(count, sum(widths.values())).tobytes()
    starts = [4 * count * sum(list(widths.values())[:number]) for number in range(len(widths))]
    document = {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": dict(zip(widths, range(5), strict=True)), "mode": 0}]}],
        "accessors": [
            {"bufferView": number, "componentType": _FLOAT, "count": count, "type": f"VEC{width}"}
            for number, width in enumerate(widths.values())
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": start, "byteLength": 4 * count * width}
            for start, width in zip(starts, widths.values(), strict=True)
        ],
        "buffers": [{"uri": f"data:;base64,{base64.b64encode(data).decode()}", "byteLength": len(data)}],
    }
    return json.dumps(document).encode()


def _glb_nodes(count: int) -> bytes:
    nodes = [{"mesh": 0, "name": f"node {number}", "translation": [0.5, 1.5, number]} for number in range(count)]
    return _glb([_CORNER], nodes, {"attributes": {"POSITION": 0}})


def _glb_instances(count: int) -> bytes:
    node = {"mesh": 0, "extensions": {_INSTANCING: {"attributes": {"TRANSLATION": 1}}}}
    return _glb([_CORNER, _random(count, 3)], [node], {"attributes": {"POSITION": 0}}, (_INSTANCING,))


def _glb_image(side: int) -> bytes:
    out = io.BytesIO()
    Image.fromarray((255.0 * _random(side, side, 3)).astype(np.uint8)).save(out, format="PNG", compress_level=1)
    return _glb([_CORNER], [{"mesh": 0}], {"attributes": {"POSITION": 0}, "material": 0}, image=out.getvalue())


def _3mf(count: int) -> bytes:
    vertices = '<vertex x="0" y="0" z="1"/>' * count + '<vertex x="1" y="0" z="0"/>'
    triangles = '<triangle v1="0" v2="1" v3="2"/>' * count
    mesh = f"<mesh><vertices>{vertices}</vertices><triangles>{triangles}</triangles></mesh>"
    return threemf('<build><item objectid="1"/></build>', into_resources=f'<object id="1" type="model">{mesh}</object>')


# By a name that ends like the file: the bytes of one, for a number of what it has many of; and a number.
LARGE: dict[str, tuple[Callable[[int], bytes], int]] = {
    "vertices.obj": (_obj_vertices, 500_000),
    "faces.obj": (_obj_faces, 180_000),
    "objects.obj": (_obj_objects, 80_000),
    "materials.obj": (_obj_materials, 14_000),
    "packed.obj.gz": (lambda count: gzip.compress(_obj_faces(count), 1), 180_000),
    "mesh.glb": (_glb_mesh, 200_000),
    "text.gltf": (_gltf_text, 150_000),
    "nodes.glb": (_glb_nodes, 70_000),
    "instances.glb": (_glb_instances, 200_000),
    "image.glb": (_glb_image, 2200),
    "points.ply": (lambda count: _ply(_random(count, 3)), 600_000),
    "mesh.ply": (lambda count: _ply(_random(count, 3), _picks(count, count)), 400_000),
    "quads.ply": (lambda count: _ply(_random(count, 3), _picks(count, count, 4)), 250_000),
    "text.ply": (_ply_text, 300_000),
    "binary.stl": (_stl, 90_000),
    "text.stl": (_stl_text, 45_000),
    "text.off": (_off, 150_000),
    "mesh.3mf": (_3mf, 150_000),
}
SMALL = 10


def write_large(name: str, count: int, folder: Path) -> Path:
    """Write one of the files, with so many of what it has many of."""
    path = folder / f"{count} {name}"
    path.write_bytes(LARGE[name][0](count))
    return path
