"""GizmoTool: moves, rotates and scales the selection by drags of handles, or modally.

A modal transformation (as in Blender, from `begin_modal`) follows the mouse until a click or Enter. In a drag as in a
modal one X, Y and Z constrain to an axis (pressed again: of the other space; with Shift: to the plane perpendicular to
it), typed numbers take the mouse's place, Shift makes it ten times finer, Ctrl inverts snapping, and Esc cancels.
Either is one entry of the history. The camera can be moved meanwhile, with the middle button orbiting; the selection
then stays where it is.
"""

from __future__ import annotations

import numpy as np

from octoscope.viewer.editing.editor import REFUSED, Editor
from octoscope.viewer.editing.memo import Memo, state_of
from octoscope.viewer.frame.points import PixelPoint
from octoscope.viewer.frame.projection import ViewProjection
from octoscope.viewer.frame.viewports import PointerLocation, Viewport
from octoscope.viewer.tools.gizmo.drag_solver import ALL_AXES
from octoscope.viewer.tools.gizmo.frames import GizmoFrame, frame_of
from octoscope.viewer.tools.gizmo.handles import Handle, handle_under, handles_of
from octoscope.viewer.tools.gizmo.settings import SCALE, VERBS, GizmoSettings
from octoscope.viewer.tools.gizmo.transform_session import TransformSession
from octoscope.viewer.tools.intents import (
    Click,
    DoubleClick,
    Drag,
    Drop,
    FlySpeed,
    Hover,
    Intent,
    KeyPress,
    Press,
    RightClick,
    Steering,
    Zoom,
)
from octoscope.viewer.window.keys import Chord


