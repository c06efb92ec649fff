"""QuestionBox: a question over the window, until it is answered."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from imgui_bundle import imgui

from octoscope.viewer.document.questions import Choice, Question
from octoscope.viewer.ui.imgui.items import (
    button_width,
    continue_line,
    heading,
    is_enter_pressed,
    item,
    last_on_line,
    primary_button,
    wrapped_text,
)
from octoscope.viewer.ui.imgui.theme import Theme
from octoscope.viewer.ui.imgui.windows import begin_modal

_TITLE = "Octoscope##question"
_WIDTH = 460.0
_DEAF_FRAMES = 2


class QuestionBox:
    """Draws the pending question with a button for each choice.

    Enter takes the first, or what Tab or an arrow went to; Esc the last.
    """

    def __init__(self, question: Callable[[], Question | None], answer: Callable[[Choice], object]) -> None:
        self._question = question
        self._answer = answer
        self._shown: Question | None = None
        self._frames = 0

    @property
    def is_open(self) -> bool:
        """True while a question waits for its answer; no command may run meanwhile."""
        return self._question() is not None

    @property
    def is_coming(self) -> bool:
        """True in the first frames of a question, in which it takes no keys."""
        question = self._question()
        return question is not None and (question is not self._shown or self._frames < _DEAF_FRAMES)

    def draw(self, theme: Theme, window_size: tuple[int, int], scale: float) -> None:
        """Draw the question, if there is one, and pass on the choice."""
        question = self._question()
        if question is not self._shown:
            self._shown, self._frames = question, 0
        if question is None:
            return
        self._frames += 1
        if not begin_modal(_TITLE, window_size, _WIDTH * scale):
            return
        chosen = self._draw_inside(question, theme)
        if chosen is not None or self._frames <= _DEAF_FRAMES:
            imgui.set_nav_cursor_visible(False)  # else Enter is for a panel, or was for one
        if chosen is not None:
            imgui.close_current_popup()
        imgui.end_popup()
        if chosen is not None:
            self._answer(chosen)

    def _draw_inside(self, question: Question, theme: Theme) -> Choice | None:
        heading(question.text)
        for line in question.details:
            wrapped_text(line, theme.quiet)
        imgui.spacing()
        imgui.spacing()
        chosen = None
        for place, choice in enumerate(question.choices):
            if place:
                continue_line(button_width(choice.value))
            else:
                last_on_line(*(each.value for each in question.choices))
            button = imgui.button if place else partial(primary_button, theme)
            if button(item(choice.value, place)):
                chosen = choice
        if self._frames <= _DEAF_FRAMES:  # a key that is pressed now has brought it up
            return chosen
        if imgui.is_key_pressed(imgui.Key.escape, False):
            return question.choices[-1]
        if chosen is None and is_enter_pressed():
            return question.choices[0]
        return chosen
