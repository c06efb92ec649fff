"""Check arguments against the types that a function declares, and say in one line which does not fit.

It imports no numpy, for which the help of the command line would wait: array_arguments does.
"""

from __future__ import annotations

import inspect
import types
import typing
from collections import abc
from collections.abc import Callable, Iterable
from numbers import Integral
from typing import Any, Literal, NamedTuple

_MOST_SHOWN = 60  # characters of a wrong argument
_MAKERS = {
    "Camera": "as Camera.looking_at(eye, target) makes it",
    "Edit": "as functions of octoscope.editing return it",
    "Frustum": "as Frustum.from_camera(camera, aspect) makes it",
    "Lighting": "as octoscope.world_light makes it",
    "Node": "such as scene[name]",
}
_CALLED = {"NodeTable": "Scene", "PathLike": "path"}
_SIZE = "tuple[int, int]"
_NUMBERS = {1: "one", 2: "two", 3: "three", 4: "four"}


class ArgumentError(TypeError, ValueError):
    """An argument is not of its type: a TypeError, and what functions say to raise for values that do not fit."""


class Kind(NamedTuple):
    """The values that an argument may have.

    Attributes:
        fits: tells whether a value is of the kind; texts of a Literal all are, as the function says which there are.
        wanted: says it in a message.
        types: the names of the types that it is one of, by which hints are found; without those of lists.
    """

    fits: Callable[[Any], bool]
    wanted: str
    types: frozenset[str] = frozenset()


def kinds_of(function: Callable[..., object]) -> dict[str, Kind | None]:
    """Return what each argument of a function may be, in order; None: anything, or the function checks it itself."""
    inner = inspect.unwrap(function)
    kinds: dict[str, Kind | None] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            annotation = parameter.annotation
            if isinstance(annotation, str):
                try:
                    annotation = eval(annotation, inner.__globals__)
                except NameError:  # imported for type checkers alone
                    annotation = Any
            kinds[name] = None if annotation is parameter.empty else kind_of(annotation)
    return kinds


def takes_any(function: Callable[..., object]) -> bool:
    """Tell whether a function takes keywords of any name."""
    return any(each.kind is each.VAR_KEYWORD for each in inspect.signature(function).parameters.values())


def kind_of(annotation: Any) -> Kind | None:
    """Return the kind of values that a type stands for; None: any, or arrays and others that take more to check."""
    simple = _SIMPLE.get(annotation) if isinstance(annotation, abc.Hashable) else None
    if simple is not None:
        return simple
    origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        kinds = [kind_of(each) for each in inner]
        checked = [kind for kind in kinds if kind is not None]
        if len(checked) < len(kinds):
            return None
        wanted = _either(dict.fromkeys(kind.wanted for kind in checked))
        names = frozenset(name for kind in checked for name in kind.types)
        return Kind(lambda value: any(kind.fits(value) for kind in checked), wanted, names)
    if origin is Literal:
        return Kind(lambda value: isinstance(value, type(inner[0])) and value in inner, _either(map(repr, inner)))
    if origin is tuple and inner and inner[-1] is not ...:
        return _tuple_of(str(annotation), [kind_of(each) for each in inner])
    if origin in (abc.Iterable, abc.Sequence, list):
        return _list_of(kind_of(inner[0]) if inner else None)
    if origin is abc.Mapping:
        return _dict_of(kind_of(inner[1]))
    if origin is abc.Callable or annotation is abc.Callable:
        return Kind(callable, "a function")
    named = origin or annotation
    is_checked = isinstance(named, type) and named is not object and not getattr(named, "_is_protocol", False)
    if not is_checked or named.__module__ in ("numpy", "typing"):
        return None
    named_here = _CALLED.get(named.__name__, named.__name__)
    article = "an" if named_here[0] in "AEIOU" else "a"
    return Kind(lambda value: isinstance(value, named), f"{article} {named_here}", frozenset({named_here}))


