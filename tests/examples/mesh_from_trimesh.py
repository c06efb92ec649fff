"""Bring a mesh over from trimesh, with numbers as its colours, and place copies that share it."""

import numpy as np
import trimesh

from octoscope import Scene, render

theirs = trimesh.creation.icosphere(subdivisions=4)
bumps = 1 + 0.12 * np.sin(6 * theirs.vertices).prod(axis=1)
theirs.vertices *= bumps[:, None]

scene = Scene()
ball = scene.add_mesh(
    "ball", theirs.vertices, theirs.faces, normals=theirs.vertices, scalars=bumps, colormap="plasma", title="radius"
)
for number in range(1, 5):
    scene.add_node(
        f"copy {number}", mesh=ball.mesh_id, translation=(2.5 * number, 0, 0), scale=(1 - 0.15 * number,) * 3
    )
render(scene, (640, 360)).save("mesh_from_trimesh.png")
print(scene)
