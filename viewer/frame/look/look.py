"""Look: the way a picture looks, as it was chosen."""

from __future__ import annotations

from dataclasses import dataclass, field

from octoscope.viewer.frame.look.backdrop import DARK_BACKDROP, Backdrop
from octoscope.viewer.frame.look.environment import Environment, built_in
from octoscope.viewer.frame.look.lighting import LIGHTING, Lighting
from octoscope.viewer.frame.look.shading import SHADED, STROKES, Shading, Strokes
from octoscope.viewer.frame.look.studios import USUAL


@dataclass(frozen=True)
class Look:
    """The way a picture looks.

    Attributes:
        backdrop: colours of background and ground.
        lighting: the key light, and what dims light.
        environment: the light from all around.
        shading: the way in which surfaces are shown.
        strokes: sizes of lines and points.
    """

    backdrop: Backdrop = DARK_BACKDROP
    lighting: Lighting = LIGHTING
    environment: Environment = field(default_factory=lambda: built_in(USUAL))
    shading: Shading = SHADED
    strokes: Strokes = STROKES
