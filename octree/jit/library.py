"""The library of kernels that were compiled ahead of time: where it is, and what it holds.

Loading a kernel from it takes microseconds, and no numba: that is most of the time of a start. A wheel has one beside
this file. Anything else makes one for its processor (`builder.py`): a checkout in its `__pycache__`, what is
installed in the user's cache folder, so that nothing stays behind when it is uninstalled.
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

from octoscope.octree.jit.sources import ROOT, stamp_of

MODULE = "octoscope_kernels"
IN_WHEEL = Path(__file__).with_name(MODULE + EXTENSION_SUFFIXES[0])
_SEAL_BYTES = 4
_COMPILERS, _LINKERS = ("compiler.py", "worker.py"), ("builder.py", "library.c")  # what a library is made by
# What numba's settings change is not in the library's name: with any of them set, numba compiles as it is told to.
IS_WANTED = not any(name.startswith("NUMBA_") and name != "NUMBA_CACHE_DIR" for name in os.environ)


def find(function: Callable[..., Any], *, otherwise: Callable[..., Any]) -> Callable[..., Any] | None:
    """Return a kernel's machine code, or None if no library has any of its present source.

    Args:
        otherwise: called in its place with arguments of other types than those that were compiled.
    """
    for module, contents in _libraries():
        stamp, numbers = contents.get(key_of(function), ("", {}))
        if numbers and stamp == stamp_of(function.__code__.co_filename):
            return bound(module, list(numbers.values()), otherwise)
    return None


def bound(module: Any, numbers: list[int], otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that calls the first of a library's functions that suits the arguments, else `otherwise`."""
    for number in reversed(numbers):
        otherwise = module.bind(number, otherwise)
    return otherwise


def knows(kernel: str) -> bool:
    """Return whether a library has a kernel, be its source as it is now or not; `kernel` is its key."""
    return any(kernel in contents for _, contents in _libraries())


def holds(kernel: str, version: str) -> bool:
    """Return whether a library has a version of a kernel, by the key of the one and the name of the other."""
    return any(version in contents.get(kernel, ("", {}))[1] for _, contents in _libraries())


def key_of(function: Callable[..., Any]) -> str:
    """Return the name by which the library knows a kernel."""
    return f"{function.__module__}.{function.__qualname__}"


def folders() -> tuple[Path, ...]:
    """Return where what this machine compiles may lie, the preferred folder first.

    That of a checkout may have been written by somebody else, and this user can only read it.
    """
    kept = os.environ.get("NUMBA_CACHE_DIR")
    if kept:
        return (Path(kept),)
    caches = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or Path.home() / ".cache"
    own = Path(caches) / "octoscope"
    is_checkout = os.path.isfile(os.path.join(ROOT, "pyproject.toml"))
    return (Path(__file__).parent / "__pycache__", own) if is_checkout else (own,)


@cache
def path() -> Path | None:
    """Return the path where a library is to be written; None if no folder can be."""
    return next((path for path in paths() if _is_writable(path.parent)), None)


@cache
def paths() -> tuple[Path, ...]:
    """Return the library's paths for this processor, Python, numba and builder."""
    name = f"{MODULE}-{_digest_of(*_COMPILERS, *_LINKERS)}{EXTENSION_SUFFIXES[0]}"
    return tuple(folder / name for folder in folders())


def parts_folder(path: Path) -> Path:
    """Return the folder, beside a library, of the files that it is linked of."""
    return path.with_name(f"{MODULE}-{_digest_of(*_COMPILERS)}.parts")


def _digest_of(*files: str) -> str:
    """Return a digest of some of this package's files, and of what they compile with and for."""
    environment = hashlib.sha256(f"{sys.version} {_numba_version()} {_processor()}".encode())
    for file in files:
        environment.update(Path(__file__).with_name(file).read_bytes())
    return environment.hexdigest()[:16]


def made() -> Path | None:
    """Return the path of the library that is there, or None."""
    return next((path for path in (IN_WHEEL, *paths()) if path.is_file()), None)


def use(module: Any) -> None:
    """Look kernels up in a library that this process has made, before all others."""
    _libraries().insert(0, (module, json.loads(module.contents)))


@cache
def _libraries() -> list[tuple[Any, dict[str, tuple[str, dict[str, int]]]]]:
    """Load the libraries and their tables of contents: kernels with the stamps of their sources, and their versions."""
    found = []
    files = (IN_WHEEL,) if IN_WHEEL.is_file() else paths()
    for file in files if IS_WANTED else ():
        # There is none, or it is damaged, or was made for another system.
        with suppress(OSError, ImportError, AttributeError, ValueError):
            if file == IN_WHEEL or is_sealed(file.read_bytes()):
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
    """Import a library; ImportError: it cannot be loaded."""
    spec = spec_from_file_location(MODULE, file, loader=ExtensionFileLoader(MODULE, str(file)))
    if spec is None:
        raise ImportError(str(file))
    return module_from_spec(spec)


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
