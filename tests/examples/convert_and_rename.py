"""Convert an OBJ to GLB, with the parts of each thing, such as house_01_roof, in a group of its own."""

import re
from pathlib import Path

from octoscope import load, render, write_glb

scene = load("assets/harbour.obj")
groups = {}
for node in list(scene):
    numbered = re.fullmatch(r"([a-z]+_\d+)_(\w+)", node.name)
    if numbered:
        thing, part = numbered.groups()
        if thing not in groups:
            groups[thing] = scene.add_node(thing, parent=node.parent.id)
        node.parent = groups[thing]
        node.name = part.replace("_", " ")

for note in write_glb(scene, Path("harbour.glb")):
    print(note)
again = load("harbour.glb")
render(again, (640, 360), view="front").save("convert_and_rename.png")
print(f"harbour.glb: {len(again):,} nodes, {len(groups)} of them new groups")
