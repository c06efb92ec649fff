"""MaterialEditing: change colours, textures and other values of the selection's materials; a drag is one entry.

Materials are values. A change makes another material and gives it to all nodes that showed the first; during a live
edit the new one is then changed in place, which costs no more for a hundred thousand objects than for one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from octoscope.scene import DEFAULT_MATERIAL, Material, Texture
from octoscope.scene.editing.material_list import (
    free_material_names,
    give_materials,
    material_titles,
    rename_material,
)
from octoscope.scene.material_use import MaterialUse
from octoscope.scene.mesh.color_scale import ColorScale
from octoscope.scene.mesh.images import not_a_texture, read_texture
from octoscope.scene.system.text_file import printable
from octoscope.viewer.editing.editor import Editor, LiveEdit
from octoscope.viewer.editing.jobs import Progress
from octoscope.viewer.frame.redraw import Damage

_TEXTURE = "texture"  # subject in the log
# In the history, of fields of Material that have other names there.
_WORDS = {
    "base_color": "colour",
    "base_color_texture": "texture",
    "emission": "glow",
    "emission_strength": "strength of the glow",
    "emission_texture": "glow map",
    "normal_texture": "normal map",
    "normal_scale": "strength of normals",
    "surface_texture": "map of metal and roughness",
    "occlusion_texture": "occlusion map",
    "clearcoat": "clear coat",
    "clearcoat_roughness": "roughness of the clear coat",
    "clearcoat_texture": "map of the clear coat",
    "double_sided": "both sides",
    "specular_texture": "specular map",
}


@dataclass
class _Run:
    """A live edit of materials."""

    ids: np.ndarray  # the selection when it began
    only: str | None  # the title of the one material that is changed, as it is now
    made: dict[int, int]  # id of the new material by that of each material that it changes
    live: LiveEdit


class MaterialEditing:
    """Changes materials of nodes through an editor: all of them, or the one whose title is `only`."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._scene = editor.scene
        self.use = MaterialUse(editor.scene)
        self._run: _Run | None = None
        self._spare: list[int] = []  # materials of cancelled live edits, to be used again

    @property
    def is_running(self) -> bool:
        """True while a live edit of materials goes on."""
        return self._run is not None and self._run.live.is_alive

    def change(
        self, ids: np.ndarray, live: LiveEdit | None = None, only: str | None = None, **values: Any
    ) -> str | None:
        """Give values, by names of Material, to materials; `live`: as a step of that edit.

        Returns:
            the title of the `only` one from now on: one that nobody had named gets a name.
        """
        run = self._run
        if run is None or run.live is not live or run.ids is not ids or not live.is_alive:
            run = self._run = self._begin(ids, only, live or self._editor.begin_live(), values)
        if run is None:
            return only
        materials = self._scene.materials
        self._scene.replace_materials({made: replace(materials[made], **values) for made in run.made.values()})
        self._editor.view.redraw.request(Damage.SCENE)
        if live is None:
            run.live.commit()
            self._run = None
        return run.only

    def cancel(self) -> None:
        """Cancel the live edit, if it is one of materials."""
        if self._run is not None and self._run.live.is_alive:
            self._run.live.cancel()
            self._spare += self._run.made.values()
        self._run = None

    def make_own(self, ids: np.ndarray, *, only: str | None = None) -> None:
        """Give nodes materials that no other node shows."""
        made = self._copies(self._shown_by(ids, only), {}, renamed=True)
        label = "Own copy of " + self._named(list(made))
        self._editor.do(give_materials(self._scene, self.use, ids, made, for_all=False, label=label))

    def rename(self, material: Material, name: str) -> Material:
        """Rename a material wherever it is shown or kept, and return it; an empty name changes nothing."""
        name = name.strip()
        if not name or name == material_titles(self._scene, self.use).get(material, material.name):
            return material
        name = free_material_names(self._scene, self.use).take(name)
        self._editor.do(rename_material(self._scene, material, name))
        return replace(material, name=name)

    def set_texture(
        self,
        ids: np.ndarray,
        path: Path,
        *,
        field: str = "base_color_texture",
        only: str | None = None,
        then: Callable[[str | None], object] = lambda _: None,
    ) -> None:
        """Read an image in the background and show it on nodes; the log says where it cannot be read.

        Args:
            then: is called with what `change` returns.
        """

        def show(texture: Texture) -> None:
            then(self.change(ids[self._scene.alive[ids]], None, only, **{field: texture}))

        self.read_image(path, show)

    def read_image(self, path: Path, then: Callable[[Texture], object]) -> None:
        """Read an image in the background and call `then` with it; the log says where it cannot be read."""

        def read(_: Progress) -> Texture:
            try:
                return read_texture(path)
            except OSError as error:
                raise not_a_texture(path, error) from None

        self._editor.read_in_background(_TEXTURE, path, read, then)

    def _begin(self, ids: np.ndarray, only: str | None, live: LiveEdit, values: dict[str, Any]) -> _Run | None:
        """Begin an edit that gives nodes materials of their own; None where nothing changes or it cannot be done."""
        bases = self._shown_by(ids, only)
        materials = [self._scene.materials[base] for base in bases]
        if all(getattr(material, name) == value for material in materials for name, value in values.items()):
            return None
        made = self._copies(bases, values)
        name = next(iter(values))
        what = _WORDS.get(name, name.replace("_", " "))
        label = f"{what.capitalize()} of {self._named(list(made))}"
        edit = give_materials(self._scene, self.use, ids, made, for_all=True, label=label)
        if not live.extend(edit):
            self._spare += made.values()
            return None
        return _Run(ids, only and self.titles(list(made.values()))[0], made, live)

    def _copies(self, originals: list[int], values: dict[str, Any], *, renamed: bool = False) -> dict[int, int]:
        """Copy materials with other values; return the ids of the copies by those of the originals."""
        scene = self._scene
        names = free_material_names(scene, self.use)
        copies = []
        for base in originals:
            material = scene.materials[base]
            if renamed or material == DEFAULT_MATERIAL:  # nobody named it
                name = "material" if material == DEFAULT_MATERIAL else material.name
                material = replace(material, name=names.take(name))
            unread = tuple(each for each in material.unread_textures if each[0] not in values)
            copies.append(replace(material, unread_textures=unread, **values))
        numbers = [self._spare.pop() for _ in copies[: len(self._spare)]]
        scene.replace_materials(dict(zip(numbers, copies, strict=False)))
        made = dict(zip(originals, [*numbers, *scene.add_materials(copies[len(numbers) :])], strict=True))
        scene.color_scales = _with_scales_of(scene.color_scales, made)
        return made

    def _shown_by(self, ids: np.ndarray, only: str | None) -> list[int]:
        numbers = np.flatnonzero(np.add(*self.use.counts(ids))).tolist()
        if only is None:
            return numbers
        return [number for number, title in zip(numbers, self.titles(numbers), strict=True) if title == only]

    def titles(self, material_ids: list[int]) -> list[str]:
        """Return names of materials that tell different ones apart."""
        titles = material_titles(self._scene, self.use)
        return [titles.get(each, each.name) for each in map(self._scene.materials.__getitem__, material_ids)]

    def _named(self, material_ids: list[int]) -> str:
        return material_name([self._scene.materials[number] for number in material_ids]) or "a material"


def _with_scales_of(scales: Mapping[int, ColorScale], made: Mapping[int, int]) -> Mapping[int, ColorScale]:
    """Return colour scales by material id in which copies of materials, by their originals, have those of these."""
    copies = set(made.values())
    others = {number: scale for number, scale in scales.items() if number not in copies}
    return others | {copy: scales[base] for base, copy in made.items() if base in scales}


def material_name(materials: Iterable[Material]) -> str:
    """Return the name of some materials, or their count; "" for one without a name."""
    different = set(materials)
    if len(different) > 1:
        return f"{len(different):,} materials"
    (material,) = different
    return "" if material == DEFAULT_MATERIAL else printable(material.name)


def common_value(materials: list[Material], name: str) -> tuple[Any, bool]:
    """Return the value of the last of some materials, and whether all of them have it."""
    value = getattr(materials[-1], name)
    return value, all(getattr(material, name) == value for material in materials)
