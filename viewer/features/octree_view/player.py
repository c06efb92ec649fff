"""WalkPlayer: a walk of the octree in slow motion, over the pictures of a view."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from octoscope.octree.frustum import INSIDE, INTERSECTING, OUTSIDE
from octoscope.viewer.camera.camera import BOX_EDGES, box_corners
from octoscope.viewer.features.octree_view.display import VERDICT_COLORS
from octoscope.viewer.features.octree_view.walk import Walk
from octoscope.viewer.frame.annotations import AnnotationBuilder
from octoscope.viewer.frame.decoration import NO_CELLS
from octoscope.viewer.frame.look.labels import label_image
from octoscope.viewer.frame.redraw import Damage, Redraw, RedrawProperty

STEP_SECONDS = 0.8
_FRUSTUM_COLOR = (1.0, 0.85, 0.2)  # sRGB, as of a frozen one
_ASKED_OPACITY = {OUTSIDE: 0.3, INTERSECTING: 0.6, INSIDE: 0.6}  # of the cells that were asked before


class WalkPlayer:
    """Shows a walk up to one of its steps; the step follows the clock while it plays."""

    _walk = RedrawProperty[Walk | None](Damage.SCENE)
    _place = RedrawProperty[int](Damage.SCENE)  # of the step that is shown, or was when playing began

    def __init__(self, redraw: Redraw, clock: Callable[[], float], revision: Callable[[], int]) -> None:
        self.redraw = redraw
        self._clock = clock
        self._revision = revision  # of the tree
        self._walk, self._place, self._walk_revision = None, 0, -1
        self._began: float | None = None  # when playing began

    @property
    def walk(self) -> Walk | None:
        """The walk, as long as its tree is as it was."""
        return self._walk if self._walk_revision == self._revision() else None

    @property
    def is_outdated(self) -> bool:
        """True if the tree has changed since the walk that is to be shown."""
        return self._walk is not None and self.walk is None

    @property
    def last(self) -> int:
        """The place of the last step."""
        return 0 if self.walk is None else len(self.walk.steps) - 1

    @property
    def place(self) -> int:
        """The place of the step that is shown; setting it ends playing."""
        passed = 0 if self._began is None else int((self._clock() - self._began) / STEP_SECONDS)
        return min(self._place + passed, self.last)

    @place.setter
    def place(self, place: int) -> None:
        self._began = None
        self._place = min(max(place, 0), self.last)

    @property
    def is_playing(self) -> bool:
        """True while steps follow each other; setting it at the last step begins again."""
        return self._began is not None and self.place < self.last

    @is_playing.setter
    def is_playing(self, is_playing: bool) -> None:
        self.place = 0 if is_playing and self.place == self.last else self.place
        self._began = self._clock() if is_playing else None
        self.redraw.request(Damage.SCENE)

    def start(self, walk: Walk | None) -> None:
        """Play a walk from its first step; None ends it."""
        self._walk, self._walk_revision, self.place = walk, self._revision(), 0
        self.is_playing = walk is not None

    def cells(self, camera_position: np.ndarray) -> np.ndarray:
        """Return the cells that were asked so far, as Decoration.cells does, and have the next step drawn in time."""
        if self.walk is None:
            return NO_CELLS
        if self.is_playing:
            assert self._began is not None
            self.redraw.request_in(Damage.SCENE, STEP_SECONDS - (self._clock() - self._began) % STEP_SECONDS)
        steps = self.walk.steps[: self.place + 1]
        rows = [
            (
                *(step.center - camera_position),
                step.half_size,
                *VERDICT_COLORS[step.verdict],
                _ASKED_OPACITY[step.verdict],
            )
            for step in steps
        ]
        return np.array(rows, dtype=np.float32)

    def annotate(self, annotations: AnnotationBuilder) -> None:
        """Add the frustum or ray, the cell that is asked, and what it answers."""
        if self.walk is None:
            return
        width = annotations.line_width
        annotations.add_lines(self.walk.lines, 0.8 * width, _FRUSTUM_COLOR)
        annotations.add_lines(np.repeat(self.walk.origin[None, None], 2, axis=1), 4.0 * width, _FRUSTUM_COLOR)
        step = self.walk.steps[self.place]
        for half, thickness in ((step.bounds, 0.4), (step.half_size, 1.2)):
            corners = box_corners(step.center - half, step.center + half)
            annotations.add_lines(corners[BOX_EDGES], thickness * width, VERDICT_COLORS[step.verdict])
        bottom = annotations.size[1] - 2.0 * annotations.font_size_px  # above the labels of several viewports
        for text in reversed(self.walk.caption(self.place)):
            image = label_image(text, annotations.font_size_px)
            bottom -= 1.2 * image.shape[0]
            annotations.add_image(image, (annotations.size[0] / 2.0, bottom))
