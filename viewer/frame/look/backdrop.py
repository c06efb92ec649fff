"""Backdrop: the colours of background and ground, dark and light."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from octoscope.scene.geometry.colors import linear_from_srgb, srgb_from_linear

Color = tuple[float, float, float]
_LUMINANCE = (0.2126, 0.7152, 0.0722)  # of linear red, green and blue
_CONTRAST = 3.0  # of thin lines, by the Web Content Accessibility Guidelines 2.1 (1.4.11)


@dataclass(frozen=True)
class Backdrop:
    """Colours: sRGB, 0 to 1."""

    bottom: Color  # lower end of the background's gradient
    top: Color  # upper end of it
    ground: Color  # of the grid's lines
    # range of relative luminance, 0 to 1, in which a thin line has a contrast ratio of _CONTRAST to the gradient
    seen_luminance: tuple[float, float]
    shows_environment: bool = False  # True shows the environment in place of the gradient
    is_transparent: bool = False  # True shows neither: opacity is 0 where nothing is drawn

    @property
    def is_plain(self) -> bool:
        """True if all of the background has one colour."""
        return self.bottom == self.top and not (self.shows_environment or self.is_transparent)

    @property
    def is_dark(self) -> bool:
        """True if thin lines stand out by being lighter."""
        return self.seen_luminance[0] > 0.0

    def seen(self, colors: ArrayLike) -> np.ndarray:
        """Return (n, 3) sRGB colours, made lighter or darker until thin lines in them stand out from the gradient."""
        # As `within_luminance` of shaders/common.glsl.
        least, most = self.seen_luminance
        linear = linear_from_srgb(colors)
        luminance = np.maximum(linear @ _LUMINANCE, 1e-9)[:, None]
        lighter = linear + (1.0 - linear) * np.clip((least - luminance) / (1.0 - np.minimum(luminance, 0.99)), 0.0, 1.0)
        return srgb_from_linear(lighter * np.minimum(most / luminance, 1.0))


BACKGROUNDS: dict[str, tuple[str, Color]] = {
    "black": ("Black", (0.0, 0.0, 0.0)),
    "dark_grey": ("Dark grey", (0.2, 0.2, 0.2)),
    "light_grey": ("Light grey", (0.8, 0.8, 0.8)),
    "white": ("White", (1.0, 1.0, 1.0)),
}  # backgrounds of one colour to choose from: by name, their labels and colours


def plain_backdrop(color: Color) -> Backdrop:
    """Return a background of one colour, with a ground and lines that stand out from it."""
    luminance = float(linear_from_srgb(color) @ _LUMINANCE) + 0.05
    if luminance * _CONTRAST <= 1.05:
        return Backdrop(color, color, DARK_BACKDROP.ground, (luminance * _CONTRAST - 0.05, 1.0))
    return Backdrop(color, color, LIGHT_BACKDROP.ground, (0.0, max(luminance / _CONTRAST - 0.05, 0.0)))


DARK_BACKDROP = Backdrop(
    bottom=(0.125, 0.133, 0.149), top=(0.247, 0.271, 0.310), ground=(0.49, 0.52, 0.57), seen_luminance=(0.42, 1.0)
)
LIGHT_BACKDROP = Backdrop(
    bottom=(0.74, 0.76, 0.79), top=(0.90, 0.915, 0.935), ground=(0.10, 0.13, 0.18), seen_luminance=(0.0, 0.08)
)
