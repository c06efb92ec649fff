"""Pictures without the objects that are too small to add to them."""

from __future__ import annotations

import numpy as np

from octoscope.scene import Material, Scene
from octoscope.viewer.frame.detail.screen_size_culling import TINY_PX
from octoscope.viewer.frame.projection import ViewProjection
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.scenes import SIZE, add_box_mesh, picture, view_of


def test_only_pixels_of_objects_left_out_change_and_a_crowd_keeps_its_colour(ctx) -> None:
    rng = np.random.default_rng(4)
    scene = Scene()
    red = scene.add_material(Material("red", base_color=(1.0, 0.1, 0.1)))
    mesh = add_box_mesh(scene, red)
    # A slab of 20,000 boxes that fills some hundred pixels, larger boxes behind, and small ones here and there.
    places = rng.uniform(-1.0, 1.0, (20_000, 3)) * (5.0, 5.0, 0.5)
    scales = np.repeat(rng.uniform(0.05, 0.1, (20_000, 1)), 3, axis=1)
    scene.add_nodes(["small"] * 20_000, mesh=mesh, translation=places, scale=scales)
    scene.add_nodes(["large"] * 5, mesh=mesh, translation=[(6.0 * i - 12.0, 0.0, -4.0) for i in range(5)])
    scattered = rng.uniform(-18.0, 18.0, (300, 3)) * (1.0, 1.0, 0.1)
    scene.add_nodes(["lone"] * 300, mesh=mesh, translation=scattered, scale=np.full((300, 3), 0.05))
    scene.update_world()
    view = view_of(scene, yaw_rad=0.0, pitch_rad=0.0, distance=110.0)
    view.settings.show_grid = False
    renderer = Renderer(ctx)
    try:
        everything = picture(renderer, view).astype(int)
        all_nodes = set(view.build_frames(SIZE)[0].frame.visible.nodes.tolist())
        view.settings.tiny_culling = True
        fewer = picture(renderer, view).astype(int)
        left_out = all_nodes - set(view.build_frames(SIZE)[0].frame.visible.nodes.tolist())
    finally:
        renderer.release()
    assert 1000 < len(left_out) < 5000 and len(left_out & set(range(20_005, 20_305))) > 200
    assert not left_out & set(range(20_000, 20_005))
    projection = ViewProjection.of_size(view.camera, SIZE)
    relative = scene.world_spheres[sorted(left_out), :3] - view.camera.position
    clip = np.column_stack((relative, np.ones(len(relative)))) @ projection.pixels_from_relative.T
    near = np.zeros(SIZE[::-1], dtype=bool)
    for dx in (-TINY_PX, 0.0, TINY_PX):
        for dy in (-TINY_PX, 0.0, TINY_PX):
            columns, rows = np.floor(clip[:, :2] / clip[:, 3:] + (dx, dy)).astype(int).T
            near[rows, columns] = True
    differs = (everything != fewer).any(axis=2)
    assert not (differs & ~near).any()
    crowd = (everything[..., 0] > 2 * everything[..., 2]) & near
    assert np.count_nonzero(crowd) > 200
    background = everything[0, 0, 0]
    kept = (fewer[crowd, 0].mean() - background) / (everything[crowd, 0].mean() - background)
    assert 0.9 < kept <= 1.0
