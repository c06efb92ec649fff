"""Renderer: draws FrameData and reads nothing else.

Passes, in order: background, opaque meshes and their polygons' edges, ground, translucent meshes and their edges,
octree and frustum, outlines, annotations. Each pass sets all the state that it needs. The scene is drawn with 4x
multisampling into a target of the renderer's own and resolved into `picture`, which a window copies and a script reads.
Each of several viewports has its own target, drawn as if it were alone; the targets are then copied beside each other.
All share one copy of the scene on the card.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import moderngl
import numpy as np

from viewer.frame.frame import DrawList, FrameData, ViewportFrame
from viewer.rendering.annotation_drawing import AnnotationDrawing
from viewer.rendering.mesh_drawing import MeshDrawing
from viewer.rendering.opengl import ALPHA_BLENDING, color_texture, set_matrix
from viewer.rendering.shader_library import build_program
from viewer.rendering.translucent_drawing import TranslucentTarget

_SAMPLES = 4
_FROZEN_FRUSTUM_COLOR = (1.0, 0.85, 0.2, 1.0)
_BETWEEN_COLOR = (0.055, 0.059, 0.067)  # between viewports
_EDGE_COLOR = (0.02, 0.02, 0.03, 0.6)
_CUBE_LINES = np.array(
    [np.roll((end, a, b), axis) for axis in range(3) for a in (-1.0, 1.0) for b in (-1.0, 1.0) for end in (-1.0, 1.0)],
    dtype=np.float32,
)


@dataclass(frozen=True)
class _OutlineStyle:
    """The look of outlines; lengths in logical pixels.

    Attributes:
        color: sRGB, 0 to 1.
        active_color: that of the active object.
        width: of the line.
        rim: width of the dark lines on either side.
    """

    color: tuple[float, float, float]
    active_color: tuple[float, float, float]
    width: float
    rim: float


_SELECTED = _OutlineStyle((0.97, 0.38, 0.04), (1.0, 0.62, 0.12), 2.0, 0.75)
# A line of one pixel with rims of one pixel, so that each has its colour alone.
_HOVERED = _OutlineStyle((0.92, 0.95, 1.0), (0.92, 0.95, 1.0), 1.0, 1.0)


class DrawError(Exception):
    """A picture that this graphics card cannot draw; the message is one line."""


class Renderer:
    """Draws frames with one context.

    Args:
        indirect: whether to use multi-draw-indirect; None uses it where the context has it (OpenGL 4.3).
        upload_seconds: time that a picture may wait for meshes to be uploaded; the others are left out of it. None
            waits for all.

    Attributes:
        picture: framebuffer with the finished picture of the last `render`, in a texture.
        draw_calls: number of draw calls of the last `render`.
    """

    def __init__(
        self, ctx: moderngl.Context, *, indirect: bool | None = None, upload_seconds: float | None = None
    ) -> None:
        self.ctx = ctx
        self.draw_calls = 0
        self._widest_line = ctx.info["GL_ALIASED_LINE_WIDTH_RANGE"][1]
        self._upload_seconds = upload_seconds
        self._meshes = MeshDrawing(ctx, indirect=indirect)
        self._annotations = AnnotationDrawing(ctx)
        self._corners = ctx.buffer(np.array([(-1, -1), (1, -1), (-1, 1), (1, 1)], dtype=np.float32))
        self._quads = {
            name: ctx.vertex_array(
                build_program(ctx, f"{name}.glsl"), self._corners, "in_corner", mode=moderngl.TRIANGLE_STRIP
            )
            for name in ("background", "grid", "outline", "paste", "translucent")
        }
        self._cells = ctx.buffer(reserve=20)
        self._cube_lines = ctx.buffer(_CUBE_LINES)
        self._cube_program = build_program(ctx, "lines.glsl", "CUBES")
        self._line_program = build_program(ctx, "lines.glsl")
        self._samples = min(_SAMPLES, ctx.max_samples)
        self._targets = [_Target(ctx, (1, 1), self._samples)]
        self._whole: moderngl.Framebuffer | None = None
        self.picture = self._targets[0].picture

    @property
    def messages(self) -> list[str]:
        """A line about each kind of thing that the last `render` could not draw as it should be."""
        return self._meshes.messages

    @property
    def has_pending_uploads(self) -> bool:
        """True if the last picture lacks meshes that it had no time for."""
        return self._meshes.has_pending_uploads

    def upload_pending(self) -> None:
        """Upload more meshes, for as long as a picture may wait.

        Raises:
            DrawError: as `render`.
        """
        with _draw_errors():
            self._meshes.upload_pending(self._upload_seconds)

    def render(self, frame: FrameData) -> None:
        """Draw a frame into `picture`.

        Raises:
            DrawError: it is too much for the card's memory or limits.
        """
        self.render_parts([ViewportFrame(frame, (0, 0))], frame.size)

    def render_parts(self, parts: Sequence[ViewportFrame], size: tuple[int, int]) -> None:
        """Draw frames into their places in `picture`, which gets this size.

        Raises:
            DrawError: as `render`.
        """
        with _draw_errors():
            self.draw_calls = 0
            self._resize([part.frame.size for part in parts], size)
            for part, target in zip(parts, self._targets, strict=True):
                self._draw_passes(part.frame, target)
            self._put_together(parts)

    def render_outlines(self, parts: Sequence[ViewportFrame]) -> None:
        """Draw outlines and annotations of frames again, over the scene as it was drawn last.

        Raises:
            DrawError: as `render`.
        """
        with _draw_errors():
            for part, target in zip(parts, self._targets, strict=True):
                self._meshes.upload(part.frame, self._upload_seconds)
                self._draw_outlines(part.frame, target)
            self._put_together(parts)

    def _draw_passes(self, frame: FrameData, target: _Target) -> None:
        target.multisampled.use()
        target.multisampled.clear(depth=1.0)
        self.ctx.line_width = min(frame.pixel_ratio, self._widest_line)
        self.ctx.disable(moderngl.DEPTH_TEST | moderngl.BLEND | moderngl.CULL_FACE)
        program = self._quads["background"].program
        program["bottom"], program["top"] = frame.backdrop.bottom, frame.backdrop.top
        self._draw_quad("background")
        # All that is opaque comes first and writes depth; what is blended over it is tested against that depth.
        self.draw_meshes(frame)
        self._draw_edges(frame, "opaque")
        self._draw_ground(frame, target.multisampled)
        self._draw_translucent(frame, target)
        self._draw_lines(frame)
        self._draw_outlines(frame, target)

    def draw_meshes(self, frame: FrameData) -> None:
        """Draw what is visible and opaque into the framebuffer in use, with the depth test."""
        self._meshes.upload(frame, self._upload_seconds)
        self.ctx.enable_only(moderngl.DEPTH_TEST | moderngl.PROGRAM_POINT_SIZE)
        self.ctx.depth_func = "<"
        self.draw_calls += self._draw_part(frame, "opaque") + self._draw_part(frame, "opaque parts")

    def _draw_part(self, frame: FrameData, part: str) -> int:
        calls = self._meshes.draw(frame, frame.visible, "lit", "triangle", part=part)
        seen = frame.backdrop.seen_luminance
        return calls + self._meshes.draw(frame, frame.visible, "unlit", "line", "point", part=part, seen_luminance=seen)

    def _draw_translucent(self, frame: FrameData, target: _Target) -> None:
        if frame.visible.opaque_count == frame.visible.count:
            return
        if target.translucent is None:
            target.translucent = TranslucentTarget(self.ctx, target.multisampled)
        # The surfaces are gathered in any order, then blended over the opaque scene in one pass.
        target.translucent.begin()
        self.draw_calls += self._draw_part(frame, "translucent")
        target.translucent.blend(self._quads["translucent"])
        self.draw_calls += 1
        self._draw_edges(frame, "translucent")

    def release(self) -> None:
        """Delete every OpenGL object of the renderer; the context may live on without it."""
        self.ctx.detect_framebuffer(0).use()  # moderngl would bind a deleted one again
        self._meshes.release()
        self._annotations.release()
        _release([framebuffer for target in self._targets for framebuffer in target.framebuffers])
        if self._whole is not None:
            _release([self._whole])
        for quad in self._quads.values():
            quad.program.release()
            quad.release()
        for part in (self._corners, self._cells, self._cube_lines, self._cube_program, self._line_program):
            part.release()

    def _draw_edges(self, frame: FrameData, part: str) -> None:
        if frame.polygon_edges is None:
            return
        self.ctx.enable_only(moderngl.DEPTH_TEST | moderngl.BLEND)
        self.ctx.blend_func = ALPHA_BLENDING
        self.draw_calls += self._meshes.draw(frame, frame.visible, "solid", "edge", part=part, solid_color=_EDGE_COLOR)

    def _draw_quad(self, name: str) -> None:
        self._quads[name].render()
        self.draw_calls += 1

    def _draw_lines(self, frame: FrameData) -> None:
        if len(frame.cells) == 0 and len(frame.frozen_frustum) == 0:
            return
        self.ctx.enable_only(moderngl.DEPTH_TEST | moderngl.BLEND)
        self.ctx.blend_func = ALPHA_BLENDING
        if len(frame.cells):
            if frame.cells.nbytes > self._cells.size:
                self._cells.orphan(frame.cells.nbytes)
            self._cells.write(frame.cells)
            set_matrix(self._cube_program, "clip_from_relative", frame.clip_from_relative)
            self._cube_program["seen_luminance"] = frame.backdrop.seen_luminance
            content = [
                (self._cube_lines, "3f4", "in_corner"),
                (self._cells, "3f4 1f4 1f4/i", "in_center", "in_half_size", "in_level"),
            ]
            self._render_once(self._cube_program, content, len(frame.cells))
        if len(frame.frozen_frustum):
            set_matrix(self._line_program, "clip_from_relative", frame.clip_from_relative)
            self._line_program["seen_luminance"] = frame.backdrop.seen_luminance
            self._line_program["line_color"] = _FROZEN_FRUSTUM_COLOR
            ends = self.ctx.buffer(frame.frozen_frustum)
            self._render_once(self._line_program, [(ends, "3f4", "in_corner")], 1)
            ends.release()

    def _render_once(self, program: moderngl.Program, content: list, instances: int) -> None:
        array = self.ctx.vertex_array(program, content)
        array.render(moderngl.LINES, instances=instances)
        array.release()
        self.draw_calls += 1

    def _draw_ground(self, frame: FrameData, target: moderngl.Framebuffer) -> None:
        if frame.grid is None:
            return
        self.ctx.enable_only(moderngl.DEPTH_TEST | moderngl.BLEND)
        self.ctx.blend_func = ALPHA_BLENDING
        target.depth_mask = False  # the ground is see-through and hides nothing
        program = self._quads["grid"].program
        set_matrix(program, "clip_from_relative", frame.clip_from_relative)
        program["height"] = frame.grid.height
        program["cell_size"] = frame.grid.cell_size
        program["phase"] = frame.grid.phase
        program["fade_distance"] = frame.grid.fade_distance
        program["line_width"] = frame.pixel_ratio
        program["color"] = frame.backdrop.ground
        self._draw_quad("grid")
        target.depth_mask = True

    def _draw_outlines(self, frame: FrameData, target: _Target) -> None:
        """Resolve the scene into the picture, and draw outlines and annotations over it."""
        target.picture.use()  # after a copy moderngl sets the draw buffers of the framebuffer in use
        self.ctx.copy_framebuffer(target.picture, target.multisampled)
        self._draw_outline(frame, target, _HOVERED, frame.hovered)
        self._draw_outline(frame, target, _SELECTED, frame.selected, frame.active)
        if frame.annotations is not None:
            target.picture.use()
            self.draw_calls += self._annotations.draw(frame.annotations, frame.size)

    def _draw_outline(self, frame: FrameData, target: _Target, style: _OutlineStyle, *lists: DrawList) -> None:
        """Draw the numbers of objects, nearest first, then lines along the borders between different numbers."""
        if not any(outlined.count for outlined in lists):
            return
        target.objects.use()
        target.objects.clear()
        self.ctx.enable_only(moderngl.DEPTH_TEST | moderngl.PROGRAM_POINT_SIZE)
        self.ctx.depth_func = "<"
        for outlined in lists:
            is_active = outlined is frame.active
            self.draw_calls += self._meshes.draw(
                frame, outlined, "objects", "triangle", "line", "point", is_active=is_active
            )
        target.picture.use()
        self.ctx.enable_only(moderngl.BLEND)
        self.ctx.blend_func = ALPHA_BLENDING
        color_texture(target.objects).use(0)
        program = self._quads["outline"].program
        program["objects"] = 0
        program["color"] = style.color
        program["active_color"] = style.active_color
        program["width"] = style.width * frame.pixel_ratio
        program["rim"] = style.rim * frame.pixel_ratio
        self._draw_quad("outline")

    def _put_together(self, parts: Sequence[ViewportFrame]) -> None:
        """Copy the viewports' pictures into the whole; one that is the whole is that already."""
        whole = self._whole
        if whole is None:
            return
        whole.use()
        whole.clear(*_BETWEEN_COLOR)
        self.ctx.enable_only(moderngl.NOTHING)
        program = self._quads["paste"].program
        program["part"] = 0
        for part, target in zip(parts, self._targets, strict=True):
            (x, y), (width, height) = part.corner, part.frame.size
            lower = whole.height - y - height  # OpenGL counts rows from below
            whole.viewport = (x, lower, width, height)
            program["corner"] = (x, lower)
            color_texture(target.picture).use(0)
            self._draw_quad("paste")
        whole.viewport = (0, 0, *whole.size)

    def _resize(self, sizes: Sequence[tuple[int, int]], whole_size: tuple[int, int]) -> None:
        """Make a target for each size, and one for the whole where one alone does not fill it."""
        has_parts = list(sizes) != [whole_size]
        old: list[moderngl.Framebuffer] = []
        if [target.size for target in self._targets] != list(sizes):
            old += [framebuffer for target in self._targets for framebuffer in target.framebuffers]
            self._targets = [_Target(self.ctx, size, self._samples) for size in sizes]
        if self._whole is not None and not (has_parts and self._whole.size == whole_size):
            old.append(self._whole)
            self._whole = None
        if has_parts and self._whole is None:
            self._whole = _picture(self.ctx, whole_size)
        self.picture = self._targets[0].picture if self._whole is None else self._whole
        # The old ones go only when a new one is bound: moderngl would bind a deleted framebuffer again.
        self._targets[0].multisampled.use()
        _release(old)


