"""Write materials as a GLB has them, and the images that they need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from octoscope.scene.formats.export import note_kept_mtl_left_out, note_shrunk
from octoscope.scene.formats.gltf import codes
from octoscope.scene.formats.gltf.texture_placement import transform_of
from octoscope.scene.geometry.colors import linear_from_srgb
from octoscope.scene.mesh.images import encoded, webp_of
from octoscope.scene.mesh.material import DEFAULT_MATERIAL, TEXTURE_FIELDS, Material
from octoscope.scene.mesh.texture import REPEATED, Texture, Wrap

_MEDIA_TYPES = {"PNG": "image/png", "JPEG": "image/jpeg"}  # of the formats that glTF takes


@dataclass
class PackedMaterials:
    """Materials as a GLB has them."""

    materials: list[dict[str, object]] = field(default_factory=list)  # their JSON objects
    # the bytes and the media type of each; texture k shows image k
    images: list[tuple[bytes, str]] = field(default_factory=list)
    textures: list[Texture] = field(default_factory=list)
    wraps: list[tuple[Wrap, Wrap]] = field(default_factory=list)  # of each texture, as in Texture
    extensions: list[str] = field(default_factory=list)  # names of those that the materials use


def pack_materials(materials: Sequence[Material], notes: list[str], *, as_webp: bool = False) -> PackedMaterials:
    """Convert materials to glTF's; a texture that several use is one image.

    Args:
        as_webp: makes each image that gets smaller by it a WebP, which plain glTF does not have.
    """
    packed = PackedMaterials()
    textures = dict.fromkeys(texture for material in materials for texture in material.textures)
    note_shrunk(list(textures), notes)
    files = [encoded(texture, tuple(_MEDIA_TYPES)) for texture in textures]
    packed.images = [(data, _MEDIA_TYPES[kind]) for data, kind in files]
    if as_webp:
        smaller = [(webp_of(data), "image/webp") for data, _ in packed.images]
        packed.images = [
            min(pair, key=lambda image: len(image[0])) for pair in zip(packed.images, smaller, strict=True)
        ]
    packed.textures = list(textures)
    packed.wraps = [texture.wrap for texture in textures]
    index_of = {texture: index for index, texture in enumerate(textures)}
    packed.materials = [_material(material, index_of) for material in materials]
    note_kept_mtl_left_out(materials, notes)
    if any(_is_placed(material, name) for material in materials for name in TEXTURE_FIELDS):
        packed.extensions.append(codes.TEXTURE_TRANSFORM)
    written = {
        name for material in packed.materials if isinstance(used := material.get("extensions"), dict) for name in used
    }
    packed.extensions += [
        name
        for name in (codes.UNLIT, codes.EMISSIVE_STRENGTH, codes.CLEARCOAT, codes.IOR, codes.SPECULAR)
        if name in written
    ]
    return packed


def textures_and_samplers(
    wraps: Sequence[tuple[Wrap, Wrap]], images: Sequence[int] | None = None
) -> dict[str, list[dict[str, Any]]]:
    """Return the fields "textures" and "samplers"; `images`: each texture's image, None: texture k shows image k."""
    sources = range(len(wraps)) if images is None else images
    others = list(dict.fromkeys(wrap for wrap in wraps if wrap != REPEATED))
    number_of = {wrap: {"sampler": number} for number, wrap in enumerate(others)}
    shown = zip(sources, wraps, strict=True)
    fields = {"textures": [{"source": image, **number_of.get(wrap, {})} for image, wrap in shown]}
    if others:
        fields["samplers"] = [{"wrapS": codes.WRAP_CODES[u], "wrapT": codes.WRAP_CODES[v]} for u, v in others]
    return fields


def _is_placed(material: Material, name: str) -> bool:
    """Tell whether a texture, by its field, is there and elsewhere than usual."""
    return getattr(material, name) is not None and material.placement_of(name) != DEFAULT_MATERIAL.placement


def _material(material: Material, index_of: Mapping[Texture, int]) -> dict[str, object]:
    infos = {name: _info(material, name, index_of) for name in TEXTURE_FIELDS if getattr(material, name) is not None}
    surface: dict[str, object] = {
        "baseColorFactor": [*linear_from_srgb(material.base_color).tolist(), material.opacity],
        "metallicFactor": material.metallic,
        "roughnessFactor": material.shown_roughness,
    }
    # Values that glTF cannot hold; read_materials reads them from here.
    extras: dict[str, object] = {"specular": material.specular, "shininess": material.shininess}
    value: dict[str, object] = {
        "name": material.name,
        "pbrMetallicRoughness": surface,
        "doubleSided": material.double_sided,
        "extras": extras,
    }
    if any(material.emission):
        value["emissiveFactor"] = linear_from_srgb(material.emission).tolist()
    stronger = material.emission_strength != DEFAULT_MATERIAL.emission_strength
    strength = {codes.EMISSIVE_STRENGTH: {"emissiveStrength": material.emission_strength}} if stronger else {}
    scales = {
        "normal_texture": {"scale": material.normal_scale},
        "occlusion_texture": {"strength": material.occlusion_strength},
    }
    for holder, key, name in (
        (surface, "baseColorTexture", "base_color_texture"),
        (surface, "metallicRoughnessTexture", "surface_texture"),
        (value, "emissiveTexture", "emission_texture"),
        (value, "normalTexture", "normal_texture"),
        (value, "occlusionTexture", "occlusion_texture"),
    ):
        if name in infos:
            holder[key] = infos[name] | scales.get(name, {})
    layers = _layers(material, infos)
    if material.unlit:  # the others must not stand beside it
        value["extensions"] = {codes.UNLIT: {}}
        extras |= layers | strength
    elif layers or strength:
        value["extensions"] = layers | strength
    texture = material.base_color_texture
    if material.opacity < 1.0 or (texture is not None and (texture.pixels[..., 3] < 255).any()):
        value["alphaMode"] = "BLEND"
    return value


def _info(material: Material, name: str, index_of: Mapping[Texture, int]) -> dict[str, object]:
    info: dict[str, object] = {"index": index_of[getattr(material, name)]}
    if material.is_on_second_uvs(name):
        info["texCoord"] = 1
    if _is_placed(material, name):
        info["extensions"] = {codes.TEXTURE_TRANSFORM: transform_of(material.placement_of(name))}
    return info


def _layers(material: Material, infos: Mapping[str, dict[str, object]]) -> dict[str, object]:
    """Return the extensions for a clear coat, and for what is mirrored where a surface is no metal."""
    layers: dict[str, object] = {}
    coat: dict[str, object] = {}
    coat_map, specular_map = infos.get("clearcoat_texture"), infos.get("specular_texture")
    if coat_map is not None:
        coat |= {"clearcoatTexture": coat_map, "clearcoatRoughnessTexture": coat_map}
    if coat or material.clearcoat or material.clearcoat_roughness:
        coat |= {"clearcoatFactor": material.clearcoat, "clearcoatRoughnessFactor": material.clearcoat_roughness}
        layers[codes.CLEARCOAT] = coat
    default = DEFAULT_MATERIAL
    if material.index_of_refraction != default.index_of_refraction:
        layers[codes.IOR] = {"ior": material.index_of_refraction}
    mirrored = material.specular_weight, material.specular_color, specular_map
    if mirrored != (default.specular_weight, default.specular_color, None):
        color = linear_from_srgb(material.specular_color).tolist()
        maps = {key: specular_map for key in ("specularColorTexture", "specularTexture") if specular_map}
        layers[codes.SPECULAR] = {"specularFactor": material.specular_weight, "specularColorFactor": color, **maps}
    return layers
