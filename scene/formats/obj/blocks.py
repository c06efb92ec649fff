"""Blocks: a file as pieces of bytes that begin and end between statements, unpacked and decoded.

It reads plain files, gzip files, known by their first two bytes, and "-", standard input. UTF-16 becomes UTF-8; UTF-8
and Latin-1 stay as they are, because everything that is parsed is ASCII.
"""

from __future__ import annotations

import codecs
import gzip
import io
import sys
import zlib
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from octoscope.scene.formats.obj.block_arrays import PADDING
from octoscope.scene.formats.obj.words import last_statement_end
from octoscope.scene.system.paths import is_standard_input
from octoscope.scene.system.read_limits import check_unpacked, current_limits
from octoscope.scene.system.text_file import ReadError, encoding_of, open_regular, reason_of

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_BLOCK_BYTES = 2**20
_LONGEST_STATEMENT = 2**26
_LOOKED_AT = 4096  # bytes at the beginning that show the kind of a file

_Source = io.RawIOBase | io.BufferedIOBase


class Blocks:
    """A file that is read block by block; or the text of it, where that was read before."""

    def __init__(self, path: str | Path, text: bytes | None = None) -> None:
        self._path = Path(path)
        self._stack = ExitStack()
        self.total_bytes: int | None = None  # of the file on disk, or None where that is not known
        self._file = self._opened(self._path) if text is None else io.BytesIO(text)
        self.total_bytes = self.total_bytes if text is None else len(text)
        self._raw: _PeekedSource | None = None  # the file, once it was begun
        self._source: io.RawIOBase | None = None  # what unpacks and decodes it
        self._rest = b""
        self._ended = False
        self._unpacked_bytes = 0

    def __enter__(self) -> Blocks:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def done_bytes(self) -> int:
        """Bytes of the file that were read."""
        return 0 if self._raw is None else self._raw.taken

    def fill(self, data: np.ndarray) -> tuple[np.ndarray, int]:
        """Read the next block into `data`, uint8, or into a longer array where a statement needs it.

        Returns:
            the array, with PADDING line ends behind the block, and the block's length; 0 at the end of the file.
        """
        length = len(self._rest)
        while len(data) < 2 * (length + PADDING):
            data = np.empty(2 * len(data), dtype=np.uint8)
        data[:length] = np.frombuffer(self._rest, dtype=np.uint8)
        end = 0
        while end == 0 and not self._ended:
            if length + PADDING == len(data):
                if length > _LONGEST_STATEMENT:
                    raise ReadError(self._path, f"a line of more than {_LONGEST_STATEMENT >> 20} MiB: no OBJ file")
                current_limits().check(3 * len(data))
                data = np.concatenate([data, np.empty_like(data)])
            while length + PADDING < len(data) and not self._ended:
                length += self._read(data.data[length : len(data) - PADDING])
            end = length if self._ended else last_statement_end(data[:length])
        self._rest = data[end:length].tobytes()
        data[end : end + PADDING] = ord("\n")
        return data, end

    def _read(self, room: memoryview) -> int:
        """Read up to as many bytes as there is room for, at least one unless the file ends."""
        try:
            if self._source is None:
                self._source = self._begin()
            count = self._source.readinto(room)
        except (OSError, EOFError, zlib.error) as error:
            raise ReadError(self._path, f"cannot be read ({reason_of(error)}); check the file") from None
        self._ended = not count
        self._unpacked_bytes += count or 0
        check_unpacked(self._unpacked_bytes, self.done_bytes, self._path)
        if self._ended and self.done_bytes < (self.total_bytes or 0):
            raise ReadError(self._path, "shrank while it was read; open it again when it is complete")
        return count or 0

    def _opened(self, path: Path) -> _Source:
        if is_standard_input(path):
            if sys.stdin is None:
                raise ReadError(self._path, "standard input is closed; name a file")
            return sys.stdin.buffer  # type: ignore[return-value]  # a BufferedReader; typeshed says BinaryIO
        file, self.total_bytes = open_regular(path)
        return self._stack.enter_context(file)

    def _begin(self) -> io.RawIOBase:
        """Look at the first bytes and wrap the file in what unpacks and decodes it."""
        source = self._raw = _PeekedSource(self._file)
        if source.head.startswith(b"\x1f\x8b"):
            source = _PeekedSource(self._stack.enter_context(gzip.GzipFile(fileobj=source)))
        head = source.head
        if not head:
            raise ReadError(self._path, "the file is empty; export it again")
        mark, encoding = encoding_of(head)
        source.skip(mark)
        if encoding is not None and encoding != "utf-8":
            return _Decoded(source, encoding)
        if b"\0" in head:
            raise ReadError(self._path, "not an OBJ file: it holds binary data; give it a Wavefront .obj")
        return source


class _PeekedSource(io.RawIOBase):
    """A source whose first bytes were looked at and are still to be read."""

    def __init__(self, source: _Source) -> None:
        self._source = source
        head = b""
        while len(head) < _LOOKED_AT and (more := source.read(_LOOKED_AT - len(head))):
            head += more
        self.head = head  # bytes that were looked at and not read yet
        self.taken = len(head)  # how many bytes came from the source

    def readable(self) -> bool:
        return True

    def skip(self, count: int) -> None:
        self.head = self.head[count:]

    def readinto(self, buffer: WriteableBuffer) -> int:
        if not self.head:
            count = self._source.readinto(buffer) or 0
            self.taken += count
            return count
        room = memoryview(buffer)
        count = min(len(room), len(self.head))
        room[:count] = self.head[:count]
        self.skip(count)
        return count


class _Decoded(io.RawIOBase):
    """A source in another encoding, as UTF-8."""

    def __init__(self, source: io.RawIOBase, encoding: str) -> None:
        self._source = source
        self._decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
        self._ready = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        room = memoryview(buffer)
        while not self._ready:
            raw = self._source.read(_BLOCK_BYTES)
            self._ready = self._decoder.decode(raw or b"", final=not raw).encode()
            if not raw:
                break
        count = min(len(room), len(self._ready))
        room[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count


def block_room(file_bytes: int | None = None) -> np.ndarray:
    """Allocate an array for `Blocks.fill`; it need not be larger than a small file."""
    size = _BLOCK_BYTES if file_bytes is None else min(_BLOCK_BYTES, max(_LOOKED_AT, file_bytes) + PADDING + 1)
    return np.empty(size, dtype=np.uint8)
