"""BareProgram: a rival for the benchmark of frames, which draws one buffer of triangles and knows nothing else."""

from __future__ import annotations

from collections.abc import Callable

import moderngl
import numpy as np

from octoscope.scene import Scene
from octoscope.scene.geometry.ranges import ranges
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.rendering.context.opengl import set_matrix

_VERTEX_SHADER = """
#version 330 core
uniform mat4 clip_from_relative;
uniform vec3 offset;
in vec3 in_position;
void main() { gl_Position = clip_from_relative * vec4(in_position + offset, 1.0); }
"""
_FRAGMENT_SHADER = """
#version 330 core
out vec4 out_color;
void main() { out_color = vec4(0.7, 0.6, 0.5, 1.0); }
"""


class BareProgram:
    """A program that holds the triangles of some objects in world coordinates, and draws them in one colour.

    Args:
        size: of the picture, pixels.
        scene: whose nodes have identity matrices.
        ids: (k,) nodes with a mesh.
    """

    def __init__(self, ctx: moderngl.Context, size: tuple[int, int], scene: Scene, ids: np.ndarray) -> None:
        self.ctx = ctx
        self._size = size
        rows, mesh_ids = scene.meshes.rows, scene.mesh_ids[ids]
        chosen = ranges(rows["first_triangle"][mesh_ids], rows["triangle_count"][mesh_ids])
        corners = scene.meshes.triangles["corners"][chosen]
        corners = corners + np.repeat(rows["first_vertex"][mesh_ids], rows["triangle_count"][mesh_ids])[:, None]
        used, indices = np.unique(corners, return_inverse=True)
        positions = scene.meshes.vertices["position"][used]  # each object's matrix is the identity
        self._middle = positions.mean(axis=0)
        self._program = ctx.program(vertex_shader=_VERTEX_SHADER, fragment_shader=_FRAGMENT_SHADER)
        self._buffers = (
            ctx.buffer((positions - self._middle).astype(np.float32)),
            ctx.buffer(indices.astype(np.uint32)),
        )
        content = [(self._buffers[0], "3f4", "in_position")]
        self._array = ctx.vertex_array(self._program, content, self._buffers[1])
        self._target = ctx.framebuffer([ctx.texture(self._size, 4)], ctx.depth_renderbuffer(self._size))

    def draw(self, camera: Camera) -> bytes:
        """Draw and read back."""
        self._target.use()
        self._target.clear(0.2, 0.2, 0.2, depth=1.0)
        self.draw_meshes(camera)
        return self._target.read(components=3, alignment=1)

    def draw_meshes(self, camera: Camera) -> None:
        """Draw into the framebuffer in use."""
        self.ctx.enable_only(moderngl.DEPTH_TEST)
        self.ctx.depth_func = "<"
        matrix = camera.clip_from_relative(self._size[0] / self._size[1])
        set_matrix(self._program, "clip_from_relative", matrix.astype(np.float32))
        self._program["offset"] = tuple(self._middle - camera.position)
        self._array.render()

    def release(self) -> None:
        """Delete its OpenGL objects."""
        self.ctx.detect_framebuffer(0).use()
        attachments = (*self._target.color_attachments, self._target.depth_attachment)
        for part in (self._array, *self._buffers, self._program, *attachments, self._target):
            if part is not None:
                part.release()


def covered_pixels(
    ctx: moderngl.Context, size: tuple[int, int], draw: Callable[[], object], *, farthest: float
) -> np.ndarray:
    """Return (height, width) bool: pixels that `draw` draws anything at; `farthest` is its depth of nothing."""
    framebuffer = ctx.framebuffer([ctx.texture(size, 4)], ctx.depth_texture(size))
    framebuffer.use()
    framebuffer.clear(depth=farthest)
    draw()
    depth = np.frombuffer(framebuffer.read(attachment=-1, components=1, dtype="f4"), dtype=np.float32)
    ctx.detect_framebuffer(0).use()
    return depth.reshape(size[1], size[0]) != farthest
