"""STUDIOS: the environments to choose from, each a formula of a few numbers.

Imports nothing that takes long, as the command line lists their names.
"""

from __future__ import annotations

from dataclasses import dataclass

Color = tuple[float, float, float]
Direction = tuple[float, float, float]

ENVIRONMENT = "environment"  # as the name of a background


@dataclass(frozen=True)
class Lamp:
    """A lit rectangle with soft borders, far away."""

    toward: Direction  # its middle; x is to the right of the camera and z behind it if the environment follows it
    size: tuple[float, float]  # half its width and half its height, as sines of angles
    color: Color  # of its light


@dataclass(frozen=True)
class Studio:
    """A formula of an environment: three colours one above the other, and lamps."""

    label: str  # in menus
    sky: Color  # straight above
    horizon: Color  # all around
    ground: Color  # straight below
    lamps: tuple[Lamp, ...] = ()  # added to them
    follows_camera: bool = False  # as of Environment


STUDIOS = {
    "studio": Studio(
        "Studio",
        (0.20, 0.22, 0.25),
        (0.28, 0.29, 0.31),
        (0.10, 0.085, 0.075),
        (
            Lamp((0.10, 0.95, 0.25), (0.50, 0.34), (0.80, 0.86, 0.92)),
            Lamp((0.92, 0.15, 0.36), (0.16, 0.50), (1.15, 1.25, 1.45)),
            Lamp((-0.75, 0.30, -0.60), (0.30, 0.34), (1.20, 1.10, 1.00)),
        ),
        follows_camera=True,
    ),
    "day": Studio(
        "Clear day",
        (0.16, 0.32, 0.72),
        (0.66, 0.76, 0.88),
        (0.20, 0.17, 0.13),
        (Lamp((0.5, 0.7, 0.5), (0.12, 0.12), (9.0, 8.4, 7.2)),),
    ),
    "overcast": Studio("Overcast sky", (0.78, 0.80, 0.84), (0.48, 0.50, 0.53), (0.14, 0.13, 0.12)),
    "sunset": Studio(
        "Sunset",
        (0.17, 0.20, 0.40),
        (0.72, 0.38, 0.24),
        (0.10, 0.07, 0.06),
        (Lamp((-0.8, 0.10, 0.5), (0.14, 0.14), (14.0, 6.0, 2.0)),),
    ),
    "even": Studio("Even light", (0.5, 0.5, 0.5), (0.5, 0.5, 0.5), (0.5, 0.5, 0.5)),
}

USUAL = "studio"
