"""HeldEdit: all that one field does between press and release becomes one entry of the history."""

from __future__ import annotations

from collections.abc import Callable

from imgui_bundle import imgui

from octoscope.viewer.editing.editor import Editor, LiveEdit


class HeldEdit:
    """The live edit of the field that is held."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._held = 0  # Dear ImGui's id of what is held
        self._live: LiveEdit | None = None
        self._lets_go = False

    @property
    def is_running(self) -> bool:
        """True if a field is held that has changed something."""
        return self._live is not None and self._live.has_begun and self._live.is_alive

    def follow(self) -> None:
        """Begin a frame: commit the edit if its field is not held any more."""
        if self._lets_go:
            self._lets_go = False
            imgui.internal.clear_active_id()
        held = imgui.internal.get_active_id()
        if held != self._held:
            self._held = held
            self._end(LiveEdit.commit)

    def live(self) -> LiveEdit:
        """Return the edit for the field that is held now."""
        self._held = imgui.internal.get_active_id()
        if self._live is None or not self._live.is_alive:
            self._live = self._editor.begin_live()
        return self._live

    def cancel(self) -> None:
        """Undo what the field did, and release it."""
        self._end(LiveEdit.cancel)
        self._lets_go = True

    def _end(self, how: Callable[[LiveEdit], None]) -> None:
        live, self._live = self._live, None
        if live is not None:
            how(live)
