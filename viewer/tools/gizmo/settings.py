"""What a person chose for the gizmo."""

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
    """How the gizmo works.

    Attributes:
        mode: one of MODES, or None: there are no handles, and drags are the camera's.
        space: one of SPACES, whose axes it has; of several objects the active object's, of individual pivots each
            one's.
        pivot: one of PIVOTS: the middle of the box about the selection, the mean of the objects' origins, each one's
            own origin, or the point that was clicked last.
        snaps: whether it snaps; Ctrl inverts it. target: one of TARGETS, what a move snaps to.
        step: of a move, world units. step_deg: of a turn. step_factor: of a scale.
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
        """How what is moved next will move, for a person."""
        return f"{self.space} axes, {self.pivot} pivot{', snaps' if self.snaps else ''}"
