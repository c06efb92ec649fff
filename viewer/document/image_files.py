"""Write pictures and screenshots, whole or not at all."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np

from octoscope.scene.system.atomic_file import SaveError, atomic_file
from octoscope.scene.system.text_file import printable, reason_of

TakePicture = Callable[[bool], np.ndarray]  # of whether the background is left out, to pixels as of `save_picture`
_PNG_ENDING = ".png"
_COMPRESSION = 3  # of 9; 6 takes twice as long, for a tenth of the size


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
    """Write a picture, (height, width, 3) uint8 RGB or 4 RGBA, top row first, in the format of the path's ending."""
    encoded = _encoded(pixels, path)
    with atomic_file(path) as file:
        file.write(encoded)


def _encoded(pixels: np.ndarray, path: Path) -> bytes:
    from PIL import Image  # only here: it takes long to import

    encoded = io.BytesIO()
    try:
        if path.suffix.lower() == _PNG_ENDING:
            Image.fromarray(pixels).save(encoded, format="PNG", compress_level=_COMPRESSION)
        else:
            Image.fromarray(pixels).save(encoded, format=Image.registered_extensions()[path.suffix.lower()])
    except Exception as error:  # Pillow's encoders raise anything: for a mode, a size, a missing library
        raise SaveError(f"{printable(path)}: cannot be written ({reason_of(error)}); try .png") from None
    return encoded.getvalue()


def save_screenshot(pixels: np.ndarray, folder: Path, stem: str) -> Path:
    """Write a picture to the first free path of stem-1.png, stem-2.png, ..., and return that path."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SaveError(f"{printable(folder)}: no folder for screenshots can be made ({reason_of(error)})") from None
    number = 1
    while (path := folder / f"{stem}-{number}.png").exists():
        number += 1
    save_picture(pixels, path)
    return path
