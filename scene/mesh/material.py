"""Material: the look of a surface, in the terms of an .mtl file that a viewer can show."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields

import numpy as np

from octoscope.guesses import made_by
from octoscope.scene.geometry.colors import colors_of, linear_from_srgb
from octoscope.scene.mesh.texture import Texture

_INDEX_OF_GLASS = 1.5
_FULL_RIM = 0.04  # share mirrored straight back from which on all light is mirrored at the rim

COLOR_FIELDS = ("base_color_texture", "emission_texture", "specular_texture")
MAP_FIELDS = ("normal_texture", "surface_texture", "occlusion_texture", "clearcoat_texture")
TEXTURE_FIELDS = (*COLOR_FIELDS, *MAP_FIELDS)
# Fields of textures that may lie elsewhere than the others, each with the field that says where.
PLACEMENT_FIELDS = {
    name: name.replace("texture", "placement") for name in TEXTURE_FIELDS if name != "base_color_texture"
}
# Fields of textures that may be looked up by the second set of texture coordinates, each with the field that says so.
SECOND_UVS_FIELDS = {name: name.replace("texture", "on_second_uvs") for name in PLACEMENT_FIELDS}
# That readers take from a file.
LARGEST_NORMAL_SCALE = 1e3
LARGEST_EMISSION = 1e6  # times white
LARGEST_SHININESS = 1000.0
LARGEST_UV_SCALE = 1e6  # float32 keeps a part of a pixel

# Where a texture is looked up: at uv, times the scale of u and v, turned counter-clockwise by radians, plus the offset
# of u and v. v is 1 at the top of the image.
Placement = tuple[float, float, float, float, float]


@made_by("such as Material('red steel', base_color='red', metallic=1.0, roughness=0.3)")
@dataclass(frozen=True, repr=False)
class Material:
    """A surface. It is never changed: dataclasses.replace makes another one.

    Colours may be given as names such as "orange", or "#1e2226", too.

    Examples:
        >>> scene["lighthouse_tower"].material = Material("brass", base_color="goldenrod", metallic=1, roughness=0.3)

    Attributes:
        base_color: sRGB, each 0 to 1 (Kd).
        opacity: 0 to 1 (d, or 1 - Tr).
        specular: strength of the highlight, 0 to 1 (mean of Ks).
        shininess: exponent of the highlight (Ns).
        metallic: 0 to 1 (Pm).
        roughness: 0 to 1 (Pr), or None: it follows from shininess.
        emission: sRGB added to the lit colour (Ke), each 0 and more.
        base_color_texture: multiplies base_color and opacity (map_Kd, map_d), or None.
        emission_texture: multiplies emission (map_Ke), or None.
        normal_texture: directions in which the surface is bent, as in glTF: red along u, green along v, blue outward
            (norm; heights of map_Bump are made into one), or None.
        normal_scale: factor of red and green of normal_texture (-bm).
        surface_texture: multiplies roughness by its green and metallic by its blue (map_Pr, map_Pm), or None.
        occlusion_texture: its red is the share of the environment's light that the surface gets, or None.
        occlusion_strength: share of occlusion_texture's darkening, 0 to 1.
        uv_scale: scale of the Placement of its textures (-s).
        uv_offset: offset of it (-o).
        unlit: shown in base_color without light (illum 0).
        index_of_refraction: of what the surface is made of where it is no metal, and not that of MTL's Ni, which
            many programs write without meaning: 0 and more; 0 mirrors all light.
        specular_weight: factor of what a surface mirrors where it is no metal, 0 to 1.
        specular_color: sRGB, 0 and more, factor of what such a surface mirrors straight back; not of what it mirrors
            at its rim.
        specular_texture: multiplies specular_color, and by its opacity specular_weight (map_Ks), or None.
        clearcoat: share of the surface under a clear coat, 0 to 1 (Pc).
        clearcoat_roughness: of the coat, 0 to 1 (Pcr).
        clearcoat_texture: multiplies clearcoat by its red and clearcoat_roughness by its green, or None.
        double_sided: whether back faces are seen, too. Front faces are those whose corners are counterclockwise.
        uv_rotation: rotation of the Placement of its textures, radians.
        emission_placement, specular_placement, normal_placement, surface_placement, occlusion_placement,
            clearcoat_placement: the Placement of that texture if it is another, or None.
        emission_strength: factor of the light that is emission, 0 and more: light brighter than white has one above 1.
        emission_on_second_uvs, specular_on_second_uvs, normal_on_second_uvs, surface_on_second_uvs,
            occlusion_on_second_uvs, clearcoat_on_second_uvs: whether that texture is looked up by the second set of
            texture coordinates.
        kept_mtl: statements of an .mtl file that no picture shows (Tf, Ps, aniso, decal, refl, maps without an
            image ...), a line each, with whole paths of images: written to .mtl files again.
        unread_textures: textures of a project file whose images could not be read, each as the name of its field and
            its JSON there, with a whole path: projects have them again until that field has a texture.
        missing_textures: names of images of its file that could not be read; it is shown without them.

    Raises:
        ValueError: a field cannot have the value that is given.
    """

    name: str
    base_color: tuple[float, float, float] = (0.8, 0.8, 0.8)
    opacity: float = 1.0
    specular: float = 0.2
    shininess: float = 32.0
    metallic: float = 0.0
    roughness: float | None = None
    emission: tuple[float, float, float] = (0.0, 0.0, 0.0)
    base_color_texture: Texture | None = None
    emission_texture: Texture | None = None
    normal_texture: Texture | None = None
    normal_scale: float = 1.0
    surface_texture: Texture | None = None
    occlusion_texture: Texture | None = None
    occlusion_strength: float = 1.0
    uv_scale: tuple[float, float] = (1.0, 1.0)
    uv_offset: tuple[float, float] = (0.0, 0.0)
    unlit: bool = False
    index_of_refraction: float = _INDEX_OF_GLASS
    specular_weight: float = 1.0
    specular_color: tuple[float, float, float] = (1.0, 1.0, 1.0)
    specular_texture: Texture | None = None
    clearcoat: float = 0.0
    clearcoat_roughness: float = 0.0
    clearcoat_texture: Texture | None = None
    double_sided: bool = True
    uv_rotation: float = 0.0
    emission_placement: Placement | None = None
    specular_placement: Placement | None = None
    normal_placement: Placement | None = None
    surface_placement: Placement | None = None
    occlusion_placement: Placement | None = None
    clearcoat_placement: Placement | None = None
    emission_strength: float = 1.0
    emission_on_second_uvs: bool = False
    specular_on_second_uvs: bool = False
    normal_on_second_uvs: bool = False
    surface_on_second_uvs: bool = False
    occlusion_on_second_uvs: bool = False
    clearcoat_on_second_uvs: bool = False
    kept_mtl: str = ""
    unread_textures: tuple[tuple[str, str], ...] = ()
    missing_textures: tuple[str, ...] = field(default=(), compare=False)  # no property of the surface

    def __post_init__(self) -> None:
        for name, given in list(vars(self).items()):
            if (value := checked_value(name, given)) is not given:
                object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        values = ((each.name, getattr(self, each.name), each.default) for each in fields(self)[1:])
        others = [f"{name}={value!r}" for name, value, usual in values if value != usual]
        return f"Material({', '.join([repr(self.name), *others])})"

    @property
    def textures(self) -> list[Texture]:
        """Its textures, without None."""
        return [texture for name in TEXTURE_FIELDS if (texture := getattr(self, name)) is not None]

    @property
    def maps(self) -> list[Texture]:
        """Those of its textures that hold numbers, not colours, without None."""
        return [texture for name in MAP_FIELDS if (texture := getattr(self, name)) is not None]

    @property
    def placement(self) -> Placement:
        """The placement of those of its textures that have none of their own."""
        return (*self.uv_scale, self.uv_rotation, *self.uv_offset)

    def placement_of(self, texture_field: str) -> Placement:
        """Return the placement of a texture, by one of TEXTURE_FIELDS."""
        own: Placement | None = getattr(self, PLACEMENT_FIELDS.get(texture_field, ""), None)
        return self.placement if own is None else own

    def is_on_second_uvs(self, texture_field: str) -> bool:
        """Return whether it has a texture, by one of TEXTURE_FIELDS, that is looked up by the second set."""
        return getattr(self, texture_field) is not None and getattr(
            self, SECOND_UVS_FIELDS.get(texture_field, ""), False
        )

    @property
    def uv_set_count(self) -> int:
        """Number of texture coordinate sets that the textures use: 0, 1 or 2."""
        return 2 if any(map(self.is_on_second_uvs, SECOND_UVS_FIELDS)) else int(bool(self.textures))

    @property
    def is_turned(self) -> bool:
        """True if a texture is turned, has a placement of its own, or is looked up by the second set."""
        return (
            self.uv_rotation != 0.0
            or self.uv_set_count > 1
            or any(getattr(self, name) is not None for name in PLACEMENT_FIELDS.values())
        )

    @property
    def shown_roughness(self) -> float:
        """Roughness, 0 to 1: its own, or the one whose highlight is as wide as its shininess says."""
        return roughness_of_shininess(self.shininess) if self.roughness is None else self.roughness

    @property
    def mirror(self) -> float:
        """Share of light, 0 to 1, that a surface which is no metal mirrors straight back, without specular_color."""
        # Ks is for highlights of lamps; few files mean a mirror by it.
        highlight = self.specular if self.roughness is None else 1.0
        index = self.index_of_refraction
        return highlight * self.specular_weight * ((index - 1.0) / (index + 1.0)) ** 2

    @property
    def rim(self) -> float:
        """Share of light, 0 to 1, that a surface which is no metal mirrors at a grazing angle."""
        # What mirrors less than glass by its Ks was meant as a highlight alone, and has less of a rim, too.
        return self.specular_weight if self.roughness is not None else min(self.mirror / _FULL_RIM, 1.0)

    @property
    def emitted_light(self) -> list[float]:
        """Red, green and blue that it adds to the lit colour, linear; 0 and more."""
        return [part * self.emission_strength for part in linear_from_srgb(self.emission).tolist()]

    @property
    def is_coated(self) -> bool:
        """True if it has a clear coat, or mirrors otherwise than glass does."""
        mirrored = self.index_of_refraction, self.specular_weight, self.specular_color, self.specular_texture
        return self.clearcoat > 0.0 or mirrored != (_INDEX_OF_GLASS, 1.0, (1.0, 1.0, 1.0), None)


def roughness_of_shininess(shininess: float) -> float:
    """Return the roughness whose highlight is as wide as that of a Phong exponent."""
    return (2.0 / (shininess + 2.0)) ** 0.25


LARGEST_FLOAT32 = 3e38  # float32, as on the graphics card
_COLORS = ("base_color", "emission", "specular_color")
# Least and greatest value of numbers.
_LIMITS = dict.fromkeys(
    (
        *("opacity", "specular", "metallic", "roughness", "occlusion_strength", "specular_weight", "clearcoat"),
        "clearcoat_roughness",
    ),
    (0.0, 1.0),
) | {
    "shininess": (0.0, LARGEST_FLOAT32),
    "emission_strength": (0.0, LARGEST_FLOAT32),
    "index_of_refraction": (0.0, LARGEST_FLOAT32),
    "normal_scale": (-LARGEST_FLOAT32, LARGEST_FLOAT32),
    "uv_rotation": (-LARGEST_FLOAT32, LARGEST_FLOAT32),
}


def checked_value(name: str, given: object) -> object:
    """Return a value as a field of Material has it: colours, also by name, as tuples of floats, numbers as floats.

    Raises:
        ValueError: the field cannot have this value.
    """
    if name in _COLORS:
        return _checked_color(name, given)
    if given is None and name.endswith(("_texture", "_placement", "roughness")) and name != "clearcoat_roughness":
        return None
    if name.endswith("_texture"):
        return _checked_type(name, given, Texture, "a Texture or None")
    if name in ("unread_textures", "missing_textures"):
        return _checked_type(name, given, tuple, "a tuple")
    if name in ("name", "kept_mtl"):
        return _checked_type(name, given, str, "a string")
    if name.endswith("_placement"):
        return _checked_numbers(name, given, 5)
    if name in ("uv_scale", "uv_offset"):
        return _checked_numbers(name, given, 2)
    if name in _LIMITS:
        least, most = _LIMITS[name]
        if (
            isinstance(given, (int, float, np.integer, np.floating))
            and not isinstance(given, bool)
            and least <= given <= most
        ):
            return float(given)
        span = f" of {least:g} to {most:g}" if most < LARGEST_FLOAT32 else " of 0 and more" if least == 0.0 else ""
        raise ValueError(f"{name}: a finite number{span} is needed, not {_shown(given)}")
    return bool(_checked_type(name, given, (bool, np.bool_), "True or False"))


def _checked_color(name: str, given: object) -> tuple[float, ...]:
    is_named = isinstance(given, str) or getattr(given, "dtype", None) == np.uint8
    if name != "base_color" and not is_named:  # of light, and files have more than 1
        factors = _checked_numbers(name, given, 3)
        if min(factors) < 0.0:
            raise ValueError(f"{name}: numbers of 0 and more are needed, not {_shown(given)}")
        return factors
    red, green, blue, opacity = colors_of(given, 1, name=name)[0].tolist()  # type: ignore[arg-type]
    if not math.isnan(opacity):
        raise ValueError(f"{name}: red, green and blue are needed, not {_shown(given)}; opacity has a field of its own")
    return red, green, blue


def _checked_numbers(name: str, given: object, count: int) -> tuple[float, ...]:
    try:
        numbers = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        numbers = np.empty(0)
    if numbers.shape != (count,) or not (np.abs(numbers) <= LARGEST_FLOAT32).all():
        raise ValueError(f"{name}: {count} finite numbers are needed, not {_shown(given)}")
    return tuple(numbers.tolist())


def _checked_type(name: str, given: object, wanted: type | tuple[type, ...], what: str) -> object:
    if not isinstance(given, wanted):
        raise ValueError(f"{name}: {what} is needed, not {_shown(given)}")
    return given


def _shown(given: object) -> str:
    return " ".join(repr(given).split())[:60]


DEFAULT_MATERIAL = Material("default")
ARROW_MATERIAL = Material("vectors", base_color=(0.92, 0.42, 0.08))  # a colour that few colormaps have
