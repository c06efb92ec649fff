"""Read files from outside: only regular files below a size, and text in any encoding."""

from __future__ import annotations

import codecs
import io
import os
import re
import stat
from pathlib import Path

from octoscope.scene.system.elsewhere import place_of
from octoscope.scene.system.paths import StrPath

_SAMPLE_BYTES = 65536
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


class ReadError(Exception):
    """A file that cannot be used; the message is one line that names it and says what to do.

    Args:
        path: of the file; None: `reason` names it, or several.
    """

    def __init__(self, path: StrPath | None, reason: str) -> None:
        super().__init__(path, reason)  # both, so that the error comes back from other processes
        self.path = path
        self.reason = reason

    def __str__(self) -> str:
        return self.reason if self.path is None else f"{printable(self.path)}: {self.reason}"

    def beside(self, path: StrPath) -> str:
        """Return the message for whoever names a file: without the file's name, if it is the one."""
        return self.reason if str(self.path) == str(path) else str(self)


def read_text(path: Path, *, largest_bytes: int) -> str:
    r"""Read the text of a file; its lines end in \n.

    UTF-8 and UTF-16 are known by their byte order marks; without one it is UTF-8 or, where that fails, Latin-1, which
    reads anything.
    """
    text = _decoded(read_bytes(path, largest_bytes=largest_bytes), path)
    if not text.strip():
        raise ReadError(path, "the file is empty; export it again")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_bytes(path: Path, *, largest_bytes: int) -> bytes:
    """Read the bytes of a file."""
    if (place := place_of(path)) is not None:
        return place.read(path, largest_bytes)
    file, size = open_regular(path)
    with file:
        if size > largest_bytes:
            raise ReadError(path, f"{size:,} bytes, more than the {largest_bytes:,} that are read; give a smaller file")
        try:
            return file.read()
        except OSError as error:
            raise ReadError(path, f"cannot be read ({reason_of(error)}); check the file") from None


def open_regular(path: Path) -> tuple[io.FileIO, int]:
    """Open a regular file, unbuffered; return the file, and its size in bytes."""
    try:
        status = os.stat(path)
        if stat.S_ISDIR(status.st_mode):
            raise ReadError(path, "a folder, not a file; name the files in it")
        if not stat.S_ISREG(status.st_mode):
            raise ReadError(path, "not a regular file; save it to disk first")
        return open(path, "rb", buffering=0), status.st_size
    except FileNotFoundError:
        is_pattern = any(character in os.fspath(path) for character in "*?[")
        advice = "name each file, or a folder: patterns are not expanded" if is_pattern else "check the path"
        raise ReadError(path, f"no such file; {advice}") from None
    except (OSError, ValueError) as error:
        raise ReadError(path, f"cannot be read ({reason_of(error)}); check the path and its permissions") from None


def reason_of(error: Exception, path: StrPath | None = None) -> str:
    """Return why something could not be read or written; without the name of `path`, where the message has it."""
    if isinstance(error, ReadError) and path is not None:
        return error.beside(path)
    text = " ".join(str(getattr(error, "strerror", None) or error).split())
    return printable(text) or type(error).__name__


def not_of_format(path: Path, kind: str, reason: str) -> ReadError:
    """Return the error that refuses a file for not being what the ending of its name says."""
    advice = "open another file, or give this one the ending of its format"
    return ReadError(path, f"not {kind} file: {reason}; {advice}")


def printable(text: object) -> str:
    """Make a text fit for a message: one line, with other characters in place of those that cannot be shown."""
    text = os.fsdecode(text) if isinstance(text, os.PathLike) else str(text)
    if re.match(r"https?:/[^/]", text):  # as a Path writes it; what follows the name may be somebody's key
        text = text.replace(":/", "://", 1).partition("?")[0]
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def shortened(text: str, most: int = 60) -> str:
    """Shorten words from a file for a message: one line of about `most` characters, begin and end of longer ones."""
    begin = most // 3
    return printable(text if len(text) <= most else f"{text[:begin]}...{text[begin + 3 - most :]}")


def encoding_of(head: bytes) -> tuple[int, str | None]:
    """Return the length of the byte order mark of a text, and its encoding; None: no mark, and no UTF-16."""
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            return len(mark), encoding
    # UTF-16 without a mark: every other byte of what is mostly ASCII is zero.
    first, second = head[0::2].count(0), head[1::2].count(0)
    for fewer, more, encoding in ((first, second, "utf-16-le"), (second, first, "utf-16-be")):
        if 8 * more >= len(head) and 8 * fewer <= more:
            return 0, encoding
    return 0, None


def _decoded(data: bytes, path: Path) -> str:
    mark, encoding = encoding_of(data[:_SAMPLE_BYTES])
    if encoding is not None:
        return data[mark:].decode(encoding, errors="replace")
    if b"\0" in data:
        raise ReadError(path, "not text: it holds binary data; give another file")
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")
