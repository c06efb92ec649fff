"""Make names that an OBJ file can hold: one line, no blanks at its ends, and unique for materials."""

from __future__ import annotations

import re

import numpy as np

from octoscope.scene.bookmarks import free_name
from octoscope.scene.mesh.material import Material

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_ODD = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]|^$|^\s|\s$|\\$", re.MULTILINE)
UNNAMED = "unnamed"


def obj_names(names: np.ndarray) -> tuple[list[str], int]:
    """Change names that an OBJ file cannot hold; return the names, and how many are changed.

    Line breaks and other control characters, blanks at the ends, and a backslash at the end, which would continue the
    line, become underscores; an empty name becomes 'unnamed'.
    """
    found = names.tolist()
    joined = "\n".join(found)
    if joined.count("\n") == len(found) - 1 and not _ODD.search(joined):
        return found, 0
    changed = [_obj_name(name) for name in found]
    return changed, sum(old != new for old, new in zip(found, changed, strict=True))


def material_names(materials: list[Material]) -> list[str]:
    """Make a unique name for each material: those that are taken get a number."""
    wanted, _ = obj_names(np.array([material.name for material in materials], dtype=np.dtypes.StringDType()))
    taken, tried = dict[str, None](), dict[str, int]()
    for name in wanted:
        taken[free_name(name, taken, tried, form="{}_{}")] = None
    return list(taken)


def _obj_name(name: str) -> str:
    name = _CONTROL.sub("_", name)
    inner = name.strip()
    begin = len(name) - len(name.lstrip())
    name = "_" * begin + inner + "_" * (len(name) - begin - len(inner)) if inner else "_" * len(name)
    return (name[:-1] + "_" if name.endswith("\\") else name) or UNNAMED
