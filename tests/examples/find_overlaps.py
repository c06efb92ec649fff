"""Find the objects that reach into each other."""

from octoscope import find_overlaps, load, render

scene = load("assets/harbour.obj")
overlaps = find_overlaps(scene)
for first, second in overlaps.crossing[:10].tolist():
    print(f"{scene.names[first]} and {scene.names[second]}")
print(f"{len(overlaps.crossing):,} pairs of objects overlap, {len(overlaps.touching):,} only touch")

deep = find_overlaps(scene, tolerance=0.05)  # reaching in less than this is only touching
print(f"{len(deep.crossing):,} of them by more than 0.05")

most = set(find_overlaps(scene, tolerance=0.6).crossing.ravel().tolist())
for node in scene:
    node.hidden = node.mesh_id >= 0 and node.id not in most
render(scene, (640, 360), mode="objects").save("find_overlaps.png")  # those that overlap most, in a colour each
