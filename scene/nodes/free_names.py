"""Free names: if "tower", "tower.001" and "tower.003" are taken, a copy of any of them is called "tower.002".

All living nodes count. Equal names that come from a file stay equal. A scene's names are split in one pass over their
bytes, 0.1 s for a million; afterwards only those that are new or set since.
"""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from octoscope.scene.nodes.name_kernels import free_numbers, split_names
from octoscope.scene.nodes.node_table import NodeTable

_STRING = np.dtypes.StringDType()
_DIGITS = 3  # or more, where there are more than 999


class _SplitNames(NamedTuple):
    """Names split into stem and number; columns as name_kernels.split_names writes them."""

    hashes: np.ndarray
    numbers: np.ndarray
    lengths: np.ndarray


_known: WeakKeyDictionary[NodeTable, tuple[int, _SplitNames]] = WeakKeyDictionary()  # with names_revision


def names_of_copies(nodes: NodeTable, ids: np.ndarray, count: int) -> np.ndarray:
    """Return (count * k,) StringDType names for `count` copies of (k,) nodes, one copy behind the other.

    An empty name stays empty.
    """
    names = nodes.names[ids]
    split = _split_of(nodes)
    numbers = free_numbers(np.tile(split.hashes[ids], count), split.hashes, split.numbers, nodes.alive)
    lengths = split.lengths[ids]
    numbered = np.flatnonzero(lengths)
    if len(numbered):
        pairs = zip(names[numbered].tolist(), lengths[numbered].tolist(), strict=True)
        names[numbered] = np.array([name[:-length] for name, length in pairs], dtype=_STRING)
    made = np.strings.add(np.tile(names, count), _written(numbers))
    empty = np.tile(split.hashes[ids] == 0, count)
    if empty.any():
        made[empty] = ""
    return made


def free_name(nodes: NodeTable, wanted: str) -> str:
    """Return the wanted name, or, where a node has it, the name with the lowest free number."""
    if not wanted or not ((nodes.names == wanted) & nodes.alive).any():
        return wanted
    split, own = _split_of(nodes), _split(np.array([wanted], dtype=_STRING))
    (number,) = free_numbers(own.hashes, split.hashes, split.numbers, nodes.alive)
    return f"{wanted[: len(wanted) - own.lengths[0]]}.{number:0{_DIGITS}}"


def _split_of(nodes: NodeTable) -> _SplitNames:
    """Return the names of all rows, split; what is cached is brought up to date."""
    revision, split = _known.get(nodes) or (nodes.names_revision, _split(nodes.names))
    count = len(split.hashes)
    if revision != nodes.names_revision:
        renamed = np.flatnonzero(nodes.name_versions[:count] > revision)
        for column, values in zip(split, _split(nodes.names[renamed]), strict=True):
            column[renamed] = values
    if count < nodes.row_count:
        more = _split(nodes.names[count:])
        split = _SplitNames(*(np.concatenate(columns) for columns in zip(split, more, strict=True)))
    _known[nodes] = nodes.names_revision, split
    return split


def _split(names: np.ndarray) -> _SplitNames:
    strings = names.tolist()
    text = "\0".join(strings)
    if text.count("\0") >= max(len(strings), 1):  # a name holds one itself
        text = "\0".join(name.replace("\0", " ") for name in strings)
    count = len(strings)
    split = _SplitNames(np.empty(count, np.uint64), np.empty(count, np.int32), np.empty(count, np.int32))
    split_names(np.frombuffer(text.encode() + b"\0", dtype=np.uint8), *split)
    return split


def _written(numbers: np.ndarray) -> np.ndarray:
    """Write numbers as StringDType ".001"; one for all where they are equal: (k,) or (1,)."""
    if len(numbers) and (numbers == numbers[0]).all():
        numbers = numbers[:1]
    return np.strings.add(".", np.strings.zfill(numbers.astype(_STRING), _DIGITS))
