"""Reading panoramas, .hdr or .exr, by OpenImageIO."""

from __future__ import annotations

import os
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from octoscope.scene.system.text_file import ReadError, printable
from octoscope.viewer.features.panoramas.panorama import environment_of_panorama
from octoscope.viewer.frame.look.environment import Environment
from octoscope.viewer.frame.look.studios import STUDIOS

_MODULE = "OpenImageIO"
_MOST_NUMBERS = 4 * 8192 * 4096  # in all channels: more than any surface mirrors, and 2 GiB while it is read


def read_environment(name: str) -> Environment:
    """Return the environment of a file with a panorama, which is read again only when it has changed.

    Raises:
        ReadError: it cannot be read; the line says what to do.
    """
    try:
        status = os.stat(name)
    except (OSError, ValueError):  # _read says why not
        return _of_panorama(name)
    return _of_panorama(name, status.st_mtime_ns, status.st_size, status.st_ino)


@lru_cache(maxsize=4)
def _of_panorama(name: str, *_state: int) -> Environment:
    """Return the environment of a file, which is read again when its time, size or number has changed."""
    panorama = _read(Path(name))
    if not (np.isfinite(panorama) & (panorama > 0.0)).any():
        raise ReadError(name, "shows no light, only black or broken pixels")
    return environment_of_panorama(name, panorama)


def _read(path: Path) -> np.ndarray:
    """Read a panorama, (height, width, 3) float32, linear."""
    if not os.path.isfile(path):  # unlike Path's, False for a name that is too long
        raise ReadError(path, f"neither a file, nor one of {', '.join(STUDIOS)}")
    if find_spec(_MODULE) is None:
        raise ReadError(path, "needs OpenImageIO: pip install 'octoscope[environment]'")
    images = import_module(_MODULE)  # only here: an optional library
    image = images.ImageInput.open(str(path))  # ImageBuf ends the program where a field is broken
    if image is not None:
        spec = image.spec()
        size = f"{spec.width} x {spec.height} pixels"
        if spec.width < 8 or spec.height < 4:
            raise ReadError(path, f"{size} are too few for an environment")
        if spec.width * spec.height * spec.nchannels > _MOST_NUMBERS:
            raise ReadError(path, f"{size} are too many for an environment; make it smaller, 8192 x 4096 at most")
        pixels = image.read_image(images.FLOAT) if spec.nchannels > 0 else None
        if pixels is not None:
            colors = np.asarray(pixels).reshape(spec.height, spec.width, -1)
            if colors.shape[2] < 3:
                colors = colors[..., :1].repeat(3, axis=2)
            return colors[..., :3]
    lines = dict.fromkeys(
        _error(images if image is None else image).splitlines()
    )  # the library often says a thing twice
    reason = " ".join(" ".join(lines).split())[:200] or "no picture"
    raise ReadError(path, f"cannot be read ({printable(reason)})")


def _error(holder: Any) -> str:
    """Return what the library, or a file that it has open, last complained of."""
    try:
        return str(holder.geterror())
    except UnicodeDecodeError as error:  # with bytes of the file in it
        return error.object.decode("utf-8", "replace")
