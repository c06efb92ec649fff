"""How long a window stands still at most: its longest turn, from one look at the person to the next, during long work.

Meshes are not drawn, which is the card's part and on a machine without one takes longer than all the rest; what is
sent to the card for it is measured apart, making ready what goes there is not. On a busy machine a turn takes longer
than it would: beside it stands the processor time of the window's own thread.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from scene import Scene, load, save_project, write_obj
from scene.city import city
from scene.editing import array
from scene.files import BackgroundReader
from scene.writers import WRITERS
from viewer.app import App
from viewer.array_commands import make_copies
from viewer.benchmarks.harness import Result
from viewer.benchmarks.obj_files import write_terrain
from viewer.compiling import compile_kernels
from viewer.config import FOLDER_VARIABLE
from viewer.gizmo.settings import MOVE, ROTATE, SCALE, VERBS
from viewer.intents import Hover
from viewer.timing import StageTimes
from viewer.ui.outliner import Outliner
from viewer.window import WindowUnavailable, display_is_missing

_OBJECTS = 100_000
_TRIANGLES = 1_000_000
_LIMIT_MS = 100.0  # what a person does not take for standing still
_DRAWING = ("render", "show")
_ARRAY = 500
_GIZMO_STEPS = 5
_SIZE = (1280, 720)


def run() -> Iterator[Result]:
    """Open a window, and do in it what takes long, each thing checked."""
    with tempfile.TemporaryDirectory() as folder, _a_display() as is_there, _configured(Path(folder) / "config"):
        if not is_there:
            yield Result("longest turn of a window", float("nan"), note="no display, and no Xvfb to make one")
            return
        compile_kernels()
        try:
            yield from _opening(Path(folder))
            yield from _working(Path(folder))
        except WindowUnavailable as error:
            yield Result("longest turn of a window", float("nan"), note=str(error))


@dataclass
class _Turn:
    """One turn, seconds: all of it, what of it was drawing, and what the window's thread did in the rest."""

    wall: float
    drawing: float
    own_cpu: float

    @property
    def own(self) -> float:
        return self.wall - self.drawing


class _WatchedTimes(StageTimes):
    """Adds up what drawing takes."""

    def __init__(self) -> None:
        super().__init__()
        self.drawing = self.drawing_cpu = 0.0
        self._in_stage = False

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        begin, begin_cpu = time.perf_counter(), time.thread_time()
        self._in_stage |= name in _DRAWING
        with super().stage(name):
            yield
        if name in _DRAWING:
            self.drawing += time.perf_counter() - begin
            self.drawing_cpu += time.thread_time() - begin_cpu
            self._in_stage = False

    def not_drawing(self, call: Callable[..., object]) -> Callable[..., object]:
        """The same, but what it takes does not count as drawing."""

        def run(*arguments: object) -> None:
            begin, begin_cpu = time.perf_counter(), time.thread_time()
            call(*arguments)
            if self._in_stage:
                self.drawing -= time.perf_counter() - begin
                self.drawing_cpu -= time.thread_time() - begin_cpu

        return run


class Desk:
    """A window that is worked by calls, and what its turns took.

    Attributes:
        turns: of the step that goes on.
    """

    def __init__(self, scene: Scene, *, reader: BackgroundReader | None = None, before: App | None = None):
        self.turns: list[_Turn] = []
        self._times = _WatchedTimes()
        self.app = App(scene, title="city", reader=reader, size=_SIZE, before=before)
        drawing = self.app._renderer._meshes
        drawing._draw_element = lambda program, draws, element: 1  # the card's part, which does not count, is left out
        meshes = drawing._gpu_scene.meshes
        meshes.go_on = self._times.not_drawing(meshes.go_on)
        self.app.view.times = self._times

    def turn(self, act: Callable[[], object] | None = None) -> None:
        """One turn, in which somebody does something."""
        times = self._times
        times.drawing = times.drawing_cpu = 0.0
        begin, begin_cpu = time.perf_counter(), time.thread_time()
        if act is not None:
            act()
            self.app._note_change()  # as after an event
        self.app.turn()
        wall, cpu = time.perf_counter() - begin, time.thread_time() - begin_cpu
        self.turns.append(_Turn(wall, times.drawing, cpu - times.drawing_cpu))

    def do(self, *acts: Callable[[], object], until: Callable[[], bool] = lambda: True) -> None:
        """Do things, a turn each, and wait until that is so and the window has come to rest."""
        for act in acts:
            self.turn(act)
        app = self.app
        while not until() or not ((app.is_idle and not app.editor.work.busy) or app._document.following):
            self.turn()

    def measure(self, name: str, *acts: Callable[[], object], until: Callable[[], bool] = lambda: True) -> Result:
        """The longest turn until that is so and the window has come to rest."""
        self.turns = []
        begin = time.perf_counter()
        self.do(*acts, until=until)
        seconds = time.perf_counter() - begin
        longest = max(turn.own for turn in self.turns)
        whole = max(turn.wall for turn in self.turns)
        busiest = max(turn.own_cpu for turn in self.turns)
        note = f"at work {busiest * 1e3:.0f} ms; with drawing {whole * 1e3:.0f} ms; all took {seconds:.1f} s"
        return Result(name, longest * 1e3, {"the limit": _LIMIT_MS}, note=note)

    def close(self, *, last: bool = False) -> App:
        """Let go of the scene; of the window too, or leave it to the next."""
        window = self.app.window
        close = window.close
        if not last:
            window.close = lambda: None
        self.app.end()
        self.app.run()
        window.close = close
        return self.app


