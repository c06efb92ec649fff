"""Several viewports of one scene: each is drawn as if it were alone, culled by its own frustum, and pointed at."""

from __future__ import annotations

from dataclasses import replace

import moderngl
import numpy as np
import pytest

from octoscope.scene import Scene
from octoscope.viewer.camera import controls
from octoscope.viewer.camera.camera import box_corners, view_name, view_title
from octoscope.viewer.commands.menus import view as view_menu
from octoscope.viewer.commands.table import CommandTable
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.log import Log
from octoscope.viewer.frame.points import COUNTS, viewport_rectangles
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.context.offscreen import image_of
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.camera.test_camera import random_camera
from tests.viewer.contexts import context_of
from tests.viewer.scenes import SIZE, box_scene, crowd, picture, street, view_of
from tests.viewer.windows.window_boxes import project


def divided_picture(renderer: Renderer, view: View, size: tuple[int, int]) -> np.ndarray:
    renderer.render_parts(view.build_frames(size), size)
    return np.asarray(image_of(renderer.picture))


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("size", [(640, 480), (641, 479), (3, 3), (2, 2), (1, 1), (1, 500)])
def test_tiles_fill_the_picture_but_for_the_gaps(count: int, size: tuple[int, int]) -> None:
    parts = viewport_rectangles(count, size)
    assert len(parts) == count
    cover = np.zeros(size[::-1], dtype=int)
    for part in parts:
        assert part.width > 0 and part.height > 0
        assert 0 <= part.x <= size[0] - part.width and 0 <= part.y <= size[1] - part.height
        cover[part.y : part.y + part.height, part.x : part.x + part.width] += 1
    if min(size) > 3:
        assert cover.max() == 1, "none lies over another"
        assert (cover == 0).sum() <= 2 * sum(size)
        assert max(part.width for part in parts) - min(part.width for part in parts) <= 1


def test_there_are_one_two_or_four_viewports() -> None:
    with pytest.raises(ValueError, match="1, 2 or 4"):
        viewport_rectangles(3, SIZE)


@pytest.mark.parametrize("size", [(201, 150), (97, 64)])
@pytest.mark.parametrize("count", COUNTS)
def test_each_viewport_shows_what_a_picture_of_its_size_does(
    ctx: moderngl.Context, count: int, size: tuple[int, int]
) -> None:
    scene, rng = crowd(300, seed=1), np.random.default_rng(2)
    view, alone = view_of(scene), view_of(scene)
    for each in (view, alone):
        each.selection.ids = each.index.all_ids()[:5]
        each.settings.show_boxes = each.settings.show_edges = True
    view.layout.set_count(count)
    for number, viewport in enumerate(view.viewports):
        viewport.camera = random_camera(rng, orthographic=number % 4 == 0)
    renderer, other = Renderer(ctx), Renderer(ctx)
    for _ in range(2):  # the second one uses what the first has made
        whole = divided_picture(renderer, view, size)
    assert whole.shape == (size[1], size[0], 3)
    drawn = []
    for viewport, part in zip(view.viewports, viewport_rectangles(count, size), strict=True):
        alone.camera = viewport.camera
        expected = picture(other, alone, part.size)
        assert np.array_equal(whole[part.y : part.y + part.height, part.x : part.x + part.width], expected)
        assert viewport.stats == alone.stats, "culled by its own frustum"
        drawn.append(viewport.stats.drawn)
    assert len(set(drawn)) == count, "the cameras see different things"


def test_a_renderer_draws_whole_and_divided_pictures_of_any_size_in_turn(ctx: moderngl.Context) -> None:
    view, renderer = view_of(box_scene(), distance=9.0), Renderer(ctx)
    view.layout.set_count(4)
    first = divided_picture(renderer, view, (120, 80))
    for count, size in ((1, (120, 80)), (2, (33, 80)), (4, (64, 48)), (1, (64, 48)), (1, (31, 31))):
        view.layout.set_count(count)
        assert divided_picture(renderer, view, size).shape == (size[1], size[0], 3)
    view.layout.set_count(4)
    assert np.array_equal(divided_picture(renderer, view, (120, 80)), first)


def test_the_world_and_the_octree_are_brought_up_to_date_once_for_all(ctx: moderngl.Context) -> None:
    scene = box_scene()
    view = view_of(scene, distance=9.0)
    view.layout.set_count(4)
    view.build_frames(SIZE)
    scene["red"].translation = (50.0, 0.0, 0.0)
    view.build_frames(SIZE)
    assert not scene.is_stale
    assert view.viewports[0].stats.drawn == 2, "the moved one is out of the perspective's sight"


