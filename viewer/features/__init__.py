"""Features: each is a folder that can be taken away, and the program does without it.

The core knows a feature by its name in FEATURES alone, and imports of its folder what is called so:

- NAME/feature.py       contribute(context): what it adds to a window (`contribution.py`).
- NAME/decoration.py     decorate(view): a Decoration, which is drawn in its pictures (viewer/frame/decoration.py).
- NAME/command_line.py  COMMANDS: commands of the program, each in a file of that name with `run(options)`.
                        OPTIONS: functions that add options to other commands.
                        open_streamed(files, options): a StreamedScene (viewer/frame/streamed_scene.py), or None.
- NAME/stream.py        TileStream: the Stream of such a scene in a window.
- NAME/info.py          add_facts(scene, options, facts): what `octoscope info` says; the facts are for JSON.
- NAME/browser.py       contribute(front): what it adds to browsers, if the feature `web` is there (`web/front.py`).
- NAME/notebook.py      show_in_notebook: show(scene, where="notebook").

A feature imports the core, and no other feature but for that front.

Imports viewer.commands, viewer.tools, viewer.ui and below.

    contribution  Contribution: everything that a feature adds to a window.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType

# In the order in which their panels are listed and their tools are offered what the pointer does.
FEATURES = (
    "octree_view",
    "axis_widget",
    "color_bars",
    "light_tool",
    "history",
    "bookmarks",
    "camera_panel",
    "section",
    "measuring",
    "drop",
    "overlaps",
    "web",
    "tiles",
)


def modules_called(name: str) -> list[ModuleType]:
    """Return the modules of a name that lie in folders of features."""
    folder = Path(__file__).parent
    return [
        import_module(f"{__name__}.{feature}.{name}")
        for feature in FEATURES
        if (folder / feature / f"{name}.py").is_file()
    ]
