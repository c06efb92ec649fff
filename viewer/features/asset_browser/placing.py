"""Placer: reads a file and adds it to the scene, standing where somebody points; one step of undo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from octoscope.scene import Edit, EditError, Scene
from octoscope.scene.content import FileContent
from octoscope.scene.conventions.up_axis import UpAxis
from octoscope.scene.conventions.upright import up_vector
from octoscope.scene.conventions.world import World
from octoscope.scene.editing import import_content
from octoscope.scene.editing.edits import SCENE_VALUES, apply, combined, frozen_value, inverse
from octoscope.scene.editing.local_transforms import ignore_overflow
from octoscope.scene.editing.structure import ImportedFile
from octoscope.scene.formats.readers import read_file
from octoscope.scene.loading.file_import import FileImport
from octoscope.scene.loading.folders import with_files_of_folders
from octoscope.scene.system.text_file import ReadError, printable
from octoscope.viewer.camera.camera import box_corners
from octoscope.viewer.commands.context import Context
from octoscope.viewer.editing.editor import REFUSED, LiveEdit
from octoscope.viewer.editing.jobs import Progress
from octoscope.viewer.features.asset_browser.standing import Pose, is_level, standing
from octoscope.viewer.features.asset_browser.thumbnails import Thumbnail
from octoscope.viewer.frame.viewports import PointerLocation, Surface
from octoscope.viewer.tools.gizmo.settings import STEPS

_SUBJECT = "asset"  # in the log
_GAP = 0.1  # in a row, of the width of what is placed


class Asked(NamedTuple):
    """A place and turn that a person asks for a file, by mouse and keys."""

    on: Surface
    quarter_turns: int = 0  # to the left, about the up axis
    shift: bool = False  # whether the keys are held
    ctrl: bool = False
    in_row: bool = False  # whether it was asked for without a pointer, so that the next one stands beside it
    beside: tuple[np.ndarray, np.ndarray] | None = None  # the box in the world at whose right it stands


class Placer:
    """Adds files to the scene of a window.

    Attributes:
        aligned: whether objects follow the normal of the surface; else they stay upright.
        by_origin: whether the origin of a file is placed, as its maker chose it; else the middle of its lower side.
            Both stand on the surface.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self.aligned, self.by_origin = False, True
        self._last: tuple[Surface, np.ndarray] | None = None  # what was placed last in a row stands on, and its nodes

    @ignore_overflow
    def pose(self, box: np.ndarray, asked: Asked) -> Pose:
        """Return how a box would stand; Shift inverts whether it is aligned, Ctrl whether it snaps."""
        settings = self._context.tools.gizmo.settings
        step = settings.step if settings.snaps != asked.ctrl and settings.target == STEPS else None
        aligned, up_axis = self.aligned != asked.shift, self._context.scene.up_axis
        size = box[1] - box[0]
        is_near = (box[0] - size <= 0.0).all() and (box[1] + size >= 0.0).all()  # else it would be placed out of sight
        pose = standing(
            box,
            asked.on,
            up_axis,
            aligned=aligned,
            step=step,
            quarter_turns=asked.quarter_turns,
            by_origin=self.by_origin and bool(is_near),
        )
        if asked.beside is None:
            return pose
        up, view = up_vector(up_axis), self._context.view
        right = np.where(up > 0.0, 0.0, view.camera.axes[0])
        right = np.sign(right) * (np.arange(3) == np.abs(right).argmax())  # along an axis of the world
        corners, others = box_corners(*box) @ pose.turn.T + pose.translation, box_corners(*asked.beside)
        sides = corners @ right
        away = ((others @ right).max() + _GAP * np.ptp(sides) - sides.min()) * right
        if is_level(asked.on, up):  # it stands on what is below, which may have ended beside the other one
            middle = corners.mean(axis=0) + away
            hit = self._context.scene.raycast(middle + ((others @ up).max() - middle @ up) * up, -up)
            height = view.visibility.ground_height if hit is None else float(hit.point @ up)
            away += (height - (corners @ up).min()) * up
        return pose._replace(translation=pose.translation + away)

    def in_row(self, asked: Asked) -> Asked:
        """Return the place beside what was placed last, if that was in a row, too, and is still selected."""
        last, selected = self._last, self._context.selected_ids
        if not asked.in_row or last is None or not np.array_equal(selected, last[1]):
            return asked
        return asked._replace(on=last[0], beside=self._context.scene.bounds(selected))

    def note_placed(self, asked: Asked) -> None:
        """Note that what is selected now was placed where a person asked for it."""
        scene, selected = self._context.scene, self._context.selected_ids
        self._last = (asked.on, selected) if asked.in_row else None
        if asked.in_row and np.array_equal(np.array(scene.bounds()), np.array(scene.bounds(selected))):
            self._context.view.framing.frame_nodes(None)  # it is alone

    def box_of(self, thumbnail: Thumbnail | None) -> np.ndarray | None:
        """Return the (2, 3) box of a file in the scene's frame as far as it is known."""
        if thumbnail is None or "box" not in thumbnail.facts:
            return None
        scene, facts = self._context.scene, thumbnail.facts
        begin = World(facts["up_axis"] or scene.up_axis, facts["length_unit"])
        return np.sort(np.array(facts["box"]) @ begin.linear_to(World(scene.up_axis, scene.length_unit)).T, axis=0)

    def carry(self, path: Path) -> CarriedFile:
        """Begin to bring a file, or those of a folder, into the scene."""
        return CarriedFile(self._context, self, path)


