"""Picking, against a picture in which every node has a colour of its own."""

from __future__ import annotations

import math
from dataclasses import replace

import moderngl
import numpy as np
import pytest

from octoscope.scene import Material, Scene
from octoscope.scene.measuring.snapping import VERTEX
from octoscope.viewer.frame.frame import FrameData
from octoscope.viewer.frame.picking import SNAP_REACH_PX
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.context.reversed_depth import ReversedDepth
from octoscope.viewer.rendering.passes.mesh_drawing import MeshDrawing
from octoscope.viewer.rendering.passes.render_pass import ALL, UNLIT
from tests.cases import quick
from tests.viewer.scenes import add_box_mesh, box_scene, crowd, flat_view, view_of

WINDOW = (320, 200)  # logical pixels
_STEPS = 12  # levels of a channel, far enough apart to survive rounding


def id_picture(ctx: moderngl.Context, frame: FrameData, *elements: str) -> np.ndarray:
    """(height, width) int: the node seen at each pixel's middle, -1 for none; nodes must wear `id_materials`."""
    depth = ReversedDepth(ctx)
    drawing = MeshDrawing(ctx, depth)
    target = ctx.framebuffer([ctx.renderbuffer(frame.size, 4)], depth.texture(frame.size))
    target.use()
    target.clear(1.0, 1.0, 1.0, depth=ReversedDepth.FARTHEST)
    drawing.upload(frame)
    with depth.in_use():
        drawing.draw(frame, frame.visible, replace(UNLIT, elements=elements or ("triangle",)), ALL)
    pixels = np.frombuffer(target.read(components=3, alignment=1), dtype=np.uint8)
    levels = np.round(pixels.reshape(frame.size[1], frame.size[0], 3)[::-1] / 255.0 * _STEPS).astype(int)
    drawing.release()
    ctx.simple_framebuffer((1, 1)).use()  # moderngl would bind a deleted one again
    target.color_attachments[0].release()
    target.depth_attachment.release()
    target.release()
    ids = levels @ np.array([1, _STEPS, _STEPS**2])
    return np.where((levels == _STEPS).all(axis=2), -1, ids)


