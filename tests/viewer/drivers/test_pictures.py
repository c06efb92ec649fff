"""Each driver's pictures beside those of llvmpipe with OpenGL 4.5, and all programs by Khronos' reference compiler."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from octoscope.viewer.doctor.comparison import difference
from octoscope.viewer.rendering.context import shader_library
from octoscope.viewer.rendering.context.shader_library import stages_of
from tests.viewer.drivers.drivers import BASE, DRIVERS, FEWEST, Driver, draw
from tests.viewer.pictures.comparison import FOLDER, kept
from tests.viewer.pictures.scenes import REFERENCES

_THIN_AND_WIDE = ("octree", "outlines", "labels", "section", "lines_and_points", "mode_edges")
NAMES = (
    *("textures", "maps", "sunset", "glass_over_glass", "glass_while_it_moves", "shadow", "ground", "while_it_moves"),
    *(name for name in REFERENCES if name.startswith("mode_")),
    *(name + ratio for name in _THIN_AND_WIDE for ratio in ("", "@1.5", "@2")),
    *("render", "canvas"),
)
_QUICK = ("glass_while_it_moves", "outlines", "octree", "mode_facing", "mode_edges")

_LINES = ("octree", "mode_edges")
_SLOW = "softpipe"
_COMPILER = "glslangValidator"
needs_compiler = pytest.mark.skipif(shutil.which(_COMPILER) is None, reason=f"needs {_COMPILER}")


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> dict[str, np.ndarray]:
    return draw(DRIVERS[BASE], NAMES, tmp_path_factory.mktemp("base") / "pictures.npz")[0]


def seen(driver: Driver, pictures: dict[str, np.ndarray], expected: dict[str, np.ndarray]) -> list[str]:
    """Return a line for each picture that shows something else than expected."""
    lines = []
    for name, picture in pictures.items():
        apart = difference(picture, expected[name])
        if apart.is_beyond(driver.most_share.get(name)):
            lines.append(f"{name}: {apart}")
    return lines


def note_failed(driver: str, pictures: dict[str, np.ndarray], lines: list[str]) -> None:
    """Fail with lines of `seen`, after writing the pictures that they are about."""
    folder = FOLDER / "failed"
    folder.mkdir(exist_ok=True)
    for line in lines:
        name = line.partition(":")[0]
        Image.fromarray(pictures[name]).save(folder / f"{driver} {name}.png")
    assert not lines, f"{driver}: {lines}; see {folder}"


@pytest.mark.drivers
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", [name for name in DRIVERS if name != BASE])
def test_pictures_are_those_of_llvmpipe(name: str, base: dict[str, np.ndarray], tmp_path: Path) -> None:
    names = [each for each in NAMES if "@" not in each] if name == _SLOW else NAMES
    pictures, _ = draw(DRIVERS[name], names, tmp_path / "pictures.npz")
    note_failed(name, pictures, seen(DRIVERS[name], pictures, base))


@pytest.mark.drivers
def test_a_window_s_scale_is_seen(base: dict[str, np.ndarray]) -> None:
    """The comparison tells lines of another width."""
    doubled = {name: np.asarray(Image.fromarray(base[name]).resize(base[f"{name}@2"].shape[1::-1])) for name in _LINES}
    assert len(seen(DRIVERS[BASE], doubled, {name: base[f"{name}@2"] for name in _LINES})) == len(_LINES)


# What takes seconds: the driver that has least.


@pytest.fixture(scope="module")
def least(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, np.ndarray], list[list[str]]]:
    return draw(DRIVERS[FEWEST], _QUICK, tmp_path_factory.mktemp("least") / "pictures.npz")


def test_the_least_that_a_driver_may_have_draws_the_pictures_that_are_kept(least) -> None:
    note_failed(FEWEST, least[0], seen(DRIVERS[FEWEST], least[0], {name: kept(name) for name in _QUICK}))


# Programs.


def refusals(version: int, programs: Iterable[Sequence[str]], folder: Path) -> list[str]:
    """Return what the compiler says against programs, names of files and defines, in a version of GLSL."""
    said = []
    for number, program in enumerate(programs):
        files = []
        for stage, text in stages_of(version, *program).items():
            files.append(folder / f"{version}-{number}.{stage[:4]}")  # which says what it is
            # The compiler has the extension, and not its word.
            files[-1].write_text(text.replace("#define PRECISE precise", "#define PRECISE") if version < 400 else text)
        done = subprocess.run([_COMPILER, "-l", *files], capture_output=True, text=True, check=False)
        if done.returncode:
            said.append(f"{program}: {done.stdout}")
    return said


@needs_compiler
def test_programs_are_glsl(least, tmp_path: Path) -> None:
    assert len(least[1]) > 12
    assert refusals(330, least[1], tmp_path) == []


@needs_compiler
def test_the_compiler_refuses_what_is_no_glsl(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert refusals(330, [("paste.glsl",)], tmp_path) == []
    text = shader_library._source("paste.glsl").replace("vec4(", "float4(")  # as Direct3D has it
    monkeypatch.setattr(shader_library, "_source", lambda name: text)
    assert len(refusals(330, [("paste.glsl",)], tmp_path)) == 1


@needs_compiler
@pytest.mark.drivers
@pytest.mark.parametrize("driver", (BASE, FEWEST))
def test_all_programs_are_glsl(driver: str, tmp_path: Path) -> None:
    names = [*(name for name in REFERENCES if name not in NAMES), *NAMES]
    _, programs = draw(DRIVERS[driver], names, tmp_path / "pictures.npz")
    assert len(programs) > 60
    assert [line for version in (330, 410, 430) for line in refusals(version, programs, tmp_path)] == []
