"""`octoscope render --turntable N`: the camera once round the scene, as GIF, MP4 or numbered pictures."""

from __future__ import annotations

import io
import re
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from octoscope.scene.system.atomic_file import atomic_file, check_savable
from octoscope.scene.system.text_file import printable
from octoscope.viewer.camera import controls
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.cli.common import check_picture_path
from octoscope.viewer.cli.output import UserError
from octoscope.viewer.document.image_files import save_picture
from octoscope.viewer.frame.view import View

_FRAMES_PER_SECOND = 25  # which a GIF can say exactly, in hundredths of a second
_VIDEO_MODULE = "imageio_ffmpeg"
_WIDE_NUMBER = re.compile(r"%[^a-zA-Z%]*\d{3}")  # a number of a hundred digits and more

TakeFrame = Callable[[np.ndarray], None]  # called with (height, width, 3) uint8 RGB


def check_turntable(path: Path, size: tuple[int, int]) -> None:
    """Check that a turntable can be written, before any work is done for it."""
    ending = path.suffix.lower()
    if ending == ".mp4":
        if find_spec(_VIDEO_MODULE) is None:
            raise UserError(
                f"{printable(path)}: MP4 needs imageio-ffmpeg: pip install 'octoscope[video]'; or end the name in .gif"
            )
        if size[0] % 2 or size[1] % 2:
            raise UserError(f"{printable(path)}: both sides of an MP4 are even; change --size")
    if ending in (".gif", ".mp4"):
        check_savable(path)
        return
    if _WIDE_NUMBER.search(str(path)) or _numbered(path, 1) == _numbered(path, 2):
        raise UserError(
            f"{printable(path)}: name a .gif, an .mp4, or pictures with a place for their number: frames/%03d.png"
        )
    _numbered(path, 1).parent.mkdir(parents=True, exist_ok=True)
    check_picture_path(_numbered(path, 1))


def cameras_around(view: View, count: int, *, is_placed: bool) -> list[Camera]:
    """Return the cameras of a turntable: once round, to the right.

    Args:
        is_placed: True turns about the camera's target. False turns about the middle of the scene, from so far away
            that all of it is in every picture.
    """
    first = view.camera
    cameras = [replace(first, yaw_rad=first.yaw_rad + 2.0 * np.pi * i / count) for i in range(count)]
    bounds = view.index.bounds()
    if is_placed or bounds is None:
        return cameras
    middle, aspect = np.mean(bounds, axis=0), view.layout.area().aspect
    farthest = max(controls.frame_box(each, *bounds, aspect, pivot=middle).distance for each in cameras)
    return [replace(each, pivot=middle, distance=farthest) for each in cameras]


def write_turntable(
    path: Path,
    size: tuple[int, int],
    draw: Callable[[TakeFrame], None],
    *,
    frames_per_second: float = _FRAMES_PER_SECOND,
) -> None:
    """Write what `draw` hands over, frame by frame, whole or not at all: a .gif, an .mp4, or numbered pictures."""
    match path.suffix.lower():
        case ".gif":
            _write_gif(path, draw, frames_per_second)
        case ".mp4":
            _write_mp4(path, size, draw, frames_per_second)
        case _:
            _write_pictures(path, draw)


def _write_pictures(path: Path, draw: Callable[[TakeFrame], None]) -> None:
    count = 0

    def take(pixels: np.ndarray) -> None:
        nonlocal count
        count += 1
        save_picture(pixels, _numbered(path, count))

    draw(take)


def _write_gif(path: Path, draw: Callable[[TakeFrame], None], frames_per_second: float) -> None:
    from PIL import Image  # only here: it takes long to import

    frames: list[Image.Image] = []  # a byte a pixel
    octree = Image.Quantize.FASTOCTREE  # the usual method has no colour left for small bright things
    draw(lambda pixels: frames.append(Image.fromarray(pixels).quantize(method=octree)))
    encoded = io.BytesIO()
    frames[0].save(
        encoded,
        format="GIF",
        save_all=True,
        append_images=frames[1:],
        duration=round(1000.0 / frames_per_second),
        loop=0,
        disposal=1,
    )
    with atomic_file(path) as file:
        file.write(encoded.getbuffer())


def _write_mp4(path: Path, size: tuple[int, int], draw: Callable[[TakeFrame], None], frames_per_second: float) -> None:
    imageio_ffmpeg = import_module(_VIDEO_MODULE)  # only here: an optional library

    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "turntable.mp4"
        # As players in browsers need it: even sides are enough, in place of multiples of 16.
        frames = imageio_ffmpeg.write_frames(str(made), size, fps=frames_per_second, macro_block_size=2, quality=8)
        frames.send(None)
        try:
            draw(lambda pixels: frames.send(np.ascontiguousarray(pixels).data))
        finally:
            frames.close()
        with atomic_file(path) as file, made.open("rb") as video:
            shutil.copyfileobj(video, file)


def _numbered(path: Path, number: int) -> Path:
    """Return the path of a picture, whose place for the number is written as in C: %03d."""
    try:
        return Path(str(path) % number)
    except (TypeError, ValueError):  # no place, or another % in the name
        return path
