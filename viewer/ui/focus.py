"""What keys and clicks are for, and whether that is known yet.

A person goes on before the frame is there that shows what came of the last key or click. Where that may have brought
a text field, or taken one away, keys wait until it was drawn; where it may have put something else under the mouse,
clicks do. Frames are counted for it, and not seconds: a slow one may take any time.
"""

from __future__ import annotations

from enum import Enum, auto

from viewer.ui.dialogs.form_box import FormBox
from viewer.ui.dialogs.question_box import QuestionBox
from viewer.ui.imgui.backend import ImguiBackend
from viewer.ui.widgets.focus_request import FIELD_FRAMES

_SETTLING_FRAMES = 3  # one takes what was done, one draws what came of it, in one a field may have the keyboard


class Keyboard(Enum):
    """What has the keyboard."""

    COMMANDS = auto()
    FIELD = auto()  # a text field has all keys but F1, Ctrl+P and their like
    QUESTION = auto()  # one to be answered, or a form to be filled in, has them all
    DUE = auto()  # it is still to be seen


class Focus:
    """Of one window; it is told what happens and when a frame was described."""

    def __init__(self, backend: ImguiBackend, question_box: QuestionBox, form_box: FormBox) -> None:
        self._question_box = question_box
        self._form_box = form_box
        self._backend = backend
        self._keys_due = self._clicks_due = 0  # frames until it is known
        self._field = 0  # that had the keyboard in the last frame
        self._field_due = 0  # frames that one may still take
        self._field_before = 0  # that had the keyboard when it was asked for

    @property
    def keyboard(self) -> Keyboard:
        """What the next key is for."""
        if self._keys_due or self._field_due or self._question_box.is_coming:
            return Keyboard.DUE
        if self._question_box.is_open:
            return Keyboard.QUESTION
        if self._form_box.is_open:  # which a question hides
            return Keyboard.DUE if self._form_box.is_coming else Keyboard.QUESTION
        return Keyboard.FIELD if self._backend.wants_keyboard else Keyboard.COMMANDS

    @property
    def clicks_are_due(self) -> bool:
        """Whether it is still to be seen what lies under the mouse, or has the keyboard."""
        return self._clicks_due > 0 or self.keyboard is Keyboard.DUE

    def settle(self) -> None:
        """Dear ImGui was sent what may give the keyboard to another part, or put another under the mouse."""
        self._keys_due = self._clicks_due = _SETTLING_FRAMES

    def expect_answer(self) -> None:
        """Dear ImGui was sent a key that panels have a use for: what they do comes before what follows."""
        self._keys_due, self._clicks_due = max(self._keys_due, 1), max(self._clicks_due, 1)

    def expect_hover(self) -> None:
        """Dear ImGui was sent a move over a panel: some widgets take a press only if they were hovered before."""
        self._clicks_due = max(self._clicks_due, 1)

    def expect_change(self) -> None:
        """A command was run: panels may come and go, and with them the text field that has the keyboard."""
        self._clicks_due = _SETTLING_FRAMES
        if self._backend.wants_keyboard:
            self._keys_due = _SETTLING_FRAMES

    def expect_field(self) -> None:
        """A text field was asked for, which comes with one of the next frames; keys wait for it."""
        self._field_due = FIELD_FRAMES
        self._field_before = self._backend.active_field

    def note_field(self, is_opening: bool) -> None:
        """A box with a text field was opened, or closed."""
        (self.expect_field if is_opening else self.release_keyboard)()

    def release_keyboard(self) -> None:
        """Take the keyboard from a text field; what was typed counts."""
        if self._backend.wants_keyboard:
            self._backend.release_keyboard()
            self.settle()

    def count_frame(self) -> None:
        """A frame was described."""
        if not self._backend.has_events_left:
            self._keys_due = max(0, self._keys_due - 1)
            self._clicks_due = max(0, self._clicks_due - 1)
        field = self._backend.active_field
        self._field_due = 0 if field not in (0, self._field_before) else max(0, self._field_due - 1)
        if field not in (0, self._field):
            self.expect_answer()  # Enter, Esc, Ctrl+A and their like are a field's only one frame after it has come
        self._field = field
