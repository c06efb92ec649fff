"""Write a table as CSV, by RFC 4180, in UTF-8, with plain numbers.

A spreadsheet would run a name such as "=1+1" as a formula: such a text gets an apostrophe in front.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from octoscope.scene import Scene
from octoscope.scene.system.atomic_file import WriteProgress, atomic_file

_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # how what spreadsheets run begins


def write_table(
    columns: Mapping[str, Sequence[object]], scene: Scene, path: Path, *, progress: WriteProgress
) -> list[str]:
    """Write columns by their titles; as Document.export takes it, which gives a copy of the scene."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(columns)
    for row in zip(*columns.values(), strict=True):
        writer.writerow([f"'{each}" if isinstance(each, str) and each.startswith(_FORMULA) else each for each in row])
    with atomic_file(path) as file:
        file.write(text.getvalue().encode("utf-8"))
    progress(1.0)
    return []
