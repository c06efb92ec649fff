"""Boxes: the dialogs of one document, and the keyboard focus that depends on them."""

from __future__ import annotations

from viewer.document.file_names import PathRequest
from viewer.ui.dialogs.form_box import FormBox
from viewer.ui.dialogs.path_box import PathBox
from viewer.ui.dialogs.question_box import QuestionBox
from viewer.ui.focus import Focus
from viewer.ui.imgui.backend import ImguiBackend


class Boxes:
    """The dialogs of one document.

    Attributes:
        path: names a file.
        form: asks for the numbers of a command.
        question: asks for a decision.
        focus: what keys and clicks are for.
    """

    def __init__(self, backend: ImguiBackend, question: QuestionBox) -> None:
        self.path = PathBox()
        self.form = FormBox()
        self.question = question
        self.focus = Focus(backend, self.question, self.form)

    def ask_path(self, request: PathRequest) -> None:
        """Ask for a path; close the box if it is open for the same."""
        self.path.ask(request)
        self.focus.note_field(self.path.is_open)
