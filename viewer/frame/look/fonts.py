"""Fonts of texts in pictures and in the interface: the one of both, and the system's for what it lacks."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

_LINUX = "/usr/share/fonts/"
_MAC = "/System/Library/Fonts/"
_WINDOWS = "C:/Windows/Fonts/"
_NO_CHARACTER = "\U0010ffff"  # which no font has
_UNKNOWN = "?"  # stands for a character that no font has, as in Dear ImGui

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
    (f"{_LINUX}truetype/nanum/NanumGothic.ttf", f"{_MAC}AppleSDGothicNeo.ttc", f"{_WINDOWS}malgun.ttf"),
    (
        f"{_LINUX}truetype/dejavu/DejaVuSans.ttf",
        f"{_LINUX}TTF/DejaVuSans.ttf",
        f"{_LINUX}dejavu-sans-fonts/DejaVuSans.ttf",
        f"{_MAC}Supplemental/Arial Unicode.ttf",
        f"{_WINDOWS}seguisym.ttf",
    ),
)


def text_font_file() -> str | None:
    """Return the path of the font for text, which imgui-bundle brings; None: it is not there."""
    found = find_spec("imgui_bundle")  # without importing it
    for folder in () if found is None else found.submodule_search_locations or ():
        if (file := Path(folder, "assets", "fonts", "Roboto", "Roboto-Regular.ttf")).is_file():
            return str(file)
    return None


class LabelFont:
    """Draws texts of one size in pictures: each character by the first font that has it.

    Attributes:
        ascent, line_height: of the first font, pixels.
    """

    def __init__(self, size_px: int) -> None:
        from PIL import ImageFont  # only here: few pictures have texts

        first = text_font_file()
        files = [] if first is None else [first]
        files += [file for line in SYSTEM_FONTS for file in [each for each in line if Path(each).is_file()][:1]]
        self._fonts = [ImageFont.truetype(file, size_px) for file in files]
        default = ImageFont.load_default(size_px)
        assert isinstance(default, ImageFont.FreeTypeFont)  # Pillow has another only without FreeType
        self._fonts.append(default)
        self._unknown = [_mask(font, _NO_CHARACTER) for font in self._fonts]
        self._places: dict[str, int | None] = {}  # of fonts, by character
        self.ascent, descent = self._fonts[0].getmetrics()
        self.line_height = self.ascent + descent

    def length(self, text: str) -> float:
        """Return the width of a text, pixels."""
        return sum(font.getlength(part) for font, part in self._parts(text))

    def draw(self, canvas: ImageDraw, place: tuple[float, float], text: str, **options: Any) -> None:
        """Draw a text, with options of Pillow's `text`, right of the pixel (x, y) and below it."""
        x, y = place
        for font, part in self._parts(text):
            canvas.text((x, y + self.ascent), part, font=font, anchor="ls", **options)
            x += font.getlength(part)

    def _parts(self, text: str) -> list[tuple[FreeTypeFont, str]]:
        """Divide a text into parts of one font each."""
        parts: list[tuple[FreeTypeFont, str]] = []
        for character in text:
            place = self._place(character)
            shown, font = (_UNKNOWN, self._fonts[0]) if place is None else (character, self._fonts[place])
            if parts and parts[-1][0] is font:
                parts[-1] = font, parts[-1][1] + shown
            else:
                parts.append((font, shown))
        return parts

    def _place(self, character: str) -> int | None:
        if character not in self._places:
            has = (k for k, font in enumerate(self._fonts) if _mask(font, character) != self._unknown[k])
            self._places[character] = next(has, None)
        return self._places[character]


@lru_cache(maxsize=32)
def label_font(size_px: int) -> LabelFont:
    """Return the font of texts in pictures in a size."""
    return LabelFont(size_px)


def _mask(font: FreeTypeFont, character: str) -> tuple[bytes, tuple[int, int]]:
    """Return what a font draws for a character: for those that it lacks, always the same."""
    mask = font.getmask(character)
    return bytes(mask), mask.size
