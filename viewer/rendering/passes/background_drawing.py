"""BackgroundDrawing: what lies behind the scene, a gradient or the environment; and the ground, wherever it is seen."""

from __future__ import annotations

import math

import moderngl
import numpy as np

from octoscope.scene.geometry.colors import linear_from_srgb
from octoscope.viewer.frame.frame import FrameData, GroundGrid
from octoscope.viewer.frame.projection import level_from_clip
from octoscope.viewer.rendering.context.opengl import ALPHA_BLENDING, color_texture, linear_light, set_matrix
from octoscope.viewer.rendering.context.quads import Quads
from octoscope.viewer.rendering.context.reversed_depth import ReversedDepth
from octoscope.viewer.rendering.passes.light_target import LightTarget
from octoscope.viewer.rendering.resources.gpu_environment import GpuEnvironment

_PARALLEL_HALF_ANGLE = math.radians(17.5)  # as if the picture of a parallel projection had this much of a lens


class BackgroundDrawing:
    """Draws the background wherever nothing was drawn, and the ground.

    The ground is seen from above as a part of the background: to blend it over that in a pass of its own takes a
    software renderer twice as long. Seen from below it is before the scene.
    """

    def __init__(self, ctx: moderngl.Context, depth: ReversedDepth, quads: Quads, environment: GpuEnvironment) -> None:
        self._ctx = ctx
        self._defines = depth.defines
        self._quads = quads
        self._environment = environment

    def draw(self, frame: FrameData, light: LightTarget | None = None) -> int:
        """Draw the background, with the ground if that is behind the scene, into the framebuffer in use.

        Returns:
            The number of draw calls.
        """
        self._ctx.enable_only(moderngl.DEPTH_TEST)
        self._ctx.depth_func = ">="
        is_transparent = frame.look.backdrop.is_transparent
        shows_environment = frame.look.backdrop.shows_environment and not is_transparent
        shows_ground = frame.grid is not None and frame.grid.is_behind
        defines = [*["ENVIRONMENT"] * shows_environment, *["RECEIVED_LIGHT"] * (light is not None)]
        defines += [*["GROUND"] * shows_ground, *["TRANSPARENT"] * is_transparent]
        quad = self._quads.of("background.glsl", *self._defines, *defines)
        program = quad.program
        if shows_environment:
            program["half_size"] = _half_size(frame)
            program["mirrored"] = 0
            program["texel"] = self._environment.use(frame.look.environment.environment, 0)
            set_matrix(program, "environment_from_view", frame.look.environment.environment_from_view)
        elif not is_transparent:
            program["bottom"], program["top"] = frame.look.backdrop.bottom, frame.look.backdrop.top
        if frame.grid is not None and shows_ground:
            matrix = level_from_clip(frame.camera.clip_from_upright, frame.grid.height)
            set_matrix(program, "ground_from_clip", matrix)
            _set_lines(program, frame, frame.grid)
        if light is not None:
            color_texture(light.light).use(1)
            program["received_light"] = 1
            program["picture_size"] = frame.size
        quad.render()
        self._ctx.depth_func = ">"
        return 1

    def draw_ground_before(self, frame: FrameData, target: moderngl.Framebuffer) -> int:
        """Draw the ground if it is before the scene into a target that is in use; return the number of draw calls."""
        if frame.grid is None or frame.grid.is_behind:
            return 0
        self._ctx.enable_only(moderngl.DEPTH_TEST | moderngl.BLEND)
        self._ctx.blend_func = ALPHA_BLENDING
        target.depth_mask = False  # the ground is see-through and hides nothing
        quad = self._quads.of("grid.glsl", *self._defines)
        set_matrix(quad.program, "clip_from_upright", frame.camera.clip_from_upright)
        quad.program["height"], quad.program["reach"] = frame.grid.height, frame.grid.fade_distance
        _set_lines(quad.program, frame, frame.grid)
        with linear_light(self._ctx):
            quad.render()
        target.depth_mask = True
        return 1


def _set_lines(program: moderngl.Program, frame: FrameData, grid: GroundGrid) -> None:
    """Set the uniforms of ground.glsl."""
    program["cell_size"] = grid.cell_size
    program["phase"] = grid.phase
    program["fade_distance"] = grid.fade_distance
    program["line_width"] = frame.pixel_ratio
    program["line_color"] = tuple(linear_from_srgb(frame.look.backdrop.ground).tolist())


def _half_size(frame: FrameData) -> tuple[float, float]:
    """Return half the width and half the height of what the camera sees at a distance of 1."""
    clip_from_view = frame.camera.clip_from_relative[:, :3] @ frame.camera.view_from_relative.T
    if not np.any(clip_from_view[3]):
        height = math.tan(_PARALLEL_HALF_ANGLE)
        return height * frame.size[0] / frame.size[1], height
    return 1.0 / float(clip_from_view[0, 0]), 1.0 / float(clip_from_view[1, 1])
