"""Write pictures and screenshots, whole or not at all."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

from scene.system.atomic_file import SaveError, atomic_file
from scene.system.text_file import printable


def has_format(path: Path) -> bool:
    """Tell whether pictures can be written in the format of a path's ending."""
    return _format_of(path) in Image.SAVE


def _format_of(path: Path) -> str | None:
    """Return Pillow's name of the format of a path's ending; None: it has none."""
    ending = path.suffix.lower()
    Image.preinit()  # the usual formats: to import those that are left takes five times as long
    if ending not in Image.EXTENSION:
        Image.init()
    return Image.EXTENSION.get(ending)


def save_picture(image: Image.Image, path: Path) -> None:
    """Write a picture in the format of the path's ending.

    Raises:
        SaveError: it cannot be written.
    """
    encoded = io.BytesIO()
    try:
        image.save(encoded, format=_format_of(path))
    except Exception as error:  # Pillow's encoders raise anything: for a mode, a size, a missing library
        reason = " ".join(str(error).split()) or type(error).__name__
        raise SaveError(f"{printable(path)}: cannot be written ({reason}); try .png") from None
    with atomic_file(path) as file:
        file.write(encoded.getbuffer())


def save_screenshot(image: Image.Image, folder: Path, stem: str) -> Path:
    """Write a picture to the first free path of stem-1.png, stem-2.png, ..., and return that path.

    The folder is made if necessary.

    Raises:
        SaveError: it cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SaveError(f"{printable(folder)}: no folder for screenshots can be made ({error.strerror})") from None
    number = 1
    while (path := folder / f"{stem}-{number}.png").exists():
        number += 1
    save_picture(image, path)
    return path
