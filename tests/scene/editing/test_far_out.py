"""Edits near the end of what a number can say: done, or refused in a line; a warning of numpy's would fail these."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from octoscope.scene import EditError, Scene, apply, change_nodes, editing, inverse
from tests.scene.builders import box
from tests.scene.editing.walks import assert_same_state, state

ALL = [1, 2, 3, 4]


def linear(value: float) -> np.ndarray:
    return np.diag((value, value, value, 1.0))


def shift(value: float) -> np.ndarray:
    matrix = np.eye(4)
    matrix[:3, 3] = value, value, -value
    return matrix


OPERATIONS = {
    "array": lambda scene, far: editing.array(scene, [1, 3], 5, (far, far, -far)),
    "array in sizes": lambda scene, far: editing.array(scene, [1, 3], 5, (far, far, -far), relative=True),
    "array of meshes": lambda scene, far: editing.array(scene, [0, 4], (2, 3), [(far,) * 3] * 2, copy_meshes=True),
    "radial array": lambda scene, far: editing.radial_array(scene, [1, 3], 5, center=(far, -far, far)),
    "transform": lambda scene, far: editing.transform(scene, [1, 3], linear(far), pivot=(far, far, far)),
    "move": lambda scene, far: editing.transform(scene, ALL[1:], shift(far)),
    "drag": lambda scene, far: editing.Transformation(scene, [1, 3]).by(shift(far)),
    "drag each": lambda scene, far: editing.Transformation(scene, [1, 3]).by(np.stack([shift(far)] * 2)),
    "drag a scale": lambda scene, far: editing.Transformation(scene, [1, 3]).by(linear(far), pivot=(far, -far, far)),
    "drag each scale": lambda scene, far: editing.Transformation(scene, [1, 3]).by(linear(far), pivot=[(far,) * 3] * 2),
    "turn": lambda scene, far: editing.set_world(scene, [1, 3, 4], rotation=(far, 0.0, far, far)),
    "place": lambda scene, far: editing.set_world(scene, [1, 3, 4], translation=(far, far, far)),
    "scale": lambda scene, far: editing.set_world(scene, [1, 3, 4], scale=(far, far, far)),
    "align": lambda scene, far: editing.align(scene, ALL, x="centre", y="min"),
    "distribute": lambda scene, far: editing.distribute(scene, ALL, 0),
    "group": lambda scene, far: editing.group(scene, [1, 3, 4], at="centre"),
    "ungroup": lambda scene, far: editing.ungroup(scene, [0]),
    "merge": lambda scene, far: editing.merge(scene, ALL),
    "apply": lambda scene, far: editing.apply_transform(scene, [0, *ALL], translation=True),
    "centre": lambda scene, far: editing.center_pivot(scene, [1, 3, 4]),
    "drop": lambda scene, far: editing.drop(scene, [1, 3, 4]),
    "drop to ground": lambda scene, far: editing.drop_to_ground(scene, [1, 3, 4], height=-far),
    "reparent": lambda scene, far: editing.reparent(scene, [4, 3], 0),
    "move up": lambda scene, far: editing.move_up(scene, [1, 2]),
    "duplicate": lambda scene, far: editing.duplicate(scene, [0, 3, 4], copy_meshes=True),
    "convert": lambda scene, far: editing.convert_unit(scene, "mm"),
    "add": lambda scene, far: editing.add_primitive(scene, "cube", translation=(far, far, far)),
}


def far_scene(scale: float, place: float) -> Scene:
    """A parent of that scale with two boxes, a box that far out, and one of that scale as far on the other side."""
    scene = Scene()
    scene.length_unit, scene.cursor = "m", (place, 0.0, 0.0)
    mesh = scene.meshes.add(box())
    scene.add_nodes(
        ["parent", "a", "b", "c", "d"],
        mesh=[-1, mesh, mesh, mesh, mesh],
        parent=[-1, 0, 0, -1, -1],
        translation=[(0, 0, 0), (1, 2, 3), (4, 5, 6), (place, 0, 0), (-place, 0, 0)],
        rotation=[(0, 0, 0, 1), (0.1, 0.2, 0.3, 0.9), (0, 0, 0, 1), (0.5, 0.5, 0.5, 0.5), (0, 0.3, 0, 0.7)],
        scale=[(scale,) * 3, (1, 1, 1), (1, 1, 1), (1, 1, 1), (scale,) * 3],
    )
    scene.update_world()
    return scene


@pytest.mark.parametrize("scale", (1e200, 1e308))
def test_what_has_overflowed_is_turned_and_scaled_or_refused_in_a_line(scale):
    """A matrix that is not finite has no nearest turn: numpy ends with an error of its own where it looks for one."""
    scene = far_scene(scale, 0.0)
    scene.set_scales([1, 2], (scale,) * 3)
    for values in ({"rotation": (0.0, 0.0, 0.6, 0.8)}, {"scale": (1.0, 2.0, 3.0)}):
        with pytest.raises(EditError, match="out of the range of numbers"):
            editing.set_world(scene, [1, 3], **values)


@pytest.mark.parametrize("name", OPERATIONS)
def test_it_is_done_and_undone_or_refused_in_a_line(name):
    scales, places = (1.0, 1e200, 1e-200, 1e308, 5e-324, 0.0), (0.0, 1e308, 1.7e308)
    for far, scale, place in itertools.product((1e308, -1.7e308, 1e155), scales, places):
        scene = far_scene(scale, place)
        before = state(scene)
        try:
            edit = OPERATIONS[name](scene, far)
        except EditError as error:
            assert "\n" not in str(error)
        else:
            apply(scene, edit)
            scene.update_world()
            assert np.isfinite(scene.translations).all()
            apply(scene, inverse(edit))
        assert_same_state(state(scene), before)
        scene.update_world()
        assert scene.index.broken_ids() is not None


def test_a_place_that_is_no_number_is_refused():
    scene = far_scene(1.0, 0.0)
    with pytest.raises(ValueError, match="finite"):
        apply(scene, change_nodes(scene, [1], translation=(np.inf, 0.0, 0.0)))
