"""Texture files are read once, kept small, and refused with a reason."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from scene import read_obj
from scene.textures import read_texture

TRIANGLE = "mtllib t.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0.25 0.75\nf 1/1 2/2 3/3\n"


def image_file(path: Path, size: tuple[int, int] = (2, 3), color: tuple[int, int, int] = (10, 200, 30)) -> Path:
    Image.new("RGB", size, color).save(path)
    return path


def material_of(tmp_path: Path, statement: str) -> tuple[object, list[str]]:
    (tmp_path / "t.mtl").write_text(f"newmtl m\nKd 1 1 1\nmap_Kd {statement}\n")
    (tmp_path / "t.obj").write_text(TRIANGLE)
    file = read_obj(tmp_path / "t.obj")
    return file.materials[file.objects[0][1].material_ids[0]], file.warnings


def test_the_same_file_is_one_texture_until_it_changes(tmp_path: Path) -> None:
    path = image_file(tmp_path / "a.png")
    first = read_texture(path)
    assert first.pixels.shape == (3, 2, 4) and first.pixels[0, 0].tolist() == [10, 200, 30, 255]
    assert read_texture(path) is first
    image_file(path, color=(1, 2, 3))
    os.utime(path, ns=(1, 1))
    assert read_texture(path).pixels[0, 0].tolist() == [1, 2, 3, 255]


def test_large_images_are_made_smaller(tmp_path: Path) -> None:
    assert read_texture(image_file(tmp_path / "wide.png", (3000, 30))).pixels.shape == (10, 1024, 4)


def test_what_is_no_image_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.png").write_text("this is no image")
    whole = image_file(tmp_path / "whole.png", (300, 300)).read_bytes()
    (tmp_path / "half.png").write_bytes(whole[: len(whole) // 2])
    os.mkfifo(tmp_path / "fifo.png")
    for name in ("missing.png", "text.png", "half.png", "fifo.png", "."):
        with pytest.raises(OSError):
            read_texture(tmp_path / name)


@pytest.mark.parametrize("statement", ["wood.png", "-s 1 1 1 wood.png", r"C:\\models\\wood.png", r".\wood.png"])
def test_a_materials_texture_is_found(tmp_path: Path, statement: str) -> None:
    image_file(tmp_path / "wood.png")
    material, warnings = material_of(tmp_path, statement)
    assert material.base_color_texture is read_texture(tmp_path / "wood.png") and warnings == []


def test_a_texture_with_blanks_in_its_name_is_found(tmp_path: Path) -> None:
    image_file(tmp_path / "old wood.png")
    material, warnings = material_of(tmp_path, "old wood.png")
    assert material.base_color_texture is not None and warnings == []


@pytest.mark.parametrize("statement", ["missing.png", "t.obj"])
def test_a_texture_that_cannot_be_read_is_said_and_left_out(tmp_path: Path, statement: str) -> None:
    material, warnings = material_of(tmp_path, statement)
    assert material.base_color_texture is None
    assert len(warnings) == 1 and statement in warnings[0]


def test_texture_coordinates_that_are_no_numbers_are_zero(tmp_path: Path) -> None:
    (tmp_path / "t.obj").write_text(TRIANGLE.replace("vt 1 0", "vt 1e300 nan").replace("vt 0.25", "vt -inf"))
    assert np.isfinite(read_obj(tmp_path / "t.obj").objects[0][1].uvs).all()


def test_texture_coordinates_reach_the_mesh(tmp_path: Path) -> None:
    image_file(tmp_path / "wood.png")
    material_of(tmp_path, "wood.png")
    mesh = read_obj(tmp_path / "t.obj").objects[0][1]
    corners = {tuple(position): tuple(uv) for position, uv in zip(mesh.positions, mesh.uvs, strict=True)}
    assert corners == {(0, 0, 0): (0, 0), (1, 0, 0): (1, 0), (0, 1, 0): (0.25, 0.75)}
    assert np.asarray(mesh.uvs).dtype == np.float32
