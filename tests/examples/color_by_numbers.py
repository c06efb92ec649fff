"""Show numbers at vertices as colours, with a bar that explains them, and vectors as arrows."""

import numpy as np

from octoscope import Scene, render

x, y = map(np.ravel, np.meshgrid(np.linspace(-3, 3, 60), np.linspace(-3, 3, 60)))
height = np.sin(x) * np.cos(y)
vertices = np.stack([x, y, height], axis=1)
first = (60 * np.arange(59)[:, None] + np.arange(59)).ravel()
faces = np.stack([first, first + 1, first + 61, first + 60], axis=1)  # polygons of four corners

scene = Scene(up_axis="z")
scene.add_mesh("waves", vertices, faces, scalars=height, colormap="coolwarm", title="height [m]")
above = vertices[::50] + np.array((0, 0, 1.5))
scene.add_mesh("wind", above, vectors=np.stack([y, -x, 0 * x], axis=1)[::50])

render(scene, (640, 360)).save("color_by_numbers.png")
print(f"{len(vertices):,} numbers from {height.min():.2f} to {height.max():.2f}")
