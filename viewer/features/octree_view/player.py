"""WalkPlayer: a walk of the octree in slow motion, over the pictures of a view."""

from __future__ import annotations

from textwrap import wrap

import numpy as np

from octoscope.octree.frustum import INSIDE, INTERSECTING, OUTSIDE
from octoscope.scene import Scene
from octoscope.viewer.camera.camera import BOX_EDGES, box_corners
from octoscope.viewer.features.octree_view.display import VERDICT_COLORS
from octoscope.viewer.features.octree_view.walk import Walk
from octoscope.viewer.frame.annotations import AnnotationBuilder
from octoscope.viewer.frame.decoration import NO_CELLS
from octoscope.viewer.frame.look.labels import label_image
from octoscope.viewer.frame.redraw import Damage, Redraw, RedrawProperty

STEP_SECONDS = 1.5  # at first: a sentence is to be read
_MOST_DOTS = 2_000  # of the objects of a step
_MANY_DOTS = 200  # which are smaller
_LETTER = 0.5  # width of a letter on average, of the font's size
_FRUSTUM_COLOR = (1.0, 0.85, 0.2)  # sRGB, as of a frozen one
_ASKED_OPACITY = {OUTSIDE: 0.5, INTERSECTING: 0.8, INSIDE: 0.8}  # of the cells that were asked before


class WalkPlayer:
    """Shows a walk up to one of its steps; while it plays, pictures take the next step as its time has come."""

    _walk = RedrawProperty[Walk | None](Damage.SCENE)
    _place = RedrawProperty[int](Damage.SCENE)

    def __init__(self, scene: Scene, redraw: Redraw) -> None:
        self.redraw = redraw
        self._scene = scene
        self._walk, self._place, self._walk_revision = None, 0, -1
        self._began: float | None = None  # when the step that is shown began to be, while it plays
        self._step_seconds = STEP_SECONDS

    @property
    def walk(self) -> Walk | None:
        """The walk, as long as its tree is as it was."""
        return self._walk if self._walk_revision == self._scene.index.nodes.world_revision else None

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
        return min(self._place, self.last)

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
        self._began = self.redraw.clock() if is_playing else None
        self.redraw.request(Damage.SCENE)

    @property
    def step_seconds(self) -> float:
        """How long a step is shown while it plays."""
        return self._step_seconds

    @step_seconds.setter
    def step_seconds(self, seconds: float) -> None:
        plays, self.place = self.is_playing, self.place
        self._step_seconds = seconds
        self.is_playing = plays

    def start(self, walk: Walk | None) -> None:
        """Play a walk from its first step; None ends it."""
        self._walk, self._walk_revision, self.place = walk, self._scene.index.nodes.world_revision, 0
        self.is_playing = walk is not None

    def cells(self, camera_position: np.ndarray) -> np.ndarray:
        """Return the cells that were asked so far, as Decoration.cells does, and have the next step drawn in time."""
        if self.walk is None:
            return NO_CELLS
        if self.is_playing:
            assert self._began is not None
            passed = int((self.redraw.clock() - self._began) / self._step_seconds)
            if passed:  # which asks for another picture, so that the panel says the same
                self._place = min(self._place + passed, self.last)
                self._began += passed * self._step_seconds
            self.redraw.request_in(Damage.SCENE, self._step_seconds - (self.redraw.clock() - self._began))
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
        """Add the frustum or ray, the cell that is asked, what it answers, and dots for the objects that it asks."""
        if self.walk is None:
            return
        width = annotations.line_width
        annotations.add_lines(self.walk.lines, 0.8 * width, _FRUSTUM_COLOR)
        annotations.add_lines(np.repeat(self.walk.origin[None, None], 2, axis=1), 4.0 * width, _FRUSTUM_COLOR)
        step = self.walk.steps[self.place]
        for half, thickness in ((step.bounds, 0.4), (step.half_size, 1.2)):
            corners = box_corners(step.center - half, step.center + half)
            annotations.add_lines(corners[BOX_EDGES], thickness * width, VERDICT_COLORS[step.verdict])
        found = [self.walk.found] if self.place == self.last else []
        for ids in (step.tested, step.copied, *found):
            shown = ids[:: len(ids) // _MOST_DOTS + 1]
            middles, is_found = self._scene.world_spheres[shown, :3], np.isin(shown, self.walk.found)
            for chosen, verdict in ((~is_found, OUTSIDE), (is_found, INSIDE)):
                dots = np.repeat(middles[chosen, None], 2, axis=1)
                annotations.add_lines(dots, (2.5 if len(ids) < _MANY_DOTS else 1.5) * width, VERDICT_COLORS[verdict])
        bottom = annotations.size[1] - 2.0 * annotations.font_size_px  # above the labels of several viewports
        letters = round(annotations.size[0] / (_LETTER * annotations.font_size_px))
        lines = [line for text in self.walk.caption(self.place) for line in wrap(text, letters)]
        for line in reversed(lines):
            image = label_image(line, annotations.font_size_px)
            bottom -= 1.2 * image.shape[0]
            annotations.add_image(image, (annotations.size[0] / 2.0, bottom))
