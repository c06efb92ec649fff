"""Pictures without the back faces that nobody can see, against pictures with them."""

from __future__ import annotations

import math
from dataclasses import replace

import moderngl
import numpy as np
import pytest

from octoscope.scene import Material, MeshData, Scene
from octoscope.scene.mesh.primitives import sphere
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.frame import frame_builder
from octoscope.viewer.frame.detail import back_face_culling
from octoscope.viewer.frame.quality import QUALITIES
from octoscope.viewer.frame.section import Section
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.context.offscreen import image_of
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.scenes import BOX_POSITIONS, BOX_TRIANGLES, SIZE, add_box_mesh, add_quad, crowd, picture, view_of

_MOST_DIFFERENT = 2e-3  # share of pixels: at silhouettes rounding decides whether a front or a back face is nearer
# The same of several samples where fragments write their depths: all samples of a pixel have the one of its middle, and
# back faces are nearer by mistake.
_MOST_OF_SAMPLES = 3e-2


def everything(seed: int) -> Scene:
    """Closed objects, mirrored and flat ones; the same inside out, without a side, and smooth; squares and glass."""
    scene = crowd(60, seed=seed)
    rng = np.random.default_rng(seed)
    red = scene.add_material(Material("red", base_color=(0.8, 0.1, 0.1)))
    meshes = [
        scene.meshes.add(MeshData(BOX_POSITIONS, triangles, None, np.full(8, red)))
        for triangles in (BOX_TRIANGLES[:, ::-1], BOX_TRIANGLES[2:])
    ]
    meshes += [scene.meshes.add(sphere(0.5, 16, 9)), add_quad(scene, 0.5, red)]
    meshes.append(add_box_mesh(scene, scene.add_material(Material("glass", opacity=0.5))))
    scene.add_nodes(
        ["other"] * 60,
        mesh=rng.choice(meshes, 60),
        translation=rng.normal(0.0, 8.0, (60, 3)),
        rotation=rng.normal(size=(60, 4)),
        scale=rng.lognormal(0.3, 0.5, (60, 3)) * rng.choice((-1.0, 1.0), (60, 3)),
    )
    scene.update_world()
    return scene


def cameras(count: int, seed: int) -> list[Camera]:
    """Most of them inside of something, or with a near plane that cuts something."""
    rng = np.random.default_rng(seed)
    return [
        Camera(
            rng.normal(0.0, 3.0, 3),
            yaw_rad=float(rng.uniform(-math.pi, math.pi)),
            pitch_rad=float(rng.uniform(-1.5, 1.5)),
            distance=float(np.exp(rng.uniform(-1.0, 4.0))),
            orthographic=bool(rng.random() < 0.3),
        )
        for _ in range(count)
    ]


def share_that_differs(renderer: Renderer, view: View, draw: str = "render") -> tuple[float, int]:
    """Return the share of the pixels that differ without back faces, and how many objects lack them."""
    images, counts = [], []
    for culls in (True, False):
        with pytest.MonkeyPatch.context() as patch:
            if not culls:
                patch.setattr(frame_builder, "_culls_backs_for", lambda *_: None)
            frames = view.build_frames(SIZE)
            if draw == "refined":
                renderer.render_best(view.with_occluders(frames), SIZE)
            else:
                renderer.render_parts(frames, SIZE, QUALITIES[int(draw)])
        counts.append(frames[0].frame.visible.back_culled_count)
        images.append(image_of(renderer.picture).astype(int))
    assert counts[1] == 0
    differs = np.abs(images[0] - images[1]).max(axis=2) > (8 if draw == "refined" else 0)
    return float(differs.mean()), counts[0]


@pytest.mark.parametrize("indirect", (True, False), ids=("indirect", "a call each"))
def test_from_wherever_they_are_seen_pictures_show_the_same(ctx: moderngl.Context, indirect: bool) -> None:
    renderer = Renderer(ctx, indirect=indirect)
    culled = 0
    for seed in range(3):
        view = view_of(everything(seed))
        for camera in cameras(6, seed):
            view.camera = camera
            different, count = share_that_differs(renderer, view, "1")
            assert different < _MOST_DIFFERENT
            culled += count
    assert culled > 100


