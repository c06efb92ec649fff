"""The panel of materials: a grid of spheres; a click chooses one, a double click renames it."""

from __future__ import annotations

from functools import partial

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from octoscope.scene import Material
from octoscope.scene.editing.material_list import MaterialRow
from octoscope.scene.system.text_file import printable
from octoscope.viewer.commands.context import Context
from octoscope.viewer.editing.background_pictures import BackgroundPictures
from octoscope.viewer.features.materials_panel.material_list import MaterialList
from octoscope.viewer.features.materials_panel.spheres import SphereDrawing
from octoscope.viewer.frame.redraw import Damage
from octoscope.viewer.ui.imgui.items import (
    continue_line,
    empty_state,
    fitting,
    item_tooltip,
    next_button,
    slider,
    tooltip,
)
from octoscope.viewer.ui.imgui.theme import Theme
from octoscope.viewer.ui.widgets.rename_field import RenameField
from octoscope.viewer.ui.widgets.thumbnail_grid import SIZES, cells_in_sight, draw_cell, walked

# Buttons: the command, the glyph, and the word beside it.
_BUTTONS = (
    ("material.new", icons.ICON_FA_PLUS, "New"),
    ("material.from_image", icons.ICON_FA_IMAGE, "Image"),
    ("material.assign", icons.ICON_FA_FILL_DRIP, "Assign"),
    ("material.select", icons.ICON_FA_ARROW_POINTER, "Select"),
    ("material.duplicate", icons.ICON_FA_CLONE, "Duplicate"),
    ("material.remove_unused", icons.ICON_FA_TRASH, "Unused"),
)


class MaterialsPanel:
    """Shows the materials.

    Attributes:
        size: of a cell, logical pixels at scale 1.
    """

    id, title, place, keys, starts_open = "materials", "Materials", "bottom", (), False

    def __init__(self, context: Context, materials: MaterialList) -> None:
        self.size = 72.0
        self._context = context
        self._materials = materials
        self._rename = RenameField[Material]()
        self._focused_frame = -1  # the last one in which the panel had the keys
        redraw = partial(context.view.redraw.request, Damage.PANELS)
        self._spheres = BackgroundPictures(context.editor.jobs, SphereDrawing().pictures, redraw)

    @property
    def is_focused(self) -> bool:
        """True if the panel was clicked or opened last."""
        return self._focused_frame == imgui.get_frame_count()

    def begin_rename(self, row: MaterialRow) -> None:
        """Open a text field in place of a material's name."""
        self._context.show_panel(self.id)
        self._context.expect_field()
        self._materials.query = ""
        self._rename.begin(row.material, row.title)

    def draw(self, theme: Theme) -> None:
        """Draw the tools and the grid."""
        if imgui.is_window_focused(imgui.FocusedFlags_.root_and_child_windows):
            self._focused_frame = imgui.get_frame_count()
        self._draw_tools()
        if imgui.begin_child("grid"):
            rows = self._materials.rows
            if not rows:
                text, action = (
                    ("No material of that name.", "") if self._materials.all else ("No materials yet.", "New")
                )
                if empty_state(theme, icons.ICON_FA_CIRCLE_HALF_STROKE, text, action):
                    self._context.run("material.new")
            current = self._materials.current
            renamed = next((number for number, row in enumerate(rows) if row.material is self._rename.row), None)
            marked = next((number for number, row in enumerate(rows) if row is current), None)
            if (came_to := walked(marked, len(rows), self.size)) is not None:
                current = rows[came_to]
                self._materials.choose(current.material)
            for number in cells_in_sight(len(rows), self.size, renamed if came_to is None else came_to):
                self._draw_cell(rows[number], theme, is_marked=rows[number] is current)
                if number == came_to:
                    imgui.internal.scroll_to_item()
        imgui.end_child()
        self._spheres.work()

    def _draw_tools(self) -> None:
        style, width = imgui.get_style(), min(11.0 * imgui.get_font_size(), imgui.get_content_region_avail().x)
        imgui.set_next_item_width(width)
        hint = fitting(f"{icons.ICON_FA_MAGNIFYING_GLASS}  Name", width - 2.0 * style.frame_padding.x)
        _, self._materials.query = imgui.input_text_with_hint("##find", hint, self._materials.query)
        table = self._context.table()
        for command_id, glyph, word in _BUTTONS:
            command = table[command_id]
            if next_button(f"{glyph}  {word}", command_id, f"{command.label}: {command.description}"):
                self._context.run(command_id)
        width = 5.0 * imgui.get_font_size()
        continue_line(width, style.item_spacing.x)
        imgui.set_next_item_width(width)
        _, self.size = slider("##size", self.size, *SIZES, "%.0f px")
        item_tooltip("size of the spheres")

    def _draw_cell(self, row: MaterialRow, theme: Theme, *, is_marked: bool) -> None:
        corner, material = imgui.get_cursor_screen_pos(), row.material
        pixels, name = self._spheres.of(material), printable(row.title) or "(no name)"
        picture = icons.ICON_FA_CIRCLE if pixels is None else self._context.image_of(pixels)
        is_renamed = self._rename.row is material
        color = (*material.base_color, 1.0)
        item_id = str(id(material))
        shown = "" if is_renamed else name
        draw_cell(shown, item_id, self.size, picture, theme, is_marked=is_marked, glyph_color=color)
        if imgui.is_item_clicked() or imgui.is_item_clicked(imgui.MouseButton_.right):
            self._materials.choose(material)
        if imgui.is_item_hovered() and imgui.is_mouse_double_clicked(imgui.MouseButton_.left):
            self.begin_rename(row)
        if not is_renamed and imgui.is_item_hovered(imgui.HoveredFlags_.for_tooltip):
            tooltip(_about(row, name))
        if imgui.begin_popup_context_item(item_id):
            for command_id in ("assign", "select", "rename", "duplicate", "remove"):
                command = self._context.table()[f"material.{command_id}"]
                if imgui.menu_item_simple(command.label, enabled=command.enabled()):
                    self._context.run(command.id)
            imgui.end_popup()
        if is_renamed:
            side = self.size * imgui.get_style().font_scale_main
            imgui.set_cursor_screen_pos((corner.x, corner.y + side))
            if (new := self._rename.draw(side, is_low=True)) is not None:
                self._materials.rename(row, new)


def _about(row: MaterialRow, name: str) -> str:
    """Return a tooltip about a material."""
    uses = [
        f"{'1 object' if count == 1 else f'{count:,} objects'} {where}"
        for count, where in ((row.whole, "all over"), (row.parts, "on a part"))
        if count
    ]
    material = row.material
    lines = [name, "shown by " + ", ".join(uses) if uses else "no object shows it"]
    lines.append(f"metal {material.metallic:.2f}, roughness {material.shown_roughness:.2f}")
    if material.opacity < 1.0:
        lines.append(f"opacity {material.opacity:.2f}")
    lines += dict.fromkeys(printable(texture.path.name) for texture in material.textures)
    lines += [f"kept for MTL: {printable(line)}" for line in material.kept_mtl.split("\n") if line]
    return "\n".join(lines)
