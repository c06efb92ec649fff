"""A picture of a cube, drawn with a context to find out whether it works, and what it offers."""

from __future__ import annotations

import time
from typing import Any

import moderngl
import numpy as np

from octoscope.scene import Scene
from octoscope.scene.mesh.primitives import cube
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.context.card_errors import DrawError
from octoscope.viewer.rendering.context.offscreen import image_of
from octoscope.viewer.rendering.context.opengl import has_indirect_draws, is_software, most_texture_samples
from octoscope.viewer.rendering.context.reversed_depth import has_clip_control
from octoscope.viewer.rendering.renderer import Renderer

_LIMITS = {"largest picture or texture": "GL_MAX_TEXTURE_SIZE", "textures of a scene": "GL_MAX_ARRAY_TEXTURE_LAYERS"}
_PICTURE = (96, 96)
_LEAST_SEEN, _SHARE_OF_EDGES = 16, 0.1  # difference of a colour, and pixels that may have one


def context_facts(ctx: moderngl.Context) -> dict[str, Any]:
    """Return what a context offers and how fast it draws a cube, after drawing it in every way that it has.

    Raises:
        DrawError: it does not draw what it should.
    """
    info = ctx.info
    facts: dict[str, Any] = {
        "version": info["GL_VERSION"],
        "renderer": info["GL_RENDERER"],
        "software": is_software(ctx),
        "indirect draws": has_indirect_draws(ctx),
        "clip control": has_clip_control(ctx),
        "limits": {
            **{name: info[key] for name, key in _LIMITS.items()},
            "samples a pixel": most_texture_samples(ctx),
            "largest point, pixels": info["GL_POINT_SIZE_RANGE"][1],
        },
    }
    begin = time.perf_counter()
    picture = _picture(ctx)
    facts["first picture ms"] = round(1e3 * (time.perf_counter() - begin), 1)
    middle_row = picture[_PICTURE[1] // 2].astype(int)
    if np.abs(middle_row[_PICTURE[0] // 2] - middle_row[0]).max() < 16:  # the background is the same along a row
        raise DrawError("the picture of a cube is empty")
    if facts["indirect draws"] and not np.array_equal(picture, _picture(ctx, indirect=False)):
        raise DrawError("many draws at once give another picture than one by one")
    # Samples of one pixel have one depth then: edges may be drawn a little otherwise.
    differences = np.abs(picture.astype(int) - _picture(ctx, clip_control=False)).max(axis=2)
    if facts["clip control"] and (differences > _LEAST_SEEN).mean() > _SHARE_OF_EDGES:
        raise DrawError("without glClipControl another picture is drawn than with it")
    return facts


def _picture(ctx: moderngl.Context, *, indirect: bool | None = None, clip_control: bool | None = None) -> np.ndarray:
    """Draw a cube, (height, width, 3) uint8."""
    scene = Scene()
    scene.add_node("cube", mesh=scene.meshes.add(cube()))
    view = View(scene)
    view.settings.show_grid = False
    view.layout.resize(_PICTURE)
    view.framing.frame_nodes(None)
    renderer = Renderer(ctx, indirect=indirect, clip_control=clip_control)
    renderer.render_best(view.build_frames(_PICTURE), _PICTURE)
    return image_of(renderer.picture)
