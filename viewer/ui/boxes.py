"""Boxes: the dialogs of one document, and the keyboard focus that depends on them."""

from __future__ import annotations

from octoscope.viewer.document.file_names import PathRequest
from octoscope.viewer.ui.dialogs.form_box import FormBox
from octoscope.viewer.ui.dialogs.path_box import PathBox
from octoscope.viewer.ui.dialogs.question_box import QuestionBox
from octoscope.viewer.ui.dialogs.system_dialog import OpenDialog
from octoscope.viewer.ui.focus import Focus
from octoscope.viewer.ui.imgui.backend import ImguiBackend


class Boxes:
    """The dialogs of one document."""

    def __init__(self, backend: ImguiBackend, question: QuestionBox, *, open_dialog: OpenDialog | None = None) -> None:
        self.path = PathBox(open_dialog)
        self.form = FormBox()
        self.question = question
        self.focus = Focus(backend, self.question, self.form)

    def ask_path(self, request: PathRequest) -> None:
        """Ask for a path, or stop asking for the same."""
        self.path.ask(request)
        self.focus.note_field(self.path.is_open)

    def poll(self) -> bool:
        """Take the answer of a dialog of the system, and return whether it has ended."""
        has_ended = self.path.poll()
        if has_ended and self.path.is_open:  # in place of the dialog
            self.focus.expect_field()
        return has_ended
