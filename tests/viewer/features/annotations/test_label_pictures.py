"""Labels in pictures: beside their points, off each other, faint where objects hide the point."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from octoscope.scene import Scene
from octoscope.scene.annotations.labels import Label
from octoscope.scene.annotations.measurement import IN_WORLD, Anchor
from octoscope.viewer.features.annotations.decoration import Labels, PlacedLabel
from octoscope.viewer.features.annotations.label_picture import label_picture
from octoscope.viewer.frame.projection import ViewProjection
from octoscope.viewer.frame.section import Section
from octoscope.viewer.frame.view import View
from tests.viewer.scenes import box_scene, view_of

SIZE = (640, 480)
FRONT, BACK = (0.0, 0.0, 0.5), (0.0, 0.0, -0.5)  # of a box, in its frame


def seen_from_the_front(scene: Scene) -> View:
    view = view_of(scene, yaw_rad=0.0, pitch_rad=0.0, distance=9.0)
    view.build_frames(SIZE)
    return view


def placed(view: View) -> list[PlacedLabel]:
    return view.decoration(Labels).placed(view.active, SIZE, 14)


def test_a_box_stands_beside_its_point_and_follows_the_object():
    scene = box_scene()
    scene.labels = [Label("green", Anchor(1, FRONT))]
    view = seen_from_the_front(scene)
    for x in (0.0, 1.0):
        scene[1].translation = (x, 0.0, 0.0)
        scene.update_world()
        (label,) = placed(view)
        (pixel,) = ViewProjection.of_size(view.snapshot.camera, SIZE).pixels(np.array([(x, 0.0, 0.5)]))
        np.testing.assert_allclose(label.pixel, pixel)
        assert not label.is_hidden
        size = np.array(label.picture.image.shape[1::-1])
        nearest = np.clip(pixel, label.corner, label.corner + size)
        assert 5.0 < np.linalg.norm(nearest - pixel) < 60.0
        beside = label.corner
    view.covered = ((*beside, *(beside + 1.0)),)
    (label,) = placed(view)
    assert not ((label.corner <= beside) & (beside < label.corner + size)).all(), "what the interface covers stays free"


def test_what_hides_the_point_makes_it_faint():
    scene = box_scene()
    scene.labels = [Label("back", Anchor(1, BACK)), Label("front", Anchor(1, FRONT))]
    view = seen_from_the_front(scene)
    assert {label.label.text: label.is_hidden for label in placed(view)} == {"back": True, "front": False}
    annotations = view._annotations(view.active, SIZE)
    opacities = sorted(int(image[..., 3].max()) for image, _ in annotations.images)
    assert opacities[0] < 160 < opacities[1] == 255


@pytest.mark.parametrize("way", ["hidden label", "hidden object", "deleted", "isolated", "cut", "switched off"])
def test_what_is_not_shown_has_no_label(way):
    scene = box_scene()
    scene.labels = [Label("red", Anchor(0, FRONT)), Label("world", Anchor(IN_WORLD, (0.0, 1.0, 0.0)))]
    view = seen_from_the_front(scene)
    assert len(placed(view)) == 2
    if way == "hidden label":
        scene.labels = [replace(scene.labels[0], is_shown=False), scene.labels[1]]
    elif way == "hidden object":
        scene[0].hidden = True
    elif way == "deleted":
        scene.delete(scene[0])
    elif way == "isolated":
        view.visibility.isolated_ids = np.array([1, 2])
    elif way == "cut":
        view.settings = replace(view.settings, section=Section.of("x>-1"))
    else:
        view.decoration(Labels).is_shown = False
    assert [label.label.text for label in placed(view)] == ([] if way == "switched off" else ["world"])


def test_of_ten_thousand_labels_the_nearest_have_boxes_that_keep_off_each_other():
    scene = box_scene()
    rng = np.random.default_rng(0)
    points = rng.uniform(-2.0, 2.0, (10_000, 3))
    scene.labels = [Label(f"label {i}", Anchor(IN_WORLD, tuple(point))) for i, point in enumerate(points.tolist())]
    view = seen_from_the_front(scene)
    found = placed(view)
    pixels = ViewProjection.of_size(view.snapshot.camera, SIZE).pixels(points)
    in_sight = points[((pixels >= 0.0) & (pixels < SIZE)).all(axis=1)]
    farthest = np.sort(-in_sight[:, 2])[len(found) - 1]
    assert 0 < len(found) <= 60 and all(-label.point[2] <= farthest + 1e-12 for label in found)
    boxes = [(*each.corner, *(each.corner + each.picture.image.shape[1::-1])) for each in found if each.picture]
    assert len(boxes) > 10
    for i, (a, b, c, d) in enumerate(boxes):
        assert 0.0 <= a < c <= SIZE[0] and 0.0 <= b < d <= SIZE[1]
        assert all(c <= e or g <= a or d <= f or h <= b for e, f, g, h in boxes[:i])


def test_bold_words_are_bolder_links_are_marked_and_long_texts_are_broken():
    plain, bold = label_picture("word", 14), label_picture("**word**", 14)
    assert bold.image.astype(int).sum() > plain.image.astype(int).sum() and bold.links == plain.links == ()
    picture = label_picture("see [the plan](https://example.org/p) of it", 14)
    assert [link for _, link in picture.links] == ["https://example.org/p"] * 3, "two words and the space between"
    for (left, top, right, bottom), _ in picture.links:
        part = picture.image[round(top) : round(bottom), round(left) : round(right)].astype(int)
        assert (part[..., 2] > part[..., 0] + 60).any(), "blue"
    long = label_picture("word " * 30, 14)
    assert long.image.shape[1] < 20 * 14 and long.image.shape[0] > 5 * 14
    assert label_picture("two\nlines", 14).image.shape[0] > 1.6 * plain.image.shape[0]
    assert label_picture("x" * 300, 14).image.shape[0] > 0, "a word that is too long for a line has its own"
