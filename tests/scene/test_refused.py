"""What is refused changes nothing: every public way to change a scene, with arguments that it does not take."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from octoscope.scene import Bookmark, FileContent, History, Material, MeshData, Meshes, Scene, editing, read_obj
from octoscope.scene.annotations.labels import Label
from octoscope.scene.annotations.measurement import DISTANCE, Anchor, Measurement
from octoscope.scene.editing.geometry import replace_mesh_by_file
from octoscope.scene.editing.structure import import_content
from octoscope.scene.loading import relinking
from octoscope.scene.mesh.primitives import PRIMITIVES
from octoscope.scene.nodes.node_table import NodeTable

NAN = float("nan")
CORNERS, FACE = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)], [(0, 1, 2)]
READERS = {  # public methods that change nothing
    *(
        "bounds",
        "changed_since",
        "checked_ids",
        "checked_materials",
        "checked_parents",
        "copy",
        "cull",
        "element_count",
        "find",
        "checked_meshes",
        "with_vertices",
        "own_bounds",
        "grouped_properties",
        "nodes_with_properties",
        "properties",
        "properties_at",
        "stating_meshes",
    ),
    *(
        "at_once",
        "check_editable",
        "parents_first",
        "path_of",
        "raycast",
        "raycast_all",
        "query_box",
        "query_sphere",
        "raycast_many",
        "shared_with",
        "values_with",
        "to_html",
        "tree",
        "update_world",
    ),
}
INTERNAL = {"renumber_meshes", "replace_meshes", "take"}  # they take what is made of the scene itself


@pytest.fixture
def scene() -> Scene:
    scene = Scene()
    for name in ("a", "b", "c"):
        scene.add_mesh(name, CORNERS, FACE, scalars=[1.0, 2.0, 3.0])
    scene.set_parents([1], [0])
    scene.set_alive([2], False)
    scene.bookmarks = {"gate": Bookmark((0.0, 0.0, 1.0))}
    scene.measurements = [Measurement(DISTANCE, (Anchor(0, (0.0, 0.0, 0.0)), Anchor(1, (0.0, 0.0, 0.0))))]
    scene.labels = [Label("a", Anchor(0, (0.0, 0.0, 0.0)))]
    scene.add_source("gone.obj")
    scene.project.unresolved_meshes.append(1, node=[scene.add_node("waits").id], source=0, name="lost", occurrence=0)
    scene.update_world()
    return scene


def state(scene: Scene) -> dict[str, object]:
    """Everything that a caller can see of a scene."""
    tables = {"nodes": scene._nodes, "unresolved": scene.project.unresolved_meshes, **scene.meshes._tables}
    columns = {f"{table}.{name}": tables[table][name].tolist() for table in tables for name in tables[table].names}
    values = {
        name: value for name, value in vars(scene).items() if isinstance(value, (int, str, tuple)) or name[0] == "_"
    }
    values = {name: str(value) for name, value in values.items() if name not in ("_nodes", "_order", "_recomputed")}
    report = {name: str(value) for name, value in vars(scene.report).items()}
    return {**columns, **values, **report, "version": scene.version, "scales": str(scene.color_scales)}


def assert_refused(scene: Scene, do: Callable[[], object]) -> None:
    before = state(scene)
    with pytest.raises((ValueError, IndexError, TypeError)):
        do()
    assert state(scene) == before


def broken_content(path: Path, **columns: object) -> FileContent:
    """What was read of a file of two objects with materials, with columns that do not fit."""
    path.with_suffix(".mtl").write_text("newmtl red\n")
    path.write_text(
        "mtllib x.mtl\no x\nusemtl red\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no y\nf 3 2 1\nwhat\n".replace(
            "x.mtl", path.stem
        )
    )
    content = read_obj(path)
    content.bookmarks = {"gate": Bookmark((0.0, 0.0, 2.0))}
    return replace(content, **columns)


def broken_batch(path: Path) -> FileContent:
    content = broken_content(path)
    return replace(content, meshes=replace(content.meshes, normals=np.zeros((1, 7))))


MISSING_MESH = {"node_meshes": np.array([0, 99])}
METHODS: dict[str, list[Callable[[Scene, Path], object]]] = {
    "add_content": [
        lambda scene, path: scene.add_content(broken_content(path, **MISSING_MESH), path),
        lambda scene, path: scene.add_content(broken_content(path, scales=np.array([[NAN] * 3] * 2)), path),
        lambda scene, path: scene.add_content(broken_batch(path), path),
    ],
    "add_meshes": [lambda scene, path: scene.add_meshes(broken_batch(path), 0)],
    "add_mesh": [
        lambda scene, path: scene.add_mesh("x", CORNERS, FACE, scalars=[1.0, 2.0, 3.0], parent=999),
        lambda scene, path: scene.add_mesh("x", CORNERS, FACE, vectors=CORNERS, material=Material("red"), scale=NAN),
        lambda scene, path: scene.add_mesh("x", CORNERS, FACE, colors=np.ones((3, 3)), wide=True),
        lambda scene, path: scene.add_mesh("x", CORNERS, [(0, 1, 9)]),
        lambda scene, path: scene.add_mesh("x", CORNERS, FACE, color="no colour"),
    ],
    "add_instances": [
        lambda scene, path: scene.add_instances("x", scene[0], np.zeros((3, 2))),
        lambda scene, path: scene.add_instances("x", scene["waits"], np.zeros((3, 3))),
    ],
    "add_node": [lambda scene, path: scene.add_node("x", parent=2), lambda scene, path: scene.add_node("x", wide=True)],
    "add_nodes": [
        lambda scene, path: scene.add_nodes(["x", "y"], translation=np.zeros((3, 3))),
        lambda scene, path: scene.add_nodes(["x", 3]),
        lambda scene, path: scene.add_nodes(["x"], mesh=99),
        lambda scene, path: scene.add_nodes(["x"], rotation=(0.0, 0.0, 0.0, 0.0)),
    ],
    "reuse_nodes": [
        lambda scene, path: reused(scene, [0]),
        lambda scene, path: reused(scene, [2], parent=np.array([2**20])),
        lambda scene, path: reused(scene, [2], scale=np.ones((3, 3))),
    ],
    "add_material": [lambda scene, path: scene.add_material()],
    "add_materials": [lambda scene, path: scene.add_materials(None)],
    "add_source": [lambda scene, path: scene.add_source(None)],
    "become": [lambda scene, path: scene.become(Scene())],
    "replace_materials": [lambda scene, path: scene.replace_materials({1: Material("x"), 99: Material("y")})],
    "set_alive": [
        lambda scene, path: scene.set_alive([0], False),
        lambda scene, path: scene.set_alive([2], 7),
        lambda scene, path: scene.set_alive([1, 2], [True, True, False]),
    ],
    "delete": [lambda scene, path: scene.delete([0, 2]), lambda scene, path: scene.delete("a")],
    "set_colors": [
        lambda scene, path: scene.set_colors([0, 1], np.ones((3, 3))),
        lambda scene, path: scene.set_colors([0, 99], "red"),
        lambda scene, path: scene.set_colors([0, 1], [(1, 0, 0), (NAN, 0, 0)]),
    ],
    "set_scalars": [
        lambda scene, path: scene.set_scalars(scene[0], [1.0, 2.0]),
        lambda scene, path: scene.set_scalars(scene[0], [1.0, 2.0, NAN]),
        lambda scene, path: scene.set_scalars(scene[0], [1.0, 2.0, 3.0], colormap="none such"),
        lambda scene, path: scene.set_scalars(scene["waits"], [1.0, 2.0, 3.0]),
    ],
    "set_vertices": [
        lambda scene, path: scene.set_vertices(scene[0], np.zeros((2, 3))),
        lambda scene, path: scene.set_vertices(scene[0], [(0, 0, 0), (1, 0, 0), (0, NAN, 0)]),
        lambda scene, path: scene.set_vertices(scene[0], np.zeros((3, 3)), normals=np.zeros((2, 3))),
        lambda scene, path: scene.set_vertices(scene["waits"], np.zeros((3, 3))),
    ],
    "set_world_from_local": [
        lambda scene, path: scene.set_world_from_local([0, 1], np.eye(4)),
        lambda scene, path: scene.set_world_from_local([1, 3], np.stack([np.eye(4), np.diag([1, 1, NAN, 1])])),
        lambda scene, path: scene.set_world_from_local([1, 3], np.eye(4) + np.eye(4, k=1) * (0, 1, 0, 0)),
    ],
    "set_hidden": [lambda scene, path: scene.set_hidden([0, 99], True), lambda scene, path: scene.set_hidden([0], 7)],
    "set_unselectable": [lambda scene, path: scene.set_unselectable([0, 2], True)],
    "set_instances": [lambda scene, path: scene.set_instances([0, 2], 1)],
    "set_file_meshes": [lambda scene, path: scene.set_file_meshes([0, 2], 0)],
    "set_file_roots": [lambda scene, path: scene.set_file_roots([0, 2], True)],
    "set_materials": [lambda scene, path: scene.set_materials([0, 1], [1, 99])],
    "set_meshes": [lambda scene, path: scene.set_meshes([0, 1], [1, 99])],
    "set_meshes_of_deleted": [
        lambda scene, path: scene.set_meshes_of_deleted(np.array([2, 0]), np.array([0, 0])),
        lambda scene, path: scene.set_meshes_of_deleted(np.array([2]), np.array([99])),
    ],
    "set_names": [lambda scene, path: scene.set_names([0, 1], ["x", 3]), lambda scene, path: scene.set_names([2], "x")],
    "set_orders": [
        lambda scene, path: scene.set_orders([1, 0], [2, NAN]),
        lambda scene, path: scene.set_orders([1, 0], [2, 2**40]),
        lambda scene, path: scene.set_orders([1, 2], [2, 1]),
        lambda scene, path: scene.set_orders([1, 0], [2, 1, 0]),
    ],
    "set_parents_of_deleted": [
        lambda scene, path: scene.set_parents_of_deleted(np.array([2, 0]), np.array([-1, -1])),
        lambda scene, path: scene.set_parents_of_deleted(np.array([2]), np.array([99])),
    ],
    "set_parents": [
        lambda scene, path: scene.set_parents([1, 0], [-1, 0]),
        lambda scene, path: scene.set_parents([0, 1], [1, 2]),
    ],
    "set_rotations": [lambda scene, path: scene.set_rotations([0, 1], [(0, 0, 0, 1), (0, 0, 0, 0)])],
    "set_scales": [lambda scene, path: scene.set_scales([0, 1], [(1, 1, 1), (1, NAN, 1)])],
    "set_translations": [lambda scene, path: scene.set_translations([0, 1], np.zeros((3, 3)))],
}


def reused(scene: Scene, ids: list[int], **columns: np.ndarray) -> None:
    count = len(ids)
    usual = {"parent": np.full(count, -1), "mesh": np.full(count, -1), "translation": np.zeros((count, 3))}
    usual |= {"rotation": np.tile([0.0, 0.0, 0.0, 1.0], (count, 1)), "scale": np.ones((count, 3))}
    scene.reuse_nodes(np.array(ids), np.array(["x"] * count), **{**usual, **columns})


OPERATIONS: dict[str, list[Callable[[Scene, Path], object]]] = {
    "add_mesh": [lambda scene, path: editing.add_mesh(scene, "x", triangle(), parent=99)],
    "add_primitive": [
        lambda scene, path: editing.add_primitive(scene, "cube", parent=2, translation=(NAN, 0, 0)),
        lambda scene, path: editing.add_primitive(scene, next(iter(PRIMITIVES)), material=99),
    ],
    "apply_transform": [lambda scene, path: editing.apply_transform(scene, [0, 1], scale=False)],
    "center_pivot": [lambda scene, path: editing.center_pivot(scene, [3])],
    "duplicate": [lambda scene, path: editing.duplicate(scene, [2], copy_meshes=True)],
    "array": [lambda scene, path: editing.array(scene, [0], (10**6, 1, 1), (1.0, 1.0, 1.0))],
    "group": [lambda scene, path: editing.group(scene, [0], name=7)],
    "merge": [
        lambda scene, path: editing.merge(scene, [0, 1], name=7),
        lambda scene, path: editing.merge(scene, [0, 3]),
    ],
    "smooth_by_angle": [lambda scene, path: editing.smooth_by_angle(scene, [3])],
    "separate": [lambda scene, path: editing.separate(scene, [0])],
    "import_content": [lambda scene, path: import_content(scene, broken_content(path, **MISSING_MESH), path)],
    "replace_mesh": [lambda scene, path: editing.replace_mesh(scene, [0, 99], 0)],
    "replace_mesh_by_file": [lambda scene, path: replace_mesh_by_file(scene, [3], broken_content(path), path)],
    "relink": [lambda scene, path: relinking.relink(scene, 0, other_objects(path))],
}


def triangle() -> MeshData:
    return MeshData(np.array(CORNERS), np.array(FACE), None, np.zeros(3, dtype=np.int32))


def other_objects(path: Path) -> Path:
    broken_content(path)
    return path


def cases(table: dict[str, list[Callable[[Scene, Path], object]]]) -> list[object]:
    return [pytest.param(do, id=f"{name} {n}") for name in table for n, do in enumerate(table[name])]


@pytest.mark.parametrize("do", cases(METHODS) + cases(OPERATIONS))
def test_a_scene_is_as_it_was(scene, tmp_path, do):
    if do in OPERATIONS["apply_transform"]:
        scene.set_scales([1], (0.0, 1.0, 1.0))
    assert_refused(scene, lambda: do(scene, tmp_path / "x.obj"))
    do_after = scene.add_mesh("after", CORNERS, FACE)  # nor is anything left that another call meets
    assert do_after.mesh_id == 3 and do_after.id == 4
    np.testing.assert_array_equal(scene.meshes.mesh(3).positions, CORNERS)


def test_every_public_method_that_changes_a_scene_is_tried():
    public = {name for owner in (Scene, NodeTable) for name, _ in inspect.getmembers(owner, inspect.isfunction)}
    assert {name for name in public if name[0] != "_"} == {*METHODS, *READERS, *INTERNAL}


def test_every_operation_that_adds_to_a_scene_takes_it_back():
    """Those that make nodes or meshes are known by what they call."""
    adds = ("meshes.extend(", "meshes.add(", ".add_node(", ".add_nodes(", ".add_source(", ".add_content(")
    for module in vars(editing).values():
        if isinstance(module, ModuleType):
            for name, function in inspect.getmembers(module, inspect.isfunction):
                own = function.__module__ == module.__name__ and not name.startswith("_")
                if own and any(each in inspect.getsource(function) for each in adds):
                    assert hasattr(function, "__wrapped__"), name


@pytest.mark.parametrize("edit", [editing.delete, editing.smooth_by_angle])
def test_a_history_that_refuses_an_edit_has_none(scene, edit):
    history = History(scene)
    made = edit(scene, [0])
    scene.set_alive([1], False)
    scene.set_alive([0], False)
    scene.set_alive([0, 1], [True, False])
    bad = replace(made, selects=np.array([99], dtype=np.int32))
    assert_refused(scene, lambda: history.do(bad))
    assert history.entries == [] and history.nbytes == 0


def test_a_pool_of_meshes_is_as_it_was():
    pool = Meshes()
    pool.add(triangle())
    before = len(pool), pool.version, pool.mesh(0).positions.tolist()
    batch = pool.batch(np.array([0]))
    for bad in ({"normals": np.zeros((2, 3))}, {"edges": np.zeros((7, 7))}, {"triangles": batch.triangles + 1}):
        with pytest.raises(ValueError):
            pool.extend(replace(batch, **bad))
        assert (len(pool), pool.version, pool.mesh(0).positions.tolist()) == before
        assert len(pool.vertices) == 3 and len(pool.triangles) == 1


@pytest.mark.parametrize(
    "name", ["bookmarks", "measurements", "labels", "sources", "loaded_sources", "color_scales", "materials"]
)
def test_what_is_set_whole_cannot_be_changed_in_place(scene, name):
    given = dict(getattr(scene, name)) if hasattr(getattr(scene, name), "items") else list(getattr(scene, name))
    setattr(scene, name, given)
    before = scene.version
    given.clear()
    kept = getattr(scene, name)
    assert len(kept) == len(type(kept)(kept)) and (name == "loaded_sources" or len(kept) > 0)
    with pytest.raises((TypeError, AttributeError)):
        kept["x"] = None
    for method in ("append", "update", "pop", "clear", "setdefault"):
        assert not hasattr(kept, method)
    assert scene.version == before
