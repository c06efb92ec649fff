"""HeldGesture: what one held field does, from the press to the release, is one entry of the history."""

from __future__ import annotations

from imgui_bundle import imgui

from scene import Edit
from scene.history.gesture import Gesture
from viewer.editing.editor import Editor


class HeldGesture:
    """The gesture of the field that is held."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._held = 0  # Dear ImGui's id of what is held
        self._gesture: Gesture | None = None
        self._lets_go = False

    @property
    def is_running(self) -> bool:
        """Whether a field is held that has changed something."""
        return self._gesture is not None and self._gesture is self._editor.history.gesture

    def follow(self) -> None:
        """A frame begins: where another field is held than before, or none, the gesture is over."""
        if self._lets_go:
            self._lets_go = False
            imgui.internal.clear_active_id()
        held = imgui.internal.get_active_id()
        if held != self._held:
            self._held = held
            if self.is_running:  # any other is not the panel's to end
                self._editor.finish()
            self._gesture = None

    def do(self, edit: Edit, *, continues: bool) -> None:
        """Apply an edit; one that continues is a step of what the held field does."""
        self._editor.do(edit, continues=continues)
        if continues:
            self.note()

    def note(self) -> None:
        """What the editor's gesture does is the held field's, which may have been taken hold of in this very frame."""
        self._held = imgui.internal.get_active_id()
        self._gesture = self._editor.history.gesture

    def release(self) -> None:
        """Let go of the field: it does nothing more until it is taken hold of again."""
        self._gesture = None
        self._lets_go = True
