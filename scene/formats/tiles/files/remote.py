"""Tilesets on servers: files that are fetched over HTTP when they are read, and kept in a folder of the user's cache.

A file's Path is its address, which Path writes with one slash behind the colon. What a server asks for in addresses
(a query such as ?key=...) goes on from each file to those that it names, and is not shown.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import re
import threading
import time
import urllib.error
import urllib.request
import zlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from urllib.parse import quote, unquote, urljoin, urlsplit, urlunsplit

import platformdirs

from octoscope.scene.formats.tiles.files.packed_file import unpacked
from octoscope.scene.system.elsewhere import PLACES
from octoscope.scene.system.text_file import ReadError, printable, reason_of

CACHE_VARIABLE = "OCTOSCOPE_TILE_CACHE"  # a folder to use in place of the user's cache
SCHEMES = "http://", "https://"
_PARTS = "http:", "https:"
_SAFE = "/:!$&'()*+,;=@~-._%"
_CACHE_BYTES = 2**30
_TIMEOUT_SECONDS = 10.0  # for an answer, and between two parts of it
_LONGEST_SECONDS = 300.0  # for a file
_WAITS_SECONDS = 0.5, 2.0  # before the second try and the third
_REST_SECONDS = 60.0  # after which a file that could not be fetched is asked for again
_LONGEST_WAIT_SECONDS = 10.0  # that a server can ask for
_TRY_AGAIN = 408, 429, 500, 502, 503, 504
_AT_ONCE = 6  # files that are fetched side by side, as browsers do
_STEP = 2**18
_GUESSED_BYTES = 2**18  # of a file that was not fetched yet
_HEAD_BYTES = 2**16


def is_address(text: object) -> bool:
    """Return whether a text is the address of a file on a server."""
    return isinstance(text, str) and text.lower().startswith(SCHEMES)


def is_remote(path: Path) -> bool:
    """Return whether a path stands for an address."""
    return path.parts[:1] in ((_PARTS[0],), (_PARTS[1],))


def path_of(address: str) -> Path:
    """Return the path that stands for an address."""
    parts = urlsplit(address)
    query = quote(parts.query, safe=_SAFE.replace("/", ""))
    # Path takes no part that is empty.
    return Path(f"{parts.scheme.lower()}:/{parts.netloc}/{parts.path.lstrip('/')}" + (f"?{query}" if query else ""))


def address_of(path: Path) -> str:
    """Return the address that a path stands for."""
    scheme, host, *rest = path.as_posix().split("/")
    name, mark, query = "/".join(rest).partition("?")
    return f"{scheme}//{host}/{quote(name, safe=_SAFE)}{mark}{query}"


@dataclass(frozen=True)
class _Kept:
    """A file in the cache."""

    data: bytes
    head: Mapping[str, str]

    @property
    def is_fresh(self) -> bool:
        return float(self.head.get("until", 0.0)) > time.time()


class _Servers:
    """The files on servers."""

    def __init__(self) -> None:
        self._asked: set[str] = set()  # addresses of which the cache is known to be right
        self._failed: dict[str, tuple[float, str]] = {}  # until when no one asks again, and why
        self._locks: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def has(self, path: Path) -> bool:
        return is_remote(path)

    def read(self, path: Path, largest_bytes: int) -> bytes:
        address = address_of(path)
        with self._lock:
            lock = self._locks.setdefault(address, threading.Lock())
        with lock:  # a file that is being fetched is not asked for a second time
            kept = _CACHE.read(address)
            if kept is not None and (address in self._asked or kept.is_fresh):
                data = kept.data
            else:
                until, reason = self._failed.get(address, (0.0, ""))
                if time.monotonic() < until:
                    raise ReadError(path, reason)
                try:
                    data = _fetched(path, address, kept, largest_bytes)
                except ReadError as error:
                    self._failed[address] = time.monotonic() + _REST_SECONDS, error.reason
                    raise
                self._asked.add(address)
        if len(data) > largest_bytes:
            raise ReadError(path, f"{len(data):,} bytes, more than the {largest_bytes:,} that are read")
        return data

    def size(self, path: Path) -> int:
        return _CACHE.size(address_of(path)) or _GUESSED_BYTES

    def beside(self, path: Path, uri: str, within: Path | None) -> Path | None:
        address = address_of(path)
        own, target = urlsplit(address), urlsplit(urljoin(address, uri))
        if target.scheme == "data":
            return None
        if (target.scheme, target.netloc) != (own.scheme, own.netloc):
            raise ReadError(path, f"'{printable(uri[:60])}' is on another server, and not fetched")
        named = {pair.partition("=")[0] for pair in target.query.split("&")}
        passed = [pair for pair in own.query.split("&") if pair and pair.partition("=")[0] not in named]
        query = "&".join([*filter(None, [target.query]), *passed])
        return path_of(urlunsplit((target.scheme, target.netloc, unquote(target.path), query, "")))

    def fetch(self, paths: Sequence[Path]) -> None:
        def read(path: Path) -> None:
            with suppress(ReadError):
                self.read(path, 2**62)

        if len(paths) > 1:
            with ThreadPoolExecutor(_AT_ONCE) as threads:
                list(threads.map(read, paths))


class _Cache:
    """Files that were fetched, each with what the server said of it in its first line; the oldest go first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._total: int | None = None

    @property
    def _folder(self) -> Path:
        named = os.environ.get(CACHE_VARIABLE)
        return Path(named) if named else platformdirs.user_cache_path("octoscope", appauthor=False) / "tiles"

    def _file(self, address: str) -> Path:
        return self._folder / hashlib.sha256(address.encode()).hexdigest()

    def read(self, address: str) -> _Kept | None:
        file = self._file(address)
        try:
            head, _, data = file.read_bytes().partition(b"\n")
            found = json.loads(head)
            if found["length"] != len(data):
                return None
            os.utime(file)  # it was used last
            return _Kept(data, found)
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def size(self, address: str) -> int:
        try:
            return os.path.getsize(self._file(address))
        except OSError:
            return 0

    def write(self, address: str, data: bytes, head: Mapping[str, object]) -> None:
        """Keep a file; one that cannot be kept is fetched again another time."""
        file = self._file(address)
        part = file.with_suffix(f".{os.getpid()}.{threading.get_ident()}")
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(json.dumps({**head, "length": len(data)}).encode() + b"\n" + data)
            os.replace(part, file)
        except OSError:
            with suppress(OSError):
                part.unlink()
            return
        with self._lock:
            if self._total is not None:
                self._total += len(data)
            if self._total is None or self._total > _CACHE_BYTES:
                self._total = _trimmed(self._folder)


