"""Levels of detail: what a level may do to a mesh, which one is chosen, and that each object is drawn once."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene import Material, Scene
from octoscope.viewer.frame.detail.detail_levels import DetailLevels
from octoscope.viewer.frame.detail.level_choice import LEVELS, MOST_OFF_PX
from octoscope.viewer.frame.detail.screen_size_culling import drawn_diameters
from octoscope.viewer.frame.view import View
from tests.viewer.frame.test_frame import drawn_by
from tests.viewer.scenes import BOX_POSITIONS, BOX_TRIANGLES, add_box_mesh, add_mesh, view_of

SIZE = (320, 200)


def add_ball(
    scene: Scene, rings: int, *, squeezed: tuple[float, float, float] = (1.0, 1.0, 1.0), **more: np.ndarray
) -> int:
    """A sphere of 4 * rings^2 triangles, in two materials from pole to pole."""
    latitude, longitude = np.meshgrid(np.linspace(0.0, np.pi, rings + 1), np.linspace(0.0, 2.0 * np.pi, 2 * rings + 1))
    positions = np.stack(
        (np.sin(latitude) * np.cos(longitude), np.cos(latitude), np.sin(latitude) * np.sin(longitude)), axis=2
    )
    corner = np.arange(positions[..., 0].size).reshape(latitude.shape)
    a, b, c, d = corner[:-1, :-1], corner[1:, :-1], corner[1:, 1:], corner[:-1, 1:]
    triangles = np.concatenate([np.stack(part, axis=2).reshape(-1, 3) for part in ((a, b, c), (a, c, d))])
    return add_mesh(scene, positions.reshape(-1, 3) * squeezed, triangles=triangles, **more)


def made(scene: Scene) -> DetailLevels:
    levels = DetailLevels(scene.meshes)
    levels.add(levels.missing()())
    assert levels.is_complete
    return levels


def some_meshes() -> Scene:
    """Balls, a box, a triangle, points alone, and a flat ball far from the origin."""
    scene = Scene()
    for index in range(3):
        scene.add_material(Material(str(index)))
    add_ball(scene, 40)
    add_box_mesh(scene)
    add_mesh(scene, np.eye(3), triangles=np.array([(0, 1, 2)]))
    add_mesh(scene, BOX_POSITIONS, points=np.arange(8))
    add_ball(scene, 25, squeezed=(5.0, 0.0, 1.0), lines=np.array([(0, 7)]))
    scene.meshes.vertices["material"][:300] = 1  # some of the first ball
    return scene


def test_a_level_has_vertices_of_its_mesh_alone_and_is_no_farther_off_than_it_says():
    scene = some_meshes()
    levels, rows = made(scene), scene.meshes.rows
    counts, errors = (levels.rows[name].reshape(-1, LEVELS) for name in ("coarse_count", "error"))
    assert (counts > 0).any(axis=1).tolist() == [True, False, False, False, True]
    assert np.count_nonzero(counts[0]) >= 2
    for mesh, level in np.argwhere(counts > 0).tolist():
        first, end = (int(rows["first_vertex"][mesh] + k * rows["vertex_count"][mesh]) for k in (0, 1))
        positions = scene.meshes.vertices["position"][first:end]
        begin = int(levels.rows["first_coarse"][LEVELS * mesh + level])
        corners = levels.triangles["corners"][begin : begin + counts[mesh, level]]
        assert corners.min() >= 0 and corners.max() < len(positions)
        assert len(np.unique(np.sort(corners, axis=1), axis=0)) == len(corners)
        finer = [rows["triangle_count"][mesh], *counts[mesh, :level][counts[mesh, :level] > 0]]
        assert len(corners) <= 0.75 * finer[-1]
        reach = errors[mesh, level] * rows["sphere"][mesh, 3] * 1.0001 + 1e-12
        drawn = np.unique(corners)
        nearest = np.linalg.norm(positions[:, None] - positions[drawn][None], axis=2).min(axis=1)
        assert nearest.max() <= reach


def test_a_lattice_of_thin_beams_does_not_vanish():
    scene = Scene()
    rng = np.random.default_rng(2)
    beams = [BOX_POSITIONS * (0.002, 0.002, 1.0) + (*rng.uniform(-1.0, 1.0, 2), 0.0) for _ in range(200)]
    triangles = np.concatenate([BOX_TRIANGLES + len(BOX_POSITIONS) * i for i in range(200)])
    add_mesh(scene, np.concatenate(beams), triangles=triangles)
    add_ball(scene, 40)
    counts = made(scene).rows["coarse_count"].reshape(-1, LEVELS)
    assert (counts[0] == 0).all() and (counts[1] > 0).any()


def test_levels_follow_a_pool_that_grows_and_what_was_made_twice_is_added_once():
    scene = some_meshes()
    levels = DetailLevels(scene.meshes)
    first, again = levels.missing(), levels.missing()
    add_ball(scene, 12)
    levels.add(first())
    levels.add(again())
    assert len(levels.rows) == 5 * LEVELS and not levels.is_complete
    levels.add(levels.missing()())
    assert levels.is_complete
    at_once = made(scene)
    for name in ("first_coarse", "coarse_count", "error"):
        assert np.array_equal(levels.rows[name], at_once.rows[name])
    assert np.array_equal(levels.triangles["corners"], at_once.triangles["corners"])


def crowd_of_balls(count: int = 300, own_meshes: int = 60) -> Scene:
    """Balls of one mesh, of a mesh each, translucent ones, and some with lines."""
    rng = np.random.default_rng(6)
    scene = Scene()
    glass = scene.add_material(Material("glass", opacity=0.5))
    shared = add_ball(scene, 24)
    own = [add_ball(scene, 16, **({"lines": np.array([(0, 7)])} if i % 4 == 0 else {})) for i in range(own_meshes)]
    meshes = np.where(np.arange(count) < own_meshes, np.resize(own, count), shared)
    materials = np.where(rng.random(count) < 0.2, glass, -1)
    scene.add_nodes(
        [f"ball {i}" for i in range(count)],
        mesh=meshes,
        material=materials,
        translation=rng.uniform(-30.0, 30.0, (count, 3)),
        scale=rng.uniform(0.2, 2.0, (count, 3)),
    )
    scene.update_world()
    return scene


@pytest.mark.parametrize("orthographic", (False, True))
def test_every_object_is_drawn_once_in_the_coarsest_level_that_is_not_too_far_off(orthographic):
    scene = crowd_of_balls()
    view = view_of(scene, distance=250.0, orthographic=orthographic)
    plain = view.build_frames(SIZE)[0].frame.visible
    view.settings.simplifying = True
    assert np.array_equal(view.build_frames(SIZE)[0].frame.visible.nodes, plain.nodes)  # nobody has made levels yet
    view.builder.levels.add(view.builder.levels.missing()())
    frame = view.build_frames(SIZE)[0].frame
    draws, levels = frame.visible, view.builder.levels
    assert sorted(draws.nodes) == sorted(plain.nodes) and draws.opaque_count == plain.opaque_count
    assert sorted(draws.nodes[: draws.opaque_count]) == sorted(plain.nodes[: plain.opaque_count])
    radii_px = drawn_diameters(draws.nodes, scene.world_spheres, view.camera, SIZE[1]) / 2.0
    rows = LEVELS * scene.mesh_ids[draws.nodes][:, None] + np.arange(LEVELS)
    fits = (levels.rows["coarse_count"][rows] > 0) & (levels.rows["error"][rows] * radii_px[:, None] <= MOST_OFF_PX)
    wanted = np.where(fits.any(axis=1), rows[:, 0] + LEVELS - 1 - fits[:, ::-1].argmax(axis=1), -1)
    assert len(np.unique(wanted)) >= 3 and (wanted < 0).any()
    got = np.full(scene.row_count, -2)
    for _, instance_count, first_index, _, first_instance in draws.commands["coarse"].tolist():
        first = int(np.searchsorted(levels.rows["first_coarse"], first_index // 3, side="right")) - 1
        own = draws.nodes[first_instance : first_instance + instance_count]
        if len(own) > 1:
            assert (got[own] == -2).all()
            got[own] = first
    shared = scene.mesh_ids[draws.nodes] == 0
    fine = {node for groups in drawn_by(scene, draws, "triangle") for _, node in groups}
    assert fine == set(draws.nodes[wanted < 0].tolist())
    several = shared & (got[draws.nodes] >= 0)
    assert several.sum() > 50 and np.array_equal(got[draws.nodes[several]], wanted[several])
    coarse = levels.rows["coarse_count"][wanted[wanted >= 0]].sum()
    assert draws.drawn("coarse") == coarse and draws.drawn("coarse") + draws.drawn("triangle") == view.stats.triangles
    assert draws.drawn("line") == plain.drawn("line") > 0
    assert view.stats.triangles < 0.7 * plain.drawn("triangle")


def test_edges_and_everything_without_culling_are_drawn_as_they_are():
    view = View(crowd_of_balls(), simplifying=True)
    view.camera = view_of(view.scene, distance=250.0).camera
    view.builder.levels.add(view.builder.levels.missing()())
    assert "coarse" in view.build_frames(SIZE)[0].frame.visible.commands
    for attribute, value in (("show_edges", True), ("culling", False)):
        before = getattr(view.settings, attribute)
        setattr(view.settings, attribute, value)
        assert "coarse" not in view.build_frames(SIZE)[0].frame.visible.commands
        setattr(view.settings, attribute, before)
    assert view.build_frames(SIZE)[0].frame.scene.detail_levels is view.builder.levels
