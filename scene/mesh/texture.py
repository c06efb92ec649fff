"""Textures as data."""

from __future__ import annotations

import functools
import os
import weakref
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

from octoscope.arguments import shown
from octoscope.guesses import made_by

Wrap = Literal["repeat", "clamp", "mirror"]
WRAPS: tuple[Wrap, ...] = ("repeat", "clamp", "mirror")
REPEATED: tuple[Wrap, Wrap] = ("repeat", "repeat")


@made_by("such as Texture('wood.png', np.asarray(PIL.Image.open('wood.png').convert('RGBA')))")
@dataclass(frozen=True, eq=False, repr=False)
class Texture:
    """An image, and how it goes on beyond its borders.

    Attributes:
        path: the file that it came from.
        pixels: (height, width, 4) uint8 RGBA, sRGB, top row first; read-only.
        is_file: whether the file at `path` was this image when it was read; if not, the image was inside that file or
            made from it.
        read_size: width and height before it was made small enough to show; None: those of `pixels`.
        data: the bytes of its file where that was inside another one, or the pixels are not as there, or None.
        least_alpha: pixels with less opacity (0 to 1) in its file are transparent here, and all others opaque; None:
            they are as there.
        wrap: along u and v, what is beyond its borders: "repeat", the image again; "clamp", the pixels at the border;
            "mirror", the image mirrored.

    Raises:
        ValueError: pixels are not such an array.
    """

    path: Path
    pixels: np.ndarray
    is_file: bool = True
    read_size: tuple[int, int] | None = None
    data: bytes | None = None
    least_alpha: float | None = None
    wrap: tuple[Wrap, Wrap] = REPEATED

    def __post_init__(self) -> None:
        shape: tuple[int, ...] = getattr(self.pixels, "shape", ())
        if len(shape) != 3 or shape[2] != 4 or 0 in shape or self.pixels.dtype != np.uint8:
            given = f"{shape} of {self.pixels.dtype}" if shape else shown(self.pixels)
            raise ValueError(f"pixels must be (height, width, 4) uint8, not {given}")
        object.__setattr__(self, "path", Path(self.path))

    def wrapped(self, wrap: tuple[Wrap, Wrap]) -> Texture:
        """Return the same image with another wrap; always the same object, as long as that is in use."""
        if wrap == self.wrap:
            return self
        other = self._wrapped.get(wrap)
        if other is None:
            other = self._wrapped[wrap] = replace(self, wrap=wrap)
        return other

    @functools.cached_property
    def _wrapped(self) -> weakref.WeakValueDictionary[tuple[Wrap, Wrap], Texture]:
        return weakref.WeakValueDictionary()

    def __repr__(self) -> str:
        width, height = self.full_size
        return f"Texture({self.path.name!r}, {width} x {height})"

    @property
    def full_size(self) -> tuple[int, int]:
        """Width and height that the image has in its file."""
        height, width = self.pixels.shape[:2]
        return self.read_size or (width, height)

    @property
    def is_shrunk(self) -> bool:
        """True if the file has more pixels than are kept here."""
        height, width = self.pixels.shape[:2]
        return self.full_size != (width, height)

    @functools.cached_property
    def is_opaque(self) -> bool:
        """True if all pixels are opaque."""
        return bool(self.pixels[..., 3].min(initial=255) == 255)

    @property
    def has_file(self) -> bool:
        """True if its file exists, to be named or copied; otherwise there are only the pixels."""
        return self.is_file and os.path.isfile(self.path)

    @property
    def nbytes(self) -> int:
        """Bytes of memory that it takes."""
        return self.pixels.nbytes + len(self.data or b"")

    @property
    def file_bytes(self) -> bytes | None:
        """The bytes of its own file; None where that is gone, or where there never was one."""
        return self.path.read_bytes() if self.has_file else self.data

    @property
    def loses_pixels(self) -> bool:
        """True if it was made small enough to show, and nothing has the other pixels any more."""
        return self.is_shrunk and self.data is None and not self.has_file
