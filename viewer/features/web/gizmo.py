"""WebGizmo: handles in a browser that move and turn the selection, by the same edits as in the window."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from viser import TransformControlsEvent, TransformControlsHandle, ViserServer

from octoscope.scene import EditError
from octoscope.scene.editing import Transformation
from octoscope.scene.geometry.pyrr_transforms import rotation_of_quaternion
from octoscope.viewer.editing.editor import REFUSED, Editor, LiveEdit
from octoscope.viewer.features.web.geometry import BrowserFrame

if TYPE_CHECKING:
    from collections.abc import Callable

_SHARE = 0.7  # of the selection's diagonal that the handles are long
_SHORTEST, _LONGEST = 0.3, 4.0  # browser units
_FARTHEST = 1e6  # browser units
_LIMITS = ((-_FARTHEST, _FARTHEST),) * 3
_UPRIGHT = (1.0, 0.0, 0.0, 0.0)


class WebGizmo:
    """Handles at the selection."""

    def __init__(
        self,
        server: ViserServer,
        editor: Editor,
        frame: BrowserFrame,
        call: Callable[[Callable[[], object]], object],
    ) -> None:
        self._server = server
        self._editor = editor
        self._scene = editor.scene
        self._frame = frame
        self._call = call
        self._handle: TransformControlsHandle | None = None
        self._place: tuple[object, ...] = ()  # what the handles' place follows from
        self._pivot = np.zeros(3)  # world, at the beginning of the drag
        self._transformation: Transformation | None = None
        self._live: LiveEdit | None = None
        self._dragger: int | None = None  # the browser whose drag it is

    def update(self, *, is_off: bool) -> None:
        """Move the handles to the selection, unless they are dragged; while they are off, clicks are for others."""
        if self._live is not None and not self._live.is_alive:
            self._end()
        place = (self._scene.world_revision, self._editor.selected_ids.tobytes(), is_off)
        if place == self._place or self._live is not None:
            return
        self._place = place
        ids = self._editor.selected_ids
        bounds = self._scene.bounds(ids) if len(ids) and not is_off else None
        if bounds is None:
            self._remove()
            return
        self._pivot = (bounds[0] + bounds[1]) / 2.0
        size = float(np.linalg.norm(bounds[1] - bounds[0])) * self._frame.scale
        scale = float(np.clip(_SHARE * size, _SHORTEST, _LONGEST))
        position = tuple(self._frame.points(self._pivot).tolist())
        if self._handle is not None and self._handle.scale == scale:
            with self._server.atomic():
                self._handle.position, self._handle.wxyz = position, _UPRIGHT
            return
        self._remove()
        self._handle = self._server.scene.add_transform_controls(
            "/gizmo",
            scale=scale,
            translation_limits=_LIMITS,
            rotation_limits=_LIMITS,
            depth_test=False,
            position=position,
        )
        self._handle.on_update(self._note)

    async def _note(self, event: TransformControlsEvent) -> None:
        """Take what a browser did with the handles, on the server's thread; a coroutine, so that the order stays."""
        pose = np.array(event.target.wxyz, dtype=np.float64), np.array(event.target.position, dtype=np.float64)
        self._call(partial(self._drag, event.phase, event.client_id, *pose))

    def _drag(self, phase: str, client_id: int | None, wxyz: np.ndarray, position: np.ndarray) -> None:
        """Follow a drag of one browser; that of another one ends with it."""
        if phase == "start":
            self._begin(client_id)
        elif client_id != self._dragger or self._live is None or self._transformation is None:
            return
        elif phase == "update":
            self._move(wxyz, position)
        else:
            self._live.commit()
            self._end()

    def _begin(self, client_id: int | None) -> None:
        if not len(self._editor.selected_ids) or self._editor.refuses("Move"):
            return
        try:
            self._transformation = Transformation(self._scene, self._editor.selected_ids)
        except EditError as error:
            self._editor.log.say("error", f"Move: {error}", REFUSED)
            return
        self._live, self._dragger = self._editor.begin_live(), client_id

    def _move(self, wxyz: np.ndarray, position: np.ndarray) -> None:
        length = float(np.linalg.norm(wxyz))
        if not 0.5 < length < 2.0 or self._live is None or self._transformation is None:
            return  # no rotation that the page would send
        matrix = np.eye(4)
        if np.abs(wxyz[1:]).max() > 1e-9 * length:
            matrix[:3, :3] = rotation_of_quaternion(wxyz[[1, 2, 3, 0]])
        matrix[:3, 3] = self._frame.world_points(position) - self._pivot
        try:
            self._live.preview(self._transformation.by(matrix, pivot=self._pivot, label="Move"))
        except ValueError as error:
            self._editor.log.say("error", f"Move: {error}", REFUSED)

    def _end(self) -> None:
        self._live = self._transformation = self._dragger = None
        self._place = ()  # the handles go to where the selection has come to

    def _remove(self) -> None:
        if self._handle is not None:
            self._handle.remove()
            self._handle = None
