"""Lengths as a person reads them: by the size of the scene, without what rounding left; and one way of writing them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import octoscope.scene as scene_package
from octoscope.scene import Scene
from octoscope.scene.measuring import Lengths

ROOT = Path(scene_package.__file__).parents[1]
# What is written with significant digits and is no length, by file.
_NO_LENGTHS = {
    "scene/measuring/lengths.py",  # the one way
    "viewer/frame/section.py",  # the text that the command line reads again
    "viewer/features/color_bars/decoration.py",  # values of a script
    "viewer/frame/look/lighting.py",  # a strength
    "viewer/tools/camera_tool.py",  # a speed
    "viewer/features/tiles/tiles.py",  # the error of a level
    "scene/measuring/measurements.py",  # the bare number for the clipboard
    "viewer/ui/widgets/fields.py",  # the text that is edited, its tooltip, and what fits a narrow field
}


@pytest.mark.parametrize(
    ("size", "unit", "value", "text"),
    [
        (35.0, "", 35.29911, "35.299"),
        (35.0, "m", np.pi, "3.142 m"),
        (35.0, "mm", np.pi, "3.14 mm"),
        (35.0, "", 120.0, "120.000"),
        (35.0, "", -0.0, "0.000"),
        (120.0, "", 5e-06, "0.000"),
        (120.0, "", -5e-06, "0.000"),
        (120.0, "", 0.1 + 0.2, "0.300"),
        (120.0, "", 0.0042, "0.00420"),
        (120.0, "cm", 0.0042, "0.00420 cm"),
        (0.02, "m", 0.0042, "0.00420 m"),
        (120.0, "", 1234567.8912, "1,234,567.891"),
        (3e6, "", 1234567.8915, "1,234,568"),
        (3e6, "", 3.14159, "3"),
        (3e6, "", 7.14159, "7.14"),
        (2e-9, "", 1.234567e-9, "0.00000000123"),
        (2e-4, "", 1.23456789e-4, "0.000123"),
        (1e-319, "", 0.0, "0"),
        (1e18, "", 1.234567e18, "1.23457e+18"),
        (0.0, "", 35.29911, "35.2991"),
        (0.0, "", 2.50, "2.5"),
        (np.inf, "", 35.29911, "35.2991"),
        (35.0, "", np.inf, "inf"),
        (35.0, "", np.nan, "nan"),
    ],
)
def test_a_length_has_the_digits_that_matter_in_its_scene(size: float, unit: str, value: float, text: str) -> None:
    assert Lengths(size, unit).text(value) == text


@given(size=st.floats(1e-6, 1e9), share=st.floats(-4.0, 4.0))
def test_what_is_written_is_near(size: float, share: float) -> None:
    value = share * size
    least = 0.00051 if abs(value) >= 0.1 else 0.0051 * abs(value)  # three decimals, three digits
    assert abs(float(Lengths(size).text(value).replace(",", "")) - value) <= max(least, 5.01e-6 * size)


def test_a_figure_does_not_jump_while_it_is_dragged() -> None:
    texts = [Lengths(35.0).text(value) for value in np.linspace(1.0, 2.0, 1001)]
    assert {len(text) for text in texts} == {5}


def test_areas_and_volumes_have_the_decimals_of_lengths() -> None:
    lengths = Lengths(35.0, "m")
    assert (lengths.area(np.pi), lengths.area(0.00012345), lengths.area(123456.789)) == (
        "3.142 m²",
        "0.000123 m²",
        "123,456.789 m²",
    )
    assert lengths.volume(0.0) == "0 m³"


def test_a_place_far_from_the_origin_is_told_to_the_millimetre() -> None:
    assert Lengths(60.0).point((500066.7012, 121.40731, -1e-12)) == "500,066.701  121.407  0.000"
    assert Lengths(60.0, "m").point((7.5e-6, 2.129, 0.0042)) == "0.000  2.129  0.004 m"
    assert Lengths(60.0).sides((1.0, 2.5, 0.3)) == "1.000 x 2.500 x 0.300"
    assert Lengths(1.0).sides((1.0, 2.5, 0.0013)) == "1.00000 x 2.50000 x 0.00130"


def test_the_size_is_that_of_the_scene_as_it_is_now() -> None:
    scene = Scene()
    assert Lengths.of(scene).scene_size == 0.0
    box = scene.add_mesh("box", [(0, 0, 0), (3, 0, 0), (0, 1, 0)], [(0, 1, 2)])
    assert Lengths.of(scene).scene_size == 3.0
    scene.set_translations([box.id], [(1.0, 2.0, 3.0)])
    scene.set_scales([box.id], [(10.0, 1.0, 1.0)])
    scene.update_world()
    assert Lengths.of(scene).scene_size == 30.0


def test_nothing_else_writes_lengths_for_a_person() -> None:
    found = set[str]()
    for folder in (
        "scene/measuring",
        *(f"viewer/{room}" for room in ("ui", "tools", "features", "web", "frame", "app")),
    ):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
                    spec = ast.unparse(node.format_spec)
                    if re.search(r"[eg]['\"]$", spec):
                        found.add(path.relative_to(ROOT).as_posix())
    assert found <= _NO_LENGTHS, "write lengths by scene.measuring.Lengths"
    assert found == _NO_LENGTHS, "an entry that nothing needs"
