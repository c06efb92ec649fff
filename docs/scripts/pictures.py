"""Draw the guide's pictures again: `make docs-pictures`, or some: `make docs-pictures ARGS="windows examples"`.

    windows   the real window, worked by keys and mouse (Xvfb, xdotool)
    tour      the moving picture of the README, likewise
    examples  what the scripts in tests/examples draw
    octree    the octree's page, with its table
    gallery   beside other programs; needs f3d, pyvista and bpy, and leaves out what is missing. Only by its name

Look at each that has changed.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path

from docs.scripts import example_pictures, gallery_pictures, tour, window_pictures

PICTURES = Path(__file__).parents[1] / "pictures"
_MAKERS = {
    "windows": lambda: window_pictures.main(PICTURES),
    "tour": lambda: tour.main(PICTURES),
    "examples": lambda: example_pictures.main(PICTURES / "examples"),
    # of a feature that may be taken away
    "octree": lambda: import_module("tests.viewer.features.octree_view.guide_pictures").main(),
    "gallery": lambda: gallery_pictures.main([]),
}


def main() -> None:
    """Draw those that are named, or all but the gallery."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("which", nargs="*", choices=[*_MAKERS, []], metavar="WHICH", help=f"of {', '.join(_MAKERS)}")
    for name in parser.parse_args().which or [name for name in _MAKERS if name != "gallery"]:
        _MAKERS[name]()


if __name__ == "__main__":
    main()
