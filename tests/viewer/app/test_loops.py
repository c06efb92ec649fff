"""Functions of the API in a loop keep nothing: memory, Python objects, threads, GL names, file descriptors."""

from __future__ import annotations

import gc
import os
import sys
import threading
import weakref
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pytest

from octoscope.scene import Scene, load, write_glb
from octoscope.viewer import Canvas, render, render_buffers
from octoscope.viewer.rendering import stills
from octoscope.viewer.rendering.context.offscreen import offscreen_thread
from tests.viewer.rendering.gl_objects import count_gl_objects
from tests.viewer.scenes import box_scene, everything

SIZE = (48, 32)
CALLS = 20
MOST_KEPT_BYTES = 20_000  # by a call: what was kept before was 65,000
ROUNDS = 4  # in one of which nothing must be kept: what is kept is kept in each

Call = Callable[[Scene, Path, int], object]
LOOPS: dict[str, Call] = {
    "render": lambda scene, path, number: render(scene, SIZE),
    "render other sizes": lambda scene, path, number: render(scene, (48 + number % 3, 32)),
    "render other scenes": lambda scene, path, number: render(box_scene(), SIZE),
    "render with all there is": lambda scene, path, number: render(
        scene, SIZE, octree=True, edges=True, section="x<0", transparent=True
    ),
    "render_buffers": lambda scene, path, number: render_buffers(scene, SIZE),
    "canvases": lambda scene, path, number: Canvas(scene, SIZE, samples=4).render(),
    "one canvas": lambda scene, path, number: turned(canvas_of(scene), number),
    "a picture in a notebook": lambda scene, path, number: scene._repr_png_(),
    "load": lambda scene, path, number: load([path]),
    "write": lambda scene, path, number: write_glb(scene, path.with_name("written.glb")),
    "rays": lambda scene, path, number: scene.raycast((0.0, -9.0, 1.0 + 0.01 * number), (0.0, 1.0, 0.0)),
    "edits": lambda scene, path, number: edit(scene, number),
}


@lru_cache(maxsize=1)
def canvas_of(scene: Scene) -> Canvas:
    return Canvas(scene, SIZE)


def turned(canvas: Canvas, number: int) -> None:
    canvas.camera = replace(canvas.camera, yaw_rad=0.1 * number)
    canvas.render()
    canvas.buffers()


def edit(scene: Scene, number: int) -> None:
    scene["left"].translation = (-1.0, 0.1 * (number % 10), 0.0)
    scene["right"].hidden = number % 2 == 0
    render(scene, SIZE)


def counts() -> dict[str, int]:
    offscreen_thread().call(lambda ctx: None)  # what is to be released is released before this
    gc.collect()
    names = offscreen_thread().call(lambda ctx: sum(count_gl_objects().values()))
    return {
        "threads": threading.active_count(),
        "file descriptors": len(os.listdir("/proc/self/fd")),
        "GL names": names,
        "objects": len(gc.get_objects()),
        "bytes": int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE"),
    }


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("name", LOOPS)
def test_a_call_keeps_nothing(name: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(stills, "_NOTEBOOK_SIZE", SIZE)
    scene, path = everything(), tmp_path / "everything.glb"
    write_glb(scene, path)
    for number in range(CALLS // 2):
        LOOPS[name](scene, path, number)
    allowed = dict.fromkeys(("threads", "file descriptors", "GL names"), 0)
    allowed |= {"objects": CALLS // 2, "bytes": CALLS * MOST_KEPT_BYTES}
    kept = []
    for _ in range(ROUNDS):
        before = counts()
        for number in range(CALLS):
            LOOPS[name](scene, path, number)
        after = counts()
        kept.append({kind: after[kind] - count for kind, count in before.items()})
        if all(kept[-1][kind] <= most for kind, most in allowed.items()):
            return
    pytest.fail(f"{CALLS} calls keep {kept}")


def test_a_scene_that_was_drawn_is_freed_with_its_last_name() -> None:
    scene = everything()
    render(scene, SIZE)
    render_buffers(scene, SIZE)
    meshes, gone = weakref.ref(scene.meshes), weakref.ref(scene)
    del scene
    offscreen_thread().call(lambda ctx: None)
    gc.collect()
    assert gone() is None and meshes() is None
