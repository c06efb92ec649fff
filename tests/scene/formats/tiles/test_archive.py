"""Archives of tilesets: whatever lies in a folder is the same in a .3tz of it."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from octoscope.scene import ReadError, load
from octoscope.scene.streaming.opening import open_tileset
from tests.scene.formats.tiles.test_any_tileset import (
    CORNERS,
    assert_shows,
    glb,
    in_order,
    in_scene,
    shown_in_both,
    tile,
    tileset,
)


def packed(archive: Path, folder: Path, method: int = zipfile.ZIP_DEFLATED) -> Path:
    """Pack a folder as other programs do: with an index as the last member."""
    archive.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(archive, "w", method) as file:
        for each in sorted(folder.rglob("*")):
            file.write(each, each.relative_to(folder).as_posix())
        file.writestr("@3dtilesIndex1@", b"\0" * 24)
    return archive


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("name", ["city.3tz", "CITY.3TZ"])
def test_an_archive_shows_what_its_folder_shows(tmp_path, method, name, monkeypatch):
    glb(tmp_path / "in" / "a.glb")
    glb(tmp_path / "in" / "deep" / "b.glb", CORNERS + 5.0)
    tileset(tmp_path / "in" / "deep" / "other.json", tile(content={"uri": "b.glb"}))
    children = [tile(content={"uri": uri}) for uri in ("a.glb", "deep/other.json")]
    tileset(tmp_path / "in" / "tileset.json", tile(error=9, children=children))
    archive = packed(tmp_path / name, tmp_path / "in", method)
    assert_shows(archive, in_scene(), in_scene(corners=CORNERS + 5.0))
    assert name in load(archive).names.tolist()
    monkeypatch.chdir(tmp_path)
    assert_shows(Path(name), in_scene(), in_scene(corners=CORNERS + 5.0))


def test_archives_are_contents_of_tilesets(tmp_path):
    glb(tmp_path / "in" / "a.glb")
    tileset(tmp_path / "in" / "tileset.json", tile(content={"uri": "a.glb"}))
    packed(tmp_path / "out" / "inner.3tz", tmp_path / "in")
    assert_shows(tileset(tmp_path / "out" / "tileset.json", tile(content={"uri": "inner.3tz"})), in_scene())


def test_archives_name_others_beside_them(tmp_path):
    for name, root in (("a", tile(content={"uri": "a.glb"})), ("b", tile(content={"uri": "../deep/a.3tz"}))):
        glb(tmp_path / name / "a.glb")
        tileset(tmp_path / name / "tileset.json", root)
    packed(tmp_path / "out" / "deep" / "a.3tz", tmp_path / "a")
    alone = packed(tmp_path / "out" / "other" / "b.3tz", tmp_path / "b")
    assert_shows(tileset(tmp_path / "out" / "tileset.json", tile(content={"uri": "other/b.3tz"})), in_scene())
    with pytest.raises(ReadError, match=r"^[^\n]*'../deep/a.3tz' is outside its folder[^\n]*$"):
        load(alone)


def test_names_in_archives_may_have_other_separators(tmp_path):
    glb(tmp_path / "a.glb")
    file = tileset(tmp_path / "tileset.json", tile(content={"uri": "deep/a.glb"}))
    with zipfile.ZipFile(tmp_path / "a.3tz", "w") as archive:
        archive.write(file, "./tileset.json")
        archive.write(tmp_path / "a.glb", "deep\\a.glb")
    assert_shows(tmp_path / "a.3tz", in_scene())


def test_damaged_archives_are_told_in_a_line_for_each_file(tmp_path):
    glb(tmp_path / "in" / "a.glb")
    children = [tile(content={"uri": uri}) for uri in ("a.glb", "none.glb", "../../etc/passwd")]
    tileset(tmp_path / "in" / "tileset.json", tile(children=children))
    archive = packed(tmp_path / "a.3tz", tmp_path / "in")
    whole, streamed, in_whole, in_streamed = shown_in_both(archive)
    for found in (whole, streamed):
        np.testing.assert_allclose(found, in_order(in_scene()), atol=2e-3)
    assert len(in_whole) == len(in_streamed) == 2 and any("a.3tz/none.glb: not in the archive" in w for w in in_whole)
    content = archive.read_bytes()
    rng = np.random.default_rng(1)
    for number in range(60):
        damaged = bytearray(content)
        for place in rng.integers(0, len(content), 1 + number % 4).tolist():
            damaged[place] = rng.integers(256)
        path = tmp_path / f"{number}.3tz"
        path.write_bytes(bytes(damaged[: rng.integers(len(content))]) if number % 5 == 0 else bytes(damaged))
        for open_it in (load, open_tileset):
            try:
                open_it(path)
            except ReadError as error:
                assert "\n" not in str(error)


def test_members_that_unpack_to_far_more_than_they_take_are_left_out(tmp_path):
    path = tmp_path / "a.3tz"
    glb(tmp_path / "b.glb")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        children = [tile(content={"uri": name}) for name in ("a.glb", "b.glb")]
        file.writestr("tileset.json", json.dumps({"root": tile(children=children)}))
        file.writestr("a.glb", bytes(2**27))
        file.write(tmp_path / "b.glb", "b.glb")
    whole, streamed, in_whole, in_streamed = shown_in_both(path)
    for found, lines in ((whole, in_whole), (streamed, in_streamed)):
        np.testing.assert_allclose(found, in_order(in_scene()), atol=2e-3)
        assert len(lines) == 1 and "made to fill a memory" in lines[0]
