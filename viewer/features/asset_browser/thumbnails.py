"""Thumbnails: pictures of files, from the user's cache or drawn in the background by another process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from octoscope.viewer.editing.background_pictures import BackgroundPictures
from octoscope.viewer.editing.jobs import Jobs, Progress
from octoscope.viewer.features.asset_browser.asset_folder import Asset

_MOST_BYTES = 64 * 2**20  # of the cache
_JOB_SECONDS = 0.2  # after which what is there is shown
_LONGEST_SECONDS = 60.0  # that a picture may take


@dataclass(frozen=True, eq=False)
class Thumbnail:
    """What is known of a file."""

    pixels: np.ndarray | None  # (h, w, 4) uint8, top row first; None: it cannot be drawn
    facts: Mapping[str, Any] = field(default_factory=dict)  # as drawing.FACTS
    problem: str = ""  # why it cannot be drawn


class Thumbnails:
    """The thumbnails of those files that are asked for in a frame, as soon as they are there."""

    def __init__(self, jobs: Jobs, folder: Path, on_change: Callable[[], object]) -> None:
        self._folder = folder
        self._process = DrawingProcess(folder)
        self._pictures = BackgroundPictures(jobs, self._made, on_change)
        self.of = self._pictures.of

    def work(self) -> None:
        """Begin to find out what was asked for since the last call, if nothing is under way."""
        if not self._pictures.work():
            self._process.close()

    def _made(self, wanted: Sequence[Asset], tell: Progress) -> dict[Asset, Thumbnail]:
        """Read or draw some of the thumbnails."""
        made: dict[Asset, Thumbnail] = {}
        deadline = time.monotonic() + _JOB_SECONDS
        for asset in wanted:
            tell(0, 0)
            png = self._folder / f"{asset.key}.png"
            thumbnail = read_thumbnail(png)
            if thumbnail is None:
                problem = self._process.draw(asset.path, png)
                thumbnail = read_thumbnail(png) or Thumbnail(None, problem=problem or "no picture was written")
            made[asset] = thumbnail
            if time.monotonic() > deadline:
                break
        return made


def read_thumbnail(png: Path) -> Thumbnail | None:
    """Read a thumbnail of the cache; None: there is none, or it is of no use."""
    try:
        with Image.open(png, formats=("PNG",)) as image:
            facts = json.loads(image.text["octoscope"])  # type: ignore[attr-defined]  # of PNG alone
            pixels = np.asarray(image.convert("RGBA"))
        os.utime(png)  # so that the cache keeps what is looked at
    except Exception:  # whatever Pillow raises for a file that somebody has damaged
        return None
    return Thumbnail(pixels, facts)


class DrawingProcess:
    """A process that draws, started when there is something to draw; used by one thread at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[str] | None = None

    def draw(self, path: Path, png: Path) -> str:
        """Draw a file; return why that failed, or ""."""
        try:
            process = self._started()
        except OSError as error:
            return f"no process can be started ({error.strerror})"
        assert process.stdin is not None and process.stdout is not None
        timer = threading.Timer(_LONGEST_SECONDS, process.kill)
        timer.start()
        try:
            process.stdin.write(json.dumps([str(path), str(png)]) + "\n")
            process.stdin.flush()
            return str(json.loads(process.stdout.readline()))
        except (OSError, ValueError):  # it has ended on the way
            self.close()
            return "it cannot be drawn"
        finally:
            timer.cancel()

    def close(self) -> None:
        """End the process; another one may be started."""
        process, self._process = self._process, None
        if process is not None and process.stdin is not None:
            with suppress(OSError):
                process.stdin.close()

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None or self._process.poll() is not None:
            self._folder.mkdir(parents=True, exist_ok=True)
            prune(self._folder, _MOST_BYTES)
            self._process = subprocess.Popen(
                [sys.executable, "-m", f"{__package__}.drawing"],
                stdin=subprocess.PIPE,  # whose end tells the process that this one has ended
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                cwd=self._folder,  # else modules would be imported from the working folder
                env={**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, filter(None, sys.path)))},
            )
        return self._process


def prune(folder: Path, most_bytes: int) -> None:
    """Delete the files of a folder that were looked at longest ago, until the rest takes at most so many bytes."""
    files = []
    for entry in os.scandir(folder):
        with suppress(OSError):
            files.append((entry.stat().st_mtime_ns, entry.stat().st_size, entry.path))
    total = 0
    for _, size, path in sorted(files, reverse=True):
        total += size
        if total > most_bytes:
            with suppress(OSError):
                os.remove(path)
