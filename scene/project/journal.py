"""The journal: what was done to a project since its last save, a line a gesture, on the disk when `record` returns.

A line is the checksum of what follows, and JSON. The first names the content of the project file that the gestures
come upon. Before a save puts a new file in place, a line names that one's content: whichever of the two is found after
a crash, the gestures that are not in it are known. Where undoing or redoing leaves the scene as it was saved last, a
line says so: the gestures before it are still replayed, since later ones build upon them, and nothing of them is lost.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from scene.system.atomic_file import SaveError, sync_folder
from scene.system.file_lock import LOCKED_BYTE, close_locked, open_locked, remove_locked
from scene.system.text_file import ReadError, printable, read_bytes

if TYPE_CHECKING:
    from scene.editing.edits import Edit

VERSION = 1
_AS_SAVED = "as_saved"  # a line of the digest of the project that this is true upon
_LARGEST_BYTES = LOCKED_BYTE
_SHORT_BYTES = 1000  # more than a line has that is no gesture


def journal_path(project: Path) -> Path:
    """Where the journal of a project file is."""
    return project.with_name(f"{project.name}.journal")


def digester(data: bytes = b"") -> hashlib.blake2b:
    """What makes digests, which tell one content of a file from every other."""
    return hashlib.blake2b(data, digest_size=16)


def digest_of(data: bytes) -> str:
    """The digest of a file's bytes."""
    return digester(data).hexdigest()


@dataclass(frozen=True)
class Gesture:
    """A line of a journal: the record, the line's number, counted from 1, and the bytes before and after it."""

    record: dict[str, object]
    line: int
    begin: int
    end: int


@dataclass
class JournalContent:
    """What stands in a journal.

    Attributes:
        digest: of its bytes. size: of them, in bytes.
        gestures: those that are not in the project file yet, in order.
        as_saved: after how many of them the scene was, for the last time, as when it was saved last.
        sound_bytes: up to the end of the last sound line; 0 where the journal is not this file's.
        is_torn: its last line was cut off.
        fault: why gestures are not among those above: one clause; or empty.
        fault_line: where that is.
    """

    digest: str
    size: int
    gestures: list[Gesture] = field(default_factory=list)
    as_saved: int = 0
    sound_bytes: int = 0
    is_torn: bool = False
    fault: str = ""
    fault_line: int | None = None

    def unsaved(self, done: int) -> int:
        """How many changes a scene has that is not saved, after so many of the gestures."""
        return done - self.as_saved if done >= self.as_saved else done


def read_journal(path: Path, project_digest: str) -> JournalContent | None:
    """What stands in a journal for a project file of that content; None: there is none, or nothing in it.

    Raises:
        ReadError: it cannot be read.
    """
    if not os.path.lexists(path):
        return None
    data = read_bytes(path, largest_bytes=_LARGEST_BYTES)
    return _content(data, project_digest) if data else None


def _content(data: bytes, project_digest: str) -> JournalContent:
    content = JournalContent(digest_of(data), len(data))
    lines = _sound_lines(data, content)
    if not lines:
        if not line_of(_head(project_digest)).startswith(data.rstrip(b"\0")):  # which is what was being written
            content.fault = "its first line is damaged: nothing tells which file it belongs to"
        return content
    head = lines[0].record
    if head.get("version") != VERSION:
        content.fault, content.fault_line = "written by another release of Octoscope", 1
        return content
    # The last that matches: what came before it is in the file.
    saves = [number for number, line in enumerate(lines) if line.record.get("project") == project_digest]
    if not saves:
        gestures, as_saved = _gestures(lines)
        if len(gestures) > as_saved or content.fault:
            content.fault, content.fault_line = f"{len(gestures):,} changes to another state of the project", 1
        return content
    content.gestures, content.as_saved = _gestures(lines[saves[-1] + 1 :], project_digest)
    content.sound_bytes = lines[-1].end
    return content


def _gestures(lines: list[Gesture], project_digest: str | None = None) -> tuple[list[Gesture], int]:
    """Those lines that are gestures, and JournalContent.as_saved upon a project of that content, or upon any."""
    gestures, as_saved = [], 0
    for line in lines:
        if _AS_SAVED in line.record:
            if project_digest in (None, line.record[_AS_SAVED]):
                as_saved = len(gestures)
        elif "project" not in line.record:
            gestures.append(line)
    return gestures, as_saved


def is_left_as_saved(path: Path) -> bool:
    """Whether a journal ends where the scene was as it was saved last, by its last line; OSError: it is not there."""
    with open(path, "rb") as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - _SHORT_BYTES))
        record = _record(file.read().removesuffix(b"\n").rpartition(b"\n")[2])
    return record is not None and _AS_SAVED in record


