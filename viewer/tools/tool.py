"""Follow: a tool that is offered intents; Hand: holds the one that is used until it is put down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from octoscope.viewer.tools.intents import Intent

# Handles an intent, of the pointer or keys over the picture, if it is meant for a tool; returns whether it was.
Follow = Callable[[Intent], bool]


class HeldTool(Protocol):
    """A tool that has clicks over the picture until it is put down, or another one is taken."""

    def follow(self, intent: Intent) -> bool:
        """Handle an intent, as any tool."""

    def put_down(self) -> None:
        """Drop what is unfinished."""


class Hand:
    """Holds one tool, which has clicks in place of the gizmo, or none."""

    def __init__(self) -> None:
        self._tool: HeldTool | None = None

    @property
    def tool(self) -> HeldTool | None:
        """The tool that is held."""
        return self._tool

    def take(self, tool: HeldTool | None) -> None:
        """Hold a tool, or none, in place of the one that is held."""
        before, self._tool = self._tool, tool
        if before is not None and before is not tool:
            before.put_down()
