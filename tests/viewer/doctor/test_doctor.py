"""`octoscope doctor --full`: wrong pictures are found, with the switch that helps, and all is in one file."""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import moderngl
import numpy as np
import pytest

from octoscope.viewer.cli import doctor, main
from octoscope.viewer.doctor import examination
from octoscope.viewer.doctor.comparison import difference, expected
from octoscope.viewer.doctor.findings import SWITCHES, Findings, conclusion, examine_by, helping_switch
from octoscope.viewer.doctor.reference_scenes import REFERENCES
from octoscope.viewer.rendering.renderer import Renderer

HERE = "from octoscope.viewer.cli.doctor import examine_here; examine_here('egl')"
# A driver whose multi-draw-indirect draws nothing.
BROKEN_FAST_PATH = f"""
from octoscope.viewer.rendering.passes.mesh_drawing import MeshDrawing
draw = MeshDrawing.draw
MeshDrawing.draw = lambda self, *given, **named: 0 if self.is_indirect else draw(self, *given, **named)
{HERE}
"""
CRASHING = f"""
import os
from octoscope.viewer.doctor import examination
drawn = examination.drawn
def crash(renderer, reference):
    if reference is examination.REFERENCES["grid"]:
        os.kill(os.getpid(), {int(signal.SIGSEGV)})
    return drawn(renderer, reference)
examination.drawn = crash
{HERE}
"""


def test_pictures_are_as_they_should_be() -> None:
    found = examine_by(HERE, ["flat", "grid"], {})
    assert set(found.pictures) == {"flat", "grid"} and not found.wrong and not found.skipped
    assert found.facts["version"] >= 330 and found.facts["info"]["GL_MAX_TEXTURE_SIZE"] > 1000
    assert not difference(found.pictures["flat"], expected("flat")).is_seen


def test_the_switch_is_found_that_makes_pictures_right() -> None:
    examine = partial(examine_by, BROKEN_FAST_PATH)
    found = examine(["flat", "grid"], {})
    assert "flat" in found.wrong and "of 255" in found.wrong["flat"]
    switch = helping_switch(found, examine)
    assert switch is not None
    assert "octoscope --no-fast-path FILE draws them right" in conclusion(found, switch)


def test_a_driver_that_crashes_leaves_what_it_has_drawn() -> None:
    found = examine_by(CRASHING, ["flat", "grid", "shadow"], {})
    assert set(found.pictures) == {"flat"}
    assert found.wrong == {"grid": "the driver crashed, signal 11"} and found.skipped == ["shadow"]


def test_a_process_that_never_began_is_told() -> None:
    found = examine_by("raise ValueError('no such card')", ["flat", "grid"], {})
    assert found.wrong == {"flat": "it failed (ValueError: no such card)"} and found.skipped == ["grid"]


def test_no_switch_helps_where_all_are_wrong() -> None:
    tried: list[Mapping[str, str]] = []

    def examine(names: Sequence[str], environment: Mapping[str, str]) -> Findings:
        tried.append(environment)
        return Findings(wrong=dict.fromkeys(names, "another picture"))

    found = Findings(wrong=dict.fromkeys(list(REFERENCES)[:5], "another picture"))
    assert helping_switch(found, examine) is None
    assert tried == [switch.environment for switch in SWITCHES]
    line = conclusion(found, None)
    assert line.startswith(f"5 of {len(REFERENCES)} pictures are not as they should be ({next(iter(found.wrong))}, ")
    assert line.endswith(", ...): no switch helps")


@pytest.mark.parametrize("is_broken", (False, True))
def test_one_file_holds_what_was_found(
    is_broken: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys
) -> None:
    names = {name: REFERENCES[name] for name in ("flat", "grid")}
    monkeypatch.setattr(doctor, "REFERENCES", names)
    monkeypatch.setattr(Path, "home", lambda: Path(doctor.__file__).parents[2])
    if is_broken:
        monkeypatch.setattr(doctor, "examine_by", lambda _, *given: examine_by(BROKEN_FAST_PATH, *given))
    path = tmp_path / "found.html"
    assert main(["doctor", "--full", "-o", str(path)]) == is_broken
    text = path.read_text(encoding="utf-8")
    assert text.count("data:image/png;base64,") == 2 and "http" not in text
    assert ("--no-fast-path" in text) == is_broken and ("<h2>Wrong" in text) == is_broken
    assert "GL_MAX_TEXTURE_SIZE" in text and "GL_ARB_" in text and "view.mode" not in text  # nothing is kept here
    assert str(Path.home()) not in text, "the user's name"
    assert str(path) in capsys.readouterr().out.splitlines()[-1]


def test_every_kind_of_frame_is_timed(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examination, "FRAME_SIZE", (64, 48))
    monkeypatch.setattr(examination, "_BOXES_PER_SIDE", 4)
    rows = list(examination._frame_times(Renderer(ctx)))
    assert len({(row["scene"], row["quality"]) for row in rows}) == len(rows) == 8
    assert all(row["milliseconds"] > 0.0 for row in rows)


def test_all_references_lie_in_the_package_and_are_small() -> None:
    folder = Path(doctor.__file__).parents[2] / "assets" / "references"
    assert {path.stem for path in folder.iterdir()} == set(REFERENCES)
    assert sum(path.stat().st_size for path in folder.iterdir()) < 300_000
    assert all(np.ptp(expected(name)) > 0 for name in REFERENCES)


def test_the_environment_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    before = dict(os.environ)
    examine_by("pass", ["flat"], {"OCTOSCOPE_OPENGL": "3.3"})
    assert dict(os.environ) == before
