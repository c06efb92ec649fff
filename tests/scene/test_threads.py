"""What Scene says of threads, under load: readers at once while nobody edits, and snapshots beside one who does."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from types import FrameType

import numpy as np
import pytest

from octoscope import Camera, octree
from octoscope.octree import Frustum
from octoscope.octree.queries import volumes
from octoscope.scene import Scene
from octoscope.scene.editing import delete, duplicate, smooth_by_angle
from octoscope.scene.editing.edits import apply
from octoscope.scene.mesh import table
from octoscope.scene.mesh.table import ColumnTable
from octoscope.scene.spatial import index, raycast
from octoscope.scene.spatial.frustum_select import nodes_in_frustum
from tests.cases import quick
from tests.scene.builders import box

READERS, ROUNDS = 4, 20
FRUSTUM = Frustum.from_camera(Camera.looking_at(eye=(70.0, 30.0, 50.0), target=(0.0, 0.0, 0.0)), aspect=1.5)
RAYS = np.random.default_rng(2).uniform(-50.0, 50.0, (200, 3)), np.random.default_rng(3).normal(size=(200, 3))


def village(count: int) -> Scene:
    scene = Scene()
    mesh = scene.meshes.add(box())
    rng = np.random.default_rng(1)
    scene.add_nodes([f"house {i}" for i in range(count)], mesh=mesh, translation=rng.uniform(-50.0, 50.0, (count, 3)))
    return scene


def answers(scene: Scene) -> list[np.ndarray]:
    """What is asked of a scene: columns, world, volumes, rays."""
    origins, directions = RAYS
    seen = np.sort(scene.cull(FRUSTUM).ids)
    hits = scene.raycast_many(origins, directions)
    nearest = scene.raycast(origins[0], directions[0])
    return [
        *(scene.names[scene.ids], scene.parents[scene.ids], scene.world_from_local[scene.ids]),
        *(np.array(scene.bounds()), np.sort(scene.index.all_ids()), seen, hits.nodes, hits.t),
        np.array([-1.0 if nearest is None else nearest.t]),
    ]


def run_all(works: list[Callable[[], None]]) -> None:
    """Run each on a thread of its own; what one raises is raised here."""
    raised: list[BaseException] = []

    def guarded(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=guarded, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for error in raised:
        raise error


@pytest.fixture
def threads_change_often():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("threads_change_often")
def test_any_number_of_threads_may_read_what_nobody_edits():
    """Each finds the world and the octree out of date; one brings them up to date."""
    scene, same = village(3000), village(3000)
    rng = np.random.default_rng(3)
    for _ in range(ROUNDS):
        moved, places = rng.integers(0, 3000, 40), rng.uniform(-50.0, 50.0, (40, 3))
        for each in (scene, same):
            each.set_translations(moved, places)
            each.add_nodes(["more"] * 5, mesh=0, translation=places[:5])
        expected = answers(same)
        together = threading.Barrier(READERS)

        def read(expected: list[np.ndarray] = expected, together: threading.Barrier = together) -> None:
            together.wait()
            for found, wanted in zip(answers(scene), expected, strict=True):
                np.testing.assert_array_equal(found, wanted)

        run_all([read] * READERS)


@pytest.mark.usefixtures("threads_change_often")
def test_snapshots_are_read_on_other_threads_while_their_scene_is_edited():
    handed: Queue[tuple[Scene, list[np.ndarray]] | None] = Queue()
    read = []

    def edit() -> None:
        rng = np.random.default_rng(4)
        try:
            scene = village(800)
            for number in range(ROUNDS * READERS):
                chosen = rng.choice(scene.ids, 5, replace=False)
                match number % 5:
                    case 0:
                        scene.set_translations(chosen, rng.uniform(-50.0, 50.0, (5, 3)))
                    case 1:
                        apply(scene, duplicate(scene, chosen, copy_meshes=True))
                    case 2:
                        apply(scene, delete(scene, chosen[:2]))
                    case 3:
                        apply(scene, smooth_by_angle(scene, chosen))
                    case 4:
                        scene.set_names(chosen, f"edit {number}")
                        scene.set_parents(chosen[1:2], chosen[0])
                taken = scene.copy()
                handed.put((taken, answers(scene.copy())))
        finally:
            for _ in range(READERS):
                handed.put(None)

    def compare() -> None:
        while (given := handed.get()) is not None:
            taken, expected = given
            for found, wanted in zip(answers(taken), expected, strict=True):
                np.testing.assert_array_equal(found, wanted)
            read.append(taken)

    run_all([edit, *[compare] * READERS])
    assert len(read) == ROUNDS * READERS


@contextmanager
def between_lines(files: set[str], do: Callable[[], None]) -> Iterator[None]:
    """Do something before every line of some files that is run within."""

    def look(frame: FrameType, event: str, argument: object) -> object:
        if frame.f_code.co_filename not in files:
            return None
        if event == "line":
            sys.settrace(None)
            do()
            sys.settrace(look)
        return look

    before = sys.gettrace()
    sys.settrace(look)
    try:
        yield
    finally:
        sys.settrace(before)


class WatchedLock:
    """A lock that tells when a thread waits for it."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self.is_waited_for = threading.Event()

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            self.is_waited_for.set()
            self._lock.acquire()

    def __exit__(self, *error: object) -> None:
        self._lock.release()


