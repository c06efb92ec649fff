"""Functions of the API in a loop keep nothing: memory, Python objects, threads, GL names, file descriptors.

Windows are opened and closed in a loop in tests/viewer/windows/test_loops.py.
"""

from __future__ import annotations

import gc
import inspect
import re
import sys
import weakref
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from importlib.util import find_spec
from pathlib import Path

import moderngl
import numpy as np
import pytest

import octoscope
from octoscope import (
    Camera,
    Canvas,
    Embedded,
    Frustum,
    Hit,
    LeafOctree,
    Lighting,
    LinearOctree,
    LoadReport,
    Material,
    Mesh,
    MeshData,
    Node,
    Nodes,
    Octree,
    Scene,
    Texture,
    check_meshes,
    editing,
    find_overlaps,
    load,
    measure,
    open_project,
    read_obj,
    render,
    render_buffers,
    save,
    save_project,
    world_light,
    write_glb,
    write_obj,
    write_ply,
    write_stl,
)
from octoscope.scene.history.history import History
from octoscope.viewer.rendering import stills
from octoscope.viewer.rendering.context.offscreen import create_context, offscreen_thread
from tests.viewer.app.counting import Counts, counts, kept_by
from tests.viewer.rendering.gl_objects import count_gl_objects
from tests.viewer.scenes import BOX_POSITIONS, BOX_TRIANGLES, box_scene, everything

HAS_OCTREE = find_spec("octoscope.viewer.features.octree_view") is not None  # else it was taken away
SIZE = (48, 32)
CALLS = 10
MOST_KEPT_BYTES = 20_000  # by a call: what was kept before was 65,000
CONTEXT_BYTES = 60_000  # that moderngl keeps of each context: names and addresses of OpenGL's functions
MAKES_CONTEXTS = {"scenes in the picture of a program"}
MANY_CALLS, MOST_KEPT_BYTES_OF_MANY = 500, 1_000
ROUNDS = 8  # in one of which nothing must be kept: what is kept is kept in each

# Kept out of the short run: they do what others of it do.
ALIKE = {"render", "render other sizes", "render other scenes", "render in other light", "render without shadows"}
ALIKE |= {"a picture in a notebook", "rays", "save_project", "write_glb", "write_stl"}

NOT_COUNTED = ("Bookmark", "Control", "Problem", "ShownScene")  # values that a call returns


@pytest.fixture(scope="module", autouse=True)
def heap_of_these_tests():
    """Leave what earlier tests have kept out of the collections here, each of which would take half a second."""
    gc.collect()
    gc.freeze()


Call = Callable[[Scene, Path, int], object]
LOOPS: dict[str, Call] = {
    "render": lambda scene, path, number: render(scene, SIZE),
    "render other sizes": lambda scene, path, number: render(scene, (48 + number % 3, 32)),
    "render other scenes": lambda scene, path, number: render(box_scene(), SIZE),
    "render with all there is": lambda scene, path, number: render(
        scene, SIZE, octree=HAS_OCTREE, edges=True, section="x<0", transparent=True
    ),
    "render in other light": lambda scene, path, number: render(
        scene, SIZE, camera=Camera(np.zeros(3), yaw_rad=0.1 * number), light=world_light(10.0 * number, 40.0)
    ),
    "render without shadows": lambda scene, path, number: render(scene, SIZE, light=Lighting(has_shadow=False)),
    "render_buffers": lambda scene, path, number: render_buffers(scene, SIZE),
    "canvases": lambda scene, path, number: Canvas(scene, SIZE, samples=4).render(),
    "scenes in the picture of a program": lambda scene, path, number: embedded(scene, number),
    "one canvas": lambda scene, path, number: turned(canvas_of(scene), number),
    "a picture in a notebook": lambda scene, path, number: scene._repr_png_(),
    "load": lambda scene, path, number: isinstance(load([path]).report, LoadReport),
    "load what is missing": lambda scene, path, number: refused(load, path.with_name("nothing.obj")),
    "read_obj": lambda scene, path, number: read_obj(path.with_suffix(".obj")),
    "write_glb": lambda scene, path, number: write_glb(scene, path.with_name("written.glb")),
    "write_obj": lambda scene, path, number: write_obj(scene, path.with_name("written.obj")),
    "write_ply": lambda scene, path, number: write_ply(scene, path.with_name("written.ply")),
    "write_stl": lambda scene, path, number: write_stl(scene, path.with_name("written.stl")),
    "save_project": lambda scene, path, number: save_project(scene, path.with_name("saved.octo.json")),
    "open_project": lambda scene, path, number: open_project(path.with_name("opened.octo.json")),
    "rays": lambda scene, path, number: scene.raycast((0.0, -9.0, 1.0 + 0.01 * number), (0.0, 1.0, 0.0)),
    "rays and what they hit": lambda scene, path, number: rays(scene, number),
    "measure": lambda scene, path, number: measure(scene, scene["left"]).area,
    "meshes as arrays": lambda scene, path, number: copied(scene["left"].mesh, number),
    "save": lambda scene, path, number: save(scene, path.with_name("written.glb" if number % 2 else "saved.octo.json")),
    "tilesets": lambda scene, path, number: streamed(path),
    "check_meshes": lambda scene, path, number: check_meshes(scene),
    "find_overlaps": lambda scene, path, number: find_overlaps(scene),
    "edits": lambda scene, path, number: edit(scene, number),
    "edits that are undone": lambda scene, path, number: undone(history_of(scene), scene, number),
    "scenes": lambda scene, path, number: made(number),
    "octrees": lambda scene, path, number: octrees(number),
    "one octree": lambda scene, path, number: edited(octree_of(scene), number),
}


