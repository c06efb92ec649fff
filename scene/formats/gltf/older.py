"""glTF 1.0 as glTF 2.0: things have numbers in place of ids, and materials colours in place of programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from octoscope.scene.formats.gltf.codes import UNLIT
from octoscope.scene.geometry.colors import linear_from_srgb

# Lists of 2.0 that are objects of ids in 1.0, and the fields that name something in them.
_KINDS = "accessors animations buffers bufferViews cameras images materials meshes nodes samplers scenes skins textures"
_REFERENCES = {
    "buffer": "buffers",
    "bufferView": "bufferViews",
    "camera": "cameras",
    "indices": "accessors",
    "material": "materials",
    "sampler": "samplers",
    "scene": "scenes",
    "skin": "skins",
    "source": "images",
}
_ATTRIBUTES = {"TEXCOORD": "TEXCOORD_0", "COLOR": "COLOR_0"}
_BINARY, _COMMON = "KHR_binary_glTF", "KHR_materials_common"
_BODIES = "binary_glTF", _BINARY  # the buffer that is the body of a GLB
_UNKNOWN = 2**31  # number of what is not in the file: the reader says so
_BLEND, _CULL_FACE = 3042, 2884  # of OpenGL
# What programs call a colour or texture of their own choice, as Cesium guesses it, and as later exporters did.
_BASE_COLORS = "diffuse", "tex", "diffuse_tex", "baseColorTexture", "baseColorFactor"


def upgraded(old: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON of a glTF 1.0, which is used up, as one of 2.0; TypeError and its like if it is broken."""
    of_ids = {kind: dict(old.get(kind, {})) for kind in _KINDS.split()}
    buffers = sorted(of_ids["buffers"], key=lambda name: name not in _BODIES)
    of_ids["buffers"] = {name: of_ids["buffers"][name] for name in buffers}
    numbers = {kind: {name: number for number, name in enumerate(things)} for kind, things in of_ids.items()}

    def number(kind: str, name: object) -> int:
        return numbers[kind].get(name, _UNKNOWN)

    def with_numbers(thing: dict[str, Any]) -> dict[str, Any]:
        return thing | {key: number(kind, thing[key]) for key, kind in _REFERENCES.items() if key in thing}

    new = with_numbers(old) | {
        kind: [with_numbers({"name": name} | thing) for name, thing in things.items()]
        for kind, things in of_ids.items()
    }
    if buffers and buffers[0] in _BODIES:
        new["buffers"][0].pop("uri", None)
    for accessor in new["accessors"]:
        if stride := accessor.pop("byteStride", 0):
            shared = new["bufferViews"][accessor["bufferView"]]
            view = {key: shared[key] for key in ("buffer", "byteOffset", "byteLength") if key in shared}
            new["bufferViews"].append(view | {"byteStride": stride})
            accessor["bufferView"] = len(new["bufferViews"]) - 1
    for image in new["images"]:
        if packed := image.get("extensions", {}).get(_BINARY):
            image["bufferView"] = number("bufferViews", packed["bufferView"])
    for mesh in new["meshes"]:
        mesh["primitives"] = [with_numbers(primitive) for primitive in mesh["primitives"]]
        for primitive in mesh["primitives"]:
            attributes = primitive["attributes"].items()
            primitive["attributes"] = {_ATTRIBUTES.get(key, key): number("accessors", name) for key, name in attributes}
    for node in [*new["nodes"], *new["scenes"]]:
        for key, kind in (("children", "nodes"), ("nodes", "nodes"), ("meshes", "meshes")):
            if key in node:
                node[key] = [number(kind, name) for name in node[key]]
        if meshes := node.pop("meshes", None):
            node["mesh"] = meshes[0]
            for mesh in meshes[1:]:
                node.setdefault("children", []).append(len(new["nodes"]))
                new["nodes"].append({"name": node["name"], "mesh": mesh})
    techniques = old.get("techniques", {})
    textures = numbers["textures"]
    new["materials"] = [
        _material(each, techniques.get(each.get("technique"), {}), textures) for each in new["materials"]
    ]
    new["extensionsUsed"] = [name for name in old.get("extensionsUsed", []) if name not in (_BINARY, _COMMON)]
    return new


def _material(old: Mapping[str, Any], technique: Mapping[str, Any], textures: Mapping[str, int]) -> dict[str, Any]:
    """Return a material with the colours and textures that its program, or Collada's model, is given."""
    common = old.get("extensions", {}).get(_COMMON)
    values = (old if common is None else common).get("values", {})
    parameters = technique.get("parameters", {})
    is_unlit = common is not None and common.get("technique") == "CONSTANT"

    def value(name: str, default: object = None) -> Any:
        return values[name] if name in values else parameters.get(name, {}).get("value", default)

    given = [value(name) for name in (("emission", "ambient") if is_unlit else _BASE_COLORS)]
    colors = [color for color in given if isinstance(color, list) and len(color) == 4]
    images = [textures[name] for name in given if isinstance(name, str) and name in textures]
    *color, opacity = colors[0] if colors else (1.0, 1.0, 1.0, 1.0)
    transparency = value("transparency", 1.0)
    opacity *= transparency[0] if isinstance(transparency, list) else transparency
    surface: dict[str, Any] = {"metallicFactor": 0.0, "baseColorFactor": [*_linear(color), opacity]}
    if images:
        surface["baseColorTexture"] = {"index": images[0]}
    enabled = technique.get("states", {}).get("enable", [])
    flags = {"transparent": _BLEND in enabled, "doubleSided": _CULL_FACE not in enabled} if common is None else common
    new: dict[str, Any] = {
        "name": old["name"],
        "pbrMetallicRoughness": surface,
        "doubleSided": flags.get("doubleSided", value("doubleSided")) is True,
        "alphaMode": "BLEND" if flags.get("transparent", value("transparent")) is True else "OPAQUE",
    }
    emission = value("emission")
    if is_unlit:
        new["extensions"] = {UNLIT: {}}
    elif isinstance(emission, list):
        new["emissiveFactor"] = _linear(emission[:3])
    elif emission in textures:
        new |= {"emissiveFactor": [1.0, 1.0, 1.0], "emissiveTexture": {"index": textures[emission]}}
    return new


def _linear(srgb: list[float]) -> list[float]:
    return linear_from_srgb(np.clip(srgb, 0.0, 1.0)).tolist()
