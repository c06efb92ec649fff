"""Settings: config.toml as it is now. What the program changes is written there, what others write there is noticed."""

from __future__ import annotations

import codecs
import os
import time
from collections.abc import Callable
from pathlib import Path

from octoscope.scene.system.atomic_file import SaveError, atomic_file
from octoscope.scene.system.text_file import printable, reason_of
from octoscope.viewer.settings.config import Config, parse_config, read_config, read_settings_text
from octoscope.viewer.settings.config_text import changed_text, changes_between

_LOOK_SECONDS = 0.5  # between two looks at the file


class Settings:
    """The settings of one window; a folder of None, or none, keeps them in no file."""

    def __init__(self, folder: Path | None = None, config: Config | None = None) -> None:
        self._path = None if folder is None else folder / "config.toml"
        self._stamp = self._stamp_now()
        self._config = config or (Config() if folder is None else read_config(folder))
        self._next_look = 0.0
        self._apply: Callable[[], object] = lambda: None
        self._tell: Callable[[str], object] = lambda line: None

    def listen(self, apply: Callable[[], object], tell: Callable[[str], object]) -> None:
        """Have `apply` called after each change, and `tell` with lines about what cannot be read or written."""
        self._apply, self._tell = apply, tell

    @property
    def config(self) -> Config:
        """The settings; another value is applied at once, and what differs is written to the file."""
        return self._config

    @config.setter
    def config(self, config: Config) -> None:
        before, self._config = self._config, config
        if config == before:
            return
        if self._path is not None:
            try:
                self._write(self._path, before, config)
            except (SaveError, ValueError) as error:
                self._tell(f"{error}; the change goes for this window alone")
            except OSError as error:
                self._tell(f"{printable(self._path)}: cannot be written ({reason_of(error)})")
        self._apply()

    def poll(self) -> None:
        """Take in what a person or another window has written meanwhile; a file with a fault changes nothing."""
        now = time.monotonic()
        if self._path is None or now < self._next_look:
            return
        self._next_look = now + _LOOK_SECONDS
        stamp = self._stamp_now()
        if stamp == self._stamp:
            return
        self._stamp = stamp
        try:
            config = parse_config(self._path)
        except ValueError as error:
            self._tell(str(error))
            return
        if config != self._config:
            for line in config.problems:
                self._tell(line)
            self._config = config
            self._apply()

    def _write(self, path: Path, before: Config, after: Config) -> None:
        parse_config(path)  # else a ValueError says what is wrong with what is there
        try:
            text = read_settings_text(path)
            mark = codecs.BOM_UTF8 if path.read_bytes().startswith(codecs.BOM_UTF8) else b""
        except FileNotFoundError:
            text, mark = "", b""
        try:
            for change in changes_between(before, after):
                text = changed_text(text, change)
        except ValueError as error:
            raise ValueError(f"{printable(path)}: {error}") from None
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_file(path) as file:
            file.write(mark + text.encode())

    def _stamp_now(self) -> tuple[int, int, int] | None:
        try:
            status = None if self._path is None else os.stat(self._path)
        except OSError:
            return None
        return None if status is None else (status.st_ino, status.st_size, status.st_mtime_ns)
