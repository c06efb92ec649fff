"""100,000 objects of one mesh, added in one call, each with its own place, turn and size; and a picture of them."""

import numpy as np

from octoscope import Material, Scene, render
from octoscope.scene.mesh.primitives import cube

count = 100_000
rng = np.random.default_rng(1)
scene = Scene()
mesh = scene.meshes.add(cube())
colors = [scene.add_material(Material(f"color {i}", base_color=tuple(rng.uniform(0.2, 0.9, 3)))) for i in range(8)]
nodes = scene.add_nodes(
    [f"cube_{number}" for number in range(count)],
    mesh=mesh,
    material=rng.choice(colors, count),
    translation=rng.uniform(-100, 100, (count, 3)),
    rotation=rng.normal(size=(count, 4)),  # a quaternion of any length; this makes them even in all directions
    scale=rng.uniform(0.2, 1.0, (count, 3)),
)

image = render(scene, (640, 360))  # no window, no display
image.save("draw_100000_instances.png")
print(f"{image.width}x{image.height}, {len(nodes):,} objects")
