"""Copies of a mesh are stored once in a tile, and come back each in its place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from octoscope.scene import Material, MeshData, Scene, load, write_glb
from octoscope.scene.formats.gltf.reader import read_gltf
from octoscope.scene.formats.tiles.cells import Tile
from octoscope.scene.formats.tiles.repeats import Repeats, without_copies
from octoscope.scene.merging.merged_geometry import MergedGeometry
from octoscope.scene.tiling.tiling import write_tiles
from tests.cases import quick
from tests.oracles import random_quaternion
from tests.scene.builders import ball
from tests.scene.dressed import rich_mesh
from tests.scene.formats.gltf.files import document_of
from tests.scene.tiling.checks import (
    assert_same_elements,
    assert_sound,
    content_of_tile,
    elements_of_leaves,
    elements_of_scene,
)

INSTANCING = "EXT_mesh_gpu_instancing"


def wood(count: int = 40, *, origin=(0.0, 0.0, 0.0)) -> Scene:
    """Two kinds of trees, turned and scaled, in two materials; some mirrored, and one alone."""
    rng = np.random.default_rng(0)
    made = Scene()
    meshes = [made.meshes.add(ball(6, 9)), made.meshes.add(rich_mesh(rng, 2))]
    looks = [made.add_material(Material(f"look {k}", (k / 2.0, 0.5, 0.5))) for k in range(2)]
    for number in range(count):
        scale = rng.uniform(0.5, 2.0, 3) * (1.0, 1.0, -1.0 if number % 9 == 8 else 1.0)
        made.add_node(
            f"tree {number}",
            mesh=meshes[number % 2],
            material=looks[number // 2 % 2],
            translation=np.array(origin) + rng.uniform(-20.0, 20.0, 3),
            rotation=random_quaternion(rng),
            scale=scale,
        )
    made.add_node("alone", mesh=made.meshes.add(ball(5, 7)), translation=origin)
    return made


def tiled(made: Scene, folder: Path, **options) -> Path:
    write_glb(made, folder / "scene.glb")
    write_tiles([folder / "scene.glb"], folder / "tiles", **options)
    return folder / "tiles"


@pytest.mark.parametrize("compresses", quick([False, True], 1))
@pytest.mark.parametrize("leaf_elements", [10_000, 400])
@pytest.mark.parametrize("origin", [(0, 0, 0), (3e5, 0, -2e5)])
def test_copies_are_where_they_were(tmp_path, leaf_elements, origin, compresses):
    if compresses:
        pytest.importorskip("DracoPy", reason="octoscope[draco] is not installed")
    folder = tiled(wood(origin=origin), tmp_path, leaf_elements=leaf_elements, compresses=compresses)
    tileset = assert_sound(folder, leaf_elements)
    found = elements_of_leaves(folder, tileset)
    assert_same_elements(found, elements_of_scene(load(tmp_path / "scene.glb")), rounding=5e-5 if compresses else 1e-6)
    if leaf_elements == 10_000:
        nodes = document_of(folder / "content" / "0_0_0_0.glb")["nodes"]
        assert sum(INSTANCING in node.get("extensions", {}) for node in nodes) == 4  # two meshes, two materials each


def test_names_materials_and_tree_come_back(tmp_path):
    made = wood()
    folder = tiled(made, tmp_path)
    read = load(folder / "tileset.json")
    assert read.report.warnings == []
    source = load(tmp_path / "scene.glb")

    def looks(scene: Scene) -> dict[str, set[str]]:
        found = {}
        for node in scene.ids[scene.mesh_ids[scene.ids] >= 0].tolist():
            override = int(scene.material_overrides[node])
            own = set(scene.meshes.mesh(int(scene.mesh_ids[node])).material_ids.tolist())
            found[str(scene.names[node])] = {scene.materials[k].name for k in (own if override < 0 else {override})}
        return found

    assert looks(read) == looks(source)


def test_a_tile_of_copies_alone_is_small(tmp_path):
    made = Scene()
    mesh = made.meshes.add(ball(20, 30))
    rng = np.random.default_rng(0)
    for number in range(100):
        made.add_node(f"{number}", mesh=mesh, translation=rng.uniform(-50, 50, 3))
    folder = tiled(made, tmp_path, leaf_elements=200_000)
    content = folder / "content" / "0_0_0_0.glb"
    document = document_of(content)
    assert len(document["meshes"]) == len(document["nodes"]) == 1
    assert document["extensionsRequired"] == [INSTANCING]
    assert content.stat().st_size < 60_000 < 36 * 100 * 600
    geometry, table = content_of_tile(folder, Tile(0, 0, 0, 0))
    assert len(geometry.triangles) == 100 * len(ball(20, 30).triangles)
    assert sorted(table["name"].tolist(), key=int) == [str(number) for number in range(100)]
    alone = read_gltf(content)  # as any glTF: a node for each
    assert (alone.node_meshes >= 0).sum() == 100
    assert [problem.what for problem in alone.problems] == [
        "property tables (EXT_structural_metadata) of a glTF file alone"
    ]


def test_what_is_not_quite_the_same_is_no_copy():
    """Objects that claim the same mesh are compared: in place, normals, colours, elements."""
    rng = np.random.default_rng(0)
    mesh = ball(6, 9)
    count, vertices = 8, len(mesh.positions)
    matrices = np.tile(np.eye(4)[:3], (count, 1, 1))
    matrices[:, :, 3] = rng.uniform(-10, 10, (count, 3))
    shape = (count, vertices)
    positions = mesh.positions + matrices[:, None, :, 3]
    normals = np.broadcast_to((0.0, 0.0, 1.0), (*shape, 3)).astype(np.float32)
    colors = np.full((*shape, 4), 255, dtype=np.uint8)
    triangles = mesh.triangles + vertices * np.arange(count)[:, None, None]
    positions[1, 5] += 1e-3
    normals[2, 7] = (0, 1, 0)
    colors[3, 9, 1] = 4
    triangles[4, 2] = triangles[4, 2, [1, 0, 2]]
    geometry = MergedGeometry(
        positions.reshape(-1, 3),
        normals.reshape(-1, 3),
        np.zeros((count * vertices, 2), np.float32),
        colors.reshape(-1, 4),
        np.zeros(count * vertices, np.int32),
        np.repeat(np.arange(count, dtype=np.int32), vertices),
        triangles.reshape(-1, 3).astype(np.int32),
        np.empty((0, 2), np.int32),
        np.empty((0, 1), np.int32),
    )
    rest, (copies,) = without_copies(geometry, Repeats.of(np.arange(count), np.zeros(count, int), matrices))
    assert copies.objects.tolist() == [0, 5, 6, 7] and sorted(set(rest.objects.tolist())) == [1, 2, 3, 4]


def test_sheared_and_flat_copies_stay(tmp_path):
    made = Scene()
    mesh = made.meshes.add(ball(6, 9))
    for number in range(8):
        turned = made.add_node("group", rotation=random_quaternion(np.random.default_rng(number)), scale=(1, 3, 1))
        made.add_node("sheared", parent=turned.id, mesh=mesh, rotation=random_quaternion(np.random.default_rng(99)))
        made.add_node("flat", mesh=mesh, scale=(1, 0, 1), translation=(number, 0, 0))
    folder = tiled(made, tmp_path)
    tileset = assert_sound(folder, 2**15)
    assert_same_elements(elements_of_leaves(folder, tileset), elements_of_scene(load(tmp_path / "scene.glb")))


def test_a_folder_that_is_written_again_in_the_same_process_is_of_the_new_files(tmp_path):
    """Workers of a cluster live on and remember plans."""
    for count in (3, 5):
        write_glb(wood(count), tmp_path / "scene.glb")
        write_tiles([tmp_path / "scene.glb"], tmp_path / "tiles", replaces=True)
        read = load(tmp_path / "tiles" / "tileset.json")
        assert (read.mesh_ids >= 0).sum() == count + 1


def test_lines_and_points_are_copied_too(tmp_path):
    made = Scene()
    rng = np.random.default_rng(0)
    positions = rng.uniform(-1, 1, (60, 3))
    rows = np.arange(60)
    mesh = made.meshes.add(
        MeshData(positions, np.empty((0, 3), int), None, np.zeros(60, int), lines=rows.reshape(-1, 2), points=rows)
    )
    for number in range(6):
        made.add_node(f"{number}", mesh=mesh, translation=rng.uniform(-5, 5, 3))
    folder = tiled(made, tmp_path)
    tileset = assert_sound(folder, 2**15)
    assert len(document_of(folder / "content" / "0_0_0_0.glb")["nodes"]) == 1
    assert_same_elements(elements_of_leaves(folder, tileset), elements_of_scene(load(tmp_path / "scene.glb")))
