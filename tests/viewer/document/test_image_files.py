"""Pictures as files."""

from pathlib import Path

import hypothesis.extra.numpy as arrays
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from octoscope.scene import SaveError
from octoscope.viewer.document.image_files import has_format, save_picture

SIDES = st.integers(1, 40)
NOISE = arrays.arrays(np.uint8, st.tuples(SIDES, SIDES, st.sampled_from((3, 4))))
SHADES = st.builds(  # differences of neighbours compress better than they do themselves
    lambda height, width, step: (np.arange(height * width * 3) * step).astype(np.uint8).reshape(height, width, 3),
    SIDES,
    SIDES,
    st.integers(1, 9),
)


@given(st.one_of(NOISE, SHADES), st.booleans())
def test_a_png_holds_the_pixels_that_were_written(tmp_path_factory, pixels, upside_down):
    path = tmp_path_factory.mktemp("png") / "a.PNG"
    shown = pixels[::-1] if upside_down else pixels  # as OpenGL's pictures come: a view with rows in reverse
    save_picture(shown, path)
    with Image.open(path) as image:
        image.load()
        assert (image.format, image.mode) == ("PNG", "RGBA" if pixels.shape[2] == 4 else "RGB")
        assert np.array_equal(np.asarray(image), shown)


@pytest.mark.parametrize("ending", [".jpg", ".bmp", ".TIFF", ".webp"])
def test_other_formats_are_written_too(tmp_path, ending):
    path = tmp_path / f"a{ending}"
    assert has_format(path)
    save_picture(np.full((8, 8, 3), 200, np.uint8), path)
    assert abs(np.asarray(Image.open(path).convert("RGB")).astype(int) - 200).max() < 8


def test_a_format_that_is_not_for_such_a_picture_is_refused_in_one_line(tmp_path):
    assert not has_format(Path("a.doc")) and not has_format(Path("a"))
    with pytest.raises(SaveError, match=r"try \.png"):
        save_picture(np.zeros((4, 4, 3), np.uint8), tmp_path / "a.msp")


def test_a_picture_takes_hardly_more_room_than_as_pillow_usually_writes_it(tmp_path):
    rng = np.random.default_rng(1)
    waves = 127.5 + 100.0 * np.sin(np.add.outer(np.arange(200) / 40.0, np.arange(320) / 50.0))
    photograph = waves[..., None] + rng.integers(-3, 4, (200, 320, 3))
    surfaces = np.zeros((200, 320, 3))
    surfaces[40:160, 60:200] = (200, 90, 30)
    for pixels in (photograph.astype(np.uint8), surfaces.astype(np.uint8)):
        save_picture(pixels, tmp_path / "ours.png")
        Image.fromarray(pixels).save(tmp_path / "pillow.png")
        assert (tmp_path / "ours.png").stat().st_size < 1.3 * (tmp_path / "pillow.png").stat().st_size + 1000
