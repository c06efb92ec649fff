"""The design's lines: which room may import which, and which folders there are."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from octoscope.octree.jit.kernel_types import versions

ROOT = Path(__file__).parents[1]
PACKAGES = ("octree", "scene", "viewer")
FOLDERS = {"octoscope", "octree", "scene", "viewer", "shaders", "assets", "docs", "tests"}
# Of the package octoscope itself: its sub-packages may import them.
FACE = {f"octoscope.{name}" for name in ("arguments", "array_arguments", "guesses", "on_demand")}
BUILD_PRODUCTS = {"build", "dist", "venv"}
MOST_FILES = 20  # in one room

# The rooms of a package, in import order, and which rooms each imports: of those before it alone. A new arrow is a
# decision, made here. "." stands for the files of the package itself.
ROOMS = {
    "octree": {
        "jit": "",
        "layout": "jit",
        "building": "jit layout",
        "queries": "jit layout",
        ".": "layout building queries",
    },
    "scene": {
        "system": "",
        "geometry": "",
        "mesh": "system geometry",
        "bvh": "mesh",
        "nodes": "geometry mesh",
        "spatial": "system geometry bvh nodes",
        "conventions": "geometry",
        "annotations": "system conventions",
        ".": "system geometry mesh bvh nodes spatial conventions annotations",
        "measuring": "system mesh nodes spatial conventions annotations .",
        "overlap": "system geometry mesh bvh nodes spatial .",
        "checks": "mesh nodes spatial .",
        "mending": "geometry mesh checks",
        "cutting": "geometry .",
        "drop": "system geometry bvh nodes spatial . overlap",
        "editing": "system geometry mesh nodes spatial conventions annotations . mending drop",
        "merging": "geometry mesh conventions",
        "formats": "system geometry mesh conventions annotations . measuring merging",
        "project": "system geometry mesh nodes conventions annotations . editing formats",
        "history": "nodes . editing project",
        "loading": "system mesh nodes conventions . editing formats project",
        "tiling": "system mesh conventions . merging formats loading project",
        "streaming": "system geometry mesh spatial conventions . merging formats",
    },
    "viewer": {
        "features": "",  # the table of their names
        "window": "",
        "settings": "window",
        "camera": "",
        "frame.look": "features",
        "frame.detail": "camera",
        "frame": "camera frame.look frame.detail features",
        "rendering.context": "window",
        "rendering.resources": "frame frame.look frame.detail rendering.context",
        "rendering.passes": "frame frame.look frame.detail rendering.context rendering.resources",
        "rendering": "window camera frame frame.look rendering.context rendering.passes",
        "editing": "frame",
        "document": "settings camera frame editing",
        "tools": "window camera frame editing",
        "commands": "window settings frame editing document tools",
        "commands.menus": "settings camera frame.look editing document tools commands",
        "ui.imgui": "frame.look",
        "ui.widgets": "frame ui.imgui",
        "ui.panels": "settings frame editing document tools ui.imgui ui.widgets",
        "ui.dialogs": "window settings document commands ui.imgui",
        "ui.overlays": "camera frame editing document tools commands ui.imgui",
        "ui": "window settings document commands ui.imgui ui.widgets ui.dialogs ui.overlays",
        "app.contribution": "settings frame editing tools commands ui.imgui ui.widgets ui.panels ui.overlays",
        "features.settings_window": "window settings document tools commands commands.menus ui.imgui app.contribution",
        "features.first_steps": "window settings frame tools commands ui.imgui ui.overlays app.contribution",
        "features.axis_widget": "settings camera frame tools commands ui.imgui app.contribution",
        "features.history": "editing ui.imgui app.contribution",
        "features.camera_panel": "camera editing commands ui.imgui ui.panels ui.widgets app.contribution",
        "features.light_tool": "window frame tools commands app.contribution",
        "features.color_bars": "frame frame.look app.contribution",
        "features.panoramas": "frame.look editing document tools commands app.contribution",
        "app": "window settings camera frame.look frame.detail frame rendering.context rendering "
        "editing document tools commands commands.menus ui.imgui ui.panels ui.dialogs ui.overlays ui features "
        "app.contribution",
        "doctor": "window camera frame.look frame rendering.context rendering",
        "cli": "window settings camera frame.look frame rendering.context rendering.resources rendering document "
        "features app doctor",
        "features.web": "window settings camera frame.look frame editing document tools commands commands.menus "
        "features app app.contribution cli",
        "features.bookmarks": "camera editing commands ui.imgui ui.widgets app.contribution features.web",
        "features.section": "camera editing frame tools commands ui.imgui ui.panels ui.widgets ui.overlays "
        "app.contribution features.web",
        "features.cursor": "editing frame tools commands app.contribution features.web",
        "features.drop": "editing commands app.contribution features.web",
        "features.clipboard": "editing commands app.contribution features.web",
        "features.asset_browser": "settings camera frame rendering.context rendering editing document tools commands "
        "ui.imgui ui.widgets app.contribution",
        "features.materials_panel": "settings camera frame rendering.context rendering editing document tools commands "
        "ui.imgui ui.widgets app.contribution features.web",
        "features.object_table": "editing document commands ui.imgui ui.widgets app.contribution",
        "features.rulers": "frame frame.look ui.imgui app.contribution cli",
        "features.scale_bar": "frame frame.look app.contribution cli",
        "features.overlaps": "camera frame editing commands ui.imgui ui.panels ui.widgets app.contribution cli",
        "features.mesh_checks": "frame editing commands ui.imgui ui.panels app.contribution cli",
        "features.tiles": "camera frame editing commands ui.imgui ui.panels app.contribution cli",
        "features.page": "camera frame frame.look commands app.contribution features.web",
        "features.console": "window document editing commands ui.imgui ui.widgets app app.contribution cli "
        "features.web",
        "features.octree_view": "camera frame.look frame rendering editing settings commands window tools ui.imgui "
        "ui.panels app.contribution cli features.web",
        "features.annotations": "window camera frame frame.look editing document tools commands ui.imgui ui.widgets "
        "app.contribution features.web",
        "features.measuring": "window frame editing tools commands ui.imgui ui.widgets ui.overlays app.contribution "
        "features.web",
    },
}
# Imports that run the other way, and are to be cut: type hints, and what two rooms share.
UPWARD = {
    "octree": set(),
    "scene": set(),
    "viewer": set(),
}
# A kernel is compiled again when any file changes that its own file imports, and the next start takes ten seconds more.
# So a file with kernels imports none of the project's but others with kernels, and these constants and layouts.
KERNEL_DATA = {
    "octoscope.octree.layout.morton",
    "octoscope.scene.bvh.arrays",
    "octoscope.scene.formats.gltf.codes",
    "octoscope.scene.formats.obj.freeform.keywords",
    "octoscope.scene.geometry.normals",
    "octoscope.scene.nodes.layers",
}

# The files that may know OpenGL, and those that may know the window; a new one is a decision, made here.
WINDOW_FILES = {"viewer/window/window.py"}
GL_FILES = {
    "viewer/rendering/buffers.py",
    "viewer/rendering/context/blits.py",
    "viewer/rendering/context/card_errors.py",
    "viewer/rendering/context/driver_messages.py",
    "viewer/rendering/context/gpu_timer.py",
    "viewer/rendering/context/host_context.py",
    "viewer/rendering/context/offscreen.py",
    "viewer/rendering/context/opengl.py",
    "viewer/rendering/context/quads.py",
    "viewer/rendering/context/reversed_depth.py",
    "viewer/rendering/context/shader_library.py",
    "viewer/rendering/passes/annotation_drawing.py",
    "viewer/rendering/passes/depth_peeling.py",
    "viewer/rendering/passes/outline_drawing.py",
    "viewer/rendering/passes/background_drawing.py",
    "viewer/rendering/passes/light_target.py",
    "viewer/rendering/passes/light_visibility_drawing.py",
    "viewer/rendering/passes/shadow_maps.py",
    "viewer/rendering/passes/line_drawing.py",
    "viewer/rendering/passes/mesh_drawing.py",
    "viewer/rendering/passes/render_pass.py",
    "viewer/rendering/passes/scene_passes.py",
    "viewer/rendering/passes/unoccluded_drawing.py",
    "viewer/rendering/passes/translucent_drawing.py",
    "viewer/rendering/passes/viewport_target.py",
    "viewer/rendering/host_drawing.py",
    "viewer/rendering/renderer.py",
    "viewer/rendering/resources/gpu_caps.py",
    "viewer/rendering/resources/gpu_environment.py",
    "viewer/rendering/resources/gpu_meshes.py",
    "viewer/rendering/resources/gpu_scene.py",
    "viewer/rendering/resources/gpu_textures.py",
    "viewer/rendering/self_test.py",
    "viewer/rendering/still_drawing.py",
    "viewer/rendering/transparent_background.py",
    "viewer/ui/imgui/backend.py",
    "viewer/window/window.py",
}
WINDOW_AND_GL = {"moderngl", "imgui", "imgui_bundle", "OpenGL", "glfw", "glcontext", "moderngl_window"}


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def import_statements(path: Path) -> list[ast.Import | ast.ImportFrom]:
    """Return the statements of a file that import something, anywhere in it."""
    nodes = ast.walk(tree_of(path))
    return [node for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom))]


def imports_of(path: Path) -> set[str]:
    """Names of what a file imports, anywhere in it: top-level ones, and the folders of this checkout."""
    found = set()
    for node in import_statements(path):
        modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module]
        found |= {module.removeprefix("octoscope.").split(".")[0] for module in modules if module not in FACE}
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
    path.write_text("import a.b as c, d\nfrom e.f import g\nfrom octoscope.scene.k import h\ndef i():\n    import j\n")
    assert imports_of(path) == {"a", "d", "e", "scene", "j"}


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_are_where_this_test_looks(package):
    assert len(python_files(package)) > 3


def test_octree_imports_numpy_and_numba_and_nothing_else():
    allowed = {"octree", "numpy", "numba", "llvmlite"} | set(sys.stdlib_module_names)
    assert {name for name, path in python_files("octree").items() if not imports_of(path) <= allowed} == set()


def test_scene_imports_no_viewer_window_or_gl():
    refused = WINDOW_AND_GL | {"viewer", "shaders", "assets", "tests"}
    assert {name for name, path in python_files("scene").items() if imports_of(path) & refused} == set()


def test_the_viewer_does_not_import_tests():
    assert {name for name, path in python_files("viewer").items() if "tests" in imports_of(path)} == set()


def test_trimesh_is_known_to_the_way_in_and_the_way_out():
    shapes_of_usd = "scene/formats/converted/usd_meshes.py"
    assert importers("trimesh") == {shapes_of_usd, "scene/formats/stl_reader.py", "scene/mesh/arrays.py"}


def test_imgui_is_known_to_the_ui_and_to_features_alone():
    inside = ("viewer/ui/", "viewer/features/")
    outside = {name for name in importers("imgui", "imgui_bundle") if not name.startswith(inside)}
    assert outside == set()


def test_opengl_is_known_to_few_files():
    assert importers("moderngl", "OpenGL", "glcontext") == GL_FILES


def test_the_window_is_known_to_fewer():
    assert importers("glfw", "moderngl_window") == WINDOW_FILES


def modules_of(package: str) -> dict[str, Path]:
    """Return the files of a package by their dotted module names."""
    found = {}
    for name, path in python_files(package).items():
        found["octoscope." + name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")] = path
    return found


def arrows_of(package: str) -> list[tuple[str, str]]:
    """Return what each module of a package imports of the package, type hints included, as pairs of modules."""
    modules = modules_of(package)
    arrows = []
    for module, path in modules.items():
        for node in import_statements(path):
            if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(f"octoscope.{package}."):
                names = [f"{node.module}.{alias.name}" for alias in node.names]
                arrows += [(module, name if name in modules else node.module) for name in names]
    names = f"octoscope.{package}"  # of the package
    return [(importer, imported) for importer, imported in arrows if names not in (importer, imported)]


def imports_when_run(path: Path) -> set[str]:
    """Return the project's modules that a file imports, but for type hints."""
    tree = tree_of(path)
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            node.body = []
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module.startswith("octoscope.") and node.module not in FACE:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= names & MODULES.keys() or {node.module}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.startswith("octoscope.")}
    return found


