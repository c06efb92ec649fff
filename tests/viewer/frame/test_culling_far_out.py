"""Culling drops nothing that the camera sees, by exact arithmetic, wherever in the world both are."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from octoscope.scene import Scene
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.frame.view import View
from tests.scene.builders import mesh_of

SIZE = (640, 400)
COUNT = 150


def sees(camera: Camera, point: np.ndarray) -> bool:
    """Tell by exact arithmetic on the camera's own numbers whether a point is in the picture, from near to far."""
    rise = Fraction(math.tan(camera.fov_y_rad / 2.0)) * (1 - Fraction(1, 2**48))
    offset = [Fraction(p) - Fraction(q) for p, q in zip(point.tolist(), camera.position.tolist(), strict=True)]
    right, up, toward = (sum(Fraction(a) * o for a, o in zip(row, offset, strict=True)) for row in camera.axes.tolist())
    reach = rise * (Fraction(camera.distance) if camera.orthographic else -toward)
    within = abs(up) <= reach and abs(right) <= reach * Fraction(SIZE[0] / SIZE[1]) and camera.depth_range[0] <= -toward
    return bool(within and -toward <= camera.depth_range[1])


@pytest.mark.parametrize("orthographic", (False, True), ids=("perspective", "orthographic"))
@pytest.mark.parametrize("far_out", (0.0, 1e3, 1e8, 1e12, 1e15, 1e16, 9e16))
def test_nothing_in_the_picture_is_culled(far_out, orthographic):
    rng = np.random.default_rng(int(far_out) % 1000)
    seen_in_all = 0
    for _ in range(6):
        camera = Camera(
            rng.uniform(-1.0, 1.0, 3) * far_out,
            yaw_rad=rng.uniform(-3.0, 3.0),
            pitch_rad=rng.uniform(-1.5, 1.5),
            distance=max(10.0 ** rng.uniform(-2.0, 4.0), 1e-15 * far_out),
            orthographic=orthographic,
        )
        # At the picture's edges, where the last digit decides; far out what a number can say is coarse.
        depths = camera.distance * 10.0 ** rng.uniform(-1.0, 1.0, COUNT)
        x, y = rng.uniform(-1.0, 1.0, (2, COUNT))
        x, y = np.where(rng.random(COUNT) < 0.5, (np.sign(x), y), (x, np.sign(y))) * (1.0 - 2.0**-40)
        half_height = math.tan(camera.fov_y_rad / 2.0) * (camera.distance if orthographic else depths)
        view_points = np.column_stack((x * half_height * SIZE[0] / SIZE[1], y * half_height, -depths))
        scene = Scene()
        small = 1e-9 * camera.distance
        mesh = scene.meshes.add(mesh_of(small * np.array([(1.0, 0, 0), (-1.0, 1.0, 0), (-1.0, -1.0, 0)]), [(0, 1, 2)]))
        scene.add_nodes(
            [str(number) for number in range(COUNT)], mesh=mesh, translation=camera.position + view_points @ camera.axes
        )
        view = View(scene)
        view.camera = camera
        view.build_frames(SIZE)
        assert view.snapshot.frustum is not None
        shown = set(view.snapshot.visible_ids.tolist())
        centers = scene.world_spheres[:, :3]
        seen = [node for node in range(COUNT) if sees(view.snapshot.camera, centers[node])]
        assert set(seen) <= shown
        seen_in_all += len(seen)
    assert seen_in_all > COUNT
