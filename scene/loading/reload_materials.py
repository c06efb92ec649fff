"""Materials of a file that was read again: they take their old places, so that all that shows them follows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from scene.content import MaterialContent
from scene.loaded_source import LoadedSource, MaterialKey, material_keys
from scene.mesh.material import Material
from scene.mesh.texture import Texture
from scene.scene import Scene
from scene.system.paths import realpath

_TEXTURE_FIELDS = ("base_color_texture", "emission_texture")


def reload_materials(scene: Scene, source: int, content: MaterialContent) -> None:
    """Put a file's materials as they are now in the place of what they were, where nothing else of it has changed.

    A material that a person has changed is another one since, and stays; where it shows an image of the file's own
    material, it shows the image as it is now.

    Args:
        source: the file's place in Scene.sources, of a file that was loaded.
    """
    loaded = scene.loaded_sources[source]
    ids = material_ids_of(loaded, content.materials, len(scene.materials))
    put_materials(scene, content.materials, ids)
    material_ids = with_materials(loaded, content.materials, ids)
    again = replace(loaded, dependencies=content.dependencies, material_ids=material_ids)
    scene.loaded_sources = {**scene.loaded_sources, source: again}
    scene.report.replace_problems(scene.sources[source], content.problems)


def reload_textures(scene: Scene, textures: Mapping[Path, Texture]) -> None:
    """Show images as they are in their files now, whoever chose them; by path, links followed."""
    old = {texture for material in scene.materials for texture in material.textures if texture.is_file}
    replace_textures(scene, {texture: textures.get(Path(realpath(texture.path)), texture) for texture in old})


def material_ids_of(loaded: LoadedSource, materials: Sequence[Material], count: int) -> np.ndarray:
    """(m,) int32 the places in Scene.materials, which has `count`, that a file's materials have or are to get."""
    ids = np.empty(len(materials), dtype=np.int32)
    for number, key in enumerate(material_keys(materials)):
        known = loaded.material_ids.get(key)
        ids[number] = count if known is None else known
        count += known is None
    return ids


def with_materials(loaded: LoadedSource, materials: Sequence[Material], ids: Iterable[int]) -> dict[MaterialKey, int]:
    """LoadedSource.material_ids, with where a file's materials are now."""
    return loaded.material_ids | dict(zip(material_keys(materials), map(int, ids), strict=True))


def put_materials(scene: Scene, materials: Sequence[Material], ids: np.ndarray) -> None:
    """Put a file's materials where `material_ids_of` says; those that are new come last, in their order."""
    textures: dict[Texture, Texture] = {}
    for number, material in zip(ids.tolist(), materials, strict=True):
        if number == len(scene.materials):
            scene.add_material(material)
        elif scene.materials[number] != material:
            for field in _TEXTURE_FIELDS:
                old, new = getattr(scene.materials[number], field), getattr(material, field)
                if old is not None and new is not None and old is not new and old.path == new.path:
                    textures[old] = new
            scene.set_material(number, material)
    replace_textures(scene, textures)


def replace_textures(scene: Scene, textures: Mapping[Texture, Texture]) -> None:
    """Put images in the place of others, in every material that shows those."""
    textures = {old: new for old, new in textures.items() if old is not new}
    if not textures:
        return
    for number, material in enumerate(scene.materials):
        if not textures.keys().isdisjoint(material.textures):
            shown = {field: getattr(material, field) for field in _TEXTURE_FIELDS}
            shown = {field: textures.get(texture, texture) for field, texture in shown.items()}
            scene.set_material(number, replace(material, **shown))
