"""A tileset is a file that can be opened, and stands for its folder."""

import numpy as np

from octoscope.scene import Scene, load
from octoscope.scene.formats.endings import MODEL_ENDINGS
from octoscope.scene.loading.folders import files_in, unread_in
from octoscope.scene.loading.save import save
from octoscope.viewer.document.file_names import OPENED, list_folder


def test_a_folder_of_tiles_is_its_tileset(tmp_path):
    for name in ("tileset.json", "a.obj", "b.glb"):
        (tmp_path / name).touch()
    assert files_in(tmp_path) == [tmp_path / "tileset.json"]


def test_models_beside_a_tileset_are_said_not_to_be_read(tmp_path, run):
    save(one_triangle(), tmp_path / "a.obj")
    assert run("tiles", tmp_path / "a.obj", "-o", tmp_path / "made")[0] == 0
    (tmp_path / "made" / "tile.glb").touch()  # may be one of the tiles
    assert unread_in(tmp_path / "made") is None and load(tmp_path / "made").report.problems == []
    for name, told in (("b.obj", "'b.obj' not read"), ("c.PLY", "2 other models not read")):
        (tmp_path / "made" / name).touch()
        line = f"{tmp_path / 'made'}: a folder that is read as its tileset.json: {told}; name what to open"
        assert load(tmp_path / "made").report.warnings == [line]
        assert run("info", tmp_path / "made")[2] == [f"octoscope: {line}"]
    assert unread_in(tmp_path) is None


def one_triangle() -> Scene:
    scene = Scene()
    scene.add_mesh("a", np.eye(3), [[0, 1, 2]])
    return scene


def test_a_tileset_is_listed_among_what_can_be_opened_and_imported(tmp_path):
    for name in ("tileset.json", "other.json", "a.obj", "b.octo.json"):
        (tmp_path / name).touch()
    assert [row.name for row in list_folder(tmp_path, OPENED)] == ["a.obj", "b.octo.json", "tileset.json"]
    assert [row.name for row in list_folder(tmp_path, MODEL_ENDINGS)] == ["a.obj", "tileset.json"]
