"""The start: whole processes, from the command to its end, beside other viewers in Python; files are in the disk cache.

A competitor is a script of a few lines that does the same in this environment; one that is not installed is left out.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from PIL import Image

from octoscope.viewer.window.window import display_is_missing
from tests.benchmarks.harness import Result, compare
from tests.benchmarks.obj_files import ObjFile, write_objects, write_terrain

_ROUNDS = 9
_SIZE = (1280, 720)
_TIMEOUT_SECONDS = 300.0
_OURS = "import sys; from octoscope.__main__ import main; sys.exit(main())"  # as the console script
_DRAWING = {  # by module: a script that draws the file argv[1] to the picture argv[2]
    "pyvista": f"""
import sys, pyvista
plotter = pyvista.Plotter(off_screen=True, window_size={_SIZE})
plotter.add_mesh(pyvista.read(sys.argv[1]))
plotter.screenshot(sys.argv[2])
""",
    "f3d": f"""
import sys, f3d
f3d.Engine.autoload_plugins()
engine = f3d.Engine.create(True)
engine.window.size = {_SIZE}
engine.scene.add(sys.argv[1])
engine.window.render_to_image().save(sys.argv[2])
""",
}
_COUNTING = {
    "pyvista": """
import json, sys, pyvista
mesh = pyvista.read(sys.argv[1])
print(json.dumps({"triangles": mesh.n_cells, "bounds": mesh.bounds}))
"""
}
_WINDOW = """
import os, sys
from octoscope.viewer.window.window import Window
show_frame = Window.show_frame
def end(window):
    show_frame(window)
    if {scene} == (not window.title.startswith("opening")):
        os._exit(0)
Window.show_frame = end
from octoscope.__main__ import main
main()
os._exit(1)
"""


def run() -> Iterator[Result]:
    """Check what each program answers, then measure it."""
    yield _measured("octoscope --help", {"": _ours("--help")})
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small = write_terrain(folder / "small.obj", 10_000)
        yield _measured("what a small file contains", {"": _ours("info", small.path), **_peers(_COUNTING, small.path)})
        _assert_counted(small)
        many = write_objects(folder / "many.obj", 10_000, 6, 8)
        large = write_terrain(folder / "large.obj", 1_000_000)
        picture = folder / "picture.png"
        for what, file, rounds in (
            ("a small file", small, _ROUNDS),
            ("10,000 objects of 80 triangles", many, _ROUNDS // 2),
            ("one mesh of 1 M triangles", large, _ROUNDS // 2),
        ):
            commands = {"": _ours("render", file.path, "-o", picture), **_peers(_DRAWING, file.path, picture)}
            yield _measured(f"a picture of {what}", commands, rounds, lambda: _assert_drawn(picture))
        if not display_is_missing():
            for what, scene in (("the window is there", False), ("the window shows a small file", True)):
                command = [sys.executable, "-c", _WINDOW.format(scene=scene), "open", str(small.path)]
                yield _measured(what, {"": command})


def _ours(*arguments: object) -> list[str]:
    return [sys.executable, "-c", _OURS, *map(str, arguments)]


def _peers(scripts: Mapping[str, str], *arguments: object) -> dict[str, list[str]]:
    """Return the command of each competitor that is installed."""
    found = {module: script for module, script in scripts.items() if find_spec(module) is not None}
    return {module: [sys.executable, "-c", script, *map(str, arguments)] for module, script in found.items()}


def _measured(
    name: str, commands: Mapping[str, Sequence[str]], rounds: int = _ROUNDS, check: Callable[[], object] | None = None
) -> Result:
    """Run programs in turn; `check` is called once after each, unmeasured."""
    processor: dict[str, list[float]] = {label: [] for label in commands}

    def runner(label: str) -> Callable[[], None]:
        def run() -> None:
            before = os.times()
            _output_of(commands[label])
            after = os.times()
            processor[label].append(
                after.children_user + after.children_system - before.children_user - before.children_system
            )

        return run

    runners = {label: runner(label) for label in commands}
    if check is not None:
        for run in runners.values():
            run()
            check()
    result = compare(name, runners.pop(""), runners, rounds=rounds)
    figures = (f"{label or 'ours'} {_spread(samples[-rounds:])}" for label, samples in processor.items())
    return Result(result.name, result.ours, result.others, note=f"processor time: {', '.join(figures)}")


def _spread(seconds: Sequence[float]) -> str:
    """Return median, least and most as text."""
    middle, least, most = (round(1e3 * value) for value in (statistics.median(seconds), min(seconds), max(seconds)))
    return f"{middle} ms ({least} to {most})"


def _output_of(command: Sequence[str]) -> str:
    """Run a program that must succeed, with Python's compiled files kept, and return what it prints."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True, timeout=_TIMEOUT_SECONDS
    )
    return done.stdout


def _assert_counted(file: ObjFile) -> None:
    """Check that programs find all triangles, and the same box around them."""
    ours = json.loads(_output_of(_ours("info", "--json", file.path)))
    assert (ours["objects"], ours["triangles"]) == (file.objects, file.triangles)
    box = np.array([ours["bounds"]["min"], ours["bounds"]["max"]]).T.ravel()
    for command in _peers(_COUNTING, file.path).values():
        theirs = json.loads(_output_of(command).splitlines()[-1])
        assert theirs["triangles"] == file.triangles and np.allclose(theirs["bounds"], box, atol=1e-3)


def _assert_drawn(picture: Path) -> None:
    """Check that there is a picture with something in it, and remove it for the next program."""
    with Image.open(picture) as image:
        assert image.size == _SIZE and len(np.unique(np.asarray(image.convert("L")))) > 3
    picture.unlink()
