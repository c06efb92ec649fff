"""The reference pictures: those that `octoscope doctor` draws, and those of features."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from octoscope.scene import Material, Scene
from octoscope.scene.measuring import Anchor, Measurement
from octoscope.scene.mesh.primitives import cube
from octoscope.viewer.doctor import reference_scenes
from octoscope.viewer.doctor.reference_scenes import SIZE, Reference, add, framed, still_life
from octoscope.viewer.features.octree_view.decoration import OctreeCells
from octoscope.viewer.features.octree_view.display import OctreeDisplay
from octoscope.viewer.frame.view import View

_SIZE_FOR_TEXT = (200, 256)


def _labels() -> View:
    """Show a distance and an angle with their figures."""
    scene = Scene()
    box = add(scene, cube(1.0), Material("box", base_color=(0.5, 0.3, 0.2)), scale=(2.0, 1.0, 1.0))
    lower = (-0.5, -0.5, 0.5), (0.5, -0.5, 0.5)
    upper = (-0.5, 0.5, -0.5), (-0.5, 0.5, 0.5), (0.5, 0.5, 0.5)
    scene.measurements = [
        Measurement("distance", tuple(Anchor(box, corner) for corner in lower)),
        Measurement("angle", tuple(Anchor(box, corner) for corner in upper)),
    ]
    return framed(scene, size=_SIZE_FOR_TEXT, nearer=0.8)


def _octree() -> View:
    """Show the octree's cells, coloured by level, and the frustum that culling was frozen at."""
    scene = still_life()
    for number in range(12):
        place = (-2.0 + 0.35 * number, 0.1, 2.0)
        add(scene, cube(0.2), Material(f"stone {number}", base_color=(0.6, 0.6, 0.6)), translation=place)
    view = framed(scene)
    view.build_frames(SIZE)
    view.visibility.toggle_freeze(view.snapshot.frustum)
    view.camera = replace(view.camera, yaw_rad=1.7, pitch_rad=0.6, distance=2.2 * view.camera.distance)
    view.decoration(OctreeCells).is_shown = True
    view.decoration(OctreeCells).display = OctreeDisplay()
    return view


def _color_bar() -> View:
    """Show numbers as colours, with the bar that says what they mean."""
    x, z = np.meshgrid(np.linspace(-2.0, 2.0, 17), np.linspace(-2.0, 2.0, 17))
    heights = np.cos(2.0 * np.hypot(x, z))
    vertices = np.stack([x.ravel(), 0.5 * heights.ravel(), z.ravel()], axis=1)
    first = (np.arange(16)[:, None] * 17 + np.arange(16)).ravel()
    scene = Scene()
    faces = np.stack([first, first + 17, first + 18, first + 1], axis=1)
    scene.add_mesh("waves", vertices, faces, scalars=heights.ravel(), title="height")
    return framed(scene, pitch_rad=0.7, nearer=1.0, size=_SIZE_FOR_TEXT)


REFERENCES = reference_scenes.REFERENCES | {
    "labels": Reference(_labels, size=_SIZE_FOR_TEXT),
    "octree": Reference(_octree),
    "color_bar": Reference(_color_bar, size=_SIZE_FOR_TEXT),
}
