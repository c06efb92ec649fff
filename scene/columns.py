"""Columns: a table of numpy columns that grow together, so that a million rows are not a million Python objects."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, DTypeLike


class Columns:
    """Equally long columns; growing doubles the room, so that appending is linear in the end.

    Args:
        **layout: name = (dtype, shape of one row).
    """

    def __init__(self, **layout: tuple[DTypeLike, tuple[int, ...]]) -> None:
        self._room = {name: np.empty((0, *shape), dtype=dtype) for name, (dtype, shape) in layout.items()}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, name: str) -> np.ndarray:
        """The column as a view; it is stale after the next `append`."""
        return self._room[name][: self._count]

    @property
    def nbytes(self) -> int:
        """Of what is in use."""
        return sum(self[name].nbytes for name in self._room)

    def adopt(self, count: int, **values: np.ndarray) -> range:
        """Append whole columns; an empty table keeps the arrays themselves and copies nothing."""
        if self._count == 0 and values.keys() == self._room.keys():
            for name, column in self._room.items():
                values[name] = np.ascontiguousarray(values[name], dtype=column.dtype)
                if values[name].shape != (count, *column.shape[1:]):
                    raise ValueError(f"{name} of shape {(count, *column.shape[1:])} needed, not {values[name].shape}")
            self._room, self._count = values, count
            return range(count)
        return self.append(count, **values)

    def append(self, count: int, **values: ArrayLike) -> range:
        """Add `count` rows; each value is broadcast to (count, *row shape), a column without one is zero."""
        rows = range(self._count, self._count + count)
        for name, column in self._room.items():
            if rows.stop > len(column):
                grown = np.empty((max(rows.stop, 2 * len(column)), *column.shape[1:]), dtype=column.dtype)
                grown[: self._count] = column[: self._count]
                self._room[name] = column = grown
            column[rows.start : rows.stop] = values.pop(name) if name in values else column.dtype.type()
        if values:
            raise TypeError(f"no such columns: {', '.join(values)}")
        self._count = rows.stop
        return rows
