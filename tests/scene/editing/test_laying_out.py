"""Objects that are laid out lie in rows, clear of each other, as high as before; files of a kit are recognised."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octoscope.scene import EditError, Scene, apply, inverse
from octoscope.scene.editing import lay_out
from octoscope.scene.editing.arranging import lie_over_one_another
from octoscope.scene.nodes.bounds import world_boxes
from tests.scene.builders import box

places = st.tuples(*[st.floats(-50.0, 50.0)] * 3)
sizes = st.tuples(*[st.floats(0.1, 5.0)] * 3)


def scene_of(objects, up_axis="y") -> Scene:
    scene = Scene(up_axis=up_axis)
    mesh = scene.meshes.add(box())
    for translation, scale in objects:
        scene.add_node("box", mesh=mesh, translation=translation, scale=scale)
    scene.update_world()
    return scene


@given(st.lists(st.tuples(places, sizes), min_size=2, max_size=12), st.sampled_from(["y", "z"]))
def test_no_two_overlap_and_all_keep_their_heights(objects, up_axis):
    scene = scene_of(objects, up_axis)
    before, up = world_boxes(scene, scene.ids), "xyz".index(up_axis)
    edit = lay_out(scene, scene.ids)
    apply(scene, edit)
    scene.update_world()
    after = world_boxes(scene, scene.ids)
    np.testing.assert_allclose(after[:, :, up], before[:, :, up], atol=1e-9)
    np.testing.assert_allclose(after[:, 1] - after[:, 0], before[:, 1] - before[:, 0], atol=1e-9)
    plane = [axis for axis in range(3) if axis != up]
    for first in range(len(objects)):
        for second in range(first):
            gaps = np.maximum(after[first, 0] - after[second, 1], after[second, 0] - after[first, 1])
            assert gaps[plane].max() > 0.0
    for axis in plane:
        ends = [boxes[:, 0, axis].min() + boxes[:, 1, axis].max() for boxes in (before, after)]
        np.testing.assert_allclose(*ends, atol=1e-6)
    apply(scene, inverse(edit))
    scene.update_world()
    np.testing.assert_array_equal(world_boxes(scene, scene.ids), before)


def test_rows_are_filled_from_the_left_and_follow_towards_the_front():
    scene = scene_of([((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))] * 5)
    apply(scene, lay_out(scene, scene.ids))
    x, z = scene.translations[:, 0], scene.translations[:, 2]
    assert x[0] < x[1] < x[2] and x[3] == x[0] and z[0] == z[1] == z[2] < z[3] == z[4]


def test_the_grid_lies_beside_what_is_there_with_gaps_of_a_share_of_the_largest():
    scene = scene_of([((0.0, 0.0, 0.0), (4.0, 1.0, 1.0)), *[((1.0, 9.0, 0.0), (size,) * 3) for size in (0.1, 2.0)]])
    apply(scene, lay_out(scene, [1, 2]))
    scene.update_world()
    hall, small, large = world_boxes(scene, scene.ids)
    gap = 0.25 * (large[1, 0] - large[0, 0])
    assert small[0, 0] - hall[1, 0] == pytest.approx(gap) == pytest.approx(large[0, 0] - small[1, 0])
    before = scene.translations.copy()
    apply(scene, lay_out(scene, [1, 2]))
    np.testing.assert_allclose(scene.translations, before, atol=1e-9, err_msg="it lies beside them already")


def test_one_object_alone_is_refused():
    scene = scene_of([((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))])
    with pytest.raises(EditError, match="two or more"):
        lay_out(scene, scene.ids)


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        ([(0.0, 0.0, 0.0)] * 3, True),
        ([(0.0, height, 0.2) for height in (0.0, 5.0, 9.0)], True),  # one above the other
        ([(0.0, 0.0, 0.0)] * 7 + [(30.0, 0.0, 0.0)] * 3, True),
        ([(0.0, 0.0, 0.0)] * 5 + [(3.0 * number, 0.0, 0.0) for number in range(1, 6)], False),
        ([(0.0, 0.0, 0.0)] * 2, True),
        ([(0.0, 0.0, 0.0), (0.8, 0.0, 0.0)], False),
        ([(0.0, 0.0, 0.0), (0.0, 2.0, 0.0)], False),  # a lid on a box
        ([(3.0 * number, 0.0, 0.0) for number in range(5)], False),
        ([], False),  # they were deleted while the last file was read
    ],
)
def test_files_of_a_kit_are_told_from_parts_of_a_whole(places, expected):
    scene = scene_of([(place, (1.0, 1.0, 1.0)) for place in places])
    assert lie_over_one_another(scene, scene.ids) is expected
