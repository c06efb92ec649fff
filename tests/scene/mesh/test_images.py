"""Texture files are read once, kept small, and refused with a reason."""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from octoscope.scene import ReadError, read_obj
from octoscope.scene.mesh.images import read_texture, read_textures, with_opacity
from octoscope.scene.mesh.texture import Texture
from octoscope.scene.system.read_limits import read_limits

TRIANGLE = "mtllib t.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0.25 0.75\nf 1/1 2/2 3/3\n"


def image_file(path: Path, size: tuple[int, int] = (2, 3), color: tuple[int, int, int] = (10, 200, 30)) -> Path:
    Image.new("RGB", size, color).save(path)
    return path


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


def png_of(width: int, height: int) -> bytes:
    """A small file that claims to be an image of this size."""
    header = struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n"
    for kind, content in ((b"IHDR", header), (b"IDAT", zlib.compress(bytes(4000))), (b"IEND", b"")):
        data += struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
    return data


@pytest.mark.parametrize("size", [(50_000, 50_000), (2**31 - 1, 2**31 - 1), (0, 0), (1000, 1000)])
def test_a_small_file_that_claims_many_pixels_is_refused(tmp_path: Path, size: tuple[int, int]) -> None:
    (tmp_path / "bomb.png").write_bytes(png_of(*size))
    with pytest.raises(OSError) as refusal:
        read_texture(tmp_path / "bomb.png")
    assert "\n" not in str(refusal.value) and (size != (50_000, 50_000) or "pixels" in str(refusal.value))


