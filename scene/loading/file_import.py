"""Add what was read of a file to a scene: at once, or prepared on another thread."""

from __future__ import annotations

from pathlib import Path

from octoscope.scene.background import BackgroundChange
from octoscope.scene.content import FileContent
from octoscope.scene.loading.read import ReadResult
from octoscope.scene.mesh.pool import Meshes
from octoscope.scene.scene import Scene
from octoscope.scene.system.paths import is_standard_input
from octoscope.scene.system.text_file import ReadError

WORTH_A_THREAD = 2**14  # vertices and nodes, or meshes; fewer are added or replaced sooner than a thread starts


def add_file(scene: Scene, path: Path, result: ReadResult, *, meshes: Meshes | None = None) -> None:
    """Add what reading a file gave to a scene and its report.

    A project becomes the scene if that is empty; otherwise the scene stays as it is, and the report has an error.

    Args:
        result: of `read_path`; used up. An exception other than ReadError, a fault of ours, is raised.
    """
    if isinstance(result, Scene) and scene.row_count:
        result = ReadError(path, "a project is not added to other files; name it first")
    if isinstance(result, ReadError):
        scene.report.failed[path] = str(result)
    elif isinstance(result, Exception):
        raise result
    elif isinstance(result, Scene):
        scene.become(result)
    else:
        scene.add_content(result, path, meshes=meshes)


class FileImport(BackgroundChange[Scene | Meshes | ReadResult, None]):
    """`add_file` in two steps, most of which may run on another thread.

    For an empty scene a whole scene is prepared, octree and all; for another one the meshes, which take longest.
    """

    def __init__(self, scene: Scene, path: Path, result: ReadResult) -> None:
        self.path = path
        self.result = result  # of `read_path`; used up
        self.is_large = _is_large(scene, result)  # adding it takes longer than starting a thread
        super().__init__(scene, copies=self.is_large)

    def _state(self, scene: Scene) -> object:
        if scene.row_count == 0:
            return scene.version
        return scene.meshes.version, len(scene.materials), len(scene.sources)

    def _compute(self, scene: Scene) -> Scene | Meshes | ReadResult:
        result = self.result
        if isinstance(result, FileContent) and scene.row_count and scene.shared_with(result, self.path) is None:
            meshes = scene.meshes.frozen()
            source = -1 if is_standard_input(self.path) else len(scene.sources)
            meshes.extend(result.meshes, first_material=len(scene.materials), source=source)
            return meshes
        if isinstance(result, Exception) or scene.row_count:
            return result
        whole = result if isinstance(result, Scene) else Scene(up_axis=scene.up_axis)
        if isinstance(result, FileContent):
            whole.length_unit, whole.length_decimals = scene.length_unit, scene.length_decimals
            add_file(whole, self.path, result)
        whole.index.settings = scene.index.settings
        whole.index.update()
        return whole

    def _commit(self, scene: Scene, made: Scene | Meshes | ReadResult) -> None:
        if isinstance(made, Meshes):
            add_file(scene, self.path, self.result, meshes=made)
        else:
            add_file(scene, self.path, made)


def _is_large(scene: Scene, result: ReadResult) -> bool:
    if isinstance(result, FileContent):
        return len(result.meshes.positions) + len(result.node_names) > WORTH_A_THREAD
    return isinstance(result, Scene) and scene.row_count == 0 and result.row_count > WORTH_A_THREAD
