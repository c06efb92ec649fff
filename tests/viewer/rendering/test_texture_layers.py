"""Textures that are shown smaller than they are, and that this is said wherever a file's problems are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from octoscope.scene import Material, Scene, Texture, load
from octoscope.scene.mesh.primitives import plane
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.renderer import Renderer
from octoscope.viewer.rendering.resources import texture_layers
from octoscope.viewer.rendering.resources.texture_layers import (
    MOST_ARRAYS,
    layer_sides,
    shrunk_message,
    shrunk_textures,
    textures_of,
)
from tests.viewer.scenes import at, box_scene, flat_view, picture, view_of

LARGE = "2 of 3 textures are shown smaller than in the file, at most 1,024 pixels a side; the largest is 1,500 x 1,200"


def texture(width: int, height: int) -> Texture:
    return Texture(Path(f"{width}.png"), np.full((height, width, 4), 255, dtype=np.uint8))


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """An OBJ file with textures of three sizes, two of which are larger than is kept."""
    lines = ["mtllib large.mtl", "v 0 0 0", "v 1 0 0", "v 0 1 0", "vt 0 0"]
    materials = []
    for name, size in (("small", (64, 64)), ("wide", (1100, 40)), ("large", (1500, 1200))):
        Image.new("RGB", size, "orange").save(tmp_path / f"{name}.jpg")
        materials += [f"newmtl {name}", f"map_Kd {name}.jpg"]
        lines += [f"usemtl {name}", "f 1/1 2/1 3/1"]
    (tmp_path / "large.mtl").write_text("\n".join(materials))
    (tmp_path / "large.obj").write_text("\n".join(lines))
    return tmp_path / "large.obj"


def test_a_texture_knows_the_size_that_it_has_in_its_file(large: Path) -> None:
    textures = textures_of(load([large]).materials)
    assert [texture.full_size for texture in textures] == [(64, 64), (1100, 40), (1500, 1200)]
    assert max(max(texture.pixels.shape) for texture in textures) == 1024


def test_drawing_and_info_say_which_textures_are_shown_smaller(large: Path, run, facts, in_folder) -> None:
    status, _, errors = run("render", large, "-o", "out.png", "--size", "64x48")
    assert status == 0 and f"octoscope: {LARGE}" in errors
    found = facts("info", large)
    assert found["textures"] == 3 and LARGE in found["warnings"]
    assert [(Path(each["file"]).name, each["size"]) for each in found["textures_shrunk"]] == [
        ("large.jpg", [1500, 1200]),
        ("wide.jpg", [1100, 40]),
    ]
    status, _, errors = run("info", large)
    assert status == 0 and f"octoscope: {LARGE}" in errors


def test_what_the_card_has_too_little_room_for_is_counted_too(renderer: Renderer, monkeypatch) -> None:
    monkeypatch.setattr(texture_layers, "_MOST_BYTES", 4 * 64 * 64 * 4)
    scene: Scene = box_scene()
    images = [texture(64, 64), texture(128, 32), texture(256, 16)]
    for number, image in enumerate(images, start=1):
        scene.replace_materials({number: replace(scene.materials[number], base_color_texture=image)})
    picture(renderer, view_of(scene, distance=9.0))
    assert layer_sides(images) == [64] * 3
    assert renderer.messages == [
        "2 of 3 textures are shown smaller than in the file, at most 64 pixels a side; the largest is 128 x 32"
    ]


def test_nothing_is_said_of_textures_that_are_shown_as_they_are() -> None:
    assert shrunk_message([]) == shrunk_message([texture(100, 1024)]) == []
    assert shrunk_textures([texture(1024, 1024), texture(1, 1)]) == []
    shrunk = replace(texture(10, 10), read_size=(30, 20))
    assert shrunk_message([shrunk]) == [
        "a texture is shown smaller than in the file, at most 10 pixels a side; it is 30 x 20"
    ]
    assert textures_of([Material("a", base_color_texture=shrunk), Material("b", emission_texture=shrunk)]) == [shrunk]


def test_large_textures_do_not_make_small_ones_larger_nor_smaller(monkeypatch) -> None:
    images = [texture(1024, 1024)] * 60 + [texture(64, 64)] * 60
    assert layer_sides(images) == [1024] * 60 + [64] * 60
    assert layer_sides([texture(64, 64), texture(1024, 3)]) == [1024] * 2, "one array, as it is not large"
    monkeypatch.setattr(texture_layers, "_MOST_BYTES", 200 * 2**20)
    assert layer_sides(images) == [512] * 60 + [64] * 60


@given(st.lists(st.integers(1, 1024), max_size=60), st.integers(0, 24), st.integers(10, 26))
def test_layers_hold_their_textures_as_far_as_memory_allows(widths: list[int], cheap: int, most: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(texture_layers, "_CHEAP_BYTES", 2**cheap)
        patch.setattr(texture_layers, "_MOST_BYTES", 2**most)
        images = [texture(width, 1) for width in widths]
        sides = layer_sides(images)
    assert len(sides) == len(images) and len(set(sides)) <= MOST_ARRAYS
    rooms = [4 * side**2 * texture_layers.layer_room([each for each in sides if each == side]) for side in set(sides)]
    assert sum(rooms) <= max(2**most, 4 * texture_layers.layer_room(sides or [1]))
    for width, side in zip(widths, sides, strict=True):
        assert side >= width or side == max(sides), "the largest alone are made smaller"


def colored(side: int, color: tuple[int, int, int]) -> Texture:
    return Texture(Path(f"{color}.png"), np.full((side, side, 4), (*color, 255), dtype=np.uint8))


def texture_scene(count: int) -> tuple[View, list[tuple[int, int, int]]]:
    """A flat view of unlit squares with textures of different sizes, 12 pixels apart, and their colours."""
    scene = Scene()
    colors = [(int(40 + 200 * i / count), 255 - 20 * i, 30 * i) for i in range(count)]
    mesh = scene.meshes.add(plane(10.0))
    for i, color in enumerate(colors):
        image = colored(2 ** (i % 6 + 1), color)
        material = scene.add_material(Material(str(i), base_color=(1, 1, 1), base_color_texture=image, unlit=True))
        place = (12.0 * i - 6.0 * count, 0.0, 0.0)
        scene.add_node(str(i), mesh=mesh, material=material, translation=place, rotation=(0.5**0.5, 0, 0, 0.5**0.5))
    scene.update_world()
    return flat_view(scene), colors


@pytest.mark.parametrize("cheap", (0, 2**30))
def test_textures_of_all_sizes_are_shown_where_they_belong(renderer: Renderer, monkeypatch, cheap: int) -> None:
    monkeypatch.setattr(texture_layers, "_CHEAP_BYTES", cheap)
    view, colors = texture_scene(8)
    image = picture(renderer, view)
    for i, color in enumerate(colors):
        assert np.abs(at(image, 12.0 * i - 48.0, 0.0) - color).max() <= 2, i
    assert renderer.messages == []
    late = colored(300, (250, 10, 200))
    view.scene.replace_materials({2: replace(view.scene.materials[2], base_color_texture=late)})
    image = picture(renderer, view)
    for i, color in enumerate(colors):
        expected = (250, 10, 200) if i + 1 == 2 else color
        assert np.abs(at(image, 12.0 * i - 48.0, 0.0) - expected).max() <= 2, i


def test_a_window_does_not_wait_for_textures_and_has_them_when_nothing_is_pending(ctx) -> None:
    renderer = Renderer(ctx, upload_seconds=0.0)
    view, colors = texture_scene(3)
    while True:
        image = picture(renderer, view)
        if not renderer.has_pending_uploads:
            break
        while renderer.has_pending_uploads:
            renderer.upload_pending()
    for i, color in enumerate(colors):
        assert np.abs(at(image, 12.0 * i - 18.0, 0.0) - color).max() <= 2, i
    renderer.release()
