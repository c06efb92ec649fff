"""Pictures of a canvas from moving cameras, and their depths and ids, beside an off-screen plotter of PyVista."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from octoscope.scene import Scene
from octoscope.scene.mesh.primitives import sphere
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.rendering.canvas import Canvas
from octoscope.viewer.rendering.context.offscreen import NoOpenGL
from tests.benchmarks.harness import Result, compare

_SIZE = (640, 360)
_STEP_RAD = 0.01  # that the camera turns from picture to picture
_BACKGROUND = (0.2, 0.2, 0.2)
_SPHERES = {"450 triangles": (16, 15), "100,000 triangles": (224, 225)}  # segments and rings
_MOST_DIFFERENT = 0.01  # share of the pixels that one of the two covers alone


def run() -> Iterator[Result]:
    """Measure pictures with one and with four samples, and buffers, of a small and a large mesh."""
    for text, (segments, rings) in _SPHERES.items():
        mesh = sphere(0.5, segments, rings)
        scene = Scene()
        scene.add_node("sphere", mesh=scene.meshes.add(mesh))
        for samples in (1, 4):
            canvas = Canvas(scene, _SIZE, samples=samples, grid=False, background=_BACKGROUND)
            try:
                yield from _pictures(canvas, text, samples, mesh.positions, mesh.triangles)
            except NoOpenGL as error:
                yield Result("canvas", float("nan"), {}, note=str(error))
                return


def _pictures(canvas: Canvas, text: str, samples: int, points: np.ndarray, triangles: np.ndarray) -> Iterator[Result]:
    """Measure pictures, and depths and ids beside them, of a mesh after a camera has moved."""
    start, steps = canvas.camera, [0, 0]

    def turned(whose: int) -> Camera:
        steps[whose] += 1
        return replace(start, yaw_rad=start.yaw_rad + _STEP_RAD * steps[whose])

    def picture() -> np.ndarray:
        canvas.camera = turned(0)
        return np.asarray(canvas.render())

    def picture_and_buffers() -> np.ndarray:
        made = picture()
        canvas.buffers()
        return made

    rivals: dict[str, dict[str, Callable[[], object]]] = {"picture": {}, "buffers": {}}
    note = "pyvista is not installed: pip install pyvista"
    if importlib.util.find_spec("pyvista") is not None:
        plotter, note = _Plotter(points, triangles, samples), ""
        theirs, ours = plotter.depth(canvas.camera), canvas.buffers()
        assert (np.isfinite(theirs) != (ours.ids >= 0)).mean() < _MOST_DIFFERENT, "two different pictures"
        both = np.isfinite(theirs) & (ours.ids >= 0)
        assert np.median(np.abs(theirs - ours.depth)[both]) < 1e-3 * canvas.camera.distance, "two different depths"
        rivals["picture"]["pyvista"] = lambda: plotter.picture(turned(1))
        rivals["buffers"]["pyvista, depth alone"] = partial(_both, plotter, turned)
    name = f"moved camera, a sphere of {text}, {_SIZE[0]}x{_SIZE[1]}, {samples} sample{'s' * (samples > 1)}"
    yield compare(name, picture, rivals["picture"], rounds=41, note=note)
    yield compare(f"{name}, with depth, ids and normals", picture_and_buffers, rivals["buffers"], rounds=41, note=note)


def _both(plotter: _Plotter, turned: Callable[[int], Camera]) -> None:
    camera = turned(1)
    plotter.picture(camera)
    plotter.last_depth()


class _Plotter:
    """A plotter of PyVista without a window, with a mesh and samples a pixel."""

    def __init__(self, points: np.ndarray, triangles: np.ndarray, samples: int) -> None:
        pyvista = import_module("pyvista")
        faces = np.column_stack([np.full(len(triangles), 3), triangles]).ravel()
        self._plotter: Any = pyvista.Plotter(off_screen=True, window_size=list(_SIZE))
        if samples > 1:
            self._plotter.enable_anti_aliasing("msaa", multi_samples=samples)
        else:
            self._plotter.disable_anti_aliasing()
        self._plotter.set_background(_BACKGROUND)
        self._plotter.add_mesh(pyvista.PolyData(points, faces), smooth_shading=True)
        self._plotter.show(auto_close=False)

    def picture(self, camera: Camera) -> np.ndarray:
        """Return (height, width, 3) uint8 as a camera sees it."""
        theirs = self._plotter.camera
        theirs.position, theirs.focal_point = camera.position, camera.pivot
        theirs.up, theirs.view_angle = camera.axes[1], np.degrees(camera.fov_y_rad)
        self._plotter.reset_camera_clipping_range()
        self._plotter.render()
        return np.asarray(self._plotter.screenshot(return_img=True))

    def last_depth(self) -> np.ndarray:
        """Return (height, width) depths of the last picture, world units."""
        return -np.asarray(self._plotter.get_image_depth())

    def depth(self, camera: Camera) -> np.ndarray:
        """Return (height, width) depths as a camera sees them, world units; NaN where nothing is."""
        self.picture(camera)
        return self.last_depth()