def test_viewports_begin_at_the_pivot_and_look_along_the_axes() -> None:
    view = view_of(box_scene(), distance=7.0, pivot=np.array((1.0, 2.0, 3.0)))
    first = view.camera
    view.layout.set_count(4)
    assert view.viewports[0].camera is first
    assert [view_name(viewport.camera) for viewport in view.viewports] == ["iso", "top", "front", "right"]
    assert all(np.array_equal(viewport.camera.pivot, first.pivot) for viewport in view.viewports)
    assert [viewport.camera.orthographic for viewport in view.viewports] == [False, True, True, True]


def test_one_viewport_is_the_active_one_and_the_others_come_back_as_they_were() -> None:
    view = view_of(box_scene())
    view.layout.set_count(4)
    view.active = view.viewports[2]
    view.camera = replace(view.camera, distance=3.0)
    four = view.viewports
    view.layout.set_count(1)
    assert view.viewports == (four[2],) and view.camera.distance == 3.0
    view.layout.set_count(2)
    assert view.viewports == four[:2] and view.active is four[0], "the active one is always shown"
    view.layout.set_count(4)
    assert view.viewports == four


def test_a_viewport_is_maximised_and_those_that_there_were_come_back() -> None:
    view = View(box_scene())
    view.layout.set_count(2)
    right = view.viewports[1]
    view.layout.maximise(right)
    assert view.viewports == (right,) and view.active is right
    view.layout.maximise()
    assert len(view.viewports) == 2 and view.active is right and view.viewports[1] is right
    view.layout.maximise()
    assert view.viewports == (right,), "the one that is worked in"
    undivided = View(box_scene())
    undivided.layout.maximise()
    assert len(undivided.viewports) == 4, "there is nothing to come back to yet"


def test_the_viewport_under_the_mouse_is_the_one_that_is_maximised() -> None:
    view = View(box_scene())
    context = context_of(Editor(view, Log()), (200.0, 100.0))
    steering = context.tools.camera
    view.layout.set_count(4)
    view.build_frames((200, 100))
    command = CommandTable(view_menu.command.bound_to(context))["view.maximise"]
    steering.pointer = view.locate((180.0, 90.0))
    last = view.viewports[3]
    command.run()
    assert view.viewports == (last,)
    command.run()
    steering.pointer = None
    first = view.active = view.viewports[0]
    command.run()
    assert view.viewports == (first,), "over a panel: the active one"


@pytest.mark.parametrize("name", ["red", "green", "blue"])
def test_what_is_picked_is_what_the_viewport_under_the_point_shows(name: str) -> None:
    scene = box_scene()
    view = view_of(scene, distance=12.0)
    size = (400, 300)
    view.layout.set_count(4)
    view.build_frames(size)
    visible_in = 0
    for viewport, part in zip(view.viewports, viewport_rectangles(4, size), strict=True):
        clip = viewport.camera.clip_from_world(part.aspect) @ (*scene[name].translation, 1.0)
        x, y = (clip[:2] / clip[3] * (1, -1) + 1.0) / 2.0
        place = view.locate((part.x + x * part.width, part.y + y * part.height))
        assert place.viewport is viewport and place.point == pytest.approx((x, y))
        hit = place.pick()
        if viewport is not view.viewports[3]:  # from the right the blue one hides the others
            assert hit.node.name == name
        else:
            assert hit.node.name == "blue"
        assert np.allclose(place.world_point(), hit.point)
        visible_in += hit.node.name == name
    assert visible_in >= 3


def test_a_point_between_viewports_belongs_to_one_of_them() -> None:
    view = view_of(box_scene())
    view.layout.set_count(4)
    view.build_frames((100, 100))
    for pixel in ((50.0, 50.0), (50.0, 10.0), (-20.0, 90.0), (130.0, 100.0)):
        assert view.locate(pixel).viewport in view.viewports


def test_culling_is_frozen_at_what_the_active_viewport_sees_in_all_of_them() -> None:
    view = view_of(crowd(300, seed=4), distance=4.0)
    view.layout.set_count(4)
    view.layout.resize(SIZE)
    view.framing.frame_nodes(None, every=True)
    view.viewports[0].camera = replace(view.viewports[0].camera, distance=2.0)
    view.build_frames(SIZE)
    counts = [viewport.stats.drawn for viewport in view.viewports]
    assert counts[0] < 200 < counts[1]
    view.visibility.toggle_freeze(view.snapshot.frustum)
    view.build_frames(SIZE)
    assert [viewport.stats.drawn for viewport in view.viewports] == [counts[0]] * 4


