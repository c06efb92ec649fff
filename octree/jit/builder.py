"""Make the library of kernels: machine code of numba's, C functions that call it, and a compiler to link both.

    python -m octoscope.octree.jit.builder

compiles what a window needs first, where there is no more than numba yet.

Processes (worker.py) compile what kernel_types.txt lists, each version of a kernel to files of its own. These are kept,
so that after a change of a kernel that one alone is compiled. A wheel holds code for several targets, processors
of one family, and library.c chooses when it is loaded.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from octoscope.octree.jit import library
from octoscope.octree.jit.compile_time import CompileTimer
from octoscope.octree.jit.kernel_types import Version, versions
from octoscope.octree.jit.probe import probe, try_probe

# What stands behind the names of functions, and the processor that each is for. Numba optimises for the last one.
THIS_PROCESSOR = {"": ""}
OF_A_WHEEL = (
    {"_v2": "x86-64-v2", "_v3": "x86-64-v3"}
    if platform.machine().lower() in ("x86_64", "amd64")
    else {"_baseline": "generic"}
)


class NoLibrary(Exception):
    """A library that cannot be made; the message is one line."""


def build(
    tell: Callable[[float], object] = lambda fraction: None, *, only_first: bool = False, beside: bool = False
) -> None:
    """Compile what is not compiled yet for this processor, and put the library into its place.

    Args:
        tell: called, on this thread, with the fraction of the work that is done.
        only_first: whether to compile only what the first picture and the first acts in its window need.
        beside: whether somebody works meanwhile: one processor is left to them, and the others when they need them.

    Raises:
        NoLibrary: this machine cannot; numba then compiles each kernel when it is called.
    """
    place = library.path()
    if place is None:
        raise NoLibrary("there is no folder for it that can be written; set NUMBA_CACHE_DIR to one")
    if find_spec("numba") is None:
        raise NoLibrary("numba is missing: pip install 'octoscope[kernels]'")
    compiler = _compiler_command()
    folder = library.parts_folder(place)
    made = folder / f"{time.monotonic_ns()}{place.suffix}"  # Python loads what has a name once
    try:
        folder.mkdir(exist_ok=True)
        source, objects = write_parts(folder, THIS_PROCESSOR, tell, only_first=only_first, beside=beside)
        command = [*_priority(beside=beside), *compiler, str(source), *map(str, objects), "-lm", "-o", str(made)]
        subprocess.run(command, check=True, capture_output=True, timeout=300)
        module = library.load(made)
        check(module)
        # Whoever has a library loaded keeps it, this process too: a file is replaced, never written over.
        sealed = folder / f"sealed.{os.getpid()}"
        sealed.write_bytes(library.sealed(made.read_bytes()))
        os.replace(sealed, place)
        kept = {version.name for version in versions()}
        _remove(file for file in folder.iterdir() if file.stem not in kept)
        library.use(module)
    except (OSError, subprocess.SubprocessError, ImportError, AssertionError) as error:
        raise NoLibrary(f"making it failed ({type(error).__name__}: {error})".replace("\n", " ")) from error
    finally:
        made.unlink(missing_ok=True)


def is_complete(*, only_first: bool = False) -> bool:
    """Return whether all that is to be compiled is in a library, as the sources are now.

    Args:
        only_first: whether to look only for what the first picture and the first acts in its window need.
    """
    wanted = (version for version in versions() if version.is_first or not only_first)
    return all(library.holds(version.kernel, version.name) for version in wanted)


def compile_the_rest() -> None:
    """Complete a library that has only what a window needs first, beside a program that goes on.

    Kernels whose sources have changed are left to numba: who changes them wants the one that is called.
    """
    with suppress(NoLibrary):
        if not all(library.knows(version.kernel) for version in versions()):
            build(beside=True)


def check(module: Any) -> None:
    """Try one function of a new library; AssertionError: it answers wrongly."""
    numbers = json.loads(module.contents)[library.key_of(probe)][1]
    try_probe(library.bound(module, list(numbers.values()), probe))


def _compiler_command() -> list[str]:
    """Return the beginning of a command that compiles and links.

    Raises:
        NoLibrary: there is no compiler, or something that it needs is missing.
    """
    if not sys.platform.startswith("linux"):
        raise NoLibrary("it is made on Linux only so far")
    found = next(filter(None, map(shutil.which, (os.environ.get("CC", ""), "cc", "gcc", "clang"))), None)
    if found is None:
        raise NoLibrary("there is no C compiler; install gcc")
    headers = [sysconfig.get_path("include"), np.get_include()]
    if not (Path(headers[0]) / "Python.h").is_file():
        raise NoLibrary("Python's headers are missing; install python3-dev")
    return [found, "-O1", "-shared", "-fPIC", "-fvisibility=hidden", *(f"-I{header}" for header in headers)]


def write_parts(
    folder: Path,
    targets: Mapping[str, str],
    tell: Callable[[float], object] = lambda fraction: None,
    *,
    only_first: bool = False,
    beside: bool = False,
) -> tuple[Path, list[Path]]:
    """Return the C file of a library and the object files to link it with, after compiling what a folder lacks.

    Raises:
        OSError: nothing can be written there, or a process failed; the message says why.
    """
    wanted = [version for version in versions() if version.is_first or not only_first]
    missing = sum(not (folder / f"{version.name}.c").is_file() for version in wanted)
    if missing:
        arguments = ["first" if only_first else "all", str(folder), *(f"{name}={to}" for name, to in targets.items())]
        *_, best = targets.values()
        settings = {"NUMBA_CPU_NAME": best, "NUMBA_CPU_FEATURES": ""} if best else {}
        _remove(folder.glob("*.claim"))
        for done, failure in enumerate(_run_workers(arguments, settings, beside=beside), 1):
            if failure:
                raise OSError(failure)
            tell(min(1.0, done / missing))
    source = folder / "library.c"
    source.write_text(_text(wanted, folder, [*targets]), encoding="utf-8")
    return source, [folder / f"{version.name}{target}.o" for target in targets for version in wanted]


def _priority(*, beside: bool) -> list[str]:
    """Return the beginning of a command: with `beside`, it runs while no other program wants the processor."""
    found = shutil.which("nice") if beside else None
    return [found, "-n", "19"] if found else []


def _run_workers(arguments: list[str], settings: Mapping[str, str], *, beside: bool) -> Iterator[str]:
    """Run a process for each processor, with `beside` for each but one; yield the lines that they say."""
    # Of a container or a batch job, which may have few of the machine's.
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    reading, writing = os.pipe()
    workers = [
        subprocess.Popen(
            [*_priority(beside=beside), sys.executable, "-m", "octoscope.octree.jit.worker", *arguments],
            stdin=subprocess.PIPE,  # whose end tells the process that this one has ended
            stdout=writing,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **settings, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        for _ in range(max(1, processors - beside))
    ]
    os.close(writing)
    try:
        with os.fdopen(reading, encoding="utf-8", errors="replace") as lines:
            yield from map(str.strip, lines)
    finally:
        for worker in workers:
            worker.kill()
            worker.communicate()


def _remove(files: Iterable[Path]) -> None:
    for file in files:
        file.unlink(missing_ok=True)


def _text(wanted: Sequence[Version], folder: Path, targets: Sequence[str]) -> str:
    """Return the C code of a library; `folder` has that of each version."""
    names: dict[str, int] = {}
    contents: dict[str, tuple[str, dict[str, int]]] = {}
    for version in wanted:
        number = names.setdefault(version.name, len(names))
        contents.setdefault(version.kernel, (version.stamp, {}))[1][version.name] = number
    each = [f"kernel_##name##{target}" if target else "kernel_##name" for target in targets]
    declared = " ".join(f"int32_t {function} parameters;" for function in each)
    chosen = each[0] if len(each) == 1 else f"(is_second_target ? {each[1]} : {each[0]})"
    definitions = "".join(
        f'    {{"kernel", (PyCFunction)(void (*)(void))call_{name}, METH_FASTCALL | METH_KEYWORDS, NULL}},\n'
        for name in names
    )
    # Not one string: Microsoft's compiler takes no long ones.
    letters = ", ".join(str(byte) for byte in json.dumps(contents).encode())
    parts = [
        f"#define KERNEL(name, parameters) {declared}\n#define MACHINE_CODE(name) {chosen}\n",
        *((folder / f"{name}.c").read_text(encoding="utf-8") for name in names),
        f"static PyMethodDef kernels[] = {{\n{definitions}}};\n",
        f"static const char contents[] = {{{letters}, 0}};\n",
    ]
    fixed = Path(__file__).with_name("library.c").read_text(encoding="utf-8")
    before, marked, after = re.split(r"(/\* ====.*\n)", fixed)
    return "\n".join((before, marked, *parts, after))


if __name__ == "__main__":
    with suppress(NoLibrary):
        if not is_complete(only_first=True):
            build(CompileTimer().tell, only_first=True)
