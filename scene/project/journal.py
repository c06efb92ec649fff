"""The journal: the steps since the project was last saved, one per line, on disk when `append` returns.

A line is the checksum of what follows, and JSON. The first names the content of the project file that the steps come
upon. Before a save puts a new file in place, a line names that one's content: whichever of the two is found after a
crash, the steps that are not in it are known. A step is an edit, or goes back or forth by one edit.

Lines of text rather than SQLite (BENCHMARKS.md has the figures): its log ends without a word at the first page whose
checksum is wrong, with all that comes after it; here that is reported with its line and kept aside. A lock that lasts
as long as the program has the project open keeps SQLite's readers out, so the lock on a file would stay; a reader
writes to the folder, and a project may lie on a share, where WAL cannot be used.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from octoscope.scene.system.atomic_file import SaveError, sync_folder
from octoscope.scene.system.file_lock import LOCKED_BYTE, close_locked, open_locked, remove_locked
from octoscope.scene.system.text_file import ReadError, printable, read_bytes, reason_of

VERSION = 2  # version 1 had other kinds of steps
EDIT, UNDO, REDO = "edit", "undo", "redo"  # the kinds of steps
_MOVES = {EDIT: 1, UNDO: -1, REDO: 1}
_LARGEST_BYTES = LOCKED_BYTE


def journal_path(project: Path) -> Path:
    """Return the path of the journal of a project file."""
    return project.with_name(f"{project.name}.journal")


def digester(data: bytes = b"") -> hashlib.blake2b:
    """Return the hash that makes digests of contents of files."""
    return hashlib.blake2b(data, digest_size=16)


def digest_of(data: bytes) -> str:
    """Return the digest of a file's bytes."""
    return digester(data).hexdigest()


@dataclass(frozen=True)
class Line:
    """A line of a journal."""

    record: dict[str, object]  # the JSON object on it
    line: int  # its number, from 1
    begin: int  # number of bytes before it
    end: int  # number of bytes up to its end


@dataclass
class JournalContent:
    """The content of a journal."""

    digest: str  # of its bytes
    size: int  # in bytes
    steps: list[Line] = field(default_factory=list)  # those that are not in the project file yet, in order
    sound_bytes: int = 0  # up to the end of the last sound line; 0 if the journal belongs to another file
    is_torn: bool = False  # its last line was cut off
    fault: str = ""  # why further steps cannot be used, as a clause; "": all can
    fault_line: int | None = None  # the line of the fault


def read_journal(path: Path, project_digest: str) -> JournalContent | None:
    """Read a journal that belongs to a project file with this digest; None if there is none or it is empty."""
    if not os.path.lexists(path):
        return None
    data = read_bytes(path, largest_bytes=_LARGEST_BYTES)
    return _content(data, project_digest) if data else None


def _content(data: bytes, project_digest: str) -> JournalContent:
    content = JournalContent(digest_of(data), len(data))
    lines = _sound_lines(data, content)
    if not lines:
        if not line_of(_head(project_digest)).startswith(data.rstrip(b"\0")):  # cut off while it was written
            content.fault = "its first line is damaged: nothing tells which file it belongs to"
        return content
    head = lines[0].record
    if head.get("version") != VERSION:
        if len(lines) > 1:
            content.fault = "written by another release of Octoscope, which can open it and save the project"
            content.fault_line = 1
        return content
    # The last one that matches: the file contains the steps before it.
    saves = [number for number, line in enumerate(lines) if line.record.get("project") == project_digest]
    if not saves:
        count = sum(_MOVES.get(str(line.record.get("kind")), 1) for line in lines if "project" not in line.record)
        if count or content.fault:
            content.fault, content.fault_line = f"{count:,} changes to another state of the project", 1
        return content
    content.steps = [line for line in lines[saves[-1] + 1 :] if "project" not in line.record]
    content.sound_bytes = lines[-1].end
    return content


def _sound_lines(data: bytes, content: JournalContent) -> list[Line]:
    """Return the lines before the first damaged one, which is noted in `content`."""
    lines: list[Line] = []
    begin = 0
    while begin < len(data):
        end = data.find(b"\n", begin) + 1
        record = _record(data[begin : end - 1]) if end else None
        if record is None:
            if end in (0, len(data)):
                content.is_torn = True
            else:
                content.fault, content.fault_line = "damaged", len(lines) + 1
            break
        lines.append(Line(record, len(lines) + 1, begin, end))
        begin = end
    return lines


def _head(project_digest: str) -> dict[str, object]:
    return {"version": VERSION, "project": project_digest}


def line_of(record: dict[str, object]) -> bytes:
    """Return the bytes of a record's line."""
    text = json.dumps(record, separators=(",", ":"), allow_nan=False).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


