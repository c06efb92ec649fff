"""Instances on the card follow every edit, in both ways of drawing, and a camera that moves sends none of them."""

from __future__ import annotations

from dataclasses import replace

import moderngl
import numpy as np
import pytest

from octoscope.scene import Material, Scene
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.frame.instances import Instances
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.context.card_errors import DrawError
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.scenes import BOX_POSITIONS, BOX_TRIANGLES, SIZE, add_box_mesh, add_mesh, box_scene, picture, view_of


def separate_boxes(count: int, seed: int) -> Scene:
    """Boxes of a mesh each, some with lines and points, in all directions."""
    rng = np.random.default_rng(seed)
    scene = Scene()
    materials = [scene.add_material(Material(str(i), base_color=tuple(rng.random(3)))) for i in range(6)]
    extras = {"lines": np.array([(0, 7), (1, 6)]), "points": np.array([3, 4])}
    meshes = [
        add_mesh(
            scene, BOX_POSITIONS, int(rng.choice(materials)), triangles=BOX_TRIANGLES, **(extras if i % 5 == 0 else {})
        )
        for i in range(count)
    ]
    scene.add_nodes(
        [f"box {i}" for i in range(count)],
        mesh=meshes,
        translation=rng.normal(0.0, 5.0, (count, 3)),
        rotation=rng.normal(size=(count, 4)),
        scale=rng.lognormal(0.0, 0.5, (count, 3)),
    )
    return scene


def edit_somehow(scene: Scene, view: View, rng: np.random.Generator) -> str:
    """Do one of the things that change which nodes show what, and where; return its name."""
    chosen = rng.choice(scene.ids, 4, replace=False)
    kind = rng.choice(["move", "share", "delete", "restore", "hide", "material", "mesh", "new", "isolate", "select"])
    if kind == "move":
        scene.set_translations(chosen, rng.normal(0.0, 5.0, (4, 3)))
    elif kind == "share":
        scene.add_nodes(["copy"] * 4, mesh=scene.mesh_ids[chosen], translation=rng.normal(0.0, 5.0, (4, 3)))
    elif kind == "delete" and len(scene) > 30:
        scene.set_alive(chosen, False)
    elif kind == "restore":
        scene.set_alive(np.flatnonzero(~scene.alive), True)
    elif kind == "hide":
        scene.set_hidden(chosen, ~scene.hidden[chosen])
    elif kind == "material":
        scene.set_materials(chosen, rng.integers(-1, len(scene.materials), 4))
    elif kind == "mesh":
        scene.set_meshes(chosen, rng.integers(0, len(scene.meshes), 4))
    elif kind == "new":
        scene.add_node("new", mesh=add_box_mesh(scene), translation=rng.normal(0.0, 5.0, 3))
    elif kind == "isolate":
        view.visibility.isolated_ids = None if view.visibility.isolated_ids is not None else scene.ids[::2]
    view.selection.ids = rng.choice(scene.ids, 5, replace=False).astype(np.int32)
    return str(kind)


def test_after_every_edit_both_ways_draw_what_a_new_renderer_draws(ctx: moderngl.Context) -> None:
    rng = np.random.default_rng(1)
    scene = separate_boxes(50, seed=1)
    glass = scene.add_material(Material("glass", base_color=(0.2, 0.4, 0.9), opacity=0.5))
    scene.set_materials([3, 17], [glass, glass])
    view, kept = view_of(scene, distance=18.0), [Renderer(ctx, indirect=way) for way in (True, False)]
    view.settings.show_edges = True
    walk = []
    for _ in range(40):
        walk.append(edit_somehow(scene, view, rng))
        new = Renderer(ctx)
        expected = picture(new, view)
        for renderer in kept:
            assert np.array_equal(picture(renderer, view), expected), walk
        new.release()


def test_boxes_of_a_mesh_each_are_one_call_however_they_are_drawn(renderer: Renderer) -> None:
    view = view_of(separate_boxes(200, 3), distance=60.0)
    view.settings.show_grid = False
    picture(renderer, view)
    assert view.stats.drawn == 200 and renderer.draw_calls <= 4, "the background, and one for each element"


def test_a_camera_that_moves_sends_no_rows_and_an_edit_only_those_around_it(ctx, monkeypatch) -> None:
    sent = []
    packed = Instances.packed
    monkeypatch.setattr(
        Instances, "packed", lambda self, first, end: sent.append((first, end)) or packed(self, first, end)
    )
    scene = separate_boxes(3000, 4)
    view, renderer = view_of(scene, distance=10.0), Renderer(ctx)
    picture(renderer, view)
    assert sent[0][0] == 0 and sent[-1][1] == 3000
    sent.clear()
    for yaw in range(5):
        view.camera = replace(view.camera, yaw_rad=float(yaw))
        picture(renderer, view)
    view.selection.ids = scene.ids
    picture(renderer, view)
    assert sent == []
    scene.set_translations([700, 2999], [(0.0, 0.0, 0.0), (1.0, 1.0, 1.0)])
    picture(renderer, view)
    assert sent == [(512, 768), (2816, 3000)]


def test_more_objects_than_the_card_has_room_for_are_refused_in_one_line_until_there_is_room(ctx, monkeypatch) -> None:
    view, renderer = view_of(separate_boxes(600, 6), distance=10.0), Renderer(ctx)
    with monkeypatch.context() as patch:
        patch.setitem(ctx.info, "GL_MAX_TEXTURE_SIZE", 2)
        for _ in range(2):
            with pytest.raises(DrawError, match=r"texture of 3 rows.* has 2 at most"):
                picture(renderer, view)
    assert np.array_equal(picture(renderer, view), picture(Renderer(ctx), view))


def test_viewports_share_the_rows(ctx: moderngl.Context, monkeypatch) -> None:
    view, renderer = view_of(separate_boxes(100, 5), distance=20.0), Renderer(ctx)
    view.layout.set_count(4)
    packed, sent = Instances.packed, []
    monkeypatch.setattr(Instances, "packed", lambda self, first, end: sent.append(first) or packed(self, first, end))
    renderer.render_parts(view.build_frames(SIZE), SIZE)
    assert sent == [0]


@pytest.mark.parametrize("offset", [(4e7, -3e7, 1e7), (-1e9, 5.0, 2e8)])
def test_nothing_trembles_far_from_the_origin_as_the_camera_goes_by(renderer: Renderer, offset) -> None:
    here, there = view_of(box_scene()), view_of(box_scene(offset))
    here.settings.show_grid = there.settings.show_grid = False
    for step in range(8):
        # Steps that float64 holds there too, so that both cameras stand at the same place.
        pivot = step * np.array((2.0**-10, -(2.0**-9), 2.0**-8)) * (2.0**6 if abs(offset[0]) > 1e8 else 1.0)
        here.camera = Camera(pivot, yaw_rad=0.3, distance=8.0)
        there.camera = Camera(pivot + offset, yaw_rad=0.3, distance=8.0)
        difference = np.abs(picture(renderer, here).astype(int) - picture(renderer, there).astype(int))
        assert (difference.max(axis=2) > 8).mean() < 0.001, step
