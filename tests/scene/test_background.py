"""Changes that were made on another thread join the scene as if made at once, whatever was done meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from octoscope.scene import EditError, Scene, editing, read_obj
from octoscope.scene.editing.edits import apply
from octoscope.scene.history.background_edit import BackgroundEdit
from octoscope.scene.loading.file_import import FileImport
from octoscope.scene.loading.reload import FileReload
from octoscope.scene.mesh.material import Material
from tests.scene.builders import ball
from tests.scene.editing.walks import assert_same_state, state
from tests.viewer.questions import answers_anew, assert_same
from tests.viewer.ways import TOWN, WAYS, World, town

CHANGED = TOWN.replace("v 1 1 3", "v 1 1 9").replace("o mast", "o flag\nf 1 3 5\no mast")


def a_look(world: World) -> None:
    """No change: what is asked meanwhile is answered, and remembered."""
    for question in ("world_from_local", "layers", "bounds", "index.bounds", "index.ids", "index.raycast"):
        world.answers.ask(question)
    world.scene.raycast_all((0.0, 0.0, 50.0), (0.0, 0.0, -1.0))


def a_file(world: World) -> None:
    FileImport(world.scene, world.folder / "other.obj", read_obj(file(world, "other.obj", TOWN))).join()


# What may be done while something is made beside the scene.
MEANWHILE: dict[str, Callable[[World], object]] = {
    "a look": a_look,
    "setters": WAYS["setters"],
    "a node": lambda world: world.scene.add_node("new", mesh=0, parent=1, translation=(0.0, 9.0, 0.0)),
    "a mesh": lambda world: world.scene.set_meshes([5], world.scene.meshes.add(ball(4, 6))),
    "a material": lambda world: world.scene.add_material(Material("green", base_color=(0.0, 1.0, 0.0))),
    "a name": lambda world: world.scene.set_names([3], "renamed"),
    "a deletion": lambda world: apply(world.scene, editing.delete(world.scene, world.scene.ids[-2:])),
    "a file": a_file,
    "a changed file": lambda world: world.change_file(TOWN.replace("v 1 1 3", "v 4 4 4")),
}


def file(world: World, name: str, text: str) -> Path:
    path = world.folder / name
    path.write_text(text)
    return path


def joining(world: World, *, beside: list[Callable[[World], object]]) -> None:
    path = file(world, "more.obj", TOWN.replace("v 2", "v 12"))
    run(FileImport(world.scene, path, read_obj(path)), world, beside)


def reloading(world: World, *, beside: list[Callable[[World], object]]) -> None:
    content = read_obj(file(world, "changed.obj", CHANGED))
    if beside:
        run(FileReload(world.scene, 0, content), world, beside)
    else:
        FileReload(world.scene, 0, content).join()


def run(change: FileImport | FileReload, world: World, beside: list[Callable[[World], object]]) -> None:
    """Prepare a change on another thread after the first things that are done beside it, and before the others."""
    done_before = len(beside) // 2
    for do in beside[:done_before]:
        do(world)
    if beside:
        thread = Thread(target=change.prepare)
        thread.start()
        thread.join()
    for do in beside[done_before:]:
        do(world)
    change.join()


@pytest.fixture
def always_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small files are prepared beside the scene, too."""
    monkeypatch.setattr("octoscope.scene.loading.file_import.WORTH_A_THREAD", -1)
    monkeypatch.setattr("octoscope.scene.loading.reload.WORTH_A_THREAD", -1)


several = settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
meanwhile = st.lists(st.sampled_from(sorted(MEANWHILE)), min_size=1, max_size=4)


@pytest.mark.usefixtures("always_copies")
@pytest.mark.parametrize("job", [joining, reloading])
@several
@given(names=meanwhile)
def test_a_file_that_is_prepared_beside_a_scene_joins_it_as_at_once(tmp_path_factory, job, names: list[str]) -> None:
    things = [MEANWHILE[name] for name in names]
    world, expected = (town(tmp_path_factory.mktemp(name)) for name in ("beside", "at_once"))
    world.answers.ask_all()
    job(world, beside=things)
    for do in things:
        do(expected)
    job(expected, beside=[])
    assert_is(world, expected)


@several
@given(names=st.lists(st.sampled_from(sorted(MEANWHILE)), max_size=2))
def test_an_edit_that_is_made_beside_a_scene_is_refused_if_that_was_changed(tmp_path_factory, names: list[str]) -> None:
    things = [MEANWHILE[name] for name in names]
    world, expected = (town(tmp_path_factory.mktemp(name)) for name in ("beside", "at_once"))
    world.answers.ask_all()
    before = world.scene.version
    background = BackgroundEdit(world.scene, duplicated_with_meshes)
    thread = Thread(target=background.prepare)
    thread.start()
    thread.join()
    for do in things:
        do(world)
        do(expected)
    assert (world.scene.version != before) == bool(set(names) - {"a look"})
    if world.scene.version != before:
        with pytest.raises(EditError, match="changed meanwhile"):
            background.join()
    else:
        background.join()
        apply(expected.scene, duplicated_with_meshes(expected.scene))
    assert_is(world, expected)


def duplicated_with_meshes(scene: Scene) -> editing.edits.Edit:
    return editing.duplicate(scene, scene.ids[4:9], copy_meshes=True)


def assert_is(world: World, expected: World) -> None:
    """Compare two scenes, and every question about the first with what is answered of one that is made anew."""
    assert_same_state(state(world.scene), state(expected.scene))
    assert world.scene.materials == expected.scene.materials
    assert [path.name for path in world.scene.sources] == [path.name for path in expected.scene.sources]
    for name, table in world.scene.meshes._tables.items():
        for column in table.names:
            np.testing.assert_array_equal(
                table[column], expected.scene.meshes._tables[name][column], f"{name} {column}"
            )
    answers = answers_anew(world.scene)
    for question, answer in answers.items():
        assert_same(world.answers.ask(question), answer, question)
