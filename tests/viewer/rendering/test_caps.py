"""Pictures of the faces that close objects where a section cuts them open, and clicks on them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from octoscope.scene import Material, MeshData, Scene, Texture
from octoscope.scene.measuring.snapping import FACE, VERTEX
from octoscope.scene.mesh.primitives import sphere
from octoscope.scene.node import NO_TRIANGLE
from octoscope.viewer.frame.section import Section, SectionPlane
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.scenes import (
    BOX_POSITIONS,
    BOX_TRIANGLES,
    SIZE,
    add_box_mesh,
    at,
    box_scene,
    flat_view,
    picture,
    view_of,
)


def box_of_50(offset: float = 0.0) -> View:
    scene = Scene()
    material = scene.add_material(Material("red", base_color=(0.9, 0.1, 0.1), specular=0.0))
    mesh = add_box_mesh(scene, material)
    scene.add_node("box", mesh=mesh, scale=(50.0, 50.0, 50.0), translation=np.full(3, offset))
    scene.update_world()
    view = flat_view(scene)
    view.camera = replace(view.camera, pivot=np.full(3, offset))
    return view


@pytest.mark.parametrize("offset", (0.0, 1e6))
def test_a_cut_box_shows_a_filled_face_in_its_colour_of_its_size(renderer: Renderer, offset: float) -> None:
    view = box_of_50(offset)
    view.settings.section = Section((SectionPlane.across((0.0, 0.0, -1.0), -offset),))
    cut = picture(renderer, view)
    view.settings.section = Section((SectionPlane.across((0.0, 0.0, -1.0), -(offset - 100.0)),))
    empty = picture(renderer, view)
    covered = (cut != empty).any(axis=2)
    assert covered.sum() == 50 * 50
    face = cut[covered].astype(int)
    assert (face[:, 0] > 3 * face[:, 1]).all() and (face[:, 0] > 60).all()
    whole = flat_view(view.scene)
    whole.camera = view.camera
    assert (face[:, 0] < at(picture(renderer, whole), 0.0, 0.0)[0]).all(), "a little darker than its outside"
    assert len(np.unique(face[:, 0])) > 1, "hatched"


def test_a_normal_map_does_not_bend_the_face(renderer: Renderer) -> None:
    scene = Scene()
    slanting = np.tile(np.array([255, 128, 128, 255], dtype=np.uint8), (4, 4, 1))
    maps = {"normal_texture": Texture(Path("slanting.png"), slanting)}
    mapped, plain = (
        scene.add_material(Material(name, specular=0.0, **more)) for name, more in (("m", maps), ("p", {}))
    )
    corners = np.tile(np.array([(0.3, 0.7)]), (8, 1))
    mesh = MeshData(BOX_POSITIONS, BOX_TRIANGLES, None, np.full(8, mapped), uvs=corners)
    scene.add_node("box", mesh=scene.meshes.add(mesh), scale=(50.0, 50.0, 50.0))
    scene.update_world()
    view = flat_view(scene)
    view.camera = replace(view.camera, orthographic=False, fov_y_rad=0.6)
    view.settings.section = Section.of("z<10")
    bent = picture(renderer, view)
    scene.set_materials([0], plain)
    np.testing.assert_array_equal(bent, picture(renderer, view))


def test_the_face_is_in_the_buffers_with_its_id_depth_and_normal(renderer: Renderer) -> None:
    view = box_of_50()
    view.settings.section = Section.of("z<10")
    buffers = renderer.buffers(view.build_frames(SIZE), SIZE)
    middle = SIZE[1] // 2, SIZE[0] // 2
    camera = view.snapshot.camera
    assert buffers.ids[middle] == 0 and (buffers.ids == 0).sum() == 50 * 50
    depth = camera.axes[2] @ camera.position - 10.0
    np.testing.assert_allclose(buffers.depth[buffers.ids == 0], depth, rtol=1e-5)
    np.testing.assert_allclose(buffers.normals[middle], (0.0, 0.0, 1.0), atol=1e-6)


def test_the_face_is_outlined_with_its_object_and_seen_from_the_front(renderer: Renderer) -> None:
    view = box_of_50()
    view.settings.section = Section.of("z<10")
    view.settings.mode = "facing"
    assert at(picture(renderer, view), 0.0, 0.0).argmax() == 2, "blue"
    view.scene.set_scales([0], np.array([(50.0, -50.0, 50.0)]))
    assert at(picture(renderer, view), 0.0, 0.0).argmax() == 2, "mirrored, too"
    view.settings.mode = "shaded"
    plain = picture(renderer, view)
    view.selection.ids = np.array([0], dtype=np.int32)
    differs = (picture(renderer, view) != plain).any(axis=2)
    assert differs.any() and not differs[40:80, 80:110].any(), "a line around it, nothing inside"


def test_each_of_several_nodes_of_one_mesh_and_glass_have_theirs(renderer: Renderer) -> None:
    scene = Scene()
    mesh = add_box_mesh(scene, scene.add_material(Material("red", base_color=(0.9, 0.1, 0.1), specular=0.0)))
    glass = scene.add_material(Material("glass", base_color=(0.1, 0.9, 0.1), opacity=0.5))
    scene.add_nodes(
        list("abc"),
        mesh=mesh,
        scale=np.full((3, 3), 30.0),
        translation=[(-50.0, 0.0, 0.0), (0.0, 0.0, 0.0), (50.0, 0.0, 0.0)],
        material=[-1, -1, glass],
    )
    scene.update_world()
    view = flat_view(scene)
    view.settings.section = Section.of(["z<1", "x<60"])
    image = picture(renderer, view)
    for x in (-50.0, 0.0):
        assert at(image, x, 0.0)[0] > 3 * at(image, x, 0.0)[1]
    green = at(image, 50.0, 0.0)
    assert green[1] > green[0] and (at(image, 62.0, 0.0) == at(image, 80.0, 0.0)).all()


@pytest.mark.parametrize("orthographic", (False, True))
def test_clicks_agree_with_the_ids_of_a_picture(renderer: Renderer, orthographic: bool) -> None:
    rng = np.random.default_rng(1)
    scene = Scene()
    meshes = [add_box_mesh(scene), scene.meshes.add(sphere())]
    count = 60
    scene.add_nodes(
        [str(i) for i in range(count)],
        mesh=rng.choice(meshes, count),
        translation=rng.normal(0.0, 3.0, (count, 3)),
        rotation=rng.normal(size=(count, 4)),
        scale=rng.choice([-1.0, 1.0], (count, 3)) * rng.uniform(0.5, 3.0, (count, 3)),
    )
    scene.update_world()
    view = view_of(scene, distance=20.0, orthographic=orthographic)
    caps = 0
    for texts in (["x<0.5"], ["1,1,1<1", "z<1"], ["x<2", "x>-2", "y<1", "y>-2", "z<1.5", "z>-3"]):
        view.settings.section = Section.of(texts)
        buffers = renderer.buffers(view.build_frames(SIZE), SIZE)
        snapshot, padded = view.snapshot, np.pad(buffers.ids, 1, mode="edge")
        for column, row in rng.integers(0, SIZE, (400, 2)).tolist():
            point = (column + 0.5) / SIZE[0], (row + 0.5) / SIZE[1]
            around = padded[row : row + 3, column : column + 3]
            hit = snapshot.pick(point)
            if (around != around[0, 0]).any():
                continue
            assert (-1 if hit is None else hit.node.id) == around[0, 0], (texts, column, row)
            if hit is not None and hit.triangle == NO_TRIANGLE:
                caps += 1
                depth = float(snapshot.camera.axes[2] @ (snapshot.camera.position - hit.point))
                assert buffers.depth[row, column] == pytest.approx(depth, rel=1e-4)
                np.testing.assert_allclose(buffers.normals[row, column], hit.normal, atol=1e-4)
                assert snapshot.pick_through(point)[0].node.id == hit.node.id
    assert caps > 40


def test_a_point_of_the_face_can_be_measured() -> None:
    view = View(box_scene())
    view.settings.section = Section.of("z<0.2")
    view.camera = view_of(view.scene, yaw_rad=0.0, pitch_rad=0.0, distance=9.0).camera
    view.build_frames(SIZE)
    hit = view.snapshot.pick((0.5, 0.5))
    np.testing.assert_allclose(hit.point, (0.0, 0.0, 0.2), atol=1e-9)
    found = view.snapshot.snap((SIZE[0] / 2, SIZE[1] / 2), view.snapshot.drawn)
    assert found.kind == FACE
    np.testing.assert_allclose(found.local_point, (0.0, 0.0, 0.2), atol=1e-9)
    (corner,) = view.snapshot.projection.pixels(np.array([(0.5, 0.5, 0.5)]))
    found = view.snapshot.snap(tuple(corner), view.snapshot.drawn)
    assert found.kind != VERTEX and found.point[2] <= 0.2, "that corner is cut away"


def test_faces_follow_what_moves_what_is_hidden_and_what_is_isolated() -> None:
    view = View(box_scene())
    view.settings.section = Section.of("z<0.2")
    view.build_frames(SIZE)
    caps = view.snapshot.caps
    assert caps.nodes.tolist() == [0, 1, 2]
    view.camera = view_of(view.scene, distance=30.0).camera
    view.build_frames(SIZE)
    assert view.snapshot.caps is caps, "a camera changes nothing"
    view.scene.set_hidden([0], True)
    view.build_frames(SIZE)
    assert view.snapshot.caps.nodes.tolist() == [1, 2]
    view.scene.set_translations([1], np.array([(0.0, 0.0, 5.0)]))
    view.build_frames(SIZE)
    assert view.snapshot.caps.nodes.tolist() == [2]
    view.scene.set_translations([1], np.zeros((1, 3)))
    view.selection.ids = np.array([1], dtype=np.int32)
    view.visibility.toggle_isolation(view.selected_ids)
    view.build_frames(SIZE)
    assert view.snapshot.caps.nodes.tolist() == [1]
