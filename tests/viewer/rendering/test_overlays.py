"""Pictures of what is drawn over the scene: the selection's outline, octree cells and the frozen frustum."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from octoscope.viewer.features.octree_view.decoration import OctreeCells
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.scenes import SIZE, box_scene, crowd, picture, view_of


def test_the_selection_is_outlined_even_behind_another_box(renderer: Renderer) -> None:
    scene = box_scene()
    scene.add_node("screen", mesh=0, translation=(0.0, 0.0, 3.0), scale=(9.0, 5.0, 0.1))
    scene.update_world()
    view = view_of(scene, yaw_rad=0.0, pitch_rad=0.0, distance=14.0)
    plain = picture(renderer, view).astype(int)
    view.selection.ids = np.array([1], dtype=np.int32)
    outlined = picture(renderer, view).astype(int)
    changed = np.argwhere(np.abs(outlined - plain).sum(axis=2) > 30)
    orange = outlined[tuple(changed.T)]
    assert len(changed) > 40 and (orange[:, 0] > orange[:, 2]).all()
    middle = np.array((SIZE[1] - 1, SIZE[0] - 1)) / 2.0
    assert np.abs(changed.mean(axis=0) - middle).max() < 2.0, "around the green box, in the middle"
    assert not (np.abs(changed - middle).max(axis=1) < 3.0).any(), "its inside is left as it was"


def test_the_outline_of_an_earlier_selection_goes(renderer: Renderer) -> None:
    view = view_of(box_scene(), yaw_rad=0.0, pitch_rad=0.0, distance=9.0)
    pictures = []
    for selected in ([0], [2], [0], []):
        view.selection.ids = np.array(selected, dtype=np.int32)
        pictures.append(picture(renderer, view))
    assert np.array_equal(pictures[0], pictures[2]) and not np.array_equal(pictures[0], pictures[1])
    left = slice(0, SIZE[0] // 3)
    assert np.array_equal(pictures[1][:, left], pictures[3][:, left])


def test_octree_cells_are_drawn_where_they_are(renderer: Renderer) -> None:
    view = view_of(box_scene((50.0, 0.0, 0.0)), pivot=np.array((50.0, 0.0, 0.0)), yaw_rad=0.0, pitch_rad=0.0)
    view.camera = replace(view.camera, distance=30.0, orthographic=True)
    view.settings.show_grid = False
    plain = picture(renderer, view).astype(int)
    view.decoration(OctreeCells).is_shown = True
    changed = (np.abs(picture(renderer, view).astype(int) - plain).sum(axis=2) > 60).any(axis=0)
    cells = view.decoration(OctreeCells).tree.cells()
    left, right = (cells.centers[:, 0] - cells.half_sizes).min(), (cells.centers[:, 0] + cells.half_sizes).max()
    for edge, column in ((left, np.flatnonzero(changed)[0]), (right, np.flatnonzero(changed)[-1])):
        clip = view.camera.clip_from_world(SIZE[0] / SIZE[1]) @ (edge, 0.0, 0.0, 1.0)
        assert abs((clip[0] / clip[3] + 1.0) / 2.0 * SIZE[0] - column) <= 1.5


def test_octree_cells_and_frozen_frustum_are_drawn_as_lines(renderer: Renderer) -> None:
    view = view_of(crowd(200, seed=10), distance=60.0)
    plain = picture(renderer, view)
    view.decoration(OctreeCells).is_shown = True
    cells = picture(renderer, view)
    view.decoration(OctreeCells).is_shown = False
    view.visibility.toggle_freeze(view.snapshot.frustum)
    view.camera = replace(view.camera, yaw_rad=2.0, distance=150.0)
    frozen = picture(renderer, view)
    assert (cells != plain).any(axis=2).mean() > 0.02
    yellow = (frozen[..., 0] > 180) & (frozen[..., 1] > 140) & (frozen[..., 2] < 120)
    assert yellow.sum() > 50


def test_the_sides_of_the_frozen_frustum_are_seen_from_outside_alone(renderer: Renderer) -> None:
    view = view_of(box_scene(), distance=9.0)
    plain = picture(renderer, view).astype(int)
    view.visibility.toggle_freeze(view.snapshot.frustum)
    frozen = picture(renderer, view).astype(int)
    middle = np.s_[SIZE[1] // 4 : -SIZE[1] // 4, SIZE[0] // 4 : -SIZE[0] // 4]
    assert np.array_equal(frozen[middle], plain[middle]), "the eye is inside"
    view.camera = replace(view.camera, yaw_rad=view.camera.yaw_rad + 1.5, distance=30.0)
    outside = picture(renderer, view).astype(int)
    view.visibility.frozen = None
    tinted = (np.abs(outside - picture(renderer, view)).sum(axis=2) > 3).mean()
    assert tinted > 0.05
