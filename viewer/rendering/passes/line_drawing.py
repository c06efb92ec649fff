"""LineDrawing: octree cells, the frozen frustum and shapes around objects, as thin lines in the scene."""

from __future__ import annotations

import moderngl
import numpy as np

from octoscope.viewer.frame.frame import FrameData
from octoscope.viewer.frame.look.marks import AXIS_COLORS
from octoscope.viewer.rendering.context.opengl import ALPHA_BLENDING, set_matrix
from octoscope.viewer.rendering.context.reversed_depth import ReversedDepth
from octoscope.viewer.rendering.context.shader_library import program_of

_FRUSTUM_COLOR = (1.0, 0.85, 0.2)
_FRUSTUM_SIDE_OPACITY = 0.08
_CELL_BYTES = 32  # of a row of FrameData.helpers.cells
_BOUNDS_COLOR = np.array((0.95, 0.75, 0.30))
_BESIDE = 1e-4  # of the frustum's size: nearer to the plane of a side, the eye is in it
_CIRCLE_SIDES = 48  # of the three circles that stand for a sphere
_CUBE_LINES = np.array(
    [np.roll((end, a, b), axis) for axis in range(3) for a in (-1.0, 1.0) for b in (-1.0, 1.0) for end in (-1.0, 1.0)],
    dtype=np.float32,
)
# Corners of Frustum.corners: at the ends of its edges (x, y and z edges), and of two triangles for each side.
_FRUSTUM_EDGES = np.array([0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7])
# Its near side is not drawn: who looks through the frozen camera would see nothing else.
_FRUSTUM_QUADS = np.array([(4, 5, 6, 7), (0, 1, 4, 5), (2, 3, 6, 7), (0, 2, 4, 6), (1, 3, 5, 7)])


class LineDrawing:
    """Draws a frame's thin lines, with the depth test and depth that are set."""

    def __init__(self, ctx: moderngl.Context, depth: ReversedDepth) -> None:
        self._ctx = ctx
        self._cells = ctx.buffer(reserve=_CELL_BYTES)
        self._cube = ctx.buffer(_CUBE_LINES)
        self._shapes = {name: ctx.buffer(vertices) for name, vertices in _shape_vertices().items()}
        self._defines = depth.defines

    def draw(self, frame: FrameData, target: moderngl.Framebuffer) -> int:
        """Draw the lines of a frame into the framebuffer in use; return the number of draw calls."""
        if not frame.helpers:
            return 0
        self._ctx.enable_only(moderngl.DEPTH_TEST | moderngl.BLEND)
        self._ctx.blend_func = ALPHA_BLENDING
        calls = 0
        if len(frame.helpers.cells):
            calls += self._draw_cells(frame)
        if len(frame.helpers.frozen_frustum):
            sides = _facing_sides(frame.helpers.frozen_frustum)
            if len(sides):
                target.depth_mask = False  # they are see-through and hide nothing
                calls += self._draw_frustum(frame, sides, moderngl.TRIANGLES, _FRUSTUM_SIDE_OPACITY)
                target.depth_mask = True
            calls += self._draw_frustum(frame, _FRUSTUM_EDGES, moderngl.LINES, 1.0)
        for name, placed in frame.helpers.shapes.items():
            if len(placed):
                # Axes are seen through their own object, in which they begin.
                self._ctx.enable_only(moderngl.BLEND if name == "axes" else moderngl.DEPTH_TEST | moderngl.BLEND)
                calls += self._draw_shapes(frame, name, placed)
        return calls

    def _draw_cells(self, frame: FrameData) -> int:
        if frame.helpers.cells.nbytes > self._cells.size:
            self._cells.orphan(frame.helpers.cells.nbytes)
        self._cells.write(frame.helpers.cells)
        content = [
            (self._cube, "3f4", "in_corner"),
            (self._cells, "3f4 1f4 4f4/i", "in_center", "in_half_size", "in_color"),
        ]
        program = self._program(frame, moderngl.LINES, "CELLS")
        return self._render_once(frame, program, content, moderngl.LINES, len(frame.helpers.cells))

    def _draw_shapes(self, frame: FrameData, name: str, placed: np.ndarray) -> int:
        places = self._ctx.buffer(placed)
        content = [
            (self._shapes[name], "3f4 3f4", "in_corner", "in_tint"),
            (places, "3f4 3f4 3f4 3f4/i", "in_x", "in_y", "in_z", "in_center"),
        ]
        program = self._program(frame, moderngl.LINES, "SHAPES")
        calls = self._render_once(frame, program, content, moderngl.LINES, len(placed))
        places.release()
        return calls

    def _draw_frustum(self, frame: FrameData, corners: np.ndarray, mode: int, opacity: float) -> int:
        program = self._program(frame, mode)
        program["line_color"] = (*_FRUSTUM_COLOR, opacity)
        ends = self._ctx.buffer(frame.helpers.frozen_frustum[corners])
        calls = self._render_once(frame, program, [(ends, "3f4", "in_corner")], mode, 1)
        ends.release()
        return calls

    def _program(self, frame: FrameData, mode: int, *defines: str) -> moderngl.Program:
        """Return the program for lines or triangles; OpenGL's own lines may be refused where they are wider than 1."""
        if mode == moderngl.LINES and frame.pixel_ratio > 1.0:
            program = program_of(self._ctx, "lines.glsl", "WIDE", "COLORED", *defines, *self._defines)
            program["picture_size"] = frame.size
            program["line_width"] = frame.pixel_ratio
            return program
        return program_of(self._ctx, "lines.glsl", *defines, *self._defines)

    def _render_once(
        self, frame: FrameData, program: moderngl.Program, content: list, mode: int, instances: int
    ) -> int:
        set_matrix(program, "clip_from_relative", frame.camera.clip_from_relative)
        program["seen_luminance"] = frame.look.backdrop.seen_luminance
        array = self._ctx.vertex_array(program, content)
        array.render(mode, instances=instances)
        array.release()
        return 1

    def release(self) -> None:
        """Delete every OpenGL object."""
        for buffer in (self._cells, self._cube, *self._shapes.values()):
            buffer.release()


