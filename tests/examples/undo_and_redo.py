"""Edit a scene by operations that can be undone, as the window does; one entry for each gesture."""

import numpy as np

from octoscope import History, load, render
from octoscope.scene import editing

scene = load("assets/harbour.obj")
history = History(scene)
tower = scene["lighthouse_tower"]

history.do(editing.set_world(scene, [tower.id], translation=(0, 10, 0)))
history.do(editing.duplicate(scene, [tower.id]))  # selects the copy
history.do(editing.array(scene, history.selection.ids, 5, (8, 0, 0)))
history.do(editing.group(scene, history.selection.ids, name="towers"))

group = scene["towers"]
gesture = history.begin("Lift")  # many steps that become one entry
for _ in range(10):
    gesture.add(editing.set_world(scene, [group.id], translation=np.add(group.translation, (0, 1, 0))))
gesture.commit()

print([entry.label for entry in history.entries])
nodes = len(scene)
while history.undo():
    pass
print(f"undone: {len(scene)} nodes, the tower is at {tower.translation}")
while history.redo():
    pass
print(f"done again: {len(scene)} nodes, which was {nodes}")
render(scene, (640, 360), view="front").save("undo_and_redo.png")
