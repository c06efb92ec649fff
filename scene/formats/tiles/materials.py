"""Materials and textures that many contents of a tileset share: SharedMaterials; MaterialMerger, which finds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from octoscope.scene.formats.gltf import codes
from octoscope.scene.formats.gltf.writing.materials import pack_materials, textures_and_samplers
from octoscope.scene.formats.tiles.reduced_textures import ReducedTexture, TextureUse, level_count, uses_of
from octoscope.scene.mesh.material import TEXTURE_FIELDS, Material
from octoscope.scene.mesh.texture import Texture, Wrap

_ENDINGS = {"image/png": ".png", "image/jpeg": ".jpg"}
_TEXTURE_FOLDER = "textures"  # beside the contents
_REDUCED = f"{_TEXTURE_FOLDER}/{{}}_{{}}.webp"  # of a texture's number and level


@dataclass(frozen=True, eq=False)
class SharedMaterials:
    """The materials of a tileset as glTF has them; plain data, for other processes too."""

    materials: list[dict[str, object]]  # their JSON objects
    image_uris: list[str]  # of each texture, seen from the folder of contents
    wraps: list[tuple[Wrap, Wrap]]  # of each texture, as in Texture
    uses: list[list[TextureUse]]  # how each material shows its textures
    uv_set_counts: np.ndarray  # (m,) int64, how many sets of texture coordinates their textures use
    extensions: list[str]  # names of those that the materials use

    @classmethod
    def write(
        cls, materials: Sequence[Material], folder: Path, notes: list[str]
    ) -> tuple[SharedMaterials, list[ReducedTexture]]:
        """Write the textures of materials to a folder of contents; return what is still to be written smaller, too."""
        packed = pack_materials(materials, notes)
        uris = []
        if packed.images:
            (folder / _TEXTURE_FOLDER).mkdir(exist_ok=True)
        for number, (data, kind) in enumerate(packed.images):
            uris.append(f"{_TEXTURE_FOLDER}/{number}{_ENDINGS[kind]}")
            (folder / uris[-1]).write_bytes(data)
        uv_set_counts = np.array([material.uv_set_count for material in materials], dtype=np.int64)
        number_of = {texture: number for number, texture in enumerate(packed.textures)}
        uses = [uses_of(material, number_of) for material in materials]
        smaller = [
            ReducedTexture(texture, folder / _REDUCED.format(number, "{level}"))
            for texture, number in number_of.items()
            if level_count(texture)
        ]
        return cls(packed.materials, uris, packed.wraps, uses, uv_set_counts, packed.extensions), smaller

    def used_by(self, chosen: Sequence[int], levels: Mapping[int, int]) -> dict[str, Any]:
        """Return the "materials", and the "textures" and "images" that these use, as a GLB has them.

        Args:
            levels: of textures, as `needed_levels` returns them.
        """
        numbers: dict[int, int] = {}
        document: dict[str, Any] = {"materials": [_renumbered(self.materials[k], numbers) for k in chosen]}
        if numbers:
            textures = textures_and_samplers([self.wraps[number] for number in numbers])
            for number, texture in zip(numbers, textures["textures"], strict=True):
                if levels.get(number):
                    texture["extensions"] = {codes.WEBP_TEXTURE: {"source": texture.pop("source")}}
            document |= textures
            document["images"] = [
                {"uri": _REDUCED.format(number, levels[number]) if levels.get(number) else self.image_uris[number]}
                for number in numbers
            ]
        return document


class MaterialMerger:
    """Gathers the materials of files that come one after another, equal ones once; images of the same file are one."""

    def __init__(self) -> None:
        self.image_bytes = 0  # memory that all images take
        self._images: dict[object, Texture] = {}
        self._numbers: dict[Material, int] = {}

    def __len__(self) -> int:
        """Return how many different materials there are."""
        return len(self._numbers)

    @property
    def materials(self) -> list[Material]:
        """The different materials, in the order in which they came."""
        return list(self._numbers)

    def add(self, materials: Sequence[Material]) -> tuple[np.ndarray, list[Material]]:
        """Add the materials of a file; return their numbers, (m,) int32, and those of them that are new, in order."""
        numbers, new = [], []
        for material in materials:
            textures: dict[str, Any] = {
                name: self._known_image(value)
                for name in TEXTURE_FIELDS
                if (value := getattr(material, name)) is not None
            }
            merged = replace(material, **textures) if textures else material
            if merged not in self._numbers:
                self._numbers[merged] = len(self._numbers)
                new.append(merged)
            numbers.append(self._numbers[merged])
        return np.array(numbers, dtype=np.int32), new

    def _known_image(self, image: Texture) -> Texture:
        """Return the image of the same file that came first, with this one's wrap; this one, if it is the first."""
        key = (image.path, image.full_size) if image.is_file else id(image)
        if key not in self._images:
            self._images[key] = image
            self.image_bytes += image.nbytes
        return self._images[key].wrapped(image.wrap)


def merged_materials(lists: Sequence[Sequence[Material]]) -> tuple[list[Material], list[np.ndarray]]:
    """Gather the materials of files, as MaterialMerger; return them, and for each file (m,) int32 its numbers."""
    merger = MaterialMerger()
    of_lists = [merger.add(materials)[0] for materials in lists]
    return merger.materials, of_lists


def _renumbered(value: object, textures: dict[int, int], *, is_texture: bool = False) -> object:
    """Copy JSON with other numbers for textures: those that it refers to, in the order of their first use."""
    if isinstance(value, Mapping):
        copy = {key: _renumbered(part, textures, is_texture=key.endswith("Texture")) for key, part in value.items()}
        if is_texture:
            number = value["index"]
            assert isinstance(number, int)
            copy["index"] = textures.setdefault(number, len(textures))
        return copy
    return value
