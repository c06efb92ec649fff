"""MTL files: the materials that an OBJ file names."""

from __future__ import annotations

import math
import os
from pathlib import Path

from scene.materials import DEFAULT_MATERIAL, Material
from scene.text_file import ReadError, printable, read_text
from scene.textures import Texture, read_texture

_LARGEST_BYTES = 64 * 2**20
_NUMBERS = {"kd": 3, "ks": 3, "ke": 3, "d": 1, "tr": 1, "ns": 1}  # how many each of these statements takes


def read_materials(obj_path: Path, libraries: list[str], warnings: list[str]) -> dict[str, Material]:
    """The materials of all `mtllib` statements of an OBJ file, by name; a later one wins.

    Args:
        libraries: what stands behind each `mtllib`. warnings: gets a line for whatever is missing or unreadable.
    """
    materials: dict[str, Material] = {}
    for statement in libraries:
        for path in _files(obj_path, statement, warnings):
            try:
                materials |= _read(path, warnings)
            except ReadError as error:
                warnings.append(f"{error}; default colours instead")
    return materials


def _files(obj_path: Path, statement: str, warnings: list[str]) -> list[Path]:
    """The files an mtllib statement names: all of it as one name with blanks, or else its words."""
    for names in ([statement], statement.split()):
        paths = [obj_path.parent / name.replace("\\", "/") for name in names]
        if all(os.path.exists(path) for path in paths):
            return paths
    warnings.append(f"{printable(obj_path)}: material file '{_short(statement)}' not found; default colours instead")
    return [path for path in paths if os.path.exists(path)]


def _read(path: Path, warnings: list[str]) -> dict[str, Material]:
    text = read_text(path, largest_bytes=_LARGEST_BYTES)
    values: dict[str, dict[str, tuple[float, ...]]] = {}
    images: dict[str, str] = {}
    not_shown: set[str] = set()
    name = None
    for number, line in enumerate(text.replace("\\\n", " ").split("\n"), start=1):
        keyword, _, rest = line.strip().replace("\t", " ").partition(" ")
        keyword, rest = keyword.lower(), rest.strip()
        if keyword == "newmtl":
            name = rest
            values.setdefault(name, {})
        elif name is not None and keyword in _NUMBERS:
            parsed = _parsed(rest.partition("#")[0], _NUMBERS[keyword])
            if parsed is None:
                warnings.append(
                    f"{printable(path)}: line {number}: '{_short(line.strip())}' cannot be read; default instead"
                )
            else:
                values[name][keyword] = parsed
        elif name is not None and keyword == "map_kd" and rest:
            images[name] = rest
        elif keyword.startswith(("map_", "bump", "disp", "decal", "norm", "refl")):
            not_shown.add(keyword)
    if not_shown:
        warnings.append(f"{printable(path)}: not shown: {', '.join(sorted(not_shown))[:80]}")
    return {
        name: _material(name, numbers, _texture(path, images[name], warnings) if name in images else None)
        for name, numbers in values.items()
    }


def _parsed(text: str, count: int) -> tuple[float, ...] | None:
    """`count` finite numbers (one may stand for all), or None. An option such as -halo is passed over."""
    words = [word for word in text.split() if not word.startswith("-") or word[1:2].isdigit() or word[1:2] == "."]
    try:
        numbers = tuple(float(word) for word in words)
    except ValueError:
        return None
    if len(numbers) == 1:
        numbers *= count
    return numbers[:count] if len(numbers) >= count and all(map(math.isfinite, numbers)) else None


def _material(name: str, numbers: dict[str, tuple[float, ...]], texture: Texture | None) -> Material:
    def unit(keyword: str, default: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(min(1.0, max(0.0, value)) for value in numbers.get(keyword, default))

    default = DEFAULT_MATERIAL
    opacity = unit("d", (1.0 - unit("tr", (0.0,))[0],))[0]
    return Material(
        name,
        base_color=unit("kd", default.base_color),
        opacity=opacity,
        specular=sum(unit("ks", (default.specular,) * 3)) / 3.0,
        shininess=min(1000.0, max(1.0, numbers.get("ns", (default.shininess,))[0])),
        emission=unit("ke", default.emission),
        base_color_texture=texture,
    )


def _texture(mtl_path: Path, statement: str, warnings: list[str]) -> Texture | None:
    """The image that a map_Kd statement names: all of it, or (behind options) its last word."""
    statement = statement.replace("\\", "/")
    for name in (statement, statement.split()[-1], statement.rpartition("/")[2]):
        path = mtl_path.parent / name
        if name and os.path.exists(path):
            try:
                return read_texture(path)
            except OSError as error:
                reason = error.strerror or error
                warnings.append(f"{printable(path)}: texture cannot be read ({reason}); shown without it")
                return None
    warnings.append(f"{printable(mtl_path)}: texture '{_short(statement)}' not found; shown without it")
    return None


def _short(text: str) -> str:
    return printable(text[:60]) + ("..." if len(text) > 60 else "")
