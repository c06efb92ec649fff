"""Random operations on scenes, and what two states of a scene have to have in common."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from octoscope.scene import Edit, EditError, FileContent, Material, MeshData, Scene, SpatialIndex, change_nodes
from octoscope.scene.content import unmoved
from octoscope.scene.editing import (
    add_primitive,
    align,
    apply_transform,
    array,
    array_along,
    center_pivot,
    delete,
    distribute,
    drop,
    drop_to_ground,
    duplicate,
    group,
    import_content,
    merge,
    move_up,
    place_beside,
    radial_array,
    reorder,
    reparent,
    replace_mesh,
    scatter,
    separate,
    set_origin,
    set_vertices,
    set_world,
    share_mesh,
    transform,
    ungroup,
)
from octoscope.scene.editing.edits import COLUMNS, differing_rows
from octoscope.scene.mesh.data import MeshBatch
from octoscope.scene.mesh.pool import FREED
from octoscope.scene.mesh.primitives import PRIMITIVES
from tests.octree.validate import validate
from tests.oracles import random_affine, random_quaternion
from tests.scene.builders import box, quad, random_scene


def walking_scene(seed: int, count: int = 40) -> Scene:
    """Return trees that shear and mirror, with three materials."""
    scene = random_scene(seed, count, zeros=0.0)
    for name in ("red", "blue"):
        scene.add_material(Material(name))
    return scene


def small_content(rng: np.random.Generator) -> FileContent:
    """Return the content of a small file: two objects, one below the other."""
    meshes: list[MeshData] = [box(), quad()]
    _, rotations, scales, node_materials = unmoved(2)
    return FileContent(
        name="small.obj",
        vertex_count=12,
        node_names=np.array(["box", "quad"], dtype=np.dtypes.StringDType()),
        node_parents=np.array([-1, 0], dtype=np.int32),
        node_meshes=np.array([0, 1], dtype=np.int32),
        meshes=MeshBatch.of(meshes, ["box", "quad"]),
        materials=[Material("small")],
        translations=rng.normal(size=(2, 3)),
        rotations=rotations,
        scales=scales,
        node_materials=node_materials,
    )


def random_operation(
    scene: Scene, rng: np.random.Generator, *, largest: int = 80, importing: bool = True
) -> Edit | None:
    """One of all operations, on a few nodes; None: it was refused. A scene of more than `largest` nodes shrinks."""
    ids = scene.ids
    few = rng.choice(ids, min(len(ids), int(rng.integers(1, 5))), replace=False)
    one = int(rng.choice(ids)) if len(ids) else -1
    pivot = rng.normal(size=3)
    kind = rng.choice(("min", "centre", "max"))
    turn = random_quaternion(rng)
    materials = rng.integers(-1, len(scene.materials), len(few))
    kept = np.flatnonzero(scene.meshes.rows["lifetime"] != FREED)
    grow = (
        lambda: duplicate(scene, few, copy_meshes=bool(rng.integers(2))),
        lambda: array(scene, few[:1], int(rng.integers(2, 4)), rng.normal(size=3), relative=bool(rng.integers(2))),
        lambda: radial_array(
            scene, few[:1], int(rng.integers(2, 4)), center=pivot, axis=rng.normal(size=3), turned=bool(rng.integers(2))
        ),
        lambda: array_along(scene, few, rng.normal(size=(3, 3)), int(rng.integers(1, 4)), closed=bool(rng.integers(2))),
        lambda: scatter(scene, few[:2], one, int(rng.integers(1, 4)), aligned=bool(rng.integers(2))),
        lambda: add_primitive(scene, str(rng.choice(list(PRIMITIVES))), parent=one, translation=pivot),
        lambda: group(scene, few, at=rng.choice(("median", "centre"))),
        lambda: separate(scene, few),
    )
    if importing:
        grow += (lambda: import_content(scene, small_content(rng), Path("small.obj")),)
    shrink = (lambda: delete(scene, few), lambda: ungroup(scene, few), lambda: merge(scene, few))
    other = (
        lambda: transform(scene, few, translation_of(pivot)),
        lambda: transform(scene, few, random_affine(rng), pivot=pivot),
        lambda: set_world(scene, few, translation=pivot),
        lambda: set_world(scene, few, rotation=turn, scale=rng.uniform(0.5, 2.0, 3)),
        lambda: reparent(scene, few, one if rng.random() < 0.8 else -1, keep_world=bool(rng.random() < 0.8)),
        lambda: move_up(scene, few),
        lambda: reorder(scene, few, down=bool(rng.integers(2))),
        lambda: place_beside(scene, few, one, after=bool(rng.integers(2))),
        lambda: share_mesh(scene, few),
        lambda: align(scene, few, x=kind, z=kind),
        lambda: distribute(scene, few, int(rng.integers(3)), by=rng.choice(("gaps", "centres"))),
        lambda: drop_to_ground(scene, few),
        lambda: drop(scene, few, as_one=bool(rng.integers(2))),
        lambda: apply_transform(scene, few, translation=bool(rng.integers(2)), scale=bool(rng.integers(2))),
        lambda: center_pivot(scene, few),
        lambda: set_origin(scene, few, pivot),
        lambda: replace_mesh(scene, few, int(rng.choice(np.append(kept, -1)))),
        lambda: with_moved_vertices(scene, few, rng),
        lambda: change_nodes(scene, few, name=f"name {rng.integers(100)}", material=materials),
        lambda: change_nodes(
            scene,
            few,
            hidden=bool(rng.integers(2)),
            unselectable=bool(rng.integers(2)),
            file_root=bool(rng.integers(2)),
        ),
        lambda: change_nodes(scene, few, translation=rng.normal(size=3) * rng.choice((1.0, -0.0)), rotation=turn),
    )
    choices = other if len(ids) else ()
    if len(ids) < largest:
        choices += grow if len(ids) else grow[5:6]
    if len(ids) > 4:
        choices += shrink
    if len(ids) >= largest:
        choices += (shrink[0],) * 10
    try:
        return choices[rng.integers(len(choices))]()
    except EditError:
        return None


def with_moved_vertices(scene: Scene, ids: np.ndarray, rng: np.random.Generator) -> Edit:
    shown = scene[ids[scene.mesh_ids[ids] >= 0]]
    if len(shown) == 0:
        raise EditError("no mesh")
    vertices = shown[0].mesh.vertices
    return set_vertices(scene, shown[0], vertices + rng.normal(size=vertices.shape))


def translation_of(offset: np.ndarray) -> np.ndarray:
    matrix = np.eye(4)
    matrix[:3, 3] = offset
    return matrix


def state(scene: Scene) -> dict[str, np.ndarray]:
    """All that edits can change of the nodes that there are."""
    ids = scene.ids
    return {"ids": ids} | {name: column.values(scene)[ids] for name, column in COLUMNS.items()}


def assert_same_state(mine: dict[str, np.ndarray], theirs: dict[str, np.ndarray]) -> None:
    np.testing.assert_array_equal(mine["ids"], theirs["ids"])
    for name, values in mine.items():
        assert not differing_rows(values, theirs[name]).any(), name


def made_anew(scene: Scene) -> Scene:
    """A scene of the same nodes that was never edited."""
    ids = scene.ids
    places = np.full(scene.row_count + 1, -1)
    places[ids] = np.arange(len(ids))
    anew = Scene()
    anew.meshes, anew.materials = scene.meshes, scene.materials
    values = {name: column.values(scene)[ids] for name, column in COLUMNS.items() if name not in ("alive", "parent")}
    rows = anew.add_nodes(values.pop("name"), **values)
    anew.set_parents(np.array(rows), places[scene.parents[ids]])
    return anew


def assert_derived_is_right(scene: Scene, index: SpatialIndex) -> None:
    """Assert that the world and the octree, kept up to date by changes, equal those of a scene made anew."""
    anew = made_anew(scene)
    ids = scene.ids
    assert len(scene) == len(ids) == len(anew) == len(list(scene))
    np.testing.assert_array_equal(scene.world_from_local[ids], anew.world_from_local)
    np.testing.assert_array_equal(scene.layers[ids], anew.layers)
    shown = scene.mesh_ids[ids] >= 0
    np.testing.assert_array_equal(scene.world_spheres[ids[shown]], anew.world_spheres[shown])
    validate(index._tree)
    new_index = SpatialIndex(anew)
    np.testing.assert_array_equal(index.all_ids(), ids[new_index.all_ids()])
    np.testing.assert_array_equal(index.shown_ids(), ids[new_index.shown_ids()])
    np.testing.assert_array_equal(index.broken_ids(), ids[new_index.broken_ids()])
    for element in ("triangle", "line", "point"):
        assert scene.element_count(element) == anew.element_count(element)
    bounds, expected = scene.bounds(), anew.bounds()
    assert (bounds is None) == (expected is None)
    if bounds is not None:
        np.testing.assert_array_equal(bounds, expected)
