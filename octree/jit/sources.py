"""The source files that a kernel is made of, and a stamp that changes when any of them does.

The machine code of a kernel holds kernels that it calls, values of constants and layouts of NamedTuples, from any file
that its own file imports, directly or through another. numba looks at the kernel's own file only.

Imports are read from the text, not from what the interpreter has loaded: a kernel has the same stamp in every process.
The stamp digests the texts, which are read anyway; a file's time and size would miss changes and see others that are
none.

A text that was written after this process began may differ from what the process runs. Then no stamp is right, and one
is made that no other process will find.
"""

from __future__ import annotations

import hashlib
import os
import re
import time
from functools import cache
from os.path import dirname, isfile, join

_BEGAN = time.time()
ROOT = dirname(dirname(dirname(__file__)))  # of the packages that are followed; numpy and numba are not
_COMPILATION = dirname(__file__)  # what it does to all kernels is in kernels.py; the rest of it makes none of them
_IMPORT = re.compile(rb"\n[ \t]*(?:from|import)[ \t]+octoscope\.([\w.]+)(?:[ \t]+import[ \t]+(\([^)]*\)|[^\n]*))?")
_FOR_ANNOTATIONS = re.compile(rb"^if TYPE_CHECKING:.*\n(?:[ \t]+.*\n|\n)*", re.MULTILINE)  # imports nothing when run
_COMMENT = re.compile(rb"#[^\n]*")
_NAME = re.compile(rb"(\w+)(?:[ \t]+as[ \t]+\w+)?")


@cache
def stamp_of(path: str) -> str:
    """Digest a Python file and all files of the project that it imports, directly or not, as they are now."""
    found, waiting = {path}, [path]
    while waiting:
        more = _read(waiting.pop())[1] - found
        found |= more
        waiting.extend(more)
    digest = hashlib.sha256()
    for source in sorted(found):
        digest.update(_read(source)[0])
    return digest.hexdigest()


@cache
def _read(path: str) -> tuple[bytes, frozenset[str]]:
    """Return a digest of a file's text, and the project's files that it imports."""
    with open(path, "rb") as file:
        text = b"\n" + file.read()
        digest = hashlib.sha256(text)
        if os.fstat(file.fileno()).st_mtime > _BEGAN:
            digest.update(os.urandom(16))
    if dirname(path) == _COMPILATION:
        return digest.digest(), frozenset()
    imported = set()
    for module, names in _IMPORT.findall(_FOR_ANNOTATIONS.sub(b"", text) if b"TYPE_CHECKING" in text else text):
        module_path = module.decode().replace(".", "/")
        # `from package import name`: a module of the package, or what the package's own file holds.
        for name in _NAME.findall(_COMMENT.sub(b"", names)) or [b""]:
            file = file_of(f"{module_path}/{name.decode()}") or file_of(module_path)
            if file:
                imported.add(join(_COMPILATION, "kernels.py") if dirname(file) == _COMPILATION else file)
    return digest.digest(), frozenset(imported)


@cache
def file_of(module: str) -> str | None:
    """Return the file of a module of the packages, given as `package/module`; None: there is no such module.

    Those beside the packages, octoscope.arguments and others, hold nothing that kernels are made of. In a wheel they
    lie in the folder of the packages, in a checkout they do not, and stamps are the same in both.
    """
    ends = (".py", "/__init__.py") if "/" in module else ("/__init__.py",)
    return next((file for end in ends if isfile(file := join(ROOT, module + end))), None)
