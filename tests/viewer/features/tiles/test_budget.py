"""octoscope render --budget: a picture waits for the tiles that it needs; what cannot be streamed is told."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from octoscope.viewer.cli import main
from tests.scene.streaming.villages import placed, write_village


@pytest.fixture(scope="module")
def village(tmp_path_factory):
    return write_village(tmp_path_factory.mktemp("village"))


def drawn(path, output, *options) -> np.ndarray:
    camera = ("--position", "0", "25", "60", "--target", "0", "0", "0")
    arguments = ["render", str(path), "-o", str(output), "--size", "160x120", "--no-grid", *camera, *options]
    assert main(arguments) == 0
    return np.asarray(Image.open(output).convert("RGB")).astype(int)


def test_a_streamed_picture_is_that_of_the_file(village, tmp_path, capsys):
    whole = drawn(village / "village.glb", tmp_path / "whole.png")
    streamed = drawn(village / "tiles" / "tileset.json", tmp_path / "streamed.png", "--budget", "1G")
    coarse = drawn(village / "tiles", tmp_path / "coarse.png", "--budget", "1G", "--tile-pixels", "1000")
    off, coarsely_off = (np.abs(picture - whole).mean() for picture in (streamed, coarse))
    assert off < 1.0 < coarsely_off
    assert "budget is full" not in capsys.readouterr().err
    drawn(village / "tiles", tmp_path / "small.png", "--budget", "1K")
    assert capsys.readouterr().err.count("budget is full") == 1


def test_tilesets_that_are_placed_are_drawn(village, tmp_path, capsys):
    drawn(placed(village, [(0, 0, 0), (60, 0, 0)]), tmp_path / "placed.png", "--budget", "1G")
    assert "objects" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["village.glb", "--budget", "1G"], "one tileset.json"),
        (["tiles/tileset.json", "village.glb", "--budget", "1G"], "one tileset.json"),
        (["village.glb", "--tile-pixels", "2"], "add --budget"),
        (["tiles/tileset.json", "--budget", "1G", "--turntable", "4"], "leave out --turntable"),
        (["nothing.json", "--budget", "1G"], "nothing.json"),
        (["tiles/tileset.json", "--budget", "0"], "above 0"),
    ],
)
def test_what_cannot_be_streamed_is_told_in_one_line(village, arguments, said, monkeypatch, capsys):
    monkeypatch.chdir(village)
    picture = "turn.gif" if "--turntable" in arguments else "picture.png"
    assert main(["render", *arguments, "-o", picture]) == 2
    error = capsys.readouterr().err
    assert said in error and "Traceback" not in error
