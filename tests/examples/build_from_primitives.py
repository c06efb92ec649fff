"""Build a scene of simple shapes, with a tree, materials and shared meshes, and write it as GLB."""

import math
from pathlib import Path

from octoscope import Material, Scene, render, write_glb
from octoscope.scene.mesh.primitives import cone, cylinder, plane, sphere

scene = Scene()
bark = scene.add_material(Material("bark", base_color=(0.4, 0.25, 0.15)))
leaves = scene.add_material(Material("leaves", base_color=(0.15, 0.45, 0.2), roughness=0.9))
trunk = scene.meshes.add(cylinder(radius=0.15, height=1.0))
crown = scene.meshes.add(cone(radius=0.8, height=2.0))

scene.add_node("lawn", mesh=scene.meshes.add(plane(12.0)))
wood = scene.add_node("wood")
for number in range(8):
    angle = number * math.tau / 8
    tree = scene.add_node(f"tree_{number}", parent=wood.id, translation=(4 * math.cos(angle), 0, 4 * math.sin(angle)))
    scene.add_node("trunk", parent=tree.id, mesh=trunk, material=bark, translation=(0, 0.5, 0))
    scene.add_node("crown", parent=tree.id, mesh=crown, material=leaves, translation=(0, 2, 0))
scene.add_node("ball", mesh=scene.meshes.add(sphere(radius=0.5)), translation=(0, 0.5, 0))

for note in write_glb(scene, Path("wood.glb")):  # a line for each thing that the format cannot hold
    print(note)
render(scene, (640, 360)).save("build_from_primitives.png")
print(f"wood.glb: {len(scene)} nodes, {len(scene.meshes)} meshes, {Path('wood.glb').stat().st_size:,} bytes")
