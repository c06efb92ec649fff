"""Random series of edits: exactly what hangs below them has changed, and everything is right whenever it is asked."""

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from tests.oracles import random_quaternion
from tests.scene.builders import (
    add_random_nodes,
    assert_world_matrices_are_right,
    below,
    random_scales,
    random_scene,
)

SEEDS = st.integers(0, 2**32 - 1)


class SceneHistory(RuleBasedStateMachine):
    """Edits nodes a few at a time; `marked` are the nodes edited since `revision`, when somebody last asked for all."""

    @initialize(seed=SEEDS, count=st.sampled_from((4, 24)))
    def make_scene(self, seed: int, count: int) -> None:
        self.scene = random_scene(seed, count)
        self.marked = set(range(len(self.scene)))
        self.revision = 0

    @rule(seed=SEEDS, count=st.integers(0, 5))
    def add(self, seed: int, count: int) -> None:
        self.marked |= set(add_random_nodes(self.scene, np.random.default_rng(seed), count))

    @rule(seed=SEEDS, count=st.integers(0, 4), what=st.sampled_from(("translation", "rotation", "scale")))
    def transform(self, seed: int, count: int, what: str) -> None:
        rng = np.random.default_rng(seed)
        ids = rng.choice(len(self.scene), count, replace=False)
        if what == "translation":
            self.scene.set_translations(ids, values := rng.normal(size=(count, 3)))
            np.testing.assert_array_equal(self.scene.translations[ids], values)
        elif what == "rotation":
            values = random_quaternion(rng, count)
            self.scene.set_rotations(ids, 3.0 * values)
            np.testing.assert_allclose(self.scene.rotations[ids], values, rtol=1e-14)
        else:
            self.scene.set_scales(ids, values := random_scales(rng, count))
            np.testing.assert_array_equal(self.scene.scales[ids], values)
        self.marked |= set(ids.tolist())

    @rule(seed=SEEDS)
    def reparent(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        node, parent = int(rng.integers(len(self.scene))), int(rng.integers(-1, len(self.scene)))
        if parent in below(self.scene, {node}):
            parents, revision = self.scene.parents.copy(), self.scene.tree_revision
            with pytest.raises(ValueError, match="its own ancestor"):
                self.scene.set_parents(node, parent)
            np.testing.assert_array_equal(self.scene.parents, parents)
            assert self.scene.tree_revision == revision
        else:
            self.scene.set_parents(node, parent)
            assert self.scene.parents[node] == parent
            self.marked.add(node)

    @rule()
    def look(self) -> None:
        """Somebody else asks in between."""
        assert_world_matrices_are_right(self.scene)
        assert len(self.scene.index) <= len(self.scene) and not self.scene.is_stale

    @rule()
    def ask_what_has_changed(self) -> None:
        expected = below(self.scene, self.marked)
        untouched = np.array(sorted(set(range(len(self.scene))) - expected), dtype=int)
        changed = self.scene.changed_since(self.revision).tolist()
        assert len(changed) == len(set(changed)), "an id was returned twice"
        assert set(changed) == expected
        if self.revision:
            np.testing.assert_array_equal(self.scene.world_from_local[untouched], self.matrices[untouched])
            np.testing.assert_array_equal(self.scene.world_spheres[untouched], self.spheres[untouched])
        assert_world_matrices_are_right(self.scene)
        self.marked, self.revision = set(), self.scene.world_revision
        self.matrices, self.spheres = self.scene.world_from_local.copy(), self.scene.world_spheres.copy()
        assert self.scene.changed_since(self.revision).shape == (0,)

    def teardown(self) -> None:
        if hasattr(self, "scene"):
            self.ask_what_has_changed()


SceneHistory.TestCase.settings = settings(max_examples=15, stateful_step_count=20)
TestSceneHistory = pytest.mark.usefixtures("strict_floats")(SceneHistory.TestCase)
