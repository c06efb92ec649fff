"""NumberFields: numbers of several objects at once, dragged or typed, with a word where they differ."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from imgui_bundle import imgui, imgui_ctx

from octoscope.scene.conventions.typed_numbers import typed_values
from octoscope.scene.measuring.lengths import Lengths
from octoscope.viewer.ui.imgui.items import item, item_tooltip, small_gap
from octoscope.viewer.ui.imgui.theme import AXIS_COLORS, packed

MIXED, _MIXED_SHORT = "Mixed", "–"
NUMBERS = Lengths()  # that are no lengths
PICTURE_PX = 800.0  # a pixel of a drag moves by about a pixel of a picture of this height
_DRAG_BEGINS_PX = 3.0
_FINER = 0.1  # of a drag with Shift


@dataclass(frozen=True)
class FieldLook:
    """Unit, axis, colour, speed and steps of a number field.

    Attributes:
        speed: of a drag, units per pixel.
        step: of a drag with Ctrl.
        width: logical pixels; 0: the rest of the line.
        lengths: how the number is written, and which unit may be typed; the tooltip has more of its digits.
        unit: shown behind a number that is no length, such as "°".
        axis: whose colour the field has at its left.
        note: a line of the tooltip, below the number.
    """

    speed: float
    step: float = 1.0
    width: float = 0.0
    lengths: Lengths = NUMBERS
    unit: str = ""
    axis: int | None = None
    note: str = ""


@dataclass(frozen=True, eq=False)
class Changed:
    """The change of a field's values."""

    values: np.ndarray  # (k,) float64
    is_drag: bool  # whether a drag goes on, of which this is a step


@dataclass
class _Drag:
    key: str
    begin: np.ndarray
    pixels: float = 0.0
    moves: bool = False


@dataclass
class _Typing:
    key: str
    first: str  # the text at first
    text: str
    frames: int = 0  # since it began
    was_active: bool = False


