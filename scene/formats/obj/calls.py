"""Calls: files that an OBJ file reads in place by `call`, with numbers in place of $1, $2 and so on.

Files with calls are rare: such a file is read a second time, as one text with all that it calls.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from octoscope.scene.formats.mtl.maps import complaint_about
from octoscope.scene.formats.obj.block_arrays import UNKNOWN
from octoscope.scene.formats.obj.blocks import Blocks, block_room
from octoscope.scene.formats.obj.collected import Collected
from octoscope.scene.formats.obj.object_tree import ObjectTree
from octoscope.scene.system.file_finder import FileFinder
from octoscope.scene.system.paths import realpath
from octoscope.scene.system.read_limits import current_limits
from octoscope.scene.system.report import Problems
from octoscope.scene.system.text_file import ReadError, shortened

_MOST_DEEP = 16  # files that call each other
_MOST_CALLS = 10_000
_MOST_BYTES = 2**30  # of the whole text
_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|$)")
_CALL = re.compile(rb"[ \t]*call[ \t]+([^\s#]+)([^#\r\n]*)")
_ARGUMENT = re.compile(rb"\$(\d{1,3})")


class _Piece(NamedTuple):
    """Lines of one file that follow each other in the text."""

    first: int  # their first line in the text
    file: Path
    line: int  # and in the file
    call_line: int  # of the call in the file that was opened, or 0: they stand in that file


class Calls:
    """The text of a file with all that it calls.

    Attributes:
        text: all lines.
        paths: the files that were called.
    """

    def __init__(self, path: Path, problems: Problems) -> None:
        self.paths: set[Path] = set()
        self._problems = problems
        self._pieces: list[_Piece] = []
        self._parts: list[bytes] = []
        self._lines = self._size = self._count = 0
        self._add(path, [], [realpath(path)], 0)
        self.text = b"".join(self._parts)
        self._parts.clear()
        self._firsts = np.array([piece.first for piece in self._pieces])

    def _add(self, path: Path, arguments: list[bytes], above: list[str], call_line: int) -> None:
        """Add the lines of a file; `above` are the files that call it, and itself."""
        text = _text_of(path)
        self._size += len(text)
        current_limits().check(3 * self._size)
        if arguments:
            text = _ARGUMENT.sub(lambda found: b"".join(arguments[int(found[1]) - 1 : int(found[1])]), text)
        is_new = True
        for number, match in enumerate(_LINE.finditer(text), start=1):
            line = match[0]
            if not line:
                break
            if is_new:
                self._pieces.append(_Piece(self._lines + 1, path, number, call_line))
            call = _CALL.match(line)
            is_new = call is not None
            if call is not None:
                self._call(path, number, call, above, call_line or number)
                self._pieces.append(_Piece(self._lines + 1, path, number, call_line))
                line = b"\n"  # so that lines stay where they are
            self._parts.append(line if line.endswith((b"\n", b"\r")) else line + b"\n")
            self._lines += 1

    def _call(self, path: Path, line: int, call: re.Match[bytes], above: list[str], call_line: int) -> None:
        name = call[1].decode(errors="replace")
        found = FileFinder(path.parent).find([name], guess=False)
        self._count += 1
        fault = ""
        if found is None:
            fault = "is not found"
        elif realpath(found.path) in above:
            fault = "is called by itself"
        elif len(above) > _MOST_DEEP:
            fault = f"is called by more than {_MOST_DEEP} files, one by the other"
        elif self._count > _MOST_CALLS or self._size > _MOST_BYTES:
            fault = "is one too many, or too large with the others"
        if found is not None and not fault:
            complaint = complaint_about(found, "called file", shortened(name))
            if complaint is not None:
                self._problems.report(*complaint, line=line, file=path)
            try:
                self._add(found.path, call[2].split(), [*above, realpath(found.path)], call_line)
                self.paths.add(found.path)
            except ReadError as error:
                fault = f"cannot be read ({error.beside(found.path)})"
        if fault:
            what = f"called file '{shortened(name)}' {fault}"
            self._problems.report("call", what, "left out", line=line, file=path)

    def name_files(self, problems: Problems, begin: int) -> None:
        """Give problems, from one on, the file that they are in and their line there, in place of that of the text."""
        for number, problem in enumerate(problems[begin:], start=begin):
            if problem.line is not None and problem.file == problems.file:
                piece = self._pieces[int(np.searchsorted(self._firsts, problem.line, side="right")) - 1]
                named_by = "" if str(piece.file) == problems.file else problems.file
                line = problem.line - piece.first + piece.line
                problems[number] = replace(problem, file=str(piece.file), line=line, named_by=named_by)

    def in_opened_file(self, tree: ObjectTree) -> ObjectTree:
        """Return a tree with lines of the file that was opened; what stands in another has that of its call."""
        libraries = np.array([line for _, line in tree.libraries], dtype=np.int64)
        texts = (text for text, _ in tree.libraries)
        return replace(
            tree,
            mesh_lines=self._opened_lines(tree.mesh_lines),
            material_lines=self._opened_lines(tree.material_lines),
            libraries=list(zip(texts, self._opened_lines(libraries).tolist(), strict=True)),
        )

    def _opened_lines(self, lines: np.ndarray) -> np.ndarray:
        rows = np.maximum(np.searchsorted(self._firsts, lines, side="right") - 1, 0)
        first, line, call_line = (np.array([piece[k] for piece in self._pieces])[rows] for k in (0, 2, 3))
        return np.where(lines > 0, np.where(call_line > 0, call_line, lines - first + line), 0)


def has_calls(file: Collected) -> bool:
    """Tell whether a file calls others."""
    return any(
        kind == UNKNOWN and text.split(None, 1)[:1] == [b"call"] for (kind, _), (_, _, text) in file.faults.items()
    )


def _text_of(path: Path) -> bytes:
    parts: list[bytes] = []
    with Blocks(path) as blocks:
        while True:
            data, length = blocks.fill(block_room(blocks.total_bytes))
            if length == 0:
                return b"".join(parts)
            parts.append(data[:length].tobytes())
            current_limits().check(3 * blocks.done_bytes)
