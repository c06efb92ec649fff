"""Environments of panoramas: where they lie, how rough surfaces blur them, and what is said of files that are none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from octoscope.scene.system.text_file import ReadError
from octoscope.viewer.features.panoramas import reading
from octoscope.viewer.features.panoramas.panorama import environment_of_panorama
from octoscope.viewer.frame.look.environment import LAYERS, Environment, octahedral_directions, solid_angles
from octoscope.viewer.frame.look.environment_names import environment_called
from tests.cases import quick
from tests.viewer.cli.cli_steps import box
from tests.viewer.cli.test_cli_surroundings import as_process


def panorama(height: int = 64) -> np.ndarray:
    """Return a picture of all directions: red from +x, green from above, blue from -z, none of them black."""
    latitude = np.pi * (0.5 - (np.arange(height) + 0.5) / height)[:, None]
    longitude = np.pi * ((np.arange(2 * height) + 0.5) / height - 1.0)
    x, y, z = (
        np.cos(latitude) * np.sin(longitude),
        np.sin(latitude) + 0.0 * longitude,
        -np.cos(latitude) * np.cos(longitude),
    )
    return np.maximum(np.stack([x, y, -z], axis=-1), 0.0) ** 4 + 0.1


def test_each_direction_of_a_panorama_is_where_it_belongs_and_its_light_is_kept() -> None:
    layers = environment_of_panorama("p", panorama()).mirrored
    directions = octahedral_directions(layers.shape[1])
    expected = np.maximum(directions * (1.0, 1.0, -1.0), 0.0) ** 4 + 0.1
    scale = layers[0].mean() / expected.mean()
    np.testing.assert_allclose(layers[0], scale * expected, atol=0.03 * scale)
    means = np.einsum("ij,lijc->lc", solid_angles(directions), layers)
    np.testing.assert_allclose(means, np.broadcast_to(means[0], means.shape), rtol=0.08)
    contrasts = layers.max(axis=(1, 2, 3)) / layers.min(axis=(1, 2, 3))
    assert len(contrasts) == LAYERS and (np.diff(contrasts) < 0.1).all() and contrasts[-1] < 0.5 * contrasts[0]


@pytest.fixture(scope="module")
def sound() -> Environment:
    """The environment of `panorama`, in which no pixel is broken."""
    return environment_of_panorama("p", panorama())


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("broken", quick((1e38, 3e9, np.inf, -np.inf, np.nan), 2))
@pytest.mark.parametrize(
    ("places", "channels"),
    [([(10, 20)], (0, 1, 2)), ([(10, 20)], (1,)), ([(0, 5)], (1,)), ([(63, 127), (20, 0), (40, 127)], (0, 1, 2))],
)
def test_broken_pixels_change_no_light_and_are_told(
    sound: Environment, broken: float, places: list, channels: tuple[int, ...]
) -> None:
    picture = panorama()
    for row, column in places:
        picture[row, column, list(channels)] = broken
    environment = environment_of_panorama("p", picture)
    np.testing.assert_allclose(environment.irradiance, sound.irradiance, atol=2e-3)
    np.testing.assert_allclose(environment.mirrored, sound.mirrored, atol=0.05)
    pixels = "1 broken pixel gets" if len(places) == 1 else "3 broken pixels get"
    assert environment.notes == (f"p: {pixels} the light of those around",) and sound.notes == ()


@pytest.mark.parametrize("sun", (1e3, 5e4))
@pytest.mark.parametrize("sky", (0.1, 0.0))
def test_a_sun_of_one_pixel_is_kept(sun: float, sky: float) -> None:
    picture = np.full((64, 128, 3), sky)
    picture[20, 64] = sun
    environment = environment_of_panorama("p", picture)
    assert environment.notes == ()
    ratio = environment.mirrored[0].max() / environment.mirrored[0].mean()
    assert ratio > 50.0 and environment.irradiance[1].min() > 0.0  # all of it from one place above


def test_stars_in_a_black_sky_are_no_broken_pixels() -> None:
    rng = np.random.default_rng(0)
    picture = np.zeros((64, 128, 3))
    picture[rng.integers(64, size=50), rng.integers(128, size=50)] = 1.0
    assert environment_of_panorama("p", picture).notes == ()


def test_a_name_that_is_neither_an_environment_nor_a_file_is_told_the_names(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"nothing.hdr: neither a file, nor one of studio, day"):
        environment_called(str(tmp_path / "nothing.hdr"))


def test_without_the_library_a_line_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "find_spec", lambda name: None)
    (tmp_path / "a.hdr").write_bytes(b"#?RADIANCE")
    with pytest.raises(ReadError, match=r"a.hdr: needs OpenImageIO: pip install 'octoscope\[environment\]'"):
        environment_called(str(tmp_path / "a.hdr"))


@pytest.mark.parametrize("ending", (".hdr", ".exr"))
def test_a_file_of_radiance_is_read(tmp_path: Path, ending: str) -> None:
    images = pytest.importorskip("OpenImageIO")
    path = tmp_path / f"sky{ending}"
    images.ImageBuf(panorama().astype(np.float32)).write(str(path))
    read = environment_called(str(path))
    np.testing.assert_allclose(read.mirrored, environment_of_panorama("p", panorama()).mirrored, rtol=0.05, atol=0.01)
    assert read.name == str(path) and not read.follows_camera


def test_a_file_is_read_once_until_it_is_changed(tmp_path: Path) -> None:
    images = pytest.importorskip("OpenImageIO")
    path = tmp_path / "sky.hdr"
    images.ImageBuf(panorama().astype(np.float32)).write(str(path))
    before = environment_called(str(path))
    assert environment_called(str(path)) is before
    images.ImageBuf(np.ascontiguousarray(panorama()[::-1], dtype=np.float32)).write(str(path))
    assert not np.allclose(environment_called(str(path)).mirrored, before.mirrored, rtol=0.1)
    path.unlink()
    with pytest.raises(ReadError, match="neither a file"):
        environment_called(str(path))


def test_a_damaged_file_is_refused_in_a_line(tmp_path: Path) -> None:
    pytest.importorskip("OpenImageIO")
    (tmp_path / "a.hdr").write_bytes(b"no picture")
    with pytest.raises(ReadError, match=r"a.hdr: cannot be read \(") as caught:
        environment_called(str(tmp_path / "a.hdr"))
    assert str(caught.value).count("early end of file") == 1


def test_a_file_with_a_broken_field_does_not_end_the_program(tmp_path: Path) -> None:
    """One of OpenImageIO's ways to read divides by zero here, where no exception can be caught; another reads it."""
    images = pytest.importorskip("OpenImageIO")
    path = tmp_path / "a.exr"
    images.ImageBuf(panorama().astype(np.float32)).write(str(path))
    sound = environment_called(str(path)).mirrored
    path.write_bytes(path.read_bytes().replace(b"lineOrder\0lin", b"lineOrder\xff\xff\x7f\x7f", 1))
    np.testing.assert_array_equal(environment_called(str(path)).mirrored, sound)


