"""The public names of a class or package, and how wrong guesses are answered; each says its own by a decorator.

Python itself suggests what a misspelt name may mean ("Did you mean: 'translation'?"), by `dir`. This module tells what
is called otherwise here, or done in another way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from types import MappingProxyType
from typing import Any, ParamSpec, TypeVar

# Arguments of other libraries: their names here, where a function has one of such a name.
_SYNONYMS = {
    "clim": "scalar_range",
    "cmap": "colormap",
    "ortho": "orthographic",
    "points": "vertices",
    "position": "translation",
    "triangles": "faces",
}
_CLOSED = "_is_made"  # in the dictionary of an instance that takes no further attributes
_ABSENT = object()
_Class = TypeVar("_Class", bound=type)
_P = ParamSpec("_P")
_T = TypeVar("_T")


def missing(what: str, name: str, advice: str) -> AttributeError:
    """Return the error of something that has no attribute of a name, with advice; Python adds no suggestion to it."""
    return AttributeError(f"{what} has no attribute {name!r}: {advice}", name=name, obj=None)


def advises(further: Iterable[str] = (), **instead: str) -> Callable[[Callable[_P, _T]], Callable[_P, _T]]:
    """Make a function refuse unknown keyword arguments as Python does, with a suggestion.

    Args:
        further: names of arguments that the function takes as `**`.
        **instead: advice by the name that is guessed.
    """

    def decorated(function: Callable[_P, _T]) -> Callable[_P, _T]:
        import inspect  # here and below: the help of the command line needs neither

        parameters = inspect.signature(function).parameters.values()
        known = {each.name for each in parameters if each.kind is not each.VAR_KEYWORD}.union(further)

        @wraps(function)
        def checked(*args: _P.args, **kwargs: _P.kwargs) -> _T:
            for name in kwargs.keys() - known:
                import difflib

                near = difflib.get_close_matches(name, known, n=1)
                near = [_SYNONYMS[name]] if _SYNONYMS.get(name) in known else near
                advice = instead.get(name) or (f"did you mean {near[0]!r}?" if near else "")
                called = function.__qualname__.removesuffix(".__init__")
                if "." in called and args:  # a method: of the class that people know, not of its base
                    owner: Any = args[0]
                    called = f"{(owner if isinstance(owner, type) else type(owner)).__name__}.{function.__name__}"
                said = f"{called}() got an unexpected keyword argument {name!r}"
                raise TypeError(f"{said}; {advice}" if advice else said)
            return function(*args, **kwargs)

        return checked

    return decorated


def made_by(advice: str) -> Callable[[_Class], _Class]:
    """Make a class add advice to the error of arguments that do not fit, for one that people seldom make themselves."""

    def decorated(owner: _Class) -> _Class:
        make = vars(owner)["__init__"]

        @wraps(make)
        def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
            try:
                make(self, *args, **kwargs)
            except TypeError as error:
                if "argument" not in str(error):
                    raise
                raise TypeError(f"{error}; {advice}") from None

        type.__setattr__(owner, "__init__", __init__)
        return owner

    return decorated


def public(
    *names: str, instead: Mapping[str, str], arguments: Mapping[str, str] = MappingProxyType({})
) -> Callable[[_Class], _Class]:
    """Make `dir` of a class's instances list its public names alone, and its guesses tell what to do.

    An instance takes no attribute that it does not have once it is made: a misspelt one would vanish without a word.

    Args:
        *names: public attributes and methods; whatever else the class has may change.
        instead: advice by the name that is guessed.
        arguments: advice by the keyword that is guessed when an instance is made.
    """

    def decorated(owner: _Class) -> _Class:
        if arguments:
            type.__setattr__(owner, "__init__", advises(**arguments)(vars(owner)["__init__"]))
        listed = sorted(names)
        type.__setattr__(owner, "__dir__", lambda self: list(listed))
        for name in instead:
            assert not hasattr(owner, name), f"{owner.__name__}.{name} is no guess: it is there"
        type.__setattr__(owner, "__getattr__", _advising_getter(instead))
        if "__setattr__" not in vars(owner):  # a frozen class refuses everything by itself
            if owner.__dictoffset__:  # slots refuse further attributes by themselves
                type.__setattr__(owner, "__init__", _then_closed(vars(owner)["__init__"]))
            type.__setattr__(owner, "__setattr__", _refusing_setter(instead, bool(owner.__dictoffset__)))
        return owner

    return decorated


def _advising_getter(instead: Mapping[str, str]) -> Callable[[Any, str], object]:
    """Return the `__getattr__` of a class: Python calls it for names that an instance does not have."""

    def __getattr__(self: Any, name: str) -> object:
        if name in instead:
            raise missing(f"{type(self).__name__!r} object", name, instead[name])
        return object.__getattribute__(self, name)  # raises what Python does, or what a property of this name raised

    return __getattr__


def _then_closed(make: Callable[..., None]) -> Callable[..., None]:
    """Return the `__init__` of a class, after which its instances take no further attributes."""

    @wraps(make)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        make(self, *args, **kwargs)
        vars(self)[_CLOSED] = True

    return __init__


def _refusing_setter(instead: Mapping[str, str], closes: bool) -> Callable[[Any, str, object], None]:
    """Return the `__setattr__` of a class that refuses guesses; if it closes, what a made instance lacks, too."""

    def __setattr__(self: Any, name: str, value: object) -> None:
        if name in instead:
            raise missing(f"{type(self).__name__!r} object", name, instead[name])
        if closes and name[0] != "_" and name not in vars(self) and _CLOSED in vars(self):
            there = next((vars(each)[name] for each in type(self).__mro__ if name in vars(each)), _ABSENT)
            is_method = hasattr(there, "__get__") and not hasattr(there, "__set__")
            if is_method or there is _ABSENT:
                what = "cannot be set" if is_method else "is none of its attributes"
                raise AttributeError(f"{type(self).__name__!r} object: {name!r} {what}", name=name, obj=self)
        object.__setattr__(self, name, value)

    return __setattr__
