"""The texture of a material: its path, typed or chosen, and a preview."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from octoscope.scene import Material, Texture
from octoscope.scene.mesh.images import TEXTURE_ENDINGS, describe_texture
from octoscope.scene.mesh.texture import REPEATED
from octoscope.scene.system.paths import current_folder
from octoscope.scene.system.text_file import printable
from octoscope.viewer.document.file_names import PathRequest, folder_of, parse_path_input
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.material_editing import common_value
from octoscope.viewer.editing.memo import Memo, State
from octoscope.viewer.ui.imgui.items import item_tooltip, small_gap
from octoscope.viewer.ui.imgui.theme import Theme
from octoscope.viewer.ui.panels.inspector.rows import icon_button, label, quiet, values_begin
from octoscope.viewer.ui.widgets.fields import MIXED

# From pixels, (h, w, 4) uint8, to an image of Dear ImGui.
ImageOf = Callable[[np.ndarray], imgui.ImTextureRef]

_PREVIEW = 4.6  # heights of the text


class TextureField:
    """Shows, sets and clears a texture of materials."""

    def __init__(
        self,
        editor: Editor,
        setter_of: Callable[[np.ndarray, str], Callable[[Path | None], object]],
        ask_path: Callable[[PathRequest], object],
        image_of: ImageOf,
        field: str = "base_color_texture",
        title: str = "Texture",
    ) -> None:
        self._field = field
        self._title = title
        self._editor = editor
        self._setter_of = setter_of
        self._ask_path = ask_path
        self._image_of = image_of
        self._typed: tuple[np.ndarray, str] | None = None  # ids and text
        self._described: tuple[Texture | None, str] = (None, "")
        self._lacks_places: Memo[bool] = Memo()

    def draw(self, ids: np.ndarray, materials: list[Material], state: State, theme: Theme) -> None:
        """Draw the field for nodes that show these materials."""
        texture, same = common_value(materials, self._field)
        label(theme, self._title)
        can_clear = texture is not None or not same
        used = (icons.ICON_FA_FOLDER_OPEN, icons.ICON_FA_XMARK)[: 1 + can_clear]
        imgui.set_next_item_width(-sum(imgui.calc_text_size(icon).x + small_gap() + 2.0 for icon in used))
        self._draw_path(ids, texture if same else None, same=same)
        imgui.same_line(0.0, small_gap())
        name = self._title.lower()
        if icon_button(theme, icons.ICON_FA_FOLDER_OPEN, f"choose {name}", "choose an image"):
            request = PathRequest(
                f"Choose {name}",
                TEXTURE_ENDINGS,
                self._setter_of(ids, self._field),
                folder=folder_of(self._editor.scene.sources),
            )
            self._ask_path(request)
        if can_clear:
            imgui.same_line(0.0, small_gap())
            if icon_button(theme, icons.ICON_FA_XMARK, f"clear {name}", f"no {name}"):
                self._setter_of(ids, self._field)(None)
        if same and texture is not None:
            on_second = any(material.is_on_second_uvs(self._field) for material in materials)
            self._draw_look(ids, texture, state, theme, on_second=on_second)

    def _draw_path(self, ids: np.ndarray, texture: Texture | None, *, same: bool) -> None:
        path = "" if texture is None else printable(texture.path)
        typed = self._typed[1] if self._typed is not None and self._typed[0] is ids else None
        shown = path if typed is None else typed
        flags = imgui.InputTextFlags_.auto_select_all | imgui.InputTextFlags_.elide_left
        _, text = imgui.input_text_with_hint(f"##{self._field}", "None" if same else MIXED, shown, flags)
        if imgui.is_item_active():
            self._typed = (ids, text)
            return
        item_tooltip(path, is_name=True)
        if typed is not None:
            self._typed = None
            if imgui.is_item_deactivated_after_edit() and text.strip() != path:
                self._take(ids, text.strip())

    def _take(self, ids: np.ndarray, text: str) -> None:
        if text:
            project = self._editor.scene.project.path
            folder = current_folder() if project is None else project.parent
            self._setter_of(ids, self._field)(parse_path_input(folder, text).path)
        else:
            self._setter_of(ids, self._field)(None)

    def _draw_look(self, ids: np.ndarray, texture: Texture, state: State, theme: Theme, *, on_second: bool) -> None:
        if self._described[0] is not texture:
            self._described = texture, describe_texture(texture)
        height, width = texture.pixels.shape[:2]
        side = _PREVIEW * imgui.get_font_size()
        scale = side / max(width, height)
        imgui.set_cursor_pos_x(values_begin())
        imgui.image(self._image_of(texture.pixels), (width * scale, height * scale))
        imgui.set_cursor_pos_x(values_begin())
        quiet(theme, self._described[1])
        if texture.wrap != REPEATED:
            u, v = texture.wrap
            quiet(theme, f"wrap: {u}" if u == v else f"wrap: {u} along u, {v} along v")
        if on_second:
            quiet(theme, "by the second set of texture coordinates")
        if self._lacks_places.get(ids, state, lambda: self._has_no_places(ids, on_second)):
            quiet(theme, "the mesh has no texture coordinates: it shows a single point of the image")

    def _has_no_places(self, ids: np.ndarray, on_second: bool) -> bool:
        """Return whether all texture coordinates, of the second set or the first, of the last mesh are the same."""
        scene = self._editor.scene
        mesh_ids = scene.mesh_ids[ids]
        mesh = scene.meshes.mesh(int(mesh_ids[mesh_ids >= 0][-1]))
        uvs = mesh.second_uvs if on_second else mesh.uvs
        return uvs is None or bool((uvs == uvs[0]).all())