def test_a_complaint_of_the_library_that_is_no_text_is_told_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    images = pytest.importorskip("OpenImageIO")
    (tmp_path / "a.exr").write_bytes(b"no picture")
    monkeypatch.setattr(images, "geterror", lambda: b"what is \xff\n\x07".decode())
    with pytest.raises(ReadError, match=r"a.exr: cannot be read \(what is \ufffd \\x07\)"):
        environment_called(str(tmp_path / "a.exr"))


@pytest.mark.parametrize(
    ("pixels", "says"),
    [
        (np.ones((1, 1, 3)), "1 x 1 pixels are too few"),
        (np.zeros((8, 16, 3)), "shows no light"),
        (np.full((8, 16, 3), np.nan), "shows no light"),
        (np.full((8, 16, 3), -np.inf), "shows no light"),
    ],
)
def test_a_panorama_that_would_show_nothing_is_refused(tmp_path: Path, pixels: np.ndarray, says: str) -> None:
    images = pytest.importorskip("OpenImageIO")
    path = tmp_path / "sky.exr"
    images.ImageBuf(pixels.astype(np.float32)).write(str(path))
    with pytest.raises(ReadError, match=f"sky.exr: {says}"):
        environment_called(str(path))


def test_a_panorama_of_too_many_pixels_is_refused_before_any_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    images = pytest.importorskip("OpenImageIO")
    path = tmp_path / "sky.exr"
    images.ImageBuf(np.ones((100, 200, 3), dtype=np.float32)).write(str(path))
    monkeypatch.setattr(reading, "_MOST_NUMBERS", 100 * 200 * 3 - 1)
    monkeypatch.setattr(images.ImageBuf, "get_pixels", None)
    with pytest.raises(ReadError, match=r"sky.exr: 200 x 100 pixels are too many .* 8192 x 4096 at most"):
        environment_called(str(path))


@pytest.mark.parametrize("shape", [(8000, 8, 3), (4, 8000, 3)])
def test_a_panorama_of_any_proportions_is_an_environment(shape: tuple[int, int, int]) -> None:
    environment = environment_of_panorama("p", np.ones(shape))
    np.testing.assert_allclose(environment.mirrored, environment.mirrored[0, 0, 0, 0], rtol=1e-4)


def test_a_name_that_is_too_long_for_a_file_is_told_the_names() -> None:
    with pytest.raises(ReadError, match="neither a file, nor one of studio"):
        environment_called("x" * 5000)


def test_a_panorama_is_used_without_a_word_of_the_library_that_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    images = pytest.importorskip("OpenImageIO")
    pixels = np.ones((8, 16, 3), dtype=np.float32)
    images.ImageBuf(pixels).write("sky.hdr")
    pixels[3, 5] = np.nan
    images.ImageBuf(pixels).write("broken.exr")
    Path("a.obj").write_text(box("a"))
    told = {"sky.hdr": b"", "broken.exr": b"octoscope: broken.exr: 1 broken pixel gets the light of those around\n"}
    for name, line in told.items():
        process = as_process("render", "a.obj", "-o", f"{name}.png", "--size", "8x8", "--environment", name)
        assert (process.returncode, process.stderr) == (0, line)
    assert Path("broken.exr.png").read_bytes() == Path("sky.hdr.png").read_bytes()
