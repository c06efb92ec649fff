"""Octree > Slow motion: commands that show step by step how the tree is asked, and record that."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from octoscope.scene import Scene
from octoscope.scene.system.atomic_file import WriteProgress
from octoscope.scene.system.text_file import printable
from octoscope.viewer.camera import controls
from octoscope.viewer.camera.camera import Camera, box_corners
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.switches import switch
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.features.octree_view.decoration import OctreeCells
from octoscope.viewer.features.octree_view.panel import OctreePanel
from octoscope.viewer.features.octree_view.walk import Walk, walk_of_cull, walk_of_ray
from octoscope.viewer.frame.view import View
from octoscope.viewer.frame.view_settings import ViewSettings
from octoscope.viewer.frame.viewports import Viewport
from octoscope.viewer.tools.intents import Intent, KeyPress
from octoscope.viewer.window.keys import Chord

command = Declarations("Octree/Slow motion", after="octree.freeze")
_LEFT_RAD, _UP_RAD = 0.5, 0.15  # from the camera that asks to the one that shows how
_SAMPLES = 4  # of recorded pictures
_SUMMARY_STEPS, _SUMMARY_SECONDS = 5, 3.0  # how long, at least, a recording shows the last step, with the summary
_SYNONYMS = ("teach", "animation", "traversal", "demo")


class Walks:
    """Begins walks of the scene's octree in slow motion, seen from outside; as a tool, ends a walk on Esc."""

    def __init__(self, context: Context, cells: OctreeCells) -> None:
        self._context = context
        self._cells = cells
        self._before: tuple[Viewport, Camera] | None = None  # whose camera is moved
        self.player = cells.player

    @property
    def has_objects(self) -> bool:
        """True if there is anything that the tree could be asked for."""
        return bool((self._context.scene.mesh_ids >= 0).any())

    def begin_cull(self) -> None:
        """Show how the view is culled."""
        self.end()
        view = self._cells.view
        size = view.layout.area().size
        frustum = view.visibility.frozen or view.visibility.frustum_of(
            view.camera, view.settings, (round(size[0]), round(size[1])), 1.0
        )
        if frustum is not None:
            self._begin(walk_of_cull(view.index.frozen(completely=True), frustum))

    def begin_ray(self) -> None:
        """Show how a click on the active object, or at the middle of the picture, finds what it hits."""
        self.end()
        view = self._cells.view
        view.update()
        area, point = view.layout.area(), (0.5, 0.5)
        bounds = view.visibility.box_around(view.selected_ids[-1:]) if len(view.selected_ids) else None
        projection = view.layout.projection_of(view.active)
        if bounds is not None and projection.sees(np.mean(bounds, axis=0)):
            (pixel,) = projection.pixels(np.mean(bounds, axis=0)[None])
            point = area.point(pixel)
        origin, direction = view.camera.ray_through(point, area.aspect)
        scene = view.scene

        def test(ids: np.ndarray, t_best: float) -> tuple[int, float] | None:
            among = np.zeros(scene.row_count, dtype=bool)
            among[ids] = True
            hit = scene.raycast(origin, direction, t_max=t_best, among=among)
            return None if hit is None else (hit.node.id, hit.t)

        tree = view.index.frozen(completely=True)
        self._begin(walk_of_ray(tree, origin, direction, test, lambda node: printable(scene.names[node])))

    def _begin(self, walk: Walk) -> None:
        view = self._cells.view
        self._before = view.active, view.camera
        lower, upper = self._cells.tree.root
        view.camera = controls.turn(view.camera, _LEFT_RAD, _UP_RAD)
        # The cells are what it is about; what they are asked, and from where, is in the picture if it is not far away.
        ends = np.append(walk.lines.reshape(-1, 3), walk.origin[None], axis=0)
        ends = np.clip(ends, 3.0 * lower - 2.0 * upper, 3.0 * upper - 2.0 * lower)
        points = np.append(box_corners(lower, upper), ends, axis=0)
        view.camera = controls.frame_points(view.camera, points, view.framing.aspect(view.active))
        self.player.start(walk)
        self._context.show_panel(OctreePanel.id)

    @property
    def text(self) -> str:
        """A line for users about the step that is shown, or ""."""
        player = self.player
        if player.walk is None:
            return ""
        return f"{player.walk.title} in slow motion, step {player.place + 1} of {player.last + 1}    Esc ends it"

    def follow(self, intent: Intent) -> bool:
        """End the walk by Esc; return whether there was one to end."""
        is_end = intent == KeyPress(Chord("ESCAPE")) and self.player.walk is not None
        if is_end:
            self.end()
        return is_end

    def end(self) -> None:
        """Show the view again as it was."""
        if self._before is not None:
            viewport, camera = self._before
            viewport.camera = camera
            self._before = None
        self.player.start(None)

    def step(self, by: int) -> None:
        """Show a step that is so many further."""
        self.player.place += by

    def record(self) -> None:
        """Write the walk, as it is seen now, to a file that the user names."""
        view, walk = self._cells.view, self.player.walk
        if walk is not None:
            shown = _Shown(walk, view.camera, replace(view.settings), view.layout.last_size, self.player.step_seconds)
            self._context.document.export(".gif", partial(_write_walk, shown))


