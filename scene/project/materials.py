"""Materials in a project file: every field that is not the default, by its name in Material."""

from __future__ import annotations

import binascii
import weakref
from dataclasses import MISSING, fields
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_type_hints

from scene.mesh.material import Material
from scene.mesh.texture import Texture, decode_texture, png_of, read_texture
from scene.project.fields import report_unknown, whole_text
from scene.project.paths import path_from, written_path
from scene.system.report import Problems

# As they are written, for as long as somebody holds them: to make a PNG takes a moment.
_embedded: weakref.WeakKeyDictionary[Texture, str] = weakref.WeakKeyDictionary()
_LARGEST = 3e38  # float32, which is what is shown


def written_material(material: Material, folder: Path) -> dict[str, object]:
    """A material as an object for JSON."""
    written: dict[str, object] = {}
    for column in fields(Material):
        value = getattr(material, column.name)
        if column.default is MISSING or value != column.default:
            written[column.name] = _written_texture(value, folder) if isinstance(value, Texture) else value
    return written


def _written_texture(texture: Texture, folder: Path) -> dict[str, str]:
    """Its path, and where no file has it its image, as PNG in base64."""
    written = {"path": written_path(texture.path, folder)}
    if not texture.has_file:
        if texture not in _embedded:
            _embedded[texture] = binascii.b2a_base64(png_of(texture), newline=False).decode()
        written["png"] = _embedded[texture]
    return written


def _texture_from(written: dict[str, Any], folder: Path) -> Texture:
    """OSError, ValueError: it cannot be read."""
    path, png = path_from(written["path"], folder), written.get("png")
    if isinstance(png, str):
        return decode_texture(binascii.a2b_base64(png, strict_mode=True), path)
    return read_texture(path)


def material_from(written: dict[str, object], folder: Path, problems: Problems) -> tuple[Material, dict[str, object]]:
    """Return the material that a JSON object describes, and as they are written its textures that cannot be read.

    A value that cannot be one is reported and becomes the default.
    """
    report_unknown([written], _types().keys(), problems)
    unread: dict[str, object] = {}
    values: dict[str, Any] = {}
    for name, types in _types().items():
        if name not in written:
            continue
        value = written[name]
        if Texture in types and isinstance(value, dict) and isinstance(value.get("path"), str):
            try:
                values[name] = _texture_from(value, folder)
            except (OSError, ValueError) as error:  # ValueError: a path that cannot be one, or no base64
                reason = getattr(error, "strerror", None) or error
                problems.report(
                    "texture",
                    f"texture cannot be read ({reason})",
                    "shown without it",
                    file=path_from(value["path"], folder),
                )
                unread[name] = value
        elif any(_is(value, wanted) for wanted in types):
            values[name] = _as_given(value)
        else:
            problems.report("material-value", f"materials with a {name} that cannot be one", "the default instead")
    return Material(whole_text(values.pop("name", "")), **values), unread


@cache
def _types() -> dict[str, tuple[object, ...]]:
    """The types that each field of a Material may have."""
    hints = get_type_hints(Material)
    return {name: get_args(hint) if type(None) in get_args(hint) else (hint,) for name, hint in hints.items()}


def _as_given(value: object) -> object:
    """A value from JSON as Material has it: floats, and tuples of them."""
    if isinstance(value, list):
        return tuple(map(float, value))
    return float(value) if type(value) is int else value


def _is(value: Any, wanted: object) -> bool:
    """Whether a value from JSON can be one of that type."""
    if wanted is float:
        return type(value) in (int, float) and abs(value) <= _LARGEST
    if get_args(wanted):  # tuple[float, float, float]
        kinds = get_args(wanted)
        return isinstance(value, list) and len(value) == len(kinds) and all(map(_is, value, kinds))
    return type(value) is wanted
