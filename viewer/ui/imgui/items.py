"""What an item of Dear ImGui's is called: its label is also its id, and what stands behind "##" in it is not shown."""

from __future__ import annotations

_NOTHING_WIDE = "\u200b"  # zero width space, which the font has


def item(text: str, item_id: object) -> str:
    """A label that shows all of a text, whatever it holds, and goes by its id, whatever it shows.

    Args:
        item_id: unlike that of the others beside it, and not empty.

    Raises:
        ValueError: an empty id, with which Dear ImGui ends the program at the root of a window.
    """
    if item_id == "":
        raise ValueError(f"an item's id must not be empty: {text}")
    return text.replace("#", f"#{_NOTHING_WIDE}") + f"###{item_id}"
