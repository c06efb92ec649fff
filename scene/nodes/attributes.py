"""Attributes of tables of nodes: values that are always set whole, and columns as read-only arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Generic, NoReturn, TypeVar, overload

import numpy as np

from octoscope.arguments import Kind, refusal

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class Versioned(Generic[_Value]):
    """An attribute of a NodeTable that is always set whole; setting it makes a new version of the table.

    Args:
        kept: makes of a value that is set one that nobody can change afterwards.
        kind: of what `kept` returns, all else is refused; None: `kept` refuses what does not fit.
    """

    def __init__(self, kept: Callable[[Any], _Value], kind: Kind | None = None) -> None:
        self._kept = kept
        self._kind = kind

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = f"_{name}"

    @overload
    def __get__(self, table: None, owner: type) -> Versioned[_Value]: ...
    @overload
    def __get__(self, table: object, owner: type) -> _Value: ...
    def __get__(self, table: Any, owner: type) -> Versioned[_Value] | _Value:
        return self if table is None else getattr(table, self._name)

    def __set__(self, table: Any, value: _Value) -> None:
        try:
            kept = self._kept(value)
        except (TypeError, ValueError):
            if self._kind is None or self._kind.fits(value):
                raise
            raise refusal(self._name[1:], self._kind, value) from None
        if self._kind is not None and not self._kind.fits(kept):
            raise refusal(self._name[1:], self._kind, value)
        setattr(table, self._name, kept)
        table._changed()


class Column:
    """A column of a NodeTable as a read-only array.

    Args:
        doc: what `help` says of it: shape, dtype and units.
        derived: follows from others, so that reading it updates the world first.
    """

    def __init__(self, name: str, doc: str, *, derived: bool = False) -> None:
        self._name = name
        self.__doc__ = doc
        self._derived = derived

    @overload
    def __get__(self, table: None, owner: type) -> Column: ...
    @overload
    def __get__(self, table: object, owner: type) -> np.ndarray: ...
    def __get__(self, table: Any, owner: type) -> Column | np.ndarray:
        if table is None:  # asked of the class, by help
            return self
        if self._derived:
            table.update_world()
        values: np.ndarray = table._nodes.read_only(self._name)
        return values

    def __set__(self, table: Any, value: object) -> NoReturn:
        raise AttributeError(f"a scene's column {self._name!r} is read-only; methods set_... change it")


def versioned_attributes(table: type) -> list[str]:
    """Return the names of the Versioned attributes of a class and its bases."""
    return [name for each in table.__mro__ for name, value in vars(each).items() if isinstance(value, Versioned)]


def read_only(values: Mapping[_Key, _Value]) -> Mapping[_Key, _Value]:
    """Copy a mapping to one that cannot be changed, for `Versioned`."""
    return MappingProxyType(dict(values))
