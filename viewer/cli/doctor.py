"""`octoscope doctor`: every way to OpenGL on this machine, what works, and what to do about what does not."""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

from octoscope.octree.jit import builder, library
from octoscope.scene.system.atomic_file import atomic_file, check_savable
from octoscope.viewer.cli.output import PARTIAL_FAILURE, answer, answer_columns, answer_json, say
from octoscope.viewer.doctor.examination import examine
from octoscope.viewer.doctor.findings import conclusion, examine_by, helping_switch
from octoscope.viewer.doctor.reference_scenes import REFERENCES
from octoscope.viewer.doctor.report import page
from octoscope.viewer.rendering.context.card_errors import DrawError
from octoscope.viewer.rendering.context.offscreen import BACKENDS, NoOpenGL, create_context
from octoscope.viewer.rendering.context.opengl import Context
from octoscope.viewer.rendering.self_test import context_facts
from octoscope.viewer.settings.config import config_folder, read_window_state
from octoscope.viewer.window.window import Window, WindowUnavailable

_PACKAGES = ("numpy", "numba", "moderngl", "moderngl-window", "glfw", "imgui-bundle")
_WINDOW = "window"
_SECONDS = 300.0  # for one way; where kernels have to be compiled first, a minute or more
_TRIED_SIZE = (320, 240)
# Beginnings of the variables that say which driver draws, and where.
_VARIABLES = (
    "MESA_",
    "LIBGL_",
    "GALLIUM_",
    "EGL_",
    "__EGL",
    "__GL",
    "DISPLAY",
    "WAYLAND_",
    "XDG_SESSION_TYPE",
    "OCTOSCOPE_",
)


def run(options: argparse.Namespace) -> int:
    """Run the command and return the exit status: 0 if pictures can be drawn, 1 if some are wrong, 2 if none can."""
    if options.full:
        check_savable(options.output)  # now: what takes a minute to find would be lost
    ways = {way: _tried(way) for way in (*BACKENDS, _WINDOW)}
    folder = config_folder()
    facts = {
        "octoscope": importlib.metadata.version("octoscope"),
        "python": platform.python_version(),
        "system": platform.platform(),
        "processors": os.cpu_count(),
        "packages": {name: _version_of(name) for name in _PACKAGES},
        "kernels": {"library": str(library.made() or ""), "compiled": builder.is_complete()},
        "settings": {"folder": str(folder), "writable": _is_writable(folder)},
        "opengl": ways,
    }
    draws = any("error" not in found for way, found in ways.items() if way != _WINDOW)
    if options.json:
        answer_json(facts)
    else:
        _print(facts)
    for line in _remedies(facts, draws=draws):
        say(line)
    if not draws:
        return 2
    return _examine(facts, options.output) if options.full else 0


def _examine(facts: dict[str, Any], output: Path) -> int:
    """Examine the way to OpenGL that a window takes, or where none opens the first one, and write what was found."""
    ways = facts["opengl"]
    way = next(way for way in (_WINDOW, *BACKENDS) if "error" not in ways[way])
    say(f"drawing pictures with {ways[way]['renderer']}: about a minute")
    examine = partial(examine_by, f"from octoscope.viewer.cli.doctor import examine_here; examine_here({way!r})")
    found = examine(list(REFERENCES), {})
    line = conclusion(found, helping_switch(found, examine) if found.wrong else None)
    state, _ = read_window_state(config_folder())
    variables = {name: value for name, value in os.environ.items() if name.startswith(_VARIABLES)}
    text = page(line, found, {**facts, "examined": way, "kept settings": state.settings, "environment": variables})
    with atomic_file(output) as file:
        file.write(text.encode("utf-8", "replace"))
    answer("")
    answer(f"{line}; {output} holds what was found: send it with a report")
    return PARTIAL_FAILURE if found.wrong else 0


