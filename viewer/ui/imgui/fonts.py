"""Fonts: text and headings, icons, and the system's fonts for scripts that the first one lacks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from importlib import resources
from pathlib import Path

from imgui_bundle import imgui

from octoscope.viewer.frame.look.fonts import SYSTEM_FONTS, text_font_file
from octoscope.viewer.ui.imgui.theme import FONT_SIZE

_FIXED = "Inconsolata-Medium.ttf"
_ICONS = "Font_Awesome_6_Free-Solid-900.otf"
_ICON_SIZE = FONT_SIZE * 0.82


def load_fonts(fonts: imgui.ImFontAtlas, system: Iterable[Sequence[str]] = SYSTEM_FONTS) -> None:
    """Add fonts for text and icons, and of each line of `system` the first file that exists, for what they lack."""
    folder = resources.files("imgui_bundle").joinpath("assets", "fonts")
    text, icons = text_font_file(), folder.joinpath(_ICONS)
    if text is None or not icons.is_file():
        fonts.add_font_default_vector()
        return
    fonts.add_font_from_file_ttf(text, FONT_SIZE)
    merged = imgui.ImFontConfig()
    merged.merge_mode = True
    merged.glyph_min_advance_x = FONT_SIZE
    merged.glyph_offset = imgui.ImVec2(0.0, 1.0)
    fonts.add_font_from_file_ttf(str(icons), _ICON_SIZE, merged)
    for files in system:
        file = next((file for file in files if Path(file).is_file()), None)
        if file is not None:
            beside = imgui.ImFontConfig()
            beside.merge_mode = True
            with suppress(RuntimeError):  # Dear ImGui cannot read the file
                fonts.add_font_from_file_ttf(file, FONT_SIZE, beside)
    fonts.add_font_from_file_ttf(str(folder.joinpath(_FIXED)), FONT_SIZE)
    fonts.add_font_from_file_ttf(str(folder.joinpath("Roboto", "Roboto-Bold.ttf")), FONT_SIZE)


def heading_font() -> imgui.ImFont:
    """Return the font of headings, which are words of ours: the last one of `load_fonts`."""
    fonts = imgui.get_io().fonts.fonts
    return fonts[fonts.size() - 1]


def font_of_code(text: str) -> imgui.ImFont:
    """Return the font for a piece of code: all characters are as wide, where that font has all of them."""
    fonts = imgui.get_io().fonts.fonts
    return fonts[max(0, fonts.size() - 2)] if text.isascii() else imgui.get_font()
