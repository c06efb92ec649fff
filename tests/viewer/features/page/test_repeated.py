"""Constants and formulas of the viewer that the script of web pages repeats in JavaScript are the same in both."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np

from octoscope.scene.annotations.bookmarks import DEFAULT_FOV_Y_RAD
from octoscope.viewer.camera.views import VIEWS
from octoscope.viewer.frame.look.marks import ACTIVE_COLOR, HOVERED_COLOR

ROOT = Path(__file__).parents[4]
STAGE = (ROOT / "scene" / "formats" / "page" / "source" / "stage.js").read_text(encoding="utf-8")


def numbers(pattern: str) -> list[float]:
    (found,) = re.findall(pattern, STAGE)
    return [float(each) for each in re.findall(r"-?[\d.]+", found)]


def test_views_and_the_angle_of_view_are_those_of_a_window():
    views = re.findall(r"(\w+): \[([^]]+)]", STAGE[STAGE.index("VIEWS = {") : STAGE.index("};")])
    assert {name: tuple(map(float, pair.split(","))) for name, pair in views} == VIEWS
    np.testing.assert_allclose(numbers(r"const FOV_Y = (.+?);"), [math.degrees(DEFAULT_FOV_Y_RAD)])


def test_colours_of_marks_are_those_of_a_window():
    assert numbers(r"const SELECTED = .*?\((\[.+?])\)") == list(ACTIVE_COLOR)
    assert numbers(r"HOVERED = .*?\((\[.+?])\)") == list(HOVERED_COLOR)


def test_highlights_are_rolled_off_alike():
    common = (ROOT / "shaders" / "common.glsl").read_text(encoding="utf-8")
    (curve,) = re.findall(r"return peak <= .+;", common)
    assert curve in STAGE
