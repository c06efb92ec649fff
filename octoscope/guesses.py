"""The public names of a class or package, and how wrong guesses are answered; each says its own by a decorator.

Python itself suggests what a misspelt name may mean ("Did you mean: 'translation'?"), by `dir`. This module tells what
is called otherwise here, or done in another way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import wraps
from types import FunctionType, MappingProxyType
from typing import Any, ParamSpec, TypeVar

# Arguments of other libraries: their names here, where a function has one of such a name.
_SYNONYMS = {
    "clim": "scalar_range",
    "cmap": "colormap",
    "ortho": "orthographic",
    "points": "vertices",
    "position": "translation",
    "positions": "translations",
    "triangles": "faces",
}
_CLOSED = "_is_made"  # in the dictionary of an instance that takes no further attributes
_CLOSES = "_takes_no_attributes"  # in the dictionary of such a class; of one derived from it, it is not
_CHECKED = "_is_checked"  # in the dictionary of a function whose arguments are
_ABSENT = object()
_Class = TypeVar("_Class", bound=type)
_Fits = Callable[[Any], bool]
# Of a function: whether an argument is of the type declared, in order and by name, None: anything; and of other names.
_Table = tuple[tuple[_Fits | None, ...], dict[str, _Fits | None], _Fits | None]
_P = ParamSpec("_P")
_T = TypeVar("_T")


def missing(what: str, name: str, advice: str) -> AttributeError:
    """Return the error of something that has no attribute of a name, with advice; Python adds no suggestion to it."""
    return AttributeError(f"{what} has no attribute {name!r}: {advice}", name=name, obj=None)


def advises(further: Iterable[str] = (), **instead: str) -> Callable[[Callable[_P, _T]], Callable[_P, _T]]:
    """Make a function refuse arguments that are not of the types it declares, and unknown ones with a suggestion.

    Args:
        further: names of arguments that the function takes as `**`; none: any.
        **instead: advice by the name that is guessed.
    """

    def decorated(function: Callable[_P, _T]) -> Callable[_P, _T]:
        table: _Table | None = None

        @wraps(function)
        def checked(*args: _P.args, **kwargs: _P.kwargs) -> _T:
            nonlocal table
            if table is None:  # not earlier: a class may not be there yet, and a start need not wait for it
                table = _table_of(function, further)
            in_order, by_name, others = table
            if in_order:
                for fits, value in zip(in_order, args, strict=False):
                    if fits is not None and not fits(value):
                        raise _refusal(function, args, kwargs)
            if kwargs:
                for name, value in kwargs.items():
                    fits = by_name.get(name, others)
                    if fits is not None and not fits(value):
                        if name in by_name:
                            raise _refusal(function, args, kwargs)
                        raise _unknown(name, function, args, by_name, instead)
            return function(*args, **kwargs)

        vars(checked)[_CHECKED] = True
        return checked

    return decorated


def _table_of(function: Callable[..., object], further: Iterable[str]) -> _Table:
    from inspect import unwrap

    from octoscope.arguments import kinds_of, takes_any  # here and below: the help of the command line needs no numpy

    by_name = {name: None if kind is None else kind.fits for name, kind in kinds_of(function).items()}
    others = None if takes_any(function) and not further else lambda name: False
    in_order = list(by_name.values())[: unwrap(function).__code__.co_argcount]
    while in_order and in_order[-1] is None:  # to look at them would only take time
        in_order.pop()
    return tuple(in_order), {**by_name, **dict.fromkeys(further)}, others


def _refusal(function: Callable[..., object], args: Sequence[object], kwargs: Mapping[str, object]) -> Exception:
    """Return the error of the first argument that is not of its kind."""
    from octoscope.arguments import kinds_of, refusal

    kinds = kinds_of(function)
    given = {**kwargs, **dict(zip(kinds, args, strict=False))}  # an argument may be given twice
    return next(
        refusal(name, kind, given[name])
        for name, kind in kinds.items()
        if kind is not None and name in given and not kind.fits(given[name])
    )


def _unknown(
    name: str,
    function: Callable[..., object],
    args: Sequence[Any],
    known: Mapping[str, object],
    instead: Mapping[str, str],
) -> TypeError:
    """Return the error of a keyword that a function does not take, with a suggestion."""
    import difflib  # only here: the help of the command line does not need it

    near = difflib.get_close_matches(name, known, n=1)
    near = [_SYNONYMS[name]] if _SYNONYMS.get(name, "") in known else near
    advice = instead.get(name) or (f"did you mean {near[0]!r}?" if near else "")
    called = function.__qualname__.removesuffix(".__init__")
    if "." in called and args:  # a method: of the class that people know, not of its base
        owner = args[0] if isinstance(args[0], type) else type(args[0])
        called = f"{owner.__name__}.{function.__name__}"
    said = f"{called}() got an unexpected keyword argument {name!r}"
    return TypeError(f"{said}; {advice}" if advice else said)


def made_by(advice: str) -> Callable[[_Class], _Class]:
    """Make a class add advice to the error of arguments that do not fit, for one that people seldom make themselves."""

    def decorated(owner: _Class) -> _Class:
        make = vars(owner)["__init__"]

        @wraps(make)
        def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
            try:
                make(self, *args, **kwargs)
            except TypeError as error:
                # Python tells calls that do not fit from other TypeErrors by their words alone.
                if "argument" not in str(error) and not isinstance(error, ValueError):
                    raise
                raise type(error)(f"{error}; {advice}") from None

        type.__setattr__(owner, "__init__", __init__)
        return owner

    return decorated


def public(
    *names: str, instead: Mapping[str, str], arguments: Mapping[str, str] = MappingProxyType({})
) -> Callable[[_Class], _Class]:
    """Make `dir` of a class's instances list its public names alone, and its guesses tell what to do.

    An instance takes no attribute that it does not have once it is made: a misspelt one would vanish without a word.
    Instances of a class derived from it take any.

    Args:
        *names: public attributes and methods; whatever else the class has may change. None: all without an underscore.
        instead: advice by the name that is guessed.
        arguments: advice by the keyword that is guessed when an instance is made.
    """

    def decorated(owner: _Class) -> _Class:
        if arguments:
            type.__setattr__(owner, "__init__", advises(**arguments)(_own_init(owner)))
        listed = sorted(names or _names_of(owner))
        for name in listed:
            _check_arguments(owner, name)
        type.__setattr__(owner, "__dir__", lambda self: list(listed))
        for name in instead:
            assert not hasattr(owner, name), f"{owner.__name__}.{name} is no guess: it is there"
        type.__setattr__(owner, "__getattr__", _advising_getter(instead))
        if "__setattr__" not in vars(owner):
            closes = bool(owner.__dictoffset__) and not issubclass(owner, tuple)
            if closes:  # slots refuse further attributes by themselves
                type.__setattr__(owner, "__init__", _then_closed(_own_init(owner)))
                type.__setattr__(owner, _CLOSES, True)
            type.__setattr__(owner, "__setattr__", _refusing_setter(instead, closes, frozenset(listed)))
        elif hasattr(owner, "__dataclass_fields__"):
            type.__setattr__(owner, "__setattr__", _frozen_setter)
        return owner

    return decorated


def _names_of(owner: type) -> set[str]:
    """Return what a class and its bases have without an underscore, but for what Python's own classes have."""
    owners = [each for each in owner.__mro__ if each not in (object, tuple)]
    return {name for each in owners for name in (*vars(each), *each.__annotations__) if name[0] != "_"}


