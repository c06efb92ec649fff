"""Tool: the protocol of a tool that is offered intents."""

from __future__ import annotations

from typing import Protocol

from octoscope.viewer.tools.intents import Intent


class Tool(Protocol):
    """Pointer and keys over the picture, before the gizmo and selecting have them."""

    def follow(self, intent: Intent) -> bool:
        """Handle an intent if it is meant for the tool; return whether it was."""
