"""Draw a scene in several ways of seeing, side by side."""

from PIL import Image

from octoscope import load, render
from octoscope.viewer.camera.camera import Camera

scene = load("assets/harbour.obj")
lower, upper = scene.bounds([scene["lighthouse_tower"].id])
camera = Camera((lower + upper) / 2, distance=32.0)
sheet = Image.new("RGB", (3 * 426, 2 * 320))
for number, mode in enumerate(("shaded", "clay", "normals", "objects", "xray", "wireframe")):
    picture = render(scene, (426, 320), camera=camera, mode=mode, grid=False)
    sheet.paste(picture, (number % 3 * 426, number // 3 * 320))
sheet.save("ways_of_seeing.png")
print(f"ways_of_seeing.png: {sheet.width}x{sheet.height}")
