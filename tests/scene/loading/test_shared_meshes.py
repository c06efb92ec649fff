"""A file that is added once more shares the meshes and materials that came of it before, if it is the same."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene import Scene, apply, inverse, load, open_project, save_project
from octoscope.scene.editing import import_content
from octoscope.scene.formats.readers import read_file
from octoscope.scene.loading.file_import import FileImport
from octoscope.scene.loading.reload import FileReload


def shown(scene: Scene) -> list[int]:
    return scene.mesh_ids[scene.mesh_ids >= 0].tolist()


def test_copies_share_meshes_materials_and_the_source(file):
    scene = load([file, file, file.with_name("b.obj"), file])
    assert shown(scene) == [0, 1, 0, 1, 2, 3, 0, 1]
    assert scene.sources == (file, file.with_name("b.obj")) and len(scene.report.opened) == 4
    assert len(scene.meshes) == 4 and [material.name for material in scene.materials].count("red") == 2


@pytest.mark.parametrize("change", ["v 1 1 0|v 1 2 0", "f 1 2 3|f 1 3 2", "o first|o other", "usemtl red|", "p 4|p 1"])
def test_a_file_that_has_changed_since_shares_nothing(file, change):
    scene = load(file)
    file.write_text(file.read_text().replace(*change.split("|")))
    scene.add_content(read_file(file), file)
    assert shown(scene) == [0, 1, 2, 3] and len(scene.sources) == 2


def test_large_files_share_too(file):
    scene = load(file)
    joining = FileImport(scene, file, read_file(file))
    joining.prepare()
    joining.join()
    assert shown(scene) == [0, 1, 0, 1]


def test_undo_a_project_and_a_reload_keep_copies_as_they_are(file, tmp_path):
    scene = load(file)
    edit = import_content(scene, read_file(file), file)
    apply(scene, edit)
    scene.set_translations([3], (0.0, 0.0, 7.0))
    apply(scene, inverse(edit))
    assert scene.alive.tolist() == [True] * 3 + [False] * 3
    apply(scene, edit)
    save_project(scene, tmp_path / "scene.octo.json")
    again = open_project(tmp_path / "scene.octo.json")
    assert shown(again) == [0, 1, 0, 1] and again.translations[3].tolist() == [0.0, 0.0, 7.0]
    file.write_text(file.read_text().replace("v 1 1 0", "v 1 9 0"))
    reload = FileReload(again, 0, read_file(file))
    reload.prepare()
    assert reload.join().kept == 4
    assert shown(again) == [0, 1, 0, 1]
    np.testing.assert_array_equal(again.meshes.rows["upper"][0], (1.0, 9.0, 0.0))
