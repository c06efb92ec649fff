"""Comparison of two states of a scene: everything that a user can change, to the bit."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from octoscope.octree import Frustum
from octoscope.scene import Scene, open_project
from octoscope.scene.nodes.layers import SHOWN
from octoscope.scene.project.journal import journal_path
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.editing.editor import Editor
from tests.octree.checks import Spheres, check_cull
from tests.scene.editing.walks import assert_derived_is_right, assert_same_state, made_anew, state
from tests.scene.project.projects import assert_same_mesh, bits, material_of

_DERIVED = ("world_from_local", "layers")


@dataclass(frozen=True, eq=False)
class State:
    """A scene as it was: copies.

    Attributes:
        columns: of the nodes that there are. derived: what follows from them. spheres: of those with a mesh.
        lists: measurements, labels and bookmarks. selected: ids. meshes: the pool's arrays.
    """

    columns: dict[str, np.ndarray]
    derived: dict[str, np.ndarray]
    spheres: np.ndarray
    lists: tuple[str, str]
    selected: list[int]
    meshes: dict[str, np.ndarray]


def state_of(editor: Editor) -> State:
    """All of it, now."""
    scene = editor.scene
    scene.update_world()
    ids = scene.ids
    return State(
        state(scene),
        {name: getattr(scene, name)[ids] for name in _DERIVED},
        scene.world_spheres[ids[scene.mesh_ids[ids] >= 0]],
        _lists(scene),
        editor.selected_ids.tolist(),
        _pool(scene),
    )


def assert_same(now: State, before: State) -> None:
    """Bit for bit. Meshes that came since may lie unused in the pool."""
    assert_same_state(now.columns, before.columns)
    for name, values in before.derived.items():
        np.testing.assert_array_equal(bits(now.derived[name]), bits(values), err_msg=name)
    np.testing.assert_array_equal(bits(now.spheres), bits(before.spheres))
    assert now.lists == before.lists
    assert now.selected == before.selected
    for name, values in before.meshes.items():
        np.testing.assert_array_equal(now.meshes[name][: len(values)], values, err_msg=name)


def digest_of(editor: Editor) -> tuple[bytes, bytes]:
    """Return a digest of everything but the selection, and the selection."""
    scene = editor.scene
    digest = hashlib.blake2b(digest_size=16)
    for values in state(scene).values():
        exact = repr(values.tolist()).encode() if values.dtype.kind == "T" else values.tobytes()
        digest.update(exact + b"/")
    digest.update("".join(_lists(scene)).encode())
    return digest.digest(), editor.selected_ids.tobytes()


def assert_answers_are_right(scene: Scene, rng: np.random.Generator) -> None:
    """The octree kept in step finds what brute force finds; rays hit what they hit in a scene made anew."""
    index = scene.index
    assert_derived_is_right(scene, index)
    anew = made_anew(scene)
    bounds = index.bounds()
    if bounds is None:
        return
    ids = index.all_ids()
    spheres = Spheres()
    spheres.put(ids, scene.world_spheres[ids, :3], scene.world_spheres[ids, 3])
    middle, size = (bounds[0] + bounds[1]) / 2.0, float(np.linalg.norm(bounds[1] - bounds[0])) or 1.0
    for _ in range(4):
        distance = size * rng.uniform(0.1, 1.0)
        pivot = middle + rng.normal(size=3) * size / 4.0
        camera = Camera(pivot, rng.uniform(-3.0, 3.0), rng.uniform(-1.5, 1.5), distance=distance)
        camera = camera.with_depth_range(*bounds)
        matrix = camera.clip_from_world(1.5)
        found = check_cull(index._tree, spheres, matrix)
        shown = found[scene.layers[found] & SHOWN != 0]
        np.testing.assert_array_equal(np.sort(index.cull(Frustum.from_matrix(matrix))), np.sort(shown))
        origin, direction = camera.ray_through(tuple(rng.random(2)), 1.5)
        hit, other = scene.raycast(origin, direction), anew.raycast(origin, direction)
        assert (hit is None) == (other is None)
        assert hit is None or hit.t == other.t


def assert_recoverable(editor: Editor) -> None:
    """Assert that project and journal as they are now give the scene, node by node."""
    scene = editor.scene
    project = scene.project
    copy = project.path.with_name("copy of it.octo.json")
    shutil.copy(project.path, copy)
    shutil.copy(journal_path(project.path), journal_path(copy))
    again = open_project(copy)
    for path in (copy, journal_path(copy)):
        path.unlink()
    assert not [problem for problem in again.report.problems if "kept" in str(problem)], again.report.problems
    mine, theirs = (_by_file_id(each) for each in (scene, again))
    assert_same_nodes(scene, mine, again, theirs)


def assert_comes_back_from_a_file(editor: Editor, path: Path) -> None:
    """Assert that a file that was just written gives the scene, children in their order."""
    assert_same_nodes(editor.scene, _in_depth(editor.scene), again := open_project(path), _in_depth(again))


def assert_same_nodes(scene: Scene, ids: np.ndarray, other: Scene, other_ids: np.ndarray) -> None:
    """Nodes of two scenes, (n,) each, are the same one by one, and hold the same measurements and bookmarks."""
    assert len(ids) == len(other_ids) == len(scene) == len(other)
    scene.update_world()
    other.update_world()
    assert scene.names[ids].tolist() == other.names[other_ids].tolist()
    parents = _numbered(scene, ids)[scene.parents[ids]]
    np.testing.assert_array_equal(parents, _numbered(other, other_ids)[other.parents[other_ids]])
    for column in ("translations", "rotations", "scales", "hidden", "unselectable", "file_roots", "orders", *_DERIVED):
        mine, theirs = getattr(scene, column)[ids], getattr(other, column)[other_ids]
        np.testing.assert_array_equal(bits(mine), bits(theirs), err_msg=column)
    for mine, theirs in _pairs(scene.material_overrides[ids], other.material_overrides[other_ids]):
        assert material_of(scene, mine) == material_of(other, theirs)
    meshes = _pairs(scene.mesh_ids[ids], other.mesh_ids[other_ids])
    assert len(meshes) == len({mine for mine, _ in meshes}), "instances share a mesh as they did"
    for mine, theirs in meshes:
        assert (mine < 0) == (theirs < 0)
        if mine >= 0:
            assert_same_mesh(scene, mine, other, theirs)
    mine, theirs = list(scene.bookmarks.items()), list(other.bookmarks.items())
    assert mine == theirs, f"{mine} is not {theirs}"
    assert _measured(scene, ids) == _measured(other, other_ids)


def _pairs(mine: np.ndarray, theirs: np.ndarray) -> set[tuple[int, int]]:
    return set(zip(mine.tolist(), theirs.tolist(), strict=True))


def _measured(scene: Scene, ids: np.ndarray) -> list[object]:
    """The measurements of nodes that there are, with these numbered in this order."""
    number, alive = _numbered(scene, ids), scene.alive
    return [
        replace(each, anchors=tuple(replace(anchor, node=int(number[anchor.node])) for anchor in each.anchors))
        for each in scene.measurements
        if all(anchor.node < 0 or alive[anchor.node] for anchor in each.anchors)
    ]


def _numbered(scene: Scene, ids: np.ndarray) -> np.ndarray:
    """(row_count + 1,) the place of each node among these; -1 for others, and for -1."""
    number = np.full(scene.row_count + 1, -1)
    number[ids] = np.arange(len(ids))
    return number


def _by_file_id(scene: Scene) -> np.ndarray:
    """The nodes by what they are called in the file and the journal."""
    ids = scene.ids
    file_ids = scene.project.file_ids.nodes(scene.row_count)[ids]
    assert (file_ids >= 0).all() and len(np.unique(file_ids)) == len(file_ids)
    return ids[np.argsort(file_ids)]


def _in_depth(scene: Scene) -> np.ndarray:
    """The nodes as an outline has them: each before what hangs below it, children by their ids."""
    ids, parents = scene.ids, scene.parents
    below: dict[int, list[int]] = {}
    for node_id in reversed(ids.tolist()):
        below.setdefault(int(parents[node_id]), []).append(node_id)
    ordered, waiting = [], list(below.get(-1, ()))
    while waiting:
        node_id = waiting.pop()
        ordered.append(node_id)
        waiting += below.get(node_id, ())
    return np.array(ordered, dtype=np.int32)


def _lists(scene: Scene) -> tuple[str, str]:
    return repr((scene.measurements, scene.labels)), repr(list(scene.bookmarks.items()))


def _pool(scene: Scene) -> dict[str, np.ndarray]:
    meshes = scene.meshes
    tables = {"rows": meshes.rows, "vertices": meshes.vertices, "triangles": meshes.triangles}
    tables |= {"lines": meshes.lines, "points": meshes.points}
    return {f"{name} {column}": table[column].copy() for name, table in tables.items() for column in table.names}