def _opening(folder: Path) -> Iterator[Result]:
    """Files that are read while the window lives."""
    town = folder / "city.obj"
    write_obj(city(_OBJECTS), town)
    terrain = write_terrain(folder / "terrain.obj", _TRIANGLES)
    project = folder / "city.octo.json"
    scene = load(town)
    save_project(scene, project)
    before = None
    for name, path, objects in (
        (f"open an OBJ of {_OBJECTS:,} objects", town, _OBJECTS),
        (f"open a mesh of {_TRIANGLES:,} triangles", terrain.path, 1),
        (f"open a project of {_OBJECTS:,} objects", project, _OBJECTS),
        ("open three files at once", (terrain.path, town, town), 2 * _OBJECTS + 1),
    ):
        paths = [path] if isinstance(path, Path) else path
        scene = Scene()
        desk = Desk(scene, reader=BackgroundReader(paths), before=before)
        result = desk.tools.measure(name)
        assert not scene.report.errors and len(scene.index) == objects, scene.report.errors
        before = desk.close()
        yield result
    desk = Desk(scene, before=before)
    desk.do()
    yield desk.tools.measure("open another file in its place", lambda: desk.app._document.open(project))
    following = desk.app._document.following
    assert len(following.scene.index) == _OBJECTS
    desk.close(last=True)


def _working(folder: Path) -> Iterator[Result]:
    """What a person does with many objects."""
    scene = city(_OBJECTS)
    desk = Desk(scene)
    app, editor = desk.app, desk.app.editor
    table = app._table
    document = app._document
    app.view.frame_box_of(None, app.picture_size)
    desk.do()

    def command(command_id: str) -> Callable[[], object]:
        return lambda: table.run(table[command_id])

    yield desk.tools.measure("select all", command("select.all"))
    assert len(editor.selected_ids) == _OBJECTS
    before = scene.world_spheres.copy()
    for mode, verb in ((MOVE, "move"), (ROTATE, "turn"), (SCALE, "scale")):
        yield desk.tools.measure(f"{verb} all by the mouse", *_gizmo_steps(app, mode))
        assert editor.history.undo_label.startswith(VERBS[mode])
        assert not np.allclose(scene.world_spheres, before)
        yield desk.tools.measure(f"undo: {verb} all", editor.undo)
        assert np.array_equal(scene.world_spheres, before)
        yield desk.tools.measure(f"redo: {verb} all", editor.redo)
        desk.do(editor.undo)
    blocks = np.flatnonzero((scene.mesh_ids < 0) & (scene.parents >= 0))
    scene.set_scales(blocks, (1.0, 1.5, 1.0))
    for mode, verb in ((ROTATE, "turn"), (SCALE, "scale")):
        yield desk.tools.measure(f"{verb} all below uneven parents", *_gizmo_steps(app, mode))
        desk.do(editor.undo)
    scene.set_scales(blocks, 1.0)

    outliner = next(panel for panel in app._shell.panels if isinstance(panel, Outliner))

    def look_for(text: str) -> Callable[[], None]:
        def act() -> None:
            outliner.outline.query = text

        return act

    yield desk.tools.measure("look for a name", look_for("t"), look_for("tr"), look_for("tre"))
    assert outliner.outline.match_count > _OBJECTS // 100
    desk.do(look_for(""))
    yield desk.tools.measure("duplicate all", command("edit.duplicate"))
    assert len(scene.index) == 2 * _OBJECTS
    yield desk.tools.measure("undo: duplicate all", editor.undo)
    yield desk.tools.measure("hide all", command("select.hide"))
    yield desk.tools.measure("show all", command("select.show_all"))
    yield desk.tools.measure("delete all", command("select.all"), command("edit.delete"))
    assert len(scene.index) == 0
    yield desk.tools.measure("undo: delete all", editor.undo)
    assert len(scene.index) == _OBJECTS
    yield desk.tools.measure("group all", command("select.all"), command("object.group"))
    desk.do(editor.undo)

    saved = folder / "worked.octo.json"
    document.ask_path = lambda request: request.choose(saved.with_name(f"worked{request.endings[0]}"))
    yield desk.tools.measure("save", document.save_as)
    assert len(load(saved).index) == _OBJECTS
    desk.do(command("select.all"))
    yield desk.tools.measure("move all, with a journal", *_gizmo_steps(app, MOVE))
    for ending in WRITERS:
        yield desk.tools.measure(f"export as {ending}", lambda ending=ending: document.export(ending))
        assert load(saved.with_name(f"worked{ending}")).element_count("triangle") == scene.element_count("triangle")
    town = folder / "city.obj"
    document.ask_path = lambda request: request.choose(town)
    yield desk.tools.measure(f"import an OBJ of {_OBJECTS:,} objects", document.ask_import)
    assert len(scene.index) == 2 * _OBJECTS
    yield desk.tools.measure("undo: import", editor.undo)
    desk.close(last=True)
    yield from _multiplying()
    yield from _reloading(town)


