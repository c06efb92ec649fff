"""Read the materials of a glTF file, and the images that they show."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from octoscope.scene.formats.gltf import codes
from octoscope.scene.formats.gltf.accessors import NONE
from octoscope.scene.formats.gltf.document import LARGEST_BYTES, GltfDocument, bytes_of_view, embedded, is_number
from octoscope.scene.formats.gltf.texture_placement import placement_of
from octoscope.scene.geometry.colors import srgb_from_linear
from octoscope.scene.mesh.images import clearcoat_map, cut_out, decode_texture, read_texture, specular_map
from octoscope.scene.mesh.material import (
    DEFAULT_MATERIAL,
    LARGEST_EMISSION,
    LARGEST_NORMAL_SCALE,
    LARGEST_UV_SCALE,
    PLACEMENT_FIELDS,
    SECOND_UVS_FIELDS,
    Material,
    Placement,
    roughness_of_shininess,
)
from octoscope.scene.mesh.texture import Texture, Wrap
from octoscope.scene.system.elsewhere import place_of
from octoscope.scene.system.file_finder import file_beside
from octoscope.scene.system.read_limits import read_counted
from octoscope.scene.system.report import Problems
from octoscope.scene.system.text_file import ReadError, printable, reason_of

_MOST_IMAGE_BYTES = 2 * 2**30  # of all images within a file together
_DIGITS = 7  # of a colour that is converted to sRGB: 0.8, not 0.8000000000000003
_LARGEST_ROTATION = 1e3  # radians
_LARGEST_STRENGTH = 1e6
_LARGEST_INDEX = 1e3  # of refraction: a mirror
_SEEN_THROUGH = 0.75  # share of the light behind that shines through all of a surface: the rest is its own look
_WRAPS: Mapping[object, Wrap] = {code: wrap for wrap, code in codes.WRAP_CODES.items()}  # type: ignore[misc]
_MOST_UV_SETS = 16
_SURFACE_MAP = "metallicRoughnessTexture"
# Places of a material's textures: behind its colours; the last two are pairs, of which one may be there alone.
_EMISSION, _NORMALS, _SURFACE, _OCCLUSION, _COAT, _SPECULAR = 1, 2, 3, 4, 5, 7

Fields = dict[str, object]


class ReadMaterial(NamedTuple):
    """A material."""

    material: Material
    uv_set: int  # the set of its mesh's texture coordinates that it uses first
    second_uv_set: int  # the one that it uses besides, or NONE
    has_textures: bool  # whether it uses any


class _Use(NamedTuple):
    """The set of texture coordinates that a texture uses, and where it lies in them."""

    uv_set: int
    placement: Placement


def read_materials(document: GltfDocument, problems: Problems) -> list[ReadMaterial]:
    """Read all materials; what cannot be shown is reported and left out."""
    images = Images(document, problems)
    return [_read(value, number, images, problems) for number, value in enumerate(document.objects("materials"))]


def _extensions(value: Fields, problems: Problems) -> Fields:
    extensions = _fields(value, "extensions")
    for key, extension in extensions.items():
        if not isinstance(extension, dict):
            problems.report("material", f"{printable(key[:60])} is not an object", "ignored")
    return extensions


def _read(value: Fields, number: int, images: Images, problems: Problems) -> ReadMaterial:
    name = given if isinstance(given := value.get("name"), str) else f"material {number}"
    surface, color_key, texture_key, metallic, roughness = _surface_model(value, problems)
    *color, opacity = _numbers(surface, color_key, (1.0, 1.0, 1.0, 1.0), problems)
    mode = value.get("alphaMode", "OPAQUE")
    cutoff = _numbers(value, "alphaCutoff", (0.5,), problems)[0]
    info, emission_info = _fields(surface, texture_key), _fields(value, "emissiveTexture")
    least_alpha = {"OPAQUE": 0.0, "MASK": cutoff / opacity if opacity > 0.0 else math.inf}.get(str(mode))
    texture = images.texture(info, least_alpha) if info else None
    emission_texture = images.texture(emission_info, None) if emission_info else None
    extensions = _extensions(value, problems)
    # Files must not have some extensions beside that of unlit surfaces: Octoscope's own have them in extras then.
    layers = _fields(value, "extras") if codes.UNLIT in extensions else extensions
    emission = _srgb(_numbers(value, "emissiveFactor", DEFAULT_MATERIAL.emission, problems))
    strength = _numbers(
        _fields(layers, codes.EMISSIVE_STRENGTH), "emissiveStrength", (1.0,), problems, least=0.0, most=LARGEST_EMISSION
    )[0]
    if emission_info and emission_texture is None:
        emission = DEFAULT_MATERIAL.emission  # without the texture all of the surface would glow
    infos = [info, emission_info, _fields(value, "normalTexture"), _fields(surface, _SURFACE_MAP)]
    infos.append(_fields(value, "occlusionTexture"))
    pairs = (
        (codes.CLEARCOAT, "clearcoatTexture", "clearcoatRoughnessTexture"),
        (codes.SPECULAR, "specularColorTexture", "specularTexture"),
    )
    infos += [_fields(_fields(layers, extension), key) for extension, *keys in pairs for key in keys]
    textures = [texture, emission_texture]
    textures += [images.texture(each, None) if each else None for each in infos[_NORMALS:]]
    shown = list(zip(infos, textures, strict=True))
    uses = [None if its is None else _use_of(used, problems) for used, its in shown]
    first = next((use for use in uses if use is not None), None) or _use_of(info, problems)
    first_set, second_set, has_more = _uv_sets(uses, first.uv_set)
    if has_more:
        what = "a texture with a third set of texture coordinates in its material"
        problems.report("texture", what, "shown with the first set")
    on_second = [use is not None and use.uv_set == second_set for use in uses]
    own = [None if use is None or use.placement == first.placement else use.placement for use in uses]
    for k, (extension, one, other) in zip((_COAT, _SPECULAR), pairs, strict=True):
        if uses[k] and uses[k + 1] and (own[k], on_second[k]) != (own[k + 1], on_second[k + 1]):
            problems.report("texture", f"a {other} placed unlike the {one} ({extension})", "placed like it")
    if mode == "OPAQUE" or (mode == "MASK" and texture is not None):
        opacity = 1.0
    elif mode == "MASK":
        opacity = float(opacity >= cutoff)
    opacity *= _left_by_transmission(extensions, problems)
    extras = _fields(value, "extras")
    shininess, own_roughness = _shininess(extras, roughness)
    of_maps: dict[str, Any] = {}
    coat, specular = (k if uses[k] else k + 1 for k in (_COAT, _SPECULAR))
    for field, k in zip(PLACEMENT_FIELDS, (_EMISSION, specular, _NORMALS, _SURFACE, _OCCLUSION, coat), strict=True):
        of_maps |= {PLACEMENT_FIELDS[field]: own[k], SECOND_UVS_FIELDS[field]: on_second[k]}
    material = Material(
        name.encode(errors="replace").decode(),
        base_color=_srgb(color),
        opacity=opacity,
        specular=_numbers(extras, "specular", (DEFAULT_MATERIAL.specular,), problems)[0],
        shininess=shininess,
        metallic=metallic,
        roughness=own_roughness,
        emission=emission,
        emission_strength=strength,
        base_color_texture=texture,
        emission_texture=emission_texture,
        normal_texture=textures[_NORMALS],
        normal_scale=_numbers(infos[_NORMALS], "scale", (1.0,), problems, most=LARGEST_NORMAL_SCALE)[0],
        surface_texture=textures[_SURFACE],
        occlusion_texture=textures[_OCCLUSION],
        occlusion_strength=_numbers(infos[_OCCLUSION], "strength", (1.0,), problems)[0],
        clearcoat_texture=images.made_of(clearcoat_map, *textures[_COAT:_SPECULAR]),
        specular_texture=images.made_of(specular_map, *textures[_SPECULAR:]),
        uv_scale=first.placement[:2],
        uv_rotation=first.placement[2],
        uv_offset=first.placement[3:],
        **of_maps,
        unlit=codes.UNLIT in extensions,
        double_sided=value.get("doubleSided") is True,
        **_mirrored(layers, problems),
        missing_textures=tuple(images.name_of(used) for used, its in shown if used and its is None),
    )
    return ReadMaterial(material, first_set, second_set, any(use is not None for use in uses))


def _surface_model(value: Fields, problems: Problems) -> tuple[Fields, str, str, float, float]:
    """Return the fields of a material's model, its keys of colour and texture, and metallic and roughness, 0 to 1."""
    older = _fields(_fields(value, "extensions"), "KHR_materials_pbrSpecularGlossiness")
    if older:
        roughness = 1.0 - _numbers(older, "glossinessFactor", (1.0,), problems)[0]
        return older, "diffuseFactor", "diffuseTexture", 0.0, roughness
    drawn = _fields(_fields(_fields(value, "extensions"), "KHR_techniques_webgl"), "values")
    if "u_diffuse" in drawn:  # a program of its own, in older tilesets; by this name it has its colours
        return drawn, "u_diffuse" if isinstance(drawn["u_diffuse"], list) else "", "u_diffuse", 0.0, 1.0
    surface = _fields(value, "pbrMetallicRoughness")
    metallic, roughness = (_numbers(surface, key, (1.0,), problems)[0] for key in ("metallicFactor", "roughnessFactor"))
    return surface, "baseColorFactor", "baseColorTexture", metallic, roughness


