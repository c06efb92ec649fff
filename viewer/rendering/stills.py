"""Pictures drawn without a window: of a view, or of a scene in one call (viewer.render).

They have sixteen samples a pixel; those of a scene with many triangles have four, which take a quarter of the time. The
number depends on the scene alone, so that pictures of one scene match, whatever the camera sees and culling leaves.
"""

from __future__ import annotations

import io
import os
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

import moderngl
import numpy as np

from scene import Scene
from scene.system.paths import StrPath
from viewer.camera import controls
from viewer.camera.camera import Camera
from viewer.camera.views import VIEWS
from viewer.frame.frame import ViewportFrame
from viewer.frame.look.backdrop import Color
from viewer.frame.look.environment_files import environment_called
from viewer.frame.look.lighting import LIGHTING, Lighting
from viewer.frame.look.shading import STROKES, Strokes
from viewer.frame.look.studios import USUAL
from viewer.frame.quality import BEST, SAMPLES, UNSAMPLED
from viewer.frame.section import NO_SECTION, Section
from viewer.frame.view import View
from viewer.rendering.buffers import Buffers
from viewer.rendering.context.offscreen import NoOpenGL, image_of, offscreen_thread
from viewer.rendering.renderer import DrawError, Renderer
from viewer.rendering.transparent_background import without_background

if TYPE_CHECKING:
    from PIL import Image

# A picture of so many with four samples takes about a tenth of a second where the processor draws.
_MOST_REFINED = 250_000
_FEW_SAMPLES = 4
_NOTEBOOK_SIZE = (800, 500)  # of a picture in a cell, pixels

_T = TypeVar("_T")


@dataclass(frozen=True, eq=False)
class Still:
    """A finished picture.

    Attributes:
        pixels: (height, width, 3) uint8 RGB, top row first; (height, width, 4) RGBA where nothing is behind the scene,
            whose colours are not multiplied by their opacity.
        draw_calls: number of draw calls.
        messages: a line about each kind of thing that is missing in it.
        buffers: what is at each pixel, if that was asked for.
    """

    pixels: np.ndarray
    draw_calls: int
    messages: list[str]
    buffers: Buffers | None


