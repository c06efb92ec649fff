"""glTF 1.0 opens as the same in 2.0."""

from __future__ import annotations

import copy
import json
import struct

import numpy as np
import pytest

from octoscope.scene.formats.gltf.reader import read_gltf
from octoscope.scene.system.text_file import ReadError
from tests.scene.formats.gltf.files import CORNERS, Gltf, places
from tests.scene.formats.gltf.test_reader import png


def glb_of_1_0(document: dict, data: bytes) -> bytes:
    text = json.dumps(document).encode()
    return struct.pack("<4sIIII", b"glTF", 1, 20 + len(text) + len(data), len(text), 0) + text + data


def a_document() -> tuple[dict, bytes]:
    """A 1.0 with a node of two meshes, one of them quantized, a colour, a texture within, and two accessors a view."""
    made = Gltf()
    interleaved = np.hstack([CORNERS, CORNERS[:, :2]])
    made.accessor(np.ascontiguousarray(interleaved.view("<f4").reshape(-1)))
    made.accessor((CORNERS * 100).astype("<u2"))
    made.accessor(np.array([0, 1, 2, 0, 2, 3], "<u2"))
    image = np.frombuffer(png((10, 20, 30)), "u1")
    made.accessor(image)
    views = {f"view {k}": view | {"buffer": "binary_glTF"} for k, view in enumerate(made.json["bufferViews"])}
    matrix = [0.01, 0, 0, 0, 0, 0.01, 0, 0, 0, 0, 0.01, 0, 5, 0, 0, 1]
    floats = {"componentType": 5126, "count": 4, "byteStride": 20}
    accessors = {
        "places": {"bufferView": "view 0", "byteOffset": 0, "type": "VEC3"} | floats,
        "uvs": {"bufferView": "view 0", "byteOffset": 12, "type": "VEC2"} | floats,
        "whole": {
            **floats | {"bufferView": "view 1", "type": "VEC3", "componentType": 5123, "byteStride": 6},
            "extensions": {"WEB3D_quantized_attributes": {"decodeMatrix": matrix}},
        },
        "corners": {"bufferView": "view 2", "byteOffset": 0, "componentType": 5123, "count": 6, "type": "SCALAR"},
    }
    red = {"technique": "drawn", "values": {"diffuse": [0.5, 0.0, 0.0, 1.0], "transparency": 0.5}}
    common = {"technique": "LAMBERT", "doubleSided": False, "values": {"diffuse": "brick"}}
    document = {
        "asset": {"version": 1.0},
        "extensionsUsed": ["KHR_binary_glTF", "KHR_materials_common", "WEB3D_quantized_attributes"],
        "buffers": {"binary_glTF": {"byteLength": len(made.data), "uri": "data:,"}},
        "bufferViews": views,
        "accessors": accessors,
        "images": {"picture": {"uri": "data:,", "extensions": {"KHR_binary_glTF": {"bufferView": "view 3"}}}},
        "textures": {"brick": {"source": "picture"}},
        "techniques": {"drawn": {"states": {"enable": [3042]}}},
        "materials": {"red": red, "bricks": {"name": "wall", "extensions": {"KHR_materials_common": common}}},
        "meshes": {
            "near": {"primitives": [_primitive({"POSITION": "places", "TEXCOORD": "uvs"}, "bricks")]},
            "far": {"primitives": [_primitive({"POSITION": "whole"}, "red")]},
        },
        "nodes": {"top": {"children": ["both"], "translation": [0, 7, 0]}, "both": {"meshes": ["near", "far"]}},
        "scenes": {"all": {"nodes": ["top"]}},
        "scene": "all",
    }
    return document, made.data


def _primitive(attributes: dict, material: str) -> dict:
    return {"attributes": attributes, "indices": "corners", "material": material}


def test_a_gltf_1_0_opens_with_its_tree_meshes_colours_and_textures(tmp_path):
    (tmp_path / "a.glb").write_bytes(glb_of_1_0(*a_document()))
    content = read_gltf(tmp_path / "a.glb")
    assert not content.problems
    assert content.node_names.tolist() == ["top", "both", "both"] and content.node_parents.tolist() == [-1, 0, 1]
    near, far = np.split(content.meshes.positions, 2)
    np.testing.assert_allclose(near, CORNERS)
    np.testing.assert_allclose(far - (5, 0, 0), CORNERS, atol=1e-6)
    np.testing.assert_allclose(content.meshes.uvs[:4] * (1, -1) + (0, 1), CORNERS[:, :2], atol=1e-6)
    wall, red = (content.materials[k] for k in content.meshes.material_ids[[0, 4]])
    assert (wall.name, wall.double_sided, wall.opacity) == ("wall", False, 1.0)
    assert tuple(wall.base_color_texture.pixels[0, 0][:3]) == (10, 20, 30)
    assert red.name == "red" and red.double_sided and red.opacity == 0.5 and red.metallic == 0.0
    np.testing.assert_allclose(red.base_color, (0.5, 0.0, 0.0), atol=1e-6)


@pytest.mark.parametrize("junk", [None, 7, "nothing", [], {}, [[]], {"a": None}])
def test_a_broken_gltf_1_0_opens_in_part_or_is_refused_in_a_line(tmp_path, junk):
    document, data = a_document()
    path = tmp_path / "a.glb"
    for place in places(document):
        broken = copy.deepcopy(document)
        holder = broken
        for key in place[:-1]:
            holder = holder[key]
        holder[place[-1]] = junk
        path.write_bytes(glb_of_1_0(broken, data))
        try:
            read_gltf(path)
        except ReadError as error:
            assert len(str(error).splitlines()) == 1
    for end in (12, 19, 300, len(data)):
        path.write_bytes(glb_of_1_0(document, data)[:end])
        with pytest.raises(ReadError, match="cut off"):
            read_gltf(path)
