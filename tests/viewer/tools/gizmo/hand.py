"""A hand that works a gizmo over a scene with a picture."""

from __future__ import annotations

import numpy as np

from octoscope.scene import Scene
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.log import Log
from octoscope.viewer.frame.projection import ViewProjection
from octoscope.viewer.frame.view import View
from octoscope.viewer.frame.viewports import PointerLocation
from octoscope.viewer.tools.gizmo.handles import ARM
from octoscope.viewer.tools.gizmo.tool import GizmoTool
from octoscope.viewer.tools.intents import Click, Drag, Hover, KeyPress
from octoscope.viewer.window.keys import Chord

SIZE = (800, 600)


class Hand:
    """Works a gizmo. Places are pixels of the picture.

    Attributes:
        scene, editor, tool: what it works.
    """

    def __init__(self, scene: Scene, *selected: int, camera: Camera | None = None) -> None:
        self.scene = scene
        view = View(scene)
        view.camera = camera or Camera(np.zeros(3), distance=12.0)
        self.editor = Editor(view, Log())
        self.tool = GizmoTool(self.editor)
        view.build_frames(SIZE)
        self.editor.select(selected)
        self.entries = len(self.editor.history.entries)

    @property
    def projection(self) -> ViewProjection:
        return self.tool.projections()[0]

    def pixel(self, point: np.ndarray) -> tuple[float, float]:
        return tuple(self.projection.pixels(np.asarray(point, dtype=np.float64)[None])[0].tolist())

    def place(self, pixel: tuple[float, float]) -> PointerLocation:
        return self.editor.view.locate(pixel)

    def arm(self, axis: int) -> tuple[float, float]:
        """Return a pixel at which an arm of the gizmo can be taken."""
        (handle,) = [h for h in self.tool.handles(self.projection) if (h.shape, h.axes) == (ARM, (axis,))]
        return tuple((0.3 * handle.outline[0] + 0.7 * handle.outline[1]).tolist())

    def drag(self, *places: tuple[float, float], release: bool = True, **held: bool) -> None:
        for k, place in enumerate(places[1:], start=1):
            self._drag(places[0], place, is_first=k == 1, **held)
        if release:
            self._drag(places[0], places[-1], is_last=True, **held)

    def go_on(self, begin: tuple[float, float], end: tuple[float, float], *, is_last: bool = False) -> bool:
        return self._drag(begin, end, is_last=is_last)

    def _drag(self, begin: tuple[float, float], end: tuple[float, float], **more: bool) -> bool:
        return self.tool.follow(Drag(1.0, 1.0, self.place(begin), self.place(end), **more))

    def hover(self, place: tuple[float, float], **held: bool) -> bool:
        return self.tool.follow(Hover(self.place(place), **held))

    def click(self, place: tuple[float, float]) -> bool:
        return self.tool.follow(Click(self.place(place)))

    def press(self, *keys: str) -> None:
        for key in keys:
            self.tool.follow(KeyPress(Chord.parse(key)))

    def typed(self, mode: str, *keys: str) -> None:
        """All of moving by keys."""
        self.tool.begin_modal(mode)
        self.press(*keys, "Enter")

    @property
    def done(self) -> list[str]:
        """The labels of entries that were made since the selection."""
        return [entry.label for entry in self.editor.history.entries[self.entries :]]

    def worlds(self) -> np.ndarray:
        self.scene.update_world()
        return self.scene.world_from_local.copy()