class StillDrawing:
    """Draws pictures without a window, one after another, from any thread; what they share stays on the card.

    It is a context manager, which releases that.
    """

    def __init__(self) -> None:
        self._renderer: Renderer | None = None
        self._release: Callable[[], object] = lambda: None

    def __enter__(self) -> StillDrawing:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Release what is on the card."""
        self._renderer = None
        self._release()

    def still(
        self,
        view: View,
        size: tuple[int, int],
        *,
        samples: int | None = None,
        transparent: bool = False,
        has_buffers: bool = False,
    ) -> Still:
        """Draw all viewports of a view.

        Args:
            view: to draw.
            size: of the picture, pixels.
            samples: of SAMPLES, for each pixel; None: as many as the scene's size allows.
            transparent: True leaves out the background.
            has_buffers: True makes buffers, too.

        Raises:
            NoOpenGL: there is no OpenGL here.
            DrawError: the picture is too much for this machine's OpenGL.
        """
        return self._call(lambda renderer: _draw(renderer, view, size, samples, transparent, has_buffers))

    def buffers(self, view: View, size: tuple[int, int]) -> Buffers:
        """Return what is at each pixel of a picture, of a size in pixels, without drawing it; raises as `still`."""
        return self._call(lambda renderer: renderer.buffers(view.build_frames(size), size))

    def _call(self, draw: Callable[[Renderer], _T]) -> _T:
        thread = offscreen_thread()

        def draw_with(ctx: moderngl.Context) -> _T:
            if self._renderer is None or self._renderer.ctx is not ctx:  # that was given up, with all that it had
                self._renderer = Renderer(ctx)
                self._release = weakref.finalize(self, thread.release, self._renderer)
            return draw(self._renderer)

        return thread.call(draw_with)


def _draw(
    renderer: Renderer, view: View, size: tuple[int, int], samples: int | None, transparent: bool, has_buffers: bool
) -> Still:
    largest = renderer.ctx.info["GL_MAX_TEXTURE_SIZE"]
    if max(size) > largest:
        raise DrawError(f"this machine's OpenGL draws at most {largest} pixels a side")
    frames = view.build_frames(size)
    buffers = renderer.buffers(frames, size) if has_buffers else None
    if samples is None:
        samples = SAMPLES[-1] if _shown_triangles(view) <= _MOST_REFINED else _FEW_SAMPLES

    def pixels_of(frames: Sequence[ViewportFrame]) -> np.ndarray:
        if samples == SAMPLES[-1]:
            renderer.render_best(view.with_occluders(frames), size)
        else:
            renderer.render_parts(frames, size, BEST if samples == _FEW_SAMPLES else UNSAMPLED)
        return image_of(renderer.picture)

    if transparent:
        pixels = without_background(frames, pixels_of)
    else:
        pixels = pixels_of(frames)
    return Still(pixels, renderer.draw_calls, renderer.messages, buffers)


def _shown_triangles(view: View) -> int:
    """Return the number of triangles of all objects that are shown, in sight or not."""
    scene = view.scene
    return int(scene.meshes.rows["triangle_count"][scene.mesh_ids[view.shown_ids()]].sum())


def render(
    scene: Scene,
    size: tuple[int, int] = (1280, 720),
    *,
    view: str = "iso",
    camera: Camera | None = None,
    orthographic: bool = False,
    octree: bool = False,
    edges: bool = False,
    grid: bool = True,
    mode: str = "shaded",
    matcap: str | None = None,
    strokes: Strokes = STROKES,
    light: Lighting = LIGHTING,
    environment: StrPath = USUAL,
    background: str | Color | None = None,
    transparent: bool = False,
    section: Section | str | Sequence[str] = NO_SECTION,
) -> Image.Image:
    """Return a picture of a scene, drawn without a window; the scene is brought up to date first.

    Args:
        scene: to be drawn.
        size: width and height, pixels.
        view: one of viewer.camera.views.VIEWS; all of the scene is framed.
        camera: looks from elsewhere, in place of `view`.
        orthographic: True shows `view` without perspective.
        octree: True shows the octree's cells.
        edges: True shows the sides of the files' polygons.
        grid: True shows the ground.
        mode: the way of seeing: a name of viewer.frame.look.shading.MODES, or "edges" for shaded with `edges`.
        matcap: a name of viewer.frame.look.shading.MATCAPS, for the mode matcap, which it implies.
        strokes: sizes of lines and points.
        light: the key light, shadows and ambient occlusion; viewer.world_light makes one fixed to the world.
        environment: the light from all around: a name of viewer.frame.look.environment.STUDIOS, or the path of a
            panorama (.hdr or .exr, by the extra octoscope[environment]).
        background: "environment"; a colour as "white", "#1e2226" or red, green and blue, 0 to 1; None: a gradient.
        transparent: True leaves out the background.
        section: planes that cut a part away: texts such as "x<1.5", as viewer.frame.section.SectionPlane.from_text
            reads them, one or several.

    Returns:
        An RGB image, or RGBA if it is transparent; numpy.asarray(image) is (height, width, 3 or 4) uint8.

    Raises:
        ValueError: there is no such view, mode, matcap or background, a size is below 1, or a text is no plane.
        ReadError: there is no such environment, or its file cannot be read.
        NoOpenGL: there is no OpenGL here.
        DrawError: the picture is too much for this machine's OpenGL.
    """
    shown = _aimed_view(scene, size, view, camera, orthographic)
    shown.show_octree, shown.show_edges, shown.show_grid = octree, edges, grid
    shown.show_as(mode)
    if matcap is not None:
        shown.show_matcap(matcap)
    shown.strokes, shown.lighting = strokes, light
    shown.environment = environment_called(os.fspath(environment))
    shown.show_before(background)
    shown.section = Section.of(section)
    from PIL import Image  # only here: the program itself does without it

    return Image.fromarray(StillDrawing().still(shown, size, transparent=transparent).pixels)


def notebook_picture(scene: Scene) -> bytes | None:
    """Return a picture of a scene as PNG for a cell of a notebook, or None where nothing can be drawn (no OpenGL)."""
    file = io.BytesIO()
    try:
        render(scene, _NOTEBOOK_SIZE).save(file, format="PNG")
    except (NoOpenGL, DrawError):
        return None
    return file.getvalue()


def render_buffers(
    scene: Scene,
    size: tuple[int, int] = (1280, 720),
    *,
    view: str = "iso",
    camera: Camera | None = None,
    orthographic: bool = False,
    section: Section | str | Sequence[str] = NO_SECTION,
) -> Buffers:
    """Return what is seen through the middle of each pixel of a picture of a scene, which is brought up to date first.

    Arguments and errors are those of `render`.
    """
    shown = _aimed_view(scene, size, view, camera, orthographic)
    shown.section = Section.of(section)
    return StillDrawing().buffers(shown, size)


def _aimed_view(scene: Scene, size: tuple[int, int], view: str, camera: Camera | None, orthographic: bool) -> View:
    """Return a view of a scene with its camera; arguments and ValueErrors are those of `render`."""
    if min(size) < 1:
        raise ValueError(f"a picture is at least 1 x 1, not {size[0]} x {size[1]}")
    if view not in VIEWS:
        raise ValueError(f"there is no such view as {view!r}; there are {', '.join(VIEWS)}")
    shown = View(scene)
    if camera is None:
        shown.camera = replace(controls.look_from(shown.camera, view), orthographic=orthographic)
        shown.resize(size)
        shown.frame_nodes(None)
    else:
        shown.camera = camera
    return shown
