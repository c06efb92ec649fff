"""Pictures of scenes that a section cuts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from octoscope.scene import Material, MeshData, Scene
from octoscope.viewer import render, render_buffers
from octoscope.viewer.frame.detail import occlusion_culling
from octoscope.viewer.frame.look.shading import Strokes
from octoscope.viewer.frame.section import NO_SECTION, Section, SectionPlane
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.rendering.test_unoccluded_drawing import with_walls
from tests.viewer.scenes import SIZE, add_box_mesh, at, crowd, flat_view, picture, view_of


def quad_scene(offset: float = 0.0) -> Scene:
    """A red square of 40 units before a green one of 60; both face +z."""
    scene = Scene()
    for name, color, half, z in (("near", (0.9, 0.1, 0.1), 20.0, 5.0), ("far", (0.1, 0.8, 0.1), 30.0, 0.0)):
        material = scene.add_material(Material(name, base_color=color, specular=0.0))
        corners = half * np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)])
        mesh = MeshData(corners, np.array([(0, 1, 2), (0, 2, 3)]), None, np.full(4, material))
        scene.add_node(name, mesh=scene.meshes.add(mesh), translation=np.add((0.0, 0.0, z), offset))
    scene.update_world()
    return scene


@pytest.mark.parametrize("offset", (0.0, 1e6))
def test_what_is_cut_away_shows_what_is_behind_up_to_the_very_pixel(renderer: Renderer, offset: float) -> None:
    view = flat_view(quad_scene(offset))
    view.camera = replace(view.camera, pivot=np.full(3, offset))
    whole = picture(renderer, view)
    view.settings.section = Section((SectionPlane.across((-1.0, 0.0, 0.0), -(offset + 8.0)),))
    cut = picture(renderer, view)
    is_left = np.arange(SIZE[0]) < SIZE[0] // 2 + 8
    np.testing.assert_array_equal(cut[:, is_left], whole[:, is_left])
    assert at(whole, 12.0, 0.0)[0] > 150 and (at(cut, 8.5, 0.0) == at(cut, 80.0, 0.0)).all()
    view.settings.section = Section((SectionPlane.across((0.0, 0.0, -1.0), -(offset + 2.0)),))  # the near one is gone
    gone = picture(renderer, view)
    assert (at(gone, 0.0, 0.0) == at(whole, 25.0, 0.0)).all()
    view.settings.section = NO_SECTION
    np.testing.assert_array_equal(picture(renderer, view), whole)


@pytest.mark.parametrize("width", (1.0, 8.0))
def test_lines_and_points_are_cut_too(renderer: Renderer, width: float) -> None:
    scene = Scene()
    places = np.array([(-50.0, 0.0, 0.0), (50.0, 0.0, 0.0), (-30.0, 30.0, 0.0), (30.0, 30.0, 0.0)])
    mesh = MeshData(
        places,
        np.empty((0, 3), dtype=int),
        None,
        np.zeros(4, dtype=np.int32),
        lines=np.array([(0, 1)]),
        points=np.array([2, 3]),
    )
    scene.add_node("line", mesh=scene.meshes.add(mesh))
    scene.update_world()
    view = flat_view(scene)
    view.settings.strokes = Strokes(line_width=width, point_size=6.0)
    whole = picture(renderer, view)
    view.settings.section = Section.of(["x<10", "x>-40"])
    cut = picture(renderer, view)
    differs = (whole != cut).any(axis=2)
    columns = np.flatnonzero(differs.any(axis=0)) - SIZE[0] // 2
    assert set(columns[columns > 0]) <= set(range(10 - 5, 60)) and set(columns[columns < 0]) <= set(range(-60, -40 + 5))
    for x, y, is_left in (
        (-45, 0, False),
        (-35, 0, True),
        (5, 0, True),
        (20, 0, False),
        (-30, 30, True),
        (30, 30, False),
    ):
        same = (at(whole, x, y + 0.5) == at(cut, x, y + 0.5)).all()
        assert same == is_left, (x, y)


def test_depth_ids_and_normals_are_those_of_what_is_left(renderer: Renderer) -> None:
    scene = crowd(120, seed=2)
    for name in ("box 0", "box 1", "box 2"):  # they are flat: rays meet nothing of them
        scene[name].hidden = True
    scene.add_node("large", mesh=add_box_mesh(scene), scale=(5.0, 6.0, 7.0))  # which is cut open
    view = view_of(scene, distance=20.0)
    facing = SectionPlane.through(np.zeros(3), -view.camera.axes[2])
    view.settings.section = Section((facing, *Section.of("x>-9").planes))
    buffers = renderer.buffers(view.build_frames(SIZE), SIZE)
    camera = view.snapshot.camera
    seen = differ = 0
    for row, column in np.ndindex(SIZE[1] // 4, SIZE[0] // 4):
        row, column = 4 * row + 1, 4 * column + 2
        hits = []
        for shift in (0.0, -0.02, 0.02):
            place = (column + 0.5 + shift) / SIZE[0], (row + 0.5 + shift) / SIZE[1]
            hits.append(view.snapshot.nearest_triangle(place, view.snapshot.drawn))
        if len({hit and (hit.node.id, hit.triangle) for hit in hits}) > 1:
            continue
        hit = hits[0]
        assert buffers.ids[row, column] == (-1 if hit is None else hit.node.id)
        if hit is not None:
            seen += 1
            depth = float(camera.axes[2] @ (camera.position - hit.point))
            assert buffers.depth[row, column] == pytest.approx(depth, rel=1e-3)
            whole = scene.raycast(*camera.ray_through(place, SIZE[0] / SIZE[1]))
            differ += whole is None or (whole.node.id, whole.triangle) != (hit.node.id, hit.triangle)
    assert seen > 100 and differ > 20


def test_what_is_cut_away_hides_nothing(renderer: Renderer, monkeypatch: pytest.MonkeyPatch) -> None:
    renderer.passes.times = replace(renderer.passes.times, fewest_culled=0.0)
    monkeypatch.setattr(occlusion_culling, "_RESTED_FRAMES", 0)
    scene = with_walls(crowd(200, seed=4), 12, seed=4)
    view = View(scene, occlusion_culling=True)
    view.camera = view_of(scene, distance=30.0).camera
    rng = np.random.default_rng(0)
    for section in (NO_SECTION, Section.of("z<6"), Section.of("z<2"), Section.of(["z<-1", "x>-3"]), NO_SECTION):
        view.settings.section = section
        for _ in range(2):
            view.settings.occlusion_culling = True
            culled = picture(renderer, view)
            view.settings.occlusion_culling = False
            np.testing.assert_array_equal(culled, picture(renderer, view))
        view.camera = view_of(scene, distance=30.0, yaw_rad=rng.uniform(-1.0, 1.0)).camera


def test_the_outline_goes_around_what_is_left(renderer: Renderer) -> None:
    view = flat_view(quad_scene())
    view.settings.section = Section.of("x<8")
    plain = picture(renderer, view)
    view.selection.ids = np.array([0], dtype=np.int32)
    outlined = picture(renderer, view)
    columns = np.flatnonzero((plain != outlined).any(axis=2).any(axis=0)) - SIZE[0] // 2
    assert columns.max() in range(8, 14) and columns.min() in range(-26, -19)


@pytest.mark.parametrize("mode", ("clay", "normals", "objects", "depth", "facing", "xray", "matcap", "uv", "wireframe"))
def test_every_mode_is_cut(renderer: Renderer, mode: str) -> None:
    scene = Scene()
    scene.add_node("box", mesh=add_box_mesh(scene), scale=(40.0, 40.0, 40.0))
    scene.update_world()
    view = flat_view(scene)
    view.settings.mode = mode
    whole = picture(renderer, view)
    view.settings.section = Section.of("x<0")
    cut = picture(renderer, view)
    view.settings.section = Section.of("x<-100")
    empty = picture(renderer, view)
    right = np.s_[:, SIZE[0] // 2 + 1 :]
    np.testing.assert_array_equal(cut[right], empty[right])
    if mode not in ("depth", "xray"):  # whose picture depends on what else is seen
        left = np.s_[:, : SIZE[0] // 2 - 1]
        np.testing.assert_array_equal(cut[left], whole[left])
    assert (cut != empty).any()


def test_scripts_give_planes_as_texts() -> None:
    scene = quad_scene()
    camera = flat_view(scene).camera
    whole, cut = (np.asarray(render(scene, SIZE, camera=camera, grid=False, section=each)) for each in ((), "x<8"))
    assert (at(cut, 0.0, 0.0) == at(whole, 0.0, 0.0)).all() and (at(cut, 12.0, 0.0) != at(whole, 12.0, 0.0)).any()
    ids = render_buffers(scene, SIZE, camera=camera, section=["x<8", "z<2"]).ids
    assert sorted(np.unique(ids).tolist()) == [-1, 1]
    with pytest.raises(ValueError, match="plane of a section"):
        render(scene, SIZE, section="sideways")
