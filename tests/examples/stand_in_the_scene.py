"""Look with the eyes of someone who stands on the quay, by a camera with a wide lens."""

import math

import numpy as np

from octoscope import load, render
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.camera.controls import look_at

scene = load("assets/harbour.obj")
lower, upper = scene.bounds([scene["lighthouse_tower"].id])
target = (lower + upper) / 2
lens = Camera(np.zeros(3), fov_y_rad=math.radians(60))
camera = look_at(lens, position=np.array((2.0, 3.0, 6.0)), target=target)
render(scene, (640, 360), camera=camera).save("stand_in_the_scene.png")
print(f"{np.linalg.norm(target - (2.0, 3.0, 6.0)):.1f} away from the lighthouse")