# What sorts the octree, or walks it.
QUESTIONS: dict[str, Callable[[Scene], object]] = {
    "cull": lambda scene: np.sort(scene.cull(FRUSTUM).ids).tolist(),
    "raycast_many": lambda scene: scene.raycast_many(*RAYS).nodes.tolist(),
    "raycast": lambda scene: [hit and hit.node.id for hit in map(scene.raycast, *(each[:20] for each in RAYS))],
    "cells": lambda scene: scene.index.frozen(completely=True).cells().counts.sum(),
    "cell_of": lambda scene: scene.index.frozen(completely=True).cell_of(5),
    "stats": lambda scene: scene.index.stats().spheres,
    "bounds": lambda scene: np.array(scene.index.bounds()).tolist(),
    "all_ids": lambda scene: scene.index.all_ids().tolist(),
}


def with_much_to_sort() -> Scene:
    """Return a scene whose octree has taken in changes, and sorts them when it is asked next."""
    scene = village(1000)
    scene.cull(FRUSTUM)
    moved = np.arange(0, 1000, 7)
    scene.set_translations(moved, np.random.default_rng(5).uniform(-50.0, 50.0, (len(moved), 3)))
    scene.delete(np.arange(0, 1000, 9))
    scene.index.update()
    return scene


@pytest.mark.parametrize("second", [*QUESTIONS])
@pytest.mark.parametrize("first", quick(["cull", "cells", "raycast"], 1))
def test_a_question_may_be_asked_between_any_two_lines_of_another_that_sorts_the_octree(first, second):
    """Another thread gets the right answer there, or waits."""
    files = {*(str(path) for path in Path(octree.__file__).parent.rglob("*.py")), index.__file__}
    expected = {name: ask(with_much_to_sort()) for name, ask in QUESTIONS.items()}
    lines = 0

    def count_line() -> None:
        nonlocal lines
        lines += 1

    scene = with_much_to_sort()
    with between_lines(files, count_line):
        QUESTIONS[first](scene)
    for stop in range(0, min(lines, 150), 2):
        scene, passed, others = with_much_to_sort(), 0, []
        lock = scene.world_lock = WatchedLock()
        answered: list[object] = []

        def ask(scene: Scene = scene, answered: list[object] = answered, lock: WatchedLock = lock) -> None:
            try:
                answered.append(QUESTIONS[second](scene))
            finally:
                lock.is_waited_for.set()

        def stopped(stop: int = stop, lock: WatchedLock = lock, others: list[threading.Thread] = others) -> None:
            nonlocal passed
            passed += 1
            if passed == stop + 1:
                others.append(threading.Thread(target=ask))
                others[0].start()
                assert lock.is_waited_for.wait(60.0)

        with between_lines(files, stopped):
            found = QUESTIONS[first](scene)
        for other in others:
            other.join()
        assert found == expected[first], stop
        assert answered == [expected[second]], stop