@lru_cache(maxsize=1)
def canvas_of(scene: Scene) -> Canvas:
    return Canvas(scene, SIZE)


@lru_cache(maxsize=1)
def framebuffer_of_a_program() -> moderngl.Framebuffer:
    framebuffer = create_context().simple_framebuffer(SIZE)
    framebuffer.use()
    return framebuffer


def embedded(scene: Scene, number: int) -> None:
    framebuffer = framebuffer_of_a_program()
    with framebuffer.ctx, Embedded(scene, samples=4) as view:
        view.draw(framebuffer)
        view.camera = replace(view.camera, yaw_rad=0.1 * number)
        view.draw(framebuffer)


@lru_cache(maxsize=1)
def history_of(scene: Scene) -> History:
    return History(scene)


@lru_cache(maxsize=1)
def octree_of(scene: Scene) -> Octree:
    tree = Octree((0.0, 0.0, 0.0), 10.0)
    tree.insert(np.arange(100), *spheres(0))
    return tree


def refused(function: Callable[..., object], *arguments: object) -> None:
    with pytest.raises(octoscope.ReadError):
        function(*arguments)


def turned(canvas: Canvas, number: int) -> None:
    cameras = [replace(canvas.camera, yaw_rad=0.1 * number), replace(canvas.camera, distance=5.0 + number % 3)]
    assert len(list(canvas.along(cameras))) == 2


def rays(scene: Scene, number: int) -> None:
    hit = scene.raycast((-2.0, 0.0, 50.0), (0.0, 0.0, -1.0))
    assert hit is None or (isinstance(hit, Hit) and isinstance(hit.node, Node))
    scene.raycast_all((0.0, 0.0, 50.0), (0.0, 0.001 * number, -1.0))
    scene.raycast_many(np.zeros((100, 3)), np.ones((100, 3)))
    assert len([node.name for node in Nodes(scene, scene.ids[:2])]) == 2


def edit(scene: Scene, number: int) -> None:
    scene["left"].translation = (-1.0, 0.1 * (number % 10), 0.0)
    scene["right"].hidden = number % 2 == 0
    render(scene, SIZE)


def copied(mesh: Mesh | None, number: int) -> None:
    assert isinstance(mesh, Mesh)
    scene = Scene()
    scene.add_mesh("copy", mesh.vertices * (1.0 + number), mesh.faces)


def streamed(path: Path) -> None:
    tiling = pytest.importorskip("octoscope.scene.tiling.tiling")  # 3D Tiles can be taken away
    folder = path.with_name("tiles")
    if not folder.exists():
        tiling.write_tiles([path], folder)
    tiles = octoscope.open_tileset(folder, budget=1e9)
    assert isinstance(tiles, octoscope.StreamedTiles)
    Canvas(tiles, SIZE).render()


def undone(history: History, scene: Scene, number: int) -> None:
    up = np.eye(4)
    up[1, 3] = 0.01 * number
    ids = [scene["left"].id]
    history.do(editing.transform(scene, ids, up))
    history.undo()
    history.redo()
    history.undo()
    history.do(editing.delete(scene, ids))
    history.undo()
    assert scene.alive[ids].all()


