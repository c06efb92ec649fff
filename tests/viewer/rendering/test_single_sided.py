"""Back faces of single-sided materials: neither seen nor picked, whatever draws them."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene import Material, Scene
from octoscope.viewer.frame.look.backdrop import plain_backdrop
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.rendering.test_buffers import buffers_of
from tests.viewer.rendering.test_environment import drawn
from tests.viewer.scenes import SIZE, add_quad, crowd, flat_view, view_of

MIRRORED = (-1.0, 1.0, 1.0)


def square_view(*, yaw_rad: float, scale: tuple[float, float, float] = (1.0, 1.0, 1.0), **others: object) -> View:
    """Return a view of a red square that faces +z and is seen from there, turned by an angle; before black."""
    scene = Scene()
    red = scene.add_material(Material("red", (0.9, 0.1, 0.1), **{"double_sided": False, **others}))
    scene.add_node("square", mesh=add_quad(scene, 30.0, red), scale=scale)
    scene.update_world()
    view = flat_view(scene)
    view.camera = view_of(scene, yaw_rad=yaw_rad, pitch_rad=0.0, orthographic=True, distance=200.0).camera
    view.settings.backdrop = plain_backdrop((0.0, 0.0, 0.0))
    return view


def is_seen(renderer: Renderer, view: View, quality: int | None = 1) -> bool:
    image = drawn(renderer, view, quality)
    return bool(image[SIZE[1] // 2 - 3, SIZE[0] // 2 + 5].any())


@pytest.mark.parametrize("quality", (1, 2, None), ids=("full light", "simple light", "refined"))
@pytest.mark.parametrize("scale", ((1.0, 1.0, 1.0), MIRRORED), ids=("as it is", "mirrored"))
@pytest.mark.parametrize("others", ({}, {"opacity": 0.5}, {"unlit": True}), ids=str)
def test_a_single_sided_square_is_seen_from_its_front_alone(
    renderer: Renderer, quality: int | None, scale: tuple[float, float, float], others: dict[str, object]
) -> None:
    """The front of a mirrored node is the front of its mesh all the same, as in glTF."""
    assert is_seen(renderer, square_view(yaw_rad=0.0, scale=scale, **others), quality)
    assert not is_seen(renderer, square_view(yaw_rad=np.pi, scale=scale, **others), quality)
    assert is_seen(renderer, square_view(yaw_rad=np.pi, scale=scale, double_sided=True, **others), quality)


@pytest.mark.parametrize("mode", ("matcap", "normals", "materials", "xray", "clay", "facing"))
def test_face_orientation_shows_back_faces_all_the_same_and_other_modes_do_not(renderer: Renderer, mode: str) -> None:
    view = square_view(yaw_rad=np.pi)
    view.settings.mode = mode
    assert is_seen(renderer, view) == (mode == "facing")
    hit = view.snapshot.hit_under((0.52, 0.48))
    assert (hit is not None) == (mode == "facing")
    view.settings.culls_back_faces = False
    assert is_seen(renderer, view) and view.snapshot.hit_under((0.52, 0.48)) is not None


def test_a_click_goes_through_a_back_face_to_what_is_seen_behind_it() -> None:
    scene = Scene()
    single = scene.add_material(Material("single", double_sided=False))
    scene.add_node("window", mesh=add_quad(scene, 30.0, single), translation=(0.0, 0.0, -5.0))
    scene.add_node("wall", mesh=add_quad(scene, 30.0))
    scene.update_world()
    view = flat_view(scene)
    view.camera = view_of(scene, yaw_rad=np.pi, pitch_rad=0.0, orthographic=True, distance=200.0).camera
    view.build_frames(SIZE)
    place = (0.52, 0.48)
    assert view.snapshot.pick(place).node.name == "wall"
    assert [hit.node.name for hit in view.snapshot.pick_through(place)] == ["wall"]
    scene.set_materials(scene["window"].id, 0)  # of the node: both sides are seen
    view.build_frames(SIZE)
    assert view.snapshot.pick(place).node.name == "window"


@pytest.mark.parametrize("seed", range(2))
def test_picks_agree_with_what_is_drawn_of_a_crowd_of_single_and_double_sided_things(
    renderer: Renderer, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    scene = crowd(150, seed=seed)
    for name in ("box 0", "box 1", "box 2"):  # they are flat: rays meet nothing of them
        scene[name].hidden = True
    with_mesh = np.flatnonzero(scene.mesh_ids >= 0)
    single = scene.add_material(Material("single", double_sided=False))
    scene.set_materials(with_mesh[::2], single)
    scene.set_meshes(with_mesh[::4], add_quad(scene, 1.0))  # boxes are closed: their back faces are hidden
    scene.set_scales(with_mesh[::3], scene.scales[with_mesh[::3]] * MIRRORED)
    scene.update_world()
    view = view_of(scene, distance=12.0, yaw_rad=rng.uniform(-3, 3), pitch_rad=rng.uniform(-1, 1))
    ids = buffers_of(renderer, view).ids
    hits = wrong = through = 0
    for row, column in np.ndindex(SIZE[1] // 4, SIZE[0] // 4):
        row, column = 4 * row + 1, 4 * column + 2
        place = (column + 0.5) / SIZE[0], (row + 0.5) / SIZE[1]
        hit = view.snapshot.hit_under(place)
        found = -1 if hit is None else hit.node.id
        nearest = scene.raycast(*view.snapshot.camera.ray_through(place, SIZE[0] / SIZE[1]))
        through += found != (-1 if nearest is None else nearest.node.id)
        wrong += found != ids[row, column]
        hits += found >= 0
    assert hits > 100 and through > 10 and wrong <= 3, "but for rounding at edges"
