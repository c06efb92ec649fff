"""Convert an OBJ to GLB, with objects renamed and put in groups by the first word of their names."""

from pathlib import Path

from octoscope import load, render, write_glb

scene = load("assets/harbour.obj")
groups = {}
for node in list(scene):
    if node.mesh_id < 0:
        continue
    word, _, rest = node.name.partition("_")
    if rest:
        if word not in groups:
            groups[word] = scene.add_node(word, parent=node.parent.id)
        node.parent = groups[word]
        node.name = rest.replace("_", " ")

for note in write_glb(scene, Path("harbour.glb")):
    print(note)
again = load("harbour.glb")
render(again, (640, 360), view="front").save("convert_and_rename.png")
print(f"harbour.glb: {len(again):,} nodes, among them the groups {', '.join(sorted(groups))}")
