"""Imports of the program before it does its task: each costs time for nothing where its library is not used."""

import subprocess
import sys

import pytest

from octoscope.octree.jit.builder import is_complete
from tests.cases import quick
from tests.viewer.cli.cli_steps import PALETTE, box

pytestmark = pytest.mark.usefixtures("in_folder")

IN_PROCESS = """
import sys
from octoscope.viewer.cli import main
status = main(sys.argv[1:])
print(status, *sys.modules)
"""
COMMANDS = ("open", "render", "info", "convert", "pick", "demo")


def imported_by(*arguments: str) -> tuple[int, set[str]]:
    """Return the exit status of a command, and the modules that it imported, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", IN_PROCESS, *arguments], capture_output=True, text=True, check=True, timeout=120
    )
    status, *modules = done.stdout.splitlines()[-1].split()
    return int(status), set(modules)


def within(modules: set[str], packages: str) -> list[str]:
    """Return the modules that are in one of these packages."""
    return sorted(name for name in modules if any(f"{name}.".startswith(f"{package}.") for package in packages.split()))


@pytest.mark.parametrize(
    "arguments",
    [
        *(["--help"], ["help"], ["--version"], ["rendr"], ["render", "a.obj"]),
        *([command, option] for command in COMMANDS for option in ("--help", "--nonsense")),
    ],
    ids=" ".join,
)
def test_help_and_wrong_arguments_are_answered_without_heavy_imports(arguments):
    _, modules = imported_by(*arguments)
    assert within(modules, "numpy numba llvmlite rich PIL moderngl moderngl_window glfw trimesh") == []
    assert within(modules, "octoscope.octree octoscope.scene.scene octoscope.scene.mesh") == []
    if arguments != ["--version"]:
        assert within(modules, "importlib.metadata email") == []


NOT_FOR_AN_OBJ = (
    "rich PIL glfw moderngl_window imgui_bundle trimesh watchfiles platformdirs sqlite3 ssl numpy.ma "
    "octoscope.scene.formats.gltf octoscope.scene.formats.stl_reader octoscope.scene.formats.export "
    "octoscope.scene.project.opening octoscope.scene.project.recorder octoscope.scene.editing "
    "octoscope.scene.history.history octoscope.scene.overlap octoscope.scene.drop "
    "octoscope.viewer.editing octoscope.viewer.ui octoscope.viewer.app.app"
)


@pytest.mark.parametrize("arguments", quick(["render a.obj -o a.png", "info a.obj", "info a.obj --json"], 2))
def test_an_obj_is_drawn_and_described_without_what_is_for_other_files_or_for_a_window(write, arguments):
    write("a.obj", "mtllib a.mtl\nusemtl red\n" + box("a"))
    write("a.mtl", PALETTE)
    status, modules = imported_by(*arguments.split())
    if is_complete():
        assert within(modules, "numba llvmlite") == []
    not_needed = NOT_FOR_AN_OBJ.replace(" PIL", "") if "-o" in arguments else NOT_FOR_AN_OBJ  # which writes the picture
    assert status == 0 and within(modules, not_needed) == []


OPENBLAS = """
import os, sys
from octoscope.__main__ import main
assert "numpy" not in sys.modules
main()
print(os.environ["OPENBLAS_THREAD_TIMEOUT"])
"""


def test_threads_of_openblas_are_told_to_sleep_before_numpy_starts_them():
    done = subprocess.run([sys.executable, "-c", OPENBLAS, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "4"
