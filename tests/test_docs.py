"""The pages in docs/: everything that they point at is there, and the scripts that made their pictures run."""

import re
from pathlib import Path

import numpy as np
import pytest

from docs import octree_pictures
from octoscope.octree import Frustum
from octoscope.scene.formats.endings import FORMATS
from tests.viewer.scenes import box_scene

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_points_at_what_is_there(page):
    targets = re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8"))
    assert targets
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_the_page_of_formats_names_each_that_is_read():
    text = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    samples, _, features = text.partition("## glTF 2.0")
    assert [name for name in FORMATS.keys() - {"GLB"} if f"| {name}: " not in samples] == []
    assert [name for name in FORMATS.keys() - {"GLB", "glTF"} if not re.search(rf"(?m)^\| {name}\b", features)] == []


def test_no_picture_is_left_that_no_page_shows():
    shown = {target for page in PAGES for target in re.findall(r"\((pictures/[^)]+)\)", page.read_text("utf-8"))}
    assert {f"pictures/{path.name}" for path in (ROOT / "docs" / "pictures").iterdir()} == shown


def test_the_table_of_trees_is_written_into_the_page_and_only_there(tmp_path, monkeypatch):
    page = tmp_path / "octree.md"
    before = (ROOT / "docs" / "octree.md").read_text(encoding="utf-8")
    page.write_text(before, encoding="utf-8")
    monkeypatch.setattr(octree_pictures, "_FOLDER", tmp_path)
    everything = Frustum.from_matrix(np.diag([1e-3, 1e-3, 1e-3, 1.0]))
    rows = octree_pictures._rows("boxes", box_scene(), everything)
    assert len(rows) == 4 and all(row.endswith("| 3 |") for row in rows), "every tree finds all three"
    octree_pictures._write_table(rows)
    after = page.read_text(encoding="utf-8")
    assert "\n".join(rows) in after and "| harbour |" not in after
    head, tail = before.split("| scene |")[0], before.split("| visible |")[1].split("\n\n", 1)[1]
    assert after.startswith(head) and after.endswith(tail)
