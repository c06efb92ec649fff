"""Textures that are shown smaller than they are, and that this is said wherever a file's problems are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from scene import Material, Scene, Texture, load
from tests.viewer.scenes import box_scene, picture, view_of
from viewer.rendering import texture_layers
from viewer.rendering.renderer import Renderer
from viewer.rendering.texture_layers import layer_side, shrunk_message, shrunk_textures, textures_of

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
        scene.set_material(number, replace(scene.materials[number], base_color_texture=image))
    picture(renderer, view_of(scene, distance=9.0))
    assert layer_side(images) == 64
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
