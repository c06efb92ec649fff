"""Opens and closes windows in a loop, and prints as JSON what that leaves behind, or null: CASE CALLS ROUNDS SERVER."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np

from octoscope import Scene, Window, show
from octoscope.scene.mesh.primitives import cube
from tests.viewer.app.counting import Counts, counts, kept_by, resident_bytes

SIZE = (320, 240)
WARM_UP = 6
# moderngl keeps a set, a tuple, a function and two cells of each context, and 40 to 60 kB with names and addresses of
# OpenGL's functions; GLFW and the driver keep 10 kB of each window.
MOST_KEPT_OBJECTS, MOST_KEPT_BYTES = 6, 100_000


def shown(scene: Scene, number: int) -> None:
    """Show a window until its second frame."""
    frames: list[float] = []
    window = Window(scene, title=str(number), size=SIZE)

    def on_frame(seconds: float) -> None:
        frames.append(seconds)
        if len(frames) == 2:
            assert np.asarray(window.take_picture()).std() > 1.0
            window.close()

    window.run(on_frame=on_frame)


def unshown(scene: Scene, number: int) -> None:
    Window(scene, title=str(number), size=SIZE).close()
    # Loaded anew for each window, it would take keys of the process that it does not give back.
    assert "libGLX.so" in Path("/proc/self/maps").read_text()


class Left(Exception):
    pass


def left(scene: Scene, number: int) -> None:
    """Show a window until its callback raises."""

    def on_frame(seconds: float) -> None:
        raise Left

    with suppress(Left):
        show(scene, title=str(number), size=SIZE, on_frame=on_frame)


def each_in_turn(scene: Scene, number: int) -> None:
    (shown, unshown, left)[number % 3](scene, number)


CASES = {"shown": shown, "not shown": unshown, "left by an error": left, "each in turn": each_in_turn}


def main(case: str, calls: int, rounds: int, server: int) -> None:
    def count() -> Counts:
        return {**counts(), "bytes of the X server": resident_bytes(server)}

    scene = Scene()
    scene.add_node("cube", mesh=scene.meshes.add(cube()))
    call = partial(CASES[case], scene)
    for number in range(WARM_UP):
        call(number)
    allowed = {
        "objects": MOST_KEPT_OBJECTS * calls,
        "bytes": MOST_KEPT_BYTES * calls,
        "bytes of the X server": MOST_KEPT_BYTES // 10 * calls,
    }
    print(json.dumps(kept_by(call, calls, allowed, rounds, count)))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
