"""Archives of tilesets (.3tz): zip files whose members are read as if they lay in a folder of the archive's name."""

from __future__ import annotations

import os
import zipfile
import zlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote

from octoscope.scene.system.elsewhere import PLACES
from octoscope.scene.system.read_limits import check_unpacked
from octoscope.scene.system.text_file import ReadError, not_of_format, printable, reason_of

ENDING = ".3tz"
_OPEN = 16  # archives at once


class _Archives:
    """The members of archives."""

    def has(self, path: Path) -> bool:
        return any(part.lower().endswith(ENDING) for part in path.parts[:-1]) and not os.path.exists(path)

    def read(self, path: Path, largest_bytes: int) -> bytes:
        file, name = _split(path)
        try:
            status = os.stat(file)
            if not status.st_size:
                raise ReadError(file, "the file is empty; copy it again")
            archive = _opened(file, status.st_mtime_ns, status.st_size)
        except zipfile.BadZipFile:
            raise not_of_format(file, f"a {ENDING}", "it is no zip archive, or cut off") from None
        except OSError as error:
            raise ReadError(file, f"cannot be read ({reason_of(error)}); check the path") from None
        try:
            member = archive.getinfo(name)
            check_unpacked(member.file_size, member.compress_size, path)
            if member.file_size > largest_bytes:
                raise ReadError(path, f"{member.file_size:,} bytes, more than the {largest_bytes:,} that are read")
            return archive.read(member)
        except KeyError:
            raise ReadError(path, "not in the archive; make it again") from None
        except NotImplementedError:
            raise ReadError(path, "packed in a way that is not read; make the archive with deflate") from None
        except (OSError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
            raise ReadError(path, f"the archive is broken ({reason_of(error)}); copy it again") from None

    def size(self, path: Path) -> int:
        file, name = _split(path)
        try:
            status = os.stat(file)
            member = _opened(file, status.st_mtime_ns, status.st_size).getinfo(name)
            check_unpacked(member.file_size, member.compress_size, path)  # one that is not read needs no room
            return member.file_size
        except (KeyError, OSError, zipfile.BadZipFile, ReadError):
            return 0

    def beside(self, path: Path, uri: str, within: Path | None) -> Path | None:
        if not uri.lower().endswith(ENDING):
            return None
        # Archives that an archive names lie beside it, and not in it.
        file, name = _split(path)
        found = (file.parent / os.path.dirname(name) / unquote(uri)).resolve()
        if within is not None and not found.is_relative_to(within):
            raise ReadError(path, f"'{printable(uri[:60])}' is outside its folder; open the tileset that names both")
        return found

    def fetch(self, paths: Sequence[Path]) -> None:
        pass


PLACES.append(_Archives())


def _split(path: Path) -> tuple[Path, str]:
    """Return the archive and the name in it."""
    parts = path.parts
    number = next(number for number, part in enumerate(parts) if part.lower().endswith(ENDING)) + 1
    return Path(*parts[:number]), "/".join(parts[number:])


@lru_cache(maxsize=_OPEN)
def _opened(file: Path, changed_ns: int, size: int) -> zipfile.ZipFile:
    archive = zipfile.ZipFile(file)
    for member in archive.infolist():  # some programs write ".\\tiles\\a.glb"
        archive.NameToInfo.setdefault(member.filename.replace("\\", "/").removeprefix("./"), member)
    return archive