@pytest.mark.parametrize("draw", ("0", "2", "refined"))
@pytest.mark.parametrize("mode", ("shaded", "xray", "clay", "normals", "facing", "wireframe"))
def test_every_quality_and_mode_shows_the_same(renderer: Renderer, draw: str, mode: str) -> None:
    view = view_of(everything(5), distance=30.0)
    view.settings.mode = mode
    different, count = share_that_differs(renderer, view, draw)
    is_written = "FRAGMENT_DEPTH" in renderer.passes.depth.defines
    assert different < (_MOST_OF_SAMPLES if is_written and draw != "2" else _MOST_DIFFERENT)
    assert (count > 10) == (mode not in ("xray", "facing", "wireframe"))


def test_a_section_shows_the_back_faces_of_what_it_cuts_open(renderer: Renderer) -> None:
    view = view_of(everything(6), distance=30.0)
    view.settings.section = Section.of("x<0.5")
    assert share_that_differs(renderer, view, "1") == (0.0, 0)


def test_from_inside_of_a_box_its_walls_are_seen(renderer: Renderer) -> None:
    scene = Scene()
    scene.add_node("room", mesh=add_box_mesh(scene), scale=(20.0, 20.0, 20.0))
    scene.update_world()
    view = view_of(scene, distance=2.0)
    view.settings.show_grid = False
    assert view.build_frames(SIZE)[0].frame.visible.back_culled_count == 0
    empty = view_of(Scene(), distance=2.0)
    empty.settings.show_grid = False
    assert (picture(renderer, view) != picture(renderer, empty)).any(axis=2).all()


def test_a_box_is_drawn_with_its_backs_when_it_opens_is_mirrored_or_comes_before_the_near_plane() -> None:
    scene = Scene()
    node = scene.add_node("box", mesh=add_box_mesh(scene))
    scene.update_world()
    view = view_of(scene, distance=10.0)

    def count() -> int:
        scene.update_world()
        return view.build_frames(SIZE)[0].frame.visible.back_culled_count

    assert count() == 1
    node.scale = (-1.0, 1.0, 1.0)
    assert count() == 0
    node.scale = (-1.0, -1.0, 1.0)
    assert count() == 1
    view.camera = replace(view.camera, distance=0.6)
    assert count() == 0
    view.camera = replace(view.camera, distance=10.0)
    node.scale = (0.0, 1.0, 1.0)
    assert count() == 0, "it has no inside"
    node.scale = (1.0, 1.0, 1.0)
    assert count() == 1
    view.settings.culls_back_faces = False
    assert count() == 0, "who turns culling off sees both sides of everything"
    view.settings.culls_back_faces = True
    scene.add_node("square", mesh=add_quad(scene, 1.0))
    assert count() == 1 and view.build_frames(SIZE)[0].frame.visible.count == 2


def test_meshes_of_a_large_scene_are_found_in_the_course_of_several_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = crowd(30, seed=1)
    monkeypatch.setattr(back_face_culling, "_AT_ONCE", 2 * len(BOX_TRIANGLES))
    view = view_of(scene, distance=40.0)
    counts = [view.build_frames(SIZE)[0].frame.visible.back_culled_count for _ in range(3)]
    assert 0 < counts[0] < counts[1] == counts[2]


def test_meshes_of_very_many_triangles_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene()
    for number, mesh in enumerate((add_box_mesh(scene), scene.meshes.add(sphere(0.5, 16, 9)), add_box_mesh(scene))):
        scene.add_node("each", mesh=mesh, translation=(2.0 * number - 2.0, 0.0, 0.0))
    scene.update_world()
    for most, count in ((1_000, 3), (len(BOX_TRIANGLES), 2), (1, 0)):
        monkeypatch.setattr(back_face_culling, "_MOST_TRIANGLES", most)
        assert view_of(scene, distance=40.0).build_frames(SIZE)[0].frame.visible.back_culled_count == count


def test_where_closed_and_open_meshes_alternate_draws_are_not_divided(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene()
    for number in range(6):
        mesh = add_quad(scene, 0.5) if number % 2 else add_box_mesh(scene)
        scene.add_node("each", mesh=mesh, translation=(2.0 * number - 5.0, 0.0, 0.0))
    scene.update_world()
    for most, commands in ((5, 6), (4, 1)):
        monkeypatch.setattr(back_face_culling, "_MOST_CHANGES", most)
        draws = view_of(scene, distance=40.0).build_frames(SIZE)[0].frame.visible
        assert len(draws.commands["triangle"]) == commands
        assert draws.back_culled_count == (3 if commands == 6 else 0)
