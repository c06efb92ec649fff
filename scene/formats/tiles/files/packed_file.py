"""Files of tilesets that are packed by gzip, as many servers have them: read as if they were not."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

from octoscope.scene.system.read_limits import check_unpacked, current_limits, read_counted
from octoscope.scene.system.text_file import ReadError

_GZIP = b"\x1f\x8b"
_STEP = 2**24  # bytes


def read_unpacked(path: Path, *, largest_bytes: int) -> bytes:
    """Read the bytes of a file, unpacked if it is packed by gzip, and count them before."""
    packed = read_counted(path, largest_bytes=largest_bytes)
    if not packed.startswith(_GZIP):
        return packed
    data = bytearray()
    try:
        for piece in unpacked(packed, path):
            current_limits().take(len(piece))
            data += piece
    except zlib.error:
        raise ReadError(path, "packed by gzip, and cannot be unpacked; copy it again") from None
    return bytes(data)


def unpacked(packed: bytes, path: Path) -> Iterator[bytes]:
    """Yield pieces of what gzip has packed; zlib.error where it is cut off or none, ReadError where it is too much."""
    unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
    count, rest = 0, packed
    while not unpacker.eof:
        piece = unpacker.decompress(rest, _STEP)
        rest = unpacker.unconsumed_tail
        if not piece and not rest:
            raise zlib.error("cut off")
        count += len(piece)
        check_unpacked(count, len(packed), path)
        yield piece
