"""The second set of texture coordinates goes wherever the first goes: edits, files, journals, tiles."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from octoscope.scene import History, Material, MeshData, Recorder, Scene, apply, load, open_project, save_project
from octoscope.scene.editing import apply_transform, merge, separate, smooth_by_angle
from octoscope.scene.formats.writers import WRITERS
from octoscope.scene.mesh.pool import Meshes
from octoscope.scene.mesh.primitives import cube
from octoscope.scene.tiling.tiling import write_tiles
from tests.scene.builders import ball, quad
from tests.scene.dressed import texture
from tests.scene.editing.walks import random_operation, walking_scene
from tests.scene.formats.gltf.files import CORNERS, Gltf, accessor_of, document_of
from tests.scene.project.journals import killed
from tests.scene.tiling.checks import content_of_tile, tileset_of


def swapped(mesh: MeshData, rng: np.random.Generator) -> MeshData:
    """Return a mesh whose second coordinates are its first ones, exchanged, of numbers that no format rounds."""
    uvs = rng.integers(17, 32, (len(mesh.positions), 2)).astype(np.float32) / 16.0
    return replace(mesh, uvs=uvs, second_uvs=uvs[:, ::-1])


def scene_of(seed: int) -> Scene:
    """Return trees with meshes of two sets, and of none."""
    rng = np.random.default_rng(seed)
    scene = walking_scene(seed, 20)
    image = texture(rng)
    occluded = Material("m", base_color_texture=image, occlusion_texture=image, occlusion_on_second_uvs=True)
    material = scene.add_material(occluded)
    meshes = [scene.meshes.add(swapped(mesh, rng), first_material=material) for mesh in (ball(4, 5), quad(), cube())]
    for node in scene.ids[::2].tolist():
        scene.add_node("two sets", parent=node, mesh=meshes[node % 3], scale=(1.0, -1.0, 1.0))
    scene.update_world()
    return scene


def assert_swapped(uvs: np.ndarray, second_uvs: np.ndarray | None) -> None:
    """Those of `swapped`, whose coordinates are above 1, have both sets, and the others have no second one."""
    has_two = (uvs > 1.0).all(axis=1)
    assert second_uvs is not None and has_two.any()
    np.testing.assert_array_equal(second_uvs, np.where(has_two[:, None], uvs[:, ::-1], 0.0))


def assert_pool_swapped(meshes: Meshes) -> None:
    assert_swapped(meshes.vertices["uv"], meshes.vertices["second_uv"])


@pytest.mark.parametrize("seed", range(4))
def test_every_edit_keeps_both_sets_and_so_do_projects_and_journals(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    save_project(scene_of(seed), tmp_path / "a.octo.json")
    scene = open_project(tmp_path / "a.octo.json")
    assert_pool_swapped(scene.meshes)
    recorder, history = Recorder(scene), History(scene)
    for _ in range(60):
        edit = random_operation(scene, rng)
        if edit is not None:
            apply(scene, edit)
            recorder.record(edit)
    assert_pool_swapped(scene.meshes)
    ids = scene.ids[scene.mesh_ids[scene.ids] >= 0]
    for operation in (smooth_by_angle, apply_transform, separate, merge):
        edit = operation(scene, ids)
        history.do(edit)
        recorder.record(edit)
        assert_pool_swapped(scene.meshes)
    killed(recorder)
    replayed = open_project(tmp_path / "a.octo.json")
    shown = replayed.mesh_ids[replayed.ids]
    both = replayed.meshes.batch(np.unique(shown[shown >= 0]))
    assert_swapped(both.uvs, both.second_uvs)
    assert len(both.uvs) >= 20


@pytest.mark.parametrize("compresses", [False, True])
def test_both_sets_go_through_glb_and_tiles(compresses: bool, tmp_path: Path) -> None:
    scene = scene_of(1)
    WRITERS[".glb"](scene, tmp_path / "a.glb")
    read = load(tmp_path / "a.glb")
    assert_pool_swapped(read.meshes)
    assert [each.occlusion_on_second_uvs for each in read.materials if each.name == "m"] == [True]
    write_tiles([tmp_path / "a.glb"], tmp_path / "tiles", leaf_elements=40, compresses=compresses)
    tiles = [content_of_tile(tmp_path / "tiles", tile)[0] for tile in tileset_of(tmp_path / "tiles").tiles]
    seen = 0
    for geometry in tiles:  # coarse ones, too
        has_two = (geometry.uvs > 1.0).all(axis=1)
        if has_two.any():
            seen += int(has_two.sum())
            assert geometry.second_uvs is not None
            np.testing.assert_allclose(geometry.second_uvs[has_two], geometry.uvs[has_two, ::-1], atol=1e-3)
    assert len(tiles) > 3 and seen > 100


@pytest.mark.parametrize("format_", [".obj", ".ply", ".stl"])
def test_a_format_with_one_set_says_that_the_other_is_lost(format_: str, tmp_path: Path) -> None:
    assert any("second texture coordinates" in note for note in WRITERS[format_](scene_of(2), tmp_path / f"a{format_}"))
    scene = Scene()
    scene.add_node("quad", mesh=scene.meshes.add(quad()))
    scene.update_world()
    assert not any("second" in note for note in WRITERS[format_](scene, tmp_path / f"b{format_}"))


def test_a_scene_without_a_second_set_has_no_column_and_writes_none(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    scene = Scene()
    scene.add_node("one", mesh=scene.meshes.add(replace(swapped(ball(), rng), second_uvs=None)))
    before = scene.meshes.nbytes
    assert "second_uv" not in scene.meshes.vertices.names
    WRITERS[".glb"](scene, tmp_path / "a.glb")
    (primitive,) = document_of(tmp_path / "a.glb")["meshes"][0]["primitives"]
    assert "TEXCOORD_0" in primitive["attributes"] and "TEXCOORD_1" not in primitive["attributes"]
    save_project(scene, tmp_path / "a.octo.json")
    assert "second_uvs" not in (tmp_path / "a.octo.json").read_text()
    frozen = scene.meshes.frozen()
    scene.meshes.add(swapped(quad(), rng))
    assert (
        scene.meshes.nbytes
        > before
        == frozen.nbytes - (8 * len(frozen.vertices)) * ("second_uv" in frozen.vertices.names)
    )
    assert scene.meshes.batch(np.array([0])).second_uvs is None
    assert_pool_swapped_only_last(scene.meshes)


def assert_pool_swapped_only_last(meshes: Meshes) -> None:
    assert not meshes.mesh(0).second_uvs.any()
    assert_swapped(meshes.mesh(1).uvs, meshes.mesh(1).second_uvs)


def test_a_material_that_uses_the_second_set_is_written_with_it_also_for_meshes_without(tmp_path: Path) -> None:
    scene = scene_of(4)
    scene.add_node("plain", mesh=scene.meshes.add(ball()), material=len(scene.materials) - 1)
    scene.update_world()
    WRITERS[".glb"](scene, tmp_path / "a.glb")
    document = document_of(tmp_path / "a.glb")
    number = next(node["mesh"] for node in document["nodes"] if node["name"] == "plain")
    attributes = document["meshes"][number]["primitives"][0]["attributes"]
    np.testing.assert_array_equal(
        np.unique(accessor_of(tmp_path / "a.glb", attributes["TEXCOORD_1"]), axis=0), [(0, 1)]
    )


FAULTS = {
    "too short": lambda gltf: gltf.accessor(np.ones((2, 2), "f4")),
    "three numbers": lambda gltf: gltf.accessor(np.ones((4, 3), "f4")),
    "no accessor": lambda gltf: 77,
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_broken_second_set_is_said_and_left_out(fault: str, tmp_path: Path) -> None:
    gltf = Gltf()
    uvs = gltf.accessor(np.full((4, 2), 0.25, "f4"))
    broken = FAULTS[fault](gltf)
    gltf.node(mesh=gltf.mesh(gltf.primitive(CORNERS, TEXCOORD_0=uvs, TEXCOORD_1=broken)))
    scene = load(gltf.glb(tmp_path / "a.glb"))
    assert any("second uvs that do not fit" in str(line) for line in scene.report.warnings)
    assert "second_uv" not in scene.meshes.vertices.names and scene.meshes.vertices["uv"].any()


def test_numbers_that_are_none_become_zero(tmp_path: Path) -> None:
    gltf = Gltf()
    values = np.array([(np.nan, 0.5), (np.inf, 1.0), (0.5, -np.inf), (0.25, 0.25)], "f4")
    uvs, second = gltf.accessor(np.full((4, 2), 0.25, "f4")), gltf.accessor(values)
    gltf.node(mesh=gltf.mesh(gltf.primitive(CORNERS, TEXCOORD_0=uvs, TEXCOORD_1=second)))
    assert np.isfinite(load(gltf.glb(tmp_path / "a.glb")).meshes.vertices["second_uv"]).all()
