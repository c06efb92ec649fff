"""Sections: their texts, what they leave of spheres and rays, and what is picked of a scene that is cut."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octoscope.scene import MeshData, Scene
from octoscope.scene.cutting.caps import NO_CAPS
from octoscope.viewer.frame.section import MOST_PLANES, NO_SECTION, Section, SectionPlane
from tests.viewer.scenes import add_box_mesh, crowd, view_of

WINDOW = (320, 200)


@pytest.mark.parametrize(
    ("text", "normal", "offset", "again"),
    (
        ("x<1.5", (-1.0, 0.0, 0.0), -1.5, "x<1.5"),
        ("x=1.5", (-1.0, 0.0, 0.0), -1.5, "x<1.5"),
        (" Y > -2e3 ", (0.0, 1.0, 0.0), -2000.0, "y>-2000"),
        ("0,0,2<3", (0.0, 0.0, -1.0), -1.5, "z<1.5"),
        ("0,0,-2<3", (0.0, 0.0, 1.0), -1.5, "z>-1.5"),
        ("3,0,4>10", (0.6, 0.0, 0.8), 2.0, "0.6,0,0.8>2"),
    ),
)
def test_a_text_says_what_is_kept(text, normal, offset, again):
    plane = SectionPlane.from_text(text)
    assert plane.normal == pytest.approx(normal) and plane.offset == pytest.approx(offset)
    assert plane.text == again
    assert plane.flipped.flipped == plane
    other = SectionPlane.from_text(plane.text)
    assert other.normal == pytest.approx(normal) and other.offset == pytest.approx(offset)


@pytest.mark.parametrize(
    "text", ("", "x", "x<", "<1", "w<1", "x<one", "x<inf", "x<nan", "1,2<3", "0,0,0<1", "x<1<2", "1,nan,0<1", "x<1e16")
)
def test_other_texts_are_refused_in_one_line(text):
    with pytest.raises(ValueError) as caught:
        SectionPlane.from_text(text)
    assert str(caught.value) and "\n" not in str(caught.value)


def test_a_section_is_given_as_one_text_or_several():
    assert Section.of("x<1") == Section.of(["x<1"]) == Section((SectionPlane.from_text("x<1"),))
    assert Section.of(Section.of("x<1")) == Section.of("x<1")
    assert not Section.of([]) and Section.of("x<1")
    with pytest.raises(ValueError, match="at most 6"):
        Section.of(["x<1"] * (MOST_PLANES + 1))


def random_section(rng: np.random.Generator, about: np.ndarray, count: int, reach: float) -> Section:
    planes = []
    for normal in rng.normal(size=(count, 3)):
        point = about + normal / np.linalg.norm(normal) * rng.uniform(-reach, reach)
        planes.append(SectionPlane.through(point, normal))
    return Section(tuple(planes))


@given(st.integers(0, 2**32 - 1), st.sampled_from((0.0, 1e6)))
def test_no_sphere_is_cut_away_of_which_a_point_is_left(seed, offset):
    rng = np.random.default_rng(seed)
    section = random_section(rng, np.full(3, offset), rng.integers(1, 7), 2.0)
    spheres = np.column_stack([offset + rng.normal(0.0, 2.0, (60, 3)), rng.uniform(0.0, 1.5, 60)])
    touches = section.touches(spheres)
    directions = rng.normal(size=(200, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    for sphere, is_left in zip(spheres, touches, strict=True):
        points = sphere[:3] + sphere[3] * directions * rng.random((200, 1))
        planes = section.planes_about(np.full(3, offset))
        depths = (points - offset) @ planes[:, :3].T + planes[:, 3]
        if (depths >= 0.0).all(axis=1).any():
            assert is_left
        (center,) = (sphere[:3] - offset)[None] @ planes[:, :3].T + planes[:, 3]
        assert is_left == (center >= -sphere[3]).all()


@given(st.integers(0, 2**32 - 1), st.sampled_from((0.0, 1e6)))
def test_the_interval_of_a_ray_is_where_all_planes_keep_it(seed, offset):
    rng = np.random.default_rng(seed)
    section = random_section(rng, np.full(3, offset), rng.integers(0, 7), 3.0)
    origin, direction = offset + rng.normal(0.0, 3.0, 3), rng.normal(size=3)
    if seed % 3 == 0:
        direction = np.eye(3)[seed % 2]
    (begin,), (end,), (entered,) = section.intervals(origin[None], direction[None], np.array((10.0,)))
    ts = np.linspace(0.0, 10.0, 1001)
    points = origin - offset + ts[:, None] * direction
    planes = section.planes_about(np.full(3, offset))
    is_kept = (points @ planes[:, :3].T + planes[:, 3] >= 0.0).all(axis=1)
    near_ends = (np.abs(ts - begin) < 1e-6) | (np.abs(ts - end) < 1e-6)
    np.testing.assert_array_equal(is_kept[~near_ends], ((ts >= begin) & (ts <= end))[~near_ends])
    assert (entered >= 0) == (begin > 0.0)
    if entered >= 0:
        plane = section.planes[entered]
        depth = np.array(plane.normal) @ (origin + begin * direction) - plane.offset
        assert abs(depth) < 1e-6


@pytest.mark.parametrize("offset", (0.0, 1e6))
@pytest.mark.parametrize("orthographic", (False, True))
def test_a_click_hits_the_nearest_triangle_that_is_left(orthographic, offset):
    scene = crowd(200, seed=3)
    top = np.flatnonzero(scene.parents < 0)
    scene.set_translations(top, scene.translations[top] + offset)
    scene.update_world()
    about = np.full(3, offset)
    rng = np.random.default_rng(5)
    view = view_of(scene, pivot=about, distance=18.0, orthographic=orthographic)
    seen = behind = 0
    for count in (1, 2, 4):
        view.settings.section = random_section(rng, about, count, 3.0)
        view.build_frames(WINDOW)
        picture = replace(view.snapshot, caps=NO_CAPS)
        planes = view.settings.section.planes_about(about)
        for point in rng.uniform(0.15, 0.85, (250, 2)):
            origin, direction = picture.camera.ray_through(point, picture.aspect)
            hits = scene.raycast_all(origin, direction)
            depths = [float(((hit.point - about) @ planes[:, :3].T + planes[:, 3]).min()) for hit in hits]
            if any(abs(depth) < 1e-6 for depth in depths):
                continue
            left = [hit for hit, depth in zip(hits, depths, strict=True) if depth > 0.0]
            hit = picture.nearest_triangle(tuple(point), picture.drawn)
            assert (hit is None) == (not left)
            if hit is not None:
                assert (hit.node.id, hit.triangle) == (left[0].node.id, left[0].triangle)
                np.testing.assert_allclose(hit.point, left[0].point, atol=1e-6)
                seen += 1
                behind += hits[0].point is not left[0].point
            through = [hit.node.id for hit in picture.pick_through(tuple(point))]
            assert through == list(dict.fromkeys(hit.node.id for hit in left))
    assert seen > 50 and behind >= 5


def test_objects_that_are_cut_away_are_not_in_the_picture_nor_outlined_nor_selected_by_a_box():
    scene = Scene()
    mesh = add_box_mesh(scene)
    scene.add_nodes(list("abc"), mesh=mesh, translation=[(-3.0, 0.0, 0.0), (0.0, 0.0, 0.0), (3.0, 0.0, 0.0)])
    scene.update_world()
    view = view_of(scene, yaw_rad=0.0, pitch_rad=0.0, distance=20.0)
    view.selection.ids = np.array([0, 1, 2], dtype=np.int32)
    view.settings.section = Section.of("x<0.2")
    frame = view.build_frames(WINDOW)[0].frame
    assert frame.visible.nodes.tolist() == [0, 1]
    assert frame.outlined.active.count == 0 and frame.outlined.selected.count == 2
    assert view.snapshot.pick_box((0.0, 0.0), (1.0, 1.0), wholly=False).tolist() == [0, 1]
    frame = view.with_everything(view.build_frames(WINDOW))[0].frame
    assert frame.visible.nodes.tolist() == [0, 1]
    view.settings.section = NO_SECTION
    assert view.build_frames(WINDOW)[0].frame.visible.nodes.tolist() == [0, 1, 2]


def test_the_part_of_a_line_that_is_cut_away_is_not_clicked():
    scene = Scene()
    ends = np.array([(-5.0, 0.0, 0.0), (5.0, 0.0, 0.0)])
    mesh = MeshData(ends, np.empty((0, 3), dtype=int), None, np.zeros(2, dtype=np.int32), lines=np.array([(0, 1)]))
    scene.add_node("line", mesh=scene.meshes.add(mesh))
    scene.update_world()
    view = view_of(scene, yaw_rad=0.0, pitch_rad=0.0, distance=20.0)
    view.settings.section = Section.of(["x<2", "x>-3"])
    view.build_frames(WINDOW)
    projection = view.snapshot.projection
    for x, is_left in ((-4.0, False), (-2.5, True), (1.5, True), (3.0, False)):
        (pixel,) = projection.pixels(np.array([(x, 0.0, 0.0)]))
        hit = view.snapshot.pick(projection.area.point(pixel))
        assert (hit is not None) == is_left
