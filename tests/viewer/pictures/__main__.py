"""Draw the reference pictures anew: `python -m tests.viewer.pictures [NAME...]` keeps those that changed, or are named.

With --sheet FILE it writes all of them beside each other as well, to be looked at.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from octoscope.viewer.doctor.comparison import difference, drawn
from octoscope.viewer.rendering.context.offscreen import create_context
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.pictures.comparison import FOLDERS, contact_sheet, keep, kept, path_of
from tests.viewer.pictures.scenes import REFERENCES


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.viewer.pictures", description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="of pictures; none: those that changed")
    parser.add_argument("--sheet", type=Path, metavar="FILE", help="write all pictures beside each other")
    arguments = parser.parse_args()
    unknown = set(arguments.names) - set(REFERENCES)
    if unknown:
        parser.error(f"there is no such picture as {sorted(unknown)[0]}; there are {', '.join(REFERENCES)}")
    ctx = create_context()
    if "llvmpipe" not in ctx.info["GL_RENDERER"]:
        parser.error("references are drawn by Mesa's software renderer: LIBGL_ALWAYS_SOFTWARE=1 chooses it")
    renderer = Renderer(ctx)
    pictures = {name: drawn(renderer, reference) for name, reference in REFERENCES.items()}
    for name, picture in pictures.items():
        is_new = not path_of(name).exists()
        apart = None if is_new else difference(picture, kept(name))
        if name in arguments.names or (not arguments.names and (apart is None or apart.is_seen)):
            keep(name, picture)
            print(f"{path_of(name)}: {apart or 'new'}")
    for path in (path for folder in FOLDERS for path in folder.glob("*.png")):
        if path.stem not in REFERENCES or path != path_of(path.stem):
            path.unlink()
            print(f"{path}: removed, as nothing draws it any more")
    if arguments.sheet is not None:
        contact_sheet(pictures).save(arguments.sheet)


main()
