"""Read an OBJ file: from a path to plain arrays.

The stages:

    calls       files that it calls stand in their places
    blocks      the file's bytes, a megabyte at a time, each piece ending with a statement
    statements  threads turn blocks into numbers; the kernels hold no interpreter lock
    collected   in the file's order, all indices absolute
    freeform    curves and surfaces become lines and faces among the others
    object_tree  o and g become a tree, usemtl and s become runs
    vertices    the corners of each object become vertices
    meshing     polygons become triangles, and all of it a MeshBatch
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from octoscope.guesses import advises
from octoscope.scene.content import FileContent, FileOutline, MaterialContent, unmoved
from octoscope.scene.formats.endings import stem_of
from octoscope.scene.formats.mtl.reader import read_materials
from octoscope.scene.formats.mtl.statements import material_name
from octoscope.scene.formats.obj.block_arrays import BlockArrays, block_arrays_for
from octoscope.scene.formats.obj.blocks import Blocks, block_room
from octoscope.scene.formats.obj.calls import Calls, has_calls
from octoscope.scene.formats.obj.collected import Collected
from octoscope.scene.formats.obj.faults import FACE_FAULTS, report_faults
from octoscope.scene.formats.obj.freeform.insertion import insert_free_form
from octoscope.scene.formats.obj.freeform.keeping import free_form_of_meshes
from octoscope.scene.formats.obj.meshing import mesh_batch
from octoscope.scene.formats.obj.object_tree import ObjectTree, object_tree_of
from octoscope.scene.formats.obj.parts import add_faults, parts_of
from octoscope.scene.formats.obj.statements import read_block
from octoscope.scene.mesh.data import MeshBatch
from octoscope.scene.mesh.material import DEFAULT_MATERIAL, Material
from octoscope.scene.system.paths import StrPath, is_standard_input
from octoscope.scene.system.processes import processor_count
from octoscope.scene.system.read_limits import current_limits
from octoscope.scene.system.report import Problem, Problems
from octoscope.scene.system.text_file import ReadError, printable

_MOST_THREADS = 8
_SMALL_BYTES = 2**15
_NODE_BYTES = 600  # with its mesh
_MATERIAL_BYTES = 2500

Progress = Callable[[int, int | None], None]


@advises()
def read_obj(path: StrPath, *, progress: Progress | None = None, threads: int | None = None) -> FileContent:
    """Read an OBJ file and the .mtl files that it names.

    Args:
        path: of the file, plain or packed by gzip; "-" is standard input.
        progress: called now and then with the bytes that were read and the file's size, or None where that is not
            known; an exception that it raises ends the reading.
        threads: how many; None: one for each processor.

    Raises:
        ReadError: it is missing, unreadable, no OBJ, too large, or has nothing to show.
    """
    if threads is not None and threads < 1:
        raise ValueError(f"threads must be 1 or more, not {threads}")
    path = Path(path)
    problems = Problems(path)
    is_small = threads is None and _is_small(path)
    threads = 1 if is_small else threads or min(_MOST_THREADS, processor_count())
    with _ThisThread() if is_small else ThreadPoolExecutor(threads) as executor:
        file, calls = _with_calls(path, executor, threads, problems, progress)
        told = len(problems)
        vertex_count = len(file.positions)
        elements = insert_free_form(file, problems)
        _refuse_what_shows_nothing(file, path, problems)
        tree = object_tree_of(file, _default_name(path))
        current_limits().take(_NODE_BYTES * len(tree.node_names) + _MATERIAL_BYTES * len(tree.material_names))
        batch, faults = mesh_batch(file, tree, executor, threads)
    report_faults(problems, file, faults, tree)
    filled = batch.triangle_counts + batch.line_counts + batch.point_counts > 0
    if not filled.any():
        raise _nothing_usable(path, problems)
    if calls is not None:
        calls.name_files(problems, told)
        tree = calls.in_opened_file(tree)
        batch = replace(batch, source_lines=tree.mesh_lines)
    node_names, node_parents, node_meshes = _shown_nodes(tree, filled)
    if not filled.all():
        batch = _without_empty(batch, tree, filled)
    free_form = free_form_of_meshes(elements, file, tree.first, filled, batch.names)
    read_materials_again = _material_reader(path, tree, problems)
    found = read_materials_again()
    return FileContent(
        printable(path.name),
        vertex_count,
        node_names,
        node_parents,
        node_meshes,
        batch,
        found.materials,
        *unmoved(len(node_names)),
        problems=found.problems,
        dependencies=found.dependencies | (set() if calls is None else calls.paths),
        read_materials=read_materials_again if calls is None else None,
        free_form=free_form,
    )


def read_obj_in_parts(
    path: Path,
    take: Callable[[MeshBatch, np.ndarray], None],
    *,
    folder: Path,
    part_elements: int,
    threads: int | None = None,
) -> FileOutline:
    """Read an OBJ file whose geometry does not fit in memory: what is large is kept in files meanwhile.

    Normals that are made for smoothing groups take no part in the faces of another part; other than that the parts
    are what `read_obj` makes of the file.

    Args:
        take: called with each part of the geometry, and (k,) int64 the mesh that each of the part's meshes belongs to.
        part_elements: most faces, lines and points of a part; a mesh of more is in several.
    """
    problems = Problems(path)
    threads = threads or min(_MOST_THREADS, processor_count())
    with ThreadPoolExecutor(threads) as executor:
        file, calls = _with_calls(path, executor, threads, problems, None, folder)
        told = len(problems)
        vertex_count = len(file.positions)
        insert_free_form(file, problems)
        _refuse_what_shows_nothing(file, path, problems)
        tree = object_tree_of(file, _default_name(path))
        filled = np.zeros(len(tree.mesh_names), dtype=np.bool_)
        all_faults = np.zeros((6, 2), dtype=np.int64)
        for part in parts_of(file, tree, part_elements):
            batch, faults = mesh_batch(part.file, part.tree, executor, threads)
            filled[part.meshes[batch.triangle_counts + batch.line_counts + batch.point_counts > 0]] = True
            add_faults(all_faults, faults, part.begin)
            take(batch, part.meshes)
            file.leave_memory()
        report_faults(problems, file, all_faults, tree)
    if not filled.any():
        raise _nothing_usable(path, problems)
    if calls is not None:
        calls.name_files(problems, told)
        tree = calls.in_opened_file(tree)
    names, parents, meshes = _shown_nodes(tree, filled)
    found = _material_reader(path, tree, problems)()
    node_of_mesh = np.full(len(filled), -1)
    node_of_mesh[np.flatnonzero(filled)[meshes[meshes >= 0]]] = np.flatnonzero(meshes >= 0)
    dependencies = found.dependencies | (set() if calls is None else calls.paths)
    return FileOutline(vertex_count, names, parents, found.materials, found.problems, dependencies, node_of_mesh)


class _ThisThread(Executor):
    """Does what it is given at once, on the thread that gives it."""

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        done: Future[Any] = Future()
        try:
            done.set_result(function(*args, **kwargs))
        except BaseException as error:
            done.set_exception(error)
        return done


def _is_small(path: Path) -> bool:
    """Tell whether a file is read sooner than threads start."""
    try:
        return not is_standard_input(path) and os.stat(path).st_size < _SMALL_BYTES
    except (OSError, ValueError):  # what is wrong with it is said when it is opened
        return True


def _default_name(path: Path) -> str:
    if is_standard_input(path):
        return "standard input"
    return printable(stem_of(path))


def _with_calls(
    path: Path,
    executor: Executor,
    threads: int,
    problems: Problems,
    progress: Progress | None,
    folder: Path | None = None,
) -> tuple[Collected, Calls | None]:
    """Read a file as `_collected`, and those that it calls in place."""
    file = _collected(path, executor, threads, progress, folder)
    if is_standard_input(path) or not has_calls(file):
        return file, None
    calls = Calls(path, problems)
    return _collected(path, executor, threads, None, folder, calls.text), calls


def _collected(
    path: Path,
    executor: Executor,
    threads: int,
    progress: Progress | None,
    folder: Path | None = None,
    text: bytes | None = None,
) -> Collected:
    """Read all numbers of a file by several threads, in its order; `folder` as for Collected, `text` for Blocks."""
    file = Collected(folder)
    limits = current_limits()
    largest_block = 0  # bytes
    # With the bytes of the file that were read by then: more are, before a block is collected.
    pending: deque[tuple[Future[tuple[np.ndarray, BlockArrays, int]], int]] = deque()
    with Blocks(path, text) as blocks:
        rooms = [block_room(blocks.total_bytes) for _ in range(threads + 1)]
        free = deque((room, block_arrays_for(len(room))) for room in rooms)
        ended = False
        while pending or not ended:
            while free and not ended:
                room, block = free.popleft()
                data, length = blocks.fill(room)
                ended = length == 0
                if len(data) > len(room):
                    block = block_arrays_for(len(data))
                if not ended:
                    pending.append((executor.submit(_read, data, length, block), blocks.done_bytes))
            if not pending:
                break
            reading, done = pending.popleft()
            data, block, length = reading.result()
            total = blocks.total_bytes
            further = 0.0 if total is None else max(total - done, 0) / length
            file.append(block, further)
            free.append((data, block))
            if folder is not None:
                file.leave_memory()
            else:
                largest_block = max(largest_block, block.used_bytes)
                expected = file.peak_bytes * (1.0 if not total else max(1.0, total / max(done, 1)))
                limits.check(expected + len(rooms) * largest_block, "make tiles of it with octoscope tiles")
            if progress is not None:
                progress(done, total)
    if folder is None:
        limits.take(file.peak_bytes + len(rooms) * largest_block)
    return file


def _read(data: np.ndarray, length: int, block: BlockArrays) -> tuple[np.ndarray, BlockArrays, int]:
    read_block(data, np.uint64(length), block)
    return data, block, length


def _refuse_what_shows_nothing(file: Collected, path: Path, problems: Problems) -> None:
    """Make points of a file with vertices alone; refuse one without anything usable."""
    if len(file.face_sizes) + len(file.lines) + len(file.points):
        return
    if len(file.positions) == 0:
        raise ReadError(path, "not an OBJ file: no vertices and no faces in it; give it a Wavefront .obj")
    if any(kind in FACE_FAULTS for kind, _ in file.faults):
        report_faults(problems, file, None, None)
        raise _nothing_usable(path, problems)
    file.show_vertices_as_points()
    problems.report("points", "vertices that nothing uses", "shown as points", count=len(file.positions))


def _nothing_usable(path: Path, problems: Problems) -> ReadError:
    reasons = "; ".join(
        problem.what if problem.line is None else f"line {problem.line}: {problem.what}" for problem in problems[:2]
    )
    return ReadError(path, f"broken OBJ: none of its faces can be used ({reasons}); export it again or mend it there")


def _without_empty(batch: MeshBatch, tree: ObjectTree, filled: np.ndarray) -> MeshBatch:
    """Remove meshes of which nothing was left; `filled` (m,) bool tells the others."""
    return replace(
        batch,
        **{f"{element}_counts": counts[filled] for element, counts in batch.counts.items()},
        names=batch.names[filled],
        source_lines=tree.mesh_lines[filled],
    )


def _shown_nodes(tree: ObjectTree, filled: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return names, parents and meshes of nodes, without those that showed only meshes not `filled`, (m,) bool."""
    if filled.all():
        return tree.node_names, tree.node_parents, tree.node_meshes
    numbers = np.where(filled, np.cumsum(filled) - 1, -1)
    meshes = np.where(tree.node_meshes >= 0, numbers[tree.node_meshes], -1)
    holds = np.zeros(len(meshes), dtype=bool)
    holds[tree.node_parents[(tree.node_parents >= 0) & (meshes >= 0)]] = True
    kept = holds | (meshes >= 0)
    row_of = np.cumsum(kept) - 1
    parents = np.where(tree.node_parents >= 0, row_of[tree.node_parents], -1)
    return tree.node_names[kept], parents[kept].astype(np.int32), meshes[kept].astype(np.int32)


