"""Shoot rays at a scene, and measure what they hit."""

import numpy as np

from octoscope import Scene, load, render
from octoscope.scene.measuring import Measurer, distance, size_rows

scene = load("assets/harbour.obj")
lower, upper = scene.bounds([scene["lighthouse_tower"].id])
middle = (lower + upper) / 2
away = np.array((0.0, 0.0, 100.0))

front = scene.raycast(middle + away, (0, 0, -1))  # None where nothing is hit
back = scene.raycast(middle - away, (0, 0, 1))
print(f"{front.node.name} at {front.point.round(3)}, facing {front.normal.round(3)}, {front.t:.3f} away")
print(f"from there to the other side: {distance(front.point, back.point):.3f}")

for label, text in size_rows(Measurer(scene).measure([front.node.id])):
    print(f"{label}: {text}")

x, z = np.meshgrid(np.linspace(-40, 40, 200), np.linspace(-40, 40, 200))  # a map of heights, in one call
origins = np.stack([x.ravel(), np.full(x.size, 100.0), z.ravel()], axis=1)
hits = scene.raycast_many(origins, np.tile((0.0, -1.0, 0.0), (x.size, 1)))
seen = hits.nodes >= 0
print(f"{seen.sum():,} of {x.size:,} rays from above hit something, the highest {100 - hits.t[seen].min():.2f} up")

points = origins[seen] + hits.t[seen, None] * (0.0, -1.0, 0.0)
heights = Scene()
heights.add_mesh("heights", points, scalars=points[:, 1], title="height")
render(heights, (640, 360)).save("pick_and_measure.png")
