"""The kernels that Python calls, and the types of their arguments: what is compiled ahead of time.

They are in `kernel_types.txt` of each package, a version a line; a * marks what the first picture of an OBJ
file and the first acts in its window need: looking round, picking, selecting, moving, undo.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import NamedTuple

from octoscope.octree.jit.sources import ROOT, file_of, stamp_of


class Version(NamedTuple):
    """A kernel, compiled for one set of argument types."""

    module: str  # that the kernel is in
    function: str  # its name there
    types: str  # argument types in the notation of kernel_types.txt, such as "int64, float64[:, ::1]"
    is_first: bool  # True if the first picture or the first acts in its window need it
    stamp: str  # digest of the kernel's source files
    name: str  # digest of all other fields

    @property
    def kernel(self) -> str:
        """The key of the kernel in a library."""
        return f"{self.module}.{self.function}"

    @property
    def order(self) -> tuple[bool, str, str, int, str]:
        """Sorts versions: module after module, and of a kernel those for contiguous arrays first."""
        return not self.is_first, self.module, self.function, self.types.count(":]"), self.types


@cache
def versions() -> tuple[Version, ...]:
    """Return what is to be compiled, module after module, with the present sources."""
    lines = {line for path in table_files() for line in path.read_text(encoding="utf-8").splitlines()}
    return tuple(sorted(map(_version, lines), key=lambda version: version.order))


def table_files() -> list[Path]:
    """Return the files that list them."""
    return sorted(Path(ROOT).glob("*/kernel_types.txt"))


def _version(line: str) -> Version:
    kernel, _, types = line.removeprefix("*").removesuffix(")").partition("(")
    module, _, function = kernel.rpartition(".")
    source = file_of(module.removeprefix("octoscope.").replace(".", "/"))
    if source is None:
        raise FileNotFoundError(f"{line}: there is no such file; take the line out of kernel_types.txt")
    stamp = stamp_of(source)
    name = hashlib.sha256(f"{stamp} {kernel}({types})".encode()).hexdigest()[:16]
    return Version(module, function, types, line.startswith("*"), stamp, name)
