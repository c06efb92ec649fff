"""Random series of operations: undone they leave every bit as it was, done again every bit as it became."""

import numpy as np
import pytest

from octoscope.scene import History, SpatialIndex
from tests.cases import quick
from tests.scene.editing.walks import (
    assert_derived_is_right,
    assert_same_state,
    random_operation,
    state,
    walking_scene,
)


def walk(seed: int, steps: int, *, look_every: int) -> None:
    rng = np.random.default_rng(seed)
    scene = walking_scene(seed)
    index = SpatialIndex(scene)
    history = History(scene)
    first = state(scene)
    while history.position + history.forgotten < steps:
        dice = rng.random()
        if dice < 0.15:
            history.undo()
        elif dice < 0.25:
            history.redo()
        else:
            before = state(scene)
            edit = random_operation(scene, rng)
            assert_same_state(state(scene), before)
            if edit is not None:
                history.do(edit)
                if edit.changes:
                    after = state(scene)
                    history.undo()
                    assert_same_state(state(scene), before)
                    history.redo()
                    assert_same_state(state(scene), after)
        if rng.random() < 1.0 / look_every:
            assert_derived_is_right(scene, index)
    history.go_to(len(history.entries))
    last = state(scene)
    assert_derived_is_right(scene, index)
    history.go_to(0)
    assert_same_state(state(scene), first)
    assert_derived_is_right(scene, index)
    history.go_to(len(history.entries))
    assert_same_state(state(scene), last)
    assert_derived_is_right(scene, index)
    for _ in range(20):
        history.go_to(int(rng.integers(len(history.entries) + 1)))
        assert_derived_is_right(scene, index)
    history.go_to(0)
    assert_same_state(state(scene), first)


@pytest.mark.parametrize("seed", quick(range(3), 2))
def test_a_hundred_random_operations_are_undone_and_done_again_to_the_bit(seed):
    walk(seed, 100, look_every=5)


@pytest.mark.slow
def test_ten_thousand_random_operations_are_undone_and_done_again_to_the_bit():
    walk(100, 10_000, look_every=100)
