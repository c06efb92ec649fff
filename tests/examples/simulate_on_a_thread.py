"""Open a window on a scene that a simulation on another thread moves, and close it when that has ended."""

import math
import threading
import time

from octoscope import Window, WindowUnavailable, load

SECONDS = 2.0

scene = load("assets/harbour.obj")
tower = scene["lighthouse_tower"]


def move(height):
    tower.translation = (0, height, 0)


def simulate():
    """Compute steps; the window's thread takes each of them between two pictures."""
    begin = time.monotonic()
    while window.is_open and (seconds := time.monotonic() - begin) < SECONDS:
        time.sleep(0.01)  # in place of what takes long
        window.call(move, 3 * math.sin(4 * seconds))
    window.call(end)


def end():
    window.take_picture().save("simulate_on_a_thread.png")
    window.close()


try:
    window = Window(scene, title="A harbour that is simulated")
except WindowUnavailable as error:  # such as on a server
    raise SystemExit(str(error)) from None
window.frame([tower])
thread = threading.Thread(target=simulate)
thread.start()
window.run()
thread.join()
print(f"closed with the tower {tower.translation[1]:.1f} up")
