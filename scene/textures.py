"""Textures: images read under limits, small enough to show, and shared by whoever names the same file."""

from __future__ import annotations

import functools
import os
import stat
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

_LONGEST_SIDE = 1024  # pixels that are kept: what a picture of a whole scene can show
_LARGEST_FILE_BYTES = 256 * 2**20
_MOST_PIXELS = 16384 * 16384
_CACHED = 256


@dataclass(frozen=True, eq=False)
class Texture:
    """An image.

    Attributes:
        path: where it came from.
        pixels: (height, width, 4) uint8 RGBA, sRGB, top row first; read-only.
    """

    path: Path
    pixels: np.ndarray


def read_texture(path: Path) -> Texture:
    """Read an image file; the same file gives the same object as long as it does not change.

    Raises:
        OSError: missing, not a regular file, too large, or no image that Pillow reads.
    """
    status = os.stat(path)
    if not stat.S_ISREG(status.st_mode):
        raise OSError("not a regular file")
    if status.st_size > _LARGEST_FILE_BYTES:
        raise OSError("too large")
    return _read(path.resolve(), status.st_mtime_ns, status.st_size)


@functools.lru_cache(maxsize=_CACHED)
def _read(path: Path, modified_ns: int, size: int) -> Texture:
    try:
        # Pillow warns of images that are large but within our own limit.
        with warnings.catch_warnings(action="ignore"), Image.open(path) as image:
            if image.width * image.height > _MOST_PIXELS:
                raise OSError(f"{image.width}x{image.height} pixels are too many")
            image.draft("RGB", (_LONGEST_SIDE, _LONGEST_SIDE))  # lets JPEG decode small from the start
            image.thumbnail((_LONGEST_SIDE, _LONGEST_SIDE))
            pixels = np.array(image.convert("RGBA"))
    except OSError:
        raise
    except Exception as error:  # Pillow's decoders raise whatever a broken file makes them raise
        raise OSError(" ".join(str(error).split()) or type(error).__name__) from None
    pixels.flags.writeable = False
    return Texture(path, pixels)