MODULES = {module: path for package in PACKAGES for module, path in modules_of(package).items()}
MAKERS = {"kernel", "borrowing_kernel", "fused_kernel", "largest_kernel", "inlined", "pasted", "intrinsic"}


@cache  # and no constant: each process that collects tests would parse all files
def modules_with_kernels() -> set[str]:
    return {
        module
        for module, path in MODULES.items()
        for node in import_statements(path)
        if isinstance(node, ast.ImportFrom)
        and node.module == "octoscope.octree.jit"
        and MAKERS & {alias.name for alias in node.names}
    }


def test_files_with_kernels_are_found():
    assert {
        "octoscope.octree.layout.slots",
        "octoscope.scene.bvh.simd",
        "octoscope.scene.spatial.cast",
        "octoscope.viewer.frame.detail.occlusion_culling",
    } <= modules_with_kernels()
    assert not {"octoscope.octree.jit.builder", "octoscope.viewer.cli.compile"} & modules_with_kernels()


def test_a_file_with_kernels_imports_only_what_kernels_are_made_of():
    allowed = modules_with_kernels() | KERNEL_DATA | {"octoscope.octree.jit"}
    others = {module: imports_when_run(MODULES[module]) - allowed for module in modules_with_kernels()}
    assert {module: names for module, names in others.items() if names} == {}


