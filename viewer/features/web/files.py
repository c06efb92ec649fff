"""BrowserFiles: uploads of files that commands ask for, from the browser that has run one, and downloads."""

from __future__ import annotations

import io
import os
import shutil
import tempfile
import zipfile
import zlib
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from viser import ClientHandle

from octoscope.scene.loading.folders import files_in
from octoscope.scene.system.text_file import ReadError, printable, reason_of
from octoscope.viewer.document.document import Document
from octoscope.viewer.document.file_names import ConfirmedPath, PathRequest
from octoscope.viewer.editing.jobs import JobKind, Jobs
from octoscope.viewer.editing.log import Log
from octoscope.viewer.features.web.controls import Controls
from octoscope.viewer.features.web.forms import BrowserForms
from octoscope.viewer.features.web.guard import LARGEST_UPLOAD_BYTES

_UPLOAD = "upload"
_ARCHIVE = ".zip"
_LARGEST_UNPACKED_BYTES = 4 * LARGEST_UPLOAD_BYTES


class BrowserFiles:
    """Uploads and downloads.

    Args:
        folder: where uploads stay, as projects name their files; None: until the program ends.
    """

    def __init__(self, forms: BrowserForms, log: Log, jobs: Jobs, folder: Path | None) -> None:
        self._forms = forms
        self._jobs = jobs
        self._log = log
        self._folder = None if folder is None else folder / "uploads"
        self._temporary = Path(tempfile.mkdtemp(prefix="octoscope-"))
        self._uploads: deque[tuple[PathRequest, str, bytes]] = deque()  # with names and contents, not kept yet
        self._awaited: list[tuple[ClientHandle, Path, str]] = []  # folders that a job writes into, and names

    def ask_path(self, request: PathRequest) -> None:
        """Let the browser upload the file that a request asks for, or give it the new file when that is written."""
        client = self._forms.client()
        if request.becomes_project:
            how = "serve a project (.octo.json) to save it; File > Download project is yours to keep"
            self._log.say("warning", f"{request.title}: a browser cannot name files where the program runs; {how}")
        elif client is None:
            self._log.say("warning", f"{request.title}: no browser has asked for it")
        elif request.suggestion is None:
            self._forms.show_box(request.title, partial(self._add_upload, request))
        else:
            folder = Path(tempfile.mkdtemp(dir=self._temporary))
            self._awaited.append((client, folder, request.suggestion.name))
            request.choose(ConfirmedPath(folder / request.suggestion.name))

    def _add_upload(self, request: PathRequest, controls: Controls, close: Callable[[], object]) -> None:
        gui, endings = controls.gui, _endings(request)
        many = f"; several, such as an OBJ file and its materials, as {_ARCHIVE}" if request.several else ""
        gui.add_markdown(f"{', '.join(endings)}; at most {LARGEST_UPLOAD_BYTES >> 20} MB{many}")
        button: Any = gui.add_upload_button("Choose file", mime_type=",".join(endings))
        controls.follow_upload(button, lambda: self._take(request, button.value.name, button.value.content, close))

    def _take(self, request: PathRequest, name: str, content: bytes, close: Callable[[], object]) -> None:
        """Have an uploaded file kept, which goes on with it."""
        close()
        name = Path(name.replace("\\", "/")).name
        endings = _endings(request)
        if not name.lower().endswith(endings):
            self._log.say("error", f"{printable(name)}: {request.title} takes {', '.join(endings)}", _UPLOAD)
            return
        self._uploads.append((request, name, content))

    def _kept(self, name: str, content: bytes) -> tuple[Path, ...]:
        """Return the files of an upload, which are kept in a folder of their own, or raise ReadError."""
        parent = self._folder or self._temporary
        try:
            parent.mkdir(parents=True, exist_ok=True)
            folder = Path(tempfile.mkdtemp(dir=parent, prefix=""))
            try:
                if name.lower().endswith(_ARCHIVE):
                    return _unpacked(name, content, folder)
                (folder / name).write_bytes(content)
                return (folder / name,)
            except (OSError, ReadError):
                shutil.rmtree(folder, ignore_errors=True)
                raise
        except OSError as error:
            raise ReadError(name, f"cannot be kept: {error.strerror}") from None

    def _go_on(self, request: PathRequest, paths: tuple[Path, ...]) -> None:
        self._log.settle(_UPLOAD)
        request.choose(paths if request.several else paths[0])

    def _refuse(self, error: Exception) -> None:
        if not isinstance(error, ReadError):
            raise error
        self._log.say("error", str(error), _UPLOAD)

    def update(self, document: Document) -> None:
        """Begin to keep what was uploaded; send what has been written. What could not be written is in the log."""
        if self._uploads and not self._jobs.is_busy(JobKind.UNPACK):
            request, name, content = self._uploads.popleft()
            keep, go_on = (lambda tell: self._kept(name, content)), partial(self._go_on, request)
            self._jobs.begin(JobKind.UNPACK, f"unpacking {name}", keep, go_on, failed=self._refuse)
        if document.is_busy:
            return
        while self._awaited:
            client, folder, name = self._awaited.pop()
            files = [path for path in folder.iterdir() if path.is_file()]
            if len(files) > 1:  # such as an OBJ file and its materials
                place = Path(tempfile.mkdtemp(dir=self._temporary)) / name
                files = [Path(shutil.make_archive(str(place), "zip", folder))]
            for path in files:
                client.send_file_download(path.name, path.read_bytes(), save_immediately=True)
                path.unlink()
            shutil.rmtree(folder, ignore_errors=True)

    def close(self) -> None:
        """Delete what is not kept."""
        shutil.rmtree(self._temporary, ignore_errors=True)


def _endings(request: PathRequest) -> tuple[str, ...]:
    """Return the endings of what may be uploaded: viser takes one file at a time, so several come in an archive."""
    return (*request.endings, _ARCHIVE) if request.several else request.endings


def _unpacked(name: str, content: bytes, folder: Path) -> tuple[Path, ...]:
    """Unpack an archive into a folder; return its models, but none in a folder below others, or raise ReadError."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(member.file_size for member in archive.infolist()) > _LARGEST_UNPACKED_BYTES:
                raise ReadError(name, f"unpacks to more than {_LARGEST_UNPACKED_BYTES >> 20:,} MB; cut it into several")
            archive.extractall(folder)
    except (OSError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
        raise ReadError(name, f"cannot be unpacked ({reason_of(error)}); pack it again") from None
    found: list[Path] = []
    for each, below, _ in os.walk(folder):
        models = files_in(Path(each))
        found += models
        below[:] = [] if models else sorted(below)  # below a tileset are its tiles
    if not found:
        raise ReadError(name, "holds no model")
    return tuple(found)
