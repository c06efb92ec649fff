"""Findings: what a driver draws, beside what it should; which switch helps where that is something else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from PIL import Image

from octoscope.viewer.doctor.comparison import MOST_SHARE_OF_ONE_SAMPLE, difference, expected
from octoscope.viewer.doctor.reference_scenes import REFERENCES
from octoscope.viewer.window.opengl_request import NO_FAST_PATH, VARIABLE

_SECONDS = 240.0  # for a process; where kernels have to be compiled first, a minute or more
_MOST_NAMED = 4  # pictures, in a line


class Switch(NamedTuple):
    """A switch that a user can set, and the environment that sets it for a process."""

    example: str
    environment: Mapping[str, str]


SWITCHES = (
    Switch("octoscope --no-fast-path FILE", {VARIABLE: NO_FAST_PATH}),
    Switch("octoscope --opengl 4.1 FILE", {VARIABLE: "4.1"}),
    Switch("octoscope --opengl 3.3 FILE", {VARIABLE: "3.3"}),
    Switch("octoscope --opengl 3.3 --no-fast-path FILE", {VARIABLE: f"3.3 {NO_FAST_PATH}"}),
    *(
        [Switch("LIBGL_ALWAYS_SOFTWARE=1 octoscope FILE, by the processor and slowly,", {"LIBGL_ALWAYS_SOFTWARE": "1"})]
        if sys.platform.startswith("linux")
        else []
    ),
)


@dataclass
class Findings:
    """The results of one process.

    Attributes:
        facts: of the context: info, extensions, software, version, samples.
        pictures: drawn, (h, w, 3) uint8 by name.
        milliseconds: that each took.
        wrong: by name of a picture, a line about how it differs from its reference.
        skipped: names of pictures that there was no time for.
        frames: a row of facts for each kind of frame that was timed.
    """

    facts: dict[str, Any] = field(default_factory=dict)
    pictures: dict[str, np.ndarray] = field(default_factory=dict)
    milliseconds: dict[str, float] = field(default_factory=dict)
    wrong: dict[str, str] = field(default_factory=dict)
    skipped: list[str] = field(default_factory=list)
    frames: list[dict[str, Any]] = field(default_factory=list)


# Examines some pictures in a process with more variables of the environment.
Examine: TypeAlias = Callable[[Sequence[str], Mapping[str, str]], Findings]


def examine_by(code: str, names: Sequence[str], environment: Mapping[str, str]) -> Findings:
    """Examine pictures in another process, and judge them.

    Args:
        code: Python that calls `viewer.doctor.examination.examine` with the names and the folder in sys.argv, and
            prints each note as a line of JSON.
        environment: variables that the process has besides this one's.
    """
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-c", code, folder, *names]
        try:
            done = subprocess.run(
                command, env=os.environ | environment, capture_output=True, timeout=_SECONDS, check=False
            )
            output, ended = done.stdout, _end_of(done)
        except subprocess.TimeoutExpired as error:
            output, ended = error.stdout or b"", f"no answer within {_SECONDS:.0f} seconds"
        return _judged(names, output.decode("utf-8", "replace").splitlines(), ended, Path(folder))


def _end_of(process: subprocess.CompletedProcess[bytes]) -> str | None:
    """Return why a process ended too early; None: it did not."""
    if not process.returncode:
        return None
    if process.returncode < 0:
        return f"the driver crashed, signal {-process.returncode}"
    said = process.stderr.decode("utf-8", "replace").strip().splitlines()
    return f"it failed ({said[-1] if said else 'nothing was said'})"


def _judged(names: Sequence[str], lines: Sequence[str], ended: str | None, folder: Path) -> Findings:
    found = Findings()
    begun = None
    for note in (json.loads(line) for line in lines if line.startswith("{")):  # Mesa prints, too
        if "begun" in note:
            begun = note["begun"]
        elif "error" in note:
            found.wrong[note["picture"]] = note["error"]
        elif "picture" in note:
            found.milliseconds[note["picture"]] = note["milliseconds"]
        elif "frame" in note:
            found.frames.append(note["frame"])
        else:
            found.facts |= note
    has_samples = found.facts.get("samples", 4) > 1
    for name in found.milliseconds:
        with Image.open(folder / f"{name}.png") as image:
            picture = found.pictures[name] = np.asarray(image.convert("RGB"))
        apart = difference(picture, expected(name))
        if apart.is_beyond(None if has_samples else MOST_SHARE_OF_ONE_SAMPLE.get(name)):
            found.wrong[name] = str(apart)
    reached = (*found.milliseconds, *found.wrong)
    missing = [name for name in names if name not in reached]
    if ended is None:
        found.skipped = missing
    elif begun is None or begun in missing:
        found.wrong[begun or names[0]] = ended
        found.skipped = [name for name in missing if name != (begun or names[0])]
    return found


def helping_switch(found: Findings, examine: Examine) -> Switch | None:
    """Return the first switch with which all pictures that are wrong are right, or None."""
    names = list(found.wrong)
    for switch in SWITCHES:
        again = examine(names, switch.environment)
        if not again.wrong and not again.skipped:
            return switch
    return None


def conclusion(found: Findings, switch: Switch | None) -> str:
    """Return what is wrong and which switch helps, in one line."""
    count = len(REFERENCES) - len(found.skipped)
    if not found.wrong:
        late = f"; there was no time for {len(found.skipped)} more" if found.skipped else ""
        return f"all {count} pictures are as they should be{late}"
    named = ", ".join(list(found.wrong)[:_MOST_NAMED]) + (", ..." if len(found.wrong) > _MOST_NAMED else "")
    helps = f"{switch.example} draws them right" if switch is not None else "no switch helps"
    return f"{len(found.wrong)} of {count} pictures are not as they should be ({named}): {helps}"
