"""Focus: who takes keys: a field, a panel, a menu, or commands; and whether that is known yet, also of clicks.

Users type on before the result of their last key or click is drawn. If that may have opened or closed a text field,
keys wait until it was drawn; if it may have changed what is under the mouse, clicks wait. Frames are counted and not
seconds, since a slow frame may take any time.
"""

from __future__ import annotations

from enum import Enum, auto

from imgui_bundle import imgui

from octoscope.viewer.ui.dialogs.form_box import FormBox
from octoscope.viewer.ui.dialogs.question_box import QuestionBox
from octoscope.viewer.ui.imgui.backend import ImguiBackend, imgui_key_from_name
from octoscope.viewer.ui.widgets.focus_request import FIELD_FRAMES
from octoscope.viewer.window.keys import Chord

_ARROWS = "UP", "DOWN", "LEFT", "RIGHT"
_LEAVING_KEYS = "ENTER", "ESCAPE", "TAB"  # after which a field may lose the keyboard
_SETTLING_FRAMES = 3  # to handle the event, to draw its result, and to give a field the keyboard


class Keyboard(Enum):
    """The receiver of the next key."""

    COMMANDS = auto()
    FIELD = auto()  # a text field, or what Tab went to, takes all keys but F1, Ctrl+P and the like
    QUESTION = auto()  # a question or a form takes all keys
    DUE = auto()  # not known yet


