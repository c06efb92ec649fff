"""The text of config.toml with settings changed, and all else as a person wrote it: comments, order, unknown names."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import fields
from typing import Any

from octoscope.viewer.settings.config import Config

Change = tuple[str, str, Any]  # table ("" for none), name in it, and value; None takes it away


def changes_between(before: Config, after: Config) -> Iterator[Change]:
    """Yield what to change in the file of one Config for it to hold another."""
    for name in (each.name for each in fields(Config) if each.name != "problems"):
        old, new = getattr(before, name), getattr(after, name)
        if not isinstance(new, Mapping):
            if old != new:
                yield "", name, new
            continue
        for key in dict.fromkeys((*old, *new)):
            if old.get(key) != new.get(key):
                yield name, key, list(new[key]) if isinstance(new.get(key), tuple) else new.get(key)


def changed_text(text: str, change: Change) -> str:
    """Return the text of a TOML file with a change made; a ValueError says why that cannot be done."""
    import tomlkit  # only here: it takes long, and most runs change nothing
    from tomlkit.exceptions import TOMLKitError

    table_name, name, value = change
    try:
        document = tomlkit.parse(text)
        is_kept = document.as_string() == text
        table: Any = document
        if table_name:
            if table_name not in document:
                if text.strip():
                    document.add(tomlkit.nl())
                document[table_name] = tomlkit.table()
            table = document[table_name]
        _change(table, name, value)
        changed = document.as_string()
        is_kept &= _value_in(tomllib.loads(changed), table_name, name) == value
    except (TOMLKitError, TypeError, ValueError, KeyError, AttributeError):
        is_kept = False
    if not is_kept:
        raise ValueError(f"{table_name or name} cannot be changed by the program in a file like this: write it there")
    return changed


def _change(table: MutableMapping[str, Any], name: str, value: object) -> None:
    place, key = _place_of(table, name) or (table, name)
    if value is None:
        place.pop(key, None)
    else:
        place[key] = value


def _place_of(table: MutableMapping[str, Any], name: str) -> tuple[MutableMapping[str, Any], str] | None:
    """Return the innermost table that has a name, and the key there: `view.frame` may be a name or a table's entry."""
    for key, item in table.items():
        if _folded(key) == _folded(name):
            return table, key
        if isinstance(item, MutableMapping) and name.startswith(f"{key}."):
            found = _place_of(item, name[len(key) + 1 :])
            if found is not None:
                return found
    return None


def _folded(key: str) -> str:
    return key.replace(" ", "").lower()


def _value_in(table: dict[str, Any], table_name: str, name: str) -> object:
    found = _place_of(table.get(table_name, {}) if table_name else table, name)
    return None if found is None else found[0][found[1]]
