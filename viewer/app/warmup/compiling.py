"""Compile every kernel that a window would wait for, by running each once on a scene of two objects.

numba saves compiled code beside the source, and a library holds all of it, which a start loads without numba. Without
this the first pick, box selection and edit would each take seconds. `make` runs it by `octoscope compile`, and a window
that finds it was not done as another process (preparing.py).
"""

from __future__ import annotations

import gc
import hashlib
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np

from octoscope.octree.jit import kernels_of, library, numba_alone
from octoscope.octree.jit.kernels import INTERPRETED
from octoscope.octree.jit.sources import stamp_of
from octoscope.scene import Scene, change_nodes, editing, find_overlaps, load, open_project, save_project, selecting
from octoscope.scene.formats.gltf.meshopt_codec import decode_attributes, decode_indices, decode_triangles
from octoscope.scene.formats.writers import WRITERS
from octoscope.scene.geometry.affine import linear
from octoscope.scene.measuring import Measurer
from octoscope.scene.nodes.hierarchy import with_all_below
from octoscope.scene.system.parent_process import end_after
from octoscope.viewer.app.warmup.compiler_process import CompilerProcess
from octoscope.viewer.app.warmup.compiling_progress import report_progress
from octoscope.viewer.editing import euler
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.log import Log
from octoscope.viewer.frame.section import NO_SECTION, Section
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.resources.normal_folding import fold_normals
from octoscope.viewer.ui.panels.outliner_rows import OutlinerRows

_TWO_OBJECTS = """\
o first
v 0 0 0
v 1 0 0
v 1 1 0.1
v 0 1 0
v 0.6 0.5 0
vt 0 0
vn 0 0 1
usemtl red
f 1/1/1 2/1/1 3/1/1 4/1/1
s 1
usemtl blue
f 1 2 5 3 4
l 1 2 3
p 1
o second
v 0.5 0 0 1 0 0
v 3 0 0
v 3 1 0
f -3 -2 -1
"""
_PLY_HEADING = """\
ply
format {} 1.0
element vertex 4
property uchar x
property uchar y
property uchar z
element face 2
property list uchar uchar vertex_indices
end_header
"""
_PLY_ROWS = b"0 0 0 1 0 0 1 1 0 0 1 0 4 0 1 2 3 3 0 1 2\n"
_SECOND_BLOCK = "# and a comment, as a file of more than one block is read in another way\n" * 2**14
_LONG_NAME = "and nodes of a project, as very many are read in another way" * 2**13
_FOLDERS = ("octree", "scene", "viewer")
_MAKES_KERNELS = re.compile(rb"^from octoscope\.octree\.jit import (?:\([^)]*?|.*?)\b\w*kernel\b", re.MULTILINE)
_TELL, _EDITS_ALONE = "--tell", "--edits-alone"
_LOOK_SECONDS = 0.1
_ROOT = Path(__file__).parents[3]
_TURN = np.array([(0.8, -0.6, 0.0, 0.0), (0.6, 0.8, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0)])
_MIDDLE, _LOWER, _UPPER = (0.5, 0.5), (0.1, 0.1), (0.9, 0.9)


def compile_kernels(tell: Callable[[float], object] = lambda fraction: None) -> None:
    """Read, write, draw, pick, select, measure, find overlaps and edit; only the compiled kernels remain.

    `tell` is called with the fraction that is done.
    """
    kernels = kernels_of("octoscope")
    if not INTERPRETED:
        _collect_seldom()
        # Two processes take half the time on two processors. What the other one compiles, this one then loads.
        other = CompilerProcess(_EDITS_ALONE)
        own_fraction = 0.0

        def tell_both(fraction: float) -> None:
            nonlocal own_fraction
            own_fraction = fraction
            tell(min(own_fraction + other.fraction, 1.0))

        with numba_alone(kernels):
            with report_progress(kernels, tell_both):
                two = _use_files()
            while not other.is_done:
                time.sleep(_LOOK_SECONDS)
                tell_both(own_fraction)
            other.stop()
            _use_edits(two)
            from octoscope.octree.jit import builder  # imports numba

            try:
                builder.build(kernels_of("octoscope"))
            except builder.NoLibrary as error:
                sys.stderr.write(
                    f"octoscope: no library of kernels, so each start takes half a second longer: {error}\n"
                )
    note_compiled()


def _compile_edits(tell: Callable[[float], object]) -> None:
    """Compile what `_use_edits` needs, with a scene that no file is read for."""
    kernels = kernels_of("octoscope")
    _collect_seldom()
    with numba_alone(kernels), report_progress(kernels, tell):
        two = Scene()
        editor = Editor(View(two), Log())
        for x in (0.0, 1.0):
            editor.run(editing.add_primitive, "cube", translation=(x, 0.0, 0.0))
        _use_edits(two)


