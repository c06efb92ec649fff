"""Pictures of the overlay that shows the sides of polygons."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from octoscope.scene import Material, Scene
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.renderer import Renderer
from tests.scene.builders import BOX_CORNERS, BOX_QUADS
from tests.viewer.scenes import SIZE, add_mesh, add_quad, at, flat_view, picture, view_of


def add_box_of_quads(scene: Scene, **arrays: np.ndarray) -> int:
    """Add a white box of half size 1; only the sides of its squares are edges."""
    white = scene.add_material(Material("white", base_color=(1.0, 1.0, 1.0), specular=0.0))
    triangles = np.array([corners for a, b, c, d in BOX_QUADS for corners in ((a, b, c), (a, c, d))])
    edges = np.tile(np.array([0b011, 0b110], dtype=np.uint8), len(BOX_QUADS))
    return add_mesh(scene, BOX_CORNERS, white, triangles=triangles, edges=edges, **arrays)


def darkened(renderer: Renderer, view: View) -> np.ndarray:
    """(height, width) int: how much darker the edges make each pixel, colours added up; they make none lighter."""
    view.settings.show_edges = False
    without = picture(renderer, view).astype(int)
    view.settings.show_edges = True
    difference = (without - picture(renderer, view).astype(int)).sum(axis=2)
    assert difference.min() >= 0
    return difference


def near(image: np.ndarray, view: View, point: tuple[float, float, float]) -> int:
    """The largest of the four pixels about a world point."""
    clip = view.camera.clip_from_world(SIZE[0] / SIZE[1]) @ (*point, 1.0)
    column, row = np.rint((clip[:2] / clip[3] * (1, -1) + 1.0) / 2.0 * SIZE).astype(int)
    return int(image[row - 1 : row + 1, column - 1 : column + 1].max())


@pytest.mark.parametrize("cut", (True, False), ids=("a quad", "two triangles"))
def test_sides_of_polygons_are_drawn_and_diagonals_that_cut_them_are_not(renderer: Renderer, cut: bool) -> None:
    scene = Scene()
    scene.add_node("quad", mesh=add_quad(scene, 30.0, cut=cut))
    scene.update_world()
    view = flat_view(scene)
    view.camera = replace(view.camera, pivot=np.array((0.5, 0.5, 0.0)))  # sides in the middle of pixels
    dark = darkened(renderer, view)
    for k in np.arange(-28.0, 29.0):
        for x, y in ((k, 29.5), (k, -30.5), (29.5, k), (-30.5, k)):
            assert at(dark, x, y) > 150, (x, y)
        if abs(k) > 4.0:
            assert (at(dark, k, k) > 30) == (not cut) and at(dark, k, -k) == 0, k
    assert dark[(SIZE[1] // 2 - 28) : (SIZE[1] // 2 - 20), SIZE[0] // 2 - 10].max() == 0


def test_arrows_of_vectors_are_seen_as_wires(renderer: Renderer) -> None:
    scene = Scene()
    scene.add_mesh("wind", [(-40.0, 0.0, 0.0)], vectors=[(1.0, 0.0, 0.0)], vector_scale=80.0)
    scene.update_world()
    view = flat_view(scene)
    view.settings.show_grid = False
    view.settings.show_as("wireframe")
    with_arrow = picture(renderer, view).astype(int)
    scene["vectors"].hidden = True
    wires = (with_arrow != picture(renderer, view)).any(axis=2)
    assert all(wires[:, SIZE[0] // 2 + x].any() for x in range(-36, 37))


def test_edges_are_off_at_first_and_off_again_as_if_never_shown(renderer: Renderer) -> None:
    scene = Scene()
    scene.add_node("box", mesh=add_box_of_quads(scene))
    scene.update_world()
    view = view_of(scene, distance=6.0)
    before, calls = picture(renderer, view), renderer.draw_calls
    assert (
        view.build_frames(SIZE)[0].frame.scene.polygon_edges is None
        and view.build_frames(SIZE)[0].frame.visible.drawn("edge") == 0
    )
    view.settings.show_edges = True
    assert (picture(renderer, view) != before).any() and renderer.draw_calls == calls + 1
    assert view.build_frames(SIZE)[0].frame.visible.drawn("edge") == 12
    view.settings.show_edges = False
    assert np.array_equal(picture(renderer, view), before) and renderer.draw_calls == calls


@pytest.mark.parametrize("orthographic", (False, True))
def test_edges_of_a_box_are_whole_and_those_behind_it_are_hidden(renderer: Renderer, orthographic: bool) -> None:
    scene = Scene()
    scene.add_node("box", mesh=add_box_of_quads(scene))
    scene.update_world()
    view = view_of(scene, yaw_rad=0.7, pitch_rad=0.5, distance=6.0, orthographic=orthographic)
    view.settings.show_grid = False
    dark = darkened(renderer, view)
    steps = np.linspace(-0.97, 0.97, 80)
    for axis in range(3):
        for a in (-1.0, 1.0):
            for b in (-1.0, 1.0):
                seen = [near(dark, view, np.roll((step, a, b), axis)) for step in steps]
                # The camera looks from +x, +y, +z: the three edges at the opposite corner are hidden.
                if (a, b) == (-1.0, -1.0):
                    assert np.mean(np.array(seen[8:-8]) > 30) < 0.15, axis
                else:
                    assert min(seen) > 40, (axis, a, b)


def test_an_edge_that_polygons_share_is_as_dark_as_one_that_they_do_not(renderer: Renderer) -> None:
    """Drawn twice, what is see-through would be darker; so it would where a seam makes two vertices of one."""
    positions = 20.0 * np.array(
        [(-2, -1, 0), (0, -1, 0), (0, 1, 0), (-2, 1, 0), (0, -1, 0), (2, -1, 0), (2, 1, 0), (0, 1, 0)]
    )
    shared = [(0, 1, 2), (0, 2, 3), (1, 5, 6), (1, 6, 2)]
    seam = [(0, 1, 2), (0, 2, 3), (4, 5, 6), (4, 6, 7)]
    edges = np.array([0b011, 0b110] * 2, dtype=np.uint8)
    source_vertices = np.array([0, 1, 2, 3, 1, 5, 6, 2])
    middles = []
    for triangles, sources in ((shared, None), (seam, source_vertices), (seam, None), (shared[:2], None)):
        scene = Scene()
        mesh = add_mesh(
            scene, positions, triangles=np.array(triangles), edges=edges[: len(triangles)], source_vertices=sources
        )
        scene.add_node("two", mesh=mesh)
        scene.update_world()
        view = flat_view(scene)
        view.camera = replace(view.camera, pivot=np.array((0.5, 0.5, 0.0)))
        view.settings.show_edges = True
        middles.append(at(picture(renderer, view), -0.5, 5.0))
    assert (middles[0] == middles[1]).all() and (middles[0] == middles[2]).all()
    assert middles[0].max() < middles[3].max() + 60


@pytest.mark.parametrize("offset", ((0.0, 0.0, 0.0), (4e6, -1e6, 3e6)), ids=("here", "far from the origin"))
@pytest.mark.parametrize("scale", ((-1.0, 1.0, 1.0), (1.7, -0.6, 0.9), (0.8, 1.0, 0.0)))
def test_edges_of_mirrored_and_scaled_instances_are_where_those_of_a_mesh_so_made_are(
    renderer: Renderer, scale: tuple[float, float, float], offset: tuple[float, float, float]
) -> None:
    corners = np.array([(0, 0, 0), (1, 0, 0), (1.3, 0.6, 0.2), (0.4, 1, 0.5)])
    edges = np.array([0b011, 0b110], dtype=np.uint8)
    triangles = np.array([(0, 1, 2), (0, 2, 3)])
    rotation = np.array((0.1, 0.2, 0.3, 1.0))
    dark = []
    for vertices, node_scale, place in ((corners, scale, offset), (corners * scale, (1.0, 1.0, 1.0), (0.0, 0.0, 0.0))):
        scene = Scene()
        mesh = add_mesh(scene, vertices, triangles=triangles, edges=edges)
        parent = scene.add_node("parent", translation=place)
        scene.add_node("child", mesh=mesh, parent=parent.id, scale=node_scale, rotation=rotation)
        scene.update_world()
        view = view_of(scene, pivot=np.add(place, (0.2, 0.3, 0.1)), distance=4.0)
        view.settings.show_grid = False
        dark.append(darkened(renderer, view))
    assert (dark[1] > 60).sum() > 100
    assert (np.abs(dark[0] - dark[1]) > 30).mean() < 0.001


@pytest.mark.parametrize("orthographic", (False, True))
@pytest.mark.parametrize("distance", (3.0, 300.0))
def test_edges_are_not_cut_up_by_the_faces_they_lie_in(renderer: Renderer, distance: float, orthographic: bool) -> None:
    """They are as dark as without faces that could hide them, from above and from the side, at any scale."""
    grid = np.arange(16).reshape(4, 4)
    quads = np.stack([grid[:-1, :-1], grid[:-1, 1:], grid[1:, 1:], grid[1:, :-1]], axis=-1).reshape(-1, 4)
    positions = np.stack([*np.meshgrid(np.linspace(-1, 1, 4), np.linspace(-1, 1, 4)), np.zeros((4, 4))], axis=-1)
    triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    edges = np.repeat(np.array([0b011, 0b110], dtype=np.uint8), len(quads))
    for pitch_rad in (0.5, 1.0, 1.5):
        dark = []
        for opacity in (1.0, 0.0):  # what is wholly transparent hides nothing
            scene = Scene()
            material = scene.add_material(Material("white or none", base_color=(1.0, 1.0, 1.0), opacity=opacity))
            tiles = positions.reshape(-1, 3) * distance / 4.0
            mesh = add_mesh(scene, tiles, material, triangles=triangles, edges=edges)
            scene.add_node("tiles", mesh=mesh, rotation=(-1.0, 0.0, 0.0, 1.0))
            scene.update_world()
            view = view_of(scene, yaw_rad=0.3, pitch_rad=pitch_rad, distance=distance, orthographic=orthographic)
            view.settings.show_grid = False
            dark.append(darkened(renderer, view) > 15)
        assert dark[1].sum() > 400
        # Where fragments write depth, all samples of a pixel have that of its middle.
        assert (dark[1] & ~dark[0]).sum() < 0.015 * dark[1].sum(), pitch_rad


def test_meshes_that_come_later_get_their_edges_too(renderer: Renderer) -> None:
    scene = Scene()
    view = flat_view(scene)
    view.settings.show_edges = True
    for x in (-60.0, 0.0, 60.0):
        scene.add_node("quad", mesh=add_quad(scene, 20.0), translation=(x + 0.5, 0.5, 0.0))
        image = picture(renderer, view)
        assert at(image, x + 19.0, 5.0).min() > 2 * at(image, x + 20.5, 5.0).max(), x
    assert view.build_frames(SIZE)[0].frame.visible.drawn("edge") == 12
