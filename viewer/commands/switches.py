"""Commands that change a setting, which is told by its path from the context, such as "view.settings.show_grid"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Any

from octoscope.viewer.frame.view_settings import ViewSettings

Declare = Callable[..., Callable[[Callable[..., object]], object]]  # Declarations, or a partial of one


def switch(command: Declare, path: str, command_id: str, label: str, description: str, **more: Any) -> None:
    """Declare a command that switches a setting on or off."""
    is_on = attrgetter(path)
    command(command_id, label, description, checked=is_on, **_of_window(path), **more)(
        lambda context: _put(path, not is_on(context), context)
    )


def choice(command: Declare, path: str, value: object, command_id: str, label: str, text: str, **more: Any) -> None:
    """Declare a command that gives a setting a value."""
    present = attrgetter(path)
    command(
        command_id, label, text, checked=lambda context: bool(present(context) == value), **_of_window(path), **more
    )(partial(_put, path, value))


def steps(
    command: Declare,
    path: str,
    values: Sequence[float],
    command_id: str,
    labels: tuple[str, str],
    shown: str,
    *,
    separated: bool = False,
    **more: Any,
) -> None:
    """Declare the commands that take the next larger and smaller of values; `shown` formats the present one."""
    for sign, label, suffix in ((1, labels[0], "up"), (-1, labels[1], "down")):
        command(
            f"{command_id}_{suffix}",
            label,
            enabled=lambda context, sign=sign: bool(_next(path, values, sign, context)),
            of=lambda context: f"(now {shown.format(attrgetter(path)(context))})",
            separated=separated and sign > 0,
            **_of_window(path),
            **more,
        )(partial(_step, path, values, sign))


def _of_window(path: str) -> dict[str, bool]:
    """Return that a command needs a window, where it is about the look of pictures or a window's own settings."""
    return {"needs_window": True} if path.startswith(("view.", "settings.")) else {}


def _put(path: str, value: object, context: Any) -> None:
    """Set a setting; a frozen value that it is a field of is replaced."""
    place, _, name = path.rpartition(".")
    owner = attrgetter(place)(context) if place else context
    if getattr(owner, "__dataclass_params__", None) is not None and owner.__dataclass_params__.frozen:
        _put(place, replace(owner, **{name: value}), context)
        return
    setattr(owner, name, value)
    if isinstance(owner, ViewSettings):
        context.view.times.reset()  # figures from before and after must not mix


def _next(path: str, values: Sequence[float], sign: int, context: object) -> list[float]:
    """Return the values above the present one, or those below it for the sign -1, the nearest first."""
    return [each for each in values[::sign] if (each - attrgetter(path)(context)) * sign > 0.0]


def _step(path: str, values: Sequence[float], sign: int, context: object) -> None:
    for value in _next(path, values, sign, context)[:1]:
        _put(path, value, context)
