"""What Scene says of threads, under load: readers at once while nobody edits, and snapshots beside one who does."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from queue import Queue

import numpy as np
import pytest

from octoscope.scene import Scene
from octoscope.scene.editing import delete, duplicate, smooth_by_angle
from octoscope.scene.editing.edits import apply
from octoscope.scene.mesh import table
from octoscope.scene.mesh.table import ColumnTable
from octoscope.scene.snapshot import snapshot
from tests.scene.builders import box

READERS, ROUNDS = 4, 20


def village(count: int) -> Scene:
    scene = Scene()
    mesh = scene.meshes.add(box())
    rng = np.random.default_rng(1)
    scene.add_nodes([f"house {i}" for i in range(count)], mesh=mesh, translation=rng.uniform(-50.0, 50.0, (count, 3)))
    return scene


def answers(scene: Scene) -> list[np.ndarray]:
    """What is asked of a scene: columns, world, volumes, rays."""
    rng = np.random.default_rng(2)
    origins, directions = rng.uniform(-50.0, 50.0, (200, 3)), rng.normal(size=(200, 3))
    hits = scene.raycast_many(origins, directions)
    nearest = scene.raycast(origins[0], directions[0])
    return [
        *(scene.names[scene.ids], scene.parents[scene.ids], scene.world_from_local[scene.ids]),
        *(np.array(scene.bounds()), np.sort(scene.index.all_ids()), hits.nodes, hits.t),
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
                taken = snapshot(scene)
                handed.put((taken, answers(snapshot(scene))))
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


def test_a_tables_length_and_its_columns_change_at_once():
    """Looked at between any two lines of what changes them, as another thread may."""
    made = ColumnTable(a=(np.int64, ()), b=(np.float64, (3,)))
    own = table.__file__
    looked = []

    def look(frame: object, event: str, argument: object) -> object:
        if frame.f_code.co_filename != own:
            return None
        if event == "line":
            sys.settrace(None)
            looked.append((len(made), len(made["a"]), len(made.read_only("b"))))
            sys.settrace(look)
        return look

    before = sys.gettrace()
    sys.settrace(look)
    try:
        for count in (3, 1, 0, 40):
            made.append(count, a=7, b=1.0)
        made.reserve(500)
        made.append(2, a=7, b=1.0)
    finally:
        sys.settrace(before)
    assert len(looked) > 50 and {sizes[0] for sizes in looked} == {0, 3, 4, 44, 46}
    assert all(len(set(sizes)) == 1 for sizes in looked)
