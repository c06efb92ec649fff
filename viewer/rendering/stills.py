"""octoscope.render: one picture of a scene in one call, without a window."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from octoscope.scene import Scene
from octoscope.scene.system.paths import StrPath
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.camera.views import ViewName
from octoscope.viewer.frame.look.backdrop import Color
from octoscope.viewer.frame.look.lighting import LIGHTING, Lighting
from octoscope.viewer.frame.look.shading import STROKES, MatcapName, ModeOrEdges, Strokes
from octoscope.viewer.frame.look.studios import USUAL
from octoscope.viewer.frame.section import NO_SECTION, Section
from octoscope.viewer.rendering.buffers import Buffers
from octoscope.viewer.rendering.canvas import Canvas
from octoscope.viewer.rendering.context.card_errors import DrawError
from octoscope.viewer.rendering.context.offscreen import NoOpenGL
from octoscope.viewer.rendering.drawn import Drawn, takes_size
from octoscope.viewer.window.place import USUAL_SIZE

if TYPE_CHECKING:
    from PIL import Image

_NOTEBOOK_SIZE = (800, 500)  # of a picture in a cell, pixels


@takes_size
def render(
    scene: Drawn,
    size: tuple[int, int] = USUAL_SIZE,
    *,
    view: ViewName | None = None,
    camera: Camera | None = None,
    orthographic: bool = False,
    octree: bool = False,
    edges: bool = False,
    grid: bool = True,
    mode: ModeOrEdges = "shaded",
    matcap: MatcapName | None = None,
    strokes: Strokes = STROKES,
    light: Lighting = LIGHTING,
    environment: StrPath = USUAL,
    background: str | Color | None = None,
    transparent: bool = False,
    section: Section | str | Sequence[str] = NO_SECTION,
) -> Image.Image:
    """Return a picture of a scene, drawn without a window; the scene is brought up to date first.

    Examples:
        >>> render(scene, (64, 36), view="front").save("front.png")
        >>> picture = render("assets/harbour.obj", (64, 36), camera=camera, background="white")

    Args:
        scene: to be drawn; or the path of a file; or what open_tileset returns, whose tiles are read as needed.
        size: width and height, pixels.
        view: "iso", "front", "back", "right", "left", "top" or "bottom"; all of the scene is framed. None: where its
            project was saved, else "iso", if there is no camera.
        camera: looks from elsewhere, in place of `view`.
        orthographic: True shows `view` without perspective.
        octree: True shows the octree's cells.
        edges: True shows the sides of the files' polygons.
        grid: True shows the ground.
        mode: the way of seeing: "shaded", "wireframe", "matcap", "clay", "xray", "facing", "normals", "uv", "depth",
            "objects", "materials", or "edges" for shaded with `edges`.
        matcap: for the mode matcap, which it implies: "plaster", "terracotta", "wax", "skin", "jade", "porcelain",
            "plastic", "graphite", "chrome", "gold", "copper", "rim" or "zebra".
        strokes: sizes of lines and points.
        light: the key light, shadows and ambient occlusion; octoscope.world_light makes one fixed to the world.
        environment: the light from all around: "studio", "day", "overcast", "sunset", "even", or the path of a
            panorama (.hdr or .exr, by the extra octoscope[environment]).
        background: "environment"; a colour as "white", "#1e2226" or red, green and blue, 0 to 1; None: a gradient.
        transparent: True leaves out the background.
        section: planes that cut a part away: texts that say what is kept, one or several: "x<1.5", "y>0" or, with a
            normal, "1,1,0<2.5".

    Returns:
        An RGB image, or RGBA if it is transparent; numpy.asarray(image) is (height, width, 3 or 4) uint8.

    Raises:
        ValueError: there is no such view, mode, matcap or background, a size is below 1, or a text is no plane; or of
            two arguments one would have no effect, such as `view` with `camera`.
        ReadError: there is no such environment, or its file cannot be read.
        NoOpenGL: there is no OpenGL here.
        DrawError: the picture is too much for this machine's OpenGL.
    """
    with Canvas(
        scene,
        size,
        view=view,
        camera=camera,
        orthographic=orthographic,
        octree=octree,
        edges=edges,
        grid=grid,
        mode=mode,
        matcap=matcap,
        strokes=strokes,
        light=light,
        environment=environment,
        background=background,
        transparent=transparent,
        section=section,
    ) as canvas:
        return canvas.render()


def notebook_picture(scene: Scene) -> bytes | None:
    """Return a picture of a scene as PNG for a cell of a notebook, or None where nothing can be drawn (no OpenGL)."""
    file = io.BytesIO()
    try:
        render(scene, _NOTEBOOK_SIZE).save(file, format="PNG")
    except (NoOpenGL, DrawError):
        return None
    return file.getvalue()


@takes_size
def render_buffers(
    scene: Drawn,
    size: tuple[int, int] = USUAL_SIZE,
    *,
    view: ViewName | None = None,
    camera: Camera | None = None,
    orthographic: bool = False,
    section: Section | str | Sequence[str] = NO_SECTION,
) -> Buffers:
    """Return what is seen through the middle of each pixel of a picture of a scene, which is brought up to date first.

    Arguments and errors are those of `render`.
    """
    with Canvas(scene, size, view=view, camera=camera, orthographic=orthographic, section=section) as canvas:
        return canvas.buffers()
