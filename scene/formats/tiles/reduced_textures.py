"""Reduced textures: each image again at a half, a quarter ... of its size, for tiles that stand for those far away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image

from octoscope.scene.merging.merged_geometry import MergedGeometry
from octoscope.scene.mesh.material import TEXTURE_FIELDS, Material
from octoscope.scene.mesh.texture import Texture

_SMALLEST = 64  # pixels of the longer side, of which no image is made smaller
_TEXELS_PER_ERROR = 8.0  # of a tile's image: programs show tiles that are off by several pixels


class ReducedTexture(NamedTuple):
    """A texture to be written in all its smaller sizes."""

    texture: Texture
    pattern: Path  # of the files, with {level} in its name


class TextureUse(NamedTuple):
    """A texture that a material shows, and the sizes of its image."""

    texture: int
    uv_set: int  # 0 or 1
    texels: float  # of the whole image, by the area that is one in texture coordinates
    levels: int  # in how many smaller sizes there is a file


def level_count(texture: Texture) -> int:
    """Return in how many smaller sizes a texture is written."""
    return max(max(texture.pixels.shape[:2]).bit_length() - _SMALLEST.bit_length(), 0)


def write_reduced(job: ReducedTexture) -> int:
    """Write a texture as WebP at a half, a quarter ... of its size, as levels 1, 2 ...; return the bytes of all."""
    image = Image.fromarray(job.texture.pixels if not job.texture.is_opaque else job.texture.pixels[..., :3].copy())
    size = 0
    for level in range(1, level_count(job.texture) + 1):
        width, height = image.size
        image = image.resize((max(width // 2, 1), max(height // 2, 1)), Image.Resampling.BOX)
        path = job.pattern.with_name(job.pattern.name.format(level=level))
        image.save(path, format="WEBP", quality=90, method=4)
        size += path.stat().st_size
    return size


def uses_of(material: Material, number_of: Mapping[Texture, int]) -> list[TextureUse]:
    """Return how a material shows its textures, which have numbers."""
    uses = []
    for name in TEXTURE_FIELDS:
        texture = getattr(material, name)
        if texture is not None:
            height, width = texture.pixels.shape[:2]
            along_u, along_v = material.placement_of(name)[:2]
            texels = abs(width * height * along_u * along_v)
            second = int(material.is_on_second_uvs(name))
            uses.append(TextureUse(number_of[texture], second, texels, level_count(texture)))
    return uses


def needed_levels(
    geometry: MergedGeometry, uses_of_materials: Sequence[Sequence[TextureUse]], error: float
) -> dict[int, int]:
    """Return for textures the level that is fine enough where triangles are off by an error; 0: the whole image.

    On average over the triangles of a material several texels are as long as the error.
    """
    if error == 0.0 or not any(uses_of_materials):
        return {}
    corners = geometry.triangles
    materials, of_each = np.unique(geometry.material_ids[corners[:, 0]], return_inverse=True)
    world = np.bincount(of_each, _areas(geometry.positions[corners]))
    of_sets = [
        np.zeros(len(materials)) if uvs is None else np.bincount(of_each, _areas(uvs[corners].astype(np.float64)))
        for uvs in (geometry.uvs, geometry.second_uvs)
    ]
    levels: dict[int, int] = {}
    for row, material in enumerate(materials.tolist()):
        for use in uses_of_materials[material]:
            texels = of_sets[use.uv_set][row] * use.texels
            texel = np.sqrt(world[row] / texels) if texels > 0.0 else np.inf
            wanted = error / (_TEXELS_PER_ERROR * max(texel, np.finfo(float).tiny))
            level = int(np.clip(np.floor(np.log2(max(wanted, 1.0))), 0, use.levels))
            levels[use.texture] = min(levels.get(use.texture, level), level)
    return levels


def _areas(corners: np.ndarray) -> np.ndarray:
    """Return the areas of triangles, (t, 3, 2 or 3) corners."""
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    squares = (first**2).sum(axis=1) * (second**2).sum(axis=1) - (first * second).sum(axis=1) ** 2
    return np.sqrt(np.maximum(squares, 0.0)) / 2.0