class GizmoTool:
    """Transforms the selection of a view."""

    color_axes = (0, 1, 2)  # as of HandleTool

    def __init__(self, editor: Editor) -> None:
        self.settings = GizmoSettings()
        self.hovered: Handle | None = None
        self.mouse: PixelPoint | None = None
        self._editor = editor
        self.view = editor.view
        self._frame: Memo[GizmoFrame] = Memo()  # pivots are found by all vertices, and each frame asks
        self._session: TransformSession | None = None
        self._ignores_drag = False  # True until the button is released: the transformation has ended before

    @property
    def is_running(self) -> bool:
        """True while there is a transformation that Esc would cancel."""
        return self._running_session is not None

    @property
    def _running_session(self) -> TransformSession | None:
        """The transformation under way; None as soon as something else was done or its viewport is gone."""
        session = self._session
        if session is None or not session.is_alive or session.viewport not in self.view.viewports:
            return None
        return session

    @property
    def shown_mode(self) -> str | None:
        """The mode whose handles are shown; None for no handles, as during a modal transformation."""
        session = self._running_session
        if session is None:
            return self.settings.mode
        return None if session.handle is None else session.mode

    @property
    def snapped_to(self) -> np.ndarray | None:
        """(3,) world point that a move snaps to now, or None."""
        session = self._running_session
        return None if session is None else session.snapped_to

    def text(self) -> str | None:
        """Return a line for users about the transformation under way, or None."""
        session = self._running_session
        return None if session is None else session.text()

    def projections(self) -> list[ViewProjection]:
        """Return the projection of each viewport with its present camera."""
        return [self.view.layout.projection_of(viewport) for viewport in self.view.viewports]

    def frame(self) -> GizmoFrame | None:
        """Return where the gizmo stands now, or None where nothing is selected."""
        session = self._running_session
        if session is not None:
            return session.frame()
        ids, scene, settings = self._editor.selected_ids, self.view.scene, self.settings
        if not len(ids):
            return None
        key = settings.space, settings.pivot, scene.cursor, *state_of(scene)
        return self._frame.get(ids, key, lambda: frame_of(scene, ids, settings.space, settings.pivot))

    def handles(self, projection: ViewProjection) -> list[Handle]:
        """Return the handles in a viewport; during a drag only the one that is dragged."""
        mode, session = self.shown_mode, self._running_session
        frame = None if mode is None else self.frame()
        if mode is None or frame is None:
            return []
        found = handles_of(mode, frame, projection, self.view.interface_scale)
        return found if session is None else [handle for handle in found if handle.is_like(session.handle)]

    def guides(self, projection: ViewProjection) -> list[tuple[int, np.ndarray]]:
        """Return the lines across a viewport that the transformation is constrained to: (axis, (2, 2) pixels) each."""
        session = self._running_session
        if session is None or len(session.axes) == 3:
            return []
        frame = session.begin_frame
        if not projection.sees(frame.origin):
            return []
        origin = projection.pixels(frame.origin[None])[0]
        along = (projection.pixels_per_unit(frame.origin) @ frame.directions).T
        lengths = np.linalg.norm(along, axis=1)
        reach = 2.0 * sum(projection.area.size)
        return [
            (axis, origin + np.outer((-reach, reach), along[axis] / lengths[axis]))
            for axis in session.axes
            if lengths[axis] > 1e-3 * lengths.max()
        ]

    def follow(self, intent: Intent) -> bool:
        """Handle an intent if it is meant for the gizmo; return whether it was."""
        match intent:
            case Hover(location):
                self.mouse = None if location is None else location.pixel
            case Drag():
                self.mouse = intent.end.pixel
        session = self._take_session()
        if session is not None:
            return self._follow_running(session, intent)
        match intent:
            case Drag():
                return self._begin_drag(intent)
            case Hover(location):
                self.hovered = None if location is None else self._handle_at(location)
                return self.hovered is not None
            case Click(location):
                return self._handle_at(location) is not None
        return False

    def begin_modal(self, mode: str) -> None:
        """Begin a transformation of the selection that follows the mouse until a click or Enter."""
        self.cancel()
        viewport = self.view.active if self.mouse is None else self.view.locate(self.mouse).viewport
        self._begin(mode, ALL_AXES, None, self.mouse, viewport)

    def mirror(self, axis: int) -> None:
        """Scale the selection by -1 along an axis (0, 1, 2) of the gizmo's space, about its pivot."""
        self.begin_modal(SCALE)
        if self._session is not None:
            self._session.constrain(axis, plane=False)
            self._session.type_key("MINUS")
            self._session.type_key("NUMBER_1")
            self.commit()

    def set_mode(self, mode: str | None) -> None:
        """Show the handles of a mode, or none."""
        self.cancel()
        self.settings.mode = mode
        self.hovered = None

    def commit(self) -> None:
        """End the transformation, if there is one; its result stays."""
        if self._session is not None:
            self._session.commit()
            self._end(self._session)

    def cancel(self) -> bool:
        """Cancel the transformation under way; return whether there was one."""
        session = self._take_session()
        if session is None:
            return False
        session.cancel()
        self._end(session)
        return True

    def _take_session(self) -> TransformSession | None:
        """Return the transformation under way; commit one that has ended otherwise."""
        session = self._running_session
        if session is None:
            self.commit()
        return session

    def _end(self, session: TransformSession) -> None:
        """Forget a transformation; the mouse button may still be down."""
        self._ignores_drag = session.handle is not None
        self._session = None

    def _follow_running(self, session: TransformSession, intent: Intent) -> bool:
        is_modal = session.handle is None
        match intent:
            case Drag():
                self._move_mouse(session, intent)
                if intent.is_last:
                    self._can_read(session)
                    self.commit()
                    self._ignores_drag = False
            case Hover(location) if is_modal and location is not None:
                self._move_mouse(session, intent)
            case Click() | DoubleClick() if is_modal:
                if self._can_read(session):
                    self.commit()
            case RightClick() if is_modal:
                self.cancel()
            case KeyPress(chord, text):
                return self._press(session, chord, text)
            case Drop() | Press() | Steering() | Zoom() | FlySpeed():
                return False  # the camera may move meanwhile
        return True

    def _move_mouse(self, session: TransformSession, intent: Drag | Hover) -> None:
        session.inverts_snapping, session.is_fine = intent.ctrl, intent.shift
        if self.mouse is not None:
            session.move_mouse(self.mouse, self.view.layout.projection_of(session.viewport))

    def _can_read(self, session: TransformSession) -> bool:
        """Return whether the numbers that were typed can be read; else the log says why not."""
        problem = session.problem
        if problem:
            self._editor.log.say("error", f"{VERBS[session.mode]}: {problem}", REFUSED)
        return not problem

    def _press(self, session: TransformSession, chord: Chord, text: str) -> bool:
        """Handle a key during a transformation; all keys but F1 and the like are kept from doing anything else."""
        if chord.is_function_key:
            return False
        if chord.key == "ESCAPE":
            self.cancel()
        elif chord.key == "ENTER":
            if self._can_read(session):
                self.commit()
        elif chord.key in ("X", "Y", "Z") and not (chord.ctrl or chord.alt):
            session.constrain("XYZ".index(chord.key), plane=chord.shift)
        else:
            session.type_key(chord.key, text)
        return True

    def _begin_drag(self, drag: Drag) -> bool:
        if not drag.is_first:
            ignores = self._ignores_drag
            self._ignores_drag = ignores and not drag.is_last
            return ignores
        self._ignores_drag = False
        mode, handle = self.settings.mode, self._handle_at(drag.begin)
        if mode is None or handle is None:
            return False
        session = self._begin(mode, handle.axes, handle, drag.begin.pixel, drag.begin.viewport)
        if session is None:
            self._ignores_drag = True
        else:
            self._follow_running(session, drag)
        return True

    def _begin(
        self, mode: str, axes: tuple[int, ...], handle: Handle | None, mouse: PixelPoint | None, viewport: Viewport
    ) -> TransformSession | None:
        """Begin a transformation and return it; None, with a line in the log, where it cannot be done."""
        if not len(self._editor.selected_ids):
            return None
        projection = self.view.layout.projection_of(viewport)
        try:
            self._session = TransformSession(
                self._editor, self.settings, mode, axes, handle, viewport, projection, mouse
            )
        except ValueError as error:
            self._editor.log.say("error", f"{VERBS[mode]}: {error}", REFUSED)
            return None
        self.hovered = handle
        return self._session

    def _handle_at(self, location: PointerLocation) -> Handle | None:
        if self.settings.mode is None:
            return None
        return handle_under(
            self.handles(self.view.layout.projection_of(location.viewport)), location.pixel, self.view.interface_scale
        )
