"""Pictures of one scene again and again: as those of `render`, with what changed taken to the card and nothing else."""

from __future__ import annotations

import platform
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from typing import get_args

import numpy as np
import pytest
import trimesh

from octoscope.octree import Frustum
from octoscope.scene import Scene
from octoscope.viewer import Canvas, render, render_buffers
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.camera.views import VIEWS, ViewName
from octoscope.viewer.frame.instances import Instances
from octoscope.viewer.frame.look.backdrop import Backdrop
from octoscope.viewer.frame.look.shading import MATCAPS, MODES, MatcapName, ModeName
from octoscope.viewer.frame.look.studios import STUDIOS
from octoscope.viewer.rendering.context import shader_library
from octoscope.viewer.rendering.resources.gpu_meshes import GpuMeshes
from octoscope.viewer.rendering.resources.gpu_textures import GpuTextures
from tests.cases import quick
from tests.viewer.scenes import box_scene, everything

SIZE = (96, 64)


def cameras_of(canvas: Canvas, count: int) -> list:
    return [replace(canvas.camera, yaw_rad=0.5 * number) for number in range(count)]


@pytest.mark.parametrize("options", [{}, {"transparent": True, "mode": "edges", "section": "x<1.6", "grid": False}])
def test_pictures_are_those_that_render_draws_whatever_changes_between_them(options) -> None:
    scene = everything()
    with Canvas(scene, SIZE, **options) as canvas:
        assert (np.asarray(canvas.render()) == np.asarray(render(scene, SIZE, **options))).all()
        for number, camera in enumerate(cameras_of(canvas, 4)):
            canvas.camera = camera
            scene["left"].translation = (-1.0 - number, 1.0, 0.5)
            scene["right"].hidden = number == 1
            if number == 2:
                scene.add_node("third", mesh=scene["left"].mesh_id, translation=(0.0, 2.0, 0.0))
            if number in (1, 3):
                scene.set_vertices(scene["left"], scene["left"].mesh.vertices * (1.2, 0.5 * number, 1.0))
                scene["third" if number == 3 else "right"].mesh = trimesh.creation.cone(0.5, number)
            picture, expected = canvas.render(), render(scene, SIZE, camera=camera, **options)
            assert picture.mode == expected.mode and (np.asarray(picture) == np.asarray(expected)).all(), number


def test_a_path_of_cameras_gives_pictures_with_depth_ids_and_normals() -> None:
    scene = everything()
    canvas = Canvas(scene, SIZE, samples=4)
    cameras = cameras_of(canvas, 3)
    for camera, (picture, buffers) in zip(cameras, canvas.along(cameras), strict=True):
        assert canvas.camera.yaw_rad == camera.yaw_rad and picture.size == SIZE
        expected = render_buffers(scene, SIZE, camera=camera)
        for field in fields(expected):
            assert np.array_equal(getattr(buffers, field.name), getattr(expected, field.name)), field.name
    pictures = {np.asarray(picture).tobytes() for picture, _ in canvas.along(cameras)}
    assert len(pictures) == len(cameras)


def test_a_further_picture_takes_to_the_card_what_has_changed_and_nothing_else(monkeypatch) -> None:
    scene, done = everything(), Counter()

    def count(kind: type, name: str) -> None:
        do = getattr(kind, name)
        monkeypatch.setattr(kind, name, lambda *given: (done.update([name]), do(*given))[1])

    count(GpuMeshes, "_write_vertices")
    count(GpuMeshes, "_write_indices")
    count(Instances, "packed")
    count(GpuTextures, "_new_array")
    compiled = []
    build = shader_library._build_program
    monkeypatch.setattr(shader_library, "_build_program", lambda *given: compiled.append(given) or build(*given))
    with Canvas(scene, SIZE) as canvas:
        canvas.render()
        canvas.buffers()
        assert all(done[name] for name in ("_write_vertices", "_write_indices", "packed", "_new_array"))
        done.clear()
        compiled.clear()
        list(canvas.along(cameras_of(canvas, 3)))
        assert not done and not compiled
        scene["left"].translation = (-2.0, 0.0, 0.5)
        canvas.render()
        assert done == {"packed": 1} and not compiled


def test_threads_use_a_canvas_in_turn() -> None:
    canvas = Canvas(box_scene(), SIZE, samples=4)
    expected = np.asarray(canvas.render())
    with ThreadPoolExecutor(3) as threads:
        for picture in threads.map(lambda _: canvas.render(), range(6)):
            assert (np.asarray(picture) == expected).all()


def test_a_canvas_that_was_left_draws_all_the_same() -> None:
    with Canvas(box_scene(), SIZE, samples=4) as canvas:
        before = np.asarray(canvas.render())
    assert (np.asarray(canvas.render()) == before).all()


def test_samples_smooth_edges_and_others_are_refused() -> None:
    colors = {}
    for samples in (1, 4, 16):
        pixels = np.asarray(Canvas(box_scene(), SIZE, samples=samples, grid=False, background="white").render())
        colors[samples] = len(np.unique(pixels.reshape(-1, 3), axis=0))
    assert colors[1] < colors[4] < colors[16]
    with pytest.raises(ValueError, match="1, 4, 16 samples, not 3"):
        Canvas(box_scene(), SIZE, samples=3)