@pytest.mark.parametrize("size", [(320, 200), (200, 330), (900, 120)])
@pytest.mark.parametrize("scene", [box_scene(), box_scene((1e5, 0.0, -3e4)), street(), crowd(100, seed=8)])
def test_framing_centres_what_is_shown_in_every_viewport(scene: Scene, size: tuple[int, int]) -> None:
    for count in (1, 2, 4):
        view = view_of(scene)
        view.layout.set_count(count)
        view.layout.resize(size)
        view.framing.frame_nodes(None, every=True)
        corners = box_corners(*scene.bounds())
        for viewport in view.viewports:
            part = view.layout.area(viewport).size
            places = project(viewport.camera, corners, part)
            lower, upper = places.min(axis=0), places.max(axis=0)
            assert (lower >= 0.0).all() and (upper <= part).all()
            assert np.allclose((lower + upper) / 2.0, np.array(part) / 2.0, atol=1.0), view_title(viewport.camera)


def test_what_is_framed_stays_so_when_the_camera_turns_and_what_is_not_keeps_its_pivot() -> None:
    view = view_of(street())
    for ids in (None, np.array([2])):
        view.selection.ids = np.empty(0, dtype=np.int32) if ids is None else ids
        view.build_frames(SIZE)
        view.framing.frame_nodes(ids)
        for turned in (controls.look_from(view.camera, "front"), replace(view.camera, orthographic=True)):
            view.framing.reorient(turned)
            expected = controls.frame_box(turned, *view.scene.bounds(ids), SIZE[0] / SIZE[1])
            assert np.array_equal(view.camera.pivot, expected.pivot) and view.camera.distance == expected.distance
            assert view_title(view.camera) == view_title(turned)
    pivot = view.camera.pivot
    view.camera = controls.zoom(view.camera, 2.0, pivot)
    view.framing.reorient(controls.look_from(view.camera, "top"))
    assert np.array_equal(view.camera.pivot, pivot) and view_name(view.camera) == "top"


def test_framing_moves_the_active_viewport_or_every_one() -> None:
    view = view_of(box_scene(), distance=100.0)
    view.layout.set_count(2)
    view.layout.resize(SIZE)
    view.framing.frame_nodes(np.array([0]))
    assert view.viewports[0].camera.distance < 20.0 and view.viewports[1].camera.distance == 100.0
    view.layout.resize(SIZE)
    view.framing.frame_nodes(None, every=True)
    assert view.viewports[1].camera.distance < 20.0
    assert view.layout.area().size == viewport_rectangles(2, SIZE)[0].size


def test_a_world_that_gets_another_up_axis_is_seen_from_the_same_angles() -> None:
    view = view_of(box_scene())
    camera = view.camera
    view.scene.up_axis = "z"
    assert np.allclose(view.camera.axes @ view.camera.world_from_upright, camera.axes)
    assert np.array_equal(view.camera.pivot, camera.pivot)
    assert view_name(controls.look_from(view.camera, "top")) == "top"


def test_a_camera_of_another_world_keeps_its_place_and_direction() -> None:
    view = view_of(box_scene())
    view.scene.up_axis = "z"
    camera = controls.look_from(replace(view.camera, up_axis="y"), "right")
    view.camera = camera
    assert view.camera.up_axis == "z"
    assert np.allclose(view.camera.axes, camera.axes)
    assert np.allclose(view.camera.position, camera.position)


@pytest.mark.parametrize("covered", [0.0, 40.0])
def test_what_is_framed_stays_so_when_the_picture_gets_another_size_beside_the_toolbar(covered: float) -> None:
    view = view_of(street())
    view.framing.refit((400, 300), 2.0, covered)
    view.framing.frame_nodes(None)
    for size in ((200, 500), (800, 500)):
        view.framing.refit(size, 2.0, covered)
        across = view.layout.projection_of(view.active).pixels(box_corners(*view.scene.bounds()))[:, 0]
        assert across.min() >= covered and across.max() <= size[0] / 2.0 - covered and view.framing.is_framed()
    for count in (2, 4, 1):
        view.layout.set_count(count)
        view.framing.refit((800, 500), 2.0, covered)
        for viewport in view.viewports[::-1]:
            view.active = viewport
            assert view.framing.is_framed()
    view.camera = moved = controls.zoom(view.camera, 2.0, view.camera.pivot)
    view.layout.set_count(2)
    view.framing.refit((600, 500), 2.0, covered)
    assert view.camera is moved
    view.framing.refit((200, 500), 2.0, 50.0)  # nothing is left
    view.framing.frame_nodes(None)
    assert view.camera.is_finite and 0.0 < view.framing.aspect(view.active) < 0.2
