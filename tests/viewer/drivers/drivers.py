"""Driver: an OpenGL, as variables of the environment choose it; all of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from octoscope.viewer.doctor.comparison import MOST_SHARE_OF_ONE_SAMPLE


@dataclass(frozen=True)
class Driver:
    """An OpenGL.

    Attributes:
        renderer: part of what it calls itself.
        version: of OpenGL, 450 for 4.5.
        environment: variables that choose it.
        most_share: of pixels that may be others, 0 to 1, in pictures where it may draw otherwise.
    """

    renderer: str
    version: int
    environment: dict[str, str] = field(default_factory=dict)
    most_share: dict[str, float] = field(default_factory=dict)


_ONE_SAMPLE = MOST_SHARE_OF_ONE_SAMPLE | {"lines_and_points@1.5": 0.05, "lines_and_points@2": 0.04}
# It draws such lines from the middle of a pixel to that of another, and filters textures otherwise.
_SOFTPIPE = {"octree": 0.12, "render": 0.05, "textures": 0.03}


def _llvmpipe(version: int = 450, *, without: Sequence[str] = (), samples: int = 4) -> Driver:
    """Return Mesa's software renderer in some version, without some extensions."""
    variables = {}
    if version < 450:
        variables["MESA_GL_VERSION_OVERRIDE"] = f"{version // 100}.{version // 10 % 10}"
    if without:
        variables["MESA_EXTENSION_OVERRIDE"] = " ".join(f"-{name}" for name in without)
    if samples == 1:
        variables["OCTOSCOPE_TEST_SAMPLES"] = "1"  # read by draw.py
    return Driver("llvmpipe", version, variables, _ONE_SAMPLE if samples == 1 else {})


BASE = "llvmpipe 4.5"  # the one that is compared with
_OPTIONAL = (
    "GL_ARB_multi_draw_indirect",
    "GL_ARB_base_instance",
    "GL_ARB_clip_control",
    "GL_ARB_gpu_shader5",
    "GL_EXT_texture_filter_anisotropic -GL_ARB_texture_filter_anisotropic",
    "GL_ARB_timer_query",
    "GL_KHR_robustness",
)
FEWEST = "llvmpipe 3.3 without any of these, one sample"
DRIVERS = {
    BASE: _llvmpipe(),
    "llvmpipe 4.1": _llvmpipe(410),
    "llvmpipe 3.3": _llvmpipe(330),
    **{f"llvmpipe 3.3 without {name.split()[0]}": _llvmpipe(330, without=[name]) for name in _OPTIONAL},
    FEWEST: _llvmpipe(330, without=_OPTIONAL, samples=1),
    "llvmpipe 4.5, one sample": _llvmpipe(samples=1),
    "zink over lavapipe": Driver(
        "zink", 460, {"GALLIUM_DRIVER": "zink", "MESA_LOADER_DRIVER_OVERRIDE": "zink", "LIBGL_ALWAYS_SOFTWARE": "1"}
    ),
    "softpipe": Driver("softpipe", 330, {"GALLIUM_DRIVER": "softpipe"}, _ONE_SAMPLE | _SOFTPIPE),
}


def draw(driver: Driver, names: Sequence[str], file: Path) -> tuple[dict[str, np.ndarray], list[list[str]]]:
    """Draw pictures, named as in draw.py, through a driver.

    Returns:
        The pictures, (h, w, 3) uint8; and name and defines of each program that they were drawn with.
    """
    command = [sys.executable, "-W", "error::RuntimeWarning", "-m", "tests.viewer.drivers.draw", str(file), *names]
    environment = os.environ | driver.environment
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])  # Mesa prints, too
    assert driver.renderer in found["renderer"] and found["version"] == driver.version, "another driver is used here"
    with np.load(file) as pictures:
        return dict(pictures), found["programs"]
