"""Sizes of the layers that hold a scene's textures on the card: squares in a few arrays; their memory limit."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from octoscope.scene import Material, Texture
from octoscope.scene.mesh.material import COLOR_FIELDS

MOST_ARRAYS = 4  # that shaders/mesh.glsl has samplers for
_MOST_BYTES = 512 * 2**20  # that all layers of colours, or of other maps, may take together
_CHEAP_BYTES = 16 * 2**20  # that may be wasted to have an array less, as each one costs time at every pixel


def textures_of(materials: Iterable[Material]) -> list[Texture]:
    """Return the textures that materials show, each once, in the order of the materials."""
    return list(dict.fromkeys(texture for material in materials for texture in material.textures))


def colors_of(materials: Iterable[Material]) -> list[Texture]:
    """Return those of `textures_of` that hold colours."""
    named = (getattr(material, name) for material in materials for name in COLOR_FIELDS)
    return list(dict.fromkeys(texture for texture in named if texture is not None))


def maps_of(materials: Iterable[Material]) -> list[Texture]:
    """Return those of `textures_of` that hold numbers, as normals and roughness are."""
    return list(dict.fromkeys(texture for material in materials for texture in material.maps))


def layer_sides(textures: Sequence[Texture], most_bytes: float = math.inf, most_side: float = math.inf) -> list[int]:
    """Return the pixels along a side of the layer of each texture, MOST_ARRAYS different ones at most.

    They are powers of two that hold the textures. Where memory does not allow them, the largest ones are halved: small
    textures stay as they are.

    Args:
        most_bytes: that all layers may take on this card, if it has less memory than is usual.
        most_side: that this card allows.
    """
    if not textures:
        return []
    sides = np.array([2 ** math.ceil(math.log2(max(texture.pixels.shape[:2]))) for texture in textures])
    while len(different := sorted(set(sides.tolist()))) > 1:
        raised = np.where(sides == different[0], different[1], sides)
        if len(different) <= MOST_ARRAYS and _bytes(raised) - _bytes(sides) > _CHEAP_BYTES:
            break
        sides = raised
    while sides.max() > 1 and (_bytes(sides) > min(_MOST_BYTES, most_bytes) or sides.max() > most_side):
        sides = np.minimum(sides, sides.max() // 2)
    return sides.tolist()


def layer_room(textures: Sequence[object]) -> int:
    """Return the number of layers of an array to make room for."""
    return 2 ** math.ceil(math.log2(len(textures)))


def _bytes(sides: np.ndarray) -> int:
    different, counts = np.unique(sides, return_counts=True)
    return sum(
        4 * side**2 * layer_room(range(count)) for side, count in zip(different.tolist(), counts.tolist(), strict=True)
    )


def shrunk_textures(textures: Sequence[Texture], sides: Sequence[int] | None = None) -> list[Texture]:
    """Return the textures that are shown smaller than their files have them, the largest first.

    Args:
        sides: texels, of the layer of each texture; None: those on a card with the usual memory.
    """
    sides = layer_sides(textures) if sides is None else sides
    shrunk = [t for t, side in zip(textures, sides, strict=True) if max(t.full_size) > _shown_side(t, side)]
    return sorted(shrunk, key=lambda texture: math.prod(texture.full_size), reverse=True)


def _shown_side(texture: Texture, side: int) -> int:
    return min(side, max(texture.pixels.shape[:2]))


def shrunk_message(textures: Sequence[Texture], sides: Sequence[int] | None = None) -> list[str]:
    """Return a line that counts the textures that are shown smaller than they are; no line without any.

    Args:
        sides: texels, of the layer of each texture; None: those on a card with the usual memory.
    """
    sides = layer_sides(textures) if sides is None else sides
    shrunk = shrunk_textures(textures, sides)
    if not shrunk:
        return []
    width, height = shrunk[0].full_size
    side_of = dict(zip(textures, sides, strict=True))
    side = max(_shown_side(texture, side_of[texture]) for texture in shrunk)
    count = f"{len(shrunk):,} of {len(textures):,} textures are" if len(textures) > 1 else "a texture is"
    largest = "the largest is" if len(shrunk) > 1 else "it is"
    return [f"{count} shown smaller than in the file, at most {side:,} pixels a side; {largest} {width:,} x {height:,}"]
