"""Free names: if "tower", "tower.001" and "tower.003" are taken, a copy of any of them is called "tower.002".

All living nodes count. Equal names that come from a file stay equal.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from itertools import chain, count, filterfalse

import numpy as np

from octoscope.scene.nodes.node_table import NodeTable

_STRING = np.dtypes.StringDType()
_MOST_DIGITS = 9  # more are no number


def names_of_copies(nodes: NodeTable, ids: np.ndarray, copy_count: int) -> np.ndarray:
    """Return (copy_count * k,) StringDType names for copies of (k,) nodes, one copy behind the other.

    An empty name stays empty.
    """
    stems = [_split(name)[0] for name in nodes.names[ids].tolist()] * copy_count
    free = _free_numbers(nodes, set(stems))
    return np.array([_numbered(stem, free) if stem else "" for stem in stems], dtype=_STRING)


def free_name(nodes: NodeTable, wanted: str) -> str:
    """Return the wanted name, or, where a node has it, the name with the lowest free number."""
    if not wanted or not ((nodes.names == wanted) & nodes.alive).any():
        return wanted
    stem, _ = _split(wanted)
    return _numbered(stem, _free_numbers(nodes, [stem]))


def free_names(nodes: NodeTable, wanted: np.ndarray) -> np.ndarray:
    """Return (k,) wanted names; those that a node has get the lowest free numbers, and no two of these are alike."""
    taken, names = set(nodes.names[nodes.alive].tolist()) - {""}, wanted.tolist()
    stems = {_split(name)[0] for name in names if name in taken}
    free = _free_numbers(nodes, stems, (name for name in names if name not in taken))
    return np.array([_numbered(_split(name)[0], free) if name in taken else name for name in names], dtype=_STRING)


def _numbered(stem: str, free: dict[str, Iterator[int]]) -> str:
    return f"{stem}.{next(free[stem]):03}"


def _free_numbers(nodes: NodeTable, stems: Collection[str], others: Iterable[str] = ()) -> dict[str, Iterator[int]]:
    """Return by stem the numbers from 1 on that no living node has with it, nor any of other names."""
    taken: dict[str, set[int]] = {stem: set() for stem in stems}
    # For the copies of one node most others are passed over without an object of Python for each.
    beginning = os.path.commonprefix(list(taken))  # noqa: RUF071 - of texts
    begins_alike = np.strings.startswith(nodes.names, beginning)
    for name in chain(nodes.names[nodes.alive & begins_alike].tolist(), others):
        stem, number = _split(name)
        if stem in taken:
            taken[stem].add(number)
    return {stem: filterfalse(numbers.__contains__, count(1)) for stem, numbers in taken.items()}


def _split(name: str) -> tuple[str, int]:
    """Split a name into stem and number: "tower.001" is "tower" and 1, "tower" has number 0."""
    stem, _, digits = name.rpartition(".")
    if stem and digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS:
        return stem, int(digits)
    return name, 0
