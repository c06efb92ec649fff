"""Doing with a file what a person can, to see it hold: look, pick, measure, edit, export, save, open again."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from octoscope.octree import Frustum
from octoscope.scene import (
    EditError,
    History,
    ReadError,
    SaveError,
    Scene,
    WriteError,
    editing,
    find_overlaps,
    load,
    save_project,
)
from octoscope.scene.formats.writers import WRITERS
from octoscope.scene.measuring import Measurer, size_rows
from octoscope.scene.nodes.hierarchy import with_all_below
from octoscope.scene.selecting import selectable_ids
from octoscope.scene.spatial.frustum_select import nodes_in_frustum
from octoscope.viewer.editing import euler
from octoscope.viewer.features.octree_view.decoration import OctreeCells
from octoscope.viewer.frame.view import View

_SIZE = (64, 48)
_LOOKED_AT = 3  # objects that rays are aimed at
_AXES = np.concatenate([np.eye(3), -np.eye(3)])
_REFUSALS = (EditError, ReadError, SaveError, WriteError)


def use(path: Path, turn: int = 0) -> bool:
    """Do all of it; False: the file was refused, in one clear line. Any other exception is a fault.

    Args:
        turn: which edits are made, and which of what was exported is opened again: some, each time others.
    """
    try:
        scene = load(path)
    except ReadError as error:
        _check_line(error)
        return False
    for line in scene.report.warnings:
        assert len(line.splitlines()) == 1 and line.isprintable(), line
    ids = np.flatnonzero(scene.mesh_ids >= 0)
    scene.bounds()
    scene.index.broken_messages(scene.sources)
    _pick(scene, ids)
    _look(scene)
    _measure(scene, ids)
    find_overlaps(scene, tolerance=(None, 1e-3)[turn % 2])
    _write(scene, path.parent, turn)
    _edit(scene, turn)
    _unless_refused(lambda: WRITERS[".glb"](scene, path.parent / "edited.glb"))
    return True


def read_in_time(path: Path, turn: int = 0) -> bool:
    """Read a file alone, as `use`; it is a fault if the processor takes more than ten seconds a megabyte, and five."""
    size = sum(file.stat().st_size for file in path.parent.iterdir() if file.is_file())
    begin = time.process_time()
    try:
        load(path)
        return True
    except ReadError as error:
        _check_line(error)
        return False
    finally:
        seconds = time.process_time() - begin
        print(f"{path.name}: {size:,} bytes, {seconds:.1f} s")
        assert seconds <= 5.0 + 10.0 * size / 1e6, f"{seconds:.1f} s for {size:,} bytes"


def _check_line(error: Exception) -> None:
    line = str(error)
    assert line.strip() and len(line.splitlines()) == 1 and len(line) < 600, line


def _unless_refused(act: Callable[[], object]) -> None:
    try:
        act()
    except _REFUSALS as error:
        _check_line(error)


def _pick(scene: Scene, ids: np.ndarray) -> None:
    """Rays at objects from outside, from inside, along axes and at a slant; from afar and beside everything."""
    spheres = scene.world_spheres[ids]
    spheres = spheres[np.isfinite(spheres).all(axis=1)][:_LOOKED_AT]
    centers, radii = spheres[:, :3], spheres[:, 3:]
    slant = np.array((0.48, -0.6, 0.64))
    origins = [np.zeros((1, 3)), np.full((1, 3), 1e30)]
    directions = [slant[None], -slant[None]]
    for direction in (*_AXES, slant, np.array((1e-30, 1.0, 1e-300))):
        for away in (0.0, 1.5, 1e6):
            with np.errstate(all="ignore"):
                origins.append(centers - direction * radii * away)
            directions.append(np.tile(direction, (len(centers), 1)))
    origins, directions = np.concatenate(origins), np.concatenate(directions)
    finite = np.isfinite(origins).all(axis=1)
    origins, directions = origins[finite], directions[finite]
    hits = scene.raycast_many(origins, directions)
    seen = hits.nodes >= 0
    assert np.isfinite(hits.t[seen]).all() and (hits.t[seen] >= 0.0).all()
    for origin, direction in zip(origins[::4], directions[::4], strict=True):
        nearest = scene.raycast(origin, direction)
        every = scene.raycast_all(origin, direction)
        assert (nearest is None) == (not every)
        if nearest is not None:
            first = {hit.node.id for hit in every if hit.t == every[0].t}  # nodes in one place are as near
            assert nearest.t == every[0].t and nearest.node.id in first
            _ = nearest.point, nearest.normal, nearest.uv, nearest.barycentric


def _look(scene: Scene) -> None:
    """Pictures (all but drawing them), and what is under the mouse in them."""
    view = View(scene)
    view.layout.resize(_SIZE)
    view.framing.frame_nodes(None)
    view.decoration(OctreeCells).is_shown = view.settings.show_edges = True
    view.build_frames(_SIZE)
    picture = view.snapshot
    for point in ((0.5, 0.5), (0.3, 0.6)):
        picture.pick_through(point)
        picture.point_under(point)
        picture.snap(picture.projection.area.pixel(point), picture.drawn)
    for wholly in (False, True):
        picture.pick_box((0.1, 0.1), (0.9, 0.9), wholly=wholly)
    clip_from_world = np.diag((0.01, 0.01, 0.01, 1.0))
    nodes_in_frustum(scene.index, Frustum.from_matrix(clip_from_world))
    for node in scene.ids[1:2]:
        view.layout.resize(_SIZE)
        view.framing.frame_nodes(np.array([node]))
        view.build_frames(_SIZE)


def _measure(scene: Scene, ids: np.ndarray) -> None:
    measurer = Measurer(scene)
    for chosen in (ids, ids[:1], ids[-1:], scene.ids[:1]):
        if len(chosen):
            size_rows(measurer.measure(chosen))
    selectable = with_all_below(scene, selectable_ids(scene))
    _unless_refused(lambda: editing.world_transforms(scene, selectable))
    euler.degrees_of(scene.rotations)


def _edit(scene: Scene, turn: int) -> None:
    """Edits that compute with matrices and meshes, each taken back but for the last."""
    history = History(scene)
    turned = np.array([(0.8, -0.6, 0.0, 1.0), (0.6, 0.8, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0)])
    ids = scene.ids
    if len(ids) == 0:
        return
    some = selectable_ids(scene)[-2:]
    stretch = np.diag((2.0, 1.0, 1.0, 1.0))
    drops = (
        lambda: editing.drop(scene, some[-1:]),
        lambda: editing.drop(scene, ids, as_one=True),
        lambda: editing.drop_to_ground(scene, some),
    )
    others = (
        lambda: editing.transform(scene, some, turned),
        lambda: editing.transform(scene, ids[:2], stretch),
        lambda: editing.apply_transform(scene, some),
        lambda: editing.center_pivot(scene, some),
        lambda: editing.reparent(scene, some[-1:], -1),
        lambda: editing.separate(scene, some),
        lambda: editing.merge(scene, some),
        lambda: editing.group(scene, some),
        lambda: editing.ungroup(scene, ids[:1]),
        lambda: editing.duplicate(scene, some),
    )
    for make in (drops[turn % 3], others[turn % 10], others[turn // 10 % 10]):

        def act(make: Callable = make) -> None:
            history.do(make())
            scene.update_world()
            scene.raycast((0.0, 0.0, 9.0), (0.0, 0.1, -1.0))
            history.undo()

        _unless_refused(act)
    _unless_refused(lambda: history.do(editing.drop(scene, some)))
    scene.update_world()


def _write(scene: Scene, folder: Path, turn: int) -> None:
    """Export it to every format and save it; open one of these and the project again."""
    for number, (ending, write) in enumerate(WRITERS.items()):
        written = folder / f"written{ending}"
        try:
            for note in write(scene, written):
                assert len(note.splitlines()) == 1
        except (WriteError, SaveError) as error:
            _check_line(error)
            continue
        if turn % len(WRITERS) == number:
            _unless_refused(lambda written=written: load(written).bounds())
    project = folder / "written.octo.json"
    save_project(scene, project)
    np.testing.assert_array_equal(load(project).names, scene.names)