def _is_made_by(makers: set[str], node: ast.AST) -> bool:
    found = [each.func if isinstance(each, ast.Call) else each for each in getattr(node, "decorator_list", ())]
    return any(isinstance(each, ast.Name) and each.id in makers for each in found)


def _names_outside_of_kernels(node: ast.AST) -> Iterable[str]:
    if not _is_made_by(MAKERS, node):
        if isinstance(node, ast.Name):
            yield node.id
        for child in ast.iter_child_nodes(node):
            yield from _names_outside_of_kernels(child)


def test_kernels_that_python_names_are_compiled_ahead_of_time():
    """Others are the kernels' own: a wheel has no machine code for a call of them."""
    kernels = {
        f"{module}.{node.name}"
        for module in modules_with_kernels()
        for node in tree_of(MODULES[module]).body
        if _is_made_by({"kernel"}, node)
    }
    named = set()
    for module, path in MODULES.items():
        where = {name.rpartition(".")[2]: name for name in kernels if name.rpartition(".")[0] == module}
        for node in import_statements(path):
            if isinstance(node, ast.ImportFrom):
                where |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
        if kernels & set(where.values()):  # else its names are not looked for: parsing takes long
            named |= {where[name] for name in _names_outside_of_kernels(tree_of(path)) if name in where}
    assert named & kernels - {version.kernel for version in versions()} == set()


