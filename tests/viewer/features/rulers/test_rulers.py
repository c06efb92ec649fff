"""Rulers: each number stands where a point of that coordinate is in the picture."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene import Scene
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.features.rulers import decoration
from octoscope.viewer.frame.projection import ViewProjection
from octoscope.viewer.frame.view import View

SIZE = (640, 400)


@pytest.mark.parametrize(
    ("eye", "axes", "far"),
    [((0, 0, -30), "XY", 0.0), ((30, 0, 0), "ZY", 500066.7), ((0, 30, 0), "XZ", 0.0), ((20, 15, 9), "", 7e4)],
)
def test_numbers_stand_where_their_coordinates_are(monkeypatch, eye, axes, far) -> None:
    written: list[str] = []
    image_of = decoration.bare_label_image
    monkeypatch.setattr(decoration, "bare_label_image", lambda text, size: written.append(text) or image_of(text, size))
    target = np.array((far, 2.0 * far, -far))
    view = View(scene := Scene())
    scene.length_unit = "cm"
    view.camera = camera = Camera.looking_at(target + eye, target, orthographic=True)
    view.show("rulers")
    annotations = view.build_frames(SIZE)[0].frame.annotations
    projection = ViewProjection.of_size(camera, SIZE)
    names = [text for text in written if "cm" in text]
    assert names == ([f"{axis} cm" for axis in axes] or ["cm", "cm"])
    places = iter(middle for (_, middle), text in zip(annotations.images, written, strict=True) if "cm" not in text)
    values = [float(text.replace(",", "")) for text in written[: written.index(names[0])]], []
    values[1].extend(float(text.replace(",", "")) for text in written[len(values[0]) + 1 :] if "cm" not in text)
    steps = [abs(np.diff(each)[0]) for each in values]
    assert steps[0] == pytest.approx(steps[1]), "one step for both"
    for edge in range(2):
        along = camera.axes[edge]
        along = along * np.sign(along[np.abs(along).argmax()])
        assert len(values[edge]) >= 2
        for value in values[edge]:
            point = camera.position + (value - along @ camera.position) * along
            assert next(places)[edge] == pytest.approx(projection.pixels(point[None])[0, edge], abs=0.51)


def test_there_are_none_in_perspective_and_what_stands_in_the_corner_keeps_off_the_right_one() -> None:
    view = View(Scene())
    view.show("rulers")
    assert view.build_frames(SIZE)[0].frame.annotations is None
    (rulers,) = (each for each in view.decorations if each.name == "rulers")
    assert rulers.edges(view.active) == (0.0, 0.0)
    view.camera = Camera.looking_at((0, 0, -30), (0, 0, 0), orthographic=True)
    annotations = view.build_frames(SIZE)[0].frame.annotations
    free = SIZE[0] - rulers.edges(view.active)[0] * annotations.font_size_px
    at_right = [(image, x) for image, (x, y) in annotations.images if y < SIZE[1] - 2.0 * annotations.font_size_px]
    assert at_right and all(x - image.shape[1] / 2.0 >= free for image, x in at_right)


def test_a_line_in_both_follows_the_mouse(open_app) -> None:
    app = open_app(Scene())
    app.view.show("rulers")
    app.view.camera = Camera.looking_at((0, 0, -30), (0, 0, 0), orthographic=True)
    app.settle()
    app.view.build_frames(app.view.layout.last_size)
    picture, bluest = app.shell.picture, lambda pixels: np.argmax(pixels[..., 2].astype(int) - pixels[..., 0])
    for x, y in (picture.corner(0.5, 0.4), picture.corner(0.3, 0.7)):
        app.move((x, y))
        app.settle()
        shown = app.picture()[: int(picture.bottom), : int(picture.right)]
        assert abs(bluest(shown[-8, int(picture.left) :]) + int(picture.left) - x) <= 2.0
        assert abs(bluest(shown[:, -20]) - y) <= 2.0
