"""STEP files by OpenCASCADE: solids in metres, their names and colours."""

from __future__ import annotations

import pytest

from octoscope.scene import ReadError
from tests.scene.formats.converted.in_world import world_bounds
from tests.scene.formats.converted.step_files import step_box

pytest.importorskip("cascadio", reason="needs octoscope[step]")


@pytest.mark.parametrize(("prefix", "size"), [(".MILLI.", (100.0, 200.0, 300.0)), ("$", (0.1, 0.2, 0.3))])
def test_a_solid_is_read_in_metres_with_z_up(convert, prefix, size):
    content = convert("a.step", step_box(size, "plate", (1.0, 0.0, 0.0), prefix))
    assert content.problems == [] and content.name == "a.step" and content.up_axis == "z"
    assert world_bounds(content, up_axis="z") == {"plate": ([0.0, 0.0, 0.0], [0.1, 0.2, 0.3])}


def test_in_a_world_with_y_up_a_solid_stands_on_its_feet(convert):
    content = convert("a.stp", step_box((100.0, 200.0, 300.0), "plate", (0.0, 0.0, 1.0), ".MILLI."))
    assert world_bounds(content) == {"plate": ([0.0, 0.0, -0.2], [0.1, 0.3, 0.0])}
    assert [material.base_color for material in content.materials] == [(0.0, 0.0, 1.0)]


@pytest.mark.parametrize(
    "text",
    ["ISO-10303-21;\nDATA;\n#1=FOO(#2);\n", step_box((1.0, 1.0, 1.0), "a", (0.0, 0.0, 0.0), "$")[:3000]],
)
def test_a_broken_file_is_one_line(convert, text):
    with pytest.raises(ReadError, match=r"a\.step: (broken STEP .*|nothing to show in it.*); export it again$"):
        convert("a.step", text)


def test_a_refusal_hands_on_what_the_library_printed(convert, capfd):
    line = r"OpenCASCADE cannot read it: Undefined Parsing: Line 3: Incorrect syntax"
    with pytest.raises(ReadError, match=rf"a\.step: broken STEP \({line}.*\); export it again$"):
        convert("a.step", "ISO-10303-21;\nhello")
    assert capfd.readouterr().out == ""
