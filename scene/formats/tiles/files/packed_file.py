"""Files of tilesets that are packed by gzip, as many servers have them: read as if they were not."""

from __future__ import annotations

import zlib
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
    unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
    data, rest = bytearray(), packed
    try:
        while not unpacker.eof:
            piece = unpacker.decompress(rest, _STEP)
            if not piece and not unpacker.unconsumed_tail:
                raise zlib.error
            check_unpacked(len(data) + len(piece), len(packed), path)
            current_limits().take(len(piece))
            data += piece
            rest = unpacker.unconsumed_tail
    except zlib.error:
        raise ReadError(path, "packed by gzip, and cannot be unpacked; copy it again") from None
    return bytes(data)
