"""The limits of reading a file: memory, counted before it is taken, and pixels and text unpacked from few bytes.

No reader carries a limit through all its functions, or makes up its own: `read_file` opens an account for a file, and
whoever is about to make something large of it counts that there.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from octoscope.scene.system.elsewhere import place_of
from octoscope.scene.system.memory import free_memory_bytes, readable_bytes
from octoscope.scene.system.text_file import ReadError, open_regular, read_bytes

_SHARE_OF_FREE = 0.9
# Text is five to ten times as large as it is packed. What follows is more than anything has that was not made to fill
# a memory, and no more than is read in ten seconds for each megabyte of a file, and five.
_UNPACKED_OF_ANY = 2**25
_UNPACKED_PER_BYTE = 100
# A photograph has some ten pixels a byte. A map of one colour has a thousand, but stands beside others.
_PIXELS_OF_ANY = 180_000_000  # as many as Pillow opens
_PIXELS_PER_BYTE = 64


class ReadLimits:
    """The account of reading one file, on the thread that reads it; `memory_bytes` None: most of what is free.

    What is counted stays so until the reading ends, or it is given back.
    """

    def __init__(self, path: Path, memory_bytes: int | None) -> None:
        self.memory_bytes = int(_SHARE_OF_FREE * free_memory_bytes()) if memory_bytes is None else memory_bytes
        self.taken_bytes = 0
        self._path = path
        self._pixels_left = _PIXELS_OF_ANY

    @property
    def left_bytes(self) -> int:
        """Memory that may still be taken."""
        return self.memory_bytes - self.taken_bytes

    def take(self, count_bytes: float) -> None:
        """Count memory that is about to be taken; ReadError, and it is not counted, if that is too much."""
        self.check(count_bytes)
        self.taken_bytes += int(count_bytes)

    def check(self, count_bytes: float, instead: str = "export it in several files") -> None:
        """Check that so much memory could be taken; `instead` is what a user can do other than allow more."""
        if count_bytes > self.left_bytes:
            needed = self.taken_bytes + count_bytes
            raise ReadError(
                self._path,
                f"needs about {readable_bytes(needed)} of memory, more than "
                f"{readable_bytes(self.memory_bytes)}; allow more with --max-memory, or {instead}",
            )

    @contextmanager
    def meanwhile(self, count_bytes: float) -> Iterator[None]:
        """Count memory that is free again afterwards."""
        self.take(count_bytes)
        try:
            yield
        finally:
            self.taken_bytes -= int(count_bytes)

    def take_pixels(self, count: int, packed_bytes: int) -> None:
        """Count an image before it is decoded; OSError if all have far more pixels than bytes."""
        left = self._pixels_left + _PIXELS_PER_BYTE * packed_bytes - count
        if left < 0:
            raise OSError("far more pixels than its bytes can mean, beside the other images")
        self._pixels_left = left


def check_unpacked(unpacked_bytes: int, packed_bytes: int, path: Path) -> None:
    """Raise ReadError if bytes of a file unpack to far more than anything not made to fill a memory."""
    if unpacked_bytes > _UNPACKED_OF_ANY + _UNPACKED_PER_BYTE * packed_bytes:
        raise ReadError(
            path,
            f"unpacks to more than {_UNPACKED_PER_BYTE} times its size, as only files do that are made to "
            "fill a memory; if you trust it, unpack it and open that",
        )


_active: ContextVar[ReadLimits | None] = ContextVar("read_limits", default=None)


@contextmanager
def read_limits(path: Path, memory_bytes: int | None) -> Iterator[ReadLimits]:
    """Open an account, which `current_limits` returns within; Args as for ReadLimits."""
    limits = ReadLimits(path, memory_bytes)
    token = _active.set(limits)
    try:
        yield limits
    finally:
        _active.reset(token)


def current_limits() -> ReadLimits:
    """Return the account of the file that this thread reads; outside of `read_limits` one without limit."""
    return _active.get() or ReadLimits(Path(), 2**60)


def read_counted(path: Path, *, largest_bytes: int) -> bytes:
    """Read the bytes of a file as `read_bytes`, and count them before."""
    if place_of(path) is not None:
        data = read_bytes(path, largest_bytes=largest_bytes)
        current_limits().take(len(data))
        return data
    file, size = open_regular(path)
    file.close()
    if size <= largest_bytes:
        current_limits().take(size)
    return read_bytes(path, largest_bytes=largest_bytes)
