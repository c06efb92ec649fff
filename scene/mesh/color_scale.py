"""ColorScale: the colours that stand for numbers, and the numbers that they stand for; Covered: what they hide."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

COLORMAP = "viridis"
_COLORS = 256  # of a colormap that goes on smoothly


@dataclass(frozen=True)
class ColorScale:
    """Colours for the numbers from `minimum` to `maximum`; beyond them the first and the last one.

    Raises:
        ValueError: a value is none of these.
    """

    title: str  # says what the numbers are; may be ""
    minimum: float  # where the first colour begins
    maximum: float  # where the last colour ends; equal to `minimum`, all numbers have the first colour
    # red, green and blue of each colour, sRGB; each stands for an equal part of the range
    colors: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if not (math.isfinite(self.maximum - self.minimum) and self.minimum <= self.maximum):
            raise ValueError(f"a range of numbers goes from a finite one up, not {self.minimum} to {self.maximum}")
        if not self.colors or len(self.colors) % 3:
            raise ValueError("a colour scale has three bytes for each colour, and one colour at least")

    @property
    def table(self) -> np.ndarray:
        """(n, 3) uint8 sRGB, read-only."""
        return np.frombuffer(self.colors, dtype=np.uint8).reshape(-1, 3)

    def colors_of(self, numbers: np.ndarray) -> np.ndarray:
        """Return (k, 4) uint8 sRGB and opacity for (k,) numbers."""
        table = self.table
        size = self.maximum - self.minimum
        with np.errstate(over="ignore"):
            share = (numbers - self.minimum) / size if size else np.zeros(len(numbers))
        places = np.minimum(np.clip(share, 0.0, 1.0) * len(table), len(table) - 1.0).astype(np.intp)
        return np.concatenate([table[places], np.full((len(places), 1), 255, dtype=np.uint8)], axis=1)


@dataclass(frozen=True, eq=False)
class Covered:
    """The colours and materials of a mesh before scalars were shown on it."""

    colors: np.ndarray  # (v, 4) uint8 of its vertices
    material_ids: np.ndarray  # (v,) int32 of its vertices
    own_materials: Mapping[int, int]  # by node, the material that it had in place of those, or -1


def colormap_table(name: str) -> bytes:
    """Return the colours of a colormap, as ColorScale has them.

    Args:
        name: as matplotlib calls it, such as "viridis", "coolwarm" or "tab10", reversed with "_r" behind it; or as the
            library cmap does, such as "cmocean:thermal".
    """
    from cmap import Colormap  # only here: it takes long to import, and few scenes have numbers

    for known in (f"matplotlib:{name}", name):
        try:
            colors = Colormap(known).lut(_COLORS)
        except (ValueError, TypeError, KeyError):
            continue
        return np.rint(255.0 * np.asarray(colors)[:, :3]).astype(np.uint8).tobytes()
    raise ValueError(f"colormap: there is none called {name!r}; there are viridis, magma, coolwarm, turbo, Blues ...")
