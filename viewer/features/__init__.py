"""Features: each is a folder that can be taken away, and the program does without it.

The core knows a feature by its name in FEATURES alone. What a feature adds to one place of the program is a `Part`, a
value of a kind that this place defines: PART in the file of the feature's folder that the kind names.

- NAME/feature.py       WindowPart (viewer/app/contribution.py): panels, commands, tools ... of a window.
- NAME/decoration.py    DecorationPart (viewer/frame/view.py): what is drawn in every picture.
- NAME/command_line.py  CommandLinePart (viewer/cli/arguments/command_line.py): commands and options of the program.
- NAME/environment.py   EnvironmentPart (viewer/frame/look/environment_names.py): environments that files hold.
- NAME/stream.py        StreamPart (viewer/app/contribution.py): what reads a streamed scene beside a window.
- NAME/notebook.py      NotebookPart (viewer/app/contribution.py): show(scene, where="notebook") or "page".
- NAME/browser.py       BrowserPart (`web/front.py`): controls in browsers, if the feature `web` is there.

A feature imports the core, and no other feature but for that front.

Imports viewer.commands, viewer.tools, viewer.ui and below.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import ClassVar, Protocol, TypeVar

# In the order in which their panels are listed and their tools are offered what the pointer does.
FEATURES = (
    "first_steps",
    "settings_window",
    "tiles",
    "axis_widget",
    "rulers",
    "scale_bar",
    "color_bars",
    "light_tool",
    "panoramas",
    "object_table",
    "asset_browser",
    "materials_panel",
    "history",
    "bookmarks",
    "camera_panel",
    "section",
    "measuring",
    "annotations",
    "octree_view",
    "cursor",
    "drop",
    "clipboard",
    "overlaps",
    "mesh_checks",
    "web",
    "page",
    "console",
)


class Part(Protocol):
    """A feature's addition to one place of the program."""

    FILE: ClassVar[str]  # the file in a feature's folder that holds it, without .py


_P = TypeVar("_P", bound=Part)


def parts(kind: type[_P]) -> list[_P]:
    """Return the parts of a kind, in the order of FEATURES; only the files that hold them are imported."""
    folder = Path(__file__).parent
    found = []
    for feature in FEATURES:
        if (folder / feature / f"{kind.FILE}.py").is_file():
            part = import_module(f"{__name__}.{feature}.{kind.FILE}").PART
            if not isinstance(part, kind):
                raise TypeError(f"{feature}/{kind.FILE}.py: PART must be a {kind.__name__}, not {part!r}")
            found.append(part)
    return found
