"""Renderer: draws a FrameData and reads nothing else. Passes, in order: background, meshes, lines, ground, outline.

Each pass sets all the state it needs. The scene is drawn with 4x multisampling into a target of the renderer's
own and resolved into `picture`, which a window copies and a script reads. OpenGL 3.3 draws each mesh with one
instanced call; from 4.3 on one multi-draw-indirect call draws them all.
"""

from __future__ import annotations

import moderngl
import numpy as np

from viewer.frame import DrawList, FrameData
from viewer.gpu_scene import GpuScene
from viewer.shader_library import build_program

_SAMPLES = 4
_SAMPLE_ALPHA_TO_COVERAGE = 0x809E
_FROZEN_FRUSTUM_COLOR = (1.0, 0.85, 0.2, 1.0)
_CUBE_LINES = np.array(
    [np.roll((end, a, b), axis) for axis in range(3) for a in (-1.0, 1.0) for b in (-1.0, 1.0) for end in (-1.0, 1.0)],
    dtype=np.float32,
)


class DrawError(Exception):
    """A picture that this graphics card cannot draw; the message is one line."""


class Renderer:
    """Draws frames with one context.

    Args:
        indirect: whether to use multi-draw-indirect; None uses it where the context has it (OpenGL 4.3).

    Attributes:
        picture: framebuffer with the finished picture of the last `render`.
        draw_calls: issued by the last `render`.
    """

    def __init__(self, ctx: moderngl.Context, *, indirect: bool | None = None) -> None:
        self.ctx = ctx
        self.draw_calls = 0
        self._indirect = ctx.version_code >= 430 if indirect is None else indirect
        self._gpu_scene = GpuScene(ctx)
        self._path = ("INDIRECT",) if self._indirect else ()
        self._mesh_program = build_program(ctx, "mesh.glsl", *self._path)
        self._textured_program: moderngl.Program | None = None  # made when a scene has textures: few pay for it
        self._mask_program = build_program(ctx, "mesh.glsl", "MASK", *self._path)
        self._mesh_arrays: dict[moderngl.Program, moderngl.VertexArray] = {}
        self._commands = ctx.buffer(reserve=20)
        quad = ctx.buffer(np.array([(-1, -1), (1, -1), (-1, 1), (1, 1)], dtype=np.float32))
        self._quads = {
            name: ctx.vertex_array(build_program(ctx, f"{name}.glsl"), quad, "in_corner", mode=moderngl.TRIANGLE_STRIP)
            for name in ("background", "grid", "outline")
        }
        self._cells = ctx.buffer(reserve=20)
        self._cube_lines = ctx.buffer(_CUBE_LINES)
        self._cube_program = build_program(ctx, "lines.glsl", "CUBES")
        self._line_program = build_program(ctx, "lines.glsl")
        self._samples = min(_SAMPLES, ctx.max_samples)
        self._targets: list[moderngl.Framebuffer] = []
        self._resize((1, 1))

    @property
    def picture(self) -> moderngl.Framebuffer:
        return self._picture

    def render(self, frame: FrameData) -> None:
        """Draw a frame into `picture`.

        Raises:
            DrawError: it is too much for the card's memory or limits.
        """
        try:
            self._draw_passes(frame)
        except (moderngl.Error, MemoryError) as error:
            raise DrawError(f"the picture could not be drawn ({' '.join(str(error).split())})") from error

    def _draw_passes(self, frame: FrameData) -> None:
        self.draw_calls = 0
        self._resize(frame.size)
        self._multisampled.use()
        self._multisampled.clear(depth=1.0)
        self.ctx.disable(moderngl.DEPTH_TEST | moderngl.BLEND | moderngl.CULL_FACE)
        self._draw_quad("background")
        self.draw_meshes(frame)
        self._draw_lines(frame)
        self._draw_ground(frame)
        self.ctx.copy_framebuffer(self._picture, self._multisampled)
        self._draw_outline(frame)

    def draw_meshes(self, frame: FrameData) -> None:
        """The pass that draws what is visible, into the framebuffer in use: lit, by depth, nothing else."""
        self._upload(frame)
        self.ctx.enable_only(moderngl.DEPTH_TEST)
        self.ctx.depth_func = "<"
        # Opacity without sorting: a part of the samples. It needs multisampling, and then holds for any order.
        self.ctx.enable_direct(_SAMPLE_ALPHA_TO_COVERAGE)
        program = self._mesh_program
        if self._gpu_scene.texture_array is not None:
            program = self._textured_program
            program["textures"] = 2
            self._gpu_scene.texture_array.use(2)
        program["view_from_relative"].write(_columns(frame.view_from_relative))
        program["up"] = tuple(frame.view_from_relative[:, 1].tolist())
        self._draw_list(program, frame, frame.visible, 0, 0)
        self.ctx.disable_direct(_SAMPLE_ALPHA_TO_COVERAGE)

    def release(self) -> None:
        """Give back what is large: the copy of the scene and the targets. The rest goes with the context."""
        self._gpu_scene.release()
        _release_targets(self._targets)

    def _upload(self, frame: FrameData) -> None:
        self._gpu_scene.update_materials(frame.materials)
        stale = self._gpu_scene.update_meshes(frame.meshes)
        stale |= self._gpu_scene.update_instances(frame.visible.instances, frame.selected.instances)
        if self._gpu_scene.texture_array is not None and self._textured_program is None:
            self._textured_program = build_program(self.ctx, "mesh.glsl", "TEXTURED", *self._path)
            stale = True
        if stale or not self._mesh_arrays:
            self._bind_buffers()
        commands = np.concatenate([frame.visible.commands, frame.selected.commands])
        commands[len(frame.visible.commands) :, 4] += len(frame.visible.instances)
        if commands.nbytes > self._commands.size:
            self._commands.orphan(2 * commands.nbytes)
        self._commands.write(commands)

    def _bind_buffers(self) -> None:
        gpu = self._gpu_scene
        for array in self._mesh_arrays.values():
            array.release()
        self._mesh_arrays = {}
        layouts = [
            (self._mesh_program, "3f4 4f2 8x 1u4", ("in_position", "in_normal", "in_material")),
            (self._mask_program, "3f4 20x", ("in_position",)),
        ]
        if self._textured_program is not None:
            layouts.append(
                (self._textured_program, "3f4 4f2 2f4 1u4", ("in_position", "in_normal", "in_uv", "in_material"))
            )
        for program, layout, attributes in layouts:
            content = [(gpu.vertices, layout, *attributes)]
            if self._indirect:
                content.append((gpu.instance_ids, "1u4/i", "in_instance"))
            self._mesh_arrays[program] = self.ctx.vertex_array(program, content, gpu.indices)

    def _draw_list(
        self,
        program: moderngl.Program,
        frame: FrameData,
        draws: DrawList,
        first_command: int,
        first_instance: int,
    ) -> None:
        """Issue a list's draws; the firsts say where `_upload` put its commands and its instances."""
        if draws.count == 0:
            return
        program["instances"] = 0
        self._gpu_scene.instance_texture.use(0)
        if "materials" in program:
            program["materials"] = 1
            self._gpu_scene.material_texture.use(1)
        program["clip_from_relative"].write(_columns(frame.clip_from_relative))
        array = self._mesh_arrays[program]
        if self._indirect:
            array.render_indirect(self._commands, moderngl.TRIANGLES, len(draws.commands), first_command)
            self.draw_calls += 1
            return
        uniform = program["first_instance"]
        for index_count, instance_count, first_index, _, first in draws.commands.tolist():
            uniform.value = first_instance + first
            array.render(moderngl.TRIANGLES, index_count, first=first_index, instances=instance_count)
        self.draw_calls += len(draws.commands)

    def _draw_quad(self, name: str) -> None:
        self._quads[name].render()
        self.draw_calls += 1

    def _draw_lines(self, frame: FrameData) -> None:
        if len(frame.cells) == 0 and len(frame.frozen_frustum) == 0:
            return
        self.ctx.enable_only(moderngl.DEPTH_TEST | moderngl.BLEND)
        self.ctx.blend_func = moderngl.DEFAULT_BLENDING
        clip_from_relative = _columns(frame.clip_from_relative)
        if len(frame.cells):
            if frame.cells.nbytes > self._cells.size:
                self._cells.orphan(frame.cells.nbytes)
            self._cells.write(frame.cells)
            self._cube_program["clip_from_relative"].write(clip_from_relative)
            content = [
                (self._cube_lines, "3f4", "in_corner"),
                (self._cells, "3f4 1f4 1f4/i", "in_center", "in_half_size", "in_level"),
            ]
            self._render_once(self._cube_program, content, len(frame.cells))
        if len(frame.frozen_frustum):
            self._line_program["clip_from_relative"].write(clip_from_relative)
            self._line_program["line_color"] = _FROZEN_FRUSTUM_COLOR
            ends = self.ctx.buffer(frame.frozen_frustum)
            self._render_once(self._line_program, [(ends, "3f4", "in_corner")], 1)
            ends.release()

    def _render_once(self, program: moderngl.Program, content: list, instances: int) -> None:
        array = self.ctx.vertex_array(program, content)
        array.render(moderngl.LINES, instances=instances)
        array.release()
        self.draw_calls += 1

    def _draw_ground(self, frame: FrameData) -> None:
        if frame.grid is None:
            return
        self.ctx.enable_only(moderngl.DEPTH_TEST | moderngl.BLEND)
        self.ctx.blend_func = moderngl.DEFAULT_BLENDING
        self._multisampled.depth_mask = False  # it is see-through: it hides nothing
        program = self._quads["grid"].program
        program["clip_from_relative"].write(_columns(frame.clip_from_relative))
        program["height"] = frame.grid.height
        program["cell_size"] = frame.grid.cell_size
        program["phase"] = frame.grid.phase
        program["fade_distance"] = frame.grid.fade_distance
        self._draw_quad("grid")
        self._multisampled.depth_mask = True

    def _draw_outline(self, frame: FrameData) -> None:
        if frame.selected.count == 0:
            return
        self._silhouette.use()
        self._silhouette.clear()
        self.ctx.enable_only(moderngl.NOTHING)
        behind = frame.visible
        self._draw_list(self._mask_program, frame, frame.selected, len(behind.commands), len(behind.instances))
        self._picture.use()
        self.ctx.enable_only(moderngl.BLEND)
        self.ctx.blend_func = moderngl.DEFAULT_BLENDING
        self._silhouette.color_attachments[0].use(0)
        self._quads["outline"].program["silhouette"] = 0
        self._draw_quad("outline")

    def _resize(self, size: tuple[int, int]) -> None:
        if self._targets and self._picture.size == size:
            return
        ctx, old_targets = self.ctx, self._targets
        self._multisampled = ctx.framebuffer(
            [ctx.renderbuffer(size, 4, samples=self._samples)], ctx.depth_renderbuffer(size, samples=self._samples)
        )
        self._picture = ctx.framebuffer([ctx.renderbuffer(size, 4)])
        self._silhouette = ctx.framebuffer([ctx.texture(size, 1)])
        self._targets = [self._multisampled, self._picture, self._silhouette]
        # The old ones go only when a new one is bound: moderngl would bind a deleted framebuffer again.
        self._multisampled.use()
        _release_targets(old_targets)


def _release_targets(targets: list[moderngl.Framebuffer]) -> None:
    for target in targets:
        for attachment in (*target.color_attachments, target.depth_attachment):
            if attachment is not None:
                attachment.release()
        target.release()


def _columns(matrix: np.ndarray) -> np.ndarray:
    """A matrix as OpenGL reads it, column by column: the one place where matrices are transposed."""
    return np.ascontiguousarray(matrix.T)