def _uv_sets(uses: Sequence[_Use | None], otherwise: int) -> tuple[int, int, bool]:
    """Return the UV sets that become the first and the second, or NONE, and whether there are more.

    The colours' set, of the first use, becomes the first, which all programs and formats can show.
    """
    numbers = sorted({use.uv_set for use in uses if use is not None})
    first = uses[0].uv_set if uses[0] is not None else (numbers or [otherwise])[0]
    others = [number for number in numbers if number != first]
    return first, others[0] if others else NONE, len(others) > 1


def _left_by_transmission(extensions: Fields, problems: Problems) -> float:
    """Return by how much the light that a surface lets through lowers its opacity: a factor, 1 for none."""
    transmission = _numbers(_fields(extensions, codes.TRANSMISSION), "transmissionFactor", (0.0,), problems)[0]
    if transmission <= 0.0:
        return 1.0
    problems.report("material", f"light that shines through ({codes.TRANSMISSION})", "shown as translucent, unbent")
    return 1.0 - _SEEN_THROUGH * transmission


def _shininess(extras: Fields, roughness: float) -> tuple[float, float | None]:
    """Return the exponent of highlights, in `extras` of our own files, and the roughness if it does not follow."""
    shininess = min(1000.0, max(1.0, 2.0 / max(roughness, 1e-3) ** 4 - 2.0))
    stated = extras.get("shininess")
    if is_number(stated) and 1.0 <= stated <= 1000.0:
        shininess = float(stated)
    follows = "shininess" in extras and abs(roughness_of_shininess(shininess) - roughness) < 1e-6
    return shininess, None if follows else roughness


