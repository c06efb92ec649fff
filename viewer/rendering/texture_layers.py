"""Sizes of the layers that hold a scene's textures on the card: equal squares of one array; their memory limit."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from scene import Material, Texture

_MOST_BYTES = 512 * 2**20  # that all layers of an array may take together


def textures_of(materials: Iterable[Material]) -> list[Texture]:
    """Return the textures that materials show, each once, in the order of the materials."""
    named = (t for m in materials for t in (m.base_color_texture, m.emission_texture) if t is not None)
    return list(dict.fromkeys(named))


def layer_side(textures: Sequence[Texture]) -> int:
    """Return the pixels along a side of each layer: a power of two, for the largest texture if memory allows."""
    side = 2 ** math.ceil(math.log2(max(max(texture.pixels.shape[:2]) for texture in textures)))
    while side > 1 and 4 * side * side * layer_room(textures) > _MOST_BYTES:
        side //= 2
    return side


def layer_room(textures: Sequence[Texture]) -> int:
    """Return the number of layers to make room for."""
    return 2 ** math.ceil(math.log2(len(textures)))


def shrunk_textures(textures: Sequence[Texture]) -> list[Texture]:
    """Return the textures that are shown smaller than their files have them, the largest first."""
    if not textures:
        return []
    side = layer_side(textures)
    shrunk = [t for t in textures if max(t.full_size) > min(side, max(t.pixels.shape[:2]))]
    return sorted(shrunk, key=lambda texture: math.prod(texture.full_size), reverse=True)


def shrunk_message(textures: Sequence[Texture]) -> list[str]:
    """Return a line that counts the textures that are shown smaller than they are; no line without any."""
    shrunk = shrunk_textures(textures)
    if not shrunk:
        return []
    width, height = shrunk[0].full_size
    side = min(layer_side(textures), max(max(texture.pixels.shape[:2]) for texture in shrunk))
    count = f"{len(shrunk):,} of {len(textures):,} textures are" if len(textures) > 1 else "a texture is"
    largest = "the largest is" if len(shrunk) > 1 else "it is"
    return [f"{count} shown smaller than in the file, at most {side:,} pixels a side; {largest} {width:,} x {height:,}"]
