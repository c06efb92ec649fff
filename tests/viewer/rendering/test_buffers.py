"""Depth, ids and normals at every pixel, judged by rays through the middles of the pixels."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

from octoscope.scene import Material, Scene
from octoscope.scene.mesh.primitives import sphere
from octoscope.viewer import render, render_buffers
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.buffers import Buffers
from octoscope.viewer.rendering.renderer import Renderer
from tests.cases import quick
from tests.viewer.scenes import SIZE, add_mesh, add_quad, crowd, flat_view, view_of


def buffers_of(renderer: Renderer, view: View, size: tuple[int, int] = SIZE) -> Buffers:
    return renderer.buffers(view.build_frames(size), size)


def test_a_mask_is_of_all_that_is_below_a_node() -> None:
    scene = crowd(40, seed=1)
    group = scene.add_node("group")
    scene.set_parents(scene["box 0"], scene.objects[5])
    scene.set_parents(scene.objects[5:20], group)
    buffers = render_buffers(scene, SIZE)
    assert not (buffers.ids == group.id).any()
    objects = [node.id for node in group.descendants]
    np.testing.assert_array_equal(buffers.mask(group), np.isin(buffers.ids, objects))
    np.testing.assert_array_equal(buffers.mask(scene[objects]), buffers.mask(group))
    assert 0 < buffers.mask(group).sum() < (buffers.ids >= 0).sum()
    with pytest.raises(TypeError, match="nodes must be a Node or a Nodes"):
        buffers.mask(group.id)
    other = scene.copy()
    for nodes in (other[group.id], other[objects]):
        with pytest.raises(ValueError, match="another scene"):
            buffers.mask(nodes)
    again = pickle.loads(pickle.dumps(buffers))  # as workers of other processes return them
    np.testing.assert_array_equal(again.mask(group), buffers.mask(group))


@pytest.mark.parametrize("seed", quick(range(3), 1))
@pytest.mark.parametrize("orthographic", (False, True))
def test_buffers_are_what_rays_through_the_middles_of_pixels_hit(
    renderer: Renderer, seed: int, orthographic: bool
) -> None:
    rng = np.random.default_rng(seed)
    scene = crowd(150, seed=seed)
    for name in ("box 0", "box 1", "box 2"):  # they are flat: rays meet nothing of them
        scene[name].hidden = True
    view = view_of(scene, distance=20.0, yaw_rad=rng.uniform(-3, 3), pitch_rad=rng.uniform(-1, 1))
    view.camera = replace(view.camera, orthographic=orthographic)
    buffers = buffers_of(renderer, view)
    camera = view.snapshot.camera
    hits = 0
    for row, column in np.ndindex(SIZE[1] // 4, SIZE[0] // 4):
        row, column = 4 * row + 1, 4 * column + 2
        seen = []
        for shift in (0.0, -0.02, 0.02):  # a border that is nearer to the middle than this may go either way
            place = (column + 0.5 + shift) / SIZE[0], (row + 0.5 + shift) / SIZE[1]
            seen.append(scene.raycast(*camera.ray_through(place, SIZE[0] / SIZE[1])))
        if len({hit and (hit.node.id, hit.triangle) for hit in seen}) > 1:
            continue
        hit, pixel = seen[0], (row, column)
        assert buffers.ids[pixel] == (-1 if hit is None else hit.node.id)
        if hit is None:
            assert np.isinf(buffers.depth[pixel]) and (buffers.normals[pixel] == 0.0).all()
            continue
        hits += 1
        depth = camera.axes[2] @ (camera.position - hit.point)
        towards = abs(hit.normal @ (camera.position - hit.point)) / np.linalg.norm(camera.position - hit.point)
        assert abs(buffers.depth[pixel] - depth) < 1e-6 * np.linalg.norm(camera.position - hit.point) / max(
            towards, 0.01
        )
        side = np.sign(hit.normal @ (camera.axes[2] if orthographic else camera.position - hit.point))
        if towards > 0.05:
            assert np.abs(buffers.normals[pixel] - side * hit.normal).max() < 5e-3
    assert hits > 100


def test_buffers_have_smooth_normals_unless_the_view_is_flat(renderer: Renderer) -> None:
    scene = Scene()
    scene.add_node("ball", mesh=scene.meshes.add(sphere(20.0, 16, 8)), translation=(0.5, -0.5, 0.0))
    scene.update_world()
    view = flat_view(scene)
    for is_flat in (False, True):
        view.settings.is_flat = is_flat
        normals = buffers_of(renderer, view).normals
        inside = normals.any(axis=2)
        assert np.abs(np.linalg.norm(normals[inside], axis=1) - 1.0).max() < 1e-5
        directions = len(np.unique(normals[inside].round(3), axis=0))
        assert directions < 100 if is_flat else directions > 500
        assert (normals[inside][:, 2] > 0.0).all(), "all face the camera"


def test_buffers_see_glass_lines_and_points_and_nothing_that_is_hidden(renderer: Renderer) -> None:
    scene = Scene()
    glass = scene.add_material(Material("glass", opacity=0.1))
    pane = scene.add_node("pane", mesh=add_quad(scene, 20.0, glass))
    wall = scene.add_node("wall", mesh=add_quad(scene, 40.0), translation=(0.0, 0.0, -10.0))
    ends = [(-60.0, 30.5, 5.0), (60.0, 30.5, 5.0)]
    wire = scene.add_node("wire", mesh=add_mesh(scene, ends, lines=np.array([(0, 1)]), points=np.array([0])))
    scene.update_world()
    view = flat_view(scene)
    buffers = buffers_of(renderer, view)
    middle = SIZE[1] // 2, SIZE[0] // 2
    line = middle[0] - 31, middle[1] + 50
    assert buffers.ids[middle] == pane.id and buffers.ids[line] == wire.id
    assert buffers.ids[middle[0] - 31, middle[1] - 60] == wire.id, "its point"
    assert (buffers.normals[line] == 0.0).all() and buffers.depth[middle] - buffers.depth[line] == pytest.approx(5.0)
    pane.hidden = True
    behind = buffers_of(renderer, view)
    assert behind.ids[middle] == wall.id and behind.depth[middle] - buffers.depth[middle] == pytest.approx(10.0)


def test_several_viewports_are_put_beside_each_other(renderer: Renderer) -> None:
    view = view_of(crowd(40, seed=3), distance=25.0)
    view.layout.set_count(4)
    parts = view.build_frames(SIZE)
    whole = renderer.buffers(parts, SIZE)
    assert repr(whole) == f"Buffers({SIZE[0]} x {SIZE[1]} pixels)"
    for part in parts:
        alone = renderer.buffers([replace(part, corner=(0, 0))], part.frame.size)
        (x, y), (width, height) = part.corner, part.frame.size
        assert (whole.ids[y : y + height, x : x + width] == alone.ids).all() and (alone.ids >= 0).any()


def test_reading_buffers_leaves_the_picture_as_it_is(renderer: Renderer) -> None:
    view = view_of(crowd(40, seed=3), distance=25.0)
    renderer.render(view.build_frames(SIZE)[0].frame)
    before = renderer.picture.read()
    buffers_of(renderer, view)
    assert renderer.picture.read() == before
    renderer.render(view.build_frames(SIZE)[0].frame)
    assert renderer.picture.read() == before


def test_a_script_gets_buffers_of_the_picture_that_it_gets() -> None:
    scene = Scene()
    node = scene.add_node("ball", mesh=scene.meshes.add(sphere()))
    buffers = render_buffers(scene, (64, 48), view="front")
    assert buffers.depth.shape == buffers.ids.shape == (48, 64) and buffers.normals.shape == (48, 64, 3)
    assert (buffers.depth.dtype, buffers.ids.dtype, buffers.normals.dtype) == (np.float32, np.int32, np.float32)
    assert (np.isfinite(buffers.depth) == (buffers.ids == node.id)).all() and buffers.ids[24, 32] == node.id
    nothing = np.asarray(render(Scene(), (64, 48), grid=False))
    seen = (np.asarray(render(scene, (64, 48), view="front", grid=False)) != nothing).any(axis=2)
    assert (seen[buffers.ids >= 0]).all() and np.count_nonzero(seen & (buffers.ids < 0)) < 200
    with pytest.raises(ValueError, match="view must be 'iso', "):
        render_buffers(scene, view="inside")
