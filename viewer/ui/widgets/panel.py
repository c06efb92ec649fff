"""What a panel is to the shell that docks it."""

from __future__ import annotations

from typing import Protocol

from viewer.ui.imgui.theme import Theme


class Panel(Protocol):
    """A dockable part of the window beside the picture.

    Attributes:
        id: names it for good. title: names it for a person. place: "left", "right" or "bottom", where it begins.
        keys: of the default preset, that open and close it. starts_open: whether it is there at first.
    """

    id: str
    title: str
    place: str
    keys: tuple[str, ...]
    starts_open: bool

    def draw(self, theme: Theme) -> None:
        """Draw what is in it, inside its window."""
        ...