def _material_reader(path: Path, tree: ObjectTree, problems: Sequence[Problem]) -> Callable[[], MaterialContent]:
    uses = tuple(zip(tree.material_names, tree.material_lines.tolist(), strict=True))
    return partial(_material_content, path, uses, tuple(tree.libraries), tuple(problems))


def _material_content(
    path: Path,
    uses: Sequence[tuple[str, int]],
    libraries: Sequence[tuple[str, int]],
    problems_before: Sequence[Problem],
) -> MaterialContent:
    """Read the materials of an OBJ file; `uses` are the text after each `usemtl`, and the line of its first use."""
    problems = Problems(path)
    names = [material_name(name) for name, _ in uses]
    without_comments = [name.partition("#")[0].rstrip() for name in names]
    dependencies: set[Path] = set()
    library = read_materials(path, libraries, problems, used={*names, *without_comments}, dependencies=dependencies)
    materials = []
    missing, lines = [], []
    for name, without_comment, (_, line) in zip(names, without_comments, uses, strict=True):
        if name not in library and without_comment in library:
            name = without_comment
        if name and name not in library:
            missing.append(name)
            lines.append(line)
        materials.append(library.get(name) or (Material(name) if name else DEFAULT_MATERIAL))
    if missing:
        shown = ", ".join(repr(printable(name[:40])) for name in missing[:4]) + (", ..." if len(missing) > 4 else "")
        what, done = f"in no .mtl file: material {shown}", "shown in the default colour"
        problems.report("material-unknown", what, done, line=min(lines), count=len(missing))
    return MaterialContent(materials, [*problems_before, *problems], frozenset(dependencies))
