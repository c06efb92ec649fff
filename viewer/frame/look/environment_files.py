"""Environments by name, or of files: panoramas in .hdr or .exr, which OpenImageIO reads."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from scene.system.text_file import ReadError, printable
from viewer.frame.look.environment import Environment, built_in, environment_of_panorama
from viewer.frame.look.studios import STUDIOS

_MODULE = "OpenImageIO"
_LARGEST_SIDE = 32768


@lru_cache(maxsize=4)
def environment_called(name: str) -> Environment:
    """Return an environment of STUDIOS, or that of a file with a panorama.

    Args:
        name: one of STUDIOS, or a path.

    Raises:
        ReadError: there is no such environment, or its file cannot be read; the line says what to do.
    """
    return built_in(name) if name in STUDIOS else environment_of_panorama(name, _read(Path(name)))


def _read(path: Path) -> np.ndarray:
    """Read a panorama, (height, width, 3) float32, linear."""
    if not path.is_file():
        raise ReadError(f"{printable(path)}: neither a file, nor one of {', '.join(STUDIOS)}")
    if find_spec(_MODULE) is None:
        raise ReadError(f"{printable(path)}: needs OpenImageIO: pip install 'octoscope[environment]'")
    images = import_module(_MODULE)  # only here: an optional library
    image = images.ImageBuf(str(path))
    spec = image.spec()
    if 0 < max(spec.width, spec.height) <= _LARGEST_SIDE and spec.nchannels >= 1:
        pixels = image.get_pixels(images.FLOAT)
        if pixels is not None and not image.has_error:
            colors = np.asarray(pixels).reshape(spec.height, spec.width, -1)
            if colors.shape[2] < 3:
                colors = colors[..., :1].repeat(3, axis=2)
            if spec.width >= 8 and spec.height >= 4:
                return colors[..., :3]
            raise ReadError(f"{printable(path)}: {spec.width} x {spec.height} pixels are too few for an environment")
    reason = " ".join(image.geterror().split())[:200] or "no picture"
    raise ReadError(f"{printable(path)}: cannot be read ({printable(reason)})")
