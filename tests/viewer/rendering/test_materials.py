"""The look of materials: metal, roughness, glow, and textures in their places."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from octoscope.scene import Material, MeshData, Scene, Texture, load, save_project
from octoscope.scene.formats.writers import WRITERS
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.scenes import picture, view_of

SIZE = (120, 120)


def ball() -> MeshData:
    """A unit ball; u runs once around it, v from below to above."""
    v, u = np.meshgrid(np.linspace(0.0, 1.0, 33), np.linspace(0.0, 1.0, 65), indexing="ij")
    polar, around = np.pi * (1.0 - v), 2.0 * np.pi * u
    positions = np.stack([np.sin(polar) * np.cos(around), np.cos(polar), np.sin(polar) * np.sin(around)], axis=-1)
    first = (np.arange(32)[:, None] * 65 + np.arange(64)).ravel()
    corners = first[:, None] + np.array([0, 1, 66, 0, 66, 65])
    positions = positions.reshape(-1, 3)
    return MeshData(positions, corners.reshape(-1, 3), positions, np.zeros(len(positions), dtype=int))


def quad() -> MeshData:
    """A unit square that faces +z, filled by the whole of a texture."""
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=float)
    positions = np.column_stack([corners - 0.5, np.zeros(4)])
    return MeshData(positions, np.array([(0, 1, 2), (0, 2, 3)]), None, np.zeros(4, dtype=int), corners)


def picture_of(renderer: Renderer, mesh: MeshData, material: Material, *, distance: float = 3.5) -> np.ndarray:
    """(height, width, 3) int, seen from the front."""
    scene = Scene()
    scene.add_node("it", mesh=scene.meshes.add(mesh), material=scene.add_material(material))
    scene.update_world()
    view = view_of(scene, yaw_rad=0.0, pitch_rad=0.0, distance=distance)
    view.settings.show_grid = False
    return picture(renderer, view, SIZE).astype(int)


def texture(*rows: list[tuple[int, int, int, int]]) -> Texture:
    return Texture(Path("t.png"), np.array(rows, dtype=np.uint8).repeat(32, axis=0).repeat(32, axis=1))


RED = (0.9, 0.0, 0.0)


def test_a_metals_highlight_has_its_colour_and_its_sides_are_dark(renderer: Renderer) -> None:
    metal = picture_of(renderer, ball(), Material("m", RED, metallic=1.0, roughness=0.3))
    plastic = picture_of(renderer, ball(), Material("p", RED, metallic=0.0, roughness=0.3))
    inside = slice(30, 90)
    assert metal[inside, inside, 2].max() < 12 < 60 < plastic[inside, inside, 2].max(), (
        "hardly any blue in what red metal mirrors"
    )
    assert metal[85, 60, 0] < 0.8 * plastic[85, 60, 0], "it mirrors the ground"
    assert metal[inside, inside, 0].max() > metal[85, 60, 0] + 80


def test_a_metal_elsewhere_changes_nothing_and_a_material_may_become_one(renderer: Renderer) -> None:
    scene = Scene()
    plain = scene.add_material(Material("p", RED, roughness=0.3))
    scene.add_node("it", mesh=scene.meshes.add(ball()), material=plain)
    view = view_of(scene, yaw_rad=0.0, pitch_rad=0.0, distance=3.5)
    view.settings.show_grid = False
    without = picture(renderer, view, SIZE)
    scene.add_material(Material("m", RED, metallic=1.0))
    assert np.array_equal(picture(renderer, view, SIZE), without)
    metal = Material("p", RED, metallic=1.0, roughness=0.3)
    scene.replace_materials({plain: metal})
    assert np.array_equal(picture(renderer, view, SIZE), picture_of(renderer, ball(), metal))


def test_a_glow_or_a_normal_elsewhere_changes_nothing_and_what_is_flat_may_get_them(renderer: Renderer) -> None:
    flat = replace(ball(), normals=None)
    red = Material("p", RED, roughness=0.3)
    scene = Scene()
    material = scene.add_material(red)
    scene.add_node("it", mesh=scene.meshes.add(flat), material=material)
    view = view_of(scene, yaw_rad=0.0, pitch_rad=0.0, distance=3.5)
    view.settings.show_grid = False
    without = picture(renderer, view, SIZE).astype(int)
    smooth = picture_of(renderer, ball(), red)
    differences = np.abs(smooth - without).max(axis=2)
    assert differences.max() > 0 and (differences >= 30).sum() < 3  # at the silhouette, where one sample is bright
    scene.add_material(Material("glow", RED, emission=(0.0, 0.3, 0.0)))
    assert np.array_equal(picture(renderer, view, SIZE), without)
    scene.set_meshes([0], [scene.meshes.add(ball())])
    scene.update_world()
    assert np.array_equal(picture(renderer, view, SIZE), smooth)
    scene.set_meshes([0], [0])
    scene.update_world()
    assert np.array_equal(picture(renderer, view, SIZE), without)
    scene.replace_materials({material: replace(red, emission=(0.0, 0.3, 0.0))})
    assert picture(renderer, view, SIZE)[60, 60, 1] > without[60, 60, 1] + 20


def test_half_a_metal_lies_between(renderer: Renderer) -> None:
    reds = [picture_of(renderer, ball(), Material("m", RED, metallic=m, roughness=0.3))[85, 60, 0] for m in (0, 0.5, 1)]
    assert reds[0] > reds[1] > reds[2]


def test_a_rough_balls_highlight_is_wide_and_dim(renderer: Renderer) -> None:
    blue = [
        picture_of(renderer, ball(), Material("r", RED, roughness=roughness))[20:100, 20:100, 2]
        for roughness in (0.2, 0.5, 1.0)
    ]
    peaks = [pixels.max() for pixels in blue]
    widths = [(pixels > peak / 2).sum() for pixels, peak in zip(blue, peaks, strict=True)]
    assert peaks[0] > peaks[1] > peaks[2] > 0
    assert widths[0] < widths[1] < widths[2]


def test_without_roughness_shininess_says_how_wide_the_highlight_is(renderer: Renderer) -> None:
    glossy, dull = (
        picture_of(renderer, ball(), Material("s", RED, specular=1.0, shininess=shininess))[20:100, 20:100, 2]
        for shininess in (300.0, 5.0)
    )
    assert glossy.max() > 2 * dull.max()
    assert (dull > dull.max() / 2).sum() > 4 * (glossy > glossy.max() / 2).sum() > 0


def test_what_is_unlit_has_one_colour(renderer: Renderer) -> None:
    image = picture_of(renderer, ball(), Material("flat", (0.2, 0.6, 0.9), specular=1.0, metallic=1.0, unlit=True))
    assert np.abs(image[30:90, 30:90] - (51, 153, 230)).max() <= 1


def test_a_glow_map_shines_where_it_is_bright(renderer: Renderer) -> None:
    dots = texture([(0, 0, 0, 255), (255, 255, 255, 255)])
    lamp = Material("lamp", (0, 0, 0), specular=0.0, emission=(0.0, 1.0, 0.0), emission_texture=dots)
    image = picture_of(renderer, quad(), lamp, distance=1.5)
    assert image[60, 45].max() < 5 and image[60, 75].tolist() == [0, 255, 0]


def test_a_glow_brighter_than_white_is_as_bright_as_white_in_its_hue(renderer: Renderer) -> None:
    scene = Scene()
    lamp = Material("lamp", (0, 0, 0), specular=0.0, emission=(1.0, 0.5, 0.0))
    material = scene.add_material(lamp)
    scene.add_node("it", mesh=scene.meshes.add(quad()), material=material)
    view = view_of(scene, yaw_rad=0.0, pitch_rad=0.0, distance=1.5)
    view.settings.show_grid = False
    seen = []
    for strength in (0.5, 1.0, 40.0):
        scene.replace_materials({material: replace(lamp, emission_strength=strength)})
        seen.append(picture(renderer, view, SIZE)[60, 60])
    dim, plain, strong = seen
    assert np.abs(strong.astype(int) - plain).max() <= 2 and (dim < plain)[:2].all()


def test_a_color_and_a_glow_map_are_not_mixed_up(renderer: Renderer) -> None:
    material = Material(
        "both",
        (1.0, 1.0, 1.0),
        specular=0.0,
        emission=(1.0, 1.0, 1.0),
        base_color_texture=texture([(255, 0, 0, 255), (0, 0, 0, 255)]),
        emission_texture=texture([(0, 0, 0, 255), (0, 0, 255, 255)]),
    )
    image = picture_of(renderer, quad(), material, distance=1.5)
    assert (image[60, 45] > 100).tolist() == [True, False, False]
    assert (image[60, 75] > 100).tolist() == [False, False, True]


def test_a_texture_is_scaled_and_shifted(renderer: Renderer) -> None:
    halves = texture([(255, 0, 0, 255), (0, 0, 255, 255)])

    def red_at(**placement: tuple[float, float]) -> list[bool]:
        material = Material("m", (1, 1, 1), unlit=True, base_color_texture=halves, **placement)
        row = picture_of(renderer, quad(), material, distance=1.5)[60]
        return [bool(row[x, 0] > row[x, 2]) for x in (14, 44, 76, 106)]  # the middles of quarters

    assert red_at() == [True, True, False, False]
    assert red_at(uv_offset=(0.5, 0.0)) == [False, False, True, True]
    assert red_at(uv_scale=(2.0, 1.0)) == [True, False, True, False]
    assert red_at(uv_scale=(2.0, 3.0), uv_offset=(0.5, 0.25)) == [False, True, False, True]


def test_textures_that_the_card_has_no_room_for_are_counted_and_told(renderer: Renderer) -> None:
    room = renderer.ctx.info["GL_MAX_ARRAY_TEXTURE_LAYERS"]
    scene = Scene()
    square = scene.meshes.add(quad())
    pixels = np.full((1, 1, 4), 255, dtype=np.uint8)
    for number in range(room + 2):
        material = Material(str(number), base_color_texture=Texture(Path(f"{number}.png"), pixels))
        scene.add_material(material)
    scene.add_node("it", mesh=square, material=1)
    view = view_of(scene)
    picture(renderer, view, SIZE)
    assert renderer.messages == ["2 textures are not shown: there are more than this graphics card takes"]
    picture(renderer, view_of(Scene()), SIZE)
    assert renderer.messages == []


@pytest.mark.parametrize("ending", [".glb", ".obj", ".octo.json"])
@pytest.mark.parametrize("unlit", [False, True])
def test_a_surface_looks_the_same_after_export(renderer: Renderer, tmp_path: Path, ending: str, unlit: bool) -> None:
    material = Material(
        "both",
        (0.9, 1.0, 0.8),
        specular=0.3,
        emission=(0.7, 1.0, 1.0),
        base_color_texture=texture([(255, 0, 0, 255), (0, 60, 0, 255)], [(200, 255, 0, 255), (0, 0, 255, 255)]),
        emission_texture=texture([(0, 0, 0, 255), (0, 0, 255, 255)], [(0, 90, 0, 255), (0, 0, 0, 255)]),
        uv_scale=(1.5, -0.75),
        uv_offset=(0.1, 0.3),
        unlit=unlit,
    )
    scene = Scene()
    scene.add_node("it", mesh=scene.meshes.add(quad(), first_material=scene.add_material(material)))
    write = {".octo.json": save_project, **WRITERS}[ending]
    write(scene, tmp_path / f"a{ending}")
    read = load(tmp_path / f"a{ending}")
    before = picture_of(renderer, quad(), material, distance=1.5)
    after = picture_of(renderer, read.meshes.mesh(0), read.materials[read.meshes.mesh(0).material_ids[0]], distance=1.5)
    assert np.unique(before.reshape(-1, 3), axis=0).shape[0] > 6, "there is something to see"
    assert np.abs(after - before).max() <= 1
