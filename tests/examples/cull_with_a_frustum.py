"""The octree by itself: which of a million spheres does a camera see? It needs no scene; one draws the answer here."""

import time

import numpy as np

from octoscope import Scene, render
from octoscope.octree import CullStats, Frustum, Octree

count, half_size = 1_000_000, 1000.0
rng = np.random.default_rng(1)
centers = rng.uniform(-half_size, half_size, (count, 3))
radii = rng.uniform(0.5, 2.0, count)

tree = Octree(center=(0, 0, 0), half_size=half_size)
tree.insert(np.arange(count), centers, radii)

near, far, slope = 1.0, 500.0, 0.5  # a camera in the middle that looks along -Z, as wide as it is high
clip_from_world = np.array(
    [
        (1 / slope, 0, 0, 0),
        (0, 1 / slope, 0, 0),
        (0, 0, (far + near) / (near - far), 2 * far * near / (near - far)),
        (0, 0, -1, 0),
    ]
)
frustum = Frustum.from_matrix(clip_from_world)
tree.cull(frustum)  # the first query sorts the spheres in

stats = CullStats()
begin = time.perf_counter()
visible = tree.cull(frustum, stats=stats)
milliseconds = 1000 * (time.perf_counter() - begin)
print(f"{len(visible):,} of {len(tree):,} spheres are seen, found in {milliseconds:.2f} ms")
print(f"{stats.nodes_visited:,} nodes visited, {stats.spheres_tested:,} spheres tested")

shown = np.flatnonzero(abs(centers[:, 1]) < 5.0)  # a slice through the middle
cloud = Scene()
cloud.add_mesh("spheres", centers[shown], scalars=np.isin(shown, visible).astype(float), title="seen")
render(cloud, (640, 360), view="top", grid=False).save("cull_with_a_frustum.png")
