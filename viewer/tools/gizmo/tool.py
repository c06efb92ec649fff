"""GizmoTool: intents in, edits out. A drag on a handle, or moving by keys, is one gesture and one entry of the history.

By keys (begin_modal, as in Blender) what is selected goes with the mouse until a click or Enter. Either way X, Y, Z
choose an axis (twice: in the other space; with Shift: the plane across it), typed numbers take the mouse's place,
Shift makes it ten times finer, Ctrl inverts snapping, and Esc takes all of it back. The camera moves as ever, but
that the middle button turns it, and what moves stays where it is meanwhile.
"""

from __future__ import annotations

import numpy as np

from viewer.editing.editor import Editor
from viewer.frame.points import PixelPoint
from viewer.frame.projection import ViewProjection
from viewer.frame.viewports import PointerLocation, Viewport
from viewer.tools.gizmo.drag_solver import ALL_AXES
from viewer.tools.gizmo.frames import GizmoFrame, frame_of
from viewer.tools.gizmo.handles import Handle, handle_under, handles_of
from viewer.tools.gizmo.settings import SCALE, VERBS, GizmoSettings
from viewer.tools.gizmo.transform_session import TransformSession
from viewer.tools.intents import (
    Click,
    DoubleClick,
    Drag,
    Drop,
    FlySpeed,
    Hover,
    Intent,
    KeyPress,
    LookAround,
    Pan,
    Press,
    RightClick,
    Zoom,
)
from viewer.window.keys import Chord


