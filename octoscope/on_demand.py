"""The public names of a package, imported when they are first asked for: nobody waits for what nobody uses."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType

from octoscope.guesses import missing

_NOTHING: Mapping[str, str] = MappingProxyType({})
_NAME = re.compile(r"^from (\S+) import (\w+) as \2$", re.MULTILINE)


def on_demand(
    package: str, file: str, instead: Mapping[str, str] = _NOTHING
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return the `__getattr__` and the `__dir__` of a package (PEP 562).

    The package's stub, `__init__.pyi`, lists the names, for this function and for type checkers alike: a line
    `from MODULE import NAME as NAME` each.

    Args:
        file: path of its `__init__.py`.
        instead: advice by names that people guess.
    """

    @cache
    def modules() -> dict[str, str]:
        """Return the public names, and the module that has each; none of a feature whose folder was taken away."""
        stub = Path(file).with_suffix(".pyi").read_text(encoding="utf-8")
        return {name: module for module, name in _NAME.findall(stub) if is_there(module)}

    def get(name: str) -> object:
        if name in instead:
            raise missing(f"module {package!r}", name, instead[name])
        if name.startswith("__") or name not in modules():
            raise AttributeError(
                f"module {package!r} has no attribute {name!r}", name=name, obj=sys.modules.get(package)
            )
        module = import_module(modules()[name])
        return getattr(module, name) if hasattr(module, name) else import_module(f"{module.__name__}.{name}")

    return get, lambda: sorted(modules())


def is_there(module: str) -> bool:
    """Tell whether a module of octoscope has its file; importing it would take long."""
    package, *inner = module.split(".")
    paths = [Path(folder, *inner) for folder in sys.modules[package].__path__]
    return any(path.with_suffix(".py").is_file() or path.is_dir() for path in paths)
