"""Writing an .mtl file, and the images that it needs beside it."""

from __future__ import annotations

import os
import re
from pathlib import Path

from scene.atomic_file import atomic_file
from scene.exporting import WriteError
from scene.materials import Material
from scene.text_file import printable
from scene.textures import Texture, png_of

_HEADING = "# Materials written by Octoscope.\n"


def check_mtl_path(path: Path) -> None:
    """Whether an .mtl file may be written there.

    Raises:
        WriteError: one stands there that Octoscope did not write; it may belong to another file.
    """
    try:
        with open(path, "rb") as file:
            ours = file.read(len(_HEADING)) == _HEADING.encode()
    except OSError:  # nothing there, or it will be told when it is written
        return
    if not ours:
        raise WriteError(f"{printable(path)}: would be overwritten, and may belong to another OBJ; choose another name")


def write_mtl(materials: dict[str, Material], path: Path) -> None:
    """Write materials by name, and their images where these do not lie in the folder already.

    Raises:
        OSError: something cannot be written.
    """
    image_of: dict[Texture, str] = {}
    taken: set[str] = set()
    statements = [_HEADING]
    for name, material in materials.items():
        texture = material.base_color_texture
        if texture is not None and texture not in image_of:
            image_of[texture] = _place_image(texture, path, taken)
        statements.append(_statements(material, name, None if texture is None else image_of[texture]))
    text = "\n".join(statements)
    with atomic_file(path) as file:
        file.write(text.encode())


def _statements(material: Material, name: str, image: str | None) -> str:
    lines = [
        f"newmtl {name}",
        f"Kd {_numbers(material.base_color)}",
        f"Ks {_numbers((material.specular,) * 3)}",
        f"Ke {_numbers(material.emission)}",
        f"Ns {_numbers((material.shininess,))}",
        f"d {_numbers((material.opacity,))}",
    ]
    if material.metallic:
        lines.append(f"Pm {_numbers((material.metallic,))}")
    if material.roughness is not None:
        lines.append(f"Pr {_numbers((material.roughness,))}")
    if image is not None:
        lines.append(f"map_Kd {image}")
    return "\n".join(lines) + "\n"


def _numbers(values: tuple[float, ...]) -> str:
    return " ".join(repr(float(value)) for value in values)


def _place_image(texture: Texture, mtl_path: Path, taken: set[str]) -> str:
    """The image's name as seen from the .mtl file: where it lies if that is in its folder, else that of a copy."""
    folder = mtl_path.resolve().parent
    is_file = os.path.isfile(texture.path)
    if is_file and texture.path.resolve().is_relative_to(folder):
        return texture.path.resolve().relative_to(folder).as_posix()
    stem = re.sub(r"[^\w.-]+", "_", texture.path.stem if is_file else texture.path.name).strip("._") or "image"
    suffix = re.sub(r"[^\w.]+", "", texture.path.suffix) if is_file else ".png"
    number = 1
    name = f"{stem}{suffix}"
    while name.lower() in taken:
        number += 1
        name = f"{stem}_{number}{suffix}"
    taken.add(name.lower())
    images = folder / re.sub(r"\s+", "_", f"{mtl_path.stem}_textures")
    os.makedirs(images, exist_ok=True)
    data = texture.path.read_bytes() if is_file else png_of(texture)
    with atomic_file(images / name) as file:
        file.write(data)
    return f"{images.name}/{name}"
