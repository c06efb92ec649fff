"""Which nodes are shown while some are isolated."""

from __future__ import annotations

import numpy as np

from tests.viewer.scenes import SIZE, add_box_mesh, box_scene, view_of


def test_isolated_nodes_and_those_made_since_are_shown_and_others_once_they_are_isolated() -> None:
    scene = box_scene()
    view = view_of(scene)
    view.visibility.isolated_ids = np.array([0], dtype=np.int32)
    view.build_frames(SIZE)
    assert view.visibility.shown_ids().tolist() == [0]
    scene.add_node("new", mesh=add_box_mesh(scene))
    view.build_frames(SIZE)
    assert view.visibility.shown_ids().tolist() == [0, 3]
    view.visibility.isolated_ids = np.array([1, 2], dtype=np.int32)
    view.build_frames(SIZE)
    assert view.visibility.shown_ids().tolist() == [1, 2]
    view.visibility.isolated_ids = None
    assert view.visibility.shown_ids().tolist() == [0, 1, 2, 3]


def test_a_frame_does_not_find_the_isolated_nodes_again() -> None:
    view = view_of(box_scene())
    view.visibility.isolated_ids = np.array([0], dtype=np.int32)
    view.build_frames(SIZE)
    found = view.visibility.isolated
    view.build_frames(SIZE)
    assert view.visibility.isolated is found
