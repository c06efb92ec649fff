"""Programs that are killed while they edit and save: every gesture that was acknowledged is there on reopening."""

import mmap
import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from octoscope.scene import Edit, Material, Recorder, Scene, apply, change_nodes, open_project, save_project
from octoscope.scene.editing import add_primitive, delete, duplicate
from tests.cases import quick
from tests.oracles import random_quaternion
from tests.scene import children
from tests.scene.builders import quad
from tests.scene.project.journals import killed, record
from tests.scene.project.projects import material_of

TRIALS = 40
MOST_GESTURES, LONGEST_SECONDS = 3, 0.05  # that a child has done at least, and lives after them
KILLED = 9
CALLS = ("write", "fsync", "ftruncate", "replace", "unlink", "open", "close")


def new_scene() -> Scene:
    scene = Scene()
    scene.add_nodes([f"node {number}" for number in range(6)], mesh=scene.meshes.add(quad()))
    scene.update_world()
    return scene


def gesture(scene: Scene, number: int) -> Edit:
    """The edit that a program does as its nth; it depends on what the others did before."""
    rng = np.random.default_rng(number)
    ids = rng.choice(scene.ids, 3, replace=False)
    kind = number % 6
    if kind == 0:
        return change_nodes(scene, ids, translation=scene.translations[ids] * 0.5 + rng.normal(size=3))
    if kind == 1:
        return change_nodes(scene, ids, rotation=random_quaternion(rng, 3), scale=rng.normal(size=(3, 3)))
    if kind == 2:
        return change_nodes(scene, ids, name=[f"{scene.names[node][-20:]} {number}" for node in ids], parent=-1)
    if kind == 3:
        return duplicate(scene, ids[:1]) if rng.random() < 0.5 else add_primitive(scene, "cone", segments=3)
    if kind == 4 and len(scene) > 6:
        return delete(scene, ids[:1])
    material = scene.add_material(Material(f"material {number}"))
    is_leaf = (scene.parents[scene.ids] != ids[0]).all()
    parent = ids[1] if scene.parents[ids[1]] < 0 and is_leaf else -1
    return change_nodes(scene, ids[:1], material=material, parent=parent)


def after(count: int) -> Scene:
    """The scene as it is after so many gestures."""
    scene = new_scene()
    for number in range(count):
        apply(scene, gesture(scene, number))
    return scene


def is_same(scene: Scene, other: Scene) -> bool:
    columns = ("names", "translations", "rotations", "scales")
    mine, theirs = scene.ids, other.ids
    return (
        len(mine) == len(theirs)
        and all(np.array_equal(getattr(scene, column)[mine], getattr(other, column)[theirs]) for column in columns)
        and list(map(scene.path_of, mine.tolist())) == list(map(other.path_of, theirs.tolist()))
        and scene.element_count("triangle") == other.element_count("triangle")
        and [material_of(scene, number) for number in scene.material_overrides[mine]]
        == [material_of(other, number) for number in other.material_overrides[theirs]]
    )


@pytest.fixture
def path(tmp_path) -> Path:
    save_project(new_scene(), tmp_path / "scene.octo.json")
    return tmp_path / "scene.octo.json"


def work(path: Path, first: int, acknowledge: int, seed: int) -> None:
    """Edit, save now and then, and tell through a pipe, a byte for each gesture that is safe; until killed."""
    rng = random.Random(seed)
    scene = open_project(path)
    recorder = Recorder(scene)
    number = first
    while True:
        record(recorder, gesture(scene, number))
        os.write(acknowledge, b".")
        number += 1
        if rng.random() < 0.3:
            save_project(scene, path, recorder=recorder)


def test_whenever_a_program_is_killed_every_gesture_that_was_acknowledged_is_there(path):
    after(40)  # every kind of gesture once: the children begin with what is compiled then
    expected, done = new_scene(), 0
    rng = random.Random(0)
    for trial in range(TRIALS):
        reading, writing = os.pipe()
        child = children.start(lambda first=done, to=writing, seed=trial: work(path, first, to, seed))
        os.close(writing)
        with open(reading, "rb") as pipe:
            acknowledged = done + len(pipe.read(rng.randint(0, MOST_GESTURES)))
            time.sleep(rng.uniform(0.0, LONGEST_SECONDS))
            os.kill(child, signal.SIGKILL)
            assert children.exit_code(child) == -signal.SIGKILL
            acknowledged += len(pipe.read())
        scene = open_project(path)
        assert not [line for line in scene.report.warnings if "kept" in line], "a journal that nobody knows"
        for number in range(done, acknowledged):
            apply(expected, gesture(expected, number))
        done = acknowledged
        if not is_same(scene, expected):
            apply(expected, gesture(expected, done))
            done += 1
        assert is_same(scene, expected), f"trial {trial}: neither {acknowledged} gestures nor one more"
    assert done > TRIALS
    assert set(os.listdir(path.parent)) <= {path.name, f"{path.name}.journal", f"{path.name}.octoscope-saving"}


def killed_before(call: int, function: Callable[[], None]) -> int:
    """Run a function in a child that is killed before its nth call of the system; its exit code."""

    def run() -> None:
        left = call

        def counted(original: Callable) -> Callable:
            def wrapper(*arguments: object, **options: object) -> object:
                nonlocal left
                if left == 0:
                    os._exit(KILLED)
                left -= 1
                return original(*arguments, **options)

            return wrapper

        for name in CALLS:
            setattr(os, name, counted(getattr(os, name)))
        function()

    return children.exit_code(children.start(run))


@pytest.mark.parametrize("left_by_one_killed", quick((False, True), 1))
def test_before_whichever_call_of_the_system_it_is_killed_nothing_is_lost_or_done_twice(path, left_by_one_killed):
    before = path.read_bytes()

    def work_and_save() -> None:
        scene = open_project(path)
        recorder = Recorder(scene)
        first = 2 if left_by_one_killed else 0
        for number in (first, first + 1):
            record(recorder, gesture(scene, number))
            acknowledged[0] += 1
        save_project(scene, path, recorder=recorder)
        record(recorder, gesture(scene, first + 2))
        acknowledged[0] += 1

    acknowledged = mmap.mmap(-1, 1)  # shared with the children
    for call in range(200):
        for left in path.parent.iterdir():
            left.unlink()
        path.write_bytes(before)
        if left_by_one_killed:
            scene = open_project(path)
            recorder = Recorder(scene)
            record(recorder, gesture(scene, 0))
            record(recorder, gesture(scene, 1))
            killed(recorder)
        acknowledged[0] = 2 if left_by_one_killed else 0
        ended = killed_before(call, work_and_save)
        assert ended in (0, KILLED)
        scene = open_project(path)
        assert not [line for line in scene.report.warnings if "kept" in line]
        done = acknowledged[0] if is_same(scene, after(acknowledged[0])) else acknowledged[0] + 1
        assert is_same(scene, after(done)), f"killed before call {call}: neither {done - 1} gestures nor one more"
        recorder = Recorder(scene)
        record(recorder, gesture(scene, done))
        killed(recorder)
        assert is_same(open_project(path), after(done + 1))
        if ended == 0:
            break
    assert call > 15 and done == acknowledged[0] == (5 if left_by_one_killed else 3)
