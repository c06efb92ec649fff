"""BrowserFront: what a feature finds in browsers: controls beside the picture, and lines over it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from viser import ViserServer

from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.features.web.overlays import Overlays
from octoscope.viewer.tools.tool import Hand


class Controls:
    """Adds controls to the page of every browser; what they do runs on the scene's thread."""

    def __init__(self, server: ViserServer, call: Callable[[Callable[[], object]], object]) -> None:
        self.gui = server.gui
        self._call = call

    def button(self, label: str, act: Callable[[], object], *, hotkey: Any = None, modifier: Any = None) -> Any:
        """Add a button, and with a hotkey a command that does the same."""
        button = self.gui.add_button(label, color="gray")

        @button.on_click
        async def _(_: object) -> None:
            self._call(act)

        if hotkey is not None:
            self.command(label, act, hotkey=hotkey, modifier=modifier)
        return button

    def command(self, label: str, act: Callable[[], object], *, hotkey: Any, modifier: Any = None) -> None:
        """Add a command that a key and the page's palette run."""
        command = self.gui.add_command(label, hotkey=hotkey, modifier=modifier)

        @command.on_trigger
        async def _(_: object) -> None:
            self._call(act)

    def follow(self, control: Any, act: Callable[[], object]) -> None:
        """Act whenever the value of a control has changed."""

        @control.on_update
        async def _(_: object) -> None:
            self._call(act)


@dataclass(frozen=True)
class BrowserFront:
    """The parts of a page that a feature adds to."""

    editor: Editor
    hand: Hand  # holds the tool that clicks of browsers are for
    controls: Controls
    overlays: Overlays


class BrowserContribution(Protocol):
    """A feature in browsers."""

    def update(self) -> None:
        """Show what has changed; called again and again."""


@dataclass(frozen=True)
class BrowserPart:
    """Makes a feature's contribution to the pages of a front."""

    FILE: ClassVar[str] = "browser"
    contribute: Callable[[BrowserFront], BrowserContribution]
