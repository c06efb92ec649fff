"""What may import what, how long a file may be, and which folders there are: the lines that the design draws."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("octree", "scene", "viewer")
FOLDERS = {"octree", "scene", "viewer", "shaders", "assets", "tests"}
BUILD_PRODUCTS = {"build", "dist", "venv"}
LONGEST_FILE = 400
COMPETITORS = "viewer/benchmarks/"  # which may use whatever it measures beside us

# The files that may know OpenGL, and those that may know the window; a new one is a decision, made here.
WINDOW_FILES = {"viewer/input.py", "viewer/window.py", "viewer/x11.py"}
GL_FILES = {
    "viewer/annotation_drawing.py",
    "viewer/gpu_meshes.py",
    "viewer/gpu_scene.py",
    "viewer/mesh_drawing.py",
    "viewer/offscreen.py",
    "viewer/renderer.py",
    "viewer/shader_library.py",
    "viewer/translucent_drawing.py",
    "viewer/ui/imgui_backend.py",
}
WINDOW_AND_GL = {"moderngl", "moderngl_window", "imgui", "imgui_bundle", "pyglet", "OpenGL", "glfw", "glcontext"}


def imports_of(path: Path) -> set[str]:
    """Top-level names of the modules that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module.split(".")[0] if node.level == 0 else path.relative_to(ROOT).parts[0])
    return found


def python_files(*folders: str) -> dict[str, Path]:
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    return {path.relative_to(ROOT).as_posix(): path for path in paths}


def importers(*modules: str) -> set[str]:
    return {name for name, path in python_files(*PACKAGES).items() if imports_of(path) & set(modules)}


def test_imports_are_seen_wherever_they_stand(tmp_path, monkeypatch):
    monkeypatch.setattr(f"{__name__}.ROOT", tmp_path)
    (tmp_path / "octree").mkdir()
    path = tmp_path / "octree" / "x.py"
    path.write_text("import a.b as c, d\nfrom e.f import g\nfrom . import h\ndef i():\n    if g:\n        import j\n")
    assert imports_of(path) == {"a", "d", "e", "octree", "j"}


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_are_where_this_test_looks(package):
    assert len(python_files(package)) > 3


@pytest.mark.parametrize("name", python_files("octree"))
def test_octree_imports_numpy_and_numba_and_nothing_else(name):
    assert imports_of(ROOT / name) <= {"octree", "numpy", "numba"} | set(sys.stdlib_module_names)


@pytest.mark.parametrize("name", python_files("scene"))
def test_scene_imports_no_viewer_window_or_gl(name):
    assert not imports_of(ROOT / name) & (WINDOW_AND_GL | {"viewer", "shaders", "assets", "tests"})


@pytest.mark.parametrize("name", python_files("viewer"))
def test_the_viewer_does_not_import_tests(name):
    assert "tests" not in imports_of(ROOT / name)


def test_trimesh_is_known_to_one_file_of_scene():
    (name,) = {name for name in importers("trimesh") if not name.startswith(COMPETITORS)}
    assert name.startswith("scene/")


def test_imgui_is_known_to_the_ui_alone():
    outside = {name for name in importers("imgui", "imgui_bundle") if not name.startswith("viewer/ui/")}
    assert outside == set()


def test_opengl_is_known_to_few_files():
    assert importers("moderngl", "OpenGL", "glcontext") == GL_FILES


def test_the_window_is_known_to_fewer():
    assert importers("moderngl_window", "pyglet", "glfw") == WINDOW_FILES


@pytest.mark.parametrize(
    "name",
    [
        path.relative_to(ROOT).as_posix()
        for folder in (*PACKAGES, "shaders", "tests")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in (".py", ".glsl")
    ],
)
def test_a_file_holds_one_idea(name):
    assert len((ROOT / name).read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE


def test_there_are_no_other_top_level_folders():
    folders = {path.name for path in ROOT.iterdir() if path.is_dir()}
    folders -= {name for name in folders if name.startswith(".") or name.endswith((".egg-info", "__pycache__"))}
    assert folders - BUILD_PRODUCTS == FOLDERS
