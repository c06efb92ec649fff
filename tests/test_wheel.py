"""The wheel: built from what is tracked, installed away from the checkout, it has every module and draws a picture."""

from __future__ import annotations

import configparser
import email
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from packaging.requirements import Requirement
from PIL import Image

from octoscope.scene.formats.endings import MODEL_ENDINGS
from octoscope.scene.project.paths import PROJECT_ENDINGS

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
FOLDERS = ("assets", "octree", "scene", "shaders", "viewer")  # of the checkout, which lie inside octoscope in a wheel
BUILD_SOURCES = "import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])"
DATA = {".c", ".css", ".glsl", ".html", ".js", ".json", ".mtl", ".obj", ".py", ".png", ".pyi", ".txt", ".typed"}
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
IMPORT_ALL = """
import octoscope, pkgutil
from importlib import import_module
for module in pkgutil.walk_packages(octoscope.__path__, "octoscope."):
    print(import_module(module.name).__file__)
"""


def run(*command: str | Path, folder: Path, **environment: str) -> str:
    done = subprocess.run(
        list(map(str, command)), cwd=folder, env=environment or None, capture_output=True, text=True, timeout=3600
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
def sources(tracked: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what a wheel is made of."""
    folder = tmp_path_factory.mktemp("sources")
    for path in tracked:
        if path.parts[0] != "tests":
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, folder / path)
    return folder


@pytest.fixture(scope="module")
def wheel(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel without kernels, made without a network."""
    return wheel_of(sources, tmp_path_factory.mktemp("wheels"), OCTOSCOPE_WITHOUT_KERNELS="1")


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the program alone in it."""
    assert wheel.stem.endswith("-none-any")
    target = tmp_path_factory.mktemp("target")
    run(*PIP, "install", "--no-index", "--no-deps", "--no-compile", "--target", target, wheel, folder=target)
    return target


def wheel_of(sources: Path, wheels: Path, **environment: str) -> Path:
    """Build the wheel of a folder with sources."""
    command = [*PIP, "wheel", "--no-index", "--no-deps", "--no-build-isolation", "-w", wheels, sources]
    run(*command, folder=wheels, **os.environ, **environment)
    (wheel,) = wheels.glob("octoscope-*.whl")
    return wheel


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
    inside = {path for path in tracked if path.parts[0] in FOLDERS and "source" not in path.parts}
    pages = {f"octoscope/{path.as_posix()}" for path in tracked if path.match("docs/*.md")}
    expected = {path for path in tracked if path.parts[0] == "octoscope"} | {"octoscope" / path for path in inside}
    expected = {path.as_posix() for path in expected if path.suffix in DATA}
    for_desktops = {f"share/{name}" for name in ("applications/octoscope.desktop", "mime/packages/octoscope.xml")}
    expected |= (
        pages
        | for_desktops
        | {"share/icons/hicolor/scalable/apps/octoscope.svg", "octoscope/assets/linux/octoscope.svg"}
    )
    found = {path.relative_to(installed).as_posix() for path in installed.rglob("*") if path.is_file()}
    assert {name for name in found if not name.startswith(("octoscope-", "bin/"))} == expected


def test_its_description_is_the_readme_with_links_that_work_elsewhere(installed: Path) -> None:
    (folder,) = installed.glob("octoscope-*.dist-info")
    metadata = email.message_from_string((folder / "METADATA").read_text(encoding="utf-8"))
    links = re.findall(r"\]\(([^)]+)\)", metadata.get_payload())
    source = PROJECT["urls"]["Source"]
    assert len(links) > 20 and all(link.startswith(f"{source}/") for link in links)
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert {line.partition(", ")[0] for line in metadata.get_all("Project-URL")} == set(PROJECT["urls"])
    assert metadata["Author"] and metadata["Keywords"] and len(metadata.get_all("Classifier")) > 10
    for link, place in zip(links, re.findall(r"\]\(([^)]+)\)", (ROOT / "README.md").read_text("utf-8")), strict=True):
        kind = "raw" if Path(place).suffix == ".webp" else "blob"
        assert link == f"{source}/{kind}/main/{place}" and (ROOT / place).exists()


def test_the_source_distribution_holds_what_the_repository_holds(tracked: list[Path], tmp_path: Path) -> None:
    sources, made = tmp_path / "sources", tmp_path / "made"
    for path in tracked:
        (sources / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / path, sources / path)
    (sources / "octree" / "__pycache__").mkdir()
    (sources / "octree" / "__pycache__" / "kernel.py311.nbi").write_bytes(b"of this machine")
    run(sys.executable, "-c", BUILD_SOURCES, made, folder=sources)
    (archive,) = made.glob("octoscope-*.tar.gz")
    with tarfile.open(archive) as tar:
        held = {Path(*Path(each.name).parts[1:]) for each in tar.getmembers() if each.isfile()}
    made_there = {path for path in held if path.parts[0] in ("PKG-INFO", "octoscope.egg-info", "setup.cfg")}
    assert held - made_there == {*tracked} - {Path(".gitignore")}


@pytest.mark.skipif(sys.platform == "win32", reason="CC names no compiler there")
def test_without_a_compiler_its_kernels_are_not_begun(sources: Path, tmp_path: Path) -> None:
    command = [*PIP, "wheel", "--no-index", "--no-deps", "--no-build-isolation", "-w", tmp_path, sources]
    environment = {**os.environ, "CC": "/nowhere/cc", "OCTOSCOPE_WITHOUT_KERNELS": ""}
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode != 0 and "kernels: " not in done.stdout + done.stderr
    (line,) = (line.strip() for line in (done.stdout + done.stderr).splitlines() if "octoscope: " in line)
    assert "(/nowhere/cc)" in line and line.endswith("OCTOSCOPE_WITHOUT_KERNELS=1 pip install 'octoscope[kernels]'")
    assert not any(tmp_path.iterdir())


def test_a_desktop_is_told_of_every_file_that_can_be_opened() -> None:
    desktop = configparser.ConfigParser(interpolation=None)
    desktop.read_string((ROOT / "assets" / "linux" / "octoscope.desktop").read_text())
    entry = desktop["Desktop Entry"]
    assert entry["Exec"].split()[0] in PROJECT["scripts"]
    types = ElementTree.parse(ROOT / "assets" / "linux" / "octoscope.xml").getroot()
    globs = {glob.get("pattern"): each.get("type") for each in types for glob in each.iter() if glob.get("pattern")}
    assert set(globs) == {f"*{ending}" for ending in (*MODEL_ENDINGS, *PROJECT_ENDINGS) if ending[0] == "."}
    assert set(globs.values()) == set(entry["MimeType"].strip(";").split(";"))
    ElementTree.parse(ROOT / "assets" / "linux" / f"{entry['Icon']}.svg")


def test_every_module_can_be_imported(installed: Path, tmp_path: Path) -> None:
    modules = python(installed, "-c", IMPORT_ALL, folder=tmp_path, NUMBA_DISABLE_JIT="1").splitlines()
    assert {*map(Path, modules), installed / "octoscope" / "__init__.py"} == set(installed.rglob("*.py"))


@pytest.mark.parametrize("program", (["bin/octoscope"], ["-m", "octoscope"]))
def test_it_tells_its_version(installed: Path, tmp_path: Path, program: list[str]) -> None:
    program = [part if part[0] == "-" or part == "octoscope" else installed / part for part in program]
    assert python(installed, *program, "--version", folder=tmp_path) == f"octoscope {PROJECT['version']}\n"


def test_it_draws_pictures(installed: Path, tmp_path: Path) -> None:
    """A scene of few objects: kernels are Python here, and take ten seconds for the sample."""
    command = ("-m", "octoscope", "demo", "--objects", "30", "-o", "out.png", "--size", "64x48", "--no-grid")
    python(installed, *command, folder=tmp_path, NUMBA_DISABLE_JIT="1")
    assert len(np.unique(np.asarray(Image.open(tmp_path / "out.png").convert("RGB")).reshape(-1, 3), axis=0)) > 100


USER_SCRIPT = """
import octoscope

scene: octoscope.Scene = octoscope.load("a.obj")
reveal_type(octoscope.render(scene, (64, 48)))
reveal_type(scene["x"])
reveal_type(scene["x"].bounds)
scene.raycst((0.0, 0.0, 9.0), (0.0, 0.0, -1.0))
octoscope.rendr(scene)
octoscope.render(scene, view="top", mode="edges", matcap="wax")
octoscope.render(scene, view="tpo")
octoscope.Canvas(scene, mode="normls")
octoscope.Embedded(scene, matcap="waxs")
octoscope.render_buffers(scene, view="iso", light=octoscope.Lighting())
octoscope.world_light(0.0, 45.0, up_axis="x")
octoscope.show(scene, where="brwser")
"""
BESIDE_OWN_MODULES = """
import sys
sys.path.insert(0, "")
from octoscope import load, render
from octoscope.viewer.cli import main
print(render(load(sys.argv[1]), (64, 48)).size, main(["info", sys.argv[1]]))
"""


def test_a_script_may_lie_beside_modules_of_its_own_that_are_called_as_our_folders(
    installed: Path, tmp_path: Path
) -> None:
    for name in FOLDERS:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise SystemExit('imported')")
        (tmp_path / f"{name}.py").write_text("raise SystemExit('imported')")
    (tmp_path / "cube.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\n")
    out = python(installed, "-c", BESIDE_OWN_MODULES, tmp_path / "cube.obj", folder=tmp_path, NUMBA_DISABLE_JIT="1")
    assert out.splitlines()[-1] == "(64, 48) 0"


def test_it_adds_one_package_and_says_that_it_has_types(installed: Path) -> None:
    folders = {path.name for path in installed.iterdir() if not path.name.endswith(".dist-info")}
    assert folders == {"octoscope", "bin", "share"}
    assert (installed / "octoscope" / "py.typed").is_file()


def test_check_wheel_contents_finds_nothing_to_say(wheel: Path, tmp_path: Path) -> None:
    # W002, equal files: the icon lies where desktops look for it, and where pages in browsers get it from.
    run(sys.executable, "-m", "check_wheel_contents", "--ignore", "W002", wheel, folder=tmp_path)


@pytest.mark.slow
def test_mypy_sees_its_types_in_a_users_script_and_finds_misspelt_names(installed: Path, tmp_path: Path) -> None:
    base = tmp_path / "venv"
    venv.create(base)
    scripts, packages = (sysconfig.get_path(name, "venv", {"base": str(base)}) for name in ("scripts", "purelib"))
    folders = (str(installed), sysconfig.get_path("purelib"), sysconfig.get_path("platlib"))
    Path(packages, "folders.pth").write_text("\n".join(folders))  # without the checkout, which an editable install adds
    (tmp_path / "script.py").write_text(USER_SCRIPT)
    mypy = (sys.executable, "-m", "mypy", "--strict", "--config-file=", "--no-error-summary", "--no-incremental")
    done = subprocess.run(
        [*mypy, "--python-executable", Path(scripts, Path(sys.executable).name), "script.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 1, done.stderr
    picture, node, bounds, *errors = done.stdout.splitlines()
    method, function, *choices = (line for line in errors if " error: " in line)
    assert picture.endswith('Revealed type is "PIL.Image.Image"')
    assert node.endswith('Revealed type is "octoscope.scene.node.Node"')
    assert 'Revealed type is "tuple[numpy.ndarray[' in bounds
    assert 'error: "Scene" has no attribute "raycst"; maybe "raycast"' in method
    assert 'error: Module has no attribute "rendr"; maybe "render"?' in function
    for line, wrong in zip(choices, ("'tpo'", "'normls'", "'waxs'", '"light"', "'x'", "show"), strict=True):
        assert wrong in line, line


def test_each_library_it_needs_has_a_lower_bound_and_is_tested_within_its_bounds() -> None:
    pinned = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line)
    for text in PROJECT["dependencies"]:
        needed = Requirement(text)
        assert any(bound.operator == ">=" for bound in needed.specifier), text
        assert pinned[needed.name.lower()] in needed.specifier, text
