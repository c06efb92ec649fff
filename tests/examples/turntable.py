"""Turn a scene once round and write it as an animated picture: a canvas keeps the scene on the graphics card."""

import math
from dataclasses import replace

from octoscope import Canvas, load

scene = load("assets/harbour.obj")
count = 12
with Canvas(scene, (640, 360), samples=4) as canvas:
    begin = canvas.camera
    cameras = [replace(begin, yaw_rad=begin.yaw_rad + math.tau * number / count) for number in range(count)]
    pictures = [picture for picture, _ in canvas.along(cameras)]

pictures[0].save("turntable.gif", save_all=True, append_images=pictures[1:], duration=80, loop=0)
pictures[2].save("turntable.png")
print(f"turntable.gif: {count} pictures")
