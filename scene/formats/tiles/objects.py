"""Objects: names and parents of all objects of a tileset; each tile stores those of the objects that it shows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from octoscope.scene.formats.tiles.tables.property_table import Column, Columns, Lists


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
    def of_columns(cls, tables: list[Columns]) -> tuple[Objects, np.ndarray]:
        """Make the tree again that `columns_of` has described for several tiles, parents before children.

        Returns:
            the objects that were named, and (n,) int64 the number of each in the whole.
        """
        names: dict[int, str] = {}
        parents: dict[int, int] = {}
        for table in tables:
            ids, own = _values(table["id"]).tolist(), _values(table["name"]).tolist()
            ancestors, path = table["ancestors"], table["path"]
            assert isinstance(ancestors, Lists) and isinstance(path, Lists)
            numbers, above = ancestors.values.tolist(), path.values.tolist()
            begin = 0
            for number, name, count in zip(ids, own, ancestors.counts.tolist(), strict=True):
                parent = -1
                for of_one, name_of_one in zip(
                    [*numbers[begin : begin + count], number], [*above[begin : begin + count], name], strict=True
                ):
                    names.setdefault(of_one, name_of_one)
                    parents.setdefault(of_one, parent)
                    parent = of_one
                begin += count
        # A node's number is above its parent's, as files put parents first.
        ids_in_order = np.array(sorted(names), dtype=np.int64)
        above_all = np.array([parents[number] for number in ids_in_order.tolist()], dtype=np.int64)
        rows = np.where(above_all >= 0, np.searchsorted(ids_in_order, above_all), -1)
        texts = np.array([names[number] for number in ids_in_order.tolist()], dtype=np.dtypes.StringDType())
        return cls(texts, rows.astype(np.int32)), ids_in_order


def check_columns(table: Columns) -> None:
    """Raise KeyError or ValueError unless a tile's table is one that `Objects.columns_of` makes."""
    ids, names, ancestors, path = (table[key] for key in ("id", "name", "ancestors", "path"))
    if isinstance(ids, Lists) or isinstance(names, Lists) or not isinstance(ancestors, Lists):
        raise ValueError("columns of other kinds")
    kinds = [column.dtype for column in (ids, ancestors.values)]
    texts = [names.dtype, path.values.dtype if isinstance(path, Lists) else None]
    if kinds != [np.uint32] * 2 or not all(isinstance(each, np.dtypes.StringDType) for each in texts):
        raise ValueError("columns of other kinds")
    assert isinstance(path, Lists)
    if ids.ndim != 1 or len(ids) != len(names) or not np.array_equal(ancestors.counts, path.counts):
        raise ValueError("columns of other lengths")
    # Each object behind its ancestors, in their order: numbers that do not ascend could be above themselves.
    ends = np.cumsum(ancestors.counts + 1)
    chains = np.empty(ends[-1] if len(ends) else 0, dtype=np.int64)
    is_own = np.zeros(len(chains), dtype=np.bool_)
    is_own[ends - 1] = True
    chains[is_own], chains[~is_own] = ids, ancestors.values
    if not ((np.diff(chains) > 0) | is_own[:-1]).all() or (chains >= 2**31).any():
        raise ValueError("objects before those above them")


def _values(column: Column) -> np.ndarray:
    assert isinstance(column, np.ndarray)
    return column
