"""Extending: an edit of many nodes is made beside the scene, on another thread, and the scene gets it all at once."""

from __future__ import annotations

from collections.abc import Callable

from scene.editing.edits import Edit, EditError, apply, is_made_from
from scene.project.recording import PreparedRecord, is_in_step, keep_in_step
from scene.scene import Scene
from scene.snapshot import snapshot

_STEPS = 4
_SHAPES_TREE = {"alive", "parent", "mesh"}


class Extending:
    """An edit that changes or adds much, on its way.

    It is made in a copy of the scene, where world, octree and journal's record follow it at once; the scene takes the
    copy's place for its own. Until then it may be looked at, and must not be changed.

    Attributes:
        edit: that was made.
        record: of it. may_be_undone: whether what it takes for the values before is what the scene had.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._copy: Scene | None = None
        self._begin = scene.version
        self.edit = Edit("", ())
        self.record = PreparedRecord(scene)
        self.may_be_undone = False

    def prepare(self, operation: Callable[[Scene], Edit], progress: Callable[[int, int], object]) -> None:
        """Do all that takes long; on any thread.

        Args:
            operation: makes the edit, such as one of scene.editing does, of the scene that it is given.
            progress: called with what is done and what there is; what it raises ends it, and nothing has changed.
        """
        progress(0, _STEPS)
        copy = snapshot(self._scene)
        progress(1, _STEPS)
        self.edit = operation(copy)
        self.may_be_undone = is_made_from(self.edit, copy)
        progress(2, _STEPS)
        apply(copy, self.edit)
        self.record.prepare(copy, self.edit)
        progress(3, _STEPS)
        copy.index.fit_like(self._scene.index)
        copy.index.ray_tree()  # which sorts it: else the first who asks would
        progress(_STEPS, _STEPS)
        self._copy = copy

    def join(self) -> Edit:
        """Let the scene have it; the edit, which is applied by that: `History.join` remembers it, too.

        Raises:
            EditError: the scene was changed meanwhile; it stays as it is.
        """
        scene, copy = self._scene, self._copy
        if copy is None:
            raise ValueError("it was not prepared")
        if scene.version != self._begin:
            raise EditError("the scene was changed meanwhile")
        in_step, columns = is_in_step(scene), {change.column for change in self.edit.changes}
        is_longer = copy.row_count != scene.row_count
        if len(copy.meshes) != len(scene.meshes):
            scene.meshes.grow_to(copy.meshes)
        scene.materials, scene.sources, scene.loaded_sources = copy.materials, copy.sources, copy.loaded_sources
        scene.bookmarks, scene.measurements = copy.bookmarks, copy.measurements
        scene.project.missing_meshes = copy.project.missing_meshes
        scene.report.problems, scene.report.vertex_count = copy.report.problems, copy.report.vertex_count
        scene._take_nodes(copy)
        if columns & _SHAPES_TREE or is_longer:
            scene.tree_revision = scene.version
        if "name" in columns or is_longer:
            scene.names_revision = scene.version
        scene.write_count += 1
        if in_step:
            keep_in_step(scene)
        self._copy = None
        return self.edit
