"""Find functions that show a scene: this package draws nothing, and does not know the format of pages.

What is installed beside it offers that by entry points of a group: functions that take a scene.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.metadata import distributions
from typing import Any

PICTURES = "octoscope.notebook_picture"  # a PNG as bytes, or None where nothing can be drawn
PAGES = "octoscope.page"  # the page of one file as text, of a scene and a title


def offers(group: str) -> Iterator[Callable[..., Any]]:
    """Yield the functions that are offered under the name of a group."""
    for installed in distributions(name="octoscope"):  # a checkout may have an older description of itself beside it
        for offered in installed.entry_points.select(group=group):
            yield offered.load()
