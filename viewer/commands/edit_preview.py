"""EditPreview: shows in the scene what a form would make, while it is filled in."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from octoscope.scene import Edit, EditError
from octoscope.scene.nodes.node_table import DeletedNodeError
from octoscope.viewer.commands.forms import Values
from octoscope.viewer.editing.editor import Editor, LiveEdit


class EditPreview:
    """Shows in the scene what a form would make, as Form.preview does.

    Args:
        make: returns the edit for values of the form; None where it is too much to make again and again.
    """

    def __init__(self, editor: Editor, make: Callable[[Values], Edit | None]) -> None:
        self._editor = editor
        self._make = make
        self._live: LiveEdit | None = None
        self._shown: Values | None = None  # what `_live` shows

    def __call__(self, values: Values | None) -> None:
        """Show what values make, in place of what is shown; None shows nothing."""
        if self._live is not None and (values != self._shown or not self._live.is_alive):
            self._live.cancel()
            self._live = None
        if values is None or self._live is not None or self._editor.locked or self._editor.read_only:
            return
        self._live, self._shown = self._editor.begin_live(is_preview=True), values
        with suppress(EditError, DeletedNodeError):  # such as that nothing would change; making it says so
            edit = self._make(values)
            if edit is not None:
                self._live.preview(edit)
