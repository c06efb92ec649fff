"""Compiling ahead in a process of its own, and the note that it was done."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from octoscope.octree.jit import kernel, kernels_of, library
from octoscope.viewer.app.warmup import compiling
from octoscope.viewer.app.warmup.compiler_process import CompilerProcess
from octoscope.viewer.app.warmup.compiling import is_compiled, is_kept, note_compiled
from octoscope.viewer.app.warmup.compiling_progress import report_progress
from octoscope.viewer.ui.dialogs.preparing_box import draw_preparing_box
from octoscope.viewer.ui.imgui.backend import ImguiBackend
from octoscope.viewer.ui.imgui.fonts import load_fonts
from octoscope.viewer.ui.imgui.theme import DARK, apply_theme


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30.0
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_it_tells_how_far_the_process_is_and_that_it_has_ended():
    program = "print(0.25, flush=True)\nraise SystemExit(1)"
    preparing = CompilerProcess(command=[sys.executable, "-c", program])
    wait_for(lambda: preparing.is_done)
    preparing.stop()
    assert preparing.fraction == 0.25


def test_it_can_be_stopped():
    preparing = CompilerProcess(command=[sys.executable, "-c", "import time\nprint(0.5, flush=True)\ntime.sleep(1000)"])
    wait_for(lambda: preparing.fraction == 0.5)
    assert not preparing.is_done
    preparing.stop()
    assert preparing.is_done


def test_one_that_does_not_end_when_it_is_told_to_is_ended(monkeypatch):
    monkeypatch.setattr("octoscope.viewer.app.warmup.compiler_process._STOP_SECONDS", 0.1)
    deaf = "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    program = deaf + "print(0.5, flush=True)\ntime.sleep(1000)"
    preparing = CompilerProcess(command=[sys.executable, "-c", program])
    wait_for(lambda: preparing.fraction == 0.5)
    preparing.stop()
    assert preparing.is_done


def test_what_else_it_says_is_passed_over():
    preparing = CompilerProcess(command=[sys.executable, "-c", "print('a warning')\nprint(0.5)"])
    wait_for(lambda: preparing.is_done and preparing.fraction == 0.5)
    preparing.stop()


def test_a_file_beside_a_kernel_that_changes_makes_the_note_stale(tmp_path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(compiling, "_note", lambda path: tmp_path / "note")
    assert not is_compiled()
    note_compiled()
    assert is_compiled()
    monkeypatch.setattr(compiling, "_digest", lambda: "another text")
    assert not is_compiled()
    assert library.path().parent.is_dir(), "the cache's folder"


def test_what_somebody_else_has_compiled_where_this_user_cannot_write_is_compiled(tmp_path, monkeypatch):
    theirs, own = (tmp_path / name / "kernels.so" for name in ("theirs", "own"))
    for path in (theirs, own):
        path.parent.mkdir()
    monkeypatch.setattr(library, "paths", lambda: (theirs, own))
    monkeypatch.setattr(library, "path", lambda: own)
    assert not is_compiled()
    theirs.with_suffix(".compiled").write_text(compiling._digest())
    assert is_compiled()
    theirs.with_suffix(".compiled").write_text("of sources that have changed")
    note_compiled()
    assert is_compiled() and own.with_suffix(".compiled").exists()


def test_files_with_kernels_are_told_from_others():
    found = compiling._MAKES_KERNELS.search
    assert found(b"import a\nfrom octoscope.octree.jit import inlined, largest_kernel\n")
    assert found(b"from octoscope.octree.jit import (\n    inlined,\n    kernel,\n)\n")
    assert not found(
        b"from octoscope.octree.jit import Kernel, kernels_of\nfrom octoscope.octree.jit.kernels import kernel\n"
    )
    assert not found(b"from octoscope.octree.jit import library\nkernel = 1\n")


def test_a_change_of_what_only_calls_kernels_leaves_the_note_as_it_is(monkeypatch):
    files = set()
    monkeypatch.setattr(compiling, "stamp_of", lambda path: files.add(path) or "")
    compiling._digest()
    names = {Path(file).relative_to(compiling._ROOT).as_posix() for file in files}
    assert {"scene/spatial/cast.py", "viewer/frame/detail/occlusion_culling.py"} <= names
    assert not {"scene/scene.py", "viewer/frame/view.py", "viewer/app/warmup/compiling.py"} & names


NOWHERE = """
import os
os.access = lambda *_: False
from octoscope.scene import Scene
from octoscope.viewer.app.warmup import compiling
compiling.note_compiled()
scene = Scene()
scene.add_node("a", translation=(1, 2, 3))
scene.update_world()
print(compiling.is_kept(), compiling.is_compiled(), scene.world_from_local[0, :3, 3].tolist())
"""


def test_where_nothing_that_is_compiled_can_be_kept_nothing_is_compiled_ahead():
    done = subprocess.run([sys.executable, "-c", NOWHERE], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("False True [1.0, 2.0, 3.0]\n", "")
    assert is_kept()


def test_progress_is_the_share_of_the_kernels_that_are_compiled():
    for cached in Path(__file__).with_name("__pycache__").glob(f"{Path(__file__).stem}.*.nb?"):
        cached.unlink()  # of an earlier run: what is loaded is not compiled
    kernels = [kernel(function) for function in (_double, _half, _inner, _outer)]
    told: list[float] = []
    kernels[1](1.0)
    with report_progress(kernels, told.append):
        kernels[0](1.0)
        kernels[2](1.0)
        kernels[2](1)  # the same one for another kind of number
        kernel(_inner)(1.0)  # none of these
        assert told == [0.5, 0.75]
    kernels[3](1.0)
    assert told == [0.5, 0.75], "nobody listens any more"


def test_all_kernels_of_the_program_are_counted():
    kernels = kernels_of("octoscope")
    assert len(kernels) > 150 and len(set(map(id, kernels))) == len(kernels)
    assert {"read_block", "find_contacts"} <= {kernel.py_func.__name__ for kernel in kernels}
    assert kernels_of("octoscope.octree.no") == []


def test_the_bar_moves_until_it_is_known_how_far_it_is(ctx):
    backend = ImguiBackend(ctx, load_fonts)
    target = ctx.framebuffer([ctx.renderbuffer((480, 120), 3)])

    def picture(fraction: float) -> np.ndarray:
        for _ in range(2):
            backend.new_frame((480, 120), (480, 120), 0.05)
            draw_preparing_box(fraction, 71.0, 1.0)
            target.use()
            target.clear()
            backend.render(target)
        return np.frombuffer(target.read(components=3), np.uint8)

    try:
        apply_theme(DARK, 1.0)
        assert (picture(0.0) != picture(0.0)).any()
        assert (picture(0.4) == picture(0.4)).all()
        assert (picture(0.4) != picture(0.5)).any()
    finally:
        backend.close()
        ctx.simple_framebuffer((1, 1)).use()


def _double(x):
    return 2 * x


def _half(x):
    return x / 2


def _inner(x):
    return x + 1


def _outer(x):
    return x - 1
