"""FinishedJobs: the results of jobs in files, so that the same command goes on where it was ended."""

from __future__ import annotations

import hmac
import os
import pickle
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import platformdirs

_DIGEST = "sha256"
_DIGEST_BYTES = 32
_COMMAND = "command"


def _own_key() -> bytes:
    """Return this user's secret, made at the first call; one of this call's where it cannot be kept."""
    path = platformdirs.user_cache_path("octoscope", appauthor=False) / "tiling_key"
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with open(descriptor, "wb") as file:
                file.write(secrets.token_bytes(_DIGEST_BYTES))
        kept = path.read_bytes()
        if len(kept) == _DIGEST_BYTES:
            return kept
    return secrets.token_bytes(_DIGEST_BYTES)


@dataclass(frozen=True)
class FinishedJobs:
    """A folder with a file for each job that is done.

    Whoever has done a job writes its file, so that nothing waits for others to be told. Each file is signed by a secret
    of the user's: one that was cut short is as none, and so is one that somebody else has put there (pickle would run
    what it says).
    """

    folder: Path
    _key: bytes = field(default_factory=_own_key, repr=False)

    @property
    def has_any(self) -> bool:
        """True if a job is done."""
        return self.folder.is_dir() and len(os.listdir(self.folder)) > 1  # beside the command

    def begin(self, command: object) -> None:
        """Record which command the jobs belong to."""
        self.folder.mkdir()
        self._write(_COMMAND, command)

    def command(self) -> Any:
        """Return what `begin` was given; None if that is not known."""
        return self._read(self.folder / _COMMAND)

    def do(self, function: Callable[[Any], Any], stage: int, numbered_job: tuple[int, Any]) -> Any:
        """Do a job, keep its result, and return it."""
        number, job = numbered_job
        result = function(job)
        self._write(f"{stage}_{number}", result)
        return result

    def results(self, stage: int, numbers: Sequence[int]) -> dict[int, Any]:
        """Return the results of the jobs of a stage that are done, by the numbers of the jobs."""
        found = {number: self._read(self.folder / f"{stage}_{number}") for number in numbers}
        return {number: result for number, result in found.items() if result is not None}

    def remove(self) -> None:
        """Remove the files, that of the command first: without it no other counts."""
        for path in (self.folder / _COMMAND, *self.folder.iterdir()):
            path.unlink(missing_ok=True)
        self.folder.rmdir()

    def _write(self, name: str, result: object) -> None:
        data = pickle.dumps(result, protocol=pickle.HIGHEST_PROTOCOL)
        with open(self.folder / name, "wb") as file:
            file.write(hmac.digest(self._key, data, _DIGEST))
            file.write(data)

    def _read(self, path: Path) -> Any:
        try:
            with open(path, "rb") as file:
                digest, data = file.read(_DIGEST_BYTES), file.read()
        except OSError:
            return None
        if not hmac.compare_digest(digest, hmac.digest(self._key, data, _DIGEST)):
            return None
        return pickle.loads(data)
