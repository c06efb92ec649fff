"""FocusRequest: brings the keyboard to a text field that may not be drawn yet."""

from __future__ import annotations

from imgui_bundle import imgui

FIELD_FRAMES = 6  # at most, until a requested text field has the keyboard


class FocusRequest:
    """Brings the keyboard to a field, even if its window is about to appear or others take the keyboard first."""

    def __init__(self) -> None:
        self._frames = 0

    @property
    def is_open(self) -> bool:
        """True until the field has the keyboard."""
        return self._frames > 0

    def begin(self) -> None:
        """Ask for the keyboard."""
        self._frames = FIELD_FRAMES

    def before_field(self) -> None:
        """Give the keyboard to the field that is drawn next."""
        if self._frames:
            imgui.set_keyboard_focus_here()

    def after_field(self) -> None:
        """Check whether the field that was just drawn has the keyboard."""
        self._frames = 0 if imgui.is_item_active() else max(0, self._frames - 1)
