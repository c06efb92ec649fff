"""Copies along paths and on surfaces."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octoscope.scene import EditError, MeshData, Scene, apply
from octoscope.scene.editing import array_along, radial_array, scatter
from octoscope.scene.editing.scattering import path_through
from octoscope.scene.nodes.bounds import world_boxes
from tests.scene.builders import box, mesh_of

CORNER = np.array([(0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (4.0, 0.0, -4.0)])


def scene_with(*meshes: MeshData, up_axis: str = "y") -> Scene:
    scene = Scene()
    scene.up_axis = up_axis
    scene.add_nodes([""] * len(meshes), mesh=[scene.meshes.add(mesh) for mesh in meshes])
    scene.update_world()
    return scene


def test_copies_stand_at_equal_distances_along_a_path_and_turn_with_it():
    scene = scene_with(box())
    scene.set_translations([0], (7.0, 8.0, 9.0))
    scene.update_world()
    edit = array_along(scene, [0], CORNER, 5)
    apply(scene, edit)
    scene.update_world()
    worlds = scene.world_from_local[edit.selects]
    places = [(0, 0, 0), (2, 0, 0), (4, 0, 0), (4, 0, -2), (4, 0, -4)]
    np.testing.assert_allclose(worlds[:, :3, 3], places, atol=1e-12)
    np.testing.assert_allclose(worlds[[0, 4], :3, 0], [(1, 0, 0), (0, 0, -1)], atol=1e-12)
    closed = array_along(scene, [0], CORNER[[0, 1, 1, 2]], 4, closed=True, turned=False)
    apply(scene, closed)
    scene.update_world()
    gap = (8.0 + 32.0**0.5) / 4.0
    np.testing.assert_allclose(scene.world_from_local[closed.selects[1], :3, 3], (gap, 0, 0), atol=1e-12)
    np.testing.assert_array_equal(scene.rotations[closed.selects], np.tile((0, 0, 0, 1), (4, 1)))
    for points in (CORNER[:1], CORNER[[0, 0]]):
        with pytest.raises(EditError, match="two points"):
            array_along(scene, [0], points, 3)


def test_a_path_goes_through_the_origins_of_objects_or_along_the_lines_of_one():
    ends = np.array([(0, 1), (1, 2), (0, 2)], dtype=np.int32)
    lines = MeshData(CORNER, np.empty((0, 3), dtype=np.int32), None, np.zeros(3, dtype=np.int32), lines=ends)
    scene = scene_with(lines, box())
    scene.set_translations([0, 1], [(1.0, 0.0, 0.0), (5.0, 6.0, 7.0)])
    scene.update_world()
    np.testing.assert_array_equal(path_through(scene, [0]), CORNER + np.eye(3)[0])
    np.testing.assert_array_equal(path_through(scene, [1, 0]), [(5.0, 6.0, 7.0), (1.0, 0.0, 0.0)])


def test_objects_that_all_have_the_origin_of_their_file_stand_for_their_middles():
    far = np.array((5e5, 0.0, 5e6))
    scene = scene_with(*(replace(box(), positions=box().positions + far + place) for place in CORNER))
    middles = world_boxes(scene, np.arange(3)).mean(axis=1)
    np.testing.assert_allclose(path_through(scene, [0, 1]), middles[:2])
    along = array_along(scene, [2], path_through(scene, [0, 1]), 3)  # turned, as the path leads along X: not at all
    ring = radial_array(scene, [2], 4, center=middles[0], axis=(0, 1, 0), turned=False)
    for edit, expected in (along, middles[0] + [(0, 0, 0), (2, 0, 0), (4, 0, 0)]), (ring, None):
        apply(scene, edit)
        scene.update_world()
        places = world_boxes(scene, edit.selects).mean(axis=1)
        if expected is not None:
            np.testing.assert_allclose(places, expected, atol=1e-6)
        else:
            np.testing.assert_allclose(np.linalg.norm(places - middles[0], axis=1), 32.0**0.5, atol=1e-6)


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32 - 1), aligned=st.booleans(), up_axis=st.sampled_from("yz"))
def test_copies_stand_on_the_faces_of_a_surface_upright_or_along_its_normal(seed, aligned, up_axis):
    rng = np.random.default_rng(seed)
    slope = mesh_of(rng.normal(size=(3, 3)), [(0, 1, 2)])
    scene = scene_with(box(), box(), slope, up_axis=up_axis)
    scene.set_scales([0, 1], rng.uniform(0.2, 2.0, (2, 3)))
    scene.set_translations([0, 1, 2], rng.normal(size=(3, 3)))
    scene.update_world()
    edit = scatter(scene, [0, 1], 2, 9, seed=seed, aligned=aligned)
    apply(scene, edit)
    scene.update_world()
    assert len(edit.selects) == 9 and sorted(np.bincount(scene.mesh_ids[edit.selects])) == [4, 5]
    up = np.eye(3)["xyz".index(up_axis)]
    corners = slope.positions + scene.translations[2]
    normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
    normal /= np.linalg.norm(normal)
    for node in edit.selects:
        matrix = scene.world_from_local[node]
        upward = matrix[:3, "xyz".index(up_axis)] / scene.scales[node].max()
        np.testing.assert_allclose(np.cross(upward, normal if aligned else up), 0.0, atol=1e-9)
        foot = matrix[:3, :3] @ -up + matrix[:3, 3]
        sides = np.column_stack([corners[1] - corners[0], corners[2] - corners[0], normal])
        shares = np.linalg.solve(sides, foot - corners[0])
        assert shares[:2].min() >= -1e-9 and shares[:2].sum() <= 1.0 + 1e-9 and abs(shares[2]) < 1e-9


def test_large_faces_get_as_many_more_copies_and_what_has_no_faces_gets_none():
    halves = mesh_of([(0, 0, 0), (0, 0, 1), (1, 0, 0), (5, 0, 0), (5, 0, 3), (8, 0, 0)], [(0, 1, 2), (3, 4, 5)])
    scene = scene_with(box(), halves)
    edit = scatter(scene, [0], 1, 1000, seed=3)
    apply(scene, edit)
    boxes = world_boxes(scene, edit.selects)
    assert 850 < (boxes.mean(axis=1)[:, 0] > 4.0).sum() < 950
    scene.add_node("empty")
    with pytest.raises(EditError, match="no faces"):
        scatter(scene, [0], int(scene.ids[-1]), 3)


def test_scattered_copies_keep_a_least_distance_and_fewer_are_said():
    floor = mesh_of([(0, 0, 0), (0, 0, 10), (10, 0, 10), (10, 0, 0)], [(0, 1, 2), (0, 2, 3)])
    scene = scene_with(box(), floor)
    for count, least, is_full in ((30, 0.8, False), (500, 1.0, True)):
        edit = scatter(scene, [0], 1, count, turned=False, least_distance=least)
        apply(scene, edit)
        middles = world_boxes(scene, edit.selects).mean(axis=1)
        apart = np.linalg.norm(middles[:, None] - middles, axis=2) + 1e9 * np.eye(len(middles))
        assert apart.min() >= least - 1e-9
        assert (len(middles) < count) == is_full == bool(edit.notes) and len(middles) > 25
    with pytest.raises(EditError, match="least distance"):
        scatter(scene, [0], 1, 3, least_distance=-1.0)
