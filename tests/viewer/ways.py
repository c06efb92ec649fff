"""Everything that changes a scene, each done to a small one that was asked before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

import numpy as np

from octoscope.scene import (
    Edit,
    History,
    Material,
    Recorder,
    Scene,
    apply,
    change_nodes,
    editing,
    inverse,
    load,
    open_project,
    save_project,
)
from octoscope.scene.editing.edits import restore
from octoscope.scene.formats.readers import read_file
from octoscope.scene.history.background_edit import BackgroundEdit
from octoscope.scene.loading.file_import import FileImport, add_file
from octoscope.scene.loading.reload import FileReload
from octoscope.scene.spatial.index_settings import IndexSettings
from tests.oracles import random_affine, random_quaternion
from tests.scene.builders import ball, box
from tests.scene.editing.walks import small_content, translation_of
from tests.viewer.questions import Answers

TOWN = """\
v 0 0 0
v 2 0 0
v 2 2 0
v 0 2 0
v 1 1 3
o floor
f 1 2 3 4
o tower
f 1 2 5
f 2 3 5
f 3 4 5
f 4 1 5
f 4 3 2 1
o mast
l 1 5
p 5
"""


@dataclass
class World:
    """A scene that something is done to, what that needs, and handles on the scene that answer before and after."""

    scene: Scene
    folder: Path
    rng: np.random.Generator
    answers: Answers

    @property
    def few(self) -> np.ndarray:
        """(5,) ids of nodes, some above others, most with a mesh."""
        return self.scene.ids[[0, 2, 5, 8, 11]]

    def do(self, edit: Edit, recorder: Recorder | None = None) -> History:
        history = History(self.scene, recorder)
        history.do(edit)
        return history

    def beside(self, operation: Callable[[Scene], Edit]) -> History:
        """Make an edit on another thread, and join it."""
        background, history = BackgroundEdit(self.scene, operation), History(self.scene)
        thread = Thread(target=background.prepare)
        thread.start()
        thread.join()
        history.join(background)
        return history

    def change_file(self, text: str) -> None:
        self.scene.sources[0].write_text(text)
        FileReload(self.scene, 0, read_file(self.scene.sources[0])).join()


def town(folder: Path) -> World:
    """Three objects of a file, and nodes below them and beside them that shear, mirror, hide and share meshes."""
    path = folder / "town.obj"
    path.write_text(TOWN)
    rng = np.random.default_rng(5)
    scene = load(path)
    meshes = [scene.meshes.add(mesh) for mesh in (box(), ball(4, 5))]
    scene.add_nodes(
        [f"node {number}" for number in range(12)],
        parent=[0, 1, 2, 4, 4, 5, -1, 10, 10, -1, 13, 13],
        mesh=rng.choice([*meshes, 1, -1], 12),
        translation=6.0 * rng.normal(size=(12, 3)),
        rotation=random_quaternion(rng, 12),
        scale=rng.uniform(0.5, 2.0, (12, 3)) * rng.choice([1.0, -1.0], (12, 3)),
        hidden=rng.random(12) < 0.15,
        unselectable=rng.random(12) < 0.15,
    )
    scene.add_material(Material("red", base_color=(1.0, 0.0, 0.0)))
    return World(scene, folder, rng, Answers(scene))


# Each does something to a world.


def by_setters(world: World) -> None:
    scene, few, rng = world.scene, world.few, world.rng
    scene.set_translations(few[:2], 5.0 * rng.normal(size=(2, 3)))
    scene.set_rotations(few[1:3], random_quaternion(rng, 2))
    scene.set_scales(few[2:4], rng.uniform(0.5, 3.0, (2, 3)))


def by_handles(world: World) -> None:
    node = world.scene["node 3"]
    node.translation, node.rotation, node.scale = (9.0, 0.0, 1.0), (0.0, 1.0, 0.0, 1.0), (2.0, 1.0, 1.0)
    node.parent = world.scene["node 6"]
    world.scene["node 8"].parent = None
    world.scene["tower"].hidden = True
    world.scene["node 2"].unselectable = True


def by_turns_of_setting_and_asking_for_something_else(world: World) -> None:
    for place in range(4):
        world.scene["tower"].translation = (5.0 * place, 0.0, 0.0)
        world.scene.bounds()
        world.scene["node 6"].translation = (0.0, 5.0 * place, 0.0)
        world.scene.world_from_local.sum()


def deleting_and_reviving_with_another_mesh(world: World) -> None:
    scene, node = world.scene, world.scene["node 9"].id
    below = editing.delete(scene, [node])
    apply(scene, below)
    scene.bounds()
    scene.set_meshes_of_deleted(np.array([node]), np.array([1]))
    apply(scene, inverse(below))


def adding_rows_and_then_nodes_of_them(world: World) -> None:
    rows = world.scene.add_nodes(["late", "later"], mesh=1, parent=[1, -1], translation=(0.0, 4.0, 1.0), alive=False)
    world.scene.bounds()
    apply(world.scene, restore(world.scene, rows))


def many_nodes_at_once(world: World) -> None:
    places = 30.0 * world.rng.normal(size=(200, 3))
    world.scene.add_nodes(["many"] * 200, mesh=world.rng.integers(0, 3, 200), translation=places)


def by_a_gesture(world: World, end: Callable[[History], object]) -> None:
    history = History(world.scene)
    moving = editing.Transformation(world.scene, world.few)
    gesture = history.begin("Move")
    for step in range(3):
        gesture.set(moving.by(translation_of((2.0 * step, 1.0, 0.0))))
        world.scene.raycast((0.0, 0.0, 50.0), (0.0, 0.0, -1.0))
    end(history)


def reloading_beside(world: World) -> None:
    text = TOWN.replace("v 1 1 3", "v 1 1 9").replace("o mast", "o flag\nf 1 3 5\no mast")
    world.scene.sources[0].write_text(text)
    reloading = FileReload(world.scene, 0, read_file(world.scene.sources[0]))
    reloading.prepare()
    reloading.join()


def reloading_twice(world: World) -> None:
    world.change_file(TOWN[: TOWN.index("o tower")])
    world.scene.bounds()
    world.change_file(TOWN.replace("v 2 2 0", "v 7 7 0"))


def joining_a_file(world: World) -> None:
    path = world.folder / "more.obj"
    path.write_text(TOWN.replace("v 2", "v 12"))
    joining = FileImport(world.scene, path, read_file(path))
    joining.prepare()
    joining.join()


def becoming(world: World, *, prepares: bool, project: bool) -> None:
    """An empty scene, which has answered before, becomes one that was read."""
    empty, path = Scene(), world.folder / "town.obj"
    answers = Answers(empty)
    answers.ask_all()
    result = read_file(path)
    if project:
        save_project(world.scene, world.folder / "town.octo.json")
        result = open_project(world.folder / "town.octo.json")
        _ = result.index
        result.set_translations([1], (0.0, 0.0, 8.0))  # and its octree has not heard of it
    joining = FileImport(empty, path, result)
    if prepares:
        joining.prepare()
    joining.join()
    empty["tower"].scale = (2.0, 2.0, 2.0)
    world.scene, world.answers = empty, answers


def opening_with_a_journal(world: World) -> None:
    path = world.folder / "town.octo.json"
    save_project(world.scene, path)
    recorder = Recorder(world.scene)
    history = world.do(editing.transform(world.scene, world.few, random_affine(world.rng)), recorder)
    history.do(editing.duplicate(world.scene, world.few[:2]))
    history.undo()
    history.do(change_nodes(world.scene, world.few[:1], hidden=True))
    recorder.close()
    world.scene = open_project(path)
    world.answers = Answers(world.scene)


def copying_and_changing_both(world: World, *, asks_copy: bool) -> None:
    copy = world.scene.copy()
    copy.set_translations(world.few, (3.0, 3.0, 3.0))
    copy.bounds()
    world.scene.set_scales(world.few[:1], (3.0, 1.0, 1.0))
    if asks_copy:
        world.scene, world.answers = copy, Answers(copy)


def undone_and_done_again(world: World, operation: Callable[[Scene], Edit]) -> None:
    history = world.do(operation(world.scene))
    world.scene.bounds()
    history.undo()
    _ = world.scene.index
    history.redo()


def moved(scene: Scene) -> Edit:
    return editing.transform(scene, scene.ids[[0, 2, 5, 8, 11]], random_affine(np.random.default_rng(3)))


OPERATIONS: dict[str, Callable[[Scene], Edit]] = {
    "move": moved,
    "delete": lambda scene: editing.delete(scene, scene.ids[[2, 8]]),
    "duplicate": lambda scene: editing.duplicate(scene, scene.ids[[1, 8]]),
    "duplicate with meshes": lambda scene: editing.duplicate(scene, scene.ids[[1, 8]], copy_meshes=True),
    "hide": lambda scene: change_nodes(scene, scene.ids[[2, 10]], hidden=True),
    "make unselectable": lambda scene: change_nodes(scene, scene.ids[[2, 10]], unselectable=True),
    "replace mesh": lambda scene: editing.replace_mesh(scene, scene.ids[[1, 8]], 3),
    "reparent": lambda scene: editing.reparent(scene, scene.ids[[2, 8]], int(scene.ids[12])),
    "reparent, moving": lambda scene: editing.reparent(scene, scene.ids[[2]], int(scene.ids[12]), keep_world=False),
    "import": lambda scene: editing.import_content(scene, small_content(np.random.default_rng(1)), Path("small.obj")),
    "merge": lambda scene: editing.merge(scene, scene.ids[[1, 2]]),
    "give a material": lambda scene: change_nodes(scene, scene.ids[:4], material=1),
}

WAYS: dict[str, Callable[[World], object]] = {
    "setters": by_setters,
    "handles": by_handles,
    "turns of setting and asking": by_turns_of_setting_and_asking_for_something_else,
    "set_hidden": lambda world: world.scene.set_hidden(world.few, [True, False, True, False, True]),
    "set_unselectable": lambda world: world.scene.set_unselectable(world.few, True),
    "set_parents": lambda world: world.scene.set_parents([2, 8], [12, -1]),
    "set_meshes": lambda world: world.scene.set_meshes([1, 2, 8], [3, -1, 2]),
    "set_materials": lambda world: world.scene.set_materials(world.few, 1),
    "replace_materials": lambda world: world.scene.replace_materials({0: Material("blue", base_color=(0.0, 0.0, 1.0))}),
    "set_alive": lambda world: world.scene.set_alive([8], False),
    "deleting and reviving": deleting_and_reviving_with_another_mesh,
    "add_node": lambda world: world.scene.add_node("new", mesh=3, parent=2, translation=(0.0, 9.0, 0.0)),
    "add_nodes": many_nodes_at_once,
    "add_nodes that do not live yet": adding_rows_and_then_nodes_of_them,
    "add_content": lambda world: world.scene.add_content(small_content(world.rng), None),
    "add_file": lambda world: add_file(world.scene, world.folder / "a.obj", read_file(world.scene.sources[0])),
    "apply": lambda world: apply(world.scene, moved(world.scene)),
    "gesture, committed": lambda world: by_a_gesture(world, History.commit),
    "gesture, cancelled": lambda world: by_a_gesture(world, History.cancel),
    "reload": lambda world: world.change_file(TOWN.replace("v 1 1 3", "v 1 1 9")),
    "reload beside": reloading_beside,
    "reload, gone and back": reloading_twice,
    "joining": joining_a_file,
    "becoming a file": lambda world: becoming(world, prepares=False, project=False),
    "becoming a prepared file": lambda world: becoming(world, prepares=True, project=False),
    "becoming a project": lambda world: becoming(world, prepares=False, project=True),
    "becoming a prepared project": lambda world: becoming(world, prepares=True, project=True),
    "opening with a journal": opening_with_a_journal,
    "the copy": lambda world: copying_and_changing_both(world, asks_copy=True),
    "delete, made beside and undone": lambda world: world.beside(OPERATIONS["delete"]).undo(),
    "duplicate, made beside and undone": lambda world: world.beside(OPERATIONS["duplicate with meshes"]).undo(),
    "the original of a copy": lambda world: copying_and_changing_both(world, asks_copy=False),
    "index settings": lambda world: by_setters(world) or setattr(world.scene.index, "settings", IndexSettings(2, 5.0)),
}
for name, operation in OPERATIONS.items():
    WAYS |= {
        f"{name}, undone and done again": lambda world, operation=operation: undone_and_done_again(world, operation),
        f"{name}, made beside": lambda world, operation=operation: world.beside(operation),
    }
