"""Read a file by a library that converts it to a GLB, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from octoscope.scene.content import FileContent
from octoscope.scene.formats.converted.format import KINDS, Kind
from octoscope.scene.formats.converted.process import GLB, REPORT
from octoscope.scene.formats.gltf.document import LARGEST_BYTES, read_document
from octoscope.scene.formats.gltf.reader import content_of
from octoscope.scene.system.memory import readable_bytes
from octoscope.scene.system.read_limits import current_limits
from octoscope.scene.system.report import Problems
from octoscope.scene.system.text_file import ReadError, not_of_format, open_regular, printable

_SHORTEST_LIMIT_SECONDS = 120.0
_LIMIT_SECONDS_PER_BYTE = 60.0 / 2**20  # some ten times what the slowest of them was seen to take
_POLL_SECONDS = 0.02
_HEAD_BYTES = 2**16  # comments may precede what tells a format


def read_converted(path: Path, *, progress: Callable[[int, None], object]) -> FileContent:
    """Read a STEP, USD or COLLADA file; return the contents, in metres.

    Args:
        progress: called many times a second; an exception that it raises ends the reading.
    """
    kind = KINDS[path.suffix.lower()]
    file, size = open_regular(path)
    with file:
        head = file.read(_HEAD_BYTES).replace(b"\0", b"")  # which every other byte of UTF-16 is
    if find_spec(kind.module) is None:
        raise ReadError(
            path,
            f"{kind.name} files need an extra: pip install 'octoscope[{kind.extra}]'; "
            f"or convert it to {kind.target} with {kind.tool}",
        )
    if size == 0:
        raise ReadError(path, "the file is empty; export it again")
    if not any(mark in head for mark in kind.marks):
        raise not_of_format(path, f"a {kind.name}", kind.unmarked)
    if size > LARGEST_BYTES:
        raise ReadError(path, f"{size:,} bytes, more than {LARGEST_BYTES:,}; export it in several files")
    seconds = max(_SHORTEST_LIMIT_SECONDS, size * _LIMIT_SECONDS_PER_BYTE)
    with TemporaryDirectory(prefix="octoscope-") as folder:
        _run(kind, path, Path(folder), current_limits().left_bytes, seconds, partial(progress, 0, None))
        return _content(kind, path, Path(folder))


def _run(
    kind: Kind, path: Path, folder: Path, memory_bytes: int, seconds: float, progress: Callable[[], object]
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "octoscope.scene.formats.converted.process", os.path.abspath(path), str(memory_bytes)],
        stdin=subprocess.PIPE,  # whose end tells the process that this one has ended
        stdout=subprocess.DEVNULL,  # OpenCASCADE writes its complaints there
        stderr=subprocess.DEVNULL,
        cwd=folder,  # else modules would be imported from the working folder
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, filter(None, sys.path)))},
    )
    end = time.monotonic() + seconds
    try:
        while True:
            with suppress(subprocess.TimeoutExpired):
                process.wait(_POLL_SECONDS)
                return
            progress()
            if time.monotonic() > end:
                raise ReadError(
                    path, f"reading it took more than {seconds:,.0f} s; convert it to {kind.target} with {kind.tool}"
                )
    finally:
        process.kill()
        process.communicate()


def _content(kind: Kind, path: Path, folder: Path) -> FileContent:
    try:
        report: dict[str, Any] = json.loads((folder / REPORT).read_text())
    except (OSError, ValueError):
        raise ReadError(
            path,
            f"broken {kind.name}, or too large for this machine's memory; export it again, "
            f"or convert it to {kind.target} with {kind.tool}",
        ) from None
    if report["is_out_of_memory"]:
        raise ReadError(
            path,
            f"needs more than {readable_bytes(current_limits().memory_bytes)} of memory; "
            f"allow more with --max-memory, or convert it to {kind.target} with {kind.tool}",
        )
    if report["error"]:
        raise ReadError(path, f"broken {kind.name} ({printable(report['error'])}); export it again")
    problems = Problems(path)
    for what, done, count in report["problems"]:
        problems.report(kind.extra, printable(what), done, count=count)
    content = content_of(replace(read_document(folder / GLB), path=path), problems)
    content.up_axis = report["up_axis"]
    content.dependencies |= frozenset(map(Path, report["dependencies"]))
    return content
