"""Compile every kernel that a window would wait for, by running each once on a scene of two objects.

numba saves compiled code beside the source. Without this the first pick, box selection and edit would each take
seconds. `python -m viewer.app.warmup.compiling` is a part of the installation; a window that finds it was not done
starts it as another process (preparing.py).
"""

from __future__ import annotations

import hashlib
import platform
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import cast

import numba
import numpy as np
from numba.core.dispatcher import Dispatcher

import octree
import scene
import viewer
from octree.jit.sources import stamp_of
from scene import change_nodes, editing, find_overlaps, load, selecting, write_glb, write_obj
from scene.measuring import Measurer
from scene.nodes.hierarchy import with_all_below
from scene.nodes.update import update_world
from viewer.app.warmup.compiling_progress import kernels_of, report_progress
from viewer.editing import euler
from viewer.editing.editor import Editor
from viewer.editing.log import Log
from viewer.frame.view import View
from viewer.ui.panels.outliner_rows import OutlinerRows

_TWO_OBJECTS = """\
o first
v 0 0 0
v 1 0 0
v 1 1 0.1
v 0 1 0
v 0.6 0.5 0
vt 0 0
vn 0 0 1
f 1/1/1 2/1/1 3/1/1 4/1/1
s 1
f 1 2 5 3 4
l 1 2 3
p 1
o second
v 0.5 0 0 1 0 0
v 3 0 0
v 3 1 0
f -3 -2 -1
"""
_PACKAGES = (octree, scene, viewer)
_NOTE, _IMPORT = "octoscope-compiled", b"\nfrom octree.jit import"
_TURN = np.array([(0.8, -0.6, 0.0, 0.0), (0.6, 0.8, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0)])
_MIDDLE, _LOWER, _UPPER = (0.5, 0.5), (0.1, 0.1), (0.9, 0.9)


def compile_kernels(tell: Callable[[float], object] = lambda fraction: None) -> None:
    """Read, write, draw, pick, select, measure, find overlaps and edit; only the compiled kernels remain.

    `tell` is called with the fraction that is done.
    """
    names = [package.__name__ for package in _PACKAGES]
    with report_progress(kernels_of(names), tell):
        _use_all_of_it()
    note_compiled()


def _use_all_of_it() -> None:
    """Do what users do, with two objects."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "two.obj"
        path.write_text(_TWO_OBJECTS)
        two = load(path)
        write_obj(two, path)
        write_glb(two, path.with_suffix(".glb"))
        load(path.with_suffix(".glb"))
    find_overlaps(two)
    # Only a mesh of more than a few triangles gets a triangle tree when a ray meets it.
    editor = Editor(View(two), Log())
    editor.run(editing.add_primitive, "sphere", translation=(0.5, 0.5, -5.0))
    above, down = (0.5, 0.5, 9.0), (0.0, 0.0, -1.0)
    two.raycast(above, down)
    two.raycast_all(above, down)
    two.raycast_many([above], [down])
    editor.undo()
    view = View(two)
    view.resize((64, 64))
    view.frame_nodes(None)
    for _ in range(2):  # with overlays, then without culling
        view.show_octree = view.show_edges = view.culling = not view.show_octree
        view.build_frame((64, 64))
    picture = view.snapshot
    picture.pick_through(_MIDDLE)
    picture.point_under(_MIDDLE)
    for wholly in (False, True):
        picture.pick_box(_LOWER, _UPPER, wholly=wholly)
    editor = Editor(view, Log())
    ids = selecting.selectable_ids(two)
    editor.select(with_all_below(two, ids))
    Measurer(two).measure(ids)
    editing.world_transforms(two, ids)
    euler.degrees_of(two.rotations)
    OutlinerRows(two).update()
    for matrix in (_TURN, np.diag((2.0, 1.0, 1.0, 1.0))):  # the second shears what the first has rotated
        editor.do(editing.transform(two, ids, matrix))
    editor.run(editing.drop, ids[-1:])
    editor.do(change_nodes(two, ids, hidden=True))
    for operation in (editing.group, editing.duplicate, editing.merge, editing.separate, editing.delete):
        editor.run(operation, two.ids[-1:])
    for _ in range(3):
        editor.undo()
        view.build_frame((64, 64))


def is_compiled() -> bool:
    """Return whether `compile_kernels` has run since a kernel's source, Python or numba last changed."""
    note = _note()
    try:
        return note is None or note[0].read_text() == note[1]
    except OSError:
        return False


def note_compiled() -> None:
    """Write a note beside the compiled code that it is complete."""
    note = _note()
    if note is not None:
        with suppress(OSError):  # then kernels are compiled at each start: numba cannot write either
            note[0].write_text(note[1])


def is_kept() -> bool:
    """Return whether compiled code can be saved for the next start."""
    return _has_no_jit() or _cache_folder() is not None


def _has_no_jit() -> bool:
    return bool(numba.config.DISABLE_JIT)  # type: ignore[attr-defined]  # set from the environment


def _cache_folder() -> str | None:
    """Return where numba saves compiled code, or None if it cannot be written."""
    return cast(Dispatcher, update_world).stats.cache_path


def _note() -> tuple[Path, str] | None:
    """Return path and content of the note; None if nothing is compiled or saved."""
    folder = None if _has_no_jit() else _cache_folder()
    if folder is None:
        return None
    packages = (Path(str(package.__file__)).parent for package in _PACKAGES)
    with_kernels = (path for package in packages for path in package.rglob("*.py") if _IMPORT in path.read_bytes())
    digest = hashlib.sha256(f"{sys.version} {numba.__version__} {platform.processor()}".encode())
    for path in sorted(with_kernels):
        digest.update(stamp_of(str(path)).encode())
    return Path(folder) / _NOTE, digest.hexdigest()


def _write(fraction: float) -> None:
    sys.stdout.write(f"{fraction}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    compile_kernels(_write if "--tell" in sys.argv else lambda fraction: None)
