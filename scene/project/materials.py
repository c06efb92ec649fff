"""Materials from and to JSON: the fields of Material that are not the default."""

from __future__ import annotations

import binascii
import json
import weakref
from dataclasses import MISSING, fields
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_type_hints

from octoscope.scene.mesh.images import decode_texture, encoded, read_texture
from octoscope.scene.mesh.material import LARGEST_FLOAT32, Material, checked_value
from octoscope.scene.mesh.texture import REPEATED, WRAPS, Texture, Wrap
from octoscope.scene.project.paths import path_from_json, path_to_json
from octoscope.scene.system.json_fields import replace_lone_surrogates, report_unknown
from octoscope.scene.system.paths import abspath
from octoscope.scene.system.report import Problems
from octoscope.scene.system.text_file import reason_of

UNREAD_TEXTURE = "texture"  # the kind of the problem that an image cannot be read
_EMBEDDED_FORMATS = "PNG", "JPEG", "WEBP"
# The JSON of textures that are in use, since encoding a PNG is slow.
_embedded: weakref.WeakKeyDictionary[Texture, str] = weakref.WeakKeyDictionary()


def material_to_json(material: Material, folder: Path | None) -> dict[str, object]:
    """Return a material as an object for JSON."""
    written: dict[str, object] = {}
    for column in fields(Material):
        if column.name not in _types():
            continue
        value = getattr(material, column.name)
        if column.default is MISSING or value != column.default:
            written[column.name] = _written_texture(value, folder) if isinstance(value, Texture) else value
    for name, text in material.unread_textures:
        if name not in written:
            texture = json.loads(text)
            written[name] = texture | {"path": path_to_json(Path(texture["path"]), folder)}
    return written


def _written_texture(texture: Texture, folder: Path | None) -> dict[str, object]:
    """Return a texture as an object for JSON: its path, and its image as base64 if no file has it."""
    written: dict[str, object] = {"path": path_to_json(texture.path, folder)}
    if not texture.has_file:
        if texture not in _embedded:
            data, _ = encoded(texture, _EMBEDDED_FORMATS)
            _embedded[texture] = binascii.b2a_base64(data, newline=False).decode()
        written["png"] = _embedded[texture]
    if texture.wrap != REPEATED:
        written["wrap"] = list(texture.wrap)
    return written


def _texture_from(written: dict[str, Any], path: Path) -> Texture:
    png = written.get("png")
    if isinstance(png, str):
        texture = decode_texture(binascii.a2b_base64(png, strict_mode=True), path)
    else:
        texture = read_texture(path)
    return texture.wrapped(_wrap_from(written.get("wrap")))


def _wrap_from(written: object) -> tuple[Wrap, Wrap]:
    if written is None:
        return REPEATED
    if isinstance(written, list) and len(written) == 2:
        known = [wrap for each in written for wrap in WRAPS if wrap == each]
        if len(known) == 2:
            return known[0], known[1]
    raise ValueError("'wrap' is not two of " + ", ".join(WRAPS))


def material_from_json(written: dict[str, object], folder: Path, problems: Problems) -> Material:
    """Return the material that a JSON object describes.

    A value that makes no sense is reported and replaced by the default.
    """
    report_unknown([written], _types().keys(), problems)
    unread: dict[str, tuple[dict[str, Any], Path]] = {}
    values: dict[str, Any] = {}
    for name, types in _types().items():
        if name not in written:
            continue
        value = written[name]
        if Texture in types and isinstance(value, dict) and isinstance(value.get("path"), str):
            path = path_from_json(value["path"], folder)
            try:
                values[name] = _texture_from(value, path)
            except (OSError, ValueError) as error:  # ValueError: an invalid path, or no base64
                problems.report(
                    UNREAD_TEXTURE, f"texture cannot be read ({reason_of(error)})", "shown without it", file=path
                )
                unread[name] = value, path
        elif any(_has_type(value, wanted) for wanted in types) and _is_in_range(name, value):
            values[name] = _converted(value)
        else:
            problems.report("material-value", f"materials with a {name} that cannot be one", "the default instead")
    for name in {"name", "kept_mtl"} & values.keys():
        values[name] = replace_lone_surrogates(values[name])
    values["missing_textures"] = tuple(path.name for _, path in unread.values())
    values["unread_textures"] = tuple(
        (name, json.dumps(value | {"path": abspath(path)})) for name, (value, path) in unread.items()
    )
    return Material(**{"name": "", **values})


@cache
def _types() -> dict[str, tuple[object, ...]]:
    hints = get_type_hints(Material)
    lacking = "unread_textures", "missing_textures"
    kept = {each.name: hints[each.name] for each in fields(Material) if each.name not in lacking}
    return {name: get_args(hint) if type(None) in get_args(hint) else (hint,) for name, hint in kept.items()}


def _converted(value: object) -> object:
    """Convert a value from JSON to floats and tuples of them, as Material has them."""
    if isinstance(value, list):
        return tuple(map(float, value))
    return float(value) if type(value) is int else value


def _is_in_range(name: str, value: object) -> bool:
    try:
        checked_value(name, _converted(value))
    except ValueError:
        return False
    return True


def _has_type(value: Any, wanted: object) -> bool:
    if wanted is float:
        return type(value) in (int, float) and abs(value) <= LARGEST_FLOAT32
    if get_args(wanted):  # tuple[float, float, float]
        kinds = get_args(wanted)
        return isinstance(value, list) and len(value) == len(kinds) and all(map(_has_type, value, kinds))
    return type(value) is wanted