def _mirrored(extensions: Fields, problems: Problems) -> dict[str, Any]:
    """Return the fields of Material for a clear coat, and for what is mirrored where a surface is no metal."""
    coat, specular = _fields(extensions, codes.CLEARCOAT), _fields(extensions, codes.SPECULAR)
    if "clearcoatNormalTexture" in coat:
        problems.report("material", f"a clearcoatNormalTexture ({codes.CLEARCOAT})", "shown without it")
    index = _numbers(
        *(_fields(extensions, codes.IOR), "ior", (DEFAULT_MATERIAL.index_of_refraction,), problems),
        least=0.0,
        most=_LARGEST_INDEX,
    )
    color = _numbers(specular, "specularColorFactor", (1.0, 1.0, 1.0), problems, least=0.0, most=_LARGEST_STRENGTH)
    return {
        "index_of_refraction": index[0],
        "specular_weight": _numbers(specular, "specularFactor", (1.0,), problems)[0],
        "specular_color": _srgb(color),
        "clearcoat": _numbers(coat, "clearcoatFactor", (0.0,), problems)[0],
        "clearcoat_roughness": _numbers(coat, "clearcoatRoughnessFactor", (0.0,), problems)[0],
    }


def _use_of(info: Fields, problems: Problems) -> _Use:
    transform = _fields(_fields(info, "extensions"), codes.TEXTURE_TRANSFORM)
    rotation = _numbers(transform, "rotation", (0.0,), problems, most=_LARGEST_ROTATION)[0]
    scale, offset = (
        _numbers(transform, key, default, problems, most=LARGEST_UV_SCALE)
        for key, default in (("scale", (1.0, 1.0)), ("offset", (0.0, 0.0)))
    )
    uv_set = transform.get("texCoord", info.get("texCoord", 0))
    placement = placement_of(scale, rotation, offset)
    if type(uv_set) is not int or not 0 <= uv_set < _MOST_UV_SETS:
        problems.report("texture", "a 'texCoord' that is no set of texture coordinates", "the first set instead")
        uv_set = 0
    return _Use(uv_set, placement)


def _srgb(linear: list[float]) -> tuple[float, float, float]:
    red, green, blue = srgb_from_linear(linear).round(_DIGITS).tolist()
    return red, green, blue


def _fields(holder: Fields, key: str) -> Fields:
    """Return an object within an object; empty where there is none."""
    value = holder.get(key)
    return value if isinstance(value, dict) else {}


def _numbers(
    holder: Fields,
    key: str,
    default: tuple[float, ...],
    problems: Problems,
    *,
    least: float | None = None,
    most: float | None = None,
) -> list[float]:
    """Read as many numbers as the default has, clamped to 0 to 1, or `least` (-most) to most; else the default."""
    value = holder.get(key, list(default))
    values = value if isinstance(value, list) else [value]
    numbers = [number for number in values if is_number(number) and number == number]
    if len(values) != len(default) or len(numbers) < len(values):
        wanted = "a number" if len(default) == 1 else f"{len(default)} numbers"
        problems.report("material", f"'{key}' is not {wanted}", "the default instead")
        return list(default)
    lowest, largest = (0.0, 1.0) if most is None else (-most if least is None else least, most)
    clamped = [float(min(largest, max(lowest, number))) for number in numbers]
    if clamped != numbers:
        what = f"'{key}' is not between {lowest:,.0f} and {largest:,.0f}"
        problems.report("material", what, "the nearest value in range is used")
    return clamped


