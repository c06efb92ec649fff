"""Files that were read are prepared beside a scene that goes on, and then join it."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene import ReadError, Scene, load, save_project
from octoscope.scene.formats.readers import read_file
from octoscope.scene.loading.file_import import FileImport, add_file
from octoscope.scene.mesh.data import MeshBatch
from octoscope.scene.project.opening import open_project
from octoscope.scene.spatial.index_settings import IndexSettings
from tests.scene.builders import ball, box, quad
from tests.scene.spatial.sphere_rays import shown_on_ray


def facts(scene: Scene) -> dict[str, object]:
    """All that a scene holds, to be compared."""
    columns = {name: getattr(scene, name).tolist() for name in ("names", "parents", "mesh_ids", "material_overrides")}
    pools = {
        name: {column: table[column].tolist() for column in table.names} for name, table in scene.meshes._tables.items()
    }
    scene.update_world()
    return (
        columns
        | pools
        | {
            "world": scene.world_from_local.tolist(),
            "materials": scene.materials,
            "sources": scene.sources,
            "report": (scene.report.opened, scene.report.vertex_count, len(scene.report.problems)),
            "indexed": np.sort(scene.index.all_ids()).tolist(),
        }
    )


def scene_with_a_box() -> Scene:
    scene = Scene()
    scene.add_node("box", mesh=scene.meshes.add(box()))
    return scene


@pytest.mark.parametrize("prepares", [True, False])  # a small file joins at once
@pytest.mark.parametrize("make", [Scene, scene_with_a_box])
def test_what_was_prepared_joins_as_what_was_not(file, make, prepares):
    expected, scene = make(), make()
    add_file(expected, file, read_file(file))
    joining = FileImport(scene, file, read_file(file))
    before = facts(make())
    if prepares:
        joining.prepare()
    assert facts(scene) == before, "nothing has joined yet"
    joining.join()
    assert facts(scene) == facts(expected)


@pytest.mark.parametrize("make", [Scene, scene_with_a_box])
def test_what_was_added_meanwhile_stays_whole(file, make):
    expected, scene = make(), make()
    joining = FileImport(scene, file, read_file(file))
    for each in (expected, scene):
        each.add_material(each.materials[0])
        each.add_node("ball", mesh=each.meshes.add(ball()))
    joining.prepare()
    scene.add_node("quad", mesh=scene.meshes.add(quad()))
    expected.add_node("quad", mesh=expected.meshes.add(quad()))
    joining.join()
    add_file(expected, file, read_file(file))
    assert facts(scene) == facts(expected)


def test_an_empty_scene_gets_the_octree_ready_made_and_with_what_was_chosen_for_its_own(file):
    scene = Scene()
    scene.index.settings = IndexSettings(3, 50.0)
    joining = FileImport(scene, file, read_file(file))
    joining.prepare()
    joining.join()
    assert not scene.is_stale, "nothing is left to compute"
    assert scene.index.stats().split_level == 3 and len(scene.index) == 2
    scene["first"].translation = (100.0, 0.0, 0.0)
    assert scene.bounds(scene.index.all_ids())[1][0] == 101.0
    ids, _ = shown_on_ray(scene.index, (100.5, 0.5, 10.0), (0.0, 0.0, -1.0))
    assert ids.tolist() == [scene["first"].id]


def test_a_project_joins_an_empty_scene_and_no_other(file, tmp_path):
    project = tmp_path / "a.octo.json"
    save_project(load(file), project)
    for scene, joins in ((Scene(), True), (scene_with_a_box(), False)):
        joining = FileImport(scene, project, open_project(project))
        if joins:
            joining.prepare()
        joining.join()
        assert (len(scene.index) == 2) == joins and bool(scene.report.errors) != joins


def test_what_could_not_be_read_is_reported(file):
    scene = Scene()
    joining = FileImport(scene, file, ReadError(None, "gone"))
    assert not joining.is_large
    joining.join()
    assert scene.report.errors == ["gone"]


def test_a_fault_in_the_meshes_is_told_and_leaves_the_pool_as_it_was():
    scene = scene_with_a_box()
    bad = MeshBatch.of([quad()], ["bad"])
    bad.positions[0] = np.nan
    with pytest.raises(ValueError, match="finite"):
        scene.meshes.extend(bad)
    assert len(scene.meshes) == 1
    good = scene.meshes.add(quad())
    np.testing.assert_array_equal(scene.meshes.mesh(good).positions, quad().positions)
