"""Maps that are looked up by the second set of texture coordinates, against a first set of the same numbers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from octoscope.scene import Material, Scene, Texture, load, write_glb
from octoscope.scene.mesh.material import SECOND_UVS_FIELDS
from octoscope.scene.mesh.primitives import cube
from octoscope.viewer.frame.look.backdrop import plain_backdrop
from octoscope.viewer.frame.look.environment import built_in
from octoscope.viewer.frame.section import NO_SECTION, Section
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.rendering.test_environment import drawn
from tests.viewer.rendering.test_maps import UV
from tests.viewer.rendering.test_placement import fields_of_colours
from tests.viewer.scenes import add_quad, flat_view

FIRST, SECOND = UV, 0.5 * UV[[1, 2, 3, 0]] + 0.25  # turned by a quarter and enlarged
SURFACE = Material("m", (0.8, 0.5, 0.3), metallic=0.5, roughness=0.5, emission=(0.6, 0.6, 0.6), clearcoat=1.0)


def mapped(name: str, *, on_second: bool) -> Material:
    """Return a material with one map, by its field."""
    texture = fields_of_colours(5)
    if name == "normal_texture":  # directions that lean along u or v
        red, _, blue, alpha = np.moveaxis(texture.pixels, 2, 0)
        pixels = np.stack([128 + red // 4, 128 + blue // 4, np.full_like(red, 230), alpha], axis=2)
        texture = Texture(texture.path, pixels)
    index = 4.0 if name == "specular_texture" else SURFACE.index_of_refraction
    return replace(SURFACE, index_of_refraction=index, **{name: texture, SECOND_UVS_FIELDS[name]: on_second})


def picture(renderer: Renderer, scene: Scene, quality: int, *, section: Section = NO_SECTION) -> np.ndarray:
    scene.update_world()
    view = flat_view(scene)
    view.settings.section = section
    view.settings.backdrop, view.settings.environment = plain_backdrop((0.0, 0.0, 0.0)), built_in("day")
    return drawn(renderer, view, quality)


def square(material: Material, first: np.ndarray, second: np.ndarray | None) -> Scene:
    scene = Scene()
    arrays = {"uvs": first} | ({} if second is None else {"second_uvs": second})
    scene.add_node("square", mesh=add_quad(scene, 50.0, scene.add_material(material), **arrays))
    return scene


@pytest.mark.parametrize("quality", (0, 1, 2))
@pytest.mark.parametrize("name", SECOND_UVS_FIELDS)
def test_a_map_is_drawn_by_the_second_set(renderer: Renderer, name: str, quality: int) -> None:
    expected = picture(renderer, square(mapped(name, on_second=False), SECOND, None), quality)
    seen = picture(renderer, square(mapped(name, on_second=True), FIRST, SECOND), quality)
    by_first = picture(renderer, square(mapped(name, on_second=False), FIRST, SECOND), quality)
    assert np.abs(seen - expected).max() <= 1
    if quality == 0 or name == "emission_texture":  # simple light shows no other maps
        least = 2 if name == "clearcoat_texture" else 10  # a coat mirrors a 25th
        assert np.abs(seen - by_first).max() > least


def test_colours_use_one_set_and_a_map_the_other_and_a_placement_is_of_its_own_set(renderer: Renderer) -> None:
    colors, glow = fields_of_colours(1), fields_of_colours(2)
    material = replace(SURFACE, base_color_texture=colors, emission_texture=glow, uv_scale=(2.0, 1.0))
    place = (0.5, 2.0, 0.7, 0.1, 0.2)
    two = replace(material, emission_on_second_uvs=True, emission_placement=place)
    seen = picture(renderer, square(two, FIRST, FIRST), 0)
    expected = picture(renderer, square(replace(material, emission_placement=place), FIRST, None), 0)
    assert np.abs(seen - expected).max() <= 1
    assert np.abs(picture(renderer, square(two, FIRST, SECOND), 0) - expected).max() > 10
    assert np.abs(picture(renderer, square(two, SECOND, FIRST), 0) - expected).max() > 10


def test_the_set_comes_with_a_mesh_that_is_added_later_and_others_are_at_zero(renderer: Renderer) -> None:
    """The same renderer draws the scene before and after: the pool gets its column between two pictures."""
    material = mapped("emission_texture", on_second=True)
    scene = square(material, FIRST, None)
    alone = picture(renderer, scene, 0)
    scene.add_node("later", mesh=add_quad(scene, 50.0, 1, uvs=FIRST, second_uvs=SECOND), translation=(0, 0, 9))
    both = picture(renderer, scene, 0)
    assert np.abs(both - picture(renderer, square(material, FIRST, SECOND), 0)).max() <= 1
    scene.set_hidden(1, True)
    assert np.abs(picture(renderer, scene, 0) - alone).max() <= 1
    assert np.abs(alone - picture(renderer, square(material, 0.0 * UV, 0.0 * UV), 0)).max() <= 1


@pytest.mark.parametrize("on_second", [False, True])
def test_a_picture_of_a_glb_is_that_of_the_scene(renderer: Renderer, on_second: bool, tmp_path: Path) -> None:
    for name in ("emission_texture", "occlusion_texture"):
        material = replace(mapped(name, on_second=on_second), base_color_texture=fields_of_colours(1))
        scene = square(material, FIRST, SECOND)
        expected = picture(renderer, scene, 0)
        write_glb(scene, tmp_path / "a.glb")
        assert np.abs(picture(renderer, load(tmp_path / "a.glb"), 0) - expected).max() <= 2


def test_a_face_where_a_section_cuts_an_object_open_has_the_colour_of_its_vertex_in_that_set(
    renderer: Renderer,
) -> None:
    red_blue = np.array([[(255, 0, 0, 255), (0, 0, 255, 255)]], dtype=np.uint8)
    glow = Texture(Path("halves"), red_blue.repeat(16, axis=0).repeat(16, axis=1))
    material = Material("m", (0.0, 0.0, 0.0), unlit=True, emission=(1.0, 1.0, 1.0), emission_texture=glow)
    left, right = (np.tile((u, 0.5), (len(cube(80.0).positions), 1)).astype("f4") for u in (0.25, 0.75))

    def cut(on_second: bool, first: np.ndarray, second: np.ndarray | None) -> np.ndarray:
        scene = Scene()
        own = scene.add_material(replace(material, emission_on_second_uvs=on_second))
        mesh = replace(cube(80.0), uvs=first, second_uvs=second)
        scene.add_node("cube", mesh=scene.meshes.add(mesh, first_material=own))
        return picture(renderer, scene, 0, section=Section.of("z<0"))

    seen, expected = cut(True, left, right), cut(False, right, None)
    assert np.abs(seen - expected).max() <= 1 and seen[..., 2].max() > 100 > seen[..., 0].max()
