"""Move, turn and scale objects, save the scene as a project, and open that again."""

import math

import numpy as np

from octoscope import load, render, save_project

scene = load("assets/harbour.obj")

tower = scene["lighthouse_tower"]
tower.translation = np.add(tower.translation, (0, 5, 0))  # in its parent's frame; set it whole
half_rad = math.radians(30) / 2
tower.rotation = (0, math.sin(half_rad), 0, math.cos(half_rad))  # x, y, z, w: 30 degrees about Y
tower.scale = (1, 2, 1)
scene["house_01_roof"].hidden = True

boats = [node.id for node in scene if node.name.startswith("boat")]  # many at once: arrays of ids
scene.set_translations(boats, scene.translations[boats] + (0.0, 0.0, -3.0))

save_project(scene, "moved.octo.json")
again = load("moved.octo.json")
print(again["lighthouse_tower"].translation, f"and {len(boats)} nodes of boats moved")
render(again, (640, 360), view="front").save("move_objects_and_save.png")
