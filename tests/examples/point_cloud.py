"""Show a cloud of points, each with a colour: a million samples of a torus knot."""

import numpy as np

from octoscope import Scene, render

count = 1_000_000
rng = np.random.default_rng(1)
angle = rng.uniform(0, 2 * np.pi, count)
around = 2 + np.cos(3 * angle)
line = np.stack([around * np.cos(2 * angle), around * np.sin(2 * angle), np.sin(3 * angle)], axis=1)
points = line + rng.normal(scale=0.12, size=(count, 3))
colors = 0.5 + 0.5 * np.stack([np.cos(angle), np.cos(angle + 2), np.cos(angle + 4)], axis=1)

scene = Scene(up_axis="z")
scene.add_mesh("knot", points, colors=colors)  # no faces: a point at each vertex
render(scene, (640, 360), grid=False, background="#101418").save("point_cloud.png")
print(scene)