def _own_init(owner: Any) -> Callable[..., None]:
    return owner.__init__


def _check_arguments(owner: type, name: str) -> None:
    """Make a public method of a class, or the setter of a property, refuse arguments of other types."""
    there = next((vars(each)[name] for each in owner.__mro__ if name in vars(each)), None)
    function = there.fset if isinstance(there, property) else getattr(there, "__func__", there)
    if isinstance(function, FunctionType) and _CHECKED not in vars(function):
        checked: Any = advises()(function)
        if isinstance(there, property):
            checked = property(there.fget, checked, there.fdel, there.__doc__)
        elif there is not function:  # a method of the class
            checked = classmethod(checked) if isinstance(there, classmethod) else staticmethod(checked)
        type.__setattr__(owner, name, checked)


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


def _refusing_setter(instead: Mapping[str, str], closes: bool, public: Set[str]) -> Callable[[Any, str, object], None]:
    """Return the `__setattr__` of a class that refuses guesses; if it closes, what a made instance lacks, too.

    A public attribute that an instance keeps itself can only be set to a value of the same type.
    """

    def __setattr__(self: Any, name: str, value: object) -> None:
        if name in instead:
            raise missing(f"{type(self).__name__!r} object", name, instead[name])
        if closes and name[0] != "_" and _CLOSED in vars(self):
            kept = vars(self).get(name, _ABSENT)
            if kept is _ABSENT:
                there = next((vars(each)[name] for each in type(self).__mro__ if name in vars(each)), _ABSENT)
                is_method = hasattr(there, "__get__") and not hasattr(there, "__set__")
                if is_method or (there is _ABSENT and _CLOSES in vars(type(self))):
                    raise _not_settable(self, name, is_method=is_method)
            elif name in public and not (kept is None or isinstance(value, type(kept))):
                raise TypeError(f"{name} must be a {type(kept).__name__}, not {type(value).__name__}")
        try:
            object.__setattr__(self, name, value)
        except AttributeError:
            if closes or hasattr(type(self), name):
                raise
            raise _not_settable(self, name, is_method=False) from None  # slots

    return __setattr__


def _not_settable(owner: Any, name: str, *, is_method: bool) -> AttributeError:
    """Return the error of an attribute that an instance does not have, with the name that may be meant."""
    import difflib

    near = difflib.get_close_matches(name, dir(owner), n=1)
    advice = f"; did you mean {near[0]!r}?" if near else ""
    said = "cannot be set" if is_method else f"is none of its attributes{advice}"
    return AttributeError(f"{type(owner).__name__!r} object: {name!r} {said}", name=name, obj=None)


def _frozen_setter(self: Any, name: str, value: object) -> None:
    """Refuse to change an instance of a frozen dataclass, as Python does, and say how to make another one."""
    from dataclasses import FrozenInstanceError, fields

    if name not in {field.name for field in fields(self)}:
        raise _not_settable(self, name, is_method=hasattr(type(self), name))
    called = type(self).__name__.lower()
    raise FrozenInstanceError(f"cannot set {name!r}: dataclasses.replace({called}, {name}=...) makes another {called}")
