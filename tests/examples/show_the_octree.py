"""Build the scene's octree in another way, ask it, and show its nodes."""

import numpy as np

from octoscope import load, render
from octoscope.scene.spatial.index_settings import IndexSettings

scene = load("assets/harbour.obj")
scene.index.settings = IndexSettings(placement="cell", split_level=5)  # changes no answer, only how fast it comes
tower = scene["lighthouse_tower"]
lower, upper = scene.bounds([tower.id])
hit = scene.raycast(origin=(lower + upper) / 2 + np.array((0, 100, 0)), direction=(0, -1, 0))
render(scene, (640, 360), octree=True, grid=False).save("show_the_octree.png")
print(f"a ray from above hits {hit.node.name}")
