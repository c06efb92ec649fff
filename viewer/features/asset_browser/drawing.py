"""The process that draws thumbnails, so that the window neither waits for a file nor ends with a broken one.

`python -m octoscope.viewer.features.asset_browser.drawing` takes a line of JSON for each file from its standard input,
the path and that of the PNG to write, and answers each with a line of JSON: why there is no picture, or "". It ends
when its standard input does. The PNG has a text, "octoscope", with what else was found out: FACTS.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from octoscope.scene import ReadError, Scene
from octoscope.scene.formats.readers import ReadOptions, read_file
from octoscope.scene.system.atomic_file import SaveError, atomic_file
from octoscope.viewer.camera import controls
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.context.card_errors import DrawError
from octoscope.viewer.rendering.context.offscreen import NoOpenGL
from octoscope.viewer.rendering.still_drawing import StillDrawing

SIDE = 160  # pixels
# The box: lower and upper corner where `up_axis` is up, or Y, in the file's unit of length.
FACTS = ("box", "up_axis", "length_unit", "objects", "triangles")
_MOST_BYTES = 2**31  # of memory, for one file
_NICENESS = 5
_SAMPLES = 4


def main() -> None:
    """Draw what the lines of the standard input ask for."""
    with suppress(AttributeError, OSError):  # Windows has no such thing
        os.nice(_NICENESS)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # for what drivers and libraries print
    with StillDrawing() as drawing:
        for line in sys.stdin:
            path, png = map(Path, json.loads(line))
            print(json.dumps(draw_thumbnail(drawing, path, png)), file=answers, flush=True)


def draw_thumbnail(drawing: StillDrawing, path: Path, png: Path) -> str:
    """Write a picture of a file; return why that failed, or ""."""
    try:
        content = read_file(path, ReadOptions(_MOST_BYTES))
        up_axis = content.up_axis
        scene = Scene(up_axis=up_axis)
        scene.add_content(content, path)
        bounds = scene.bounds()
        if bounds is None:
            return "there is nothing to see in it"
        facts = dict(
            zip(
                FACTS,
                (
                    [corner.tolist() for corner in bounds],
                    up_axis,
                    content.length_unit,
                    len(scene.objects),
                    int(scene.meshes.rows["triangle_count"][scene.mesh_ids[scene.mesh_ids >= 0]].sum()),
                ),
                strict=True,
            )
        )
        view = View(scene)
        view.settings.show_grid = False
        view.settings.backdrop = replace(view.settings.backdrop, is_transparent=True)
        view.camera = controls.look_from(view.camera, "iso")
        view.layout.resize((SIDE, SIDE))
        view.framing.frame_nodes(None)
        pixels = drawing.still(view, (SIDE, SIDE), samples=_SAMPLES, transparent=True).pixels
        about = PngInfo()
        about.add_text("octoscope", json.dumps(facts))
        with atomic_file(png) as file:
            Image.fromarray(pixels).save(file, format="PNG", pnginfo=about)
    except (ReadError, NoOpenGL, DrawError, SaveError, MemoryError) as error:
        return str(error) or "out of memory"
    return ""


if __name__ == "__main__":
    main()