class CarriedFile:
    """A file, or those of a folder, on the way into the scene; one file that is not large is seen there meanwhile.

    The log says what cannot be read. Asks whether files that lie over one another are to be laid out.
    """

    def __init__(self, context: Context, placer: Placer, path: Path) -> None:
        self._context = context
        self._editor = context.editor
        self._placer = placer
        self._path = path
        self._ground_height = context.view.visibility.ground_height  # without what is carried
        self._asked: Asked | None = None  # where it is to stand now; None: nowhere
        self._is_let_go = False
        self._read: _Read | None = None
        self._is_large = False  # it is added on another thread, and not seen before
        self._ghost: ImportedFile | None = None  # what a preview shows while it is carried
        self._ghost_values: dict[str, Any] = {}  # of the scene, for which `_ghost` was made
        self._live: LiveEdit | None = None  # the preview that shows `_ghost`
        self._pose: Pose | None = None  # where `_live` shows it
        if not self._editor.refuses_ever("Import"):
            self._editor.read_in_background(_SUBJECT, path, self._read_files, self._take)

    @property
    def is_seen(self) -> bool:
        """True while the scene shows it."""
        return self._live is not None and self._live.has_begun and self._live.is_alive

    def surface(self, location: PointerLocation) -> Surface:
        """Return what lies under the pointer, and behind what is carried."""
        rows = () if self._ghost is None else self._ghost.rows
        return replace(location, ground_height=self._ground_height).surface(without=rows, in_air=False)

    def show(self, asked: Asked) -> None:
        """Have it stand somewhere, as soon as it is read."""
        self._asked = asked
        if self._read is None or self._is_large or self._editor.locked:
            return
        before = self._pose
        if self._live is None or not self._live.is_alive:
            self._live, before = self._editor.begin_live(is_preview=True), None  # ends what others preview
            self._make_ghost(self._read)
        self._pose = self._placer.pose(self._read.box, asked)
        if self._ghost is not None and (before is None or not all(map(np.array_equal, before, self._pose))):
            try:
                edit = self._ghost.at(self._pose.translation, self._pose.rotation)
            except EditError as error:
                self._editor.log.say("error", f"Import: {error}", REFUSED)
            else:
                self._live.preview(edit)

    def _make_ghost(self, read: _Read) -> None:
        """Make the ghost, again where the scene has another unit, other bookmarks ... meanwhile."""
        scene, (path, content) = self._editor.scene, read.contents[0]
        values = {name: frozen_value(scene, name) for name in SCENE_VALUES}
        if values != self._ghost_values:
            self._read = read._replace(box=box_of_content(content, scene.up_axis, scene.length_unit))
            self._ghost, self._ghost_values = ImportedFile(scene, content, path), values

    def hide(self) -> None:
        """Have it stand nowhere."""
        self._asked = None
        if self._live is not None:
            self._live.cancel()

    def let_go(self) -> None:
        """Leave it where it stands, or will stand once it is read."""
        self._is_let_go = True
        if self.is_seen:
            assert self._live is not None
            self._live.commit()
        elif self._read is not None:
            self._add(self._read)

    def _read_files(self, tell: Progress) -> _Read:
        options, scene = self._context.document.files.options, self._editor.scene
        contents, unread = [], []
        for each in with_files_of_folders([self._path]):
            try:
                content = read_file(each, options, progress=lambda _, done, total: tell(done, total or 0))
                contents.append((each, content))
            except ReadError as error:
                unread.append(error)
        if not contents:
            raise unread[0]
        boxes = np.array([box_of_content(content, scene.up_axis, scene.length_unit) for _, content in contents])
        return _Read(contents, np.stack((boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0))), unread)

    def _take(self, read: _Read) -> None:
        self._read = read
        for error in read.unread:
            self._editor.log.say("error", str(error), printable(error.path))
        self._is_large = len(read.contents) > 1 or FileImport(self._editor.scene, *read.contents[0]).is_large
        if self._is_let_go:
            self._add(read)
        elif self._asked is not None:
            self.show(self._asked)

    def _add(self, read: _Read) -> None:
        if self._asked is None:
            return
        editor, asked = self._editor, self._placer.in_row(self._asked)
        pose = self._placer.pose(read.box, asked)

        def added(done: bool) -> None:
            if done:
                self._placer.note_placed(asked)
                self._context.document.offer_layout(editor.selected_ids)

        def place(scene: Scene) -> Edit:
            if self._ghost is not None:
                return self._ghost.at(pose.translation, pose.rotation)
            return import_contents(scene, read.contents, pose)

        if self._ghost is None and self._is_large:
            editor.begin_background_edit(f"adding {printable(self._path.name)}", "Import", place, added)
        elif editor.run(place):
            self._placer.note_placed(asked)


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


def box_of_content(content: FileContent, up_axis: UpAxis, length_unit: str) -> np.ndarray:
    """Return the (2, 3) box of a file in a world with this up axis and unit; of one with nothing to see, the origin."""
    alone = Scene(up_axis=up_axis)
    alone.length_unit = length_unit
    alone.add_content(content, None)
    bounds = alone.bounds()
    return np.zeros((2, 3)) if bounds is None else np.array(bounds)
