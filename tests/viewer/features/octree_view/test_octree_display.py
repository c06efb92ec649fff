"""Nodes of the octree in a picture: which are drawn, how large, and in which colours."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from octoscope.octree.frustum import INSIDE, INTERSECTING, OUTSIDE
from octoscope.scene.spatial.index_settings import IndexSettings
from octoscope.viewer.features.octree_view.decoration import OctreeCells
from octoscope.viewer.features.octree_view.display import (
    VERDICT_COLORS,
    OctreeDisplay,
    count_colors,
    cull_verdicts,
    level_colors,
)
from octoscope.viewer.frame.redraw import Damage
from octoscope.viewer.frame.view import View
from octoscope.viewer.frame.viewports import TRANSITION_SECONDS
from tests.viewer.frame.test_redraw import drawn
from tests.viewer.scenes import box_scene, crowd, view_of

SIZE = (96, 64)


def town(**display: object) -> View:
    view = view_of(crowd(300, seed=4), distance=40.0)
    view.index.settings = IndexSettings(split_level=4, capacity=3)  # which gives nodes of several levels
    view.decoration(OctreeCells).is_shown = True
    view.decoration(OctreeCells).display = replace(OctreeDisplay(), **display)
    return view


def test_levels_choose_the_nodes():
    view = town()
    cells = view.decoration(OctreeCells).tree.cells()
    assert len(view.build_frames(SIZE)[0].frame.helpers.cells) == len(cells.levels) > 10
    levels = np.unique(cells.levels)
    assert len(levels) > 1
    view.decoration(OctreeCells).display = replace(
        view.decoration(OctreeCells).display, lowest_level=0, highest_level=int(levels[-2])
    )
    expected = np.count_nonzero(cells.levels < levels[-1])
    assert 0 < len(view.build_frames(SIZE)[0].frame.helpers.cells) == expected < len(cells.levels)


def test_loose_bounds_are_as_much_larger_as_the_tree_is_loose():
    view = town()
    tight = view.build_frames(SIZE)[0].frame.helpers.cells
    view.decoration(OctreeCells).display = replace(view.decoration(OctreeCells).display, loose=True)
    np.testing.assert_array_equal(view.build_frames(SIZE)[0].frame.helpers.cells[:, 3], 2.0 * tight[:, 3])
    view.index.settings = IndexSettings(placement="cell")
    cells = view.decoration(OctreeCells).tree.cells()
    np.testing.assert_allclose(view.build_frames(SIZE)[0].frame.helpers.cells[:, 3], cells.half_sizes, rtol=1e-6)


def test_every_object_lies_within_the_loose_bounds_of_some_node_or_in_the_root():
    view = town(loose=True)
    rows = view.build_frames(SIZE)[0].frame.helpers.cells.astype(float)
    spheres = view.scene.world_spheres[view.index.all_ids()]
    centers = rows[:, :3] + view.camera.position
    reach = np.abs(spheres[:, None, :3] - centers).max(axis=2) + spheres[:, None, 3]
    assert (reach <= rows[:, 3] * (1.0 + 1e-5)).any(axis=1).mean() > 0.95


def test_empty_nodes_are_those_with_nothing_in_or_below_them():
    view = town(empty=True)
    cells = view.decoration(OctreeCells).tree.cells(empty=True)
    empty = cells.counts == 0
    assert empty.any() and len(view.build_frames(SIZE)[0].frame.helpers.cells) == len(cells.levels)
    assert len(view.decoration(OctreeCells).tree.cells().levels) == np.count_nonzero(~empty)
    stored = cells.centers[~empty]
    for center, half_size in zip(cells.centers[empty], cells.half_sizes[empty], strict=True):
        assert not (np.abs(stored - center) < half_size * (1.0 - 1e-6)).all(axis=1).any()


def test_what_the_last_cull_said_agrees_with_what_it_found():
    view = town(coloring="cull")
    view.camera = replace(view.camera, distance=25.0)
    frame = view.build_frames(SIZE)[0].frame
    cells, frustum = view.decoration(OctreeCells).tree.cells(), view.snapshot.frustum
    assert frustum is not None
    verdicts = cull_verdicts(cells.centers, 2.0 * cells.half_sizes, cells.levels, frustum)
    assert set(verdicts.tolist()) == {OUTSIDE, INTERSECTING, INSIDE}
    colors = np.array([VERDICT_COLORS[verdict] for verdict in verdicts], dtype=np.float32)
    np.testing.assert_array_equal(frame.helpers.cells[:, 4:7], colors)
    found = set(view.index.cull(frustum).tolist())
    verdict_of = {
        (level, *np.round(center, 6)): verdict
        for level, center, verdict in zip(cells.levels.tolist(), cells.centers, verdicts.tolist(), strict=True)
    }
    for node in view.index.all_ids().tolist():
        cell = view.decoration(OctreeCells).tree.cell_of(node)
        verdict = verdict_of[cell.level, *np.round(cell.lower + cell.edge / 2.0, 6)]
        assert verdict == INTERSECTING or (node in found) == (verdict == INSIDE)


def test_without_culling_everything_is_inside():
    view = town(coloring="cull")
    view.settings.culling = False
    cells = view.build_frames(SIZE)[0].frame.helpers.cells
    assert (cells[1:, 4:7] == np.float32(VERDICT_COLORS[INSIDE])).all()


def test_counts_and_levels_have_different_colours():
    colors = count_colors(np.array([0, 1, 3, 10]))
    assert len(np.unique(colors.round(3), axis=0)) == 4 and (np.diff(colors[1:, 0]) > 0.0).all()
    assert len(np.unique(level_colors(np.arange(8)).round(3), axis=0)) == 8
    assert count_colors(np.empty(0, dtype=int)).shape == (0, 3)


@pytest.mark.parametrize("attribute", ["is_shown", "shows_whole"])
def test_another_picture_is_drawn_when_nodes_are_switched_on(attribute):
    view = drawn(View(box_scene()))
    cells = view.decoration(OctreeCells)
    setattr(cells, attribute, not getattr(cells, attribute))
    assert view.redraw.damage == Damage.SCENE


def test_another_selection_is_another_picture_where_its_cell_is_shown():
    view = View(box_scene())
    cells = view.decoration(OctreeCells)
    cells.is_shown, cells.shows_whole = True, False
    drawn(view).selection.ids = [0]
    assert view.redraw.damage == Damage.SCENE


def test_octree_cells_stand_still_while_the_camera_is_on_its_way():
    seconds = [0.0]
    view = View(box_scene())
    view.framing.frame_nodes(None)
    view.build_frames(SIZE)
    view.layout.eases, view.redraw.clock = True, lambda: seconds[0]
    view.decoration(OctreeCells).is_shown = True
    view.camera = replace(view.camera, pivot=np.add(view.camera.pivot, (5.0, 3.0, 1.0)))
    view.layout.ease_cameras()
    seconds[0] += TRANSITION_SECONDS / 3.0
    frame = view.build_frames(SIZE)[0].frame
    assert not np.allclose(frame.camera.position, view.camera.position), "it is on its way"
    cells = view.decoration(OctreeCells).tree.cells()
    assert np.allclose(frame.helpers.cells[:, :3] + frame.camera.position, cells.centers, atol=1e-4)
    assert np.allclose(frame.helpers.cells[:, 3], cells.half_sizes)
