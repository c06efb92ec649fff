"""Placer: reads a file and adds it to the scene, standing where somebody points; one step of undo."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from octoscope.scene import Edit, Scene
from octoscope.scene.content import FileContent
from octoscope.scene.conventions.up_axis import UpAxis
from octoscope.scene.conventions.upright import turn_between
from octoscope.scene.editing import import_content
from octoscope.scene.editing.edits import apply, combined, inverse
from octoscope.scene.formats.readers import read_file
from octoscope.scene.loading.file_import import FileImport
from octoscope.scene.loading.folders import with_files_of_folders
from octoscope.scene.system.text_file import ReadError, printable
from octoscope.viewer.commands.context import Context
from octoscope.viewer.editing.jobs import Progress
from octoscope.viewer.features.asset_browser.standing import Pose, standing
from octoscope.viewer.features.asset_browser.thumbnails import Thumbnail
from octoscope.viewer.frame.viewports import PointerLocation, Surface
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
        return location.surface()

    def place(self, path: Path, on: Surface, *, shift: bool = False, ctrl: bool = False) -> None:
        """Read a file, or those of a folder, add them where `pose` says, and select them.

        The log says what cannot be read. Asks whether files that lie over one another are to be laid out.
        """
        editor, options = self._context.editor, self._context.document.files.options
        if editor.refuses_ever("Import"):
            return

        def read(tell: Progress) -> _Read:
            contents, unread = [], []
            for each in with_files_of_folders([path]):
                try:
                    contents.append(
                        (each, read_file(each, options, progress=lambda _, done, total: tell(done, total or 0)))
                    )
                except ReadError as error:
                    unread.append(error)
            if not contents:
                raise unread[0]
            boxes = np.array([box_of_content(content, editor.scene.up_axis) for _, content in contents])
            return _Read(contents, np.stack((boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0))), unread)

        def add(made: _Read) -> None:
            for error in made.unread:
                editor.log.say("error", str(error), printable(error.path))
            pose = self.pose(made.box, on, shift=shift, ctrl=ctrl)
            operation = partial(import_contents, contents=made.contents, pose=pose)

            def added(done: bool) -> None:
                if done:
                    self._context.document.offer_layout(editor.selected_ids)

            if len(made.contents) > 1 or FileImport(editor.scene, *made.contents[0]).is_large:
                editor.begin_background_edit(f"adding {printable(path.name)}", "Import", operation, added)
            else:
                editor.do(operation(editor.scene))

        editor.read_in_background(_SUBJECT, path, read, add)


class _Read(NamedTuple):
    """The contents that were read of a file, or of the files of a folder."""

    contents: list[tuple[Path, FileContent]]
    box: np.ndarray  # (2, 3) around all of them
    unread: list[ReadError]


def import_contents(scene: Scene, contents: Sequence[tuple[Path, FileContent]], pose: Pose) -> Edit:
    """Add what was read of files, all of them moved as one thing, and select them."""
    edits = []
    for path, content in contents:
        edits.append(import_content(scene, content, path, translation=pose.translation, rotation=pose.rotation))
        apply(scene, edits[-1])  # the next one has the bookmarks of this one
    for edit in reversed(edits):
        apply(scene, inverse(edit))
    if len(edits) == 1:
        return edits[0]
    tops = np.concatenate([edit.selects for edit in edits if edit.selects is not None])
    return combined(scene, f"Import {len(edits):,} files", *edits, selects=tops)


def box_of_content(content: FileContent, up_axis: UpAxis) -> np.ndarray:
    """Return the (2, 3) box of a file in a world with this up axis; of one with nothing to see, the origin."""
    alone = Scene(up_axis=up_axis)
    alone.add_content(content, None)
    bounds = alone.bounds()
    return np.zeros((2, 3)) if bounds is None else np.array(bounds)
