"""Framing: brings nodes and boxes into the pictures of a view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from octoscope.scene import Scene
from octoscope.scene.history.selection import Selection
from octoscope.viewer.camera import controls
from octoscope.viewer.camera.bookmark_pose import camera_at
from octoscope.viewer.camera.camera import Camera, box_corners
from octoscope.viewer.camera.views import ViewName
from octoscope.viewer.frame.decoration import Decoration
from octoscope.viewer.frame.viewports import Viewport, ViewportLayout
from octoscope.viewer.frame.visibility import Visibility

_LEAST_FREE = 0.125  # of the width of a viewport, in which boxes are framed where more is covered
Bounds = tuple[np.ndarray, np.ndarray]


class Framing:
    """Moves the cameras of viewports so that they show nodes or boxes, and again when the picture's size changes."""

    def __init__(
        self,
        scene: Scene,
        visibility: Visibility,
        layout: ViewportLayout,
        selection: Selection,
        decorations: Sequence[Decoration],
    ) -> None:
        self._scene = scene
        self._visibility = visibility
        self._layout = layout
        self._selection = selection
        self._decorations = decorations
        self._covered_width = 0.0  # of the strip at the left of the picture that the interface covers, logical pixels

    def aspect(self, viewport: Viewport) -> float:
        """Return width over height of the middle of a viewport that neither colour bars nor the interface cover."""
        area, ratio = self._layout.area(viewport), self._layout.pixel_ratio
        size = round(area.width * ratio), round(area.height * ratio)
        free = size[0] - 2.0 * ratio * max(self._covered_width - area.x, 0.0)
        free = min([free, *(each.free_width(size) for each in self._decorations)])
        return max(free, _LEAST_FREE * size[0]) / size[1]

    def frame_box(self, bounds: Bounds, *, every: bool = False) -> None:
        """Fit a world box (lower, upper) in the active viewport, or in every one."""
        for viewport in self._layout.viewports if every else (self._layout.active,):
            viewport.camera = controls.frame_box(viewport.camera, *bounds, self.aspect(viewport))

    def frame_nodes(self, ids: np.ndarray | None, *, every: bool = False) -> None:
        """Fit nodes and their descendants (None: all that is shown) in the active viewport, or in every one."""
        bounds = self._visibility.box_around(ids)
        if bounds is not None:
            self.frame_box(bounds, every=every)

    def is_framed(self, bounds: Bounds | None = None) -> bool:
        """Return whether the active viewport's camera stands where framing a world box (None: everything) brings it."""
        viewport, bounds = self._layout.active, bounds or self._visibility.box_around(None)
        return bounds is not None and controls.is_framed(viewport.camera, *bounds, self.aspect(viewport))

    def look_first(self, direction: ViewName | None = None, *, orthographic: bool = False) -> None:
        """Look at the whole scene from a direction; without one, from where its project was saved, if it was."""
        viewport = self._layout.active
        viewport.camera = replace(controls.look_from(viewport.camera, direction or "iso"), orthographic=orthographic)
        self.frame_nodes(None, every=True)
        camera = self._scene.project.camera
        if camera is not None and direction is None and not orthographic:
            viewport.camera = camera_at(camera, self._scene.index.bounds())

    def reorient(self, camera: Camera) -> None:
        """Give the active viewport a camera with another direction or lens, and frame again what was framed."""
        viewport, aspect = self._layout.active, self.aspect(self._layout.active)
        bounds = self._framed_bounds(viewport, aspect)
        viewport.camera = controls.frame_box(camera, *bounds, aspect) if bounds else camera

    def refit(self, size: tuple[int, int], pixel_ratio: float, covered_width: float = 0.0) -> None:
        """Set the size of the next picture, and frame again what cameras have framed.

        Args:
            size: framebuffer pixels.
            pixel_ratio: how many of them are a logical one across.
            covered_width: of the strip at the left of the picture that the interface covers, logical pixels.
        """
        viewports = self._layout.viewports
        before = [each.fitted_aspect for each in viewports]
        before[0] = before[0] or self.aspect(viewports[0])
        self._layout.resize(size, pixel_ratio)
        self._covered_width = covered_width
        after, bounds = [self.aspect(each) for each in viewports], None
        for viewport, old_aspect, aspect in zip(viewports, before, after, strict=True):
            viewport.fitted_aspect = aspect
            if old_aspect is not None and before != after:  # a new viewport frames what the one before it does
                bounds = self._framed_bounds(viewport, old_aspect)
            if bounds is not None:
                viewport.camera = controls.frame_box(viewport.camera, *bounds, aspect)

    def _framed_bounds(self, viewport: Viewport, aspect: float) -> Bounds | None:
        """Return the box around the selection, or else everything, if a viewport has framed that at an aspect."""
        for ids in (self._selection.ids, None):
            bounds = self._visibility.box_around(ids)
            if bounds and controls.is_framed(viewport.camera, *bounds, aspect):
                return bounds
        return None

    def is_out_of_sight(self, ids: np.ndarray) -> bool:
        """Return whether the box around nodes that are shown lies outside of the picture of every viewport."""
        corners = self._corners_around(ids)
        if corners is None:
            return False
        for viewport in self._layout.viewports:
            frustum = viewport.snapshot.frustum
            if frustum is None:
                return False
            planes = frustum.planes[:5]  # without the far one: it is as far as the scene was
            distances = planes[:, :3] @ (corners - frustum.origin).T + planes[:, 3:]
            if not (distances < 0.0).all(axis=1).any():
                return False
        return True

    def pixels_around(self, ids: np.ndarray) -> np.ndarray:
        """Return the (8, 2) logical pixels of the corners of the box around nodes; none around nothing."""
        corners = self._corners_around(ids)
        return np.empty((0, 2)) if corners is None else self._layout.projection_of(self._layout.active).pixels(corners)

    def _corners_around(self, ids: np.ndarray) -> np.ndarray | None:
        self._scene.update_world()
        box = self._visibility.box_around(ids)
        return None if box is None else box_corners(*box)
