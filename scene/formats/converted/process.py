"""The process in which a library reads a file.

`python -m octoscope.scene.formats.converted.process FILE BYTES` runs in a new folder.

BYTES is the memory that it may take, beside that of the library itself. It ends when its standard input does. It
writes converted.glb into the folder and then report.json: an object with "error", a reason or null; "is_out_of_memory",
whether that is the reason; "up_axis"; "problems", lists of what is wrong, what was done and how often; and
"dependencies", paths of the other files that were read. Without report.json it has crashed.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from pathlib import Path

from octoscope.scene.formats.converted.format import KINDS
from octoscope.scene.formats.converted.glb_builder import GlbBuilder
from octoscope.scene.system.memory import data_memory_bytes
from octoscope.scene.system.processes import end_after, processor_count

GLB, REPORT = "converted.glb", "report.json"
# By the extra: the module that imports all of the library that is used.
_USED = {"step": "cascadio", "usd": f"{__package__}.usd_scene", "collada": f"{__package__}.collada_scene"}
_BAD_ALLOC = "bad_alloc"  # C++'s exception when memory runs out, in the message of a library's own
_MOST_REASON = 120  # characters
_THREAD_BYTES = 2**24  # of a thread that a library may start on each processor; it counts whole and is hardly used
_COMPLAINT = re.compile(r"\*\*\*\* ERR StepFile :([^*]+)")  # of OpenCASCADE, which prints it
_MOST_COMPLAINT = 2**16  # characters
_STANDARD_OUTPUT = 1


def main() -> None:
    """Convert the file that the arguments name."""
    end_after(partial(os.read, 0, 1))
    path, memory_bytes = Path(sys.argv[1]), int(sys.argv[2])
    with suppress(Exception):  # raised again, and told, by what uses it
        import_module(_USED[KINDS[path.suffix.lower()].extra])
    _limit(memory_bytes)
    convert_file(path, Path.cwd())


def convert_file(path: Path, folder: Path) -> None:
    """Write converted.glb and report.json into a folder, as above."""
    builder = GlbBuilder()
    error: str | None = None
    is_out_of_memory = False
    try:
        _convert(path, folder / GLB, builder)
    except Exception as raised:  # of any kind: a library's own, or what its arithmetic raises for broken files
        is_out_of_memory = isinstance(raised, MemoryError) or _BAD_ALLOC in str(raised)
        error = " ".join(str(raised).split())[:_MOST_REASON] or type(raised).__name__
    report = {
        "error": error,
        "is_out_of_memory": is_out_of_memory,
        "up_axis": builder.up_axis,
        "problems": [(what, done, count) for (what, done), count in builder.problems.items()],
        "dependencies": sorted(builder.dependencies),
    }
    (folder / REPORT).write_text(json.dumps(report))


def _convert(path: Path, output: Path, builder: GlbBuilder) -> None:
    extra = KINDS[path.suffix.lower()].extra
    if extra == "step":
        _convert_step(path, output)
        builder.up_axis = "z"
        return
    getattr(import_module(_USED[extra]), f"convert_{extra}")(path, builder)
    with output.open("wb") as file:
        builder.write(file)


def _convert_step(path: Path, output: Path) -> None:
    """Convert a STEP file by OpenCASCADE: names, assemblies and colours; metres; curved surfaces become triangles."""
    import cascadio  # here: an extra

    complaints = output.with_name("complaints.txt")
    with _standard_output_to(complaints):
        # A triangle leaves the surface by at most a hundredth of the edge that it is at, and turns by 0.3 rad, 17
        # degrees.
        status = cascadio.step_to_glb(str(path), str(output), tol_linear=0.01, tol_angular=0.3, tol_relative=True)
    if status != 0 or not output.is_file():
        with complaints.open(errors="replace") as file:
            said = _COMPLAINT.search(file.read(_MOST_COMPLAINT))
        raise ValueError(f"OpenCASCADE cannot read it{f': {said[1].strip()}' if said else ''}")


@contextmanager
def _standard_output_to(path: Path) -> Iterator[None]:
    """Write what a library prints to a file, also what no Python code sees."""
    sys.stdout.flush()
    kept = os.dup(_STANDARD_OUTPUT)
    try:
        with path.open("wb") as file:
            os.dup2(file.fileno(), _STANDARD_OUTPUT)
        yield
    finally:
        os.dup2(kept, _STANDARD_OUTPUT)
        os.close(kept)


def _limit(memory_bytes: int) -> None:
    """End this process when it takes more memory than now and that, where the system can."""
    try:
        import resource  # here: Windows has none
    except ModuleNotFoundError:
        return
    most = data_memory_bytes() + _THREAD_BYTES * processor_count() + memory_bytes
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))


if __name__ == "__main__":
    main()