def test_an_image_cut_off_anywhere_is_refused_or_read(tmp_path: Path) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (40, 40, 3), dtype=np.uint8)
    for name in ("a.png", "a.jpg", "a.gif", "a.tif", "a.bmp", "a.tga", "a.webp", "a.dds"):
        Image.fromarray(noise).save(tmp_path / name)
        whole = (tmp_path / name).read_bytes()
        refused = 0
        for length in range(0, len(whole) - 1, max(1, len(whole) // 23)):
            (tmp_path / name).write_bytes(whole[:length])
            try:
                assert read_texture(tmp_path / name).pixels.shape == (40, 40, 4)
            except OSError as error:
                assert str(error) and "\n" not in str(error)
                refused += 1
        assert refused > 10, name


def shown(path: Path) -> list[int]:
    return read_texture(path).pixels[0, 0].tolist()


def test_every_mode_of_image_is_shown_in_its_colours(tmp_path: Path) -> None:
    path = tmp_path / "image.png"
    Image.fromarray(np.full((2, 2), 200 * 257, dtype=np.uint16)).save(path)
    assert shown(path) == [200, 200, 200, 255], "16 bits"
    Image.new("1", (2, 2), 1).save(path)
    assert shown(path) == [255, 255, 255, 255], "black and white"
    Image.new("LA", (2, 2), (50, 60)).save(path)
    assert shown(path) == [50, 50, 50, 60]
    Image.new("RGB", (2, 2), (1, 2, 3)).save(path, transparency=(1, 2, 3))
    assert shown(path)[3] == 0, "a colour that stands for nothing"
    palette = Image.new("P", (2, 2), 1)
    palette.putpalette([0, 0, 0, 10, 20, 30])
    palette.save(path, transparency=bytes([255, 77]))
    assert shown(path) == [10, 20, 30, 77], "palette"


def test_formats_other_than_png(tmp_path: Path) -> None:
    Image.new("CMYK", (2, 2), (0, 255, 255, 0)).save(tmp_path / "ink.jpg")
    assert shown(tmp_path / "ink.jpg") == pytest.approx([255, 0, 0, 255], abs=4)
    frames = [Image.new("RGB", (2, 2), color) for color in ("red", "blue", "lime")]
    frames[0].save(tmp_path / "film.gif", save_all=True, append_images=frames[1:])
    assert shown(tmp_path / "film.gif") == [255, 0, 0, 255], "its first picture"
    for name in ("a.tga", "a.bmp", "a.tif", "a.webp", "a.dds", "a.ppm", "a.pcx", "a.sgi", "a.jp2"):
        image_file(tmp_path / name, (8, 8))
        assert shown(tmp_path / name) == pytest.approx([10, 200, 30, 255], abs=8), name
    Image.fromarray(np.full((2, 2), 0.5, dtype=np.float32)).save(tmp_path / "deep.tif")
    assert shown(tmp_path / "deep.tif")[0] == pytest.approx(128, abs=1)


def test_a_file_for_another_program_is_not_given_to_it(tmp_path: Path) -> None:
    """Pillow would start Ghostscript."""
    (tmp_path / "image.png").write_text("%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n%%EndComments\nshowpage\n")
    with pytest.raises(OSError, match="format"):
        read_texture(tmp_path / "image.png")


def test_many_images_are_read_as_one_by_one_each_file_once(tmp_path: Path) -> None:
    paths = [image_file(tmp_path / f"{number}.png", color=(number, 0, 0)) for number in range(60)]
    (tmp_path / "link.png").symlink_to("7.png")
    (tmp_path / "text.png").write_text("this is no image")
    read = read_textures([*paths, tmp_path / "link.png", tmp_path / "text.png", tmp_path / "gone.png", paths[3]])
    assert [read[path].pixels[0, 0, 0] for path in paths] == list(range(60))
    assert read[tmp_path / "link.png"] is read[paths[7]]
    assert isinstance(read[tmp_path / "text.png"], OSError) and isinstance(
        read[tmp_path / "gone.png"], FileNotFoundError
    )
    assert read_texture(paths[5]) is read[paths[5]]
    assert read_textures([]) == {}


def test_reading_an_image_leaves_no_warning(tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    (tmp_path / "large.png").write_bytes(png_of(10_000, 9_000))  # more than Pillow likes, less than it refuses
    with pytest.raises(OSError, match="truncated"):
        read_texture(tmp_path / "large.png")
    assert not recwarn.list


def test_a_texture_takes_its_opacity_from_another_image(tmp_path: Path) -> None:
    leaf = read_texture(image_file(tmp_path / "leaf.png", (4, 2)))
    Image.fromarray(np.array([[0, 255], [0, 255]], dtype=np.uint8)).save(tmp_path / "mask.png")
    cut = with_opacity(leaf, read_texture(tmp_path / "mask.png"))
    assert cut.pixels.shape == (2, 4, 4) and not cut.pixels.flags.writeable
    assert cut.pixels[0, 0].tolist() == [10, 200, 30, 0] and cut.pixels[0, 3].tolist() == [10, 200, 30, 255]


def test_texture_coordinates_that_are_no_numbers_are_zero(tmp_path: Path) -> None:
    (tmp_path / "t.obj").write_text(TRIANGLE.replace("vt 1 0", "vt 1e300 nan").replace("vt 0.25", "vt -inf"))
    assert np.isfinite(read_obj(tmp_path / "t.obj").objects[0][1].uvs).all()


def test_texture_coordinates_reach_the_mesh(tmp_path: Path) -> None:
    image_file(tmp_path / "wood.png")
    (tmp_path / "t.mtl").write_text("newmtl m\nmap_Kd wood.png\n")
    (tmp_path / "t.obj").write_text(TRIANGLE)
    mesh = read_obj(tmp_path / "t.obj").objects[0][1]
    corners = {tuple(position): tuple(uv) for position, uv in zip(mesh.positions, mesh.uvs, strict=True)}
    assert corners == {(0, 0, 0): (0, 0), (1, 0, 0): (1, 0), (0, 1, 0): (0.25, 0.75)}
    assert np.asarray(mesh.uvs).dtype == np.float32


def test_images_of_far_more_pixels_than_bytes_are_left_out_and_the_others_read(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("octoscope.scene.system.read_limits._PIXELS_OF_ANY", 175_000)
    paths = [tmp_path / f"{number}.png" for number in range(4)]
    for path in paths:
        Image.new("RGB", (300, 300)).save(path)  # 64 pixels for each of its bytes are 30,000
    Image.effect_noise((300, 300), 50.0).save(tmp_path / "noise.png")
    with read_limits(tmp_path / "a.obj", None):
        read = read_textures([*paths, tmp_path / "noise.png"])
    assert [isinstance(read[path], Texture) for path in paths] == [True, True, False, False]
    assert "far more pixels than its bytes" in str(read[paths[-1]])
    assert isinstance(read[tmp_path / "noise.png"], Texture)


def test_an_image_that_takes_more_memory_than_there_may_be_refuses_its_file_before_it_is_decoded(tmp_path) -> None:
    path = tmp_path / "large.png"
    path.write_bytes(png_of(3_000, 3_000))  # cut off: decoding would say so
    with (
        read_limits(tmp_path / "a.obj", 10_000_000),
        pytest.raises(ReadError, match=r"a\.obj: needs about .* of memory"),
    ):
        read_textures([path])
