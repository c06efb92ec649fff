"""The public names of a package, imported when they are first asked for: nobody waits for what nobody uses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module


def on_demand(package: str, made_in: Mapping[str, str]) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return the `__getattr__` and the `__dir__` of a package (PEP 562).

    Args:
        package: its name.
        made_in: its public names, and the module that has each.
    """

    def get(name: str) -> object:
        if name not in made_in:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(made_in[name]), name)

    return get, lambda: sorted(made_in)
