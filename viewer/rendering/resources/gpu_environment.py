"""GpuEnvironment: the graphics card's copy of what smooth surfaces mirror of the environment."""

from __future__ import annotations

from functools import lru_cache

import moderngl
import numpy as np

from octoscope.viewer.frame.look.environment import Environment, built_in
from octoscope.viewer.frame.look.studios import STUDIOS


@lru_cache(maxsize=8)
def irradiance_defines(environment: Environment) -> tuple[str, ...]:
    """Return the define of light.glsl that says how a built-in environment lights matt surfaces; of others none."""
    if environment.name not in STUDIOS or environment is not built_in(environment.name):
        return ()
    colors = (f"vec3({', '.join(map(repr, color))})" for color in environment.irradiance.tolist())
    return (f"IRRADIANCE {', '.join(colors)}",)


class GpuEnvironment:
    """A texture of an environment's `mirrored` light, which is uploaded when it is first used."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._environment: Environment | None = None
        self._texture: moderngl.Texture3D | None = None

    def use(self, environment: Environment, unit: int) -> tuple[float, float, float]:
        """Bind an environment to a texture unit, and return the size of a texel as a share of each axis."""
        if environment is not self._environment or self._texture is None:
            self.release()
            self._texture = self._uploaded(environment.mirrored)
            self._environment = environment
        self._texture.use(unit)
        width, height, depth = self._texture.size
        return 1.0 / width, 1.0 / height, 1.0 / depth

    def _uploaded(self, mirrored: np.ndarray) -> moderngl.Texture3D:
        layers, side = mirrored.shape[:2]
        texels = np.ones((layers, side, side, 4), dtype=np.float16)  # three halves are no whole number of words
        texels[..., :3] = mirrored
        texture = self._ctx.texture3d((side, side, layers), 4, texels, dtype="f2")
        texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
        texture.repeat_x = texture.repeat_y = texture.repeat_z = False
        return texture

    def release(self) -> None:
        """Delete the texture."""
        if self._texture is not None:
            self._texture.release()
        self._texture = self._environment = None
