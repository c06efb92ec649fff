"""A tileset is a file that can be opened, and stands for its folder."""

from octoscope.scene.formats.endings import MODEL_ENDINGS
from octoscope.scene.loading.folders import files_in
from octoscope.viewer.document.file_names import OPENED
from octoscope.viewer.document.path_input import list_folder


def test_a_folder_of_tiles_is_its_tileset(tmp_path):
    for name in ("tileset.json", "a.obj", "b.glb"):
        (tmp_path / name).touch()
    assert files_in(tmp_path) == [tmp_path / "tileset.json"]


def test_a_tileset_is_listed_among_what_can_be_opened_and_imported(tmp_path):
    for name in ("tileset.json", "other.json", "a.obj", "b.octo.json"):
        (tmp_path / name).touch()
    assert [row.name for row in list_folder(tmp_path, OPENED)] == ["a.obj", "b.octo.json", "tileset.json"]
    assert [row.name for row in list_folder(tmp_path, MODEL_ENDINGS)] == ["a.obj", "tileset.json"]
