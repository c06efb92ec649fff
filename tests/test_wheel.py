"""The wheel: built from what is tracked, installed away from the checkout, it has every module and draws a picture."""

from __future__ import annotations

import configparser
import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from packaging.requirements import Requirement
from PIL import Image

from scene.formats.endings import MODEL_ENDINGS
from viewer.document.file_names import PROJECT_ENDINGS

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PACKAGES = ("octree", "scene", "viewer")
DATA = {".c", ".glsl", ".mtl", ".obj"}
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
IMPORT_ALL = f"""
import pkgutil
from importlib import import_module
for package in {PACKAGES}:
    for module in pkgutil.walk_packages(import_module(package).__path__, f"{{package}}."):
        print(import_module(module.name).__file__)
"""


def run(*command: str | Path, folder: Path, **environment: str) -> str:
    done = subprocess.run(
        list(map(str, command)), cwd=folder, env=environment or None, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def tracked() -> list[Path]:
    """The files that git knows, relative to the checkout; those that are deleted but not yet committed are left out."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("needs a git checkout")
    names = run("git", "ls-files", "-z", folder=ROOT).split("\0")
    return [Path(name) for name in names if name and (ROOT / name).is_file()]


@pytest.fixture(scope="module")
def installed(tracked: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the program alone in it, made without a network."""
    sources, wheels, target = (tmp_path_factory.mktemp(name) for name in ("sources", "wheels", "target"))
    for path in tracked:
        if path.parts[0] != "tests":
            (sources / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, sources / path)
    run(*PIP, "wheel", "--no-index", "--no-deps", "--no-build-isolation", "-w", wheels, sources, folder=wheels)
    (wheel,) = wheels.glob("octoscope-*.whl")
    run(*PIP, "install", "--no-index", "--no-deps", "--no-compile", "--target", target, wheel, folder=wheels)
    return target


def python(target: Path, *arguments: str | Path, folder: Path, **environment: str) -> str:
    """Run Python with the installed program and the libraries, but without what makes the checkout importable.

    An editable install adds the checkout by a .pth file, which only the site module reads.
    """
    libraries = dict.fromkeys((sysconfig.get_path("purelib"), sysconfig.get_path("platlib")))
    environment["PYTHONPATH"] = os.pathsep.join((str(target), *libraries))
    # On Windows nothing starts without these.
    environment |= {name: os.environ[name] for name in ("SYSTEMROOT", "PATH", "TEMP") if name in os.environ}
    return run(sys.executable, "-S", "-P", *arguments, folder=folder, **environment)


def test_it_holds_the_files_that_the_program_needs_and_no_others(installed: Path, tracked: list[Path]) -> None:
    expected = {path for path in tracked if path.parts[0] in PACKAGES and path.suffix in (".py", ".c")}
    expected |= {Path("viewer") / path for path in tracked if path.parent.name in ("assets", "shaders")}
    expected = {path.as_posix() for path in expected if path.suffix in DATA | {".py"}}
    for_desktops = {f"share/{name}" for name in ("applications/octoscope.desktop", "mime/packages/octoscope.xml")}
    expected |= for_desktops | {"share/icons/hicolor/scalable/apps/octoscope.svg"}
    found = {path.relative_to(installed).as_posix() for path in installed.rglob("*") if path.is_file()}
    assert {name for name in found if not name.startswith(("octoscope-", "bin/"))} == expected


def test_a_desktop_is_told_of_every_file_that_can_be_opened() -> None:
    desktop = configparser.ConfigParser(interpolation=None)
    desktop.read_string((ROOT / "assets" / "linux" / "octoscope.desktop").read_text())
    entry = desktop["Desktop Entry"]
    assert entry["Exec"].split()[0] in PROJECT["scripts"]
    types = ElementTree.parse(ROOT / "assets" / "linux" / "octoscope.xml").getroot()
    globs = {glob.get("pattern"): each.get("type") for each in types for glob in each.iter() if glob.get("pattern")}
    assert set(globs) == {f"*{ending}" for ending in (*MODEL_ENDINGS, *PROJECT_ENDINGS)}
    assert set(globs.values()) == set(entry["MimeType"].strip(";").split(";"))
    ElementTree.parse(ROOT / "assets" / "linux" / f"{entry['Icon']}.svg")


def test_every_module_can_be_imported(installed: Path, tmp_path: Path) -> None:
    modules = python(installed, "-c", IMPORT_ALL, folder=tmp_path, NUMBA_DISABLE_JIT="1").splitlines()
    packages = {installed / name / "__init__.py" for name in PACKAGES}
    assert {Path(module) for module in modules} | packages == set(installed.rglob("*.py"))


@pytest.mark.parametrize("program", (["bin/octoscope"], ["-m", "viewer"]))
def test_it_tells_its_version(installed: Path, tmp_path: Path, program: list[str]) -> None:
    program = [part if part[0] == "-" or part == "viewer" else installed / part for part in program]
    assert python(installed, *program, "--version", folder=tmp_path) == f"octoscope {PROJECT['version']}\n"


def test_it_draws_its_sample(installed: Path, tmp_path: Path) -> None:
    sample = installed / "viewer" / "assets" / "harbour.obj"
    command = ("-m", "viewer", "render", sample, "-o", "out.png", "--size", "64x48", "--no-grid")
    python(installed, *command, folder=tmp_path, NUMBA_DISABLE_JIT="1")
    assert len(np.unique(np.asarray(Image.open(tmp_path / "out.png").convert("RGB")).reshape(-1, 3), axis=0)) > 100


def test_each_library_it_needs_has_a_lower_bound_and_is_tested_within_its_bounds() -> None:
    pinned = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line)
    for text in PROJECT["dependencies"]:
        needed = Requirement(text)
        assert any(bound.operator == ">=" for bound in needed.specifier), text
        assert pinned[needed.name.lower()] in needed.specifier, text
