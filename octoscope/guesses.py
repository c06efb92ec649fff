"""The public names of a class, and what the names that people guess are called here.

Python itself suggests what a misspelt name may mean ("Did you mean: 'translation'?"), by `dir`. This module tells what
is called otherwise here, or done in another way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from types import MappingProxyType
from typing import ParamSpec, TypeVar

# Arguments of other libraries: their names here, where a function has one of such a name.
_SYNONYMS = {
    "clim": "scalar_range",
    "cmap": "colormap",
    "ortho": "orthographic",
    "points": "vertices",
    "position": "translation",
    "triangles": "faces",
}
_Class = TypeVar("_Class", bound=type)
_P = ParamSpec("_P")
_T = TypeVar("_T")


class _Guess:
    """A name that a class does not have, but that people look for: whoever gets or sets it is told what to do."""

    def __init__(self, name: str, advice: str) -> None:
        self._name, self._advice = name, advice

    def __get__(self, instance: object, owner: type) -> object:
        raise self._error(owner)

    def __set__(self, instance: object, value: object) -> None:
        raise self._error(type(instance))

    def _error(self, owner: type) -> AttributeError:
        return missing(f"{owner.__name__!r} object", self._name, self._advice)


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
                said = (
                    f"{function.__qualname__.removesuffix('.__init__')}() got an unexpected keyword argument {name!r}"
                )
                raise TypeError(f"{said}; {advice}" if advice else said)
            return function(*args, **kwargs)

        return checked

    return decorated


def public(
    *names: str, instead: Mapping[str, str], arguments: Mapping[str, str] = MappingProxyType({})
) -> Callable[[_Class], _Class]:
    """Make `dir` of a class's instances list its public names alone, and its guesses tell what to do.

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
        for name, advice in instead.items():
            assert not hasattr(owner, name), f"{owner.__name__}.{name} is no guess: it is there"
            type.__setattr__(owner, name, _Guess(name, advice))
        return owner

    return decorated
