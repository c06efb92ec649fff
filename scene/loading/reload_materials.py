"""Replace the materials and textures of a file that has changed; all that shows them follows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from octoscope.scene.content import MaterialContent
from octoscope.scene.loaded_source import LoadedSource, MaterialKey, material_keys
from octoscope.scene.mesh.material import TEXTURE_FIELDS, Material
from octoscope.scene.mesh.texture import Texture
from octoscope.scene.scene import Scene
from octoscope.scene.system.paths import realpath


def reload_materials(scene: Scene, source: int, content: MaterialContent) -> None:
    """Replace a file's materials by those that it has now, where nothing else of it has changed.

    A material that the user has changed is a separate one since then and stays; where it shows the same image as the
    file's own material, the image is replaced.

    Args:
        source: index in Scene.sources of a file that was loaded.
    """
    loaded = scene.loaded_sources[source]
    ids = material_ids_of(loaded, content.materials, len(scene.materials))
    set_file_materials(scene, content.materials, ids)
    material_ids = updated_material_ids(loaded, content.materials, ids)
    again = replace(loaded, dependencies=content.dependencies, material_ids=material_ids)
    scene.loaded_sources = {**scene.loaded_sources, source: again}
    scene.report.replace_problems(scene.sources[source], content.problems)


def reload_textures(scene: Scene, textures: Mapping[Path, Texture]) -> None:
    """Replace images in all materials by those in `textures`, by path with links followed."""
    old = {texture for material in scene.materials for texture in material.textures if texture.is_file}
    replace_textures(scene, {texture: textures.get(Path(realpath(texture.path)), texture) for texture in old})


def material_ids_of(loaded: LoadedSource, materials: Sequence[Material], count: int) -> np.ndarray:
    """Return (m,) int32, the ids that a file's materials have or get, if Scene.materials has `count` of them."""
    ids = np.empty(len(materials), dtype=np.int32)
    for number, key in enumerate(material_keys(materials)):
        known = loaded.material_ids.get(key)
        ids[number] = count if known is None else known
        count += known is None
    return ids


def updated_material_ids(
    loaded: LoadedSource, materials: Sequence[Material], ids: Iterable[int]
) -> dict[MaterialKey, int]:
    """Return LoadedSource.material_ids, updated with the ids of a file's materials."""
    return loaded.material_ids | dict(zip(material_keys(materials), map(int, ids), strict=True))


def set_file_materials(scene: Scene, materials: Sequence[Material], ids: np.ndarray) -> None:
    """Set a file's materials at the ids of `material_ids_of`; new ones are appended in their order."""
    textures: dict[Texture, Texture] = {}
    known, changed, new = scene.materials, dict[int, Material](), list[Material]()
    for number, material in zip(ids.tolist(), materials, strict=True):
        if number >= len(known):
            new.append(material)
        elif known[number] != material:
            for field in TEXTURE_FIELDS:
                old, again = getattr(known[number], field), getattr(material, field)
                if old is not None and again is not None and old is not again and old.path == again.path:
                    textures[old] = again
            changed[number] = material
    scene.add_materials(new)
    scene.replace_materials(changed)
    replace_textures(scene, textures)


def replace_textures(scene: Scene, textures: Mapping[Texture, Texture]) -> None:
    """Replace textures in every material that shows them."""
    textures = {old: new for old, new in textures.items() if old is not new}
    if not textures:
        return
    changed = {}
    for number, material in enumerate(scene.materials):
        if not textures.keys().isdisjoint(material.textures):
            shown = {field: getattr(material, field) for field in TEXTURE_FIELDS}
            shown = {field: textures.get(texture, texture) for field, texture in shown.items()}
            changed[number] = replace(material, **shown)
    scene.replace_materials(changed)
