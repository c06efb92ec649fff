"""The foldout about colour, opacity, metal, roughness, textures and more, and the objects that share them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from imgui_bundle import imgui

from octoscope.scene import DEFAULT_MATERIAL, Material, change_nodes
from octoscope.scene.selecting import material_ids_of
from octoscope.scene.system.text_file import printable
from octoscope.viewer.document.file_names import PathRequest
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.material_editing import MaterialEditing, common_value
from octoscope.viewer.editing.memo import Memo, State, material_users, state_of
from octoscope.viewer.ui.imgui.items import button, check_box, item, item_tooltip, slider, small_gap
from octoscope.viewer.ui.imgui.theme import Theme
from octoscope.viewer.ui.panels.inspector.held_edit import HeldEdit
from octoscope.viewer.ui.panels.inspector.rows import NameField, fact, fields_of, label, link, quiet
from octoscope.viewer.ui.panels.inspector.texture import ImageOf, TextureField
from octoscope.viewer.ui.widgets.fields import MIXED

_MOST_CHOICES = 100  # of materials to edit one of
_SLIDERS = (("Opacity", "opacity"), ("Metallic", "metallic"), ("Roughness", "roughness"))
_SHOWN = {"roughness": "shown_roughness"}  # in place of fields that may be None: what the picture has
# Below "More": titles, fields of Material, least and greatest value of the slider.
_MORE_SLIDERS = (
    ("Clear coat", "clearcoat", 0.0, 1.0),
    ("Its roughness", "clearcoat_roughness", 0.0, 1.0),
    ("Specular", "specular_weight", 0.0, 1.0),
    ("Refraction", "index_of_refraction", 1.0, 3.0),
)
_STRENGTHS = {  # of maps
    "normal_texture": ("Its strength", "normal_scale", 0.0, 2.0),
    "occlusion_texture": ("Its strength", "occlusion_strength", 0.0, 1.0),
    "emission_texture": ("Glows times", "emission_strength", 0.0, 10.0),
}
_MAPS = (
    ("Normal map", "normal_texture"),
    ("Metallic map", "surface_texture"),  # and roughness
    ("Occlusion", "occlusion_texture"),
    ("Glow map", "emission_texture"),
    ("Coat map", "clearcoat_texture"),
    ("Specular map", "specular_texture"),
)
# What the line "More" names where a material has it.
_NAMED = (
    ("Glow", "emission"),
    *((title, name) for title, name, *_ in _MORE_SLIDERS if name != "clearcoat_roughness"),
    ("Single-sided", "double_sided"),
    *_MAPS,
)


@dataclass(frozen=True, eq=False)
class _Shown:
    material_ids: np.ndarray  # (m,) int32, all of them
    users: int  # number of objects that have the materials which some of the nodes show all over
    others: int  # how many of those are not among the nodes
    any_own: bool  # whether any node overrides the material of its file


class MaterialFoldout:
    """Fields of a material; of several, all are changed, or the one that is chosen."""

    def __init__(
        self,
        editor: Editor,
        held: HeldEdit,
        *,
        run: Callable[[str], object],
        ask_path: Callable[[PathRequest], object],
        image_of: ImageOf,
    ) -> None:
        self._editor = editor
        self._held = held
        self._run = run
        self._editing = MaterialEditing(editor)
        self._only: str | None = None  # the title of the chosen one
        self._texture = TextureField(editor, self._texture_setter, ask_path, image_of)
        self._name = NameField()
        self._maps = {
            name: TextureField(editor, self._texture_setter, ask_path, image_of, name, title) for title, name in _MAPS
        }
        self._shown: Memo[_Shown] = Memo()
        self._titles: Memo[list[str]] = Memo()
        self._by_title: Memo[dict[str, Material]] = Memo()

    def draw(self, ids: np.ndarray, state: State, theme: Theme) -> None:
        """Draw the foldout for nodes."""
        scene = self._editor.scene
        if self._editing.is_running:
            state = state_of(scene)
        shown = self._shown.get(ids, state, lambda: self._shown_by(ids))
        if not len(shown.material_ids):
            quiet(theme, "no mesh, no material")
            return
        numbers, revision = shown.material_ids, scene.materials_revision
        users = material_users(scene)
        # A step of a drag changes materials in place, which leaves their titles.
        key = *users, self._editing.is_running or revision
        titles = self._titles.get(ids, key, lambda: self._editing.titles(numbers.tolist()))
        by_title = self._by_title.get(  # equal ones of several files are shown as one
            ids, (*users, revision), lambda: dict(zip(titles, [scene.materials[k] for k in numbers], strict=True))
        )
        materials = self._draw_choice(by_title, theme)
        self._draw_sharing(ids, shown, theme)
        with fields_of(self._editor):
            self._draw_colour("Colour", "base_color", ids, materials, theme)
            for title, column in _SLIDERS:
                self._draw_slider(title, column, ids, materials, theme)
            self._texture.draw(ids, materials, state, theme)
        self._draw_more(ids, materials, state, theme)
        with fields_of(self._editor):
            if shown.any_own and imgui.button("Reset to the mesh's material", (-1.0, 0.0)):
                self._give_back(ids)

    def _draw_choice(self, by_title: dict[str, Material], theme: Theme) -> list[Material]:
        """Draw the name, or of several a choice of which are edited; return these."""
        materials = list(by_title.values())
        has_choice = 1 < len(materials) <= _MOST_CHOICES
        if self._only not in by_title or not has_choice:
            self._only = None
        if has_choice:
            label(theme, "Edits")
            imgui.set_next_item_width(-1.0)
            options = [None, *by_title]
            shown = [f"All {len(by_title):,}", *(printable(title) or "(no name)" for title in by_title)]
            _, place = imgui.combo("##edits", options.index(self._only), shown)
            self._only = options[place]
            materials = materials if self._only is None else [by_title[self._only]]
        elif len(materials) > 1 or materials == [DEFAULT_MATERIAL]:
            fact(theme, "name", f"{len(materials):,} materials" if len(materials) > 1 else "None yet")
        if len(materials) == 1 and materials != [DEFAULT_MATERIAL]:
            self._draw_name(self._only or next(iter(by_title)), materials[0], theme)
        return materials

    def _draw_name(self, title: str, material: Material, theme: Theme) -> None:
        label(theme, "Name")
        with fields_of(self._editor):
            name = self._name.draw("##name of material", title, material)
        if name is not None and (renamed := self._editing.rename(material, name)) is not material:
            self._only = self._only and renamed.name

    def cancel_drag(self) -> None:
        """Undo what the held field has done to materials."""
        self._editing.cancel()

    def _shown_by(self, ids: np.ndarray) -> _Shown:
        scene, use = self._editor.scene, self._editing.use
        of_nodes = use.shown(ids)
        users = use.users(np.unique(of_nodes[of_nodes >= 0]))
        return _Shown(
            material_ids_of(scene, ids),
            len(users),
            len(users) - int(np.isin(ids, users).sum()),
            bool((scene.material_overrides[ids[scene.mesh_ids[ids] >= 0]] >= 0).any()),
        )

    def _draw_sharing(self, ids: np.ndarray, shown: _Shown, theme: Theme) -> None:
        if not shown.others:
            return
        hint = "changes show on all of them; click to select them"
        if link(theme, "shared by", f"{shown.users:,} objects", hint):
            self._run("select.same_material")
        with fields_of(self._editor):
            if button("Make a separate copy", "used by the selection only", (-1.0, 0.0)):
                self._editing.make_own(ids, only=self._only)

    def _draw_more(self, ids: np.ndarray, materials: list[Material], state: State, theme: Theme) -> None:
        """Draw what few materials have, below a line that names what of it these have."""
        has = [title.lower() for title, name in _NAMED if any(_is_set(material, name) for material in materials)]
        title = f"More: {', '.join(has)}" if has else "More"
        flags = imgui.TreeNodeFlags_.no_tree_push_on_open | imgui.TreeNodeFlags_.span_avail_width
        if not imgui.tree_node_ex(item(title, "more of a material"), flags):
            return
        with fields_of(self._editor):
            self._draw_rest(ids, materials, state, theme)

    def _draw_rest(self, ids: np.ndarray, materials: list[Material], state: State, theme: Theme) -> None:
        self._draw_colour("Glow", "emission", ids, materials, theme)
        for title, column, least, most in _MORE_SLIDERS:
            self._draw_slider(title, column, ids, materials, theme, least=least, most=most)
        value, same = common_value(materials, "double_sided")
        label(theme, "Both sides")
        changed, is_on = check_box(item("" if same else MIXED, "both sides"), bool(value))
        item_tooltip("back faces are seen, too")
        if changed:
            self._follow(self._only, self._editing.change(ids, only=self._only, double_sided=is_on))
        for name, field in self._maps.items():
            field.draw(ids, materials, state, theme)
            if name in _STRENGTHS:
                title, column, least, most = _STRENGTHS[name]
                self._draw_slider(title, column, ids, materials, theme, least=least, most=most)

    def _draw_colour(self, title: str, column: str, ids: np.ndarray, materials: list[Material], theme: Theme) -> None:
        color, same = common_value(materials, column)
        label(theme, title)
        flags = imgui.ColorEditFlags_.float | (_colour_inputs() if same else imgui.ColorEditFlags_.no_inputs)
        imgui.set_next_item_width(-1.0)
        imgui.push_style_var_x(imgui.StyleVar_.item_inner_spacing, small_gap())
        changed, picked = imgui.color_edit3(f"##{column}", list(color), flags)
        imgui.pop_style_var()
        if not same:
            imgui.same_line()
            imgui.text_colored(theme.quiet, MIXED)
        if changed:
            self._change(ids, **{column: tuple(min(1.0, max(0.0, value)) for value in picked)})

    def _draw_slider(
        self,
        title: str,
        column: str,
        ids: np.ndarray,
        materials: list[Material],
        theme: Theme,
        *,
        least: float = 0.0,
        most: float = 1.0,
    ) -> None:
        value, same = common_value(materials, _SHOWN.get(column, column))
        label(theme, title)
        imgui.set_next_item_width(-1.0)
        changed, number = slider(f"##{column}", float(value), least, most, "%.2f" if same else MIXED, is_filled=same)
        if changed:
            self._change(ids, **{column: min(most, max(least, number))})

    def _change(self, ids: np.ndarray, **values: object) -> None:
        """Apply a step of the held field, or a typed number."""
        if self._editing.is_running and imgui.is_key_pressed(imgui.Key.escape):
            self._editing.cancel()  # the field returns the value of its text, which has fewer digits
            return
        live = self._held.live() if imgui.is_any_item_active() else None
        self._follow(self._only, self._editing.change(ids, live, only=self._only, **values))

    def _texture_setter(self, ids: np.ndarray, field: str) -> Callable[[Path | None], None]:
        """Return what gives a texture to the material that is chosen now: another may be once the image is there."""
        only = self._only

        def set_to(path: Path | None) -> None:
            if path is None:
                self._editing.change(ids, only=only, **{field: None})
            else:
                self._editing.set_texture(ids, path, field=field, only=only, then=partial(self._follow, only))

        return set_to

    def _follow(self, only: str | None, title: str | None) -> None:
        """Take the title that a material has after a change, if it is still the chosen one."""
        if self._only == only:
            self._only = title

    def _give_back(self, ids: np.ndarray) -> None:
        scene = self._editor.scene
        what = f"{len(ids):,} objects" if len(ids) > 1 else str(scene.names[ids[0]])
        self._editor.do(change_nodes(scene, ids, label=f"Take material from {what}", material=-1))


def _is_set(material: Material, name: str) -> bool:
    return bool(getattr(material, name) != getattr(DEFAULT_MATERIAL, name))


def _colour_inputs() -> int:
    """Return the flags of the colour field that fit its width: three numbers, else #RRGGBB, else no text."""
    gap = small_gap()
    room = imgui.get_content_region_avail().x - imgui.get_frame_height() - gap
    marker = 3.0 * gap  # red, green or blue, at the left of a number, and what is free beside that
    if (room - 2.0 * gap) / 3.0 >= imgui.calc_text_size("0.000").x + marker:
        return imgui.ColorEditFlags_.none
    has_room = room >= imgui.calc_text_size("#DDDDDD").x
    return imgui.ColorEditFlags_.display_hex if has_room else imgui.ColorEditFlags_.no_inputs
