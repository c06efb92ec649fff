"""Text files from outside: only regular files below a size, in whatever encoding they came."""

from __future__ import annotations

import os
import stat
from pathlib import Path


class ReadError(Exception):
    """A file that cannot be used; the message is one line that names it and says what to do."""


def read_text(path: Path, *, largest_bytes: int) -> str:
    """The text of a file, its lines ended by \\n.

    UTF-8 and UTF-16 by their marks, else UTF-8, else Latin-1, which reads anything.

    Raises:
        ReadError: missing, a folder or device, not readable, too large, empty, or binary.
    """
    shown = printable(path)
    try:
        status = os.stat(path)
        if stat.S_ISDIR(status.st_mode):
            raise ReadError(f"{shown}: a folder, not a file; name the files in it")
        if not stat.S_ISREG(status.st_mode):
            raise ReadError(f"{shown}: not a regular file; save it to disk first")
        if status.st_size > largest_bytes:
            raise ReadError(f"{shown}: {status.st_size:,} bytes, more than {largest_bytes:,}; open a part of it")
        data = path.read_bytes()
    except FileNotFoundError:
        raise ReadError(f"{shown}: no such file; check the path") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ReadError(f"{shown}: cannot be read ({reason}); check the path and its permissions") from None
    text = _decoded(data, shown)
    if not text.strip():
        raise ReadError(f"{shown}: the file is empty; export it again")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def printable(text: object) -> str:
    """A name for a message: one line, whatever characters it holds."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in str(text))


def _decoded(data: bytes, shown: str) -> str:
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            return data.decode(encoding, errors="replace")
    for example, encoding in ((b"v\0 \0", "utf-16-le"), (b"\0v\0 ", "utf-16-be")):
        if example in data:  # without a mark
            return data.decode(encoding, errors="replace")
    if b"\0" in data:
        raise ReadError(f"{shown}: not an OBJ or MTL file: it holds binary data; give it a Wavefront .obj")
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")
