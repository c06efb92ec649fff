"""Write pictures and screenshots, whole or not at all.

PNG is written here, in a quarter of the time that Pillow takes for it (its import not counted); Pillow writes the rest.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from octoscope.scene.system.atomic_file import SaveError, atomic_file
from octoscope.scene.system.text_file import printable

TakePicture = Callable[[bool], np.ndarray]  # of whether the background is left out, to pixels as of `save_picture`
_PNG_ENDING = ".png"
_COMPRESSION = 3  # of 9; from 4 on zlib takes half as long again, for a hundredth of the size
_PARTS = 4  # that are compressed at the same time
_SAMPLED_ROWS = 8  # of which one is compressed to find out which filter suits a picture


def no_picture(transparent: bool) -> np.ndarray:
    """Return a pixel, where nothing is shown; a TakePicture."""
    return np.zeros((1, 1, 4 if transparent else 3), np.uint8)


def has_format(path: Path) -> bool:
    """Tell whether pictures can be written in the format of a path's ending."""
    ending = path.suffix.lower()
    if ending == _PNG_ENDING:
        return True
    from PIL import Image  # only here: it takes long to import

    return Image.registered_extensions().get(ending) in Image.SAVE


def save_picture(pixels: np.ndarray, path: Path) -> None:
    """Write a picture in the format of the path's ending.

    Args:
        pixels: (height, width, 3) uint8 RGB, or 4 for RGBA, top row first.
    """
    encoded = _png(pixels) if path.suffix.lower() == _PNG_ENDING else _encoded_by_pillow(pixels, path)
    with atomic_file(path) as file:
        file.write(encoded)


def _png(pixels: np.ndarray) -> bytes:
    """Encode a picture as PNG (https://www.w3.org/TR/png-3).

    Rows are stored as they are, or each pixel as the difference from its left neighbour, whichever compresses better:
    the first for plain surfaces, of which most pictures consist, the other for photographs and curved surfaces.
    """
    height, width, channels = pixels.shape
    plain = pixels.reshape(height, width * channels)
    sample = plain[::_SAMPLED_ROWS]
    with ThreadPoolExecutor() as threads:
        with_differences, without = threads.map(_size_packed, (_differences(sample, channels), sample))
        as_differences = with_differences < without
        rows = np.empty((height, 1 + width * channels), dtype=np.uint8)
        rows[:, 0] = 1 if as_differences else 0  # the type of a row's filter
        rows[:, 1:] = _differences(plain, channels) if as_differences else plain
        # A stream of zlib (RFC 1950): its header, parts that are compressed at the same time, and a sum over all of it.
        parts = threads.map(
            _compressed, np.array_split(rows, _PARTS), [*[zlib.Z_FULL_FLUSH] * (_PARTS - 1), zlib.Z_FINISH]
        )
        packed = b"".join((b"\x78\x5e", *parts, struct.pack(">I", zlib.adler32(rows.data))))
    color_type = {3: 2, 4: 6}[channels]  # RGB, RGBA
    header = struct.pack(">IIBBBBB", width, height, 8, color_type, 0, 0, 0)  # eight bits
    chunks = ((b"IHDR", header), (b"IDAT", packed), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks
    )


def _compressed(rows: np.ndarray, end: int) -> bytes:
    """Return rows as deflated data (RFC 1951) that ends with a flush of zlib's kind `end`."""
    compressor = zlib.compressobj(_COMPRESSION, wbits=-zlib.MAX_WBITS)
    return compressor.compress(rows.data) + compressor.flush(end)


def _size_packed(rows: np.ndarray) -> int:
    return len(zlib.compress(rows.tobytes(), 1))


def _differences(rows: np.ndarray, channels: int) -> np.ndarray:
    """Return (rows, width * channels) uint8: each channel less that of the pixel on the left, modulo 256."""
    differences = rows.copy()
    differences[:, channels:] -= rows[:, :-channels]
    return differences


def _encoded_by_pillow(pixels: np.ndarray, path: Path) -> bytes:
    from PIL import Image  # only here: it takes long to import

    encoded = io.BytesIO()
    try:
        Image.fromarray(pixels).save(encoded, format=Image.registered_extensions()[path.suffix.lower()])
    except Exception as error:  # Pillow's encoders raise anything: for a mode, a size, a missing library
        reason = " ".join(str(error).split()) or type(error).__name__
        raise SaveError(f"{printable(path)}: cannot be written ({reason}); try .png") from None
    return encoded.getvalue()


def save_screenshot(pixels: np.ndarray, folder: Path, stem: str) -> Path:
    """Write a picture to the first free path of stem-1.png, stem-2.png, ..., and return that path.

    The folder is made if necessary; the pixels are as for `save_picture`.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SaveError(f"{printable(folder)}: no folder for screenshots can be made ({error.strerror})") from None
    number = 1
    while (path := folder / f"{stem}-{number}.png").exists():
        number += 1
    save_picture(pixels, path)
    return path