class GizmoTool:
    """Moves what is selected in a view.

    Args:
        editor: does it. scale: of the interface, by which handles are larger.

    Attributes:
        settings: what a person chose; to be written.
        scale: as given.
        hovered: the handle under the mouse, or None. mouse: where that is, pixels of the picture, or None.
        cursor: (3,) world: the point that was clicked last, or None.
    """

    def __init__(self, editor: Editor, scale: float = 1.0) -> None:
        self.settings = GizmoSettings()
        self.scale = scale
        self.hovered: Handle | None = None
        self.mouse: PixelPoint | None = None
        self.cursor: np.ndarray | None = None
        self._editor = editor
        self._view = editor.view
        self._session: TransformSession | None = None
        self._ignores_drag = False  # one that has ended already, until its button is let go

    # What there is to see.

    @property
    def is_running(self) -> bool:
        """Whether something goes on that Esc would take back."""
        return self._running_session is not None

    @property
    def _running_session(self) -> TransformSession | None:
        """What goes on: nothing else was done since, and the picture is divided as it was."""
        session = self._session
        return (
            session if session is not None and session.is_alive and session.viewport in self._view.viewports else None
        )

    @property
    def shown_mode(self) -> str | None:
        """Whose handles are shown, or None: no handles, as while something goes on by keys."""
        session = self._running_session
        return self.settings.mode if session is None else session.mode if session.handle is not None else None

    @property
    def snapped_to(self) -> np.ndarray | None:
        """(3,) world: what it has snapped to, or None."""
        return None if self._running_session is None else self._session.snapped_to

    def text(self) -> str | None:
        """How far it goes, for a person; None: nothing goes on."""
        return None if self._running_session is None else self._session.text()

    def projections(self) -> list[ViewProjection]:
        """The parts of the picture, each with its camera."""
        return [self._projection(viewport) for viewport in self._view.viewports]

    def frame(self) -> GizmoFrame | None:
        """Where the gizmo stands now, or None where nothing is selected."""
        if self._running_session is not None:
            return self._session.frame()
        ids = self._editor.selected_ids
        if not len(ids):
            return None
        return frame_of(self._view.scene, ids, self.settings.space, self.settings.pivot, self.cursor)

    def handles(self, projection: ViewProjection) -> list[Handle]:
        """What can be taken hold of in a part of the picture; while something goes on, the handle that is dragged."""
        mode = self.shown_mode
        frame = None if mode is None else self.frame()
        if frame is None:
            return []
        found = handles_of(mode, frame, projection, self.scale)
        return (
            found
            if self._running_session is None
            else [handle for handle in found if handle.is_like(self._session.handle)]
        )

    def guides(self, projection: ViewProjection) -> list[tuple[int, np.ndarray]]:
        """(axis, (2, 2) pixels): the lines that something goes along or turns about, across the picture."""
        if self._running_session is None or len(self._session.axes) == 3:
            return []
        frame = self._session.begin_frame
        if not projection.sees(frame.origin):
            return []
        origin = projection.pixels(frame.origin[None])[0]
        along = (projection.pixels_per_unit(frame.origin) @ frame.directions).T
        lengths = np.linalg.norm(along, axis=1)
        reach = 2.0 * sum(projection.area.size)
        return [
            (axis, origin + np.outer((-reach, reach), along[axis] / lengths[axis]))
            for axis in self._session.axes
            if lengths[axis] > 1e-3 * lengths.max()
        ]

    # What comes in.

    def follow(self, intent: Intent) -> bool:
        """Take an intent, if it is this tool's; whether it was."""
        match intent:
            case Hover(location):
                self.mouse = None if location is None else location.pixel
            case Drag():
                self.mouse = intent.end.pixel
        self._drop_ended()
        if self._session is not None:
            return self._follow_running(intent)
        match intent:
            case Drag():
                return self._begin_drag(intent)
            case Hover(location):
                self.hovered = None if location is None else self._handle_at(location)
                return self.hovered is not None
            case Click(location):
                if self._handle_at(location) is not None:
                    return True
                hit = location.hit()
                if hit is not None:
                    self.cursor = hit.point
        return False

    def begin_modal(self, mode: str) -> None:
        """Let what is selected go with the mouse from here on."""
        self.cancel()
        viewport = self._view.active if self.mouse is None else self._view.locate(self.mouse).viewport
        self._begin(mode, ALL_AXES, None, self.mouse, viewport)

    def mirror(self, axis: int) -> None:
        """Scale what is selected by -1 along an axis (0, 1, 2) of the gizmo's space, about its pivot."""
        self.begin_modal(SCALE)
        if self._session is not None:
            self._session.constrain(axis, plane=False)
            self._session.type_key("MINUS")
            self._session.type_key("NUMBER_1")
            self._commit()

    def set_mode(self, mode: str | None) -> None:
        """Show these handles; None: no handles."""
        self.cancel()
        self.settings.mode = mode
        self.hovered = None

    def cancel(self) -> bool:
        """Take back what goes on; whether anything did."""
        self._drop_ended()
        if self._session is None:
            return False
        self._session.cancel()
        self._end()
        return True

    def _drop_ended(self) -> None:
        if self._session is not None and self._running_session is None:
            self._commit()

    def _commit(self) -> None:
        self._session.commit()
        self._end()

    def _end(self) -> None:
        """Nothing goes on any more; the button may still be down."""
        self._ignores_drag = self._session.handle is not None
        self._session = None

    def _follow_running(self, intent: Intent) -> bool:
        session = self._session
        by_keys = session.handle is None
        match intent:
            case Drag():
                self._move_mouse(intent)
                if intent.is_last:
                    self._commit()
                    self._ignores_drag = False
            case Hover(location) if by_keys and location is not None:
                self._move_mouse(intent)
            case Click() | DoubleClick() if by_keys:
                self._commit()
            case RightClick() if by_keys:
                self.cancel()
            case KeyPress(chord):
                return self._press(chord)
            case Drop() | Press() | Pan() | LookAround() | Zoom() | FlySpeed():
                return False  # the camera may move meanwhile
        return True

    def _move_mouse(self, intent: Drag | Hover) -> None:
        """What moves goes where the mouse is."""
        self._session.inverts_snapping, self._session.is_fine = intent.ctrl, intent.shift
        self._session.move_mouse(self.mouse, self._projection(self._session.viewport))

    def _press(self, chord: Chord) -> bool:
        """A key while something goes on, which keeps all keys but F1 and its like from doing anything else."""
        if chord.is_function_key:
            return False
        if chord.key == "ESCAPE":
            self.cancel()
        elif chord.key == "ENTER":
            self._commit()
        elif chord.key in ("X", "Y", "Z") and not (chord.ctrl or chord.alt):
            self._session.constrain("XYZ".index(chord.key), plane=chord.shift)
        else:
            self._session.type_key(chord.key)
        return True

    def _begin_drag(self, drag: Drag) -> bool:
        if not drag.is_first:
            ignores = self._ignores_drag
            self._ignores_drag = ignores and not drag.is_last
            return ignores
        self._ignores_drag = False
        handle = self._handle_at(drag.begin)
        if handle is None:
            return False
        if self._begin(self.settings.mode, handle.axes, handle, drag.begin.pixel, drag.begin.viewport):
            self._follow_running(drag)
        else:
            self._ignores_drag = True
        return True

    def _begin(
        self, mode: str, axes: tuple[int, ...], handle: Handle | None, mouse: PixelPoint | None, viewport: Viewport
    ) -> bool:
        """Begin; whether that could be done."""
        if not len(self._editor.selected_ids):
            return False
        try:
            self._session = TransformSession(
                self._editor,
                self.settings,
                mode,
                axes,
                handle,
                viewport,
                self._projection(viewport),
                mouse,
                cursor=self.cursor,
            )
        except ValueError as error:
            self._editor.log.say("error", f"{VERBS[mode]}: {error}")
            return False
        self.hovered = handle
        return True

    def _handle_at(self, location: PointerLocation) -> Handle | None:
        if self.settings.mode is None:
            return None
        return handle_under(self.handles(self._projection(location.viewport)), location.pixel, self.scale)

    def _projection(self, viewport: Viewport) -> ViewProjection:
        return ViewProjection(viewport.camera, self._view.area(viewport))
