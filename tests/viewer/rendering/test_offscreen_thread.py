"""The thread that draws all pictures without a window: one context, for all threads, over errors, forks and the end."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import moderngl
import numpy as np
import pytest

from octoscope.viewer import DrawError, render
from octoscope.viewer.rendering.context import offscreen
from octoscope.viewer.rendering.context.opengl import count_kept, kept_with
from octoscope.viewer.rendering.still_drawing import StillDrawing
from tests.viewer.scenes import box_scene, everything, view_of

SIZE = (64, 48)


@pytest.fixture
def created(monkeypatch) -> list[moderngl.Context]:
    """The contexts that are made from here on; there is none at first."""
    offscreen.offscreen_thread().end()
    contexts: list[moderngl.Context] = []
    create = offscreen.create_context
    monkeypatch.setattr(offscreen, "create_context", lambda: contexts.append(create()) or contexts[-1])
    return contexts


def test_pictures_have_one_context_and_each_program_once_whichever_threads_ask(created):
    scenes = [box_scene(), everything()]
    expected = [np.asarray(render(scene, SIZE)) for scene in scenes]
    programs = offscreen.offscreen_thread().call(count_kept)
    with ThreadPoolExecutor(4) as threads:
        for index, image in enumerate(threads.map(lambda index: render(scenes[index % 2], SIZE), range(12))):
            assert (np.asarray(image) == expected[index % 2]).all()
    assert offscreen.offscreen_thread().call(count_kept) == programs > 5
    assert len(created) == 1


def test_an_error_ends_the_context_and_those_who_draw_get_another(created):
    view = view_of(box_scene())
    with StillDrawing() as drawing:
        before = drawing.still(view, SIZE).pixels
        with pytest.raises(DrawError, match="at most"):
            render(view.scene, (10**6, 4))
        assert (drawing.still(view, SIZE).pixels == before).all()
    assert len(created) == 2


def test_a_context_with_very_many_programs_is_given_up(created, monkeypatch):
    monkeypatch.setattr(offscreen, "_MOST_KEPT", 50)
    for number in range(100):
        offscreen.offscreen_thread().call(lambda ctx, number=number: kept_with(ctx, number, object))
    assert len(created) == 2


def test_pictures_can_be_drawn_again_after_the_thread_has_ended(created):
    for count in (1, 2):
        render(box_scene(), SIZE)
        assert len(created) == count
        offscreen.offscreen_thread().end()


def run_script(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)


START = (
    "from tests.viewer.scenes import box_scene; from octoscope.viewer import NoOpenGL, render; scene = box_scene()\n"
)


def test_a_program_ends_without_a_word_also_if_it_draws_while_it_ends():
    draw = "render(scene, (16, 16)).size"
    done = run_script(f"{START}import atexit; atexit.register(lambda: print({draw})); print({draw})")
    assert (done.returncode, done.stdout, done.stderr) == (0, "(16, 16)\n(16, 16)\n", "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
@pytest.mark.parametrize("has_drawn", [False, True])
def test_a_forked_process_draws_or_says_why_not(has_drawn):
    fork = """
import os
child = os.fork()
if child == 0:
    try:
        print(render(scene, (16, 16)).size, flush=True)
    except NoOpenGL as error:
        print(error, flush=True)
    os._exit(0)
os.waitpid(child, 0)
print(render(scene, (16, 16)).size)
"""
    done = run_script(START + ("render(scene, (16, 16))\n" if has_drawn else "") + fork)
    assert done.returncode == 0, done.stderr
    of_child, of_parent = done.stdout.splitlines()
    assert of_parent == "(16, 16)"
    assert "forked" in of_child and "'spawn'" in of_child if has_drawn else of_child == "(16, 16)"