def test_a_tables_length_and_its_columns_change_at_once():
    """Looked at between any two lines of what changes them, as another thread may."""
    made = ColumnTable(a=(np.int64, ()), b=(np.float64, (3,)))
    looked = []
    with between_lines({table.__file__}, lambda: looked.append((len(made), len(made["a"]), len(made.read_only("b"))))):
        for count in (3, 1, 0, 40):
            made.append(count, a=7, b=1.0)
        made.reserve(500)
        made.append(2, a=7, b=1.0)
    assert len(looked) > 50 and {sizes[0] for sizes in looked} == {0, 3, 4, 44, 46}
    assert all(len(set(sizes)) == 1 for sizes in looked)


@pytest.mark.parametrize(
    "copied",
    [
        lambda made: made.copy(),
        lambda made: made.copy(without=("b",)),
        lambda made: made.frozen(),
        lambda made: made.at_once("a", "b", "c"),
    ],
)
def test_a_copy_of_a_table_has_columns_of_one_length_whatever_is_appended_between_any_two_lines_of_it(copied):
    for room in (0, 500):  # columns that grow are replaced; others are not
        made = ColumnTable(a=(np.int64, ()), b=(np.float64, (3,)), c=(np.bool_, ()))
        made.reserve(room)
        made.append(3, a=7)
        with between_lines({table.__file__}, lambda made=made: made.append(5, a=7)):
            other = copied(made)
        columns = other if isinstance(other, tuple) else [other[name] for name in other.names]
        lengths = {len(column) for column in columns} | (set() if isinstance(other, tuple) else {len(other)})
        assert len(lengths) == 1, room


@pytest.mark.parametrize(
    "question",
    [
        lambda scene: scene.find("house 1*"),
        lambda scene: "house 3" in scene,
        lambda scene: scene["house 3"].children,
        lambda scene: scene["house 3"].descendants,
        lambda scene: scene.bounds(scene.ids[:9]),
        lambda scene: scene.objects,
    ],
)
def test_questions_that_read_several_columns_hold_when_nodes_are_added_between_any_two_lines_of_them(question):
    """Such an answer may be of two states, but is one."""
    scene = village(20)
    files = {
        *(str(path) for path in (Path(table.__file__).parent.parent / "nodes").glob("*.py")),
        *(sys.modules[module].__file__ for module in (Scene.__module__, "octoscope.scene.node")),
    }
    with between_lines(files, lambda: scene.add_nodes(["more"] * 7, mesh=0)):
        question(scene)
    assert scene.row_count > 20


@pytest.mark.parametrize(
    ("module", "kernel", "question"),
    [
        (volumes, "collect", lambda scene: scene.cull(FRUSTUM)),
        (volumes, "collect", lambda scene: nodes_in_frustum(scene.index, FRUSTUM)),
        (raycast, "cast_ray", lambda scene: scene.raycast(RAYS[0][0], RAYS[1][0])),
        (raycast, "cast_rays", lambda scene: scene.raycast_many(*RAYS)),
    ],
)
def test_a_window_can_update_and_ask_while_another_thread_is_in_the_kernel_of_a_question(
    monkeypatch, module, kernel, question
):
    scene = with_much_to_sort()
    within, goes_on = threading.Event(), threading.Event()
    called = getattr(module, kernel)

    def slow(*args, **options):
        if not within.is_set():
            within.set()
            assert goes_on.wait(60.0)
        return called(*args, **options)

    answered: list[object] = []
    asker = threading.Thread(target=lambda: answered.append(question(scene)), daemon=True)
    monkeypatch.setattr(module, kernel, slow)
    asker.start()
    assert within.wait(60.0)
    asked = threading.Thread(target=lambda: [ask(scene) for ask in QUESTIONS.values()], daemon=True)
    asked.start()
    asked.join(60.0)
    is_done = not asked.is_alive()
    goes_on.set()
    for thread in (asker, asked):
        thread.join(60.0)
    assert is_done and len(answered) == 1