class Images:
    """The images of a file, each read once for each way in which its opacity is used."""

    def __init__(self, document: GltfDocument, problems: Problems) -> None:
        self._document = document
        self._problems = problems
        self._textures = document.objects("textures")
        self._images = document.objects("images")
        self._samplers = document.objects("samplers")
        self._views = document.objects("bufferViews")
        self._read: dict[object, Texture | None] = {}
        self._made: dict[tuple[object, Texture | None, Texture | None], Texture] = {}
        self._image_bytes = 0

    def name_of(self, info: Fields) -> str:
        """Return the name of the image that a texture field names, for messages; "image" where there is none."""
        number = self._image_number(info)
        return "image" if number is None else _shown_name(self._images[number], number)

    def _image_number(self, info: Fields) -> int | None:
        texture = self._texture(info)
        packed = _fields(texture, "extensions")
        source = _fields(packed, codes.WEBP_TEXTURE).get("source", texture.get("source"))
        if source is None:  # another image, if there is one, needs no extra
            source = _fields(packed, codes.BASISU_TEXTURE).get("source")
        return source if type(source) is int and 0 <= source < len(self._images) else None

    def texture(self, info: Fields, least_alpha: float | None) -> Texture | None:
        """Return the image that a texture field names, cut out at `least_alpha` (0 to 1); None: unreadable."""
        texture, source = self._texture(info), self._image_number(info)
        if source is None:
            self._problems.report("texture", "a texture without an image that is read", "shown without it")
            return None
        image = self._images[source]
        # Bytes that several images refer to are read once.
        key = (str(image.get("bufferView")), str(image.get("uri")), least_alpha)
        if key not in self._read:
            self._read[key] = self._decoded(image, source, least_alpha)
        read = self._read[key]
        return None if read is None else read.wrapped(self._wrap_of(texture.get("sampler")))

    def _wrap_of(self, number: object) -> tuple[Wrap, Wrap]:
        """Return how the images of a sampler go on beyond their borders; repeated where it does not say it."""
        sampler = self._samplers[number] if type(number) is int and 0 <= number < len(self._samplers) else {}
        codes = sampler.get("wrapS"), sampler.get("wrapT")
        along_u, along_v = (_WRAPS.get(code, "repeat") if type(code) is int else "repeat" for code in codes)
        return along_u, along_v

    def _texture(self, info: Fields) -> Fields:
        """Return the texture that a material's texture field names; empty where there is none."""
        index = info.get("index")
        return self._textures[index] if type(index) is int and 0 <= index < len(self._textures) else {}

    def made_of(self, map_of: Callable[..., Texture], one: Texture | None, other: Texture | None) -> Texture | None:
        """Return the map that is made of two textures of an extension; the same two give the same one."""
        if one is None and other is None:
            return None
        if (map_of, one, other) not in self._made:
            self._made[map_of, one, other] = map_of(one, other)
        return self._made[map_of, one, other]

    def _decoded(self, image: Fields, number: int, least_alpha: float | None) -> Texture | None:
        path = self._document.path
        shown = _shown_name(image, number)
        if self._image_bytes > _MOST_IMAGE_BYTES:
            self._problems.report("texture", "more images than fit into memory", "shown without them")
            return None
        try:
            data = self._bytes(image)
            if data is not None:
                texture = decode_texture(data, path, shown)
            else:
                image_path = file_beside(path, image.get("uri"), within=self._document.folder)
                self._document.dependencies.add(image_path)
                if place_of(image_path) is None:
                    texture = read_texture(image_path)
                else:
                    data = read_counted(image_path, largest_bytes=LARGEST_BYTES)
                    texture = decode_texture(data, image_path)
            if least_alpha is not None:
                texture = cut_out(texture, least_alpha)
        except (ReadError, OSError, ValueError) as error:
            reason = reason_of(error, path)
        else:
            self._image_bytes += texture.nbytes
            return texture
        self._problems.report("texture", f"{shown} cannot be read ({reason})", "shown without it")
        return None

    def _bytes(self, image: Fields) -> bytes | None:
        """Return the image's bytes if they are in the file; None if it names another."""
        if "bufferView" not in image:
            return embedded(image.get("uri"))
        number = image["bufferView"]
        view = self._views[number] if type(number) is int and 0 <= number < len(self._views) else {}
        return bytes_of_view(self._document, view).tobytes()


def _shown_name(image: Fields, number: int) -> str:
    name = image.get("name") or image.get("uri") or number
    return printable(f"image {str(number) if str(name).startswith('data:') else name}"[:60])
