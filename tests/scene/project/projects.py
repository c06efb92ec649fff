"""Scenes to save, OBJ files for them to come from, and what two scenes have to have in common."""

from __future__ import annotations

import json
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
from PIL import Image

from octoscope.scene import Material, MeshData, Scene, load, open_project, save_project
from tests.oracles import random_quaternion
from tests.scene.builders import ball, box, quad, random_scales

VILLAGE = """mtllib village.mtl
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0.5
vt 0 0
vt 1 0
vt 1 1
o house
usemtl brick
f 1/1 2/2 3/3
o tree
f 1 2 4
o house
usemtl brick
f 1/1 3/3 4/2
o tree
f 2 3 4
"""


def write_village(folder: Path) -> Path:
    """village.obj in a folder: house, tree, house, tree; its material and a texture beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (4, 4), (200, 80, 40)).save(folder / "brick.png")
    (folder / "village.mtl").write_text("newmtl brick\nKd 0.5 0.25 1\nNs 10\nmap_Kd brick.png\n")
    (folder / "village.obj").write_text(VILLAGE)
    return folder / "village.obj"


def village(folder: Path) -> Scene:
    return load(write_village(folder))


def varied_mesh(rng: np.random.Generator, material_count: int) -> MeshData:
    """A mesh that uses everything a mesh can hold."""
    shape = (quad, box, ball)[rng.integers(3)]()
    count, triangles = len(shape.positions), len(shape.triangles)
    normals = rng.normal(size=(count, 3)).astype(np.float32)
    return MeshData(
        shape.positions * rng.normal(size=3) + rng.normal(size=3),
        shape.triangles,
        normals,
        rng.integers(0, material_count, count),
        rng.normal(size=(count, 2)).astype(np.float32),
        rng.integers(0, 256, (count, 4)).astype(np.uint8),
        rng.integers(0, count, count),
        rng.integers(0, 8, triangles).astype(np.uint8),
        rng.integers(0, count, (3, 2)),
        rng.integers(0, count, 2),
        rng.normal(size=(count, 2)).astype(np.float32) if rng.integers(2) else None,
    )


def varied_scene(seed: int, folder: Path, *, count: int = 40, names: list[str] | None = None) -> Scene:
    """Objects of a file and meshes of no file, shown once, many times or never, in a tree of any order that shears."""
    rng = np.random.default_rng(seed)
    scene = village(folder)
    textured = next(material for material in scene.materials if material.base_color_texture is not None)
    scene.add_material(Material("plain"))
    scene.add_material(
        Material(
            "all of it", (0.1, 0.2, 0.3), 0.5, 0.7, 99.5, 0.25, 0.125, (1.0, 0.0, 2.0), textured.base_color_texture
        )
    )
    for _ in range(3):
        scene.meshes.add(varied_mesh(rng, len(scene.materials)))
    scene.meshes.add(quad())
    first = len(scene)
    scene.add_nodes(
        names if names is not None else [f"node {number % 7}" for number in range(count)],
        parent=rng.integers(-1, first, count),
        mesh=rng.integers(-1, len(scene.meshes), count),
        material=rng.integers(-1, len(scene.materials), count),
        translation=rng.normal(size=(count, 3)) * 10.0 ** rng.integers(-300, 300, (count, 1)),
        rotation=np.where(rng.random((count, 1)) < 0.5, (0.0, 0.0, 0.0, 1.0), random_quaternion(rng, count)),
        scale=random_scales(rng, count),
        hidden=rng.random(count) < 0.2,
        unselectable=rng.random(count) < 0.2,
        order=rng.integers(-2, 2, count),
        file_root=rng.random(count) < 0.2,
    )
    scene.set_translations(first, (-0.0, 0.0, 0.0))
    ids = rng.permutation(np.arange(first, first + count))
    scene.set_parents(ids[1:], ids[rng.integers(0, np.arange(1, count))])  # parents behind their children
    scene.update_world()
    return scene


def assert_same_scene(scene: Scene, expected: Scene) -> None:
    """The same nodes, bit for bit, that show the same meshes in the same materials."""
    assert scene.names.tolist() == expected.names.tolist()
    for column in (
        "parents",
        "translations",
        "rotations",
        "scales",
        "hidden",
        "unselectable",
        "orders",
        "file_roots",
        "layers",
        "world_from_local",
    ):
        np.testing.assert_array_equal(bits(getattr(scene, column)), bits(getattr(expected, column)), err_msg=column)
    assert [material_of(scene, number) for number in scene.material_overrides] == [
        material_of(expected, number) for number in expected.material_overrides
    ]
    np.testing.assert_array_equal(scene.mesh_ids >= 0, expected.mesh_ids >= 0)
    pairs = {(int(a), int(b)) for a, b in zip(scene.mesh_ids, expected.mesh_ids, strict=True) if a >= 0}
    assert len(pairs) == len(set(scene.mesh_ids[scene.mesh_ids >= 0])), "instances share a mesh as they did"
    for mine, theirs in pairs:
        assert_same_mesh(scene, mine, expected, theirs)


def assert_same_mesh(scene: Scene, mesh_id: int, expected: Scene, expected_id: int) -> None:
    mesh, other = scene.meshes.mesh(mesh_id), expected.meshes.mesh(expected_id)
    for column in fields(MeshData):
        mine, theirs = getattr(mesh, column.name), getattr(other, column.name)
        if mine is None or theirs is None:  # a column of zeros, where no mesh beside it has others
            assert not any(each is not None and each.any() for each in (mine, theirs))
            continue
        if column.name == "material_ids":
            for number, other_number in set(zip(mine.tolist(), theirs.tolist(), strict=True)):
                assert material_of(scene, number) == material_of(expected, other_number)
        else:
            assert mine.dtype == theirs.dtype
            np.testing.assert_array_equal(bits(mine), bits(theirs), err_msg=column.name)


def material_of(scene: Scene, number: int) -> tuple[Material, object] | None:
    """Return the identity of a material: its values, and the pixels of its texture."""
    if number < 0:
        return None
    material = scene.materials[number]
    texture = material.base_color_texture
    return replace(material, base_color_texture=None), None if texture is None else (
        texture.path,
        texture.pixels.tobytes(),
    )


def bits(values: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(values).view(np.uint8)


def saved(scene: Scene, path: Path) -> Scene:
    """The scene as it comes back from a file."""
    save_project(scene, path)
    return open_project(path)


def change_document(path: Path, change: Callable[[dict], None]) -> None:
    """Change a project file as another program would."""
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))


def kinds(scene: Scene) -> dict[str, int]:
    return scene.report.count_by_kind()


def spots(value: object) -> list[tuple[object, object]]:
    """Every (container, key) in a JSON tree."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [spot for key in keys for spot in ((value, key), *spots(value[key]))]


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """A disk that is full: the system refuses to let files grow beyond a size."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
