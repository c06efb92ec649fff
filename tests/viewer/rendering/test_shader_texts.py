"""What GLSL leaves to the driver, and Mesa does as one hopes: only the text shows it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from octoscope.viewer.rendering.context.shader_library import _FOLDER, _source

PATHS = sorted(Path(_FOLDER).glob("*.glsl"))


def stage(path: Path, name: str) -> str:
    """Return the part of a file that one stage alone sees, without comments."""
    text = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
    parts = re.split(r"(?m)^#(?:if|elif) defined (\w+)_SHADER$", text)
    return "".join(part for stage_name, part in zip(parts[1::2], parts[2::2], strict=True) if stage_name == name)


@pytest.mark.parametrize("path", [path for path in PATHS if stage(path, "GEOMETRY")], ids=lambda path: path.name)
def test_a_geometry_stage_reads_nothing_that_it_hands_on(path: Path) -> None:
    """After EmitVertex() outputs are undefined: what is read again must be kept in a variable."""
    text = re.sub(r'#include ".+"', "", stage(path, "GEOMETRY"))
    outputs = {*re.findall(r"(?m)^(?:\w+ )?(?:flat |noperspective )?out \w+ (\w+);", text)}
    assert outputs
    for name in outputs:
        uses = re.findall(rf"(?<![\w.]){name}(?![\w\[])(?! = )(?!;).*", text)
        assert uses == [], name


def test_all_that_is_tested_against_depth_has_invariant_positions() -> None:
    """Some passes test whether two programs give the same triangle the same depth."""
    for path in PATHS:
        if "place_in_clip(" in _source(path.name):
            assert "invariant gl_Position;" in _source(path.name) or path.name in ("wide.glsl", "fast.glsl"), path.name