def _either(names: Iterable[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def refusal(name: str, kind: Kind, value: object) -> ArgumentError:
    """Return the error of an argument that is not of its kind."""
    advice = next((f", {made}" for each, made in _MAKERS.items() if each in kind.types), "")
    return ArgumentError(f"{name} must be {kind.wanted}{advice}, not {shown(value)}{_hint(kind, value)}")


def shown(value: object) -> str:
    """Return a wrong value in a message: short, on one line; an array by its shape."""
    shape = getattr(value, "shape", None)
    return f"an array {shape}" if shape else " ".join(repr(value).split())[:_MOST_SHOWN]


def _hint(kind: Kind, value: object) -> str:
    """Return the end of a line that refuses a value, which says where what is wanted may come from."""
    is_path = hasattr(value, "__fspath__") or (isinstance(value, str) and "." in value)
    if "Scene" in kind.types and type(value).__name__ in ("Node", "Nodes"):
        return "; scene.copy(nodes) is one of them alone"
    if is_path and "Scene" in kind.types:
        return "; octoscope.load(path) opens one, and where both are given it comes first"
    if is_path and _SIZE in kind.types:
        return "; render(scene).save(path) writes a file"
    if "Camera" in kind.types and isinstance(value, str):
        return f"; view={value!r} is for names"
    if "Material" in kind.types and isinstance(value, str):
        return f"; Material('name', base_color={value!r}) is one of a colour, and node.color sets it at once"
    if kind is _SIMPLE[str] and hasattr(value, "dtype"):
        return ", and comes first"
    return "; scene.add_mesh(name, mesh) adds a mesh to a scene" if hasattr(value, "vertices") else ""


# The usual types first: to ask an abstract class takes as long as the rest of a call.


def _number(value: Any) -> bool:
    if type(value) is float or type(value) is int:
        return True
    is_number = isinstance(value, (float, int)) or (hasattr(value, "__float__") and getattr(value, "ndim", 1) == 0)
    return is_number and not isinstance(value, bool)  # nor a Decimal or Fraction, which numpy makes objects of


def _whole_number(value: Any) -> bool:
    return type(value) is int or (_number(value) and value == value // 1)  # as 1e9


def _flag(value: Any) -> bool:
    if value is True or value is False:
        return True
    if isinstance(value, Integral):  # bool is one
        return value in (0, 1)
    return getattr(value, "dtype", None) == "bool" and value.ndim == 0


def _tuple_of(name: str, kinds: list[Kind | None]) -> Kind | None:
    """Return the kind of a fixed number of values of one kind, as any sequence or array; None: of other kinds."""
    first = kinds[0]
    if first is None or len({kind and kind.wanted for kind in kinds}) > 1 or first.wanted[:2] != "a ":
        return None

    def fits(value: Any) -> bool:
        try:
            is_long_enough = len(value) == len(kinds)  # iterators have no length: a look would leave nothing of them
        except TypeError:
            return False
        return is_long_enough and isinstance(value, abc.Iterable) and all(map(first.fits, value))

    return Kind(fits, f"{_NUMBERS.get(len(kinds), len(kinds))} {first.wanted[2:]}s", frozenset({name}))


def _list_of(kind: Kind | None) -> Kind:
    """Return the kind of any number of values; those of an iterator are not looked at."""

    def fits(value: Any) -> bool:
        if isinstance(value, (str, bytes)) or not hasattr(type(value), "__iter__"):
            return False
        is_looked_at = isinstance(value, (list, tuple)) or hasattr(value, "dtype")
        return kind is None or not is_looked_at or all(map(kind.fits, value))

    if kind is None or " or " in kind.wanted:
        return Kind(fits, "a list" if kind is None else "a list of them")
    return Kind(fits, f"a list of {kind.wanted.removeprefix('an ').removeprefix('a ')}s")


def _dict_of(kind: Kind | None) -> Kind:
    """Return the kind of mappings to values of a kind; keys are not looked at."""
    values = _list_of(kind)

    def fits(value: Any) -> bool:
        return isinstance(value, abc.Mapping) and values.fits(list(value.values()))

    return Kind(fits, values.wanted.replace("a list", "a dict", 1))


_SIMPLE: dict[Any, Kind] = {
    None: Kind(lambda value: value is None, "None"),
    type(None): Kind(lambda value: value is None, "None"),
    bool: Kind(_flag, "True or False"),
    float: Kind(_number, "a number"),
    int: Kind(_whole_number, "a whole number"),
    typing.BinaryIO: Kind(lambda value: hasattr(value, "write"), "an open file"),
    str: Kind(lambda value: isinstance(value, str), "a string"),
}