@pytest.mark.parametrize("samples", [1, 4, 16])
@pytest.mark.parametrize("grid", [False, True])
def test_a_background_of_one_colour_is_cleared_to_what_a_quad_would_draw(samples, grid, monkeypatch):
    scene = everything()
    arguments = {"samples": samples, "grid": grid, "background": (0.2, 0.4, 0.6)}
    cleared = np.asarray(Canvas(scene, SIZE, **arguments).render())
    assert (cleared == (51, 102, 153)).all(axis=2).any()
    monkeypatch.setattr(Backdrop, "is_plain", False)
    assert (np.asarray(Canvas(scene, SIZE, **arguments).render()) == cleared).all()


@pytest.mark.parametrize("name", ["eye", "fov", "samples", "width", "depth"])
def test_arguments_that_are_guessed_are_told_what_to_write(name):
    with pytest.raises(TypeError, match=rf"^render\(\) got an unexpected keyword argument '{name}'; "):
        render(Scene(), **{name: 1})
    with pytest.raises(TypeError, match=r"^Camera\(\) got an .* 'eye'; Camera\.looking_at"):
        Camera(eye=(1, 2, 3))


def test_a_light_that_is_none_is_refused():
    with pytest.raises(TypeError, match=r"^light must be a Lighting, as "):
        render(Scene(), light="left")


@pytest.mark.parametrize(
    ("names", "known"), [(VIEWS, ViewName), (MODES, ModeName), (MATCAPS, MatcapName)], ids=["view", "mode", "matcap"]
)
def test_the_types_of_arguments_have_the_names_that_are_accepted(names, known):
    assert tuple(names) == get_args(known)


def test_the_help_of_render_names_all_views_modes_and_environments():
    for name in (*VIEWS, *MODES, *MATCAPS, *STUDIOS):
        assert f'"{name}"' in render.__doc__


@pytest.mark.parametrize(
    ("pair", "says"),
    [
        ({"camera": True, "view": "front"}, "view and orthographic are for pictures without camera="),
        ({"camera": True, "view": "iso"}, "view and orthographic are for pictures without camera="),
        ({"camera": True, "orthographic": True}, "view and orthographic are for pictures without camera="),
        ({"matcap": "gold", "mode": "wireframe"}, "give one of them"),
        ({"transparent": True, "background": "white"}, "give no background"),
    ],
    ids=str,
)
@pytest.mark.parametrize("draw", [render, Canvas])
def test_arguments_of_which_one_would_have_no_effect_are_refused(draw, pair, says):
    if "camera" in pair:
        pair = {**pair, "camera": Camera.looking_at((0, 0, 5), (0, 0, 0))}
    with pytest.raises(ValueError, match=says):
        draw(Scene(), (8, 8), **pair)


def test_a_camera_that_is_not_finite_is_refused():
    with pytest.raises(ValueError, match="finite"):
        Canvas(Scene(), (8, 8), camera=Camera(np.zeros(3), distance=np.inf))


def test_the_frustum_of_a_canvass_camera_holds_what_its_pictures_show() -> None:
    scene = everything()
    scene.set_translations(scene.ids, 1e4 * scene.translations[scene.ids])  # farther than a camera sees by itself
    with Canvas(scene, (64, 48)) as canvas:
        seen = set(canvas.buffers().ids.ravel().tolist()) - {-1}
        assert seen and seen <= set(scene.cull(Frustum.from_camera(canvas.camera, 64 / 48)).ids.tolist())


def test_cameras_that_are_made_of_numbers_see_all_that_their_pictures_show() -> None:
    scene = everything()
    with Canvas(scene, (64, 48)) as canvas:
        shown = canvas.camera
    for camera in (replace(shown, distance=50 * shown.distance), Camera(shown.pivot, distance=140)):
        assert len(scene.cull(Frustum.from_camera(camera, 64 / 48))) == len(scene.objects)


# Pages that the system has to fill with zeros, of the fewest pictures of a sphere of 100,000 triangles.
TAKES_MEMORY = """
import resource
import sys
from octoscope.scene import Scene
from octoscope.scene.mesh.primitives import sphere
from octoscope.scene.system.memory import give_back_freed_memory
from octoscope.viewer import Canvas
if sys.argv[1] == "streams":
    give_back_freed_memory()
scene = Scene()
scene.add_node("sphere", mesh=scene.meshes.add(sphere(0.5, 224, 225)))
with Canvas(scene, (16, 9), samples=1, grid=False, background="black") as canvas:
    pages = []
    for _ in range(10):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        canvas.render()
        pages.append(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
print(min(pages))
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other allocators have other ways")
@pytest.mark.parametrize("use", quick(["", "streams"], 1))
def test_the_memory_of_a_picture_is_kept_for_the_next_one(use) -> None:
    done = subprocess.run([sys.executable, "-c", TAKES_MEMORY, use], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 500  # of some 8,000 that a picture takes