def _collect_seldom() -> None:
    """Make Python look for unused cycles of objects seldom: numba makes very many objects and few cycles."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)


def _use_files() -> Scene:
    """Read and write files, and find overlaps; return the scene of two objects."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "two.obj"
        path.write_text(_TWO_OBJECTS + _SECOND_BLOCK)
        two = load(path)
        for ending, write in WRITERS.items():
            write(two, path.with_suffix(ending))
            load(path.with_suffix(ending))
        polygons = path.with_name("polygons.ply")
        for encoding, rows in (("ascii", _PLY_ROWS), ("binary_little_endian", bytes(map(int, _PLY_ROWS.split())))):
            polygons.write_bytes(_PLY_HEADING.format(encoding).encode() + rows)
            load(polygons)
        project = path.with_suffix(".octo.json")
        named = Scene()
        named.add_node(_LONG_NAME)
        save_project(named, project)
        open_project(project)
    nothing = np.empty(0, np.uint8)  # decoders of what only other programs write
    nothing.flags.writeable = False
    decode_attributes(nothing, 4, np.empty((0, 4), np.uint8))
    decode_triangles(nothing, np.empty((0, 3), np.uint32))
    decode_indices(nothing, np.empty(0, np.uint32))
    find_overlaps(two)
    return two


def _use_edits(two: Scene) -> None:
    """Cast rays, draw, pick, select, measure and edit."""
    # Only a mesh of more than a few triangles gets a triangle tree when a ray meets it.
    editor = Editor(View(two), Log())
    editor.run(editing.add_primitive, "sphere", translation=(0.5, 0.5, -5.0))
    above, down = (0.5, 0.5, 9.0), (0.0, 0.0, -1.0)
    two.raycast(above, down)
    two.raycast_all(above, down)
    two.raycast_many([above], [down])
    editor.undo()
    view = View(two, tiny_culling=True, simplifying=True)
    view.levels.add(view.levels.missing()())
    view.resize((64, 64))
    view.frame_nodes(None)
    view.build_frame((64, 64))
    for _ in range(2):  # with overlays, then without culling
        view.show_octree = view.show_edges = view.culling = not view.show_octree
        view.build_frame((64, 64))
    frame = view.build_frame((64, 64))
    view.active.occlusion_culler.visible(
        frame.visible.nodes,
        frame.clip_from_relative,
        frame.camera_position,
        frame.size,
        np.zeros((8, 8), dtype=np.float32),
    )
    view.section = Section.of("x<0.6")
    view.build_frame((64, 64))
    view.cut_ids()
    picture = view.snapshot
    picture.pick_through(_MIDDLE)
    picture.point_under(_MIDDLE)
    for wholly in (False, True):
        picture.pick_box(_LOWER, _UPPER, wholly=wholly)
    view.section = NO_SECTION
    editor = Editor(view, Log())
    ids = selecting.selectable_ids(two)
    editor.select(with_all_below(two, ids))
    Measurer(two).measure(ids)
    editing.world_transforms(two, ids)
    euler.degrees_of(two.rotations)
    linear(two.rotations, two.scales)  # which is needed where files lie far from their origin
    fold_normals(two.meshes.vertices["normal"], np.empty((len(two.meshes.vertices), 2), dtype=np.float32))
    OutlinerRows(two).update()
    for matrix in (_TURN, np.diag((2.0, 1.0, 1.0, 1.0))):  # the second shears what the first has rotated
        editor.do(editing.transform(two, ids, matrix))
    editor.run(editing.drop, ids[-1:])
    editor.do(change_nodes(two, ids, hidden=True))
    view.show_octree = True  # which sorts the octree after each edit
    for operation in (editing.group, editing.duplicate, editing.merge, editing.separate, editing.delete):
        editor.run(operation, two.ids[two.mesh_ids[two.ids] >= 0][-2:])
        view.build_frame((64, 64))
    for _ in range(3):
        editor.undo()
        view.build_frame((64, 64))


def is_compiled() -> bool:
    """Return whether `compile_kernels` has run since a kernel's source, Python or numba last changed."""
    if not is_kept() or INTERPRETED:
        return True
    digest = _digest()
    for path in map(_note, library.paths()):
        with suppress(OSError):
            if path.read_text() == digest:
                return True
    return False


def note_compiled() -> None:
    """Write a note beside the compiled code that it is complete."""
    path = None if INTERPRETED else library.path()
    if path is not None:
        with suppress(OSError):  # then kernels are compiled at each start: numba cannot write either
            _note(path).write_text(_digest())


def is_kept() -> bool:
    """Return whether compiled code can be saved for the next start."""
    return INTERPRETED or library.path() is not None


def _note(path: Path) -> Path:
    """Return the path of the note beside a library."""
    return path.with_suffix(".compiled")


def _digest() -> str:
    """Return what the note says: a digest of all kernels, and of what is compiled of them."""
    files = (file for folder in _FOLDERS for file in (_ROOT / folder).rglob("*.py"))
    with_kernels = (file for file in files if _MAKES_KERNELS.search(file.read_bytes()))
    digest = hashlib.sha256(Path(__file__).read_bytes())  # which says what is compiled
    for file in sorted(with_kernels):
        digest.update(stamp_of(str(file)).encode())
    return digest.hexdigest()


def _write(fraction: float) -> None:
    sys.stdout.write(f"{fraction}\n")
    sys.stdout.flush()


def _main() -> None:
    if _TELL in sys.argv:
        end_after(partial(os.read, 0, 1))
    if _EDITS_ALONE in sys.argv:
        _compile_edits(_write)
    elif _TELL in sys.argv:
        compile_kernels(_write)
    elif not is_compiled():
        compile_kernels()


if __name__ == "__main__":
    _main()
