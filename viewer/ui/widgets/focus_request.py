"""FocusRequest: bring the keyboard to a text field that may not be drawn yet."""

from __future__ import annotations

from imgui_bundle import imgui

FIELD_FRAMES = 6  # at most, until a text field that was asked for has the keyboard


class FocusRequest:
    """Brings the keyboard to a field, also where its window only appears, and others that do take it at first."""

    def __init__(self) -> None:
        self._frames = 0

    @property
    def is_open(self) -> bool:
        """Whether the field is still to get it."""
        return self._frames > 0

    def begin(self) -> None:
        """Ask for it."""
        self._frames = FIELD_FRAMES

    def before_field(self) -> None:
        """To be called before the field is drawn."""
        if self._frames:
            imgui.set_keyboard_focus_here()

    def after_field(self) -> None:
        """To be called when the field was drawn."""
        self._frames = 0 if imgui.is_item_active() else max(0, self._frames - 1)
