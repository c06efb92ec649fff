"""Textures: images read under limits, small enough to show, and shared by whoever names the same file."""

from __future__ import annotations

import os
import stat
import warnings
import weakref
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

_LONGEST_SIDE = 1024  # pixels that are kept: what a picture of a whole scene can show
_LARGEST_FILE_BYTES = 256 * 2**20
_MOST_PIXELS = 16384 * 16384


@dataclass(frozen=True, eq=False)
class Texture:
    """An image.

    Attributes:
        path: where it came from.
        pixels: (height, width, 4) uint8 RGBA, sRGB, top row first; read-only.
    """

    path: Path
    pixels: np.ndarray


# By path, time of change and size: as long as somebody holds it, a file is read once.
_in_use: weakref.WeakValueDictionary[tuple[Path, int, int], Texture] = weakref.WeakValueDictionary()


def read_texture(path: Path) -> Texture:
    """Read an image file; the same file gives the same object as long as it does not change and somebody holds it.

    Raises:
        OSError: missing, not a regular file, too large, or no image that Pillow reads.
    """
    status = os.stat(path)
    if not stat.S_ISREG(status.st_mode):
        raise OSError("not a regular file")
    if status.st_size > _LARGEST_FILE_BYTES:
        raise OSError("too large")
    key = (path.resolve(), status.st_mtime_ns, status.st_size)
    texture = _in_use.get(key)
    if texture is None:
        texture = _in_use[key] = Texture(key[0], _pixels(key[0]))
    return texture


def _pixels(path: Path) -> np.ndarray:
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
    return pixels
