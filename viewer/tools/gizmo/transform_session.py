"""TransformSession: one move, rotation or scaling, from when it begins until it is kept or taken back."""

from __future__ import annotations

import numpy as np

from scene.editing import Transformation
from scene.measuring import snap
from scene.measuring.snapping import VERTEX
from scene.nodes.hierarchy import with_all_below
from viewer.editing.editor import Editor
from viewer.frame.points import PixelPoint
from viewer.frame.projection import ViewProjection
from viewer.frame.viewports import Viewport
from viewer.tools.gizmo.drag_solver import (
    ALL_AXES,
    FINE,
    DragSolver,
    TransformDelta,
    in_steps,
    matrices_of,
    typed_delta,
)
from viewer.tools.gizmo.frames import GizmoFrame, bases_of, frame_of
from viewer.tools.gizmo.handles import Handle, pull_of
from viewer.tools.gizmo.settings import FACES, MOVE, ROTATE, SCALE, STEPS, VERBS, GizmoSettings
from viewer.tools.gizmo.typed_numbers import TypedNumbers

_TOLERANCE_PX = 14.0  # logical, to a vertex


class TransformSession:
    """What is selected, on its way. Each step is an edit from where it was at the beginning, in one gesture.

    Args:
        mode: one of settings.MODES. axes: along or about which, as of DragSolver.
        handle: that is dragged, or None: by keys.
        viewport, eye: the one that the mouse is in.
        mouse: where it is, or None: it has not been seen yet.

    Attributes:
        snapped_to: (3,) world, or None.
        inverts_snapping: whether Ctrl is held. is_fine: whether Shift is held.

    Raises:
        EditError: what is selected cannot be moved. ValueError: the pivot is behind the camera.
    """

    def __init__(
        self,
        editor: Editor,
        settings: GizmoSettings,
        mode: str,
        axes: tuple[int, ...],
        handle: Handle | None,
        viewport: Viewport,
        projection: ViewProjection,
        mouse: PixelPoint | None,
        *,
        cursor: np.ndarray | None,
    ) -> None:
        self.mode = mode
        self.axes = axes
        self.handle = handle
        self.snapped_to: np.ndarray | None = None
        self.inverts_snapping = self.is_fine = False
        self._editor = editor
        self._scene = editor.scene
        self._settings = settings
        self._ids = editor.selected_ids
        self._transformation = Transformation(self._scene, self._ids)
        self._begin_frame = frame_of(self._scene, self._ids, settings.space, settings.pivot, cursor)
        self._pivots = self._transformation.pivots if settings.pivot == "individual" else self._begin_frame.origin
        self._space = settings.space
        self._use_bases()
        self._viewport = viewport
        self._projection = projection
        self._begin = self._mouse = mouse
        self._typed = TypedNumbers()
        self._delta: TransformDelta | None = None
        self._live = editor.begin_live()
        self._solver = self._new_solver()

    @property
    def is_alive(self) -> bool:
        """Whether it goes on: nothing else was done since, such as undo from a menu."""
        return self._live.is_alive

    @property
    def begin_frame(self) -> GizmoFrame:
        """Where the gizmo stood when it began, with the axes that are used now."""
        return self._begin_frame

    def frame(self) -> GizmoFrame:
        """Where the gizmo stands now."""
        if self.mode != MOVE or self._delta is None:
            return self._begin_frame
        offset = matrices_of(self._solver, self._delta, self._begin_frame.basis)[:3, 3]
        return GizmoFrame(self._begin_frame.origin + offset, self._begin_frame.basis)

    def text(self) -> str:
        """How far it has gone, for a person."""
        if self._typed:
            count = max(self._number_count, len(self._typed.texts))
            texts = (self._typed.texts + [""] * count)[:count]
            shown = [f"[{text}|]" if index == self._typed.index else text or "-" for index, text in enumerate(texts)]
        elif self._delta is None:
            shown = []
        elif self.mode == ROTATE:
            shown = [f"{np.degrees(self._delta.angle_rad):.6g}"]
        else:
            values = self._delta.values[list(self.axes)]
            is_even = self.mode == SCALE and (values == values[0]).all()
            shown = [f"{value:.6g}" for value in (values[:1] if is_even else values)]
        numbers = "  ".join(shown) + ("°" if self.mode == ROTATE and shown else "")
        if self._solver.is_about_view:
            return f"{VERBS[self.mode]}  {numbers}"
        return f"{VERBS[self.mode]} {''.join('XYZ'[axis] for axis in self.axes)}  {numbers}  {self._space}"

    # What it is told.

    @property
    def viewport(self) -> Viewport:
        """The one that the mouse was in when it began."""
        return self._viewport

    def move_mouse(self, mouse: PixelPoint, projection: ViewProjection) -> None:
        """The mouse is here now, and what it is over is seen so."""
        self._mouse = mouse
        if not projection.shows_the_same(self._projection):
            self._projection, self._begin = projection, mouse
            self._solver.look_through(projection, mouse)
        elif self._begin is None:
            self._begin = mouse
            self._solver = self._new_solver()
        self._apply()

    def type_key(self, key: str) -> bool:
        """A key by the window's name; whether it belongs to a number."""
        if not self._typed.press(key, self._number_count):
            return False
        self._apply()
        return True

    def constrain(self, axis: int, *, plane: bool) -> None:
        """To an axis, or a plane across it; a second time in the other space, a third time no longer."""
        axes = (axis,)
        if plane and self.mode != ROTATE:
            axes = tuple(other for other in ALL_AXES if other != axis)
        own = self._settings.space
        if self.axes != axes:
            self.axes, space = axes, own
        elif self._space == own:
            space = "local" if own == "world" else "world"
        else:
            self.axes, space = ALL_AXES, own
        self._use_space(space)
        self._typed.index = min(self._typed.index, self._number_count - 1)
        before = self._solver
        if before.is_direct:  # as if it had been along these axes from the beginning
            self._solver = self._new_solver()
        else:
            self._begin = self._mouse
            self._solver = self._new_solver()
            self._solver.carry_on(before)
        self._apply()

    def commit(self) -> None:
        """End it; what it did stays."""
        self._live.commit()

    def cancel(self) -> None:
        """End it; all is as it was."""
        self._live.cancel()

    # How it is done.

    @property
    def _number_count(self) -> int:
        """How many numbers can be typed."""
        return 1 if self.mode == ROTATE else len(self.axes)

    def _new_solver(self) -> DragSolver:
        begin = self._begin or tuple(self._projection.pixels(self._begin_frame.origin[None])[0].tolist())
        pull = None if self.handle is None else pull_of(self.handle, self.mode)
        return DragSolver(self.mode, self.axes, self._begin_frame, self._projection, begin, pull_px=pull)

    def _use_space(self, space: str) -> None:
        if space == self._space:
            return
        self._space = space
        if self._live.has_begun:  # axes are those of the beginning
            self._live.cancel()
            self._live = self._editor.begin_live()
        self._begin_frame = GizmoFrame(self._begin_frame.origin, bases_of(self._scene, self._ids[-1:], space)[0])
        self._use_bases()

    def _use_bases(self) -> None:
        """(k, 3, 3) of each object, or (3, 3) for all."""
        self._bases = self._begin_frame.basis
        if self._settings.pivot == "individual" and self._space != "world":
            self._bases = bases_of(self._scene, self._transformation.ids, self._space)
        self._inverses = np.linalg.inv(self._bases)

    def _apply(self) -> None:
        """Let what is selected go as far as the mouse or the typed numbers say."""
        solver = self._solver
        self.snapped_to = None
        delta = solver.at_rest() if self._mouse is None else solver.to(self._mouse, fine=self.is_fine)
        if self._typed:
            values = self._typed.values(len(self.axes), 1.0 if self.mode == SCALE else 0.0)
            delta = typed_delta(solver, values, self._typed.count)
        elif self._settings.snaps != self.inverts_snapping:
            delta = self._snapped(delta)
        try:
            matrices = matrices_of(solver, delta, self._bases, self._inverses)
            edit = self._transformation.by(matrices, pivot=self._pivots, label=VERBS[self.mode])
        except ValueError:  # numbers beyond all: it stays where it was
            return
        if self._live.preview(edit):
            self._delta = delta

    def _snapped(self, delta: TransformDelta) -> TransformDelta:
        settings = self._settings
        finer = FINE if self.is_fine else 1.0
        if self.mode != MOVE or settings.target == STEPS:
            return in_steps(
                self._solver,
                delta,
                step=settings.step * finer,
                step_rad=np.radians(settings.step_deg) * finer,
                step_factor=settings.step_factor * finer,
            )
        self.snapped_to = self._target_under_mouse()
        return delta if self.snapped_to is None else self._solver.onto(self.snapped_to)

    def _target_under_mouse(self) -> np.ndarray | None:
        """(3,) world: the vertex, or the point of a face, line or point, under the mouse, of what does not move."""
        if self._mouse is None:  # begun by keys while it was beside the picture
            return None
        projection, picture = self._projection, self._viewport.snapshot
        still = picture.drawn.copy()
        moving = with_all_below(self._scene, self._ids)
        still[moving[moving < len(still)]] = False  # what is newer than the picture is not in it
        hit = picture.nearest(projection.area.point(self._mouse), still)
        if hit is None or self._settings.target == FACES:
            return None if hit is None else hit.point
        found = snap(hit, self._mouse, projection.pixels_from_relative, projection.camera.position, _TOLERANCE_PX)
        return found.point if found.kind == VERTEX else None