def test_what_kernels_read_imports_nothing_of_the_project():
    assert {module for module in KERNEL_DATA if imports_when_run(MODULES[module])} == set()


def room_of(module: str, rooms: Iterable[str]) -> str:
    """Return the sub-package that a module lies in, the deepest of those given; "." for the package's own files."""
    within = module.split(".", 2)[2]
    return max((room for room in rooms if f"{within}.".startswith(f"{room}.")), key=len, default=".")


@pytest.mark.parametrize("package", ROOMS)
def test_imports_between_rooms_are_those_that_were_asked_for(package):
    rooms = ROOMS[package]
    found = {(room_of(importer, rooms), room_of(imported, rooms)) for importer, imported in arrows_of(package)}
    found = {(importer, imported) for importer, imported in found if importer != imported}
    assert (
        found == {(room, imported) for room, allowed in rooms.items() for imported in allowed.split()} | UPWARD[package]
    )


def circles_of(arrows: list[tuple[str, str]]) -> set[tuple[str, ...]]:
    """Return the groups of modules of which each imports each of the others, directly or not."""
    imported_by: dict[str, set[str]] = {}
    for importer, imported in arrows:
        imported_by.setdefault(importer, set()).add(imported)

    def reached_from(module: str) -> set[str]:
        reached, left = set(), [module]
        while left:
            more = imported_by.get(left.pop(), set()) - reached
            reached |= more
            left += more
        return reached

    reached = {module: reached_from(module) for module in imported_by}
    groups = (
        tuple(sorted(other for other in reached[module] if module in reached.get(other, ()))) for module in reached
    )
    return {group for group in groups if group}


