"""New scenes: with the unit of length and the decimals that config.toml gives them."""

from __future__ import annotations

from octoscope.scene import Scene
from octoscope.scene.conventions.up_axis import UpAxis
from octoscope.viewer.settings.config import Config


def new_scene(config: Config, *, up_axis: UpAxis | None = None) -> Scene:
    """Return an empty scene."""
    scene = Scene(up_axis=up_axis)
    scene.length_unit, scene.length_decimals = config.length_unit, config.decimals
    return scene
