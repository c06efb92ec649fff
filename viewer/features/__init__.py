"""Features: each is a folder that can be taken away, and the program does without it.

The core knows a feature by its name in FEATURES alone. A window asks each one what it adds (`contribution.py`); what a
feature needs of the core is handed to it as the context of commands. A feature imports the core, and no other feature.

Imports viewer.commands, viewer.tools, viewer.ui and below.

    contribution  Contribution: everything that a feature adds to a window; BrowserPart: to browsers.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from octoscope.viewer.commands.context import Context
    from octoscope.viewer.features.contribution import BrowserPart, Contribution

# In the order in which their panels are listed and their tools are offered what the pointer does.
FEATURES = (
    "octree_view",
    "axis_widget",
    "light_tool",
    "history",
    "bookmarks",
    "camera_panel",
    "section",
    "measuring",
    "drop",
    "overlaps",
)


def installed_features() -> list[str]:
    """Return the names of the features whose folders are there."""
    folder = Path(__file__).parent
    return [name for name in FEATURES if (folder / name / "feature.py").is_file()]


def contributions(context: Context) -> list[Contribution]:
    """Return what each feature adds to the window whose commands act on a context."""
    return [import_module(f"{__name__}.{name}.feature").contribute(context) for name in installed_features()]


def browser_parts(front: object) -> list[BrowserPart]:
    """Return what features add to browsers, for a BrowserFront."""
    names = [f"{__name__}.{name}.browser" for name in installed_features()]
    return [import_module(name).contribute(front) for name in names if find_spec(name)]
