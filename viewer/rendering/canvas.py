"""octoscope.Canvas: pictures of one scene without a window, again and again, with depths and ids or along cameras."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from octoscope.guesses import public
from octoscope.scene.system.paths import StrPath
from octoscope.scene.system.report import warn
from octoscope.viewer.camera.camera import Camera, require_camera
from octoscope.viewer.camera.views import ViewName
from octoscope.viewer.frame.look.backdrop import Color
from octoscope.viewer.frame.look.environment_names import environment_called
from octoscope.viewer.frame.look.lighting import LIGHTING, Lighting
from octoscope.viewer.frame.look.shading import STROKES, MatcapName, ModeOrEdges, Strokes
from octoscope.viewer.frame.look.studios import USUAL
from octoscope.viewer.frame.quality import SAMPLES
from octoscope.viewer.frame.section import NO_SECTION, Section
from octoscope.viewer.frame.streamed_scene import lod_views_of
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.buffers import Buffers
from octoscope.viewer.rendering.drawn import Drawn, checked_size, scene_of, takes_size
from octoscope.viewer.rendering.still_drawing import StillDrawing
from octoscope.viewer.window.place import USUAL_SIZE

if TYPE_CHECKING:
    from PIL import Image

_MADE_WITH = "it is chosen when the canvas is made: Canvas(scene, size, ...)"


@public(
    instead={
        **dict.fromkeys(("depth", "ids", "normals"), "canvas.buffers() has depth, ids and normals"),
        **dict.fromkeys(("draw", "save", "screenshot"), "canvas.render().save(path)"),
        "frames": "canvas.along(cameras)",
        "scene": "the one that the canvas was made with",
        **dict.fromkeys(("look_at", "view"), "set canvas.camera = Camera.looking_at(eye, target)"),
        **dict.fromkeys(("background", "edges", "environment", "grid", "light", "mode"), _MADE_WITH),
        **dict.fromkeys(("octree", "samples", "section", "size", "transparent"), _MADE_WITH),
    },
)
class Canvas:
    """Draws pictures of a scene, without a window, from one camera after another and as the scene changes.

    The scene stays on the graphics card: a further picture takes only what has changed there. Threads may use a canvas
    in turn.

    Examples:
        >>> with Canvas(scene, (64, 36), samples=4) as canvas:
        ...     for canvas.camera in (camera, replace(camera, distance=20)):
        ...         picture, buffers = canvas.render(), canvas.buffers()

    Args:
        scene: to be drawn, and brought up to date before each picture; or the path of a file; or what open_tileset
            returns, of which each picture reads the tiles that it needs.
        size: width and height, pixels.
        samples: for each pixel: 1, 4, or 16, which alone have shadows and ambient occlusion; None: 16, and 4 for scenes
            of many triangles.

    Other arguments, and errors, are those of octoscope.render. ValueError: there is no such number of samples.
    """

    @takes_size
    def __init__(
        self,
        scene: Drawn,
        size: tuple[int, int] = USUAL_SIZE,
        *,
        samples: int | None = None,
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
    ) -> None:
        size = checked_size(size)
        shown_scene, self._streamed = scene_of(scene)
        if samples is not None and samples not in SAMPLES:
            raise ValueError(f"a pixel has {', '.join(map(str, SAMPLES))} samples, not {samples}")
        if matcap is not None and mode not in ("shaded", "matcap"):
            raise ValueError(f"matcap={matcap!r} is for the mode matcap, not for mode={mode!r}: give one of them")
        if transparent and background is not None:
            raise ValueError("transparent=True leaves out the background: give no background with it")
        self._size, self._samples, self._transparent = size, samples, transparent
        self._drawing = StillDrawing()
        self._view = shown = View(shown_scene)
        if octree:
            shown.show("octree")
        shown.settings.show_edges, shown.settings.show_grid = edges, grid
        shown.settings.show_as(mode)
        if matcap is not None:
            shown.settings.show_matcap(matcap)
        shown.settings.strokes, shown.settings.lighting = strokes, light
        shown.settings.environment = environment_called(os.fspath(environment))
        shown.settings.show_before(background)
        shown.settings.backdrop = replace(shown.settings.backdrop, is_transparent=transparent)
        shown.settings.section = Section.of(section)
        shown.settings.simplifying = self._streamed is None  # its parts are levels of detail themselves
        _aim(shown, size, view, camera, orthographic)
        if camera is None and self._streamed is not None:  # the coarse tiles that are there first are of another size
            self._read_streamed()
            shown.framing.frame_nodes(None)

    def __enter__(self) -> Canvas:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the canvas."""
        self.close()

    def close(self) -> None:
        """Release what is on the card; a later picture would take it there again."""
        self._drawing.release()

    @property
    def camera(self) -> Camera:
        """What the next picture is seen by."""
        return self._view.camera.with_depth_range(*self._view.visibility.bounds)

    @camera.setter
    def camera(self, camera: Camera) -> None:
        require_camera(camera)
        self._view.camera = camera

    def render(self) -> Image.Image:
        """Return a picture of the scene as it is now.

        Returns:
            An RGB image, or RGBA if it is transparent; numpy.asarray(image) is (height, width, 3 or 4) uint8.

        Raises:
            NoOpenGL: there is no OpenGL here.
            DrawError: the picture is too much for this machine's OpenGL.
        """
        self._read_streamed()
        return self._drawing.image(self._view, self._size, samples=self._samples, transparent=self._transparent)

    def buffers(self) -> Buffers:
        """Return depth, object and normal of what is seen through the middle of each pixel; raises as `render`."""
        self._read_streamed()
        return self._drawing.buffers(self._view, self._size)

    def _read_streamed(self) -> None:
        """Read what the next picture needs of a streamed scene; warn of what cannot be read."""
        if self._streamed is not None:
            self._view.layout.resize(self._size)
            for line in self._streamed.read_all(lod_views_of(self._view)):
                warn(line)

    def along(self, cameras: Iterable[Camera]) -> Iterator[tuple[Image.Image, Buffers]]:
        """Yield what each of several cameras sees, as `render` and `buffers` return it; raises as `render`.

        Examples:
            >>> cameras = [Camera.looking_at((x, 20, 40), (0, 0, 0)) for x in (-20, 20)]
            >>> with Canvas(scene, (64, 36)) as canvas:
            ...     shapes = [(picture.size, buffers.depth.shape) for picture, buffers in canvas.along(cameras)]
        """
        for self.camera in cameras:
            yield self.render(), self.buffers()


def _aim(shown: View, size: tuple[int, int], view: ViewName | None, camera: Camera | None, orthographic: bool) -> None:
    """Place the camera of a view, once its colour bars are known; arguments and errors are those of Canvas."""
    if camera is None:
        shown.layout.resize(size)
        shown.framing.look_first(view, orthographic=orthographic)
    else:
        require_camera(camera)
        if view is not None or orthographic:
            raise ValueError(
                "view and orthographic are for pictures without camera=; Camera.looking_at(..., orthographic=True), or "
                "dataclasses.replace(camera, orthographic=True), is one without perspective"
            )
        shown.camera = camera
