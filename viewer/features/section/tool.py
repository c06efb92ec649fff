"""SectionTool: adds, changes and removes the planes of a section, and drags the active one by handles.

An arrow moves it along its normal, two rings turn it. With Shift a drag is ten times finer, Ctrl inverts snapping, and
Esc takes the drag back. A section is a way of seeing, so nothing of this is an edit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from octoscope.scene.cutting.caps import PlaneFrame
from octoscope.scene.geometry.pyrr_transforms import rotation_about
from octoscope.scene.measuring import Lengths
from octoscope.viewer.camera.camera import BOX_EDGES, box_corners
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.frame.points import PixelPoint
from octoscope.viewer.frame.projection import ViewProjection
from octoscope.viewer.frame.section import MOST_PLANES, NO_SECTION, ON_PLANE, Section, SectionPlane
from octoscope.viewer.frame.viewports import PointerLocation, Viewport
from octoscope.viewer.tools.gizmo.drag_solver import DragSolver, in_steps
from octoscope.viewer.tools.gizmo.frames import GizmoFrame
from octoscope.viewer.tools.gizmo.handles import ARM, RING, Handle, handle_under, handles_of
from octoscope.viewer.tools.gizmo.settings import MOVE, ROTATE, GizmoSettings
from octoscope.viewer.tools.intents import Click, Drag, Hover, Intent, KeyPress

_ALONG = 2  # the axis of the handles' frame that is the plane's normal
_TAKEN = ((MOVE, ARM, (_ALONG,)), (ROTATE, RING, (0,)), (ROTATE, RING, (1,)))
_HINT = "drag the arrow to move the section's plane, a ring to turn it; Shift is finer, Ctrl inverts snapping"
_AROUND = 0.03  # of the scene's size: how far the border that is drawn lies beyond its bounds


@dataclass(frozen=True, eq=False)
class _PlaneDrag:
    solver: DragSolver  # measures it
    handle: Handle  # that is dragged
    viewport: Viewport  # in which it is
    before: Section  # the section at its beginning
    after: Section  # the section as the drag left it last


class SectionTool:
    """Changes the section of a view."""

    snapped_to = None  # as of GizmoTool: planes snap to steps alone

    def __init__(self, editor: Editor, settings: GizmoSettings) -> None:
        self.shows_handles = True  # whether the active plane has handles
        self.hovered: Handle | None = None  # the handle under the mouse, or None
        self.mouse: PixelPoint | None = None  # the mouse's pixel, or None
        self._editor = editor
        self.view = editor.view
        self._settings = settings
        self._active = 0
        self._point: np.ndarray | None = None  # where the handles stood last
        self._switched_off = NO_SECTION
        self._drag: _PlaneDrag | None = None
        self._ignores_drag = False  # the rest of a drag that was taken back

    # The planes.

    @property
    def planes(self) -> tuple[SectionPlane, ...]:
        """The planes of the view's section."""
        return self.view.settings.section.planes

    @property
    def active(self) -> int:
        """Index of the plane that has the handles; -1 where there is none."""
        return min(self._active, len(self.planes) - 1)

    @active.setter
    def active(self, index: int) -> None:
        self._active = index

    @property
    def is_full(self) -> bool:
        """True if there are as many planes as can be."""
        return len(self.planes) >= MOST_PLANES

    def add(self, toward_eye: np.ndarray) -> None:
        """Add a plane through the middle of the selection, or of all; what is `toward_eye`, (3,) world, is cut away."""
        point = self._middle()
        try:
            plane = SectionPlane.through(point, -toward_eye)
        except ValueError as error:
            self._editor.log.tell("Section", f"Section: {error}")
            return
        self._editor.log.settle("Section")
        self._point = point
        if plane not in self.planes:
            self.view.settings.section = Section((*self.planes, plane))
        self._active = self.planes.index(plane)

    def add_across(self, axis: int) -> None:
        """Add a plane across an axis (0, 1, 2) that cuts away the side that the camera is on."""
        direction = np.zeros(3)
        direction[axis] = 1.0 if self.view.camera.axes[2][axis] >= 0.0 else -1.0
        self.add(direction)

    def add_across_view(self) -> None:
        """Add a plane that faces the camera and cuts away the side that the camera is on."""
        self.add(self.view.camera.axes[2])

    def change(self, index: int, plane: SectionPlane) -> None:
        """Put another plane in the place of one."""
        planes = list(self.planes)
        planes[index] = plane
        self.view.settings.section = Section(tuple(planes))

    def turn(self, index: int, normal: np.ndarray) -> None:
        """Give a plane another (3,) normal of any length, about where its handles stand."""
        self.change(index, SectionPlane.through(self._frame_of(index).origin, normal))

    def remove(self, index: int) -> None:
        """Remove a plane."""
        self.view.settings.section = Section(self.planes[:index] + self.planes[index + 1 :])

    def clear(self) -> None:
        """Remove all planes."""
        self.view.settings.section = NO_SECTION

    def toggle(self) -> None:
        """Switch the section off, or on again as it was; the first cuts across the axis that the camera looks along."""
        if self.view.settings.section:
            self._switched_off, self.view.settings.section = self.view.settings.section, NO_SECTION
        elif self._switched_off:
            self.view.settings.section = self._switched_off
        else:
            self.add_across(int(np.abs(self.view.camera.axes[2][[0, 2]]).argmax()) * 2)

    def _middle(self) -> np.ndarray:
        ids = self._editor.selected_ids
        bounds = self.view.scene.own_bounds(ids if len(ids) else self.view.visibility.shown_ids())
        return self.view.camera.pivot if bounds is None else np.mean(bounds, axis=0)

    # The handles, as the gizmo's overlay draws them.

    @property
    def shown_mode(self) -> str:
        """The mode of the gizmo whose arrows the handles have."""
        return MOVE

    @property
    def color_axes(self) -> tuple[int, ...]:
        """The world's axis that is nearest to each axis of the active plane's handles, whose colour that has."""
        return tuple(np.abs(self._frame_of(self.active).basis).argmax(axis=0).tolist())

    def projections(self) -> list[ViewProjection]:
        """Return the projection of each viewport with its present camera."""
        return [self.view.layout.projection_of(viewport) for viewport in self.view.viewports]

    def handles(self, projection: ViewProjection) -> list[Handle]:
        """Return the handles in a viewport; during a drag only the one that is dragged."""
        if not self.shows_handles or self.active < 0:
            return []
        frame = self._frame_of(self.active)
        found = [
            handle
            for mode, shape, axes in _TAKEN
            for handle in handles_of(mode, frame, projection, self.view.interface_scale)
            if handle.shape == shape and handle.axes == axes
        ]
        drag = self._running
        return found if drag is None else [handle for handle in found if handle.is_like(drag.handle)]

    def guides(self, projection: ViewProjection) -> list[tuple[int, np.ndarray]]:
        """Return the sides of the active plane's part in the scene's bounds: axis of the colour, (2, 2) pixels each."""
        bounds = self.view.index.bounds()
        if not self.shows_handles or self.active < 0 or bounds is None:
            return []
        frame = self._frame_of(self.active)
        corners = _corners_in_box(frame, np.array(bounds))
        if len(corners) < 3 or not all(projection.sees(corner) for corner in corners):
            return []
        pixels = projection.pixels(corners)
        return [
            (self.color_axes[_ALONG], np.array(side)) for side in zip(pixels, np.roll(pixels, -1, axis=0), strict=True)
        ]

    def text(self) -> str | None:
        """Return a line for users about the drag under way, or None."""
        if self._running is None:
            return None
        return f"Section: keeping {self.planes[self.active].short_text(Lengths.of(self._editor.scene))}"

    @property
    def hint(self) -> str:
        """A line about how to drag a handle, while one is under the mouse or nothing is selected; else ""."""
        has_handles = self.shows_handles and self.active >= 0
        return _HINT if has_handles and (self.hovered is not None or not len(self.view.selected_ids)) else ""

    def _frame_of(self, index: int) -> GizmoFrame:
        """Return where the handles of a plane stand; the third axis points to what is cut away."""
        plane = self.planes[index]
        normal = np.array(plane.normal)
        if self._point is None or abs(normal @ self._point - plane.offset) > ON_PLANE * (
            abs(plane.offset) + np.abs(normal) @ np.abs(self._point)
        ):
            self._point = plane.foot(np.mean(self.view.index.bounds() or np.zeros((2, 3)), axis=0))
        return GizmoFrame(self._point, PlaneFrame.across(-normal, self._point).axes.T)

    # What the mouse does.

    def follow(self, intent: Intent) -> bool:
        """Handle an intent if it is meant for a handle; return whether it was."""
        match intent:
            case Hover(location):
                self.mouse = None if location is None else location.pixel
                self.hovered = None if location is None else self._handle_at(location)
                return self.hovered is not None
            case Drag():
                self.mouse = intent.end.pixel
                return self._follow_drag(intent)
            case Click(location):
                return self._handle_at(location) is not None
            case KeyPress(chord) if chord.key == "ESCAPE":
                return self._take_back()
        return False

    @property
    def _running(self) -> _PlaneDrag | None:
        """The drag under way; None as soon as something else changed the section, or its viewport is gone."""
        drag = self._drag
        if drag is None or drag.after is not self.view.settings.section or drag.viewport not in self.view.viewports:
            return None
        return drag

    def _follow_drag(self, intent: Drag) -> bool:
        if intent.is_first:
            self._ignores_drag = False
            self._begin(intent.begin)
        drag = self._running
        if drag is None:
            ignores = self._ignores_drag
            self._ignores_drag = ignores and not intent.is_last
            return ignores
        self._move(drag, intent)
        if intent.is_last:
            self._drag = None
        return True

    def _begin(self, location: PointerLocation) -> None:
        self._drag = None
        handle = self._handle_at(location)
        if handle is None:
            return
        mode = MOVE if handle.shape == ARM else ROTATE
        projection, section = self.view.layout.projection_of(location.viewport), self.view.settings.section
        solver = DragSolver(mode, handle.axes, self._frame_of(self.active), projection, location.pixel)
        self._drag = _PlaneDrag(solver, handle, location.viewport, section, section)
        self.hovered = handle

    def _move(self, drag: _PlaneDrag, intent: Drag) -> None:
        settings, solver = self._settings, drag.solver
        delta = solver.move_to(intent.end.pixel, fine=intent.shift)
        if settings.snaps != intent.ctrl:
            delta = in_steps(
                solver,
                delta,
                step=settings.step,
                step_rad=np.radians(settings.step_deg),
                step_factor=settings.step_factor,
            )
        frame = solver.frame
        point = frame.origin + frame.directions @ delta.values
        turn = rotation_about(frame.basis @ solver.turn_axis, delta.angle_rad) if solver.mode == ROTATE else np.eye(3)
        try:
            plane = SectionPlane.through(point, turn @ -frame.directions[:, _ALONG])
        except ValueError:  # so far away that it stays where it is
            return
        self._point = point
        self.change(self.active, plane)
        self._drag = _PlaneDrag(solver, drag.handle, drag.viewport, drag.before, self.view.settings.section)

    def _take_back(self) -> bool:
        """Take the drag under way back; return whether there was one."""
        drag = self._running
        if drag is None:
            return False
        self.view.settings.section = drag.before
        self._drag = None
        self._ignores_drag = True
        return True

    def _handle_at(self, location: PointerLocation) -> Handle | None:
        return handle_under(
            self.handles(self.view.layout.projection_of(location.viewport)), location.pixel, self.view.interface_scale
        )


def _corners_in_box(frame: GizmoFrame, bounds: np.ndarray) -> np.ndarray:
    """Return (n, 3) corners in order of the plane of a frame's first two axes in a world box, (2, 3), made larger."""
    room = _AROUND * np.ptp(bounds, axis=0).max()
    low, high = bounds[0] - room, bounds[1] + room
    ends = box_corners(low, high)[BOX_EDGES]
    depths = (ends - frame.origin) @ frame.directions[:, _ALONG]
    is_cut = (depths[:, 0] < 0.0) != (depths[:, 1] < 0.0)
    begins, ends, depths = ends[is_cut, 0], ends[is_cut, 1], depths[is_cut]
    points = begins + (depths[:, 0] / (depths[:, 0] - depths[:, 1]))[:, None] * (ends - begins)
    if not len(points):
        return points
    across = (points - points.mean(axis=0)) @ frame.directions[:, :_ALONG]
    return points[np.argsort(np.arctan2(across[:, 1], across[:, 0]))]