def give_id_materials(scene: Scene) -> None:
    """Every node a colour that says its id."""
    for node in range(len(scene)):
        digits = np.array([node % _STEPS, node // _STEPS % _STEPS, node // _STEPS**2]) / _STEPS
        scene.set_materials(node, scene.add_material(Material(f"id {node}", base_color=tuple(digits), specular=0.0)))


def colored_crowd(seed: int) -> Scene:
    scene = crowd(300, seed=seed)
    shown = np.flatnonzero(scene.mesh_ids >= 0)
    scene.set_scales(shown, np.where(scene.scales[shown] == 0.0, 0.3, scene.scales[shown]))  # what is flat is not hit
    give_id_materials(scene)
    scene.update_world()
    return scene


def check_clicks(ctx: moderngl.Context, view: View, ratio: int, rng: np.random.Generator, count: int) -> int:
    """Picks at random places agree with the picture drawn; returns how many hit something."""
    size = (WINDOW[0] * ratio, WINDOW[1] * ratio)
    drawn = id_picture(ctx, view.build_frames(size)[0].frame)
    padded = np.pad(drawn, 1, mode="edge")
    hits = disagree = 0
    for x, y in rng.integers(0, WINDOW, (count, 2)).tolist():
        fractions = (x + 0.5) / WINDOW[0], (y + 0.5) / WINDOW[1]  # as viewer.input has them
        hit = view.snapshot.pick(fractions)
        picked = -1 if hit is None else hit.node.id
        column, row = (math.floor(fractions[axis] * size[axis]) for axis in (0, 1))
        around = padded[row : row + 3, column : column + 3]
        assert picked in around, (x, y)
        if ratio == 1:  # the very middle of a pixel
            disagree += picked != drawn[row, column]
        elif (around == around[0, 0]).all():
            assert picked == drawn[row, column]
        hits += picked >= 0
    assert disagree <= count // 500, "but for rounding at edges"
    return hits


@pytest.mark.parametrize("ratio", quick((1, 2), 1))
@pytest.mark.parametrize("orthographic", (False, True))
def test_picks_agree_with_an_id_picture(ctx, ratio, orthographic):
    rng = np.random.default_rng(ratio)
    scene = colored_crowd(ratio)
    view = view_of(scene, distance=22.0, orthographic=orthographic)
    assert check_clicks(ctx, view, ratio, rng, 3000) > 700
    before = set(view.snapshot.visible_ids.tolist())
    shown = np.flatnonzero(scene.mesh_ids >= 0)
    scene.set_hidden(rng.choice(shown, 100, replace=False), True)
    scene.set_hidden([0, 1], True)  # two groups
    assert check_clicks(ctx, view, ratio, rng, 1500) > 150
    assert len(before - set(view.snapshot.visible_ids.tolist())) > 30
    view.selection.ids = rng.choice(shown, 90, replace=False)
    view.visibility.toggle_isolation(view.selected_ids)
    check_clicks(ctx, view, ratio, rng, 700)
    assert 0 < len(view.snapshot.visible_ids) <= 90
    view.visibility.toggle_isolation(view.selected_ids)
    view.visibility.toggle_freeze(view.snapshot.frustum)
    view.camera = view_of(scene, yaw_rad=3.0, distance=60.0).camera
    assert check_clicks(ctx, view, ratio, rng, 1500) > 20
    view.settings.culling = False
    view.visibility.frozen = None
    assert check_clicks(ctx, view, ratio, rng, 700) > 10


def test_a_click_goes_through_what_is_not_selectable_but_the_camera_does_not():
    scene = Scene()
    mesh = add_box_mesh(scene)
    scene.add_nodes(["near", "far"], mesh=mesh, translation=[(0.0, 0.0, 3.0), (0.0, 0.0, 0.0)], unselectable=[1, 0])
    scene.update_world()
    view = view_of(scene, yaw_rad=0.0, pitch_rad=0.0)
    view.build_frames(WINDOW)
    middle = (0.5, 0.5)
    assert view.snapshot.pick(middle).node.name == "far"
    assert [hit.node.name for hit in view.snapshot.pick_through(middle)] == ["far"]
    assert view.snapshot.hit_under(middle).node.name == "near"
    assert view.snapshot.point_under(middle) == pytest.approx((0.0, 0.0, 3.5))
    assert view.snapshot.pick_box((0.0, 0.0), (1.0, 1.0), wholly=False).tolist() == [1]


def test_what_lies_behind_is_listed_once_each_the_nearest_first():
    scene = Scene()
    mesh = add_box_mesh(scene)
    places = [(0.0, 0.0, z) for z in (-4.0, 2.0, 0.0, -2.0, 4.0)]
    scene.add_nodes(list("abcde"), mesh=mesh, translation=places, hidden=[0, 0, 0, 1, 0])
    scene.update_world()
    view = view_of(scene, yaw_rad=0.0, pitch_rad=0.0, distance=20.0)
    view.build_frames(WINDOW)
    hits = view.snapshot.pick_through((0.5, 0.5))
    assert "".join(hit.node.name for hit in hits) == "ebca"
    assert [hit.point[2] for hit in hits] == pytest.approx([4.5, 2.5, 0.5, -3.5])
    assert view.snapshot.pick_through((0.01, 0.01)) == []


def test_what_the_near_and_the_far_plane_cut_away_is_not_picked():
    scene = box_scene()
    view = View(scene)
    view.camera = flat_view(scene).camera
    view.build_frames(WINDOW)
    through_green = (0.5, 0.5)
    assert view.snapshot.pick(through_green).node.name == "green"
    last = view.snapshot
    front, back = last.camera.distance - 0.5, last.camera.distance + 0.5  # depths of the box's sides
    for near, far, is_there in (
        (front - 5.0, front - 1.0, False),
        (front - 5.0, front + 0.1, True),
        (front + 0.1, back + 0.1, True),  # from within
        (front + 0.1, back - 0.1, False),
        (back + 0.1, back + 9.0, False),
    ):
        camera = replace(last.camera, near=near, far=far)
        picture = replace(last, projection=replace(last.projection, camera=camera))
        assert (picture.pick(through_green) is not None) == is_there
        assert (len(picture.pick_through(through_green)) > 0) == is_there


def test_before_the_first_picture_there_is_nothing_to_pick():
    view = view_of(box_scene())
    assert view.snapshot.pick((0.5, 0.5)) is None
    assert view.snapshot.pick_through((0.5, 0.5)) == []
    assert view.snapshot.pick_box((0.0, 0.0), (1.0, 1.0), wholly=False).tolist() == []


@pytest.mark.parametrize("orthographic", (False, True))
def test_a_box_selects_what_the_picture_shows_in_it(ctx, orthographic):
    rng = np.random.default_rng(5)
    scene = colored_crowd(5)
    view = view_of(scene, distance=30.0, orthographic=orthographic)
    drawn = id_picture(ctx, view.build_frames(WINDOW)[0].frame)
    for _ in range(40):
        corners = rng.integers(0, np.array(WINDOW) + 1, (2, 2))
        (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
        begin, end = (tuple((corner / WINDOW).tolist()) for corner in corners)
        touching = view.snapshot.pick_box(begin, end, wholly=False)
        wholly = view.snapshot.pick_box(begin, end, wholly=True)
        seen_in_it = np.unique(drawn[top:bottom, left:right])
        assert set(seen_in_it.tolist()) - {-1} <= set(touching.tolist())
        outside = drawn.copy()
        outside[top:bottom, left:right] = -1
        assert not set(np.unique(outside).tolist()) & set(wholly.tolist()), "those have something outside"
        assert set(wholly.tolist()) <= set(touching.tolist())
    everything = view.snapshot.pick_box((0.0, 0.0), (1.0, 1.0), wholly=False)
    assert set(everything.tolist()) <= set(view.snapshot.visible_ids.tolist())


def test_a_box_as_thin_as_a_line_selects_what_it_crosses():
    view = view_of(box_scene(), yaw_rad=0.0, pitch_rad=0.0)
    view.build_frames(WINDOW)
    names = view.scene.names
    assert set(names[view.snapshot.pick_box((0.0, 0.5), (1.0, 0.5), wholly=False)]) == {"red", "green", "blue"}
    assert set(names[view.snapshot.pick_box((0.5, 0.0), (0.5, 1.0), wholly=False)]) == {"green"}


@pytest.mark.parametrize("seed", (0, 1))
def test_the_mouse_snaps_to_the_nearest_visible_vertex_of_any_object_around_it(seed):
    """Against all corners of all boxes; those of boxes that are hardly a pixel wide may be missed."""
    scene = crowd(150, seed=seed)
    view = view_of(scene, yaw_rad=0.3 + seed, pitch_rad=0.2, distance=45.0, orthographic=seed == 1)
    view.build_frames((640, 480))
    picture, positions = view.snapshot, scene.meshes.mesh(0).positions
    matrices = scene.world_from_local[picture.visible_ids]
    corners = (positions @ matrices[:, :3, :3].transpose(0, 2, 1) + matrices[:, None, :3, 3]).reshape(-1, 3)
    pixels = picture.projection.pixels(corners)

    def is_visible(place: int) -> bool:
        origin, direction = picture.projection.ray(tuple(pixels[place]))
        hit = scene.raycast(origin, direction)
        return hit is None or hit.t >= (corners[place] - origin) @ direction * (1.0 - 1e-5)

    wrong = near = 0
    for cursor in np.random.default_rng(seed).uniform((100, 100), (540, 380), (150, 2)):
        distances = np.hypot(*(pixels - cursor).T)
        order = np.argsort(distances)[: (distances <= SNAP_REACH_PX).sum()].tolist()
        nearest = next((distances[place] for place in order if is_visible(place)), np.inf)
        found = picture.snap(tuple(cursor), picture.drawn, (VERTEX,))
        distance = np.inf if found is None else np.hypot(*(picture.projection.pixels(found.point[None])[0] - cursor))
        assert distance >= nearest - 1e-6, "it is seen"
        wrong += distance > nearest + 1e-6
        near += nearest < np.inf
    assert near > 50 and wrong <= 0.06 * near
