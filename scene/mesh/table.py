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
        self._lent = False  # whether somebody may be filling the room behind the last row
        self._hold({name: np.empty((0, *shape), dtype=dtype) for name, (dtype, shape) in layout.items()}, 0)

    def _hold(self, room: dict[str, np.ndarray], count: int) -> None:
        """Have these columns, of so many rows: the one place where either changes, and views of them are dropped."""
        self._room, self._count = room, count
        # Last: a thread that still makes a view of what was there before puts it where nobody looks any more.
        self._views: dict[str, np.ndarray] = {}
        self._read_only_views: dict[str, np.ndarray] = {}

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, name: str) -> np.ndarray:
        """The column as a view; it is stale after the next `append`."""
        views = self._views
        if name not in views:
            views[name] = self._room[name][: self._count]
        return views[name]

    def read_only(self, name: str) -> np.ndarray:
        """The column as a view that cannot be written; it is stale after the next `append`."""
        views = self._read_only_views
        if name not in views:
            view = self[name].view()
            view.flags.writeable = False
            views[name] = view
        return views[name]

    @property
    def nbytes(self) -> int:
        """Of what is in use."""
        return sum(self[name].nbytes for name in self._room)

    def adopt(self, count: int, **values: np.ndarray) -> range:
        """Append whole columns; an empty table keeps the arrays themselves and copies nothing."""
        rows = self.new_rows(count)
        rows.fill(adopts=True, **values)
        return self.take(rows)

    def append(self, count: int, **values: ArrayLike) -> range:
        """Add `count` rows; each value is broadcast to (count, *row shape), a column without one is zero."""
        rows = self.new_rows(count)
        rows.fill(**values)
        return self.take(rows)

    def copy(self, *, without: tuple[str, ...] = ()) -> Columns:
        """A table of the same rows; some columns only have the room for them, and zeros in it."""
        other = Columns()
        # Not zeros_like, which writes the zeros: pages that nobody touches cost nothing.
        room = {
            name: np.zeros(column.shape, column.dtype) if name in without else column.copy()
            for name, column in ((name, self[name]) for name in self._room)
        }
        other._hold(room, self._count)
        return other

    def frozen(self) -> Columns:
        """A table of the same rows, uncopied, for columns that are appended to and never set."""
        other = Columns()
        other._hold(self._room, self._count)
        other._lent = True
        return other

    def new_rows(self, count: int) -> NewRows:
        """Rows to be filled and then taken. What is appended before that makes them stale."""
        # The room behind the last row belongs to the first who asked, until it is taken or somebody else was faster.
        rows = NewRows(self._room, self._count, count, copies=self._lent)
        self._lent = True
        return rows

    def is_stale(self, rows: NewRows) -> bool:
        """Whether other rows came before these, or they are another table's."""
        return rows.base is not self._room

    def take(self, rows: NewRows) -> range:
        """Let rows that were filled be the table's. ValueError: they are stale."""
        if self.is_stale(rows):
            raise ValueError("other rows came first")
        self._hold(rows.room, rows.first + rows.count)
        self._lent = False
        return range(rows.first, self._count)


class NewRows:
    """Rows that a table is to get. Another thread may fill them: the table stays as it was until it takes them.

    Attributes:
        first, count: the rows. base: the table's columns when they were asked for. room: what they are to be.
    """

    def __init__(self, base: dict[str, np.ndarray], first: int, count: int, *, copies: bool) -> None:
        self.base = base
        self.first = first
        self.count = count
        self.room = dict(base)
        self._copies = copies

    def fill(self, *, adopts: bool = False, **values: ArrayLike) -> None:
        """Set the rows' values, as Columns.append; `adopts`: as Columns.adopt."""
        stop = self.first + self.count
        if adopts and self.first == 0 and values.keys() == self.room.keys():
            for name, column in self.room.items():
                values[name] = np.ascontiguousarray(values[name], dtype=column.dtype)
                if values[name].shape != (stop, *column.shape[1:]):
                    raise ValueError(f"{name} of shape {(stop, *column.shape[1:])} needed, not {values[name].shape}")
            self.room = values
            return
        for name, column in self.base.items():
            if stop > len(column) or self._copies:
                size = len(column) if stop <= len(column) else max(stop, 2 * len(column))
                grown = np.empty((size, *column.shape[1:]), dtype=column.dtype)
                grown[: self.first] = column[: self.first]
                self.room[name] = column = grown
            column[self.first : stop] = values.pop(name) if name in values else column.dtype.type()
        if values:
            raise TypeError(f"no such columns: {', '.join(values)}")
