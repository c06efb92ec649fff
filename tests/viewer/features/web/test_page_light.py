"""Points in place of objects have the colours that the page shows of the objects themselves."""

import numpy as np
import pytest

pytest.importorskip("viser", reason="octoscope[web] is not installed")

from octoscope.scene import Scene
from octoscope.scene.mesh.primitives import PRIMITIVES
from octoscope.viewer.features.web.page_light import _toned, lit_colors, untoned

OCHRE = np.array((0.8, 0.6, 0.3))
# Mean colours of a block of 12 x 12 x 12 such meshes in Chromium, measured as by the slow test in test_browser.py.
SHOWN = {
    ("cube", 0.15): (150.5, 107.8, 45.5),
    ("sphere", 0.15): (165.4, 128.2, 66.5),
    ("sphere", 1.0): (189.9, 152.9, 84.6),
    ("cube", 4.0): (212.9, 181.3, 117.3),
}


def lit(scene: Scene, eye: np.ndarray, parts: int = 1, axis: int = 1) -> np.ndarray:
    count = len(scene.ids)
    return lit_colors(scene, scene.ids, np.tile(OCHRE, (count, 1)), eye, np.full(count, axis), np.full(count, parts))


@pytest.mark.parametrize("is_z_up", [False, True], ids=["y up", "z up"])
@pytest.mark.parametrize(("shape", "height"), SHOWN)
def test_points_are_as_bright_as_the_meshes_that_a_browser_shows(shape, height, is_z_up):
    scene = Scene(up_axis="z" if is_z_up else "y")
    scene.add_node(shape, mesh=scene.meshes.add(PRIMITIVES[shape]()))
    scene.update_world()
    eye = 100.0 * np.array((1.0, 2.0, 2.0 * height) if is_z_up else (1.0, 2.0 * height, 2.0))
    np.testing.assert_allclose(255.0 * lit(scene, eye)[0] / SHOWN[shape, height], 1.0, atol=0.2)
    gray = 0.2126, 0.7152, 0.0722
    assert lit(scene, eye)[0] @ gray == pytest.approx(np.array(SHOWN[shape, height]) @ gray / 255.0, rel=0.12)


def test_what_is_seen_of_a_turned_scaled_or_mirrored_box_counts_and_open_surfaces_have_two_sides():
    scene = Scene()
    cube, plane = (scene.meshes.add(PRIMITIVES[shape]()) for shape in ("cube", "plane"))
    quarter = (np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5))
    scene.add_nodes(
        ["cube", "turned", "flat", "mirrored", "plane"],
        mesh=[cube, cube, cube, cube, plane],
        rotation=[(0, 0, 0, 1), quarter, (0, 0, 0, 1), (0, 0, 0, 1), (0, 0, 0, 1)],
        scale=[(1, 1, 1), (1, 1, 1), (1, 1e-6, 1), (-1, 1, 1), (1, 1, 1)],
    )
    scene.update_world()
    above, below, side = (lit(scene, 1e6 * np.array(way)) for way in ((0, 1.0, 0), (0, -1.0, 0), (1.0, 0.1, 0.3)))
    np.testing.assert_allclose(above[:4], above[[0]].repeat(4, axis=0), atol=1e-3)
    assert (above[0] > below[0] + 0.2).all() and (above[0] > side[0] + 0.05).all()
    np.testing.assert_allclose(side[0], side[1], atol=0.01)
    np.testing.assert_allclose(side[0], side[3], atol=0.01)
    assert np.isfinite(side).all() and (side[2] > side[0]).all(), "of a flat one hardly more than its top is seen"


@pytest.mark.parametrize("shape", ["cube", "sphere"])
def test_the_parts_of_a_row_have_the_light_of_their_ends_and_together_that_of_the_whole(shape):
    scene = Scene()
    scene.add_node(shape, mesh=scene.meshes.add(PRIMITIVES[shape]()), scale=(-1.0, 4.0, 1.0))
    scene.update_world()
    eye = np.array((200.0, 100.0, 50.0))
    for axis, parts in ((0, 3), (1, 1), (1, 2), (1, 5)):
        np.testing.assert_allclose(lit(scene, eye, parts, axis).mean(axis=0), lit(scene, eye)[0], atol=1e-9)
    rows = lit(scene, eye, 4)
    top = lit(scene, np.array((0.0, 1e6, 0.0)))[0]
    assert (rows[-1] > rows[0] + 0.02).all()
    if shape == "cube":
        assert (rows[-1] <= top).all() and np.ptp(rows[:3], axis=0).max() < 1e-9, "below the top there are only walls"


def test_lines_and_grids_have_their_own_colours_and_the_brightest_keep_their_hue():
    colors = np.array(((0.3, 0.31, 0.35), (0.6, 0.2, 0.1), (0.9, 1.0, 0.25), (0.25, 0.64, 1.0)))
    shown = _toned(untoned(colors))
    np.testing.assert_allclose(shown[:2], colors[:2], atol=1e-3)
    np.testing.assert_allclose(shown[2:], 0.85 * colors[2:], atol=0.1)
