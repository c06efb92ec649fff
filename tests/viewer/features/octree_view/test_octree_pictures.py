"""The guide's page of the octree: its table is written by the script that draws its pictures."""

from __future__ import annotations

import numpy as np

from octoscope.octree import Frustum
from tests.test_docs import DOCS, TEXTS
from tests.viewer.features.octree_view import guide_pictures
from tests.viewer.scenes import box_scene


def test_the_table_of_trees_is_written_into_the_page_and_only_there(tmp_path, monkeypatch):
    page = tmp_path / "octree.md"
    before = TEXTS[DOCS / "octree.md"]
    page.write_text(before, encoding="utf-8")
    monkeypatch.setattr(guide_pictures, "_FOLDER", tmp_path)
    everything = Frustum.from_matrix(np.diag([1e-3, 1e-3, 1e-3, 1.0]))
    rows = guide_pictures._rows("boxes", box_scene(), everything)
    assert len(rows) == 4 and all(row.endswith("| 3 |") for row in rows), "every tree finds all three"
    guide_pictures._write_table(rows)
    after = page.read_text(encoding="utf-8")
    assert "\n".join(rows) in after and "| harbour |" not in after
    head, tail = before.split("| scene |")[0], before.split("| visible |")[1].split("\n\n", 1)[1]
    assert after.startswith(head) and after.endswith(tail)