def _trimmed(folder: Path) -> int:
    """Delete the files that were used longest ago until the rest fits; return how many bytes that has."""
    found = []
    for entry in os.scandir(folder):
        with suppress(OSError):
            status = entry.stat()
            found.append((status.st_mtime_ns, status.st_size, entry.path))
    total = sum(size for _, size, _ in found)
    for _, size, name in sorted(found):
        if total <= 0.8 * _CACHE_BYTES:
            break
        with suppress(OSError):
            os.unlink(name)
            total -= size
    return total


_CACHE = _Cache()
PLACES.append(_Servers())


def _fetched(path: Path, address: str, kept: _Kept | None, largest_bytes: int) -> bytes:
    """Ask a server for a file, again where it may help; what the cache has stands in where the server has it, too."""
    request = urllib.request.Request(address, headers={"Accept-Encoding": "gzip", "User-Agent": "Octoscope"})
    for name, field in (("If-None-Match", "etag"), ("If-Modified-Since", "modified")):
        if kept is not None and field in kept.head:
            request.add_header(name, kept.head[field])
    waits = [*_WAITS_SECONDS, None]
    for wait in waits:
        try:
            with urllib.request.urlopen(request, timeout=_TIMEOUT_SECONDS) as answer:
                data = _body(path, answer, largest_bytes)
                _keep(address, data, answer.headers)
                return data
        except urllib.error.HTTPError as error:
            with error:
                if error.code == 304 and kept is not None:
                    _keep(address, kept.data, {**kept.head, **_said(error.headers)})
                    return kept.data
                if error.code not in _TRY_AGAIN or wait is None:
                    raise ReadError(path, _refusal(error.code)) from None
                asked = error.headers.get("Retry-After", "")
                wait = max(wait, min(float(asked), _LONGEST_WAIT_SECONDS)) if asked.isdigit() else wait
        except (OSError, http.client.HTTPException, zlib.error, ValueError) as error:
            if wait is None and kept is not None:  # nobody can say that it has changed
                return kept.data
            if wait is None:
                cause = getattr(error, "reason", error)  # within a URLError
                cause = cause if isinstance(cause, Exception) else error
                reason = "no answer in time" if isinstance(cause, TimeoutError) else reason_of(cause)
                raise ReadError(path, f"cannot be fetched ({reason}); check the address and the network") from None
        time.sleep(wait)
    raise AssertionError("the last try returns or raises")


def _body(path: Path, answer: http.client.HTTPResponse, largest_bytes: int) -> bytes:
    """Read the body of an answer, unpacked; OSError where it is cut off or takes too long."""
    begin = time.monotonic()
    pieces: list[bytes] = []
    count = 0
    while piece := answer.read(_STEP):
        pieces.append(piece)
        count += len(piece)
        if count > largest_bytes:
            raise ReadError(path, f"more than the {largest_bytes:,} bytes that are read")
        if time.monotonic() > begin + _LONGEST_SECONDS:
            raise OSError("it takes too long")
    stated = answer.headers.get("Content-Length")
    if stated is not None and stated.isdigit() and int(stated) != count:
        raise OSError(f"cut off: {count:,} bytes of {int(stated):,}")
    data = b"".join(pieces)
    if answer.headers.get("Content-Encoding", "").lower() == "gzip":
        data = b"".join(unpacked(data, path))
    return data


def _said(headers: Message) -> dict[str, str]:
    """Return what the cache keeps of an answer's headers."""
    said = {}
    for field, name in (("etag", "ETag"), ("modified", "Last-Modified")):
        if headers.get(name):
            said[field] = str(headers[name])[:1024]
    age = re.search(r"max-age=(\d{1,9})", headers.get("Cache-Control", ""))
    if age is not None and "no-cache" not in headers.get("Cache-Control", ""):
        said["until"] = str(time.time() + int(age[1]))
    return said


def _keep(address: str, data: bytes, headers: Message | Mapping[str, str]) -> None:
    if isinstance(headers, Message):
        if "no-store" in headers.get("Cache-Control", ""):
            return
        headers = _said(headers)
    _CACHE.write(address, data, headers)


def _refusal(code: int) -> str:
    if code in (404, 410):
        return f"the server does not have it ({code}); check the address"
    if code in (401, 403):
        return f"the server refuses it ({code}); the address may need a key"
    return f"the server answers with an error ({code}); try again later"
