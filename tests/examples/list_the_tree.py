"""Open a file and print its tree of objects, and what was wrong with it."""

from octoscope import load, render

scene = load("assets/harbour.obj")


def print_below(node, depth):
    vertices = "" if node.mesh_id < 0 else f"  {scene.meshes.rows['vertex_count'][node.mesh_id]:,} vertices"
    print("  " * depth + node.name + vertices)
    for child in node.children:
        print_below(child, depth + 1)


for node in scene:
    if node.parent is None:
        print_below(node, 0)
print(f"{len(scene):,} nodes, {scene.element_count('triangle'):,} triangles")
for warning in scene.report.warnings:
    print(warning)
render(scene, (640, 360), mode="objects").save("list_the_tree.png")  # a colour for each object
