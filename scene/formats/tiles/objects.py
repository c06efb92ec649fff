"""Objects: names and parents of all objects of a tileset; each tile stores those of the objects that it shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from octoscope.scene.formats.tiles.tables.property_table import Columns, Lists


@dataclass(frozen=True, eq=False)
class Objects:
    """A tree of objects. An object's number is its row, which is its node's id where the same files are opened."""

    names: np.ndarray  # (n,) StringDType
    parents: np.ndarray  # (n,) int32, -1 at the top

    def columns_of(self, chosen: np.ndarray) -> Columns:
        """Return what a tile stores of (k,) objects: "id", "name", and "ancestors" and "path" from the top."""
        levels = []
        above = self.parents[chosen]
        while (above >= 0).any():
            levels.append(above)
            above = np.where(above >= 0, self.parents[above], -1)
        ancestors = np.stack(levels[::-1], axis=1) if levels else np.empty((len(chosen), 0), dtype=np.int32)
        counts = (ancestors >= 0).sum(axis=1)
        numbers = ancestors[ancestors >= 0]
        return {
            "id": chosen.astype(np.uint32),
            "name": self.names[chosen],
            "ancestors": Lists(numbers.astype(np.uint32), counts),
            "path": Lists(self.names[numbers], counts),
        }

    @classmethod
    def joined(cls, chains: Sequence[Chains]) -> tuple[Objects, np.ndarray]:
        """Make the tree again of which tiles have chains, parents before children.

        Returns:
            the objects that were named, and (n,) int64 the number of each in the whole.
        """
        numbers, parents, names = map(np.concatenate, zip(*chains, strict=True))
        ids, firsts = np.unique(numbers, return_index=True)
        rows = np.where(parents[firsts] >= 0, np.searchsorted(ids, parents[firsts]), -1)
        return cls(names[firsts], rows.astype(np.int32)), ids


class Chains(NamedTuple):
    """The objects of a tile, each behind those above it from the top, in columns (c,)."""

    numbers: np.ndarray  # int64 in the whole tileset
    parents: np.ndarray  # int64 numbers, -1 at the top
    names: np.ndarray  # StringDType

    @classmethod
    def of_columns(cls, table: Mapping[str, Any]) -> Chains:
        """Read what `Objects.columns_of` has made; ValueError and its like if the table is another one."""
        ancestors, path = table["ancestors"], table["path"]
        ends = np.cumsum(ancestors.counts)
        numbers = np.insert(ancestors.values.astype(np.int64), ends, table["id"])
        parents = np.roll(numbers, 1)
        parents[ends - ancestors.counts + np.arange(len(ends))] = -1
        names = np.insert(path.values, ends, table["name"])
        # Those above have lower numbers, as files put parents first; else one could be above itself.
        if len(names) != len(numbers) or not (parents < numbers).all() or (numbers >= 2**31).any():
            raise ValueError("objects that are no tree")
        return cls(numbers, parents, names)
