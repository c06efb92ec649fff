"""The inspector's section about the octree cell of an object."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from octoscope.viewer.features.octree_view import panel
from octoscope.viewer.features.octree_view.decoration import OctreeCells
from tests.viewer.scenes import crowd


@pytest.fixture
def facts_of(monkeypatch):
    """Select a node; return the texts that the section shows, by their labels."""
    said = {}
    monkeypatch.setattr(panel, "fact", lambda theme, label, text, hint: said.update({label: text}))

    def select(app, node):
        app.editor.select([node])
        app.settle()
        said.clear()
        app.frame()
        return said

    return select


@pytest.mark.parametrize("seed", range(3))
def test_the_cell_is_the_octree_s_and_counts_what_is_stored_in_it(open_app, facts_of, seed):
    scene = crowd(300, seed=seed)
    app = open_app(scene)
    index = app.view.index
    tree = app.view.decoration(OctreeCells).tree
    cells = {node: tree.cell_of(node) for node in index.all_ids().tolist()}
    for node in np.random.default_rng(seed).choice(index.all_ids(), 4).tolist():
        facts = facts_of(app, node)
        held = cells[node]
        same = sum(other.code == held.code for other in cells.values()) - 1
        assert facts["shared with"].split()[0] == (str(same) if same else "none")
        center, radius = scene.world_spheres[node, :3], scene.world_spheres[node, 3]
        lower, upper = held.bounds
        if held.level:
            assert (center >= lower - radius).all() and (center <= upper + radius).all()
        assert facts["level"].split(",")[0] == str(held.level)


def test_the_selection_s_cell_is_drawn_with_its_parents_and_framed(open_app, facts_of):
    scene = crowd(300, seed=4)
    app = open_app(scene)
    node = int(app.view.index.all_ids()[7])
    facts_of(app, node)
    held = app.view.decoration(OctreeCells).selected
    app.table.run(app.table["octree.selected_cell"])
    drawn = app.view.build_frames((64, 48))[0].frame
    center = held.lower + held.edge / 2.0 - drawn.camera.position
    rows = drawn.helpers.cells
    np.testing.assert_allclose(rows[0, :4], (*center, held.edge / 2.0), rtol=1e-6)
    root_lower, root_upper = app.view.decoration(OctreeCells).tree.root
    middle = (root_lower + root_upper) / 2.0 - drawn.camera.position
    np.testing.assert_allclose(rows[-1, :4], (*middle, (root_upper - root_lower)[0] / 2.0), rtol=1e-5)
    assert len(rows) == held.level + 1 > 2
    assert (np.abs(rows[:-1, :3] - rows[1:, :3]).max(axis=1) <= 1.001 * rows[:-1, 3]).all(), "each holds the one before"
    assert (np.diff(rows[:, 7]) <= 0.0).all() and rows[-1, 7] < rows[0, 7], "parents fade"
    app.table.run(app.table["octree.frame_cell"])
    assert np.abs(app.view.camera.pivot - (held.lower + held.edge / 2.0)).max() < 0.2 * held.edge
    every = len(app.view.decoration(OctreeCells).tree.cells().levels)
    cells = app.view.decoration(OctreeCells)
    cells.display = replace(cells.display, coloring="cull")
    assert cells.drawn.coloring == "level", "which the legend explains"
    app.table.run(app.table["octree.whole_tree"])
    assert cells.drawn.coloring == "cull"
    assert len(app.view.build_frames((64, 48))[0].frame.helpers.cells) == every > len(rows)
    app.table.run(app.table["octree.selected_cell"])
    assert len(app.view.build_frames((64, 48))[0].frame.helpers.cells) == len(rows)
    app.editor.select([])
    assert len(app.view.build_frames((64, 48))[0].frame.helpers.cells) == every, "nothing is selected: all cells"
    app.table.run(app.table["octree.selected_cell"])
    assert len(app.view.build_frames((64, 48))[0].frame.helpers.cells) == 0
    assert not app.table["octree.frame_cell"].enabled()
