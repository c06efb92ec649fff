"""Placer: reads a file and adds it to the scene, standing where somebody points; one step of undo."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from octoscope.scene import Scene
from octoscope.scene.content import FileContent
from octoscope.scene.conventions.up_axis import UpAxis
from octoscope.scene.conventions.upright import turn_between
from octoscope.scene.editing import import_content
from octoscope.scene.formats.readers import read_file
from octoscope.scene.loading.file_import import FileImport
from octoscope.scene.system.text_file import printable
from octoscope.viewer.commands.context import Context
from octoscope.viewer.editing.jobs import Progress
from octoscope.viewer.features.asset_browser.standing import Pose, Surface, standing, surface_at
from octoscope.viewer.features.asset_browser.thumbnails import Thumbnail
from octoscope.viewer.frame.viewports import PointerLocation
from octoscope.viewer.tools.gizmo.settings import STEPS

_SUBJECT = "asset"  # in the log


class Placer:
    """Adds files to the scene of a window.

    Attributes:
        aligned: whether objects follow the normal of the surface; else they stay upright.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self.aligned = False

    def pose(self, box: np.ndarray, on: Surface, *, shift: bool = False, ctrl: bool = False) -> Pose:
        """Return how a box would stand; Shift inverts whether it is aligned, Ctrl whether it snaps."""
        settings = self._context.tools.gizmo.settings
        step = settings.step if settings.snaps != ctrl and settings.target == STEPS else None
        return standing(box, on, self._context.scene.up_axis, aligned=self.aligned != shift, step=step)

    def box_of(self, thumbnail: Thumbnail | None) -> np.ndarray | None:
        """Return the (2, 3) box of a file in the scene's frame as far as it is known."""
        if thumbnail is None or "box" not in thumbnail.facts:
            return None
        box = np.array(thumbnail.facts["box"], dtype=np.float64)
        begin = thumbnail.facts["up_axis"]
        turned = box if begin is None else box @ turn_between(begin, self._context.scene.up_axis).T
        return np.sort(turned, axis=0)

    def surface(self, location: PointerLocation) -> Surface:
        """Return what lies under the pointer."""
        return surface_at(location, self._context.scene.up_axis)

    def place(self, path: Path, on: Surface, *, shift: bool = False, ctrl: bool = False) -> None:
        """Read a file, add it where `pose` says, and select it; the log says where it cannot be read."""
        editor, options = self._context.editor, self._context.document.files.options
        if editor.refuses_ever("Import"):
            return

        def read(tell: Progress) -> tuple[FileContent, np.ndarray]:
            content = read_file(path, options, progress=lambda _, done, total: tell(done, total or 0))
            return content, box_of_content(content, editor.scene.up_axis)

        def add(made: tuple[FileContent, np.ndarray]) -> None:
            content, box = made
            pose = self.pose(box, on, shift=shift, ctrl=ctrl)
            operation = partial(
                import_content, content=content, path=path, translation=pose.translation, rotation=pose.rotation
            )
            if FileImport(editor.scene, path, content).is_large:
                name = printable(path.name)
                editor.begin_background_edit(f"adding {name}", "Import", operation, lambda done: None)
            else:
                editor.do(operation(editor.scene))

        editor.read_in_background(_SUBJECT, path, read, add)


def box_of_content(content: FileContent, up_axis: UpAxis) -> np.ndarray:
    """Return the (2, 3) box of a file in a world with this up axis; of one with nothing to see, the origin."""
    alone = Scene(up_axis=up_axis)
    alone.add_content(content, None)
    bounds = alone.bounds()
    return np.zeros((2, 3)) if bounds is None else np.array(bounds)
