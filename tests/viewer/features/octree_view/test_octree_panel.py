"""The octree panel under the mouse and from its commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from octoscope.scene.spatial.index_settings import IndexSettings
from octoscope.viewer.editing.jobs import JobKind
from octoscope.viewer.features.octree_view.comparison import TreeComparison
from octoscope.viewer.features.octree_view.decoration import OctreeCells
from octoscope.viewer.features.octree_view.panel import OctreePanel, _is_same
from octoscope.viewer.settings.config import WindowState
from octoscope.viewer.settings.guide import html_of, pages_of_guide
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import crowd

# Places in the panel, which begins at 980.
LOOSENESS, LEVELS = ((1140, 469), (1220, 469)), ((1170, 525), (1240, 525))
SIDE_BY_SIDE = (1147, 665)


@pytest.fixture
def app(ctx) -> Iterator[HeadlessApp]:
    """With the panel in the inspector's place."""
    app = HeadlessApp(ctx, crowd(200, seed=1), state=WindowState(open={OctreePanel.id: True, "inspector": False}))
    yield app
    app.close()


def panel(app: HeadlessApp) -> OctreePanel:
    (found,) = (each for each in app.shell.panels if isinstance(each, OctreePanel))
    return found


def wait(app: HeadlessApp) -> None:
    """Wait for the trees that are made beside the window."""
    app.editor.jobs.wait(JobKind.MEASURE)
    app.settle()


def test_its_commands_stand_where_they_are_looked_for(app):
    ids = [each if isinstance(each, str) else each.id for each in app.table.in_menu("Octree")]
    assert ids[:2] == ["octree.cells", "octree.selected_cell"]
    assert ids[-3:] == ["octree.freeze", "Octree/Slow motion", "Octree/Cell display"]


def test_whether_nodes_are_drawn_is_kept(app):
    app.table.run(app.table["octree.cells"])
    assert app.session.host.preferences.values()["view.octree"] is True


def test_it_draws_with_every_choice(app):
    for coloring in ("level", "count", "cull"):
        app.table.run(app.table[f"octree.color_{coloring}"])
        app.settle()
        assert (
            app.view.decoration(OctreeCells).is_shown and app.view.decoration(OctreeCells).display.coloring == coloring
        )
    for attribute in ("loose", "empty"):
        app.table.run(app.table[f"octree.{attribute}"])
        app.settle()
        assert getattr(app.view.decoration(OctreeCells).display, attribute)
        app.view.build_frames((64, 48))
    app.table.run(app.table["octree.freeze"])
    app.settle()
    assert app.picture().any()


def test_a_right_click_on_a_word_opens_its_section_of_the_guide(app, monkeypatch):
    opened = []
    monkeypatch.setattr(panel(app), "_explain", opened.append)
    app.click(LOOSENESS[0], button=1)
    app.click((1020, 70), button=1)
    assert opened == ["5-loose-bounds"], "above the foldouts there is none"
    sections = re.findall(r'id="([^"]+)"', html_of(pages_of_guide()["octree"]))
    assert {"4-one-cell-for-each-sphere", "in-slow-motion", "5-loose-bounds", "3-divide-beforehand", "6-ask-it"} <= {
        *sections
    }


@pytest.mark.parametrize(("drag", "name"), [(LOOSENESS, "looseness"), (LEVELS, "split_level")])
def test_a_slider_changes_the_tree_when_it_is_let_go(app, drag, name):
    index, usual = app.view.index, IndexSettings()
    with app.mouse_down(*drag):
        app.settle()
        assert index.settings == usual, "not yet"
    wait(app)
    assert getattr(index.settings, name) != getattr(usual, name)
    assert len(index) == 200 and index.stats().spheres == 200


def test_both_trees_are_measured_and_shown_side_by_side(app):
    view = app.view
    view.build_frames((64, 48))
    fields = panel(app)
    app.click(SIDE_BY_SIDE)
    wait(app)
    assert isinstance(view.decoration(OctreeCells).comparison, TreeComparison) and len(view.viewports) == 2
    assert view.decoration(OctreeCells).comparison.settings.placement == "leaves"
    own, other = fields._figures
    assert own.stats.spheres == other.stats.spheres == 200 and own.visible == other.visible
    first, second = view.viewports
    assert first.camera == second.camera
    assert fields._figures_frustum is not None
    view.camera = replace(view.camera, distance=view.camera.distance * 2.0)
    view.build_frames((64, 48))
    assert not _is_same(fields._figures_frustum, view.snapshot.frustum), "the panel says that the view has changed"
    assert view.layout.chosen_count == 1, "the next document is shown as before"
    view.decoration(OctreeCells).comparison, camera = None, view.camera
    view.layout.show_as_before()
    assert len(view.viewports) == 1 and view.camera == camera
