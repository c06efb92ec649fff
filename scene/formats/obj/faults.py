"""Report what was wrong with an OBJ file's statements, in words."""

from __future__ import annotations

import re

import numpy as np

from octoscope.scene.formats.obj.block_arrays import (
    BAD_COLOR,
    BAD_CORNER,
    BAD_NORMAL,
    BAD_UV,
    BAD_VERTEX,
    LINES,
    MOST_INDICES,
    OTHERS,
    POINTS,
    SHORT_FACE,
    SHORT_LINE,
    UNKNOWN,
    WEIGHT,
    ZERO_INDEX,
)
from octoscope.scene.formats.obj.collected import Collected
from octoscope.scene.formats.obj.object_tree import ObjectTree
from octoscope.scene.formats.obj.vertices import (
    LINE_OUT,
    NORMAL_OUT,
    POINT_OUT,
    POSITION_NOT_FINITE,
    POSITION_OUT,
    UV_OUT,
)
from octoscope.scene.system.report import Problems
from octoscope.scene.system.text_file import printable

FACE_FAULTS = (BAD_CORNER, ZERO_INDEX, SHORT_FACE, SHORT_LINE)
_SHOWN = 40  # characters of a statement

# Kind, what is wrong, what was done instead.
_STATEMENTS = {
    BAD_VERTEX: ("vertex", "is not a vertex of three numbers", "what uses it is skipped"),
    BAD_UV: ("texture-coordinate", "is not a texture coordinate of numbers up to 3.4e38", "0 0 instead"),
    BAD_NORMAL: ("normal", "is not a normal of three numbers up to 3.4e38", "shaded flat there"),
    BAD_CORNER: ("index", "has a corner that is not an index", "skipped"),
    ZERO_INDEX: ("index-zero", "has an index of 0, where the first is 1", "skipped"),
    SHORT_FACE: ("short-face", "is a face of fewer than three corners", "skipped"),
    SHORT_LINE: ("short-line", "is a line of fewer than two points", "skipped"),
    WEIGHT: ("weight", "has a weight, which is for curves", "weight left out"),
    BAD_COLOR: ("color", "has values after its coordinates that are no colour", "shown without it"),
}
_FACES = {
    POSITION_OUT: ("face-index", "a face refers to {vertex}", "skipped"),
    POSITION_NOT_FINITE: ("not-finite", "a face has a vertex whose position is no finite number", "skipped"),
    UV_OUT: ("uv-index", "a face refers to a texture coordinate that is not in the file", "shown without it"),
    NORMAL_OUT: ("normal-index", "a face refers to a normal that is not in the file", "shaded flat there"),
}


def report_faults(problems: Problems, file: Collected, faults: np.ndarray | None, tree: ObjectTree | None) -> None:
    """Report what was skipped or guessed; `faults`: (6, 2) as in Unified, or None."""
    for (kind, keyword_hash), (count, line, snippet) in file.faults.items():
        text = _text(snippet)
        if kind == UNKNOWN:
            keyword = _text(re.split(rb"[ \t#\\]", snippet, maxsplit=1)[0]) or text
            are = "and other keywords are" if keyword_hash == OTHERS else "is"
            done = "not run" if keyword == "csh" else "skipped"  # a command of a shell
            problems.report("unsupported", f"'{keyword}' {are} not supported", done, line=line, count=count)
        else:
            name, what, done = _STATEMENTS[kind]
            problems.report(name, f"'{text}' {what}", done, line=line, count=count)
    if faults is not None:
        for kind, (name, what, done) in _FACES.items():
            if faults[kind, 0]:
                face = int(faults[kind, 1])
                if kind == POSITION_OUT:
                    what = what.format(vertex=_vertex_of(file, face))
                problems.report(name, what, done, line=file.face_line(face), count=int(faults[kind, 0]))
        for kind, part, name in ((LINE_OUT, LINES, "line"), (POINT_OUT, POINTS, "point")):
            if faults[kind, 0]:
                what = f"a {name} refers to a vertex that is not in the file, or whose position is no finite number"
                line = file.element_line(part, int(faults[kind, 1]))
                problems.report(f"{name}-index", what, "skipped", line=line, count=int(faults[kind, 0]))
    if tree is not None and len(tree.empty_lines):
        line, count = int(tree.empty_lines.min()), len(tree.empty_lines)
        problems.report("empty-object", "an object or group with nothing in it", "left out", line=line, count=count)


def _vertex_of(file: Collected, face: int) -> str:
    """Describe the vertex that a face refers to and that does not exist."""
    first = int(np.abs(file.face_sizes.values[:face]).sum())
    index = int(file.corners.values[first : first - file.face_sizes.values[face], 0].max()) + 1
    if index >= MOST_INDICES:
        return "a vertex that is not in the file"
    return f"vertex {index}, and there are {len(file.positions)}"


def _text(snippet: bytes) -> str:
    text = printable(snippet.rstrip(b"\0").decode(errors="replace").strip(" "))
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."
