"""The protocol of a panel that the shell docks."""

from __future__ import annotations

from typing import Protocol

from octoscope.viewer.ui.imgui.theme import Theme


class Panel(Protocol):
    """A dockable part of the window beside the picture. The properties are class attributes of real panels."""

    @property
    def id(self) -> str:
        """A name that stays the same."""

    @property
    def title(self) -> str:
        """The name that is shown."""

    @property
    def place(self) -> str:
        """The side where it is docked at first: "left", "right" or "bottom"; "middle" for none, over the picture."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the default preset that open and close it."""

    @property
    def starts_open(self) -> bool:
        """True if it is open at first."""

    def draw(self, theme: Theme) -> None:
        """Draw the contents, inside the panel's window."""
