"""The scale bar: its length in the picture is what it says, and there is none in perspective."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene import Scene
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.features.scale_bar import decoration
from octoscope.viewer.frame.look.round_steps import multiples_of, round_step
from octoscope.viewer.frame.view import View

SIZE = (300, 200)


@pytest.mark.parametrize("distance", (0.003, 47.0, 8e5))
def test_the_bar_is_as_long_as_it_says(monkeypatch: pytest.MonkeyPatch, distance: float) -> None:
    written: list[str] = []
    image_of = decoration.bare_label_image
    monkeypatch.setattr(decoration, "bare_label_image", lambda text, size: written.append(text) or image_of(text, size))
    scene = Scene()
    scene.length_unit, scene.length_decimals = "mm", 0
    view = View(scene)
    view.camera = Camera.looking_at((distance, 0, 0), (0, 0, 0), orthographic=True)
    assert view.build_frames(SIZE)[0].frame.annotations is None, "not shown at first"
    view.show("scale bar")
    annotations = view.build_frames(SIZE)[0].frame.annotations
    left, _, right, _ = annotations.segments[0]
    number, unit = written[0].replace(",", "").split()
    assert unit == "mm" and float(number) == pytest.approx((right - left) * view.camera.pixel_size(SIZE[1]), rel=1e-4)
    assert f"{float(number):e}"[0] in "125" and float(f"{float(number):.0e}") == float(number)
    assert 0.08 * SIZE[0] <= right - left <= 0.21 * SIZE[0] and right < SIZE[0]
    view.camera = Camera.looking_at((distance, 0, 0), (0, 0, 0))
    assert view.build_frames(SIZE)[0].frame.annotations is None, "lengths shrink with their distance"


def test_steps_are_round_and_not_below() -> None:
    for least in (0.3, 1.0, 1.01, 2.0, 4.9, 5.1, 1e-9, 7e12):
        step = round_step(least)
        assert least * (1.0 - 1e-9) <= step <= 2.5 * least
    assert [round_step(least) for least in (0.3, 1.0, 1.01, 4.9, 5.1)] == pytest.approx([0.5, 1.0, 2.0, 5.0, 10.0])
    np.testing.assert_allclose(multiples_of(0.5, -1.2, 1.0), [-1.0, -0.5, 0.0, 0.5, 1.0])
