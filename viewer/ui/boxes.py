"""The boxes over a window that want something of a person, and what keys are for while one of them is open."""

from __future__ import annotations

from viewer.document.file_names import PathRequest
from viewer.ui.dialogs.form_box import FormBox
from viewer.ui.dialogs.path_box import PathBox
from viewer.ui.dialogs.question_box import QuestionBox
from viewer.ui.focus import Focus
from viewer.ui.imgui.backend import ImguiBackend


class Boxes:
    """Those of one document.

    Attributes:
        path: names files. form: is filled in. question: asks what is to be decided.
        focus: what keys and clicks are for.
    """

    def __init__(self, backend: ImguiBackend, question: QuestionBox) -> None:
        self.path = PathBox()
        self.form = FormBox()
        self.question = question
        self.focus = Focus(backend, self.question, self.form)

    def ask_path(self, request: PathRequest) -> None:
        """Let a person name a file, or close the box if it is open for the same."""
        self.path.ask(request)
        self.focus.note_field(self.path.is_open)
