"""The list of overlapping pairs: where and how deep, next, ignore, edits meanwhile, and its panel."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene import Scene, editing
from octoscope.scene.nodes.bounds import own_boxes, world_bounds
from octoscope.viewer.features.overlaps.decoration import OverlapMark
from octoscope.viewer.features.overlaps.overlap_list import OverlapList
from octoscope.viewer.features.overlaps.panel import OverlapsPanel
from octoscope.viewer.settings.config import WindowState
from tests.scene.builders import box
from tests.viewer.headless_app import HeadlessApp


@pytest.fixture
def app(open_app) -> HeadlessApp:
    """On boxes of edge 2 in a row, each deeper in the one before; below each in the tree is a small one."""
    scene = Scene()
    mesh = scene.meshes.add(box())
    x = 0.0
    for number in range(4):
        node = scene.add_node(f"box {number}", mesh=mesh, translation=(x, 0.0, 0.0))
        scene.add_node(
            "far", mesh=mesh, parent=node, translation=(0.0, 50.0 + 9.0 * number, 0.0), scale=(0.1, 0.1, 0.1)
        )
        x += 1.9 - 0.3 * number
    app = open_app(scene, state=WindowState(open={OverlapsPanel.id: True}))
    app.view.update()
    app.settle()
    return app


def found(app: HeadlessApp) -> OverlapList:
    run(app, "overlapping")
    app.wait_for_work()
    (panel,) = (each for each in app.shell.panels if isinstance(each, OverlapsPanel))
    app.settle()
    return panel._overlaps


def run(app: HeadlessApp, name: str) -> None:
    app.table.run(app.table[f"select.{name}"])
    app.settle()


def test_each_pair_has_the_box_in_common_and_a_depth(app):
    overlaps = found(app)
    assert overlaps.pairs.tolist() == [[4, 6], [2, 4], [0, 2]], "the deepest first"
    np.testing.assert_allclose(overlaps.depths, [0.7, 0.4, 0.1], atol=1e-9)
    for pair, (lower, upper) in zip(overlaps.pairs, overlaps.common, strict=True):
        boxes = [world_bounds(app.view.scene, pair[[place]]) for place in (0, 1)]
        np.testing.assert_array_equal(own_boxes(app.view.scene, pair), boxes)
        np.testing.assert_allclose(lower, np.max([each[0] for each in boxes], axis=0))
        np.testing.assert_allclose(upper, np.min([each[1] for each in boxes], axis=0))


def test_a_row_tells_where_its_pair_overlaps_and_which_way_is_clear(app):
    found(app)
    (panel,) = (each for each in app.shell.panels if isinstance(each, OverlapsPanel))
    assert panel._about(2).split("\n") == [
        "around 0.950  0.000  0.000 when it was found",
        "the second gets clear along 1.000  0.000  0.000",
    ]
    app.view.scene.set_translations([4], (0.0, 0.0, 0.0))
    app.view.scene.set_scales([4], (0.5, 0.5, 0.5))
    found(app)
    assert panel._texts(0) == ["box 0", "box 2", "1.500, inside"] and panel._about(0).startswith("one lies inside")


def test_commands_go_round_the_pairs_and_look_at_them(app):
    assert not app.table["select.next_overlap"].enabled()
    overlaps = found(app)
    seen = []
    for step in range(4):
        if step:  # the search has shown the first
            run(app, "next_overlap")
        seen.append(app.selected)
        middle = overlaps.common[overlaps.place].mean(axis=0)
        (pixel,) = app.view.layout.projection_of(app.view.active).pixels(middle[None])
        np.testing.assert_allclose(app.view.layout.area().point(pixel), (0.5, 0.5), atol=0.1)
        np.testing.assert_array_equal(app.view.decoration(OverlapMark).box, overlaps.common[overlaps.place])
        assert len(app.view.build_frames((96, 64))[0].frame.annotations.segments) == 12
    assert seen == [[4, 6], [2, 4], [0, 2], [4, 6]]
    run(app, "previous_overlap")
    assert app.selected == [0, 2]


def test_the_pair_that_the_list_selected_is_no_choice_of_where_to_search_again(app):
    for choice, pairs in (([0], [[0, 2]]), ([], [[4, 6], [2, 4], [0, 2]])):
        app.editor.select(choice)
        for _ in range(2):
            assert found(app).pairs.tolist() == pairs and app.selected == pairs[0]


def test_isolation_goes_on_to_the_next_pair_unless_it_shows_that(app):
    found(app)
    visibility = app.view.visibility
    run(app, "isolate")
    for pair in ([2, 4], [0, 2]):
        run(app, "next_overlap")
        assert np.intersect1d(visibility.shown_ids(), [0, 2, 4, 6]).tolist() == pair
    run(app, "isolate")
    app.editor.select([2, 4, 6])
    run(app, "isolate")
    run(app, "next_overlap")
    assert np.intersect1d(visibility.shown_ids(), [0, 2, 4, 6]).tolist() == [2, 4, 6]


def test_what_is_ignored_is_left_out_until_it_is_asked_for_again(app):
    overlaps = found(app)
    run(app, "ignore_overlap")
    assert app.selected == [2, 4] and overlaps.pairs.tolist() == [[2, 4], [0, 2]]
    run(app, "ignore_overlap")
    run(app, "ignore_overlap")
    assert not len(overlaps.pairs) and not app.table["select.next_overlap"].enabled()
    assert app.view.decoration(OverlapMark).box is None
    overlaps.show_ignored()
    app.settle()
    assert len(overlaps.pairs) == 3
    assert len(found(app).pairs) == 3, "the list made that selection, not a user"


def test_edits_change_depths_and_take_pairs_away(app):
    overlaps = found(app)
    run(app, "previous_overlap")
    app.editor.run(editing.delete, [6])
    matrix = app.view.scene.world_from_local[0].copy()
    matrix[0, 3] -= 5.0
    app.view.scene.set_world_from_local([0], matrix[None])
    app.settle()
    assert overlaps.pairs.tolist() == [[2, 4], [0, 2]]
    np.testing.assert_allclose(overlaps.depths, [0.4, 0.0], atol=1e-9)
    assert app.view.decoration(OverlapMark).box is None, "they lie apart now"
    app.table.run(app.table["edit.undo"])
    app.settle()
    assert len(overlaps.pairs) == 3


def test_pairs_of_one_parent_and_shallow_ones_can_be_left_out(app):
    overlaps = found(app)
    scene = app.view.scene
    top = scene.add_node("top").id
    app.editor.run(editing.reparent, [0, 2], top)
    overlaps.only_different_parents = True
    app.settle()
    assert overlaps.pairs.tolist() == [[2, 4]], "the last two stand at the top of the tree"
    overlaps.only_different_parents = False
    overlaps.least_depth = 0.3
    app.settle()
    assert overlaps.pairs.tolist() == [[4, 6], [2, 4]]
    overlaps.least_depth = 0.0
    app.settle()
    assert len(overlaps.pairs) == 3


def test_the_panel_shows_a_row_for_each_and_a_click_shows_the_pair(app):
    found(app)
    assert app.selected == [4, 6]
    app.click((450, 481 + 43))
    assert app.selected == [2, 4]


def test_a_search_that_finds_nothing_shows_the_panel_which_says_so(open_app):
    app = open_app(Scene())
    panel = next(each for each in app.shell.panels if isinstance(each, OverlapsPanel))
    assert not app.shell.is_open(panel)
    assert len(found(app).pairs) == 0 and app.shell.is_open(panel)
