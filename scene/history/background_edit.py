"""BackgroundEdit: make an edit of many nodes in a copy of the scene on another thread, then apply it all at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from octoscope.scene.background import BackgroundChange
from octoscope.scene.editing.edits import Edit, EditError, apply
from octoscope.scene.project.recorder import PreparedRecord, Recorder
from octoscope.scene.scene import Scene

Progress = Callable[[int, int], object]  # is told the steps done and the number of steps

_STEPS = 4


def _tell_nobody(done: int, total: int) -> None:
    pass


class BackgroundEdit(BackgroundChange[Scene, Edit]):
    """An edit of many nodes, made in a copy of the scene.

    World matrices, octree and the journal's record are computed for the copy; then the scene takes over what the copy
    holds. Until then the scene may be read, and must not be changed.
    """

    def __init__(self, scene: Scene, operation: Callable[[Scene], Edit], recorder: Recorder | None = None) -> None:
        super().__init__(scene, copies=False)
        self._operation, self._recorder = operation, recorder
        self._progress: Progress = _tell_nobody
        self.edit = Edit("", ())
        self.record: PreparedRecord | None = None

    def prepare(self, progress: Progress | None = None) -> None:
        """Compute the edit and all that follows from it, on any thread.

        Args:
            progress: called with the steps done and the number of steps; an exception from it ends the work, and the
                scene is unchanged.
        """
        self._progress = progress or _tell_nobody
        super().prepare()

    def join(self) -> Edit:
        """Apply the edit to the scene and return it; `History.join` does this and keeps the edit for undo.

        Raises:
            EditError: the scene was changed meanwhile; it stays as it is.
        """
        if self._computed is None:
            raise ValueError("it was not prepared")
        if not self.is_current:
            raise EditError("the scene was changed meanwhile")
        return super().join()

    def _state(self, scene: Scene) -> object:
        return scene.version

    def _compute(self, scene: Scene) -> Scene:
        progress = self._progress
        progress(0, _STEPS)
        copy = scene.copy()
        progress(1, _STEPS)
        self.edit = self._operation(copy)
        progress(2, _STEPS)
        apply(copy, self.edit)
        self.edit = replace(self.edit, scene=scene)
        if self._recorder is not None and self.edit.changes:
            self.record = self._recorder.prepare(copy, self.edit)
        progress(3, _STEPS)
        copy.index.settings = scene.index.settings
        copy.index.ray_tree()  # sorts the octree here, not in the first query
        progress(_STEPS, _STEPS)
        return copy

    def _commit(self, scene: Scene, computed: Scene) -> Edit:
        scene.take(computed)
        self._computed = None
        return self.edit
