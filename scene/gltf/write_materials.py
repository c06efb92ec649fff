"""The materials of a GLB and the images that they need."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from scene.colors import linear_from_srgb
from scene.materials import Material
from scene.textures import Texture, png_of

_SIGNATURES = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg"}


@dataclass
class PackedMaterials:
    """Materials as a GLB has them: JSON objects; of images `data` is the bytes and their kind."""

    materials: list[dict[str, object]] = field(default_factory=list)
    images: list[tuple[bytes, str]] = field(default_factory=list)


def pack_materials(materials: list[Material]) -> PackedMaterials:
    """Turn materials into glTF's; a texture that several use is one image."""
    packed = PackedMaterials()
    image_of: dict[Texture, int] = {}
    for material in materials:
        texture = material.base_color_texture
        if texture is not None and texture not in image_of:
            image_of[texture] = len(packed.images)
            packed.images.append(_image(texture))
        packed.materials.append(_material(material, None if texture is None else image_of[texture]))
    return packed


def roughness_of_shininess(shininess: float) -> float:
    """The roughness whose highlight is as wide as that of a Phong exponent."""
    return (2.0 / (shininess + 2.0)) ** 0.25


def _material(material: Material, image: int | None) -> dict[str, object]:
    rough = roughness_of_shininess(material.shininess) if material.roughness is None else material.roughness
    surface: dict[str, object] = {
        "baseColorFactor": [*linear_from_srgb(material.base_color).tolist(), material.opacity],
        "metallicFactor": material.metallic,
        "roughnessFactor": rough,
    }
    if image is not None:
        surface["baseColorTexture"] = {"index": image}
    value: dict[str, object] = {
        "name": material.name,
        "pbrMetallicRoughness": surface,
        # Files disagree about winding, and so every surface is shown from both sides.
        "doubleSided": True,
        # What glTF has no word for, so that it comes back.
        "extras": {"specular": material.specular, "shininess": material.shininess},
    }
    if any(material.emission):
        value["emissiveFactor"] = linear_from_srgb(material.emission).tolist()
    texture = material.base_color_texture
    if material.opacity < 1.0 or (texture is not None and (texture.pixels[..., 3] < 255).any()):
        value["alphaMode"] = "BLEND"
    return value


def _image(texture: Texture) -> tuple[bytes, str]:
    """The image's own file where it is still there, else its pixels, as (bytes, media type)."""
    try:
        data = texture.path.read_bytes() if os.path.isfile(texture.path) else b""
    except OSError:
        data = b""
    for signature, kind in _SIGNATURES.items():
        if data.startswith(signature):
            return data, kind
    return png_of(texture), "image/png"