def _sound_lines(data: bytes, content: JournalContent) -> list[Gesture]:
    """The lines up to the first that is damaged, which is noted in `content`."""
    lines: list[Gesture] = []
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
        lines.append(Gesture(record, len(lines) + 1, begin, end))
        begin = end
    return lines


def _head(project_digest: str) -> dict[str, object]:
    return {"version": VERSION, "project": project_digest}


def line_of(record: dict[str, object]) -> bytes:
    """A record as it stands in a journal."""
    text = json.dumps(record, separators=(",", ":"), allow_nan=False).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


def _record(line: bytes) -> dict[str, object] | None:
    """The record on a line, or None: it is not as it was written."""
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
    """A journal that is written; as long as it is open, no other program can write to it.

    Attributes:
        path: the file. holds_unsaved: whether without it something would be lost.
        gesture_count: how many were recorded by this one.
        undoable: edits that a later gesture may take back by naming their record, and the numbers of these, from 0;
            none from before a save, where what is replayed may begin.
    """

    def __init__(self, project: Path) -> None:
        """Open the journal of a project file, made if it is not there, as it is.

        Raises:
            ProjectHeldError: another program has the project open. SaveError: the journal cannot be written.
        """
        self.path = journal_path(project)
        self._shown = printable(project)
        self._unwritten = b""
        self.gesture_count = 0
        self.undoable: WeakKeyDictionary[Edit, int] = WeakKeyDictionary()
        try:
            mode = os.stat(project).st_mode & 0o666 if os.path.exists(project) else 0o666
            self._descriptor = open_locked(self.path, mode=mode)
        except OSError as error:
            raise self._save_error(error) from None
        if self._descriptor is None:
            raise ProjectHeldError(project)
        self._size = os.fstat(self._descriptor).st_size
        self.holds_unsaved = self._size > 0

    @property
    def is_behind(self) -> bool:
        """Whether something that was recorded could not be written yet."""
        return bool(self._unwritten)

    def begin(self, project_digest: str) -> None:
        """Begin anew, for gestures upon a project file of that content; what the journal held is gone."""
        self._unwritten = b""
        self._size = 0
        self.undoable.clear()
        self._write(line_of(_head(project_digest)))
        self.holds_unsaved = False
        with suppress(OSError):  # the file itself is safe; that a new name can be lost with the power changes little
            sync_folder(self.path.parent)

    def go_on(self, sound_bytes: int, *, holds_unsaved: bool) -> None:
        """Go on behind the first `sound_bytes`; what follows is gone.

        Raises:
            SaveError: it cannot be written.
        """
        try:
            os.ftruncate(self._descriptor, sound_bytes)
            os.fsync(self._descriptor)
        except OSError as error:
            raise self._save_error(error) from None
        self._size = sound_bytes
        self.holds_unsaved = holds_unsaved

    def record(self, gesture: dict[str, object] | bytes, *, as_saved_upon: str | None = None) -> None:
        """Write a gesture down, or its line if that was made (`line_of`); when this returns, the disk has it.

        Args:
            as_saved_upon: the digest of the project file, if the gesture leaves the scene as it was saved last.

        Raises:
            SaveError: it cannot be written; the next call tries again, with this one first.
        """
        self.holds_unsaved = as_saved_upon is None
        self.gesture_count += 1  # also when it cannot be written now: it will be, before the next
        line = gesture if isinstance(gesture, bytes) else line_of(gesture)
        self._write(line + (line_of({_AS_SAVED: as_saved_upon}) if as_saved_upon else b""))

    def mark_saved(self, project_digest: str) -> None:
        """Say that a file of that content is about to take the project's place, and has all gestures so far.

        Raises:
            SaveError: it cannot be written.
        """
        self.undoable.clear()
        self._write(line_of({"project": project_digest}))

    def keep_aside(self) -> Path:
        """Copy the file to a free name beside it, and return that.

        Raises:
            SaveError: it cannot be written.
        """
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
        """What stands in it now, as `read_journal`."""
        try:
            return read_journal(self.path, project_digest)
        except ReadError as error:
            raise SaveError(str(error)) from None

    def close(self, *, remove: bool = False) -> None:
        """Let go of the file, which stays when something would be lost without it, unless that is to be forgotten."""
        if remove or not self.holds_unsaved:
            remove_locked(self._descriptor, self.path)
        else:
            close_locked(self._descriptor)

    def _write(self, lines: bytes) -> None:
        """Append lines, behind those that could not be written before."""
        self._unwritten += lines
        try:
            if self._size + len(self._unwritten) > _LARGEST_BYTES:
                raise OSError("it is full: save the project")
            # What a failed attempt left, or a program that was killed.
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
            f"{printable(self.path)}: cannot be written ({error.strerror or error}); "
            f"until it can, changes to {self._shown} last only from save to save"
        )
