"""The container: the JSON of a glTF or GLB file, and the bytes that it refers to, none from outside its folder."""

from __future__ import annotations

import binascii
import codecs
import json
import re
import struct
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeGuard
from urllib.parse import unquote

import numpy as np

from octoscope.scene.formats.gltf.codes import BINARY_CHUNK, GLB_MAGIC, JSON_CHUNK, MESHOPT
from octoscope.scene.formats.gltf.older import upgraded
from octoscope.scene.system.file_finder import file_beside
from octoscope.scene.system.read_limits import current_limits, read_counted
from octoscope.scene.system.text_file import ReadError, not_of_format, printable

LARGEST_BYTES = 4 * 2**30
_LARGEST_NUMBER = 2.0**53
_LARGEST_VECTOR = 1e308
# What stands behind each of these signs in a text of JSON takes in memory.
_BASE64_SHARE = 0.75  # bytes in a character
_JSON_BYTES = {b"{": 70, b"[": 70, b",": 45, b":": 110, b'"': 15}


@dataclass(frozen=True)
class GltfDocument:
    """A file's JSON and bytes."""

    path: Path
    json: dict[str, object]
    data: np.ndarray  # (n,) uint8, the bytes of all buffers
    buffer_starts: np.ndarray  # (b,) int64, where each buffer begins in the data
    buffer_sizes: np.ndarray  # (b,) int64
    dependencies: set[Path] = field(default_factory=set)  # the other files that were read, or looked for, so far
    folder: Path | None = None  # which the files that it names are in; None: that of the file itself
    # what of it cannot be decoded, with the reason, and how often
    undecoded: Counter[str] = field(default_factory=Counter)

    def objects(self, key: str) -> list[dict[str, object]]:
        """Return a list of the top object, such as "nodes"; empty where there is none."""
        return objects(self.json, key, self.path)


class DecodedViews:
    """A buffer for what was decoded, as further views of a document; `document` has it as its last buffer."""

    def __init__(self, document: GltfDocument) -> None:
        self._document = document
        self._pieces = [document.data]
        self._size = 0

    def add(self, data: np.ndarray) -> dict[str, object]:
        """Add bytes, (n,) uint8; return the fields of a view of them."""
        current_limits().take(2 * len(data))  # they are copied once more
        view: dict[str, object] = {"buffer": len(self._document.buffer_sizes), "byteOffset": self._size}
        self._pieces.append(data)
        self._size += len(data)
        return view | {"byteLength": len(data)}

    def document(self, extensions: Collection[str] = ()) -> GltfDocument:
        """Return the document with the buffer, without the names of extensions that it needs no longer."""
        document = self._document
        if self._size:
            current_limits().take(len(document.data))
        for key in ("extensionsRequired", "extensionsUsed"):
            names = document.json.get(key)
            if isinstance(names, list):
                document.json[key] = [name for name in names if name not in extensions]
        return replace(
            document,
            data=np.concatenate(self._pieces) if self._size else document.data,
            buffer_starts=np.append(document.buffer_starts, len(document.data)),
            buffer_sizes=np.append(document.buffer_sizes, self._size),
        )


def bytes_of_view(document: GltfDocument, view: Mapping[str, object]) -> np.ndarray:
    """Return the bytes of a buffer view, (n,) uint8; ValueError if it has no place in the file."""
    fields = [view.get("buffer"), view.get("byteOffset", 0), view.get("byteLength")]
    buffer, offset, size = (value if type(value) is int else -1 for value in fields)
    if min(buffer, offset, size) < 0 or buffer >= len(document.buffer_sizes):
        raise ValueError("no place in the file")
    if offset + size > document.buffer_sizes[buffer]:
        raise ValueError("its place is outside the file")
    first = int(document.buffer_starts[buffer]) + offset
    return document.data[first : first + size]


def read_document(path: Path) -> GltfDocument:
    """Read a file and the buffers that it names."""
    return document_of(path, read_counted(path, largest_bytes=LARGEST_BYTES))


