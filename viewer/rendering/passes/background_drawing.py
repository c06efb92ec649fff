"""BackgroundDrawing: what lies behind the scene, a gradient or the environment."""

from __future__ import annotations

import math

import moderngl
import numpy as np

from viewer.frame.frame import FrameData
from viewer.rendering.context.opengl import color_texture, set_matrix
from viewer.rendering.context.quads import Quads
from viewer.rendering.context.reversed_depth import ReversedDepth
from viewer.rendering.passes.light_target import LightTarget
from viewer.rendering.resources.gpu_environment import GpuEnvironment

_PARALLEL_HALF_ANGLE = math.radians(17.5)  # as if the picture of a parallel projection had this much of a lens


class BackgroundDrawing:
    """Draws the background wherever nothing was drawn.

    Args:
        ctx: to draw with.
        depth: in use while something is drawn.
        quads: of the context.
        environment: the card's copy of it.
    """

    def __init__(self, ctx: moderngl.Context, depth: ReversedDepth, quads: Quads, environment: GpuEnvironment) -> None:
        self._ctx = ctx
        self._defines = depth.defines
        self._quads = quads
        self._environment = environment

    def draw(self, frame: FrameData, light: LightTarget | None = None) -> int:
        """Draw into the framebuffer in use.

        Args:
            frame: to draw.
            light: says how dark the ground is; None: it is not.

        Returns:
            The number of draw calls.
        """
        self._ctx.enable_only(moderngl.DEPTH_TEST)
        self._ctx.depth_func = ">="
        shows_environment = frame.backdrop.shows_environment
        defines = [*["ENVIRONMENT"] * shows_environment, *["RECEIVED_LIGHT"] * (light is not None)]
        quad = self._quads.of("background.glsl", *self._defines, *defines)
        program = quad.program
        if shows_environment:
            program["half_size"] = _half_size(frame)
            program["mirrored"] = 0
            program["texel"] = self._environment.use(frame.environment.environment, 0)
            set_matrix(program, "environment_from_view", frame.environment.environment_from_view)
        else:
            program["bottom"], program["top"] = frame.backdrop.bottom, frame.backdrop.top
        if light is not None:
            color_texture(light.light).use(1)
            program["received_light"] = 1
            program["picture_size"] = frame.size
        quad.render()
        self._ctx.depth_func = ">"
        return 1


def _half_size(frame: FrameData) -> tuple[float, float]:
    """Return half the width and half the height of what the camera sees at a distance of 1."""
    clip_from_view = frame.clip_from_relative[:, :3] @ frame.view_from_relative.T
    if not np.any(clip_from_view[3]):
        height = math.tan(_PARALLEL_HALF_ANGLE)
        return height * frame.size[0] / frame.size[1], height
    return 1.0 / float(clip_from_view[0, 0]), 1.0 / float(clip_from_view[1, 1])
