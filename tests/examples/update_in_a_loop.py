"""Open a window beside a loop of the script's own, which moves an object, and close it at the end."""

from octoscope import WindowUnavailable, load, show

scene = load("assets/harbour.obj")
tower = scene["lighthouse_tower"]
try:
    window = show(scene, block=False, title="A harbour that moves")
except WindowUnavailable as error:  # such as on a server
    raise SystemExit(str(error)) from None

for step in range(60):
    tower.translation = (0, 0.05 * step, 0)
    if not window.update():
        raise SystemExit("closed by the person")
window.take_picture().save("update_in_a_loop.png")
window.close()
print(f"closed after {step + 1} steps")
