"""The protocol of a panel that the shell docks."""

from __future__ import annotations

from typing import Protocol

from viewer.ui.imgui.theme import Theme


class Panel(Protocol):
    """A dockable part of the window beside the picture.

    Attributes:
        id: a name that stays the same.
        title: shown to the user.
        place: where it is docked at first: "left", "right" or "bottom".
        keys: of the default preset, that open and close it.
        starts_open: whether it is open at first.
    """

    id: str
    title: str
    place: str
    keys: tuple[str, ...]
    starts_open: bool

    def draw(self, theme: Theme) -> None:
        """Draw the contents, inside the panel's window."""
        ...