def _facing_sides(corners: np.ndarray) -> np.ndarray:
    """Return the corners of the triangles of those sides of a frustum that the eye sees from outside.

    From inside none is seen: they would tint the whole picture.

    Args:
        corners: (8, 3) relative to the eye, as FrameData.helpers.frozen_frustum.

    Returns:
        (k,) int64 indices of the corners, three for each triangle.
    """
    a, b, c, _ = corners[_FRUSTUM_QUADS].transpose(1, 0, 2).astype(np.float64)
    normals = np.cross(b - a, c - a)
    normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-300)[:, None]
    outward = np.sign(np.einsum("ij,ij->i", normals, a - corners.mean(axis=0)))
    distances = outward * np.einsum("ij,ij->i", normals, -a)
    faces_eye = distances > _BESIDE * np.ptp(corners, axis=0).max()
    return _FRUSTUM_QUADS[faces_eye][:, [0, 1, 2, 1, 2, 3]].ravel()


def _shape_vertices() -> dict[str, np.ndarray]:
    """Return the ends of the lines of each of SHAPES as units, (v, 6) float32: place and colour (sRGB)."""
    angles = np.linspace(0.0, 2.0 * np.pi, _CIRCLE_SIDES + 1)
    circle = np.stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)], axis=1)
    ends = np.stack([circle[:-1], circle[1:]], axis=1).reshape(-1, 3)
    axes = np.stack([np.zeros((3, 3)), np.eye(3)], axis=1).reshape(-1, 3)
    shapes: dict[str, tuple[np.ndarray, np.ndarray]] = {
        "box": (_CUBE_LINES, _BOUNDS_COLOR),
        "sphere": (np.concatenate([np.roll(ends, axis, axis=1) for axis in range(3)]), _BOUNDS_COLOR),
        "axes": (axes, np.repeat(AXIS_COLORS, 2, axis=0)),
    }
    return {
        name: np.concatenate([places, np.broadcast_to(colors, places.shape)], axis=1).astype(np.float32)
        for name, (places, colors) in shapes.items()
    }
