"""Compiling ahead: every kernel that a window waits for, once, by doing in a scene of two objects what a person does.

numba keeps what it compiled beside the code. Without this the first pick, the first box and the first edit would each
wait for seconds. `python -m viewer.compiling` is a part of setting up.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from scene import change_nodes, editing, find_overlaps, load, selecting, write_glb, write_obj
from scene.measuring import Measurer
from viewer.editor import Editor
from viewer.log import Log
from viewer.view import View

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
_MIDDLE, _LOWER, _UPPER = (0.5, 0.5), (0.1, 0.1), (0.9, 0.9)


def compile_kernels() -> None:
    """Read, write, look, pick, select, measure, find overlaps, edit; nothing is left of it but the compiled kernels."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "two.obj"
        path.write_text(_TWO_OBJECTS)
        scene = load(path)
        write_obj(scene, path)
        write_glb(scene, path.with_suffix(".glb"))
        load(path.with_suffix(".glb"))
    find_overlaps(scene)
    view = View(scene)
    view.frame_box_of(None, (64, 64))
    for _ in range(2):  # with overlays, then without culling
        view.show_octree = view.show_edges = view.culling = not view.show_octree
        view.build_frame((64, 64))
    picture = view.last
    picture.pick_through(_MIDDLE)
    picture.point_under(_MIDDLE)
    for wholly in (False, True):
        picture.pick_box(_LOWER, _UPPER, wholly=wholly)
    editor = Editor(view, Log())
    ids = selecting.selectable_ids(scene)
    editor.select(selecting.with_all_below(scene, ids))
    Measurer(scene).measure(ids)
    editor.do(editing.transform(scene, ids, np.diag((2.0, 1.0, 1.0, 1.0))))
    editor.make(editing.drop, ids[-1:])
    editor.do(change_nodes(scene, ids, hidden=True))
    for operation in (editing.group, editing.duplicate, editing.merge, editing.delete):
        editor.make(operation, scene.ids[-1:])
    for _ in range(3):
        editor.undo()
        view.build_frame((64, 64))


if __name__ == "__main__":
    compile_kernels()
