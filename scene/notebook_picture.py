"""A picture of a scene that stands alone in a cell of a notebook.

This package draws nothing. What is installed beside it and can draw says so by an entry point of the group GROUP: a
function that takes a scene and returns a PNG, or None where it cannot draw.
"""

from __future__ import annotations

from importlib.metadata import distributions

GROUP = "octoscope.notebook_picture"


def notebook_picture(scene: object) -> bytes | None:
    """Return a scene as PNG, or None where nothing that is installed can draw it."""
    for installed in distributions(name="octoscope"):  # a checkout may have an older description of itself beside it
        for offered in installed.entry_points.select(group=GROUP):
            picture = offered.load()(scene)
            if picture is not None:
                return bytes(picture)
    return None