def examine_here(way: str) -> None:
    """Examine a way to OpenGL, with the folder and the names of pictures in sys.argv; print each note as JSON."""
    examine(_context_of(way), sys.argv[2:], Path(sys.argv[1]), lambda note: print(json.dumps(note), flush=True))
    os._exit(0)  # a driver that crashes when it is unloaded has worked


def _context_of(way: str) -> Context:
    return Window(_TRIED_SIZE, "Octoscope doctor").ctx if way == _WINDOW else create_context(way)


def _version_of(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def _tried(way: str) -> dict[str, Any]:
    """Try one way in another process, which a driver may end with a crash, and return what was found out."""
    command = [sys.executable, "-c", f"from octoscope.viewer.cli.doctor import probe; probe({way!r})"]
    try:
        process = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        return {"error": f"no answer within {_SECONDS:.0f} seconds"}
    lines = process.stdout.splitlines()
    try:
        return dict(json.loads(lines[-1]))
    except (IndexError, ValueError):
        last = (process.stderr.strip().splitlines() or ["nothing was said"])[-1]
        what = f"the driver crashed, signal {-process.returncode}" if process.returncode < 0 else "it failed"
        return {"error": f"{what} ({last})"}


def probe(way: str) -> None:
    """Draw a picture in one way, and print what was found out about it as a line of JSON."""
    try:
        facts = context_facts(_context_of(way))
    except (NoOpenGL, WindowUnavailable, DrawError) as error:
        facts = {"error": str(error)}
    print(json.dumps(facts), flush=True)
    os._exit(0)  # a driver that crashes when it is unloaded has worked


def _print(facts: dict[str, Any]) -> None:
    packages = ", ".join(f"{name} {version}" for name, version in facts["packages"].items())
    kernels, settings = facts["kernels"], facts["settings"]
    rows = [
        ("octoscope", facts["octoscope"]),
        ("python", f"{facts['python']}, {facts['system']}, {facts['processors']} processors"),
        ("packages", packages),
        ("kernels", f"compiled: {kernels['library']}" if kernels["compiled"] else "not compiled"),
        ("settings", settings["folder"] + ("" if settings["writable"] else " (cannot be written)")),
    ]
    answer_columns(rows)
    for way, found in facts["opengl"].items():
        answer("")
        if "error" in found:
            answer(f"{way}: does not work")
            continue
        kind = "the processor draws" if found["software"] else "a graphics card draws"
        answer(f"{way}: works; {kind}")
        answer_columns(
            [
                ("  OpenGL", found["version"]),
                ("  renderer", found["renderer"]),
                ("  many objects at once", "yes" if found["indirect draws"] else "no (OpenGL 4.3 has it): slower"),
                ("  depth by glClipControl", "yes" if found["clip control"] else "no (OpenGL 4.5 has it): slower"),
                ("  first picture", f"{found['first picture ms']:.0f} ms"),
                *((f"  {name}", f"{limit:,}") for name, limit in found["limits"].items()),
            ]
        )


def _remedies(facts: dict[str, Any], *, draws: bool) -> list[str]:
    """Return a line about each thing that does not work, and what helps."""
    lines = []
    for way, found in facts["opengl"].items():
        if "error" in found and (way == _WINDOW or not draws):
            lines.append(f"{way}: {found['error']}")
    if "error" in facts["opengl"][_WINDOW] and draws:
        lines.append("without a window, `octoscope render FILE -o picture.png` draws pictures")
    if not facts["kernels"]["compiled"]:
        lines.append("kernels are not compiled, so starts are slow: `octoscope compile` does it, or says why it cannot")
    if not facts["settings"]["writable"]:
        lines.append(f"{facts['settings']['folder']} cannot be written: settings and recovery files are not kept")
    return lines


def _is_writable(folder: Path) -> bool:
    """Return whether files can be written to a folder, which may have to be made first."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder.is_dir() and os.access(folder, os.W_OK)
