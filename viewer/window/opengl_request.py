"""The OpenGL that contexts are asked for: which versions, one after the other; what users want done without.

The newest version of use is wanted, and some drivers make exactly what is asked for. Each of these has a part that is
used where it is there; 3.3 is enough. A variable of the environment holds what users ask for, by options of commands or
by itself, so that scripts and processes that are started from here have the same.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import NamedTuple

VARIABLE = "OCTOSCOPE_OPENGL"  # words with blanks between them, such as "3.3 no-fast-path debug"
NO_FAST_PATH, DEBUG = "no-fast-path", "debug"
NEWEST = {"3.3": (3, 3), "4.1": (4, 1), "4.5": (4, 5)}
_VERSIONS = ((4, 1), (3, 3)) if sys.platform == "darwin" else ((4, 5), (4, 3), (4, 1), (3, 3))  # Apple has no later one


class OpenGLRequest(NamedTuple):
    """What is asked for."""

    newest: tuple[int, int] | None = None  # version that is used, where the driver has it; None: the newest of use
    has_fast_path: bool = True  # False leaves out what only makes drawing faster and needs more than OpenGL 3.3
    tells_messages: bool = False  # whether what drivers say about calls is printed, which makes them slower

    @property
    def versions(self) -> tuple[tuple[int, int], ...]:
        """The versions that a context is asked for, one after the other."""
        return tuple(version for version in _VERSIONS if self.newest is None or version <= self.newest)

    def used_version(self, code: int) -> int:
        """Return the version to use where a driver has made `code`, such as 450: many make a later one."""
        return code if self.newest is None else min(code, 100 * self.newest[0] + 10 * self.newest[1])


def opengl_request() -> OpenGLRequest:
    """Return what the environment asks for; a word that says nothing is told on standard error, once."""
    return _read(os.environ.get(VARIABLE, ""))


@cache
def _read(text: str) -> OpenGLRequest:
    words = text.split()
    for word in words:
        if word not in (*NEWEST, NO_FAST_PATH, DEBUG):
            known = ", ".join((*NEWEST, NO_FAST_PATH, DEBUG))
            sys.stderr.write(f"octoscope: {VARIABLE}: ignoring {word!a}, which is none of {known}\n")
    newest = min((NEWEST[word] for word in words if word in NEWEST), default=None)
    return OpenGLRequest(newest, NO_FAST_PATH not in words, DEBUG in words)
