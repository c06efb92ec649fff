"""The public names of a class, and what the names that people guess are called here.

Python itself suggests what a misspelt name may mean ("Did you mean: 'translation'?"), by `dir`. This module tells what
is called otherwise here, or done in another way.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

# Arguments of other libraries: their names here.
_SYNONYMS = {
    "clim": "scalar_range",
    "cmap": "colormap",
    "points": "vertices",
    "position": "translation",
    "triangles": "faces",
}
_Class = TypeVar("_Class", bound=type)


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


def refuse_unexpected(function: Callable[..., object], given: Mapping[str, object], known: Iterable[str]) -> None:
    """Refuse keyword arguments that a function passes on, and nobody knows, as Python does, with a suggestion.

    Args:
        function: that was called.

    Raises:
        TypeError: one is not known.
    """
    known = set(known)
    for name in given:
        if name not in known:
            names = [*inspect.signature(function).parameters, *known]
            near = [_SYNONYMS[name]] if name in _SYNONYMS else difflib.get_close_matches(name, names, n=1)
            advice = f"; did you mean {near[0]!r}?" if near else ""
            raise TypeError(f"{function.__qualname__}() got an unexpected keyword argument {name!r}{advice}")


def public(*names: str, instead: Mapping[str, str]) -> Callable[[_Class], _Class]:
    """Make `dir` of a class's instances list its public names alone, and its guesses tell what to do.

    Args:
        *names: public attributes and methods; whatever else the class has may change.
        instead: advice by the name that is guessed.
    """

    def decorated(owner: _Class) -> _Class:
        listed = sorted(names)
        type.__setattr__(owner, "__dir__", lambda self: list(listed))
        for name, advice in instead.items():
            assert not hasattr(owner, name), f"{owner.__name__}.{name} is no guess: it is there"
            type.__setattr__(owner, name, _Guess(name, advice))
        return owner

    return decorated
