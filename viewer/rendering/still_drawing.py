"""Pictures of a view, drawn without a window.

They have sixteen samples a pixel; those of a scene with many triangles have four, which take a quarter of the time. The
number depends on the scene alone, so that pictures of one scene match, whatever the camera sees and culling leaves.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

import moderngl
import numpy as np

from octoscope.viewer.frame.frame import ViewportFrame
from octoscope.viewer.frame.quality import BEST, SAMPLES, UNSAMPLED
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.buffers import Buffers
from octoscope.viewer.rendering.context.card_errors import DrawError
from octoscope.viewer.rendering.context.offscreen import image_of, offscreen_thread
from octoscope.viewer.rendering.renderer import Renderer
from octoscope.viewer.rendering.transparent_background import transparent_image_of, without_background

if TYPE_CHECKING:
    from PIL import Image

# A picture of so many with four samples takes about a tenth of a second where the processor draws.
_MOST_REFINED = 250_000
_FEW_SAMPLES = 4

_T = TypeVar("_T")


@dataclass(frozen=True, eq=False)
class Still:
    """A finished picture."""

    # (height, width, 3) uint8 RGB, top row first; (height, width, 4) RGBA where nothing is behind the scene, whose
    # colours are not multiplied by their opacity
    pixels: np.ndarray
    draw_calls: int  # number of draw calls
    messages: list[str]  # a line about each kind of thing that is missing in it
    buffers: Buffers | None  # depths, object ids and normals, if they were asked for


class StillDrawing:
    """Draws pictures without a window, one after another, from any thread; what they share stays on the card.

    It is a context manager, which releases that.
    """

    def __init__(self) -> None:
        self._renderer: Renderer | None = None
        self._end: Callable[[], object] = lambda: None

    def __enter__(self) -> StillDrawing:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Release what is on the card."""
        self.release()

    def release(self) -> None:
        """Release what is on the card; a later picture would take it there again."""
        self._renderer = None
        self._end()

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

        def draw(renderer: Renderer) -> Still:
            frames = _draw(renderer, view, size, samples, transparent)
            pixels = (transparent_image_of if transparent else image_of)(renderer.picture)
            buffers = replace(renderer.buffers(frames, size), scene=view.scene) if has_buffers else None
            return Still(pixels, renderer.draw_calls, renderer.messages, buffers)

        return self._call(draw)

    def image(self, view: View, size: tuple[int, int], *, samples: int | None, transparent: bool) -> Image.Image:
        """Draw as `still` does, and return the picture alone, as Pillow's."""
        from PIL import Image  # only here: the program itself does without it

        def draw(renderer: Renderer) -> Image.Image:
            _draw(renderer, view, size, samples, transparent)
            if transparent:
                return Image.fromarray(transparent_image_of(renderer.picture))
            # Pillow and the card both keep four bytes for a pixel; any other way copies them one by one.
            data = renderer.picture.read(components=4)
            return Image.frombytes("RGB", size, data, "raw", "RGBX", 0, -1)  # from the lowest row up

        return self._call(draw)

    def buffers(self, view: View, size: tuple[int, int]) -> Buffers:
        """Return what is at each pixel of a picture, of a size in pixels, without drawing it; raises as `still`."""
        return self._call(lambda renderer: replace(renderer.buffers(view.build_frames(size), size), scene=view.scene))

    def _call(self, draw: Callable[[Renderer], _T]) -> _T:
        thread = offscreen_thread()

        def draw_with(ctx: moderngl.Context) -> _T:
            if self._renderer is None or self._renderer.ctx is not ctx:  # that was given up, with all that it had
                self._renderer = Renderer(ctx)
                self._end = weakref.finalize(self, thread.release, self._renderer)
            return draw(self._renderer)

        return thread.call(draw_with)


def _draw(
    renderer: Renderer, view: View, size: tuple[int, int], samples: int | None, transparent: bool
) -> Sequence[ViewportFrame]:
    """Draw as `still` does into the renderer's picture, and return the frames."""
    largest = renderer.ctx.info["GL_MAX_TEXTURE_SIZE"]
    if max(size) > largest:
        raise DrawError(f"this machine's OpenGL draws at most {largest} pixels a side")
    frames = view.build_frames(size)
    if samples is None:
        meshes = view.scene.mesh_ids[view.visibility.shown_ids()]  # in sight or not
        triangles = view.scene.meshes.rows["triangle_count"][meshes].sum()
        samples = SAMPLES[-1] if triangles <= _MOST_REFINED else _FEW_SAMPLES
    draw_frames(renderer, view, without_background(frames) if transparent else frames, size, samples)
    return frames


def draw_frames(
    renderer: Renderer, view: View, frames: Sequence[ViewportFrame], size: tuple[int, int], samples: int
) -> None:
    """Draw the frames of a view, with so many samples of SAMPLES for each pixel, as the renderer's picture."""
    if samples == SAMPLES[-1]:
        renderer.render_best(view.with_occluders(frames), size)
    else:
        renderer.render_parts(frames, size, BEST if samples == _FEW_SAMPLES else UNSAMPLED)
