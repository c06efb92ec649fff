"""Labels of Dear ImGui items, which are also their ids; "##" hides the rest of a label."""

from __future__ import annotations

_NOTHING_WIDE = "\u200b"  # zero width space, which the font has


def item(text: str, item_id: object) -> str:
    """Return a label that shows all of a text, even "##", and whose id depends only on `item_id`.

    The id must differ from those of other items in the window.

    Raises:
        ValueError: the id is empty; Dear ImGui would end the program.
    """
    if item_id == "":
        raise ValueError(f"an item's id must not be empty: {text}")
    return text.replace("#", f"#{_NOTHING_WIDE}") + f"###{item_id}"
