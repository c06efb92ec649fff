"""Fields for numbers of several objects at once: exact doubles, and a word where they differ."""

from __future__ import annotations

import ctypes
import math

import numpy as np
from imgui_bundle import imgui

MIXED = "mixed"

_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


def drag_numbers(label: str, values: np.ndarray, speed: float, width: float) -> np.ndarray | None:
    """Let a person drag or type a number that k objects have; the new ones, or None when nothing changed.

    What is typed goes to all; dragging moves each by the same, so that what differs goes on differing.

    Args:
        label: Dear ImGui's. values: (k,) float64, k above 0. speed: of a drag, units a pixel. width: logical pixels.
    """
    same = bool((values == values[0]).all())
    before = float(values[-1])
    number = ctypes.c_double(before)
    # What the bindings take for a pointer; Dear ImGui's own dragged doubles are not among the functions that they wrap.
    pointer = _new_capsule(ctypes.addressof(number), b"nb_handle", None)
    imgui.set_next_item_width(width)
    shown = number_format(before) if same else MIXED
    changed = imgui.drag_scalar(label, int(imgui.DataType_.double), pointer, speed, None, None, shown)
    if not changed or not math.isfinite(number.value):
        return None
    typed = imgui.get_io().want_text_input
    return np.full_like(values, number.value) if typed or same else values + (number.value - before)


def number_format(value: float) -> str:
    """The printf format that shows a number with six digits behind those before the point, and no idle zeros."""
    return "%.10g" if abs(value) >= 1e3 else "%.6g"
