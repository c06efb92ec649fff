"""Cut a scene open with two planes; closed objects are filled where they are cut."""

from octoscope import load, render
from octoscope.viewer.camera.camera import Camera

scene = load("assets/harbour.obj")
lower, upper = scene.bounds([scene["lighthouse_tower"].id])
x, y, z = (lower + upper) / 2
camera = Camera((lower + upper) / 2, distance=30.0)
planes = [f"z<{z:.2f}", "y>-1"]  # what is kept of the scene
render(scene, (640, 360), camera=camera, section=planes).save("cut_open.png")
print("cut at", *planes)
