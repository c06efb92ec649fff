"""BackgroundEdit: an edit of many nodes is made in a copy of the scene, on another thread, and applied all at once."""

from __future__ import annotations

from collections.abc import Callable

from scene.background import BackgroundChange
from scene.editing.edits import Edit, EditError, apply
from scene.project.recorder import PreparedRecord, Recorder
from scene.scene import Scene
from scene.snapshot import snapshot

_STEPS = 4


class BackgroundEdit(BackgroundChange[Scene, Edit]):
    """An edit that changes or adds much, on its way.

    It is made in a copy of the scene, where world, octree and the journal's record follow it at once; then the scene
    takes over what the copy holds. Until then the scene may be read, and must not be changed.

    Args:
        scene: the scene.
        recorder: writes down what is done to it, or None.

    Attributes:
        edit: the edit. record: its record, or None.
    """

    def __init__(self, scene: Scene, recorder: Recorder | None = None) -> None:
        super().__init__(scene, copies=False)
        self._recorder = recorder
        self.edit = Edit("", ())
        self.record: PreparedRecord | None = None

    def prepare(  # type: ignore[override]
        self, operation: Callable[[Scene], Edit], progress: Callable[[int, int], object]
    ) -> None:
        """Do all that takes long; on any thread.

        Args:
            operation: makes the edit, such as one of scene.editing does, of the scene that it is given.
            progress: called with what is done and what there is; what it raises ends it, and nothing has changed.
        """
        self._operation, self._progress = operation, progress
        super().prepare()

    def join(self) -> Edit:
        """Let the scene have it; the edit, which is applied by that: `History.join` remembers it, too.

        Raises:
            EditError: the scene was changed meanwhile; it stays as it is.
        """
        if self._made is None:
            raise ValueError("it was not prepared")
        if not self.is_current:
            raise EditError("the scene was changed meanwhile")
        return super().join()

    def _state(self, scene: Scene) -> object:
        return scene.version

    def _make(self, scene: Scene) -> Scene:
        progress = self._progress
        progress(0, _STEPS)
        copy = snapshot(scene)
        progress(1, _STEPS)
        self.edit = self._operation(copy)
        progress(2, _STEPS)
        apply(copy, self.edit)
        if self._recorder is not None and self.edit.changes:
            self.record = self._recorder.prepare(copy, self.edit)
        progress(3, _STEPS)
        copy.index.fit_like(scene.index)
        copy.index.ray_tree()  # which sorts it: else the first who asks would
        progress(_STEPS, _STEPS)
        return copy

    def _commit(self, scene: Scene, made: Scene) -> Edit:
        scene.take(made)
        self._made = None
        return self.edit
