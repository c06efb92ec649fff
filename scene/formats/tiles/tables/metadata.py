"""Metadata of tilesets, tiles, contents and groups: a class of a schema, and values of its properties."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from octoscope.scene.formats.tiles.files.packed_file import read_unpacked
from octoscope.scene.formats.tiles.tables.property_table import PropertyTable
from octoscope.scene.system.file_finder import file_beside

_LARGEST_SCHEMA = 2**26
# What reading a broken document raises.
BROKEN = ValueError, KeyError, TypeError, IndexError, AttributeError, OverflowError, RecursionError


class Metadata(NamedTuple):
    """Metadata of a tile, or of what is in it: one row of a table."""

    of: str  # "" of the tile itself, or the name of one of several contents
    table: PropertyTable
    row: int


def extension_of(holder: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return an extension of an object in JSON; empty where it has none."""
    extensions = holder.get("extensions")
    found = extensions.get(name) if isinstance(extensions, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def metadata_of(entity: object, schema: Mapping[str, Any], of: str = "") -> list[Metadata]:
    """Return the metadata in the JSON of a tileset, tile, content or group; none where there is none that is sound."""
    if not isinstance(entity, Mapping) or not isinstance(values := entity.get("properties", {}), Mapping):
        return []
    kinds = properties_of(schema, entity.get("class"))
    columns = {str(name): [value] for name, value in values.items()}
    return [Metadata(of, PropertyTable(1, columns, kinds), 0)] if columns or kinds else []


def properties_of(schema: Mapping[str, Any], name: object) -> dict[str, Mapping[str, Any]]:
    """Return the properties of a class of a schema, by name; those that are broken are left out."""
    classes = schema.get("classes")
    found = classes.get(name) if isinstance(classes, Mapping) and isinstance(name, str) else None
    kinds = found.get("properties") if isinstance(found, Mapping) else None
    return {key: kind for key, kind in kinds.items() if isinstance(kind, Mapping)} if isinstance(kinds, Mapping) else {}


def values_of(metadata: Iterable[Metadata]) -> dict[str, object]:
    """Return the values of all properties, by name."""
    return {
        f"{each.of}: {name}" if each.of else name: value
        for each in metadata
        for name, value in each.table.row(each.row).items()
    }


def read_schema(holder: Mapping[str, Any], path: Path, folder: Path | None) -> tuple[Any, list[Path]]:
    """Return the schema that a file states or names, or None, and the files that were read for it."""
    if "schema" in holder or "schemaUri" not in holder:
        return holder.get("schema"), []
    file = file_beside(path, holder["schemaUri"], within=folder)
    return json.loads(read_unpacked(file, largest_bytes=_LARGEST_SCHEMA)), [file]