def made(number: int) -> None:
    scene = Scene()
    pixels = np.full((4, 4, 4), number % 256, dtype=np.uint8)
    pixels.flags.writeable = False
    texture = Texture(Path("texture.png"), pixels, is_file=False)
    material = scene.add_material(Material("painted", base_color_texture=texture))
    box = MeshData(BOX_POSITIONS, BOX_TRIANGLES, None, np.zeros(8, dtype=np.int64))
    for x in range(3):
        scene.add_node("box", mesh=scene.meshes.add(box, first_material=material), translation=(float(x), 0.0, 0.0))
    assert scene.bounds() is not None and scene.raycast((0.0, 0.0, 9.0), (0.0, 0.0, -1.0)) is not None


def spheres(number: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(number)
    return rng.uniform(-9.0, 9.0, (100, 3)), rng.uniform(0.1, 1.0, 100)


def octrees(number: int) -> None:
    for tree in (Octree((0, 0, 0), 10.0), LeafOctree((0, 0, 0), 10.0)):
        tree.insert(np.arange(100), *spheres(number))
        queried(tree, number)
    queried(LinearOctree.build(*spheres(number)), number)


def queried(tree: Octree | LinearOctree, number: int) -> None:
    camera = Camera(np.zeros(3), yaw_rad=0.1 * number)
    tree.cull(Frustum.from_matrix(camera.clip_from_relative(1.5), camera.position))
    tree.query_box((-1, -1, -1), (1, 1, 1))
    tree.query_sphere((0, 0, 0), 3.0)
    tree.raycast((-20, 0, 0), (1, 0, 0))
    tree.raycast_nearest((-20, 0, 0), (1, 0, 0))
    tree.pairs()
    tree.contacts()
    tree.cells()


def edited(tree: Octree, number: int) -> None:
    ids = np.arange(100)
    tree.move(ids, *spheres(number))
    tree.remove(ids[number % 50 :: 7])
    queried(tree, number)
    tree.insert(ids[number % 50 :: 7], *(column[number % 50 :: 7] for column in spheres(number)))


def counts_with_card() -> Counts:
    offscreen_thread().call(lambda ctx: None)  # what is to be released is released before this
    gc.collect()
    names = offscreen_thread().call(lambda ctx: sum(count_gl_objects().values()))
    return {"GL names": names, **counts()}


def check(name: str, folder: Path, calls: int, most_kept_bytes: int, rounds: int) -> None:
    scene, path = everything(), folder / "everything.glb"
    write_glb(scene, path)
    write_obj(scene, path.with_suffix(".obj"))
    save_project(everything(), path.with_name("opened.octo.json"))
    call = partial(LOOPS[name], scene, path)
    for number in range(CALLS // 2):
        call(number)
    most_kept_bytes += CONTEXT_BYTES if name in MAKES_CONTEXTS else 0
    allowed = {"objects": CALLS // 2, "bytes": calls * most_kept_bytes}
    kept = kept_by(call, calls, allowed, rounds, counts_with_card)
    assert kept is None, f"{calls} calls keep {kept}"


NEEDS_PROC = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


@NEEDS_PROC
@pytest.mark.parametrize("name", [each for each in LOOPS if each not in ALIKE])
def test_a_call_keeps_nothing(name: str, tmp_path: Path) -> None:
    check(name, tmp_path, 3 * CALLS if name in MAKES_CONTEXTS else CALLS, MOST_KEPT_BYTES, ROUNDS)


@pytest.mark.slow
@NEEDS_PROC
@pytest.mark.parametrize("name", LOOPS)
def test_five_hundred_calls_keep_nothing(name: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(stills, "_NOTEBOOK_SIZE", SIZE)
    check(name, tmp_path, MANY_CALLS, MOST_KEPT_BYTES_OF_MANY, 3)


def test_every_public_name_stands_in_a_loop() -> None:
    """Window and show do in tests/viewer/windows/looped_windows.py; a warning or error is made where it is raised."""
    from tests.viewer.windows import looped_windows

    source = inspect.getsource(sys.modules[__name__]) + inspect.getsource(looped_windows)
    texts = "".join(line for line in source.splitlines(keepends=True) if not re.match(r"from |    \w+,$", line))
    for name in octoscope.__all__:
        value = getattr(octoscope, name)
        if not (isinstance(value, type) and issubclass(value, Exception)) and name not in NOT_COUNTED:
            assert re.search(rf"\b{name}\(|\b{name}\.|\b{name}\)", texts), f"{name} is called in no loop"


def test_a_scene_that_was_drawn_is_freed_with_its_last_name() -> None:
    scene = everything()
    render(scene, SIZE)
    render_buffers(scene, SIZE)
    meshes, gone = weakref.ref(scene.meshes), weakref.ref(scene)
    del scene
    offscreen_thread().call(lambda ctx: None)
    gc.collect()
    assert gone() is None and meshes() is None
