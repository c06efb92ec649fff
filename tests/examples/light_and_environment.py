"""Light a scene by the evening sky and a low sun that is fixed to the world."""

from octoscope import load, render, world_light

scene = load("assets/harbour.obj")
sun = world_light(azimuth_deg=70, elevation_deg=18)
picture = render(scene, (640, 360), light=sun, environment="sunset", background="environment", grid=False)
picture.save("light_and_environment.png")
print("the sun stands at", [round(part, 2) for part in sun.direction])
