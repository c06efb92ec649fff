"""Arrays, a value for each pixel, as files: .npy, or .exr, which OpenImageIO writes."""

from __future__ import annotations

import tempfile
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from octoscope.scene import SaveError
from octoscope.scene.system.atomic_file import atomic_file, check_savable
from octoscope.scene.system.text_file import printable
from octoscope.viewer.cli.output import UserError

_OPENEXR_LIBRARY = "OpenImageIO"
# By name of the array, the channels that programs look for in an OpenEXR file.
_CHANNELS = {"depth": ("Z",), "ids": ("id",), "normals": ("N.X", "N.Y", "N.Z")}


def check_array_path(path: Path) -> None:
    """Check that an array can be written, before any work is done for it."""
    if path.suffix.lower() not in (".npy", ".exr"):
        raise UserError(f"{printable(path)}: unknown format of arrays; end the name in .npy or .exr")
    if path.suffix.lower() == ".exr" and find_spec(_OPENEXR_LIBRARY) is None:
        raise UserError(f"{printable(path)}: needs OpenImageIO: pip install 'octoscope[environment]'")
    check_savable(path)


def save_array(name: str, array: np.ndarray, path: Path) -> None:
    """Write an array in the format of the path's ending, whole or not at all.

    Args:
        array: (height, width) or (height, width, 3); .exr has it as float32, which is exact for ids below 2^24.
    """
    with atomic_file(path) as file:
        if path.suffix.lower() == ".npy":
            np.save(file, array)
        else:
            file.write(_as_openexr(_CHANNELS[name], array))


def _as_openexr(channels: tuple[str, ...], array: np.ndarray) -> bytes:
    """Return the bytes of an OpenEXR file with an array, (height, width) or (height, width, channels)."""
    images = import_module(_OPENEXR_LIBRARY)  # only here: an optional library
    height, width = array.shape[:2]
    # The library takes nothing else: it reads beyond the end of an array without an axis of channels.
    array = np.ascontiguousarray(array, dtype=np.float32).reshape(height, width, len(channels))
    spec = images.ImageSpec(width, height, len(channels), images.FLOAT)
    spec.channelnames = channels
    with tempfile.TemporaryDirectory() as folder:  # the library writes to a path alone
        beside = Path(folder) / "array.exr"
        output = images.ImageOutput.create(str(beside))
        if not (output and output.open(str(beside), spec) and output.write_image(array) and output.close()):
            raise SaveError(f"OpenEXR: cannot be written ({printable(images.geterror())[:200]}); write .npy")
        return beside.read_bytes()