@dataclass(frozen=True, eq=False)
class _Shown:
    """A walk as a window shows it."""

    walk: Walk
    camera: Camera
    settings: ViewSettings
    size: tuple[int, int]  # of the picture, pixels
    step_seconds: float


def _write_walk(shown: _Shown, scene: Scene, path: Path, *, progress: WriteProgress) -> list[str]:
    """Write a picture of each step to an animated GIF."""
    from octoscope.viewer.cli.turntable import TakeFrame, write_turntable  # only here: they take long to import
    from octoscope.viewer.rendering.still_drawing import StillDrawing

    view = View(scene)
    view.settings = replace(shown.settings, redraw=view.redraw)
    view.camera = shown.camera
    cells = view.decoration(OctreeCells)
    cells.player.start(shown.walk)

    def draw(take: TakeFrame) -> None:
        with StillDrawing() as drawing:
            last_steps = max(_SUMMARY_STEPS, math.ceil(_SUMMARY_SECONDS / shown.step_seconds))
            for place in range(len(shown.walk.steps)):
                cells.player.place = place
                pixels = drawing.still(view, shown.size, samples=_SAMPLES).pixels
                for _ in range(1 if place < cells.player.last else last_steps):
                    take(pixels)
                progress((place + 1) / len(shown.walk.steps))

    write_turntable(path, shown.size, draw, frames_per_second=1.0 / shown.step_seconds)
    return []


begin = partial(command, synonyms=_SYNONYMS)
of_objects = partial(
    begin, enabled=lambda walks: walks.has_objects, refusal="the scene has no objects: open a file first"
)
of_walk = partial(begin, enabled=lambda walks: walks.player.walk is not None, refusal="begin with a cull or a ray")

of_objects("octree.walk_cull", "Cull", "which cells the view asks and what they answer, step by step")(Walks.begin_cull)
of_objects(
    "octree.walk_ray", "Ray", "how a click on the active object, or at the middle of the picture, finds what it hits"
)(Walks.begin_ray)
switch(
    of_walk,
    "player.is_playing",
    "octree.walk_play",
    "Play",
    "go on by itself, or pause",
    separated=True,
    keys=("Ctrl+Alt+Space",),
)
of_walk("octree.walk_next", "Next step", keys=("Ctrl+Alt+Right",))(partial(Walks.step, by=1))
of_walk("octree.walk_back", "Step back", keys=("Ctrl+Alt+Left",))(partial(Walks.step, by=-1))
of_walk(
    "octree.walk_record", "Record", "all steps as they are seen now, as an animated GIF", separated=True, asks=True
)(Walks.record)
begin(
    "octree.walk_end",
    "Stop",
    "look from where you were again",
    enabled=lambda walks: walks.player.walk is not None or walks.player.is_outdated,
)(Walks.end)
