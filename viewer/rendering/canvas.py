"""Pictures of one scene, drawn without a window again and again; viewer.Canvas."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from octoscope.scene import Scene
from octoscope.scene.system.paths import StrPath
from octoscope.viewer.camera import controls
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.camera.views import VIEWS
from octoscope.viewer.frame.look.backdrop import Color
from octoscope.viewer.frame.look.environment_files import environment_called
from octoscope.viewer.frame.look.lighting import LIGHTING, Lighting
from octoscope.viewer.frame.look.shading import STROKES, Strokes
from octoscope.viewer.frame.look.studios import USUAL
from octoscope.viewer.frame.quality import SAMPLES
from octoscope.viewer.frame.section import NO_SECTION, Section
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.buffers import Buffers
from octoscope.viewer.rendering.still_drawing import StillDrawing

if TYPE_CHECKING:
    from PIL import Image


class Canvas:
    """Draws pictures of a scene, without a window, from one camera after another and as the scene changes.

    The scene stays on the graphics card: a further picture takes only what has changed there. Threads may use a canvas
    in turn.

        with Canvas(scene, (640, 360), samples=4) as canvas:
            canvas.camera = camera
            picture = canvas.render()

    Args:
        scene: to be drawn; it is brought up to date before each picture.
        size: width and height, pixels.
        samples: for each pixel: 1, 4, or 16, which alone have shadows and ambient occlusion; None: 16, and 4 for scenes
            of many triangles.

    Other arguments, and errors, are those of viewer.render. ValueError: there is no such number of samples.
    """

    def __init__(
        self,
        scene: Scene,
        size: tuple[int, int] = (1280, 720),
        *,
        samples: int | None = None,
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
    ) -> None:
        if min(size) < 1:
            raise ValueError(f"a picture is at least 1 x 1, not {size[0]} x {size[1]}")
        if samples is not None and samples not in SAMPLES:
            raise ValueError(f"a pixel has {', '.join(map(str, SAMPLES))} samples, not {samples}")
        self._size, self._samples, self._transparent = size, samples, transparent
        self._drawing = StillDrawing()
        self._view = shown = _aimed_view(scene, size, view, camera, orthographic)
        shown.show_octree, shown.show_edges, shown.show_grid = octree, edges, grid
        shown.show_as(mode)
        if matcap is not None:
            shown.show_matcap(matcap)
        shown.strokes, shown.lighting = strokes, light
        shown.environment = environment_called(os.fspath(environment))
        shown.show_before(background)
        shown.section = Section.of(section)

    def __enter__(self) -> Canvas:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Release what is on the card; a later picture would take it there again."""
        self._drawing.release()

    @property
    def camera(self) -> Camera:
        """What the next picture is seen by."""
        return self._view.camera

    @camera.setter
    def camera(self, camera: Camera) -> None:
        self._view.camera = camera

    def render(self) -> Image.Image:
        """Return a picture of the scene as it is now.

        Returns:
            An RGB image, or RGBA if it is transparent; numpy.asarray(image) is (height, width, 3 or 4) uint8.

        Raises:
            NoOpenGL: there is no OpenGL here.
            DrawError: the picture is too much for this machine's OpenGL.
        """
        from PIL import Image  # only here: the program itself does without it

        still = self._drawing.still(self._view, self._size, samples=self._samples, transparent=self._transparent)
        return Image.fromarray(still.pixels)

    def buffers(self) -> Buffers:
        """Return depth, object and normal of what is seen through the middle of each pixel; raises as `render`."""
        return self._drawing.buffers(self._view, self._size)

    def along(self, cameras: Iterable[Camera]) -> Iterator[tuple[Image.Image, Buffers]]:
        """Yield what each of several cameras sees, as `render` and `buffers` return it; raises as `render`."""
        for self.camera in cameras:
            yield self.render(), self.buffers()


def _aimed_view(scene: Scene, size: tuple[int, int], view: str, camera: Camera | None, orthographic: bool) -> View:
    """Return a view of a scene with its camera; arguments and ValueErrors are those of Canvas."""
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
