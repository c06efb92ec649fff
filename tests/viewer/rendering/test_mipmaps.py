"""Mipmaps have, at each of their texels, the mean of the light of those that it stands for."""

from __future__ import annotations

import moderngl
import numpy as np
import pytest

from octoscope.scene.geometry.colors import linear_from_srgb, srgb_from_linear
from octoscope.viewer.rendering.context.opengl import srgb_texture_array

SHADER = """#version 330 core
#if defined VERTEX
void main() { gl_Position = vec4(ivec2(gl_VertexID & 1, gl_VertexID >> 1) * 2 - 1, 0.0, 1.0); }
#else
uniform sampler2DArray source;
uniform ivec2 layer_and_level;
out vec4 out_color;
void main() {
    out_color = texelFetch(source, ivec3(ivec2(gl_FragCoord.xy), layer_and_level.x), layer_and_level.y);
}
#endif
"""


@pytest.mark.parametrize("holds_colors", [False, True])
def test_each_level_is_the_mean_of_the_one_before(ctx: moderngl.Context, holds_colors: bool) -> None:
    side, layers = 16, 3
    pixels = np.random.default_rng(5).integers(0, 256, (layers, side, side, 4), dtype=np.uint8)
    size = side, side, layers
    array = srgb_texture_array(ctx, size) if holds_colors else ctx.texture_array(size, 4)
    array.write(pixels.tobytes())
    array.build_mipmaps()
    light = pixels / 255.0
    if holds_colors:
        light[..., :3] = linear_from_srgb(light[..., :3])
    for level in range(5):
        for layer in range(layers):
            found = texels(ctx, array, layer, level)
            # Drivers round each level, and filter with weights of eight bits.
            assert np.abs(encoded(found, holds_colors) - encoded(light[layer], holds_colors)).max() < 3.0, level
        count = len(light[0]) // 2
        light = light.reshape(layers, count, 2, count, 2, 4).mean(axis=(2, 4)) if count else light


def texels(ctx: moderngl.Context, array: moderngl.TextureArray, layer: int, level: int) -> np.ndarray:
    """Return the (n, n, 4) texels of a layer as shaders read them."""
    side = array.width >> level
    target = ctx.framebuffer([ctx.texture((side, side), 4, dtype="f4")])
    target.use()
    ctx.enable_only(moderngl.NOTHING)
    array.use(0)
    program = ctx.program(vertex_shader=SHADER.replace("core", "core\n#define VERTEX", 1), fragment_shader=SHADER)
    program["source"] = 0
    program["layer_and_level"] = layer, level
    ctx.vertex_array(program, []).render(moderngl.TRIANGLE_STRIP, vertices=4)
    return np.frombuffer(target.read(components=4, dtype="f4"), dtype=np.float32).reshape(side, side, 4)


def encoded(light: np.ndarray, holds_colors: bool) -> np.ndarray:
    """Return texels as numbers from 0 to 255, as the array holds them."""
    found = np.array(light, dtype=float)
    if holds_colors:
        found[..., :3] = srgb_from_linear(found[..., :3])
    return 255.0 * found