def test_circles_of_imports_are_found():
    assert circles_of([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e"), ("e", "d"), ("e", "f")]) == {
        ("a", "b", "c"),
        ("d", "e"),
    }


@pytest.mark.parametrize("package", PACKAGES)
def test_no_files_import_each_other_in_a_circle(package):
    assert circles_of(arrows_of(package)) == set()


@pytest.mark.parametrize("package", ROOMS)
def test_rooms_import_rooms_that_stand_before_them(package):
    order = list(ROOMS[package])
    for room, allowed in ROOMS[package].items():
        assert all(order.index(imported) < order.index(room) for imported in allowed.split()), room


@pytest.mark.parametrize("package", ROOMS)
def test_every_room_says_what_each_of_its_files_is(package):
    for room in (room for room in ROOMS[package] if room not in (".", "app.contribution")):  # which are files
        folder = ROOT / package / room.replace(".", "/")
        text = ast.get_docstring(tree_of(folder / "__init__.py"))
        told = {line.split()[0] for line in text.splitlines() if line.startswith("    ") and line[4] != " "}
        assert told == {path.stem for path in folder.glob("*.py")} - {"__init__"}, room
        assert len(told) <= MOST_FILES, room


def test_lines_of_shaders_are_as_short_as_those_of_python():
    for path in sorted((ROOT / "shaders").glob("*.glsl")):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert max(map(len, lines)) <= 120, path.name


def test_there_are_no_other_top_level_folders():
    folders = {path.name for path in ROOT.iterdir() if path.is_dir()}
    folders -= {name for name in folders if name.startswith(".") or name.endswith((".egg-info", "__pycache__"))}
    assert folders - BUILD_PRODUCTS == FOLDERS


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_the_files_that_a_page_for_developers_names_are_there(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    paths = re.findall(r"`((?:octree|scene|viewer|shaders|tests)/[\w/.]+?)`", text)
    assert len(paths) > 10
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_the_files_that_comments_and_shaders_name_are_there():
    folders = ("octree", "scene", "viewer", "shaders")
    missing = []
    for path in (*python_files(*PACKAGES).values(), *sorted((ROOT / "shaders").glob("*.glsl"))):
        text = path.read_text(encoding="utf-8")
        named = re.findall(rf"(?<![\w/.])(?:{'|'.join(folders)})/[\w/]+\.(?:py|glsl|c)\b", text)
        missing += [(path.name, name) for name in named if not (ROOT / name).exists()]
    assert missing == []


def test_the_modules_that_mypy_treats_otherwise_are_there():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    named = [each["module"] for each in settings["tool"]["mypy"]["overrides"]]
    names = {name for each in named for name in ([each] if isinstance(each, str) else each)}
    own = {name for name in names if name.startswith("octoscope.") and not name.endswith("*")}
    assert len(own) > 10 and own <= {name for package in PACKAGES for name in modules_of(package)}