def document_of(path: Path, content: bytes, folder: Path | None = None) -> GltfDocument:
    """Return the document in the bytes of a file, or of a part of the file at `path`; raise as `read_document`.

    Args:
        folder: which the files that it names are in; None: that of the file itself.
    """
    if not content:
        raise ReadError(path, "the file is empty; export it again")
    text, binary = _chunks(content, path) if content.startswith(GLB_MAGIC) else (content, None)
    current_limits().take(_json_bytes(text))
    try:
        document = json.loads(text.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        is_json = text.removeprefix(codecs.BOM_UTF8).lstrip()[:1] in (b"{", b"[")
        if text is content and (isinstance(error, UnicodeDecodeError) or not is_json):
            raise not_of_format(path, "a glTF", "it is neither JSON nor a GLB") from None
        reason = "nested too deep" if isinstance(error, RecursionError) else printable(str(error)[:80])
        raise broken(path, f"its JSON cannot be read ({reason})") from None
    asset = document.get("asset") if isinstance(document, dict) else None
    version = asset.get("version") if isinstance(asset, dict) else None
    if version is None:
        raise not_of_format(path, "a glTF", "it has no 'asset' with a version")
    major = str(version).partition(".")[0]
    if major == "1":
        try:
            with current_limits().meanwhile(_json_bytes(text)):
                document = upgraded(document)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            raise broken(path, "what it says is not as in glTF 1.0") from None
    elif major != "2":
        raise ReadError(path, f"glTF {printable(version)[:20]} is not read; export it as glTF 2.0")
    least = re.fullmatch(r"(\d{1,3})\.(\d{1,3})", str(document["asset"].get("minVersion")))
    if least is not None and (int(least[1]), int(least[2])) > (2, 0):
        raise ReadError(path, f"it needs a reader of glTF {least[0]}, and 2.0 is read; export it as glTF 2.0")
    data, starts, sizes, dependencies = _buffers(document, binary, path, folder)
    return GltfDocument(path, document, data, starts, sizes, dependencies, folder=folder)


def is_number(value: object) -> TypeGuard[int | float]:
    """Tell whether a value of JSON is a number; true and false are none."""
    return type(value) in (int, float)


def is_vector(value: object, count: int) -> bool:
    """Tell whether a value of JSON is a list of so many finite numbers."""
    return (
        isinstance(value, list)
        and len(value) == count
        and all(is_number(part) and -_LARGEST_VECTOR < part < _LARGEST_VECTOR for part in value)
    )


def broken(path: Path, what: str) -> ReadError:
    """Make the error for a file that breaks glTF's rules."""
    return ReadError(path, f"broken glTF: {what}; export it again")


def objects(holder: dict[str, object], key: str, path: Path) -> list[dict[str, object]]:
    """Return a list of objects in an object; empty where there is none."""
    value = holder.get(key, [])
    if not isinstance(value, list) or not set(map(type, value)) <= {dict}:
        raise broken(path, f"'{key}' is not a list of objects")
    return value


def integers(holders: Sequence[Mapping[str, object]], key: str, default: int, path: Path) -> np.ndarray:
    """Collect a field of each object: (n,) int64."""
    return whole_numbers([holder.get(key, default) for holder in holders], key, path)


def whole_numbers(values: list[object], key: str, path: Path) -> np.ndarray:
    """Convert values to (n,) int64."""
    try:
        if not set(map(type, values)) <= {int, float}:
            raise ValueError
        numbers = np.array(values, dtype=np.float64)
        if not (np.abs(numbers) < _LARGEST_NUMBER).all() or (numbers != np.trunc(numbers)).any():
            raise ValueError
    except (ValueError, OverflowError):
        raise broken(path, f"a '{key}' is not a whole number") from None
    return numbers.astype(np.int64)


def names_of(holders: list[dict[str, object]], defaults: list[str]) -> np.ndarray:
    """Collect each object's name, or its default where it has none: (n,) StringDType."""
    names = [
        name if isinstance(name := holder.get("name"), str) else default
        for holder, default in zip(holders, defaults, strict=True)
    ]
    try:
        return np.array(names, dtype=np.dtypes.StringDType())
    except UnicodeEncodeError:  # a lone surrogate: JSON can hold it, UTF-8 cannot
        names = [name.encode(errors="replace").decode() for name in names]
        return np.array(names, dtype=np.dtypes.StringDType())


def embedded(uri: object) -> bytes | None:
    """Decode the bytes of a data URI; None for any other, ValueError for what cannot be decoded."""
    if not isinstance(uri, str) or not uri.startswith("data:"):
        return None
    current_limits().check(_BASE64_SHARE * len(uri))
    head, _, body = uri.partition(",")
    if not head.endswith(";base64"):
        return unquote(body).encode("latin-1")
    try:
        return binascii.a2b_base64(body, strict_mode=True)  # base64.b64decode would copy the text once more
    except binascii.Error as error:
        raise ValueError(str(error)) from None


def _json_bytes(text: bytes) -> float:
    """Estimate the memory that a text of JSON takes, once it is objects; seldom twice as much as it is."""
    return 2 * len(text) + sum(size * text.count(sign) for sign, size in _JSON_BYTES.items())


def _chunks(content: bytes, path: Path) -> tuple[bytes, memoryview | None]:
    view = memoryview(content)
    version, length = struct.unpack_from("<II", content, 4) if len(content) >= 12 else (2, 12)
    if version not in (1, 2):
        raise ReadError(path, f"GLB version {version} is not read; export it as glTF 2.0")
    text, binary = None, None
    begin = 12
    if version == 1:  # KHR_binary_glTF: behind the size and kind of the JSON that, and then the one buffer
        begin = 20 + int.from_bytes(content[12:16], "little")
        text, binary = content[20:begin], view[begin:length]
    while version == 2 and begin < min(length, len(content)) and begin + 8 <= len(content):
        size, kind = struct.unpack_from("<II", content, begin)
        chunk = view[begin + 8 : begin + 8 + size]
        begin += 8 + size
        if len(chunk) < size:
            break
        if kind == JSON_CHUNK and text is None:
            text = bytes(chunk)
        elif kind == BINARY_CHUNK and binary is None:
            binary = chunk
    if len(content) < max(length, begin, 12):
        stated = max(length, begin)
        raise ReadError(path, f"cut off: {len(content):,} bytes where it says {stated:,}; copy or export it again")
    if text is None:
        raise broken(path, "a GLB without JSON")
    return text, binary


def _buffer_file(path: Path, named: Path, *, largest_bytes: int) -> bytes:
    try:
        return read_counted(named, largest_bytes=largest_bytes)
    except ReadError as error:
        reason = error.beside(named)
        raise ReadError(path, f"its buffer '{printable(named.name)[:60]}': {reason}") from None


def _is_fallback(buffer: Mapping[str, object]) -> bool:
    """Tell whether a buffer has only what is compressed elsewhere in the file."""
    extensions = buffer.get("extensions")
    found = [extensions.get(name) for name in MESHOPT] if isinstance(extensions, dict) else []
    return any(isinstance(one, dict) and one.get("fallback") is True for one in found)


def _buffers(
    document: dict[str, object], binary: memoryview | None, path: Path, folder: Path | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray, set[Path]]:
    """Read all buffers, each file once; return the bytes, each buffer's begin in them and size, and the files."""
    buffers = objects(document, "buffers", path)
    sizes = integers(buffers, "byteLength", 0, path)
    starts = np.zeros(len(buffers), dtype=np.int64)
    pieces: list[bytes | memoryview] = []
    piece_starts: dict[Path | int, tuple[int, int]] = {}
    total = 0
    for number, buffer in enumerate(buffers):
        uri = buffer.get("uri")
        if _is_fallback(buffer) or (uri is None and (number > 0 or binary is None)):
            sizes[number] = 0  # filled by an extension; what refers to it is skipped and reported
            continue
        try:
            piece = binary if uri is None else embedded(uri)
        except ValueError as error:
            raise broken(path, f"the bytes within it cannot be decoded ({printable(error)[:60]})") from None
        file = file_beside(path, uri, within=folder) if piece is None else None
        key: Path | int = number if file is None else file
        if key not in piece_starts:
            if piece is None:
                assert file is not None
                piece = _buffer_file(path, file, largest_bytes=LARGEST_BYTES - total)
            else:
                current_limits().take(len(piece))
            piece_starts[key] = (total, len(piece))
            pieces.append(piece)
            total += len(piece)
        starts[number], available = piece_starts[key]
        if not 0 <= sizes[number] <= available:
            raise ReadError(
                path,
                f"cut off: buffer {number} has {available:,} bytes where {sizes[number]:,} are "
                "stated; copy or export it again",
            )
    with current_limits().meanwhile(total if len(pieces) > 1 else 0):
        data = np.frombuffer(pieces[0] if len(pieces) == 1 else b"".join(pieces), dtype=np.uint8)
    return data, starts, sizes, {key for key in piece_starts if isinstance(key, Path)}
