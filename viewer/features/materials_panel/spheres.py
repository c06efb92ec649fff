"""Pictures of materials on a sphere, drawn off-screen by our own renderer, many in one picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from octoscope.scene import Material, Scene
from octoscope.scene.mesh.material import TEXTURE_FIELDS
from octoscope.scene.mesh.primitives import sphere
from octoscope.scene.mesh.texture import Texture
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.editing.jobs import Progress
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.context.card_errors import DrawError
from octoscope.viewer.rendering.context.offscreen import NoOpenGL
from octoscope.viewer.rendering.still_drawing import StillDrawing

SIDE = 128  # of a picture, pixels
_COLUMNS, _MOST = 4, 16  # of spheres in a picture
_PITCH = 1.08  # between spheres of diameter 1
_SAMPLES = 4
_LARGEST_TEXTURE = 256  # pixels: more are not seen on a sphere
_UNDRAWN = np.zeros((1, 1, 4), dtype=np.uint8)  # where there is no OpenGL


class SphereDrawing:
    """Draws materials; what it needs for that stays on the card."""

    def __init__(self) -> None:
        self._drawing = StillDrawing()

    def pictures(self, materials: Sequence[Material], tell: Progress) -> dict[Material, np.ndarray]:
        """Draw the first of some materials, (SIDE, SIDE, 4) uint8 each, top row first."""
        tell(0, 0)
        drawn = materials[:_MOST]
        try:
            return dict(zip(drawn, self._pictures(drawn), strict=True))
        except (NoOpenGL, DrawError, MemoryError):
            return dict.fromkeys(drawn, _UNDRAWN)

    def _pictures(self, materials: Sequence[Material]) -> list[np.ndarray]:
        scene, lines = Scene(), -(-len(materials) // _COLUMNS)
        line, column = np.divmod(np.arange(len(materials)), _COLUMNS)
        scene.add_nodes(
            [material.name for material in materials],
            mesh=scene.meshes.add(sphere(segments=48, rings=24), first_material=0),
            material=scene.add_materials(list(map(_small, materials))),
            translation=_PITCH * np.column_stack([column + 0.5, lines - line - 0.5, 0.0 * line]),
        )
        view = View(scene)
        view.settings.show_grid = False
        view.settings.backdrop = replace(view.settings.backdrop, is_transparent=True)
        middle, height = (_COLUMNS * _PITCH / 2.0, lines * _PITCH / 2.0), lines * _PITCH
        distance = 10.0
        view.camera = Camera.looking_at(
            (*middle, distance),
            (*middle, 0.0),
            fov_deg=math.degrees(2.0 * math.atan(height / 2.0 / distance)),
            orthographic=True,
        )
        size = _COLUMNS * SIDE, lines * SIDE
        view.layout.resize(size)
        pixels = self._drawing.still(view, size, samples=_SAMPLES, transparent=True).pixels
        cells = pixels.reshape(lines, SIDE, _COLUMNS, SIDE, 4).swapaxes(1, 2).reshape(-1, SIDE, SIDE, 4)
        return [cell.copy() for cell in cells[: len(materials)]]


def _small(material: Material) -> Material:
    """Return a material whose textures have only as many pixels as a sphere shows."""
    smaller: dict[str, Any] = {}
    for name in TEXTURE_FIELDS:
        texture: Texture | None = getattr(material, name)
        step = 1 if texture is None else max(texture.pixels.shape) // _LARGEST_TEXTURE
        if texture is not None and step > 1:
            smaller[name] = replace(texture, pixels=np.ascontiguousarray(texture.pixels[::step, ::step]), data=None)
    return replace(material, **smaller)
