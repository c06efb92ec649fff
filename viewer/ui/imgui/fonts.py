"""Fonts: text and headings, icons, and the system's fonts for scripts that the first one lacks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from importlib import resources
from pathlib import Path

from imgui_bundle import imgui

from octoscope.viewer.ui.imgui.theme import FONT_SIZE

_ICONS = "Font_Awesome_6_Free-Solid-900.otf"
_ICON_SIZE = FONT_SIZE * 0.82
_LINUX = "/usr/share/fonts/"
_MAC = "/System/Library/Fonts/"
_WINDOWS = "C:/Windows/Fonts/"

# Names in a scene are in any language, and what systems come with lies in few places. Of each line the first that is
# there is taken: Chinese, Japanese and Korean together; Korean where it is apart; other alphabets and signs.
SYSTEM_FONTS = (
    (
        f"{_LINUX}opentype/noto/NotoSansCJK-Regular.ttc",
        f"{_LINUX}noto-cjk/NotoSansCJK-Regular.ttc",
        f"{_LINUX}google-noto-sans-cjk-fonts/NotoSansCJK-Regular.ttc",
        f"{_LINUX}truetype/droid/DroidSansFallbackFull.ttf",
        f"{_LINUX}truetype/droid/DroidSansFallback.ttf",
        f"{_LINUX}truetype/wqy/wqy-microhei.ttc",
        f"{_LINUX}truetype/wqy/wqy-zenhei.ttc",
        f"{_MAC}Hiragino Sans GB.ttc",
        f"{_MAC}PingFang.ttc",
        f"{_MAC}STHeiti Light.ttc",
        f"{_WINDOWS}msyh.ttc",
        f"{_WINDOWS}YuGothM.ttc",
        f"{_WINDOWS}msgothic.ttc",
    ),
    (
        f"{_LINUX}truetype/nanum/NanumGothic.ttf",
        f"{_MAC}AppleSDGothicNeo.ttc",
        f"{_WINDOWS}malgun.ttf",
    ),
    (
        f"{_LINUX}truetype/dejavu/DejaVuSans.ttf",
        f"{_LINUX}TTF/DejaVuSans.ttf",
        f"{_LINUX}dejavu-sans-fonts/DejaVuSans.ttf",
        f"{_MAC}Supplemental/Arial Unicode.ttf",
        f"{_WINDOWS}seguisym.ttf",
    ),
)


def load_fonts(fonts: imgui.ImFontAtlas, system: Iterable[Sequence[str]] = SYSTEM_FONTS) -> None:
    """Add fonts for text and icons, and of each line of `system` the first file that exists, for what they lack."""
    folder = resources.files("imgui_bundle").joinpath("assets", "fonts")
    text, icons = folder.joinpath("Roboto", "Roboto-Regular.ttf"), folder.joinpath(_ICONS)
    if not (text.is_file() and icons.is_file()):
        fonts.add_font_default_vector()
        return
    fonts.add_font_from_file_ttf(str(text), FONT_SIZE)
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
    fonts.add_font_from_file_ttf(str(folder.joinpath("Roboto", "Roboto-Bold.ttf")), FONT_SIZE)


def heading_font() -> imgui.ImFont:
    """Return the font of headings, which are words of ours: the last one of `load_fonts`."""
    fonts = imgui.get_io().fonts.fonts
    return fonts[fonts.size() - 1]
