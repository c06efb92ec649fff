"""The longest time that the window does not respond, while it opens, saves and reloads files and edits many objects."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from octoscope.octree.jit import builder
from octoscope.scene import Scene, load, save_project, write_obj
from octoscope.scene.city import city
from octoscope.scene.formats.writers import WRITERS
from octoscope.scene.loading.read import BackgroundReader
from octoscope.viewer.tools.gizmo.settings import MOVE
from octoscope.viewer.window.window import WindowUnavailable
from tests.benchmarks import freeze_edits
from tests.benchmarks.freeze_edits import OBJECTS, City
from tests.benchmarks.freeze_window import TimedWindow, a_display, configured
from tests.benchmarks.harness import Result
from tests.benchmarks.obj_files import write_terrain

_TRIANGLES = 1_000_000


def run() -> Iterator[Result]:
    """Open a window, run everything that takes long, and check each result."""
    with tempfile.TemporaryDirectory() as folder, a_display() as is_there, configured(Path(folder) / "config"):
        if not is_there:
            yield Result("longest turn of a window", float("nan"), note="no display, and no Xvfb to make one")
            return
        builder.compile_the_rest()
        try:
            for part in PARTS:
                yield from part(Path(folder))
        except WindowUnavailable as error:
            yield Result("longest turn of a window", float("nan"), note=str(error))


def opening(folder: Path) -> Iterator[Result]:
    """Measure opening files."""
    town = _town(folder)
    terrain = write_terrain(folder / "terrain.obj", _TRIANGLES)
    project = folder / "city.octo.json"
    scene = load(town)
    save_project(scene, project)
    window = TimedWindow(Scene())
    for name, path, objects in (
        (f"open an OBJ of {OBJECTS:,} objects", town, OBJECTS),
        (f"open a mesh of {_TRIANGLES:,} triangles", terrain.path, 1),
        (f"open a project of {OBJECTS:,} objects", project, OBJECTS),
        ("open three files at once", (terrain.path, town, town), 2 * OBJECTS + 1),
    ):
        paths = [path] if isinstance(path, Path) else path
        scene = Scene()
        window.show(scene, reader=BackgroundReader(paths))
        result = window.measure(name)
        assert not scene.report.errors and len(scene.index) == objects, scene.report.errors
        yield result
    shown = window.app.session
    yield window.measure(
        "open another file in its place",
        lambda: shown.document.open(project),
        until=lambda: window.app.session is not shown,
    )
    assert len(window.app.view.scene.index) == OBJECTS
    window.close()


def writing(folder: Path) -> Iterator[Result]:
    """Measure saving, exporting and importing with many objects."""
    town = City(folder)
    window, document, scene, editor = town.window, town.app.session.document, town.scene, town.editor
    saved = folder / "written.octo.json"
    document.flows._ask_path = lambda request: request.choose(saved.with_name(f"written{request.endings[0]}"))
    yield window.measure("save as", document.save_as)
    assert len(load(saved).index) == OBJECTS
    town.select(town.objects)
    window.do(*town.gizmo_steps(MOVE))
    yield window.measure("save", document.save)
    assert np.array_equal(load(saved).world_spheres[-1], scene.world_spheres[-1])
    for ending in WRITERS:
        yield window.measure(f"export as {ending}", partial(document.export, ending))
        assert load(saved.with_name(f"written{ending}")).element_count("triangle") == scene.element_count("triangle")
    source = _town(folder)
    document.flows._ask_path = lambda request: request.choose((source,))
    yield window.measure(
        f"import an OBJ of {OBJECTS:,} objects", document.ask_import, until=lambda: len(scene.index) > OBJECTS
    )
    assert len(scene.index) == 2 * OBJECTS
    yield window.measure("undo: import", editor.undo)
    assert len(scene.index) == OBJECTS
    yield window.measure("redo: import", editor.redo)
    assert len(scene.index) == 2 * OBJECTS
    town.close()


def reloading(folder: Path) -> Iterator[Result]:
    """Measure reading a file again that changes on disk."""
    path = _town(folder)
    scene = load(path)
    window = TimedWindow(scene)
    window.do()
    with path.open("ab") as file:
        file.write(b"o more\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\n")

    yield window.measure("read a changed file again", until=lambda: len(scene.index) > OBJECTS)
    window.close()
    path.unlink()


PARTS = (
    opening,
    freeze_edits.selecting,
    freeze_edits.moving,
    freeze_edits.hanging,
    freeze_edits.shaping,
    freeze_edits.multiplying,
    freeze_edits.going_back,
    writing,
    reloading,
)


def _town(folder: Path) -> Path:
    """Return the path of an OBJ of many objects, which is written once."""
    path = folder / "city.obj"
    if not path.exists():
        write_obj(city(OBJECTS), path)
    return path
