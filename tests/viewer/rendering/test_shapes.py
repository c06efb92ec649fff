"""Boxes, spheres and axes around objects, by where their lines are."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene import Material, Scene
from octoscope.scene.mesh.primitives import cube
from octoscope.viewer.frame.instances import SHAPES, placed_shapes
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.scenes import BOX_POSITIONS, SIZE, at, crowd, flat_view, picture, view_of

TURNED = (0.0, 0.0, np.sin(0.2), np.cos(0.2))  # by 0.4


def box_view() -> View:
    """A black box of 60 x 30 x 10 pixels, turned, in a flat view."""
    scene = Scene()
    black = scene.add_material(Material("black", base_color=(0.0, 0.0, 0.0), specular=0.0, unlit=True))
    mesh = scene.meshes.add(cube())
    scene.add_node("box", mesh=mesh, material=black, scale=(60.0, 30.0, 10.0), rotation=TURNED)
    scene.update_world()
    return flat_view(scene)


def drawn(renderer: Renderer, attribute: str) -> np.ndarray:
    """(height, width, 3) int: what a switch adds to the picture of the box."""
    view = box_view()
    before, calls = picture(renderer, view).astype(int), renderer.draw_calls
    setattr(view.settings, attribute, True)
    after = picture(renderer, view).astype(int)
    assert renderer.draw_calls == calls + 1
    return after - before


def test_a_box_has_the_directions_of_its_object(renderer: Renderer) -> None:
    added = np.abs(drawn(renderer, "show_boxes")).sum(axis=2)
    along, across = np.array([(np.cos(0.4), np.sin(0.4)), (-np.sin(0.4), np.cos(0.4))])
    for share in np.linspace(-0.9, 0.9, 13):
        for place in (30 * share * along + 15 * across, 15 * share * across - 30 * along):
            x, y = np.floor(place).astype(int)
            assert max(at(added[..., None], x + dx, y + dy)[0] for dx in (-1, 0, 1) for dy in (-1, 0, 1)) > 60
    assert at(added[..., None], 3, 3)[0] == 0


def test_a_sphere_holds_all_of_its_object(renderer: Renderer) -> None:
    rows, columns = np.nonzero(np.abs(drawn(renderer, "show_spheres")).sum(axis=2) > 60)
    radius = 60.0 * np.sqrt(0.75)  # of the cube's sphere, by the largest scale
    distances = np.hypot(columns + 0.5 - SIZE[0] / 2, rows + 0.5 - SIZE[1] / 2)
    assert abs(distances.max() - radius) < 1.5 and (np.abs(distances - radius) < 1.5).sum() > 150


def test_axes_begin_at_the_origin_and_are_red_and_green(renderer: Renderer) -> None:
    scene = box_view().scene
    (axes,) = placed_shapes(scene, "axes", np.array([0], dtype=np.int32), np.zeros(3))
    direction = np.array((np.cos(0.4), np.sin(0.4), 0.0))
    assert axes[:3] == pytest.approx(30.0 * np.sqrt(0.75) * direction, rel=1e-6)
    view = flat_view(scene)
    before = picture(renderer, view).astype(int)
    view.settings.show_axes = True
    added = picture(renderer, view).astype(int) - before
    red = added[..., 0] - added[..., 1] > 60
    green = added[..., 1] - added[..., 0] > 60
    for mask, direction in ((red, (np.cos(0.4), -np.sin(0.4))), (green, (-np.sin(0.4), -np.cos(0.4)))):
        rows, columns = np.nonzero(mask)
        places = np.stack([columns + 0.5 - SIZE[0] / 2, rows + 0.5 - SIZE[1] / 2], axis=1)
        assert len(places) > 8
        beside = places @ np.array((direction[1], -direction[0]))
        assert np.abs(beside).max() < 1.6 and (places @ np.array(direction)).min() > -1.6


@pytest.mark.parametrize("offset", (0.0, 1e6))
def test_boxes_and_spheres_hold_every_vertex_wherever_the_scene_is(offset: float) -> None:
    scene = crowd(40, seed=1)
    ids = np.flatnonzero(scene.mesh_ids >= 0).astype(np.int32)
    camera = np.full(3, offset)
    boxes, spheres = (placed_shapes(scene, shape, ids, camera).reshape(-1, 4, 3) for shape in SHAPES[:2])
    for node, box, ball in zip(ids, boxes.astype(float), spheres.astype(float), strict=True):
        vertices = BOX_POSITIONS
        world = np.c_[vertices, np.ones(len(vertices))] @ scene.world_from_local[node].T
        relative = world[:, :3] - camera
        corners = box[3] + np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) @ box[:3]
        far = np.linalg.norm(relative[:, None] - corners[None], axis=2).min(axis=1)
        assert far.max() < 1e-5 * max(1.0, offset), "a box's vertices are its corners"
        assert (np.linalg.norm(relative - ball[3], axis=1) <= ball[0, 0] * (1 + 1e-5) + 1e-6 * offset).all()


def test_what_has_no_mesh_has_no_shape_and_nothing_is_drawn_of_an_empty_scene(renderer: Renderer) -> None:
    scene = Scene()
    scene.add_node("group")
    scene.update_world()
    assert all(len(placed_shapes(scene, shape, np.array([0], dtype=np.int32), np.zeros(3))) == 0 for shape in SHAPES)
    view = view_of(scene)
    before = picture(renderer, view)
    view.settings.show_boxes = view.settings.show_spheres = view.settings.show_axes = True
    assert (picture(renderer, view) == before).all()
