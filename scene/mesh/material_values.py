"""Check the fields of a Material, so that no scene gets one that cannot be drawn or saved."""

from __future__ import annotations

import math

import numpy as np

from octoscope.scene.geometry.colors import colors_of
from octoscope.scene.mesh.texture import Texture

_LARGEST = 3e38  # float32, as on the graphics card
_COLORS = ("base_color", "emission", "specular_color")
# Least and greatest value of numbers.
_LIMITS = dict.fromkeys(
    (
        *("opacity", "specular", "metallic", "roughness", "occlusion_strength", "specular_weight", "clearcoat"),
        "clearcoat_roughness",
    ),
    (0.0, 1.0),
) | {
    "shininess": (0.0, _LARGEST),
    "emission_strength": (0.0, _LARGEST),
    "index_of_refraction": (0.0, _LARGEST),
    "normal_scale": (-_LARGEST, _LARGEST),
    "uv_rotation": (-_LARGEST, _LARGEST),
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
    if name == "name":
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
        span = f" of {least:g} to {most:g}" if most < _LARGEST else " of 0 and more" if least == 0.0 else ""
        raise ValueError(f"{name}: a finite number{span} is needed, not {_shown(given)}")
    return bool(_checked_type(name, given, (bool, np.bool_), "True or False"))


def _checked_color(name: str, given: object) -> tuple[float, ...]:
    is_named = isinstance(given, str) or getattr(given, "dtype", None) == np.uint8
    if name != "base_color" and not is_named:  # of light, and files have more than 1
        factors = _checked_numbers(name, given, 3)
        if min(factors) < 0.0:
            raise ValueError(f"{name}: numbers of 0 and more are needed, not {_shown(given)}")
        return factors
    try:
        red, green, blue, opacity = colors_of(given, 1)[0].tolist()  # type: ignore[arg-type]
    except ValueError as error:
        raise ValueError(f"{name}: {str(error).removeprefix('color: ')}") from None
    if not math.isnan(opacity):
        raise ValueError(f"{name}: red, green and blue are needed, not {_shown(given)}; opacity has a field of its own")
    return red, green, blue


def _checked_numbers(name: str, given: object, count: int) -> tuple[float, ...]:
    try:
        numbers = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        numbers = np.empty(0)
    if numbers.shape != (count,) or not (np.abs(numbers) <= _LARGEST).all():
        raise ValueError(f"{name}: {count} finite numbers are needed, not {_shown(given)}")
    return tuple(numbers.tolist())


def _checked_type(name: str, given: object, wanted: type | tuple[type, ...], what: str) -> object:
    if not isinstance(given, wanted):
        raise ValueError(f"{name}: {what} is needed, not {_shown(given)}")
    return given


def _shown(given: object) -> str:
    return " ".join(repr(given).split())[:60]
