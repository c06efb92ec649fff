"""Tables of numpy columns that grow together, so that a million rows are not a million Python objects."""

from __future__ import annotations

import itertools
import threading
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

_versions = itertools.count(1)


def new_version() -> int:
    """Return a number that is larger than all before it.

    Every change of a scene takes one. Because the whole program counts together, no two different states have the same
    number: a part of a scene may be replaced by another scene's, and nobody takes it for the one that was there.
    """
    return next(_versions)


class _SharedColumns:
    """Columns with room behind their last row. Several tables may share one, each up to its own number of rows."""

    _lock = threading.Lock()

    def __init__(self, columns: dict[str, np.ndarray], filled: int) -> None:
        self.columns = columns  # by name; all have this room
        self.size = min((len(column) for column in columns.values()), default=0)  # rows that there is room for
        self.filled = filled  # rows that some table has

    def reserve(self, first: int, stop: int) -> bool:
        """Reserve rows for the caller to fill; return whether they were free."""
        with self._lock:
            is_free = self.filled == first and stop <= self.size
            if is_free:
                self.filled = stop
            return is_free

    def copied(self, first: int, stop: int) -> _SharedColumns:
        """Copy the rows before `first` to new columns with room up to `stop` or more."""
        size = self.size if stop <= self.size else max(stop, 2 * self.size)
        columns = {}
        for name, column in self.columns.items():
            columns[name] = np.empty((size, *column.shape[1:]), dtype=column.dtype)
            columns[name][:first] = column[:first]
        return _SharedColumns(columns, stop)


class _Rows(NamedTuple):
    """The rows of a table at one time."""

    shared: _SharedColumns
    row_count: int  # how many of their rows are the table's
    views: dict[str, np.ndarray]  # of the columns, by name, made when they are asked for
    read_only_views: dict[str, np.ndarray]


class ColumnTable:
    """Columns of equal length, of a dtype and row shape each; growing doubles the room."""

    def __init__(self, **layout: tuple[DTypeLike, tuple[int, ...]]) -> None:
        self._hold(
            _SharedColumns({name: np.empty((0, *shape), dtype=dtype) for name, (dtype, shape) in layout.items()}, 0), 0
        )

    def _hold(self, shared: _SharedColumns, count: int) -> None:
        """Replace the columns and their length; nothing else changes either."""
        self._rows = _Rows(shared, count, {}, {})  # at once: no thread sees one of them without the others

    def __len__(self) -> int:
        return self._rows.row_count

    def __getitem__(self, name: str) -> np.ndarray:
        """Return the column as a view; it is stale after the next `append`."""
        shared, count, views, _ = self._rows
        if name not in views:
            views[name] = shared.columns[name][:count]
        return views[name]

    def read_only(self, name: str) -> np.ndarray:
        """Return the column as a view that cannot be written; it is stale after the next `append`."""
        shared, count, _, views = self._rows
        if name not in views:
            view = shared.columns[name][:count]
            view.flags.writeable = False
            views[name] = view
        return views[name]

    def at_once(self, *names: str) -> tuple[np.ndarray, ...]:
        """Return columns as `read_only` does, all of one length, whatever another thread appends meanwhile."""
        held = self._held()
        return tuple(held.read_only(name) for name in names)

    def _held(self) -> ColumnTable:
        """Return a table that keeps the rows which this one has now, with the same columns and views."""
        held = ColumnTable.__new__(ColumnTable)
        held._rows = self._rows
        return held

    @property
    def names(self) -> tuple[str, ...]:
        """The columns' names."""
        return tuple(self._rows.shared.columns)

    @property
    def nbytes(self) -> int:
        """Bytes of the rows in use."""
        return sum(column.nbytes for column in self.at_once(*self.names))

    def adopt(self, count: int, **values: np.ndarray) -> range:
        """Append whole columns; an empty table without room keeps the arrays themselves and copies nothing."""
        shared, own_count, *_ = self._rows
        if own_count or shared.size or values.keys() != shared.columns.keys():
            return self.append(count, **values)
        for name, column in shared.columns.items():
            values[name] = np.ascontiguousarray(values[name], dtype=column.dtype)
            if values[name].shape != (count, *column.shape[1:]):
                raise ValueError(f"{name} of shape {(count, *column.shape[1:])} needed, not {values[name].shape}")
        self._hold(_SharedColumns(values, count), count)
        return range(count)

    def append(self, count: int, **values: ArrayLike) -> range:
        """Append `count` rows; each value is broadcast to (count, *row shape), a column without one is zero."""
        shared, first, *_ = self._rows
        if unknown := values.keys() - shared.columns.keys():
            raise TypeError(f"no such columns: {', '.join(unknown)}")
        stop = first + count
        if count == 0:
            return range(first, stop)
        if not shared.reserve(first, stop):
            shared = shared.copied(first, stop)
        for name, column in shared.columns.items():
            column[first:stop] = values.get(name, column.dtype.type())
        self._hold(shared, stop)
        return range(first, stop)

    def add_column(self, name: str, dtype: DTypeLike, row_shape: tuple[int, ...]) -> None:
        """Add a column that is zero in all rows, unless there is one of this name.

        Tables that share the others have it too, then: to those, and to threads that go over the columns, they stay.
        """
        shared = self._rows.shared
        if name not in shared.columns:
            shared.columns = {**shared.columns, name: np.zeros((shared.size, *row_shape), dtype)}

    def reserve(self, count: int) -> None:
        """Make room for so many rows in all, so that appending up to there copies nothing."""
        shared, own_count, *_ = self._rows
        if count > shared.size:
            reserved = shared.copied(own_count, count)
            reserved.filled = own_count
            self._hold(reserved, own_count)

    def copy(self, *, without: tuple[str, ...] = ()) -> ColumnTable:
        """Copy the table; the columns named in `without` are zero, and take no memory until they are written."""
        other = self._held()
        # Not zeros_like, which writes the zeros: pages that nobody touches cost nothing.
        columns = {
            name: np.zeros(column.shape, column.dtype) if name in without else column.copy()
            for name, column in ((name, other[name]) for name in other.names)
        }
        other._hold(_SharedColumns(columns, len(other)), len(other))
        return other

    def frozen(self) -> ColumnTable:
        """Return a table of the same rows that shares the columns; only for columns that are appended to and never set.

        Of the two, the first that appends has the room behind the last row, and the other copies its columns.
        """
        return self._held()
