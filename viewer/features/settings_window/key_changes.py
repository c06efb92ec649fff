"""Changes of the keys in config.toml."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from octoscope.viewer.commands.table import Command, CommandTable
from octoscope.viewer.settings.config import Config
from octoscope.viewer.window.keys import Chord


def with_key(config: Config, table: CommandTable, command: Command, chord: Chord, *, adds: bool) -> Config:
    """Return settings in which a command has a key, in place of its keys or beside them; it is taken from any other."""
    before = table.keys_of(command) if adds else ()
    keys = {**config.keys, command.id: _texts((*before, chord))}
    owner = table.owner_of(chord)
    if owner is not None and owner.id != command.id:
        keys[owner.id] = _texts(each for each in table.keys_of(owner) if each != chord)
    return replace(config, keys=keys)


def without_keys(config: Config, command: Command) -> Config:
    """Return settings in which a command has no key."""
    return replace(config, keys={**config.keys, command.id: ()})


def with_keys_of_preset(config: Config, command: Command) -> Config:
    """Return settings in which a command has the keys of the preset."""
    return replace(config, keys={each: keys for each, keys in config.keys.items() if each != command.id})


def _texts(chords: Iterable[Chord]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(str, chords)))
