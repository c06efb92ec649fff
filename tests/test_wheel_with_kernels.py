"""A wheel with machine code: it draws, in every way, where numba is not installed, and leaves nothing when it goes.

The environment has the libraries of this one, but for numba. The wheel is that of OCTOSCOPE_TESTED_WHEEL, or built.
"""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
import tempfile
import tomllib
import venv
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest
from packaging.requirements import Requirement
from PIL import Image

from octoscope.octree.jit import library, sources
from octoscope.octree.jit.kernel_types import versions
from tests.test_wheel import PIP, ROOT, run, wheel_of
from tests.viewer.windows.xvfb import Screen, Window

LEFT_OUT = ("numba", "llvmlite", "octoscope", "__editable__", "__pycache__", "distutils-precedence")
SCRIPT = """
import sys
from octoscope import load, render
scene = load(sys.argv[1])
picture = render(scene, (64, 48))
from octoscope.octree.jit import library, sources
print(picture.size, len(set(picture.getdata())) > 100, "numba" in sys.modules, library.made() == library.IN_WHEEL)
assert scene.raycast((0.0, 90.0, 0.0), (0.0, -1.0, 0.0)) is not None
from octoscope.octree.jit import builder
assert builder.is_complete()
from octoscope.scene.loading.save import ALL_WRITERS, save
for ending in ALL_WRITERS:
    save(scene, f"written{ending}")
"""


def test_what_is_listed_for_wheels_is_there() -> None:
    for version in versions():
        kernel = getattr(import_module(version.module), version.function)
        assert library.key_of(getattr(kernel, "__wrapped__", kernel)) == version.kernel
    assert {version.kernel.rpartition(".")[2] for version in versions() if version.is_first} >= {"read_block", "probe"}


# Imports the modules of all kernels where there is nothing but what pyproject.toml names under [build-system].
IMPORTED_TO_BUILD = """
import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location

class NothingElse:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in {*sys.stdlib_module_names, *sys.argv[1].split(), "octoscope", "llvmlite"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, NothingElse())
for module in sys.argv[2].split():
    import_module(module)
"""


def test_kernels_need_nothing_but_what_a_wheel_is_built_with() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    there = " ".join(Requirement(each).name for each in project["build-system"]["requires"])
    modules = " ".join(sorted({version.module for version in versions()}))
    run(sys.executable, "-c", IMPORTED_TO_BUILD, there, modules, folder=ROOT)


def test_stamps_are_the_same_in_a_wheel_where_the_packages_lie_inside_octoscope(tmp_path: Path) -> None:
    inside = tmp_path / "octoscope"
    for package in ("octree", "scene", "viewer"):
        shutil.copytree(ROOT / package, inside / package, ignore=shutil.ignore_patterns("__pycache__"))
    for module in (ROOT / "octoscope").glob("*.py"):
        shutil.copy2(module, inside)
    spec = spec_from_file_location("sources_in_wheel", inside / "octree" / "jit" / "sources.py")
    assert spec is not None and spec.loader is not None
    in_wheel = module_from_spec(spec)
    spec.loader.exec_module(in_wheel)
    for module in {version.module for version in versions()}:
        file = Path(import_module(module).__file__ or "")
        assert in_wheel.stamp_of(str(inside / file.relative_to(ROOT))) == sources.stamp_of(str(file)), module


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    given = os.environ.get("OCTOSCOPE_TESTED_WHEEL")
    if given:
        return Path(given)
    sources, wheels = tmp_path_factory.mktemp("sources"), tmp_path_factory.mktemp("wheels")
    names = run("git", "ls-files", "-z", folder=ROOT).split("\0")
    for name in names:
        if name and not name.startswith("tests/") and (ROOT / name).is_file():
            (sources / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, sources / name)
    return wheel_of(sources, wheels)


def environment_in(folder: Path) -> tuple[Path, Path]:
    """Make an environment with the libraries of this one, but for numba; its Python and its folder of packages."""
    venv.create(folder, symlinks=True)
    (packages,) = folder.glob("lib/python3*/site-packages")
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if not path.name.startswith(LEFT_OUT):
            (packages / path.name).symlink_to(path)
    (packages / "__pycache__").mkdir()  # of libraries that are a file each
    return folder / "bin" / "python", packages