class Focus:
    """The keyboard focus of one window. It has to be told what happens, and when a frame was described."""

    def __init__(self, backend: ImguiBackend, question_box: QuestionBox, form_box: FormBox) -> None:
        self._question_box = question_box
        self._form_box = form_box
        self._backend = backend
        self._keys_due = self._clicks_due = 0  # frames to wait
        self._field = 0  # id of the one that had the keyboard in the last frame
        self._field_due = 0  # frames to wait for a field that was asked for
        self._field_before = 0  # id of the one that had the keyboard then
        self._ring_due = 0  # frames to wait for what Tab goes to

    @property
    def keyboard(self) -> Keyboard:
        """The receiver of the next key."""
        if self._keys_due or self._field_due or self._question_box.is_coming:
            return Keyboard.DUE
        if self._question_box.is_open:
            return Keyboard.QUESTION
        if self._form_box.is_open:  # a question hides the form
            return Keyboard.DUE if self._form_box.is_coming else Keyboard.QUESTION
        return Keyboard.FIELD if self._backend.wants_keyboard else Keyboard.COMMANDS

    @property
    def clicks_are_due(self) -> bool:
        """True while it is not known what lies under the mouse."""
        return self._clicks_due > 0 or self.keyboard is Keyboard.DUE

    def take_key(self, chord: Chord, *, pressed: bool, over_picture: bool) -> bool:
        """Give Dear ImGui a key that went down or up, and return whether it is left to commands.

        Args:
            over_picture: whether the mouse is over the picture, which then has the arrows.
        """
        name, keyboard = chord.key, self.keyboard
        in_menu = keyboard is Keyboard.COMMANDS and self._backend.has_open_list and name != "ESCAPE"
        if in_menu:  # which takes what a field would
            keyboard = Keyboard.FIELD
        for_picture = keyboard is Keyboard.COMMANDS and (name == "TAB" or (name in _ARROWS and over_picture))
        imgui_key = imgui_key_from_name(name)
        if imgui_key is not None and not (for_picture and pressed):
            self._backend.key(imgui_key, pressed)
        if pressed and name == "TAB" and keyboard is Keyboard.FIELD:
            self.expect_ring()
        if pressed and (in_menu or (name in _LEAVING_KEYS and keyboard is not Keyboard.COMMANDS)):
            self.settle()  # a menu beside opens two frames after the one before it has closed
        elif pressed and name in (*_LEAVING_KEYS, *_ARROWS):
            self.expect_answer()
        if name in _ARROWS and not for_picture and self._backend.has_panel and not (chord.ctrl or chord.alt):
            return False
        return keyboard is Keyboard.COMMANDS or (keyboard is Keyboard.FIELD and not chord.edits_text)

    def leave_menu(self) -> bool:
        """Leave the innermost menu, which Dear ImGui closes by this Esc; return whether one is open."""
        context = imgui.get_current_context()
        context.nav_highlight_item_under_nav = True  # else the row under the mouse would open it again
        depth = context.open_popup_stack.size()
        if depth == 1:
            self.release_keyboard()  # else the ring would stay at the button that opened it
        return depth > 0

    def settle(self) -> None:
        """Wait with keys and clicks: an event may have moved the focus, or changed what is under the mouse."""
        self._keys_due = self._clicks_due = _SETTLING_FRAMES

    def expect_answer(self) -> None:
        """Wait one frame: panels may use the key that Dear ImGui was just sent, and come before what follows."""
        self._keys_due, self._clicks_due = max(self._keys_due, 1), max(self._clicks_due, 1)

    def expect_hover(self) -> None:
        """Delay clicks by one frame: some widgets take a press only if they were hovered before."""
        self._clicks_due = max(self._clicks_due, 1)

    def expect_change(self) -> None:
        """Wait after a command: it may open or close panels, and the text field that has the keyboard."""
        self._clicks_due = _SETTLING_FRAMES
        if self._backend.is_in_menu:  # else keys would be for the button that opened it
            self.release_keyboard()
        if self._backend.wants_keyboard:
            self._keys_due = _SETTLING_FRAMES

    def expect_field(self) -> None:
        """Delay keys until a text field appears that was asked for."""
        self._field_due = FIELD_FRAMES
        self._field_before = self._backend.active_field

    def note_field(self, is_opening: bool) -> None:
        """Note that a box with a text field was opened or closed."""
        (self.expect_field if is_opening else self.release_keyboard)()

    def release_keyboard(self) -> None:
        """Take the keyboard from a text field, whose text is accepted, and from the panel that has the focus."""
        if self._backend.wants_keyboard:
            self.settle()
        self._backend.release_keyboard()

    def begin_ring(self, first: str) -> None:
        """Pass Tab on to the panel that has the focus, else to the window `first`."""
        if not self._backend.has_panel:
            imgui.set_window_focus(first)
        self._backend.key(imgui.Key.tab, True)
        self.expect_ring()

    def expect_ring(self) -> None:
        """Expect Tab to move the keyboard to the next field or button of the panel that has the focus."""
        self._ring_due = _SETTLING_FRAMES
        self._backend.let_keys_navigate(True)
        self.settle()

    def count_frame(self) -> None:
        """Note that a frame was described."""
        if not self._backend.has_events_left:  # Tab may wait behind what was typed before
            self._ring_due = max(0, self._ring_due - 1)
        in_box = self._form_box.is_open or self._question_box.is_open
        if self._backend.navigates and not in_box and self._leaves_ring():
            self.release_keyboard()
        if self._backend.has_open_list and not self._question_box.is_open:
            self._ring_due = _SETTLING_FRAMES  # the next menu of the bar opens two frames after this one has closed
        navigates = in_box or self._ring_due > 0 or self._backend.navigates
        self._backend.let_keys_navigate(navigates)
        if not self._backend.has_events_left:
            self._keys_due = max(0, self._keys_due - 1)
            self._clicks_due = max(0, self._clicks_due - 1)
        field = self._backend.active_field
        self._field_due = 0 if field not in (0, self._field_before) else max(0, self._field_due - 1)
        if field not in (0, self._field):
            self.expect_answer()  # a new field takes Enter, Esc and Ctrl+A only from its second frame on
        self._field = field

    def _leaves_ring(self) -> bool:
        """Return whether a key gives commands the keyboard again: Enter in a text field, or Esc."""
        if self._field and not self._backend.active_field:
            return any(map(imgui.is_key_pressed, (imgui.Key.enter, imgui.Key.keypad_enter, imgui.Key.escape)))
        is_busy = imgui.is_any_item_active() or imgui.get_current_context().open_popup_stack.size()
        return not is_busy and imgui.is_key_pressed(imgui.Key.escape, False)
