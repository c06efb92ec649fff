"""The file of `octoscope doctor --full`: one page with all that was found, which needs no other file."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from octoscope.viewer.doctor.comparison import beside, expected
from octoscope.viewer.doctor.examination import FRAME_SIZE
from octoscope.viewer.doctor.findings import Findings

_STYLE = """body { font: 14px sans-serif; margin: 2em; max-width: 70em } td { padding: 0 1em 0 0; vertical-align: top }
img { image-rendering: pixelated; display: block } figure { margin: 0 0 1em; display: inline-block }
pre { white-space: pre-wrap; margin: 0 0 .3em }"""


def page(line: str, found: Findings, facts: Mapping[str, Any]) -> str:
    """Return the page as HTML, without the name of the user's home folder.

    Args:
        line: the summary, which names the switch that helps.
        facts: of the machine and the program, which JSON can hold.
    """
    right = [name for name in found.pictures if name not in found.wrong]
    parts = [
        "<h1>Octoscope doctor</h1>",
        f"<p><b>{escape(line)}</b></p>",
        "<h2>Machine</h2>",
        _facts({**facts, **{name: value for name, value in found.facts.items() if name not in ("info", "extensions")}}),
    ]
    if found.wrong:
        parts.append("<h2>Wrong: the picture, what it should be, four times the difference</h2>")
        parts += [_figure(name, found, f"{name}: {why}") for name, why in found.wrong.items()]
    if found.skipped:
        parts.append(f"<h2>Not drawn</h2><p>{escape(', '.join(found.skipped))}</p>")
    parts += ["<h2>Frames, {} x {}</h2>".format(*FRAME_SIZE), _table(found.frames)]
    parts += ["<h2>Limits</h2>", _facts(found.facts.get("info", {}))]
    parts += ["<h2>Extensions</h2>", f"<p>{escape(' '.join(found.facts.get('extensions', ())))}</p>"]
    parts.append("<h2>Right: the picture, what it should be, four times the difference</h2>")
    parts += [_figure(name, found, f"{name}: {found.milliseconds[name]:g} ms") for name in right]
    head = (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Octoscope doctor</title><style>{_STYLE}</style>'
    )
    return (head + "\n".join(parts) + "</html>\n").replace(str(Path.home()), "~")


def _facts(facts: Mapping[str, Any]) -> str:
    return _rows((name, "\n".join(_lines(value))) for name, value in facts.items())


def _lines(value: object) -> list[str]:
    """Return a value as lines, those of what it holds by their names."""
    if not isinstance(value, Mapping):
        return [str(value)]
    lines = []
    for name, inner in value.items():
        first, *more = _lines(inner) or [""]
        lines += [f"{name}:", f"  {first}", *(f"  {line}" for line in more)] if more else [f"{name}: {first}"]
    return lines


def _table(rows: Sequence[Mapping[str, Any]]) -> str:
    return _rows((*(str(value) for name, value in row.items() if "milli" not in name), *_times(row)) for row in rows)


def _times(row: Mapping[str, Any]) -> Iterable[str]:
    return (f"{value:g} {name.replace('milliseconds', 'ms')}" for name, value in row.items() if "milli" in name)


def _rows(rows: Iterable[Iterable[str]]) -> str:
    lines = ("".join(f"<td><pre>{escape(cell)}</pre></td>" for cell in row) for row in rows)
    return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


def _figure(name: str, found: Findings, text: str) -> str:
    """Return a picture beside what it should be, where there is one, with a text below."""
    picture = found.pictures.get(name)
    shown = expected(name) if picture is None else beside(picture, expected(name))
    return f'<figure><img alt="{escape(name)}" src="{_as_url(shown)}"><figcaption>{escape(text)}</figcaption></figure>'


def _as_url(picture: np.ndarray) -> str:
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()
