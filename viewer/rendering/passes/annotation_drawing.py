"""AnnotationDrawing: line segments and labels over a finished picture, with moderngl."""

from __future__ import annotations

from collections.abc import Sequence

import moderngl
import numpy as np

from octoscope.viewer.frame.annotations import Annotations
from octoscope.viewer.rendering.context.opengl import ALPHA_BLENDING
from octoscope.viewer.rendering.context.shader_library import program_of

_RIM_COLOR = (0.03, 0.04, 0.05, 0.8)
_RIM_SHARE = 0.09  # of the font's size
_LABEL_FLOATS = 6


class AnnotationDrawing:
    """Draws annotations over the framebuffer in use."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._corners = ctx.buffer(np.array([(-1, -1), (1, -1), (-1, 1), (1, 1)], dtype=np.float32))
        self._tallest = ctx.info["GL_MAX_TEXTURE_SIZE"]

    def release(self) -> None:
        """Delete the buffer."""
        self._corners.release()

    def draw(self, annotations: Annotations, size: tuple[int, int]) -> int:
        """Draw annotations into a picture of this size; return the number of draw calls."""
        self._ctx.enable_only(moderngl.BLEND)
        self._ctx.blend_func = ALPHA_BLENDING
        return self._draw_segments(annotations, size) + self._draw_labels(annotations, size)

    def _draw_segments(self, annotations: Annotations, size: tuple[int, int]) -> int:
        if len(annotations.segments) == 0:
            return 0
        program = program_of(self._ctx, "annotations.glsl")
        program["picture_size"] = size
        program["height"] = float(size[1])
        program["rim_color"] = _RIM_COLOR
        data = np.column_stack([annotations.segments, annotations.widths, annotations.colors]).astype(np.float32)
        # All rims before all segments: where two of them cross, neither cuts the other up.
        rims = (_RIM_SHARE * annotations.font_size_px, 0.0)
        for rim in rims:
            program["rim"] = rim
            self._render_once(program, data, "4f4 1f4 3f4/i", "in_segment", "in_width", "in_color")
        return len(rims)

    def _draw_labels(self, annotations: Annotations, size: tuple[int, int]) -> int:
        pictures = annotations.pictures
        images = [image for image, _ in pictures]
        tops = np.cumsum([0, *(len(image) for image in images)])
        calls = 0
        first = 0
        while first < len(images):  # one below another in a texture, as many as fit
            last = max(first + 1, int(np.searchsorted(tops, tops[first] + self._tallest, side="right")) - 1)
            self._draw_label_batch(images[first:last], [middle for _, middle in pictures[first:last]], size)
            first = last
            calls += 1
        return calls

    def _draw_label_batch(
        self, images: list[np.ndarray], centers: Sequence[tuple[float, float]], size: tuple[int, int]
    ) -> None:
        shapes = np.array([image.shape[:2] for image in images])
        tops = np.cumsum(shapes[:, 0]) - shapes[:, 0]
        sheet = np.zeros((shapes[:, 0].sum(), shapes[:, 1].max(), 4), dtype=np.uint8)
        for image, top in zip(images, tops.tolist(), strict=True):
            sheet[top : top + image.shape[0], : image.shape[1]] = image
        sides = shapes[:, ::-1]
        middles = np.array(centers)
        # On whole pixels, so that each texel is a pixel; and inside the picture.
        places = np.clip(np.round(middles - sides / 2.0), 0.0, np.maximum(np.array(size) - sides, 0.0))
        rectangles = np.zeros((len(images), _LABEL_FLOATS), dtype=np.float32)
        rectangles[:, :2], rectangles[:, 2:4], rectangles[:, 5] = places, sides, tops
        program = program_of(self._ctx, "annotations.glsl", "LABELS")
        program["picture_size"] = size
        program["pictures"] = 0
        texture = self._ctx.texture(sheet.shape[1::-1], 4, sheet.tobytes())
        texture.use(0)
        self._render_once(program, rectangles, "4f4 2f4/i", "in_rectangle", "in_texel")
        texture.release()

    def _render_once(self, program: moderngl.Program, data: np.ndarray, layout: str, *attributes: str) -> None:
        """Draw a quad for each row of `data`."""
        instances = self._ctx.buffer(data)
        content = [(self._corners, "2f4", "in_corner"), (instances, layout, *attributes)]
        array = self._ctx.vertex_array(program, content)
        array.render(moderngl.TRIANGLE_STRIP, instances=len(data))
        array.release()
        instances.release()
