"""GizmoSettings: mode, space, pivot, and snapping with its steps."""

from __future__ import annotations

from dataclasses import dataclass

from octoscope.scene.measuring.snapping import EDGE, FACE, MIDPOINT, VERTEX

MOVE, ROTATE, SCALE = "move", "rotate", "scale"
MODES = (MOVE, ROTATE, SCALE)
VERBS = {MOVE: "Move", ROTATE: "Rotate", SCALE: "Scale"}
SPACES = ("world", "local", "parent")
PIVOTS = ("centre", "median", "individual", "cursor", "active")
TARGETS = STEPS, HEXAGONS, VERTICES, EDGES, FACES = "steps", "hexagons", "vertices", "edges", "faces"
SNAP_KINDS = {VERTICES: (VERTEX,), EDGES: (MIDPOINT, EDGE), FACES: (FACE,)}  # of scene.measuring.snapping


@dataclass
class GizmoSettings:
    """The user's choices for the gizmo."""

    mode: str | None = None  # one of MODES; None shows no handles, and drags move the camera
    # one of SPACES, whose axes the gizmo has: those of the active object, or with individual pivots those of each
    # object
    space: str = "world"
    # one of PIVOTS: the centre of the box about the selection, the mean of the objects' origins, each object's own
    # origin, the 3D cursor, or the active object's origin; `pivot_points` says what counts as origin
    pivot: str = "centre"
    snaps: bool = False  # whether drags snap; holding Ctrl inverts it
    target: str = STEPS  # one of TARGETS, to which a move snaps
    aligns: bool = False  # whether what snaps to a face is turned, so that its up axis follows the normal
    step: float = 1.0  # snapping step of a move, world units; distance of the middles of hexagons
    step_deg: float = 15.0  # snapping step of a rotation, degrees
    step_factor: float = 0.1  # snapping step of a scale

    @property
    def text(self) -> str:
        """A line for users about the space, the pivot and snapping."""
        return f"{self.space} axes, {self.pivot} pivot{', snaps' if self.snaps else ''}"
