"""Import what takes long."""

from __future__ import annotations

import gc
from importlib import import_module
from types import ModuleType


def import_without_collecting(*names: str) -> ModuleType:
    """Import modules and return the first; the garbage collector leaves out all that exists by then, from now on.

    Of what is imported nothing goes away, and Python would search it again and again for cycles that nobody refers to.
    """
    gc.disable()
    modules = [import_module(name) for name in names]
    gc.freeze()
    gc.enable()
    return modules[0]
