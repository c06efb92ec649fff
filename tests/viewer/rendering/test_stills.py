"""Pictures from Python, without a window."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from octoscope.scene import Material, Scene
from octoscope.scene.geometry.colors import linear_from_srgb, srgb_from_linear
from octoscope.scene.mesh.primitives import cube
from octoscope.viewer import DrawError, render
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.rendering import still_drawing
from octoscope.viewer.rendering.canvas import Canvas
from tests.viewer.scenes import add_quad


def picture(*arguments, **options) -> np.ndarray:
    return np.asarray(render(*arguments, **options)).astype(int)


def test_a_picture_of_a_scene_has_what_setters_say():
    scene = Scene()
    node = scene.add_node("cube", mesh=scene.meshes.add(cube()))
    image = render(scene, (64, 48))
    assert isinstance(image, Image.Image) and (image.mode, image.size) == ("RGB", (64, 48))
    first = picture(scene, (64, 48), grid=False)
    assert (picture(scene, (64, 48), grid=False) == first).all()
    node.hidden = True
    nothing = picture(scene, (64, 48), grid=False)
    assert (nothing != first).any()
    node.hidden = False
    assert (picture(scene, (64, 48), view="front", grid=False) != first).any()
    far = Camera(np.array((0.0, 0.0, 1000.0)))
    assert (picture(scene, (64, 48), camera=far, grid=False) == nothing).all()


@pytest.mark.parametrize("orthographic", [False, True])
def test_the_ground_is_behind_what_is_seen_from_above_wherever_the_camera_is(orthographic):
    scene = Scene()
    scene.add_node("cube", mesh=scene.meshes.add(cube()))
    # Panned down, the camera of a parallel projection is below the ground and still looks down on it.
    height = -1.0 if orthographic else 0.0
    camera = Camera(
        np.array((0.0, height, 0.0)),
        pitch_rad=0.087,
        distance=4.0,
        orthographic=orthographic,
        near=-50.0 if orthographic else 0.1,
    )
    assert (camera.position[1] < -0.5) == orthographic
    with_ground, without = (picture(scene, (160, 120), camera=camera, grid=grid) for grid in (True, False))
    nothing = picture(Scene(), (160, 120), camera=camera, grid=False)
    on_cube = np.abs(without - nothing).max(axis=2) > 40
    for _ in range(2):  # not its borders
        on_cube[1:-1, 1:-1] &= on_cube[2:, 1:-1] & on_cube[:-2, 1:-1] & on_cube[1:-1, 2:] & on_cube[1:-1, :-2]
    assert on_cube.sum() > 500
    assert np.abs(with_ground - without)[on_cube].max() <= 3


def test_pictures_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match="at least 1 x 1, not 0 x 48"):
        render(Scene(), (0, 48))
    with pytest.raises(DrawError, match="draws at most"):
        render(Scene(), (1 << 20, 48))
    with pytest.raises(ValueError, match=r"view must be 'iso', .* not 'inside'"):
        render(Scene(), (64, 48), view="inside")
    assert render(Scene(), (64, 48)).size == (64, 48), "an empty scene is one all the same"


def test_a_background_is_named_as_on_the_command_line():
    coral = picture(Scene(), (8, 6), grid=False, background="coral")
    assert (coral == (255, 127, 80)).all()
    for same in ("#ff7f50", (1.0, 127 / 255, 80 / 255)):
        assert (picture(Scene(), (8, 6), grid=False, background=same) == coral).all()
    with pytest.raises(ValueError, match="'corall' is not a colour, such as white or #1e2226"):
        render(Scene(), (8, 6), background="corall")


def shades(scene: Scene) -> int:
    """The number of colours along the edges of a slanted unlit square."""
    return len(np.unique(picture(scene, (96, 72), view="front", grid=False)[..., 0]))


def test_a_picture_has_sixteen_samples_a_pixel_unless_the_scene_is_large(monkeypatch):
    scene = Scene()
    white = scene.add_material(Material("grey", base_color=(0.5, 0.5, 0.5), unlit=True))
    scene.add_node("square", mesh=add_quad(scene, 1.0, white), rotation=(0.0, 0.0, 0.2, 1.0))
    many = shades(scene)
    assert (picture(scene, (96, 72)) == picture(scene, (96, 72))).all(), "pictures of one scene are the same"
    monkeypatch.setattr(still_drawing, "_MOST_REFINED", 1)
    few = shades(scene)
    scene["square"].hidden = True
    # In linear light the shades that are mostly square hardly differ from one grey of the background to the next.
    assert many > few + 15 > shades(scene) + 30, "four samples give three shades of an edge"


def test_a_transparent_picture_put_on_any_colour_is_the_picture_on_that_colour():
    scene = Scene()
    for name, opacity, x in (("solid", 1.0, -0.6), ("half", 0.5, 0.2), ("thin", 0.1, 1.0)):
        material = scene.add_material(Material(name, base_color=(0.9, 0.5, 0.1), opacity=opacity))
        scene.add_node(
            name, mesh=scene.meshes.add(replace(cube(), material_ids=np.full(24, material))), translation=(x, 0, 0)
        )
    image = render(scene, (96, 72), transparent=True)
    assert (image.mode, np.asarray(image).shape) == ("RGBA", (72, 96, 4))
    color, opacity = np.split(np.asarray(image) / 255.0, [3], axis=2)
    assert opacity.min() == 0.0 and opacity.max() == 1.0 and ((opacity > 0.05) & (opacity < 0.95)).sum() > 100
    view = Canvas(scene, (96, 72))._view
    for behind in ((0.2, 0.4, 0.9), (0.8, 0.7, 0.0)):
        view.settings.backdrop = replace(view.settings.backdrop, bottom=behind, top=behind)
        expected = still_drawing.StillDrawing().still(view, (96, 72)).pixels.astype(float)
        put = opacity * linear_from_srgb(color) + (1.0 - opacity) * linear_from_srgb(np.array(behind))
        assert np.abs(255.0 * srgb_from_linear(put) - expected).mean() < 1.0
    solid = np.asarray(render(scene, (96, 72), grid=False)).astype(int)
    is_solid = opacity[..., 0] == 1.0
    apart = np.abs(255 * color - solid)[is_solid]
    # Without the ground other texels see the shadow, by which a pixel at the border of the cube may differ.
    assert len(apart) > 200 and apart.mean() < 0.1 and apart.max() <= 8.0


def test_nothing_on_nothing_is_wholly_transparent():
    assert (np.asarray(render(Scene(), (32, 24), grid=False, transparent=True)) == 0).all()
