"""Write an .mtl file, and beside it the images that it needs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import Any

from octoscope.scene.formats.export import note_materials, note_shrunk
from octoscope.scene.formats.mtl.maps import has_image, read_map, split_map
from octoscope.scene.formats.mtl.statements import Statement, finite_numbers
from octoscope.scene.geometry.colors import srgb_from_linear
from octoscope.scene.mesh.images import channel_of, encoded
from octoscope.scene.mesh.material import (
    DEFAULT_MATERIAL,
    PLACEMENT_FIELDS,
    SECOND_UVS_FIELDS,
    TEXTURE_FIELDS,
    Material,
)
from octoscope.scene.mesh.texture import REPEATED, Texture, Wrap
from octoscope.scene.system.atomic_file import WriteError, atomic_file
from octoscope.scene.system.text_file import printable
from octoscope.scene.system.unique_names import UniqueNames

# Fields of Material.
_NOT_IN_MTL = {
    "occlusion_texture": "occlusion map",
    "clearcoat_texture": "map of the clear coat",
    "double_sided": "culling of back faces",
    "specular_weight": "specular weight",
    "specular_color": "specular colour",
}
# Fields of Material whose images are written as they are; of a surface texture each channel is an image.
_WHOLE_TEXTURES = {"base_color_texture": "map_Kd", "emission_texture": "map_Ke", "specular_texture": "map_Ks"}
_WHOLE_TEXTURES |= {"normal_texture": "norm"}
_USUAL_INDEX = DEFAULT_MATERIAL.index_of_refraction  # many programs write Ni without meaning, so it is not read
_ENDINGS = {"PNG": ".png", "JPEG": ".jpg", "WEBP": ".webp"}  # of images that were inside another file
_CLAMPED: tuple[Wrap, Wrap] = ("clamp", "clamp")
_DIGITS = 7  # of a colour that was linear, or is made of two numbers
_ROUNDING = 1e-6
# Fields that show the maps of statements, by their keywords in lower case.
_FIELDS = {keyword.lower(): name for name, keyword in _WHOLE_TEXTURES.items()}
_FIELDS |= dict.fromkeys(("map_bump", "bump", "disp"), "normal_texture")
_Kept = tuple[str, Path | None]  # a statement, up to the image that it names if it is there, and this
_Image = Texture | Path  # the file of a texture, or of an image that is not shown; a texture that has none
_HEADING = "# Materials written by Octoscope.\n"


def check_mtl_path(path: Path) -> None:
    """Check that an .mtl file may be written."""
    try:
        with open(path, "rb") as file:
            ours = file.read(len(_HEADING)) == _HEADING.encode()
    except OSError:  # nothing there, or writing it will fail and say why
        return
    if not ours:
        raise WriteError(f"{printable(path)}: would be overwritten, and may belong to another OBJ; choose another name")


def as_in_mtl(materials: Mapping[str, Material], notes: list[str]) -> dict[str, Material]:
    """Return materials by name as an .mtl file can hold them."""
    written = dict(materials)

    def note(names: Iterable[str], text: str, **without: Any) -> None:
        """Note something of materials, and give their fields the values that an .mtl file can hold."""
        note_materials([materials[name] for name in names], text, notes)
        written.update({name: replace(written[name], **without) for name in names})

    # Many files have black where they mean nothing, so programs, this one too, show a texture with black as it is.
    black = "the {} texture of {{}} is left out: black hides it, which MTL cannot say"
    black_base = [name for name, each in written.items() if each.base_color_texture and not any(each.base_color)]
    note(black_base, black.format("map_Kd"), base_color_texture=None)
    black_emission = [name for name, each in written.items() if each.emission_texture and not any(each.emission)]
    note(black_emission, black.format("map_Ke"), emission_texture=None)
    for field, what in _NOT_IN_MTL.items():
        without: dict[str, Any] = {field: getattr(DEFAULT_MATERIAL, field)}
        lost = [name for name, each in written.items() if getattr(each, field) != without[field]]
        if field == "specular_color":
            lost = [name for name in lost if not _is_in_ks(written[name])]
        note(lost, f"the {what} of {{}} is left out: MTL has none", **without)
    refracting = [name for name, each in written.items() if each.index_of_refraction != _USUAL_INDEX]
    note(refracting, "the index of refraction of {} is written as Ni, which is not read back")
    on_second = [name for name, each in written.items() if each.uv_set_count > 1]
    first = dict.fromkeys(SECOND_UVS_FIELDS.values(), False)
    note(on_second, "the second set of texture coordinates of {} is left out: OBJ has one", **first)
    guessed = [name for name, each in written.items() if each.surface_texture is not None and each.roughness is None]
    note(guessed, "the roughness of {} is written as its shininess shows it")  # map_Pr multiplies Pr
    written |= {name: replace(written[name], roughness=written[name].shown_roughness) for name in guessed}
    used = dict.fromkeys(texture for material in written.values() for texture in material.textures)
    note_shrunk(list(used), notes)
    mirrored = [
        name for name, each in written.items() if any(its.wrap not in (REPEATED, _CLAMPED) for its in each.textures)
    ]
    note(mirrored, "a texture of {} is mirrored, or ends, at some of its borders: written as repeated")
    written |= {name: _repeated(written[name]) for name in mirrored}
    turned = [name for name, each in written.items() if _has_turned_texture(each)]
    note(turned, "the rotation in the texture placement of {} is left out: MTL has none")
    written |= {name: _unturned(written[name]) for name in turned}
    # Materials that nobody has named may be called anything.
    unnamed = DEFAULT_MATERIAL.name
    renamed = [name for name, material in materials.items() if material.name not in (name, unnamed)]
    note(renamed, "the name of {} is changed: an OBJ needs unique names of one line")
    return written


def write_mtl(materials: Mapping[str, Material], path: Path) -> None:
    """Write materials by name, and their images if these are not in the folder already."""
    made: list[Path] = []
    try:
        _write_mtl(materials, path, made)
    except BaseException:
        for each in reversed(made):
            with suppress(OSError):  # it was not written, or another program has put something there
                (each.rmdir if each.is_dir() else each.unlink)()
        raise


def _write_mtl(materials: Mapping[str, Material], path: Path, made: list[Path]) -> None:
    written = [_with_kept(material) for material in materials.values()]
    channels = {
        (texture, channel): channel_of(texture, channel)
        for material, _ in written
        if (texture := material.surface_texture) is not None
        for channel in (1, 2)
    }
    whole = (getattr(material, name) for material, _ in written for name in _WHOLE_TEXTURES)
    kept = (image for _, lines in written for _, image in lines if image is not None)
    textures = (texture for texture in (*whole, *channels.values()) if texture is not None)
    images = dict.fromkeys((*map(_source, textures), *kept))
    folder = path.resolve().parent
    image_of: dict[_Image, str] = {image: name for image in images if (name := _name_within(folder, image)) is not None}
    names = UniqueNames(image_of.values(), numbered=_numbered, key=str.lower)
    image_of |= {image: _copy(image, path, names, made) for image in images if image not in image_of}
    text = "\n".join(
        [
            _HEADING,
            *(_statements(*each, name, image_of, channels) for name, each in zip(materials, written, strict=True)),
        ]
    )
    with atomic_file(path) as file:
        file.write(text.encode())


def _statements(
    material: Material,
    kept: Sequence[_Kept],
    name: str,
    image_of: Mapping[_Image, str],
    channels: Mapping[tuple[Texture, int], Texture],
) -> str:
    lines = [
        f"newmtl {name}",
        f"Kd {_numbers(material.base_color)}",
        f"Ks {_numbers(_specular(material))}",
        f"Ke {_numbers(_emission(material))}",
        f"Ns {_numbers((material.shininess,))}",
        f"d {_numbers((material.opacity,))}",
    ]
    if material.metallic or material.surface_texture is not None:
        lines.append(f"Pm {_numbers((material.metallic,))}")
    if material.roughness is not None:
        lines.append(f"Pr {_numbers((material.roughness,))}")
    if material.clearcoat or material.clearcoat_roughness:
        lines += [f"Pc {_numbers((material.clearcoat,))}", f"Pcr {_numbers((material.clearcoat_roughness,))}"]
    if material.index_of_refraction != _USUAL_INDEX:
        lines.append(f"Ni {_numbers((material.index_of_refraction,))}")
    if material.unlit:
        lines.append("illum 0")
    bump = "" if material.normal_scale == 1.0 else f"-bm {_numbers((material.normal_scale,))} "
    for name, statement in _WHOLE_TEXTURES.items():
        texture = getattr(material, name)
        if texture is not None:
            options = bump if statement == "norm" else ""
            lines.append(f"{statement} {options}{_placement(material, name)}{image_of[_source(texture)]}")
    if material.surface_texture is not None:
        placement = _placement(material, "surface_texture")
        for statement, channel in (("map_Pr", 1), ("map_Pm", 2)):
            image = _source(channels[material.surface_texture, channel])
            lines.append(f"{statement} {placement}{image_of[image]}")
    dissolves = (text for text, _ in kept if text.startswith("d "))
    halo = next((text for text in dissolves if finite_numbers(text.split()[-1:]) == [material.opacity]), None)
    lines = [halo if halo and line.startswith("d ") else line for line in lines]
    said = {line.partition(" ")[0] for line in lines}
    others = (each for each in kept if each[0].partition(" ")[0] not in said)
    lines += [text if file is None else f"{text}{image_of[file]}" for text, file in others]
    return "\n".join(lines) + "\n"


def _with_kept(material: Material) -> tuple[Material, list[_Kept]]:
    """Return a material without the textures that kept statements say whole, and the statements to be kept."""
    kept: list[_Kept] = []
    of_fields: dict[str, list[_Kept]] = {}
    for text, file in _kept(material):
        field = _FIELDS.get(text.split()[0].lower(), "")
        of_field = of_fields.setdefault(field, []) if field and file and not material.missing_textures else kept
        of_field.append((text, file))
    # Those of a field stay together as long as one says what is shown.
    said: dict[str, Any] = {
        field: None for field, lines in of_fields.items() if any(_says(*line, material, field) for line in lines)
    }
    return replace(material, **said), [*kept, *chain.from_iterable(of_fields[field] for field in said)]


def _says(text: str, file: Path | None, material: Material, field: str) -> bool:
    """Return whether a kept statement of a map, with its image, says what a field of a material shows."""
    keyword, _, options = text.partition(" ")
    texture: Texture | None = getattr(material, field)
    if texture is None:  # the user has removed it
        return False
    reading = read_map(Statement(keyword, f"{options}{file}", 0))
    is_bump = field == "normal_texture"
    return (
        texture.path == file
        and (texture.has_file or (is_bump and keyword != "norm"))
        and (reading.placement, reading.wrap) == (material.placement_of(field), texture.wrap)
        and (not is_bump or reading.bump == material.normal_scale)
    )


def _kept(material: Material) -> Iterator[_Kept]:
    """Yield the statements that are kept, up to the image that they name if it is there, and this."""
    for line in filter(None, material.kept_mtl.split("\n")):
        keyword, _, text = line.partition(" ")
        options, name = split_map(text)
        is_there = has_image(keyword) and os.path.isabs(name) and os.path.isfile(name) and os.access(name, os.R_OK)
        yield (f"{keyword} {options}", Path(name)) if is_there else (line, None)


def _specular(material: Material) -> tuple[float, ...]:
    """Return the numbers of Ks, whose mean is what a material says in one number."""
    if len(set(material.specular_color)) == 1:
        return (material.specular,) * 3
    return tuple(round(material.specular * part, _DIGITS) for part in material.specular_color)


def _is_in_ks(material: Material) -> bool:
    """Tell whether Ks holds the specular colour: all numbers are 0 to 1, and their mean is that without it."""
    mean = sum(material.specular_color) / 3.0
    return abs(mean - 1.0) < _ROUNDING and max(_specular(material)) <= 1.0 and material.specular > _ROUNDING


def _emission(material: Material) -> tuple[float, ...]:
    """Return the numbers of Ke: sRGB of the light that is sent out; light brighter than white is a factor of them."""
    light = material.emitted_light
    brightest = max(1.0, *light)
    if material.emission_strength == 1.0:
        return material.emission
    return tuple((srgb_from_linear([part / brightest for part in light]).round(_DIGITS) * brightest).tolist())


def _placement(material: Material, texture_field: str) -> str:
    """Return the options for where a texture lies and that it ends at its borders, with a blank behind; or none."""
    texture: Texture = getattr(material, texture_field)
    clamp = "-clamp on " if texture.wrap == _CLAMPED else ""
    scale_u, scale_v, _, offset_u, offset_v = placement = material.placement_of(texture_field)
    if placement == DEFAULT_MATERIAL.placement:
        return clamp
    # Three numbers each, so that a name that begins like a number is not taken for one.
    return f"{clamp}-s {_numbers((scale_u, scale_v, 1.0))} -o {_numbers((offset_u, offset_v, 0.0))} "


def _has_turned_texture(material: Material) -> bool:
    return any(getattr(material, name) is not None and material.placement_of(name)[2] for name in TEXTURE_FIELDS)


def _repeated(material: Material) -> Material:
    """Return a material whose textures are repeated, or end at all borders."""
    named = {name: its for name in TEXTURE_FIELDS if (its := getattr(material, name)) is not None}
    shown: dict[str, Any] = {name: its.wrapped(REPEATED) for name, its in named.items() if its.wrap != _CLAMPED}
    return replace(material, **shown)


def _unturned(material: Material) -> Material:
    own: dict[str, Any] = {
        name: (*placement[:2], 0.0, *placement[3:])
        for name in PLACEMENT_FIELDS.values()
        if (placement := getattr(material, name)) is not None
    }
    return replace(material, uv_rotation=0.0, **own)


def _numbers(values: tuple[float, ...]) -> str:
    return " ".join(repr(float(value)) for value in values)


def _source(texture: Texture) -> _Image:
    return texture.path if texture.has_file else texture


def _name_within(folder: Path, image: _Image) -> str | None:
    """Return the name of a file relative to a folder, or None where it is elsewhere or the image has none."""
    path = image.resolve() if isinstance(image, Path) else None
    return path.relative_to(folder).as_posix() if path is not None and path.is_relative_to(folder) else None


def _numbered(name: str, number: int) -> str:
    path = PurePosixPath(name)
    return path.with_stem(f"{path.stem}_{number}").as_posix()


def _copy(image: _Image, mtl_path: Path, names: UniqueNames, made: list[Path]) -> str:
    """Copy an image into a folder beside the .mtl file; return its name relative to the .mtl file's folder.

    Args:
        names: of other images; it takes the new one.
        made: receives the file and the folder if they are new.
    """
    images = mtl_path.resolve().parent / re.sub(r"\s+", "_", f"{mtl_path.stem}_textures")
    if isinstance(image, Path):
        data, stem, suffix = image.read_bytes(), image.stem, re.sub(r"[^\w.]+", "", image.suffix)
    else:
        data, kind = encoded(image, tuple(_ENDINGS))
        is_image = image.path.suffix.lower() in _ENDINGS.values()  # that it was made from
        stem, suffix = image.path.stem if is_image else image.path.name, _ENDINGS[kind]
    stem = re.sub(r"[^\w.-]+", "_", stem).strip("._") or "image"
    name = names.take(f"{images.name}/{stem}{suffix}")
    made += [new for new in (images, images.parent / name) if not new.exists()]
    os.makedirs(images, exist_ok=True)
    with atomic_file(images.parent / name) as written:
        written.write(data)
    return name