@pytest.mark.slow  # some minutes: it compiles all kernels twice
@pytest.mark.window
def test_a_wheel_draws_without_numba_and_leaves_nothing(wheel: Path, tmp_path: Path) -> None:
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert f"-{tag}-{tag}-" in wheel.name
    home, place = tmp_path / "home", tmp_path / "venv"
    home.mkdir()
    program, packages = environment_in(place)

    def files() -> list[str]:
        of_libraries = packages / "__pycache__"
        return sorted(str(path) for path in packages.rglob("*") if path.parent != of_libraries)

    before = files()
    pip = [*PIP, "--python", program]
    run(*pip, "install", "--no-index", "--no-deps", wheel, folder=tmp_path)
    installed = files()
    sample = packages / "octoscope" / "assets" / "harbour.obj"
    environment = {"HOME": str(home), "PATH": os.environ["PATH"], "OCTOSCOPE_CONFIG_DIR": str(home / "config")}
    for level in ("", "1"):  # x86-64-v3, then v2
        given = {**environment, "OCTOSCOPE_X86_64_V2": level}
        out = run(program, "-c", SCRIPT, sample, folder=tmp_path, **given)
        assert out == "(64, 48) True False True\n"
        command = [place / "bin" / "octoscope", "render", sample, "-o", f"level{level}.png", "--size", "320x180"]
        run(*command, folder=tmp_path, **given)
    pictures = (Image.open(tmp_path / f"level{level}.png").convert("RGB") for level in ("", "1"))
    new, old = (np.asarray(picture).astype(int) for picture in pictures)
    assert np.abs(new - old).max() <= 2 and len(np.unique(new.reshape(-1, 3), axis=0)) > 100
    screen = Screen()
    try:
        screen.environment |= {"HOME": str(home)}
        window = Window(screen, [str(place / "bin" / "octoscope"), str(sample)], tmp_path)
        assert len(np.unique(window.picture().reshape(-1, 3), axis=0)) > 100
        screen.ask_to_close(window.id)
        assert window.process.wait(60) == 0 and window.errors == ""
    finally:
        screen.close()
    assert not (home / ".cache" / "octoscope").exists()
    assert files() == installed
    run(*pip, "uninstall", "--yes", "octoscope", folder=tmp_path)
    assert files() == before


@pytest.mark.slow
@pytest.mark.window
@pytest.mark.skipif(os.name != "posix", reason="permissions are set as POSIX has them")
def test_a_user_who_may_write_nothing_and_has_no_home_draws_in_every_way(wheel: Path, tmp_path: Path) -> None:
    place = tmp_path / "venv"
    program, packages = environment_in(place)
    run(*PIP, "--python", program, "install", "--no-index", "--no-deps", "--no-compile", wheel, folder=tmp_path)
    sample = packages / "octoscope" / "assets" / "harbour.obj"
    locked = [place, *(path for path in place.rglob("*") if not path.is_symlink())]
    as_user = []
    if os.geteuid() == 0:  # who may write everywhere: somebody else, who may read everywhere
        if shutil.which("setpriv") is None:
            pytest.skip("needs setpriv")
        rights = ("--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search")
        as_user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *rights]
    work = Path(tempfile.mkdtemp())  # pytest's folders are closed to others
    work.chmod(0o777)
    before = sorted(locked)
    for path in locked:
        path.chmod(path.stat().st_mode & ~0o222)
    given = {"HOME": str(place / "home"), "PATH": os.environ["PATH"]}  # which does not exist, and cannot be made
    screen = Screen()
    try:
        may_write = f"import os; print(os.access({str(packages)!r}, os.W_OK))"
        refused = run(*as_user, program, "-c", may_write, folder=tmp_path)
        assert refused == "False\n"
        out = run(*as_user, program, "-c", SCRIPT, sample, folder=work, **given)
        assert out == "(64, 48) True False True\n"
        command = [*as_user, program, "-m", "octoscope", "render", sample, "-o", work / "a.png"]
        run(*command, "--size", "64x48", folder=work, **given)
        with Image.open(work / "a.png") as picture:
            assert picture.size == (64, 48)
        alone = ["env", "-i", *(f"{name}={value}" for name, value in given.items()), f"DISPLAY={screen.display}"]
        window = Window(screen, [*as_user, *alone, str(program), "-m", "octoscope", str(sample)], work)
        assert len(np.unique(window.picture().reshape(-1, 3), axis=0)) > 100
        screen.ask_to_close(window.id)
        assert window.process.wait(60) == 0
    finally:
        screen.close()
        for path in locked:
            path.chmod(path.stat().st_mode | 0o200)
        shutil.rmtree(work)
    assert sorted([place, *(path for path in place.rglob("*") if not path.is_symlink())]) == before


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nm") is None, reason="needs nm")
def test_the_library_needs_nothing_but_python_and_the_system(wheel: Path, tmp_path: Path) -> None:
    shutil.unpack_archive(wheel, tmp_path, "zip")
    (made,) = tmp_path.rglob("octoscope_kernels*.so")
    names = {line.split()[-1] for line in run("nm", "-D", "--undefined-only", made, folder=tmp_path).splitlines()}
    assert not {name for name in names if name.startswith(("numba", "NRT", "__svml", ".numba"))}
