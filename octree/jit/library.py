"""The library of kernels that were compiled ahead of time: where it is, and what it holds.

Loading a kernel from it takes microseconds, and no numba: that is most of the time of a start. `builder.py` makes it.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from octoscope.octree.jit.sources import stamp_of

MODULE = "octoscope_kernels"
_SEAL_BYTES = 4
_MAKERS = ("builder.py", "compiler.py", "library.c")  # no kernel imports them, but all of the library is their work
# What numba's settings change is not in the library's name: with any of them set, numba compiles as it is told to.
_IS_WANTED = not any(name.startswith("NUMBA_") and name != "NUMBA_CACHE_DIR" for name in os.environ)


def find(function: Callable[..., Any], *, otherwise: Callable[..., Any]) -> Callable[..., Any] | None:
    """Return a kernel's machine code, or None if the library has none of its present source.

    Args:
        function: the kernel as it was written.
        otherwise: called in its place with arguments of other types than those that were compiled.
    """
    for module, contents in _libraries():
        stamp, numbers = contents.get(key_of(function), ("", ()))
        if numbers and stamp == stamp_of(function.__code__.co_filename):
            for number in reversed(numbers):  # one for each set of argument types: the first that suits takes the call
                otherwise = module.bind(number, otherwise)
            return otherwise
    return None


def key_of(function: Callable[..., Any]) -> str:
    """Return the name by which the library knows a kernel."""
    return f"{function.__module__}.{function.__qualname__}"


@cache
def path() -> Path | None:
    """Return the path where a library is to be written; None if no folder can be."""
    return next((path for path in paths() if _is_writable(path.parent)), None)


@cache
def paths() -> tuple[Path, ...]:
    """Return the library's paths for this processor, Python, numba and builder: beside this file, and the user's own.

    The first may have been made by somebody else, in a folder that this user can only read.
    """
    environment = hashlib.sha256(f"{sys.version} {_numba_version()} {_processor()}".encode())
    for part in _MAKERS:
        environment.update(Path(__file__).with_name(part).read_bytes())
    name = f"{MODULE}-{environment.hexdigest()[:16]}{EXTENSION_SUFFIXES[0]}"
    kept = os.environ.get("NUMBA_CACHE_DIR")
    folders = [Path(kept)] if kept else [Path(__file__).parent / "__pycache__", _user_cache()]
    return tuple(folder / name for folder in folders)


def made() -> Path | None:
    """Return the path of the library that is there, or None."""
    return next((path for path in paths() if path.is_file()), None)


@cache
def _libraries() -> list[tuple[Any, dict[str, tuple[str, list[int]]]]]:
    """Load the libraries and their tables of contents: kernels with the stamps of their sources."""
    found = []
    for file in paths() if _IS_WANTED else ():
        # There is none, or it is damaged, or was made for another system.
        with suppress(OSError, ImportError, AttributeError, ValueError):
            if is_sealed(file.read_bytes()):
                module = load(file)
                found.append((module, json.loads(module.contents)))
    return found


def sealed(data: bytes) -> bytes:
    """Return a library with its checksum at the end: to load a damaged one would end the program without a word."""
    return data + zlib.crc32(data).to_bytes(_SEAL_BYTES, "little")


def is_sealed(data: bytes) -> bool:
    """Return whether a library is as it was when it was sealed."""
    return zlib.crc32(data[:-_SEAL_BYTES]).to_bytes(_SEAL_BYTES, "little") == data[-_SEAL_BYTES:]


def load(file: Path) -> Any:
    """Import a library.

    Raises:
        ImportError: it cannot be loaded.
    """
    spec = spec_from_file_location(MODULE, file, loader=ExtensionFileLoader(MODULE, str(file)))
    if spec is None:
        raise ImportError(str(file))
    return module_from_spec(spec)


def _user_cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "octoscope"


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def _numba_version() -> str:
    """Return what tells numba's versions apart, without importing it, which takes longer than all else here."""
    spec = find_spec("numba")
    try:
        return (Path(spec.origin).parent / "_version.py").read_text() if spec and spec.origin else ""
    except OSError:
        return ""


def _processor() -> str:
    """Return the name and the features of the processor, for which numba compiles."""
    wanted = ("model name", "flags", "Features", "CPU part")
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            first = file.read(8192).partition("\n\n")[0]
    except OSError:
        return ""
    return "\n".join(line for line in first.splitlines() if line.startswith(wanted))