def _multiplying() -> Iterator[Result]:
    """What runs beside the window as it takes seconds."""
    scene = city(_OBJECTS)
    desk = Desk(scene)
    app, editor = desk.app, desk.app.editor
    app.view.frame_box_of(None, app.picture_size)
    desk.do()

    def drop() -> None:
        app._table.run(app._table["object.drop_onto"])

    yield desk.tools.measure("drop all", lambda: editor.select(np.flatnonzero(scene.mesh_ids >= 0)), drop)
    assert editor.history.undo_label.startswith("Drop"), editor.history.undo_label
    steps = (4.0 * _OBJECTS, 0.0, 0.0)
    make_array = partial(make_copies, editor, _ARRAY - 1, array)
    desk.do(lambda: editor.select(np.flatnonzero(scene.mesh_ids >= 0)[: _OBJECTS // 100]))
    yield desk.tools.measure(
        f"array of {_ARRAY * (_OBJECTS // 100):,}", lambda: make_array(editor.selected_ids, _ARRAY, steps)
    )
    assert len(scene.index) == _OBJECTS + (_ARRAY - 1) * (_OBJECTS // 100)
    yield desk.tools.measure("undo: array", editor.undo)
    desk.close(last=True)


def _reloading(path: Path) -> Iterator[Result]:
    scene = load(path)
    desk = Desk(scene)
    desk.do()
    with path.open("ab") as file:
        file.write(b"o more\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\n")

    yield desk.tools.measure("read a changed file again", until=lambda: len(scene.index) > _OBJECTS)
    desk.close(last=True)


def _gizmo_steps(app: App, mode: str) -> list[Callable[[], object]]:
    """Taking hold of what is selected, moving the mouse, and letting go."""
    gizmo = app._tools.gizmo

    def go(step: int) -> Callable[[], object]:
        def act() -> None:
            gizmo.follow(Hover((0.5 + 0.02 * step, 0.55)))

        return act

    steps = [go(step) for step in range(_GIZMO_STEPS)]
    return [go(0), lambda: gizmo.begin_by_keys(mode), *steps, gizmo._keep]


@contextmanager
def _configured(folder: Path) -> Iterator[None]:
    """Nothing of the person's own is read or written meanwhile."""
    before = os.environ.get(FOLDER_VARIABLE)
    os.environ[FOLDER_VARIABLE] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ[FOLDER_VARIABLE]
        else:
            os.environ[FOLDER_VARIABLE] = before


@contextmanager
def _a_display() -> Iterator[bool]:
    """The display that there is, or one without a monitor; False where there is none to be had."""
    if not display_is_missing():
        yield True
        return
    if shutil.which("Xvfb") is None:
        yield False
        return
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", "1", "-screen", "0", f"{_SIZE[0]}x{_SIZE[1]}x24", "-noreset", "-nolisten", "tcp"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        os.environ["DISPLAY"] = f":{server.stdout.readline().decode().strip()}"
        yield True
    finally:
        os.environ.pop("DISPLAY", None)
        server.terminate()
        server.wait()