class _Target:
    """The framebuffers of one viewport.

    Attributes:
        multisampled: the scene.
        picture: the resolved scene, with outlines and annotations.
        objects: the numbers of outlined objects.
        translucent: gathers translucent surfaces; None until there are any.
    """

    def __init__(self, ctx: moderngl.Context, size: tuple[int, int], samples: int) -> None:
        self.size = size
        self.multisampled = ctx.framebuffer(
            [ctx.renderbuffer(size, 4, samples=samples)], ctx.depth_renderbuffer(size, samples=samples)
        )
        self.picture = _picture(ctx, size)
        self.objects = ctx.framebuffer([ctx.texture(size, 1, dtype="f4")], ctx.depth_renderbuffer(size))
        self.translucent: TranslucentTarget | None = None

    @property
    def framebuffers(self) -> tuple[moderngl.Framebuffer, ...]:
        others = () if self.translucent is None else self.translucent.framebuffers
        return self.multisampled, self.picture, self.objects, *others


def _picture(ctx: moderngl.Context, size: tuple[int, int]) -> moderngl.Framebuffer:
    texture = ctx.texture(size, 4)
    texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
    texture.swizzle = "RGB1"  # a window shows it opaque, whatever was blended into it
    return ctx.framebuffer([texture])


@contextmanager
def _draw_errors() -> Iterator[None]:
    try:
        yield
    except (moderngl.Error, MemoryError) as error:
        raise DrawError(f"the picture could not be drawn ({' '.join(str(error).split())})") from error


def _release(framebuffers: Sequence[moderngl.Framebuffer]) -> None:
    for framebuffer in framebuffers:
        for attachment in (*framebuffer.color_attachments, framebuffer.depth_attachment):
            if attachment is not None:
                attachment.release()
        framebuffer.release()