class NumberFields:
    """Fields of which one at a time is dragged or typed in.

    A drag adds the same to all values: with Shift ten times finer, with Ctrl to whole steps of the last value. A click
    starts typing: an expression for all values, or a change of each (typed_values). Enter accepts it, Tab
    goes on to the next field, Shift+Tab to the one before, where typing starts, too; Esc discards it.

    Args:
        tell: gets a line about a text that is not valid, and "" with a change that is.
        expect_field: called before a text field appears.
    """

    def __init__(self, tell: Callable[[str], object], expect_field: Callable[[], object]) -> None:
        self._tell = tell
        self._expect_field = expect_field
        self._keys: list[str] = []  # of the last frame's fields, in order
        self._keys_before: list[str] = []
        self._drag: _Drag | None = None
        self._typing: _Typing | None = None
        self._tabbed_to = ""  # key of the field where typing begins once it has ended in the one that Tab left
        self._owner: object = None

    def begin(self, owner: object) -> None:
        """Begin a frame; if the fields belong to another owner than before, typing and dragging end."""
        self._keys_before, self._keys = self._keys, []
        if owner is not self._owner:
            self._owner, self._typing, self._drag = owner, None, None
        elif self._typing is not None and self._typing.key not in self._keys_before and self._typing.frames > 1:
            self._typing = None

    def cancel_drag(self) -> None:
        """End the drag under way."""
        self._drag = None

    def field(self, key: str, title: str, values: np.ndarray, look: FieldLook, *, same: bool) -> Changed | None:
        """Draw one field, and return the change that the user made, or None.

        Args:
            key: a name of the field that stays the same.
            values: (k,) float64, k > 0.
        """
        look = replace(look, width=look.width or imgui.get_content_region_avail().x)
        self._keys.append(key)
        if self._tabbed_to == key and self._typing is None:
            self._tabbed_to = ""
            self._begin_typing(key, values, same)
        if self._typing is not None and self._typing.key == key:
            changed = self._draw_typing(self._typing, title, values, look)
        else:
            changed = self._draw_number(key, values, look, same)
        if look.axis is not None:
            low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
            rounding, flags = imgui.get_style().frame_rounding, imgui.ImDrawFlags_.round_left
            high = imgui.ImVec2(low.x + small_gap() * 0.75, high.y)
            imgui.get_window_draw_list().add_rect_filled(low, high, packed(AXIS_COLORS[look.axis]), rounding, flags)
        if changed is not None:
            self._tell("")
        return changed

    def number(self, name: str, value: float, look: FieldLook) -> float | None:
        """Draw the field of one number, and return it as changed, or None."""
        changed = self.field(name.lower(), name, np.array([value]), look, same=True)
        return None if changed is None else float(changed.values[0])

    def vector(self, name: str, vector: np.ndarray, look: FieldLook) -> np.ndarray | None:
        """Draw three fields over the rest of the line, and return (3,) the vector as changed, or None."""
        width, changed = width_of_three(), None
        look = replace(look, width=width, lengths=fitting_row(look.lengths, vector, width))
        for axis in range(3):
            if axis:
                imgui.same_line(0.0, small_gap())
            value = self.number(f"{name} {'xyz'[axis]}", float(vector[axis]), replace(look, axis=axis))
            if value is not None:
                changed = vector.copy()
                changed[axis] = value
        return changed

    def _draw_number(self, key: str, values: np.ndarray, look: FieldLook, same: bool) -> Changed | None:
        value = float(values[-1])
        whole = f"{value:.10g}{look.unit} {look.lengths.unit}".rstrip() if same else MIXED
        about = "" if look.axis is None else f"{'XYZ'[look.axis]}: "
        room = _room(look.width)
        if same:
            text = fitting_number(value, room, look.lengths.text(value), look.unit)
        else:
            text = MIXED if imgui.calc_text_size(MIXED).x <= room else _MIXED_SHORT
        for column, like in (("button", "frame_bg"), ("button_hovered", "frame_bg_hovered")):
            color = imgui.get_style_color_vec4(getattr(imgui.Col_, like))
            imgui.push_style_color(getattr(imgui.Col_, column), color)
        imgui.push_style_color(imgui.Col_.button_active, imgui.get_style_color_vec4(imgui.Col_.frame_bg_active))
        imgui.push_style_var(imgui.StyleVar_.frame_padding, (small_gap(), imgui.get_style().frame_padding.y))
        clicked = imgui.button(item(text, key), (look.width, 0.0))
        context = imgui.get_current_context()
        if context.nav_just_moved_to_id == imgui.get_item_id() and context.nav_just_moved_to_is_tabbing:
            self._tabbed_to = key
        imgui.pop_style_var()
        imgui.pop_style_color(3)
        if imgui.is_item_hovered() or imgui.is_item_active():
            imgui.set_mouse_cursor(imgui.MouseCursor_.resize_ew)
        if text != whole or about or look.note:
            item_tooltip("\n".join(filter(None, (about + whole, look.note))))
        if imgui.is_item_activated():
            self._drag = _Drag(key, values)
            return None
        drag = self._drag
        if drag is None or drag.key != key:
            return None
        if not imgui.is_item_active():
            self._drag = None
            if clicked and not drag.moves:
                self._begin_typing(key, values, same)
            return None
        return self._dragged(drag, look)

    def _dragged(self, drag: _Drag, look: FieldLook) -> Changed | None:
        io = imgui.get_io()
        if not io.mouse_delta.x and not drag.moves:
            return None
        drag.pixels += io.mouse_delta.x * (_FINER if io.key_shift and drag.moves else 1.0)
        if not drag.moves:
            if abs(drag.pixels) < _DRAG_BEGINS_PX:
                return None
            drag.moves = True
        amount = drag.pixels * look.speed
        if io.key_ctrl:
            last = float(drag.begin[-1])
            amount = round((last + amount) / look.step) * look.step - last
        else:  # to significant digits
            amount = round(amount, max(0, 2 - math.floor(math.log10(look.speed))))
        values = drag.begin + amount
        if io.key_ctrl:
            values[-1] = float(f"{values[-1]:.12g}")  # 0.3, as three steps of 0.1 are slightly more
        return Changed(values, True)

    # Typing.

    def _begin_typing(self, key: str, values: np.ndarray, same: bool) -> None:
        text = f"{values[-1]:.15g}" if same else ""
        self._typing = _Typing(key, text, text)
        self._expect_field()  # with slow frames, keys come before the field appears

    def _draw_typing(self, typing: _Typing, title: str, values: np.ndarray, look: FieldLook) -> Changed | None:
        if typing.frames == 0:
            imgui.set_keyboard_focus_here()
        typing.frames += 1
        imgui.set_next_item_width(look.width)
        with imgui_ctx.push_style_var(
            imgui.StyleVar_.frame_padding, (1.5 * small_gap(), imgui.get_style().frame_padding.y)
        ):
            _, typing.text = imgui.input_text_with_hint(
                f"##typed {typing.key}", MIXED, typing.text, imgui.InputTextFlags_.auto_select_all
            )
        if imgui.is_item_active():
            typing.was_active = True
            if imgui.is_item_hovered() and imgui.is_mouse_double_clicked(0):  # the first click opened the field
                imgui.internal.get_input_text_state(imgui.get_item_id()).select_all()
            return None
        if not typing.was_active:
            return None
        self._typing = None
        if typing.text == typing.first or imgui.is_key_pressed(imgui.Key.escape):
            return None
        try:
            return Changed(typed_values(typing.text, values, look.lengths.unit), False)
        except ValueError as error:
            self._tell(f"{title}: {error}")
            return None


def fitting_row(lengths: Lengths, values: np.ndarray, width: float) -> Lengths:
    """Return what writes lengths beside each other with the same decimals, as many as fields of a width can show."""
    lengths = lengths.alike(values)
    largest = float(np.abs(values).max())  # of which a digit stays
    while lengths.decimals and (not largest or largest >= 10.0 ** (1 - lengths.decimals)):
        if all(imgui.calc_text_size(lengths.number(each)).x <= _room(width) for each in values):
            break
        lengths = replace(lengths, decimals=lengths.decimals - 1)
    return lengths


def _room(width: float) -> float:
    """Return how much of a field's width a number has, beside the mark of its axis."""
    return width - 2.5 * small_gap()


def width_of_three() -> float:
    """Return the width of each of three fields over the rest of the line, logical pixels."""
    return (imgui.get_content_region_avail().x - 2.0 * small_gap()) / 3.0


def fitting_number(value: float, room: float, text: str, unit: str = "") -> str:
    """Return the text of a number with a unit if it fits into logical pixels, else one with fewer decimals or digits.

    Decimals go first, so that numbers beside each other have the same; then the unit.
    """
    decimals = len(text.partition(" ")[0].partition(".")[2]) if "e" not in text else -1
    shorter = [f"{value:,.{k}f}" for k in range(decimals, -1, -1) if not value or abs(value) >= 10.0**-k]
    texts = [f"{each}{unit}" for each in (text, *shorter)]
    texts += [text, *shorter, *(f"{value:.{digits}g}" for digits in range(9, 0, -1))]
    return next((each for each in texts if imgui.calc_text_size(each).x <= room), texts[-1])
