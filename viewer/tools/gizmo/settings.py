"""GizmoSettings: mode, space, pivot, and snapping with its steps."""

from __future__ import annotations

from dataclasses import dataclass

MOVE, ROTATE, SCALE = "move", "rotate", "scale"
MODES = (MOVE, ROTATE, SCALE)
VERBS = {MOVE: "Move", ROTATE: "Rotate", SCALE: "Scale"}
SPACES = ("world", "local", "parent")
PIVOTS = ("centre", "median", "individual", "cursor")
STEPS, VERTICES, FACES = "steps", "vertices", "faces"
TARGETS = (STEPS, VERTICES, FACES)


@dataclass
class GizmoSettings:
    """The user's choices for the gizmo.

    Attributes:
        mode: one of MODES; None shows no handles, and drags move the camera.
        space: one of SPACES, whose axes the gizmo has: those of the active object, or with individual pivots those of
            each object.
        pivot: one of PIVOTS: the centre of the box about the selection, the mean of the objects' origins, each object's
            own origin, or the point that was clicked last.
        snaps: whether drags snap; holding Ctrl inverts it.
        target: one of TARGETS, to which a move snaps.
        step: snapping step of a move, world units.
        step_deg: snapping step of a rotation, degrees.
        step_factor: snapping step of a scale.
    """

    mode: str | None = None
    space: str = "world"
    pivot: str = "centre"
    snaps: bool = False
    target: str = STEPS
    step: float = 1.0
    step_deg: float = 15.0
    step_factor: float = 0.1

    @property
    def text(self) -> str:
        """A line for users about the space, the pivot and snapping."""
        return f"{self.space} axes, {self.pivot} pivot{', snaps' if self.snaps else ''}"