def _record(line: bytes) -> dict[str, object] | None:
    """Return the record on a line, or None if the line is not as it was written."""
    checksum, _, text = line.partition(b" ")
    if checksum != b"%08x" % zlib.crc32(text):
        return None
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


class ProjectHeldError(SaveError):
    """Another program, or another part of this one, has the project open."""

    def __init__(self, project: str | Path) -> None:
        super().__init__(f"{printable(project)}: open in another Octoscope; close it there, or save under another name")


class Journal:
    """A journal that is open for writing; meanwhile no other program can write to it.

    What cannot be written raises SaveError, and ProjectHeldError if another program has the project open.
    """

    def __init__(self, project: Path) -> None:
        """Open the journal of a project file as it is, or create it."""
        self.path = journal_path(project)
        self._shown = printable(project)
        self._unwritten = b""
        try:
            mode = os.stat(project).st_mode & 0o666 if os.path.exists(project) else 0o666
            descriptor = open_locked(self.path, mode=mode)
        except OSError as error:
            raise self._save_error(error) from None
        if descriptor is None:
            raise ProjectHeldError(project)
        self._descriptor = descriptor
        self._size = os.fstat(self._descriptor).st_size
        self.holds_unsaved = self._size > 0  # without it changes would be lost

    @property
    def has_unwritten(self) -> bool:
        """True if something that was recorded could not be written yet."""
        return bool(self._unwritten)

    def begin(self, project_digest: str) -> None:
        """Start over, for steps that follow a project file with this digest; the old content is dropped."""
        self._unwritten = b""
        self._size = 0
        self._write(line_of(_head(project_digest)))
        self.holds_unsaved = False
        with suppress(OSError):  # the file is safe; losing only its new name in a power cut does little harm
            sync_folder(self.path.parent)

    def resume(self, sound_bytes: int, *, holds_unsaved: bool) -> None:
        """Continue after the first `sound_bytes`; the rest is dropped."""
        try:
            os.ftruncate(self._descriptor, sound_bytes)
            os.fsync(self._descriptor)
        except OSError as error:
            raise self._save_error(error) from None
        self._size = sound_bytes
        self.holds_unsaved = holds_unsaved

    def append(self, lines: bytes, *, holds_unsaved: bool) -> None:
        """Append whole lines, and have them on disk; where that fails, the next call tries these again first."""
        self.holds_unsaved = holds_unsaved
        self._write(lines)

    def mark_saved(self, project_digest: str) -> None:
        """Note that a file with this digest, which contains all steps so far, is about to replace the project file."""
        self._write(line_of({"project": project_digest}))

    def keep_aside(self) -> Path:
        """Copy the journal to a new file beside it and return the path of that."""
        number = 1
        while True:
            aside = self.path.with_name(f"{self.path.name}.{number}")
            try:
                with open(aside, "xb") as file, open(self.path, "rb") as journal:
                    while piece := journal.read(2**20):
                        file.write(piece)
                    file.flush()
                    os.fsync(file.fileno())
                sync_folder(aside.parent)
                return aside
            except FileExistsError:
                number += 1
            except OSError as error:
                raise self._save_error(error) from None

    def content(self, project_digest: str) -> JournalContent | None:
        """Return the present content, as `read_journal`."""
        try:
            return read_journal(self.path, project_digest)
        except ReadError as error:
            raise SaveError(str(error)) from None

    def close(self, *, remove: bool = False) -> None:
        """Close the file, and remove it if nothing would be lost by that or `remove` is set."""
        if remove or not self.holds_unsaved:
            remove_locked(self._descriptor, self.path)
        else:
            close_locked(self._descriptor)

    def _write(self, lines: bytes) -> None:
        """Append lines, after those that could not be written before."""
        self._unwritten += lines
        try:
            if self._size + len(self._unwritten) > _LARGEST_BYTES:
                raise OSError("it is full: save the project")
            # Drop what a failed attempt or a killed program has left.
            os.ftruncate(self._descriptor, self._size)
            os.lseek(self._descriptor, self._size, os.SEEK_SET)
            remaining = memoryview(self._unwritten)
            while remaining:
                remaining = remaining[os.write(self._descriptor, remaining) :]
            os.fsync(self._descriptor)
        except OSError as error:
            raise self._save_error(error) from None
        self._size += len(self._unwritten)
        self._unwritten = b""

    def _save_error(self, error: OSError) -> SaveError:
        return SaveError(
            f"{printable(self.path)}: cannot be written ({reason_of(error)}); "
            f"until it can, changes to {self._shown} last only from save to save"
        )
