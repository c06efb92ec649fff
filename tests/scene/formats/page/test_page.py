"""The page itself: one file that asks no network for anything, and says what it does not show."""

from __future__ import annotations

import re
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

import octoscope
from octoscope.scene import Bookmark, Scene, WriteError
from octoscope.scene.annotations.labels import Label
from octoscope.scene.annotations.measurement import Anchor, Measurement
from octoscope.scene.formats.page.writer import page_of, write_page
from octoscope.scene.measuring.measurements import world_points
from octoscope.scene.mesh.primitives import PRIMITIVES
from tests.scene.formats.page.pages import head_of

ROOT = Path(__file__).parents[4]
FOLDER = ROOT / "scene" / "formats" / "page"
PACKAGES = ROOT / ".node" / "page" / "node_modules"


def boxes(count: int = 9) -> Scene:
    scene = Scene()
    mesh = scene.meshes.add(PRIMITIVES["cube"]())
    rng = np.random.default_rng(1)
    scene.add_nodes([f"box {i}" for i in range(count)], mesh=mesh, translation=rng.uniform(-9, 9, (count, 3)))
    scene.update_world()
    return scene


def test_save_and_write_page_write_the_same(tmp_path):
    scene = boxes()
    notes = octoscope.save(scene, tmp_path / "a.html")
    assert notes == write_page(scene, tmp_path / "b.html") == ["ambient occlusion is left out"]
    first, second = ((tmp_path / name).read_text(encoding="utf-8") for name in ("a.html", "b.html"))
    assert head_of(first)["beside"] | {"title": "b"} == head_of(second)["beside"]


def test_it_asks_no_network_for_anything():
    page, _ = page_of(boxes(), "page")
    assert "default-src 'none'" in page and 'connect-src data: blob:"' in page
    assert set(re.findall(r"https?://[\w.]+", page)) <= {"http://www.w3.org"}  # names of XML
    assert not re.search(r"<(link|script|img)[^>]* (src|href)=", page)


def test_a_title_is_text_whatever_it_says():
    page, _ = page_of(boxes(), "</title><script>{{script}}")
    assert "<title>&lt;/title&gt;&lt;script&gt;{{script}}</title>" in page
    assert page.count("<script") == page.count("</script>") == 2


def test_three_js_and_its_licence_are_in_it_in_the_version_that_the_makefile_names():
    page, _ = page_of(boxes(), "page")
    (three,) = re.findall(r"three@([\d.]+) esbuild", (ROOT / "Makefile").read_text())
    assert f"of three@{three}, esbuild@" in page
    assert f'"{three.split(".")[1]}"' in page  # as three.js itself says
    assert "Permission is hereby granted, free of charge" in page and "three.js authors" in page


def test_the_bundle_is_of_the_modules_that_lie_beside_it():
    digest = sha256()
    for path in sorted((FOLDER / "source").glob("*.js")):
        digest.update(path.read_bytes())
    head = (FOLDER / "page.js").read_text(encoding="utf-8").partition("\n")[0]
    assert head.endswith(digest.hexdigest()[:16]), "make page"


@pytest.mark.skipif(not PACKAGES.is_dir() or shutil.which("node") is None, reason="make page")
def test_the_bundle_can_be_made_again(tmp_path):
    command = ["node", str(FOLDER / "source" / "build.mjs"), str(PACKAGES), str(tmp_path)]
    subprocess.run(command, check=True, timeout=120)
    for name in ("page.js", "three_licence.txt"):
        assert (tmp_path / name).read_bytes() == (FOLDER / name).read_bytes(), "make page"


def test_what_is_beside_the_objects_is_in_it():
    scene = boxes()
    scene.bookmarks = {"gate": Bookmark((1.0, 2.0, 3.0), distance=4.0)}
    first, last = scene[0].id, scene[8].id
    scene.measurements = [Measurement("distance", (Anchor(first, (0, 0, 0)), Anchor(last, (0, 0, 0))), "gap")]
    text = "**gate** [plan](https://example.org) [x](javascript:alert(1))"
    scene.labels = [Label(text, Anchor(first, (0, 0, 1))), Label("unseen", Anchor(last, (0, 0, 0)), is_shown=False)]
    scene[3].hidden = True
    scene[4].unselectable = True
    page, notes = page_of(scene, "page")
    beside = head_of(page)["beside"]
    assert not any("bookmark" in note or "measurement" in note or "hidden" in note for note in notes)
    assert beside["bookmarks"][0] | {"name": "gate"} == beside["bookmarks"][0]
    assert beside["bookmarks"][0]["position"] == [1.0, 2.0, 3.0] and beside["bookmarks"][0]["distance"] == 4.0
    length = float(np.linalg.norm(scene.translations[first] - scene.translations[last]))
    shown = beside["measurements"][0]
    assert shown["name"] == "gap" and shown["text"] == f"gap: {shown['figure']}", "once in the list, and in the picture"
    assert float(shown["figure"]) == pytest.approx(length, rel=1e-4)
    (label,) = beside["labels"]
    parts = [["gate", True, ""], [" ", False, ""], ["plan", False, "https://example.org"]]
    assert label["spans"] == [*parts, [" [x](javascript:alert(1))", False, ""]]
    np.testing.assert_allclose(label["point"], world_points(scene, scene.labels[0].anchors)[0])
    names = [node["name"] for node in head_of(page)["gltf"]["nodes"]]
    assert [names[i] for i in beside["hidden"]] == ["box 3"] and [names[i] for i in beside["locked"]] == ["box 4"]


@pytest.mark.parametrize("count", [1, 400])
def test_the_cells_are_those_of_the_octree(count):
    scene = boxes(count)
    octree = head_of(page_of(scene, "page")[0])["beside"]["octree"]
    cells = scene.index.frozen(completely=True).cells()
    rows = np.array(octree["cells"])
    edges = 2.0 * octree["half"] / 2.0 ** rows[:, 0]
    centers = np.array(octree["center"]) - octree["half"] + (rows[:, 1:4] + 0.5) * edges[:, None]
    order = np.argsort(cells.levels, kind="stable")
    np.testing.assert_array_equal(rows[:, 0], cells.levels[order])
    np.testing.assert_array_equal(rows[:, 4], cells.counts[order])
    np.testing.assert_allclose(centers, cells.centers[order], atol=1e-9)
    assert rows[:, 4].sum() == count


def test_what_it_does_not_show_is_said(monkeypatch):
    scene = boxes()
    scene.set_scalars(scene[0], np.arange(24.0))
    _, notes = page_of(scene, "page")
    assert "1 colour bar is left out" in notes
    with pytest.warns(UserWarning, match="the page of the scene: 1 colour bar is left out") as warned:
        scene.to_html()
    assert [str(each.message).split(": ")[1] for each in warned] == notes and warned[0].filename == __file__
    monkeypatch.setattr("octoscope.scene.formats.page.writer._MANY", 8)
    monkeypatch.setattr("octoscope.scene.formats.page.contents._MOST_CELLS", 1)
    _, notes = page_of(scene, "page")
    assert any("9 objects are many" in note for note in notes) and any("largest 1 are shown" in note for note in notes)
    with pytest.raises(WriteError, match="nothing to write"):
        page_of(Scene(), "page")


def test_a_scene_with_z_up_says_so():
    scene = boxes()
    scene.up_axis = "z"
    assert head_of(page_of(scene, "page")[0])["beside"]["up"] == "z"
