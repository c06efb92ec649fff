"""Open a window, move an object in it, hear of what a person does there, and close it after a while."""

import math

from octoscope import Window, WindowUnavailable, load

SECONDS = 2.0

scene = load("assets/harbour.obj")
tower = scene["lighthouse_tower"]
pictures = 0


def on_frame(seconds):
    global pictures
    pictures += 1
    tower.translation = (0, 3 * math.sin(4 * min(seconds, SECONDS)), 0)
    if seconds > SECONDS:
        window.take_picture().save("animate_in_a_window.png")
        window.close()


def on_select(nodes):
    print("selected:", ", ".join(node.name for node in nodes) or "nothing")


def on_transform(nodes):
    for node in nodes:
        print(f"{node.name} is at {node.translation}")


try:
    window = Window(scene, title="A harbour that moves")
except WindowUnavailable as error:  # such as on a server
    raise SystemExit(str(error)) from None
window.selection = [tower]
window.frame([tower])
window.run(on_frame=on_frame, on_select=on_select, on_transform=on_transform)
print(f"closed after {pictures} pictures")
