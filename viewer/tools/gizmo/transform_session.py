"""TransformSession: one move, rotation or scaling, from its beginning until it is committed or cancelled."""

from __future__ import annotations

import numpy as np

from octoscope.scene.conventions.length_unit import NO_UNIT
from octoscope.scene.conventions.typed_numbers import typed_number
from octoscope.scene.conventions.up_axis import up_index
from octoscope.scene.conventions.upright import up_vector
from octoscope.scene.editing import Transformation
from octoscope.scene.geometry.affine import smallest_turns
from octoscope.scene.measuring import Lengths
from octoscope.scene.measuring.lengths import number_text
from octoscope.scene.nodes.bounds import pivot_points
from octoscope.scene.nodes.hierarchy import with_all_below
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.frame.points import PixelPoint
from octoscope.viewer.frame.projection import ViewProjection
from octoscope.viewer.frame.viewports import Surface, Viewport
from octoscope.viewer.tools.gizmo.drag_solver import (
    ALL_AXES,
    FINE,
    DragSolver,
    TransformDelta,
    in_steps,
    matrices_of,
    typed_delta,
)
from octoscope.viewer.tools.gizmo.frames import GizmoFrame, bases_of, frame_of
from octoscope.viewer.tools.gizmo.handles import Handle, pull_of
from octoscope.viewer.tools.gizmo.settings import (
    FACES,
    HEXAGONS,
    MOVE,
    ROTATE,
    SCALE,
    SNAP_KINDS,
    STEPS,
    VERBS,
    GizmoSettings,
)

_CHARACTERS = {f"{prefix}{digit}": str(digit) for prefix in ("NUMBER_", "NUMPAD_") for digit in range(10)}
_CHARACTERS |= {"PERIOD": ".", "COMMA": ".", "MINUS": "-"}  # of keys that come without what they type
_BEGINNINGS = frozenset("0123456789.,(-")  # with other characters no number begins: they are keys of commands
_LONGEST = 40


