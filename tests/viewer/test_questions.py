"""Whatever was done to a scene, and however: each answer is that of a scene which is made anew as it is now."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from threading import Thread

import moderngl
import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from octoscope.scene import (
    History,
    Scene,
    apply,
    editing,
)
from octoscope.scene.editing.edits import EditError
from octoscope.viewer.rendering.renderer import Renderer
from tests.oracles import random_affine, random_quaternion
from tests.scene.builders import assert_world_matrices_are_right, random_scene
from tests.scene.editing.walks import made_anew, random_operation
from tests.viewer.questions import Answers, answers_anew, assert_same
from tests.viewer.scenes import picture, view_of
from tests.viewer.ways import WAYS, by_setters, town

SIZE = (64, 48)
QUESTIONS = list(Answers(Scene()).questions)


@pytest.mark.parametrize("way", WAYS)
def test_every_question_after_everything_that_changes_a_scene(tmp_path: Path, way: str) -> None:
    world = town(tmp_path)
    world.answers.ask_all()
    WAYS[way](world)
    expected = answers_anew(world.scene)
    first = list(WAYS).index(way) % len(QUESTIONS)  # another one each time
    for question in [*QUESTIONS[first:], *QUESTIONS[:first]]:
        assert_same(world.answers.ask(question), expected[question], f"{question} after {way}")


@pytest.mark.parametrize("way", WAYS)
def test_a_column_of_nodes_has_another_version_after_everything_that_sets_it(tmp_path: Path, way: str) -> None:
    world = town(tmp_path)
    table, versions = world.scene._nodes, world.scene.column_versions
    before = {name: table[name].copy() for name in versions}
    WAYS[way](world)
    for name, column in before.items():
        column_now = world.scene._nodes[name][: len(column)]
        same = len(column_now) == len(column) and np.array_equal(column_now, column)
        derived = name in ("changed", "layer") or name.startswith("world_")
        assert same or derived or world.scene.column_versions[name] > versions[name], name


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_that_comes_first_after_setters(tmp_path: Path, question: str) -> None:
    """Each question brings up to date what it needs; none may rely on another that was asked before."""
    world = town(tmp_path)
    world.answers.ask_all()
    by_setters(world)
    world.scene.set_hidden(world.few[:3], [True, False, True])
    world.scene.set_unselectable([3, 9], True)
    world.scene.set_parents([2, 8], [12, -1])
    world.scene.set_meshes([1, 14], [3, -1])
    world.scene.set_alive([7], False)
    world.scene.add_node("new", mesh=1, parent=2, translation=(0.0, 30.0, 0.0))
    given = world.answers.ask(question)
    assert_same(given, answers_anew(world.scene)[question], question)


@pytest.mark.parametrize("way", WAYS)
def test_the_picture_after_everything_that_changes_a_scene(
    tmp_path: Path, ctx: moderngl.Context, renderers: tuple[Renderer, Renderer], way: str
) -> None:
    world, (renderer, other) = town(tmp_path), renderers
    first = world.scene
    view = view_of(first, distance=40.0)
    picture(renderer, view, SIZE)
    WAYS[way](world)
    view = view if world.scene is first else view_of(world.scene, distance=40.0)
    expected = picture(other, view_of(made_anew(world.scene), distance=40.0), SIZE)
    assert np.ptp(expected.astype(int)) > 50, "nothing is in the picture"
    np.testing.assert_array_equal(picture(renderer, view, SIZE), expected)


@pytest.fixture(scope="module")
def renderers(shared_ctx: moderngl.Context) -> tuple[Renderer, Renderer]:
    """Two that know nothing of each other."""
    shared_ctx.__enter__()
    return Renderer(shared_ctx), Renderer(shared_ctx)


def test_threads_that_ask_first_get_what_is_so_now(tmp_path: Path) -> None:
    world = town(tmp_path)
    world.scene.add_nodes(["many"] * 20_000, mesh=1, translation=world.rng.normal(size=(20_000, 3)))
    for height in (50.0, 100.0, 150.0):
        world.scene.set_translations(world.scene.ids, (0.0, height, 0.0))
        found: list[float] = []

        def ask(found: list[float] = found) -> None:
            found.append(world.scene.raycast((0.0, 1000.0, 0.0), (0.0, -1.0, 0.0)).point[1])

        threads = [Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 4 and len(set(found)) == 1 and found[0] > height


class Script(RuleBasedStateMachine):
    """Sets anything at random and asks anything at random, without a word in between."""

    @initialize(seed=st.integers(0, 2**32 - 1), count=st.sampled_from((4, 16, 40)))
    def make(self, seed: int, count: int) -> None:
        self.scene = random_scene(seed, count, zeros=0.0)
        self.answers, self.history = Answers(self.scene), History(self.scene)

    @rule(seed=st.integers(0, 2**32 - 1), what=st.sampled_from(range(12)), asks=st.data())
    def set_and_ask(self, seed: int, what: int, asks: st.DataObject) -> None:
        scene, rng = self.scene, np.random.default_rng(seed)
        ids = scene.ids
        few = rng.choice(ids, min(len(ids), int(rng.integers(1, 5))), replace=False)
        if len(few) == 0:
            what = 11
        match what:
            case 0:
                scene.set_translations(few, 8.0 * rng.normal(size=(len(few), 3)))
            case 1:
                scene.set_rotations(few, random_quaternion(rng, len(few)))
            case 2:
                scene.set_scales(few, rng.uniform(0.3, 3.0, (len(few), 3)))
            case 3:
                apply(scene, editing.transform(scene, few, random_affine(rng)))
            case 4:
                self.set_parents(few, rng.choice([-1, *ids.tolist()], len(few)))
            case 5:
                scene.set_meshes(few, rng.integers(-1, len(scene.meshes), len(few)))
            case 6:
                scene.set_hidden(few, rng.random(len(few)) < 0.5)
            case 7:
                scene.set_unselectable(few, rng.random(len(few)) < 0.5)
            case 8:
                self.history.do(editing.delete(scene, few))
            case 9:
                with suppress(EditError):  # what was set without the history is not overwritten
                    self.history.undo()
            case 10:
                edit = random_operation(scene, rng, largest=60)
                if edit is not None:
                    self.history.do(edit)
            case 11:
                mesh = int(rng.integers(len(scene.meshes)))
                scene.add_nodes(["new"] * 2, mesh=[mesh, -1], parent=rng.choice([-1, *ids.tolist()], 2))
        names = sorted(self.answers.questions)
        asked = asks.draw(st.lists(st.sampled_from(names), max_size=2, unique=True))
        if asked:
            anew = Answers(made_anew(scene), scene.ids)
            for name in asked:
                assert_same(self.answers.ask(name), anew.ask(name), name)

    def set_parents(self, ids: np.ndarray, parents: np.ndarray) -> None:
        try:
            self.scene.set_parents(ids, parents)
        except ValueError as error:
            assert "its own ancestor" in str(error)

    def teardown(self) -> None:
        if hasattr(self, "scene"):
            expected = answers_anew(self.scene)
            for name, answer in expected.items():
                assert_same(self.answers.ask(name), answer, name)
            assert_world_matrices_are_right(self.scene)


Script.TestCase.settings = settings(max_examples=10, stateful_step_count=10)
TestScript = Script.TestCase
