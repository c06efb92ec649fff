"""Environments by name: built-in ones, and files for which a feature is there. Imports nothing that takes long."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from octoscope.viewer.features import parts
from octoscope.viewer.frame.look.studios import STUDIOS

if TYPE_CHECKING:
    from octoscope.viewer.frame.look.environment import Environment


@dataclass(frozen=True)
class EnvironmentPart:
    """Reads environments from files."""

    FILE: ClassVar[str] = "environment"
    endings: tuple[str, ...]  # of the files, in small letters
    description: str  # of the files, for the help of options
    read: Callable[[str], Environment]  # takes a path; raises ReadError, whose line says what to do


def environment_called(name: str) -> Environment:
    """Return an environment of STUDIOS, or that of a file.

    Args:
        name: one of STUDIOS, or a path.

    Raises:
        ReadError: there is no such environment, or its file cannot be read; the line says what to do.
    """
    if name not in STUDIOS:
        for part in parts(EnvironmentPart):
            return part.read(name)
        from octoscope.scene.system.text_file import ReadError  # only here: it imports numpy

        raise ReadError(name, f"is none of {', '.join(STUDIOS)}")
    from octoscope.viewer.frame.look.environment import built_in  # only here: it imports numpy

    return built_in(name)


def is_environment(value: object) -> bool:
    """Return whether a value is the name of an environment, or of a file that may hold one."""
    endings = tuple(ending for part in parts(EnvironmentPart) for ending in part.endings)
    return isinstance(value, str) and (value in STUDIOS or value.lower().endswith(endings))