class TransformSession:
    """A transformation of the selection under way.

    Each step is an edit that starts from the state at the beginning; all of them are one live edit.

    Args:
        handle: the handle that is dragged; None for a modal transformation, which follows the mouse.
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
    ) -> None:
        self.mode = mode
        self.axes = axes
        self.handle = handle
        self.snapped_to: np.ndarray | None = None  # (3,) world point that a move snaps to, or None
        self._turn: np.ndarray | None = None  # (3, 3) by which a move that snaps to a face turns, or None
        self.inverts_snapping = self.is_fine = False
        self._editor = editor
        self._scene = editor.scene
        self._settings = settings
        self._ids = editor.selected_ids
        self._transformation = Transformation(self._scene, self._ids)
        # the gizmo's frame at the beginning, with the axes that are used now
        self.begin_frame = frame_of(self._scene, self._ids, settings.space, settings.pivot)
        is_about_each = settings.pivot == "individual"
        self._pivots = pivot_points(self._scene, self._transformation.ids) if is_about_each else self.begin_frame.origin
        self._space = settings.space
        self._use_bases()
        self.viewport = viewport
        self._projection = projection
        upward = self._scene.world_from_local[self._ids[-1], :3, up_index(self._scene.up_axis)]
        self._upward = upward / np.linalg.norm(upward) if upward.any() else up_vector(self._scene.up_axis)
        self._begin = self._mouse = mouse
        self._typed = TypedNumbers()
        self._delta: TransformDelta | None = None
        self._live = editor.begin_live()
        self._solver = self._new_solver()

    @property
    def is_alive(self) -> bool:
        """False once something else was done, such as undo from a menu."""
        return self._live.is_alive

    def frame(self) -> GizmoFrame:
        """Return where the gizmo stands now."""
        if self.mode != MOVE or self._delta is None:
            return self.begin_frame
        offset = matrices_of(self._solver, self._delta, self.begin_frame.basis)[:3, 3]
        return GizmoFrame(self.begin_frame.origin + offset, self.begin_frame.basis)

    def text(self) -> str:
        """Return a line for users: the mode, the axes and the numbers."""
        if self._typed:
            count = max(self._number_count, len(self._typed.texts))
            texts = (self._typed.texts + [""] * count)[:count]
            shown = [f"[{text}|]" if index == self._typed.index else text or "-" for index, text in enumerate(texts)]
        elif self._delta is None:
            shown = []
        elif self.mode == ROTATE:
            shown = [number_text(np.degrees(self._delta.angle_rad))]
        else:
            values = self._delta.values[list(self.axes)]
            is_even = self.mode == SCALE and (values == values[0]).all()
            text_of = Lengths.of(self._scene).text if self.mode == MOVE else number_text
            shown = [text_of(value) for value in (values[:1] if is_even else values)]
        numbers = "  ".join(shown) + ("°" if self.mode == ROTATE and shown else "")
        if self._solver.is_about_view:
            return f"{VERBS[self.mode]}  {numbers}"
        return f"{VERBS[self.mode]} {''.join('XYZ'[axis] for axis in self.axes)}  {numbers}  {self._space}"

    def move_mouse(self, mouse: PixelPoint, projection: ViewProjection) -> None:
        """Go to where the mouse is now, in a viewport that is seen through this projection now."""
        self._mouse = mouse
        if not projection.shows_the_same(self._projection):
            self._projection, self._begin = projection, mouse
            self._solver.change_view(projection, mouse)
        elif self._begin is None:
            self._begin = mouse
            self._solver = self._new_solver()
        self._apply()

    @property
    def problem(self) -> str:
        """A line about what was typed if it is no number, else ""."""
        try:
            self._typed_values()
        except ValueError as error:
            return str(error)
        return ""

    def type_key(self, key: str, character: str = "") -> bool:
        """Take a key, by the window's name and what it types, if it belongs to a number; return whether it does."""
        if not self._typed.press(key, character, self._number_count):
            return False
        self._apply()
        return True

    def constrain(self, axis: int, *, plane: bool) -> None:
        """Constrain to an axis, or to the plane across it; a second call takes the other space, a third one ends it."""
        axes: tuple[int, ...] = (axis,)
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
        if before.is_direct:  # measured as if these axes had been free from the beginning
            self._solver = self._new_solver()
        else:
            self._begin = self._mouse
            self._solver = self._new_solver()
            self._solver.continue_from(before)
        self._apply()

    def commit(self) -> None:
        """End the transformation; its result stays."""
        self._live.commit()

    def cancel(self) -> None:
        """End the transformation; everything is as it was at the beginning."""
        self._live.cancel()

    @property
    def _number_count(self) -> int:
        return 1 if self.mode == ROTATE else len(self.axes)

    def _new_solver(self) -> DragSolver:
        begin = self._begin or tuple(self._projection.pixels(self.begin_frame.origin[None])[0].tolist())
        pull = None if self.handle is None else pull_of(self.handle, self.mode)
        return DragSolver(self.mode, self.axes, self.begin_frame, self._projection, begin, pull_px=pull)

    def _use_space(self, space: str) -> None:
        if space == self._space:
            return
        self._space = space
        if self._live.has_begun:  # local axes are to be those of the beginning
            self._live.cancel()
            self._live = self._editor.begin_live()
        self.begin_frame = GizmoFrame(self.begin_frame.origin, bases_of(self._scene, self._ids[-1:], space)[0])
        self._use_bases()

    def _use_bases(self) -> None:
        """Set the bases to transform along: (k, 3, 3), one of each object, or (3, 3) for all."""
        self._bases = self.begin_frame.basis
        if self._settings.pivot == "individual" and self._space != "world":
            self._bases = bases_of(self._scene, self._transformation.ids, self._space)
        self._inverses = np.linalg.inv(self._bases)

    def _apply(self) -> None:
        """Transform the selection as far as the mouse or the typed numbers say."""
        solver = self._solver
        self.snapped_to = self._turn = None
        delta = solver.neutral() if self._mouse is None else solver.move_to(self._mouse, fine=self.is_fine)
        if not self._typed and self._settings.snaps != self.inverts_snapping:
            delta = self._snapped(delta)
        try:
            if self._typed:
                delta = typed_delta(solver, self._typed_values(), self._typed.count)
            matrices = matrices_of(solver, delta, self._bases, self._inverses)
            if self._turn is not None:
                matrices[..., :3, :3] = self._turn
            edit = self._transformation.by(matrices, pivot=self._pivots, label=VERBS[self.mode])
        except ValueError:  # no numbers yet, or they overflow: the selection stays where it is
            return
        if self._live.preview(edit):
            self._delta = delta

    def _typed_values(self) -> list[float]:
        """Return the typed numbers of all free axes; ValueError: one cannot be read."""
        unit = self._scene.length_unit if self.mode == MOVE else NO_UNIT
        return self._typed.values(len(self.axes), 1.0 if self.mode == SCALE else 0.0, unit)

    def _snapped(self, delta: TransformDelta) -> TransformDelta:
        settings = self._settings
        finer = FINE if self.is_fine else 1.0
        if self.mode != MOVE or settings.target in (STEPS, HEXAGONS):
            return in_steps(
                self._solver,
                delta,
                step=settings.step * finer,
                step_rad=np.radians(settings.step_deg) * finer,
                step_factor=settings.step_factor * finer,
                hexagons_across=up_index(self._scene.up_axis) if settings.target == HEXAGONS else None,
            )
        self._snap_to_picture()
        return delta if self.snapped_to is None else self._solver.delta_onto(self.snapped_to)

    def _snap_to_picture(self) -> None:
        """Set what the mouse snaps to among the objects that do not move."""
        if self._mouse is None:  # it has been beside the picture since the beginning
            return
        picture, target = self.viewport.snapshot, self._settings.target
        still = picture.drawn.copy()
        moving = with_all_below(self._scene, self._ids)
        still[moving[moving < len(still)]] = False  # nodes newer than the picture have no entry
        if target != FACES:
            found = picture.snap(self._mouse, still, SNAP_KINDS[target])
            self.snapped_to = None if found is None else found.point
            return
        hit = picture.nearest(self._projection.area.point(self._mouse), still)
        if hit is not None:
            surface = Surface.of(hit, self._projection.ray(self._mouse)[1], up_vector(self._scene.up_axis))
            self.snapped_to = surface.point
            if self._settings.aligns and self.axes == ALL_AXES:
                self._turn = smallest_turns(self._upward, surface.normal[None])[0]


