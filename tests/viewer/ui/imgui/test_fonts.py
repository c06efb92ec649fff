"""Letters of names in any language."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from octoscope.viewer.frame.look.fonts import SYSTEM_FONTS
from octoscope.viewer.ui.imgui.fonts import load_fonts

_MATHEMATICS = str(
    resources.files("imgui_bundle").joinpath("assets", "fonts", "latex", "latinmodern-math.otf")
)  # stands for a font of the system's
_FOR_ALL = ord("∀")


@pytest.fixture
def fonts() -> Iterator[imgui.ImFontAtlas]:
    context = imgui.create_context()
    imgui.set_current_context(context)
    imgui.get_io().backend_flags |= imgui.BackendFlags_.renderer_has_textures
    yield imgui.get_io().fonts
    imgui.destroy_context(context)


@pytest.mark.parametrize("is_there", [True, False])
def test_letters_that_the_text_font_lacks_come_from_the_first_font_that_is_there(fonts, tmp_path, is_there):
    missing = str(tmp_path / "missing.ttf")
    load_fonts(fonts, [(missing, _MATHEMATICS if is_there else missing), (missing,)])
    font, *_ = fonts.fonts  # those of code and of headings are others
    assert font.is_glyph_in_font(_FOR_ALL) == is_there
    assert all(map(font.is_glyph_in_font, map(ord, f"aßéя{icons.ICON_FA_CUBE}")))


def test_what_the_text_font_has_is_not_taken_from_others(fonts):
    load_fonts(fonts, [])
    load_fonts(fonts, [(_MATHEMATICS,)])
    alone, beside = (
        [font.get_font_baked(15.0).get_char_advance(ord(letter)) for letter in "Wa 1ßö"]
        for font in list(fonts.fonts)[::3]
    )
    assert alone == beside


def test_japanese_has_a_font_where_one_of_those_known_is_there(fonts):
    if not any(Path(file).is_file() for file in SYSTEM_FONTS[0]):
        pytest.skip("this system has none of them")
    load_fonts(fonts)
    font, *_ = fonts.fonts  # those of code and of headings are others
    assert all(map(font.is_glyph_in_font, map(ord, "家具かガ")))


@pytest.mark.parametrize("data", [b"", b"no font", b"\x00\x01\x00\x00" + bytes(200)])
def test_a_font_that_is_broken_is_passed_over(fonts, tmp_path, data):
    (tmp_path / "broken.ttf").write_bytes(data)
    load_fonts(fonts, [(str(tmp_path / "broken.ttf"),), (_MATHEMATICS,)])
    font, *_ = fonts.fonts  # those of code and of headings are others
    assert font.is_glyph_in_font(_FOR_ALL)
    assert all(map(font.is_glyph_in_font, map(ord, f"aßéя{icons.ICON_FA_CUBE}")))
