"""The parts of the inspector's foldouts: headings, labels and values."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from imgui_bundle import imgui

from octoscope.scene.measuring import Lengths
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.settings.kept import are_texts, attribute
from octoscope.viewer.ui.imgui.fonts import heading_font
from octoscope.viewer.ui.imgui.items import (
    button_width,
    fitting,
    item,
    item_tooltip,
    sentence_case,
    small_gap,
    wrapped_text,
)
from octoscope.viewer.ui.imgui.theme import Theme

_LABELS = 0.34  # of the panel's width
# In heights of the text; if label and value do not fit side by side, the value stands below.
_LEAST_LABELS, _LEAST_FACTS, _LEAST_FIELDS = 5.8, 4.0, 6.8
_INDENT = 1.0  # of a value below its label


class Headings:
    """The headings of a panel, each of which opens and closes what is below it.

    Attributes:
        closed: their titles; a setting, so that they are kept between runs.
    """

    def __init__(self) -> None:
        self.closed: list[str] = []
        self.setting = attribute(self, "closed", are_texts)

    def draw(self, title: str, theme: Theme, hint: str = "") -> bool:
        """Draw a heading, and return whether it is open; `hint` is its tooltip."""
        imgui.set_next_item_open(title not in self.closed)
        if _foldout(title, theme, hint):
            self.closed = [each for each in self.closed if each != title]
        elif title not in self.closed:
            self.closed = [*self.closed, title]
        return title not in self.closed


def _foldout(title: str, theme: Theme, hint: str) -> bool:
    imgui.push_style_color(imgui.Col_.header, theme.raised)
    imgui.push_style_var(imgui.StyleVar_.frame_border_size, 0.0)
    imgui.push_style_var(imgui.StyleVar_.frame_padding, (imgui.get_style().frame_padding.y,) * 2)
    imgui.push_font(heading_font(), 0.0)
    is_open = imgui.collapsing_header(item(title, title))
    imgui.pop_font()
    imgui.pop_style_var(2)
    imgui.pop_style_color()
    item_tooltip(hint)
    return is_open


def labels_end() -> float:
    """Return where the column of labels ends, logical pixels from the left of the panel."""
    return max(_LABELS * imgui.get_window_width(), _LEAST_LABELS * imgui.get_font_size())


def values_begin(least: float = _LEAST_FIELDS) -> float:
    """Return where values begin: beside labels, where there is room for `least` heights of the text, else below."""
    return labels_end() if _has_room(least) else _INDENT * imgui.get_font_size()


def to_value(least: float = _LEAST_FIELDS) -> None:
    """Move to the value of the label that was just drawn; `least` as for `values_begin`."""
    if _has_room(least):
        imgui.same_line(values_begin(least))
    else:
        imgui.set_cursor_pos_x(values_begin(least))


def _has_room(least: float) -> bool:
    return imgui.get_window_width() >= (_LEAST_LABELS + least) * imgui.get_font_size()


def label(theme: Theme, text: str, least: float = _LEAST_FIELDS, hint: str = "") -> None:
    """Draw the label of a field that is drawn next; `least` as for `values_begin`, `hint` is the label's tooltip."""
    imgui.align_text_to_frame_padding()
    imgui.text_colored(theme.quiet, sentence_case(text))
    item_tooltip(hint)
    end = imgui.get_item_rect_max().x - imgui.get_window_pos().x
    to_value(least)
    if _has_room(least):  # also beside a label that is longer than its column
        imgui.set_cursor_pos_x(max(imgui.get_cursor_pos_x(), end + small_gap()))


def choice(theme: Theme, text: str, key: str, index: int, names: Sequence[str], hint: str = "") -> int | None:
    """Draw a label and a list, below it where its names have no room; return the index of what was chosen, or None.

    `hint` is the label's tooltip.
    """
    needed = max(imgui.calc_text_size(name).x for name in names) + button_width("") + imgui.get_frame_height()
    room = imgui.get_cursor_pos_x() + imgui.get_content_region_avail().x - labels_end()
    label(theme, text, 0.0 if needed <= room else math.inf, hint)
    imgui.set_next_item_width(-1.0)
    changed, chosen = imgui.combo(f"##{key}", index, list(map(sentence_case, names)))
    return chosen if changed else None


def fact(theme: Theme, name: str, text: str, hint: str = "") -> None:
    """Draw a label and a text, which is wrapped, below it if it is longer than its column; `hint` is its tooltip."""
    imgui.text_colored(theme.quiet, sentence_case(name))
    end = imgui.get_item_rect_max().x - imgui.get_window_pos().x
    item_tooltip(hint)
    to_value(_LEAST_FACTS if end < labels_end() else math.inf)
    wrapped_text(text)


def link(theme: Theme, name: str, text: str, hint: str) -> bool:
    """Draw a label and a text that can be clicked, and return whether it was."""
    imgui.text_colored(theme.quiet, sentence_case(name))
    to_value(_LEAST_FACTS)
    shown = fitting(text, imgui.get_content_region_avail().x)
    clicked = imgui.text_link(item(shown, name))
    item_tooltip(hint if shown == text else f"{text}\n{hint}", is_name=shown != text)
    return clicked


def quiet(theme: Theme, text: str) -> None:
    """Draw a line of explanation."""
    wrapped_text(sentence_case(text), theme.quiet)


def icon_button(theme: Theme, icon: str, name: str, hint: str, *, is_on: bool = False) -> bool:
    """Draw an icon that can be clicked, and return whether it was."""
    imgui.push_style_color(imgui.Col_.button, (0.0, 0.0, 0.0, 0.0))
    imgui.push_style_color(imgui.Col_.text, theme.warm if is_on else theme.quiet)
    imgui.push_style_var(imgui.StyleVar_.frame_padding, (1.0, imgui.get_style().frame_padding.y))
    imgui.push_style_var(imgui.StyleVar_.frame_border_size, 0.0)
    clicked = imgui.button(item(icon, name))
    imgui.pop_style_var(2)
    imgui.pop_style_color(2)
    item_tooltip(hint)
    return clicked


class NameField:
    """A field of a name, which is taken as the field is left; Esc leaves the old one."""

    def __init__(self) -> None:
        self._typed = ""
        self._of: object = None  # whose name is typed

    def draw(self, item_id: str, name: str, of: object) -> str | None:
        """Draw the field over the rest of the line; return a name that was typed for the very same `of`."""
        imgui.set_next_item_width(-1.0)
        is_typed = self._of is of
        _, typed = imgui.input_text_with_hint(item_id, "(no name)", self._typed if is_typed else name)
        if imgui.is_item_active():
            self._typed, self._of = typed, of
            return None
        self._of = None
        return self._typed if is_typed and imgui.is_item_deactivated_after_edit() else None


@contextmanager
def fields_of(editor: Editor) -> Iterator[None]:
    """Grey out the fields drawn in this context, which then take no input, if the scene can never be edited."""
    imgui.begin_disabled(editor.read_only is not None)
    yield
    imgui.end_disabled()


def draw_box(
    theme: Theme, box: tuple[np.ndarray, np.ndarray] | None, lengths: Lengths, *, with_centre: bool = False
) -> None:
    """Draw size and centre of a box in the world."""
    if box is not None:
        lengths = lengths.alike(box[1] - box[0])
        fact(theme, "size", lengths.sides(box[1] - box[0]))
        if with_centre:
            fact(theme, "centre", lengths.point(box[0] / 2.0 + box[1] / 2.0))