class TypedNumbers:
    """A few numbers; Tab goes to the next one."""

    def __init__(self) -> None:
        self.texts = [""]
        self.index = 0

    def __bool__(self) -> bool:
        return any(self.texts)

    @property
    def count(self) -> int:
        """Number of texts up to the last that is not empty."""
        return max((index + 1 for index, text in enumerate(self.texts) if text), default=0)

    def press(self, key: str, character: str, most: int) -> bool:
        """Take a key if it belongs to numbers, and return whether it does. Minus changes the sign of a plain number."""
        text = self.texts[self.index]
        character = character or _CHARACTERS.get(key, "")
        is_plain = not text.strip("-.0123456789")
        if character == "-" and is_plain:
            text = text[1:] if text.startswith("-") else "-" + text
        elif character in (".", ",") and is_plain:
            text += "" if "." in text else "."
        elif character.isprintable() and (character in _BEGINNINGS if not text else character):
            text += character
        elif key == "BACKSPACE" and self:
            if not text and self.index:
                self.texts.pop()
                self.index -= 1
                return True
            text = text[:-1]
        elif key == "TAB" and most > 1:
            self.index = (self.index + 1) % most
            self.texts += [""] * (self.index + 1 - len(self.texts))
            return True
        else:
            return False
        self.texts[self.index] = text[:_LONGEST]
        return True

    def values(self, count: int, neutral: float, unit: str) -> list[float]:
        """Return the first `count` numbers in a unit, `neutral` for each that is not typed yet."""
        texts = (self.texts + [""] * count)[:count]
        return [typed_number(text, unit) if text.strip("-.") else neutral for text in texts]
