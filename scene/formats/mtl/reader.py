"""Read MTL files: the materials that an OBJ file names."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import Path

from octoscope.scene.formats.mtl.maps import MaterialMaps, complaint_about
from octoscope.scene.formats.mtl.statements import KEPT, Definition, read_definitions
from octoscope.scene.mesh.material import DEFAULT_MATERIAL, LARGEST_SHININESS, Material
from octoscope.scene.system.file_finder import FileFinder, FoundFile, Match
from octoscope.scene.system.paths import realpath
from octoscope.scene.system.report import Problems
from octoscope.scene.system.text_file import ReadError, printable, read_text, shortened

_LARGEST_BYTES = 64 * 2**20
_MOST_WORDS = 10_000  # of all different mtllib statements of an OBJ file
_MOST_WORDS_OF_A_NAME = 8  # where several names stand in one statement
_DEFAULT_COLORS = "default colours instead"


def read_materials(
    obj_path: Path,
    libraries: Sequence[tuple[str, int]],
    problems: Problems,
    *,
    used: Collection[str] | None = None,
    dependencies: set[Path] | None = None,
) -> dict[str, Material]:
    """Read the materials of all `mtllib` statements of an OBJ file; of equal names the later one wins.

    A name is everything after newmtl, as `statements.material_name` makes it.

    Args:
        used: the names of the materials to make, whose textures are read; None: all.
        dependencies: receives the files that the materials are made from, and the paths at which missing ones are
            expected.
    """
    dependencies = set() if dependencies is None else dependencies
    definitions: dict[str, Definition] = {}
    library_of: dict[str, str] = {}
    for path in _library_files(obj_path, libraries, problems, dependencies):
        try:
            text = read_text(path, largest_bytes=_LARGEST_BYTES)
        except ReadError as error:
            what = error.beside(path)
            problems.report("mtl-unreadable", what, _DEFAULT_COLORS, file=path)
            continue
        found = read_definitions(text, problems, str(path))
        for name in definitions.keys() & found.keys():
            if definitions[name] != found[name]:
                problems.report("mtl-again", "a material another .mtl file defines too", "this one is used", file=path)
        definitions |= found
        library_of |= dict.fromkeys(found, str(path))
    if used is not None:
        definitions = {name: definitions[name] for name in used if name in definitions}
    maps = MaterialMaps(obj_path, ((library_of[name], values) for name, values in definitions.items()), problems)
    dependencies |= maps.dependencies
    return {name: _material(name, library_of[name], values, maps, problems) for name, values in definitions.items()}


def _library_files(
    obj_path: Path, libraries: Sequence[tuple[str, int]], problems: Problems, dependencies: set[Path]
) -> list[Path]:
    """Find the files that the statements name, each once, in the order of their last mentions."""
    finder = FileFinder(obj_path.parent)
    statements: dict[str, int] = {}
    for statement, line in libraries:  # some exporters repeat it for every object
        statements[statement] = statements.pop(statement, line)
    files: dict[str, Path] = {}
    missing: list[tuple[str, int]] = []
    words = 0
    for statement, line in statements.items():
        words += len(statement.split())
        if words > _MOST_WORDS:
            what, done = f"more than {_MOST_WORDS:,} names of material files", "the others are not read"
            problems.report("mtl-missing", what, done, line=line)
            break
        for name, found in _named_in(statement, finder):
            expected = finder.expected(name.strip("\"'"))
            if expected is not None and (found is None or found.match is not Match.NAMED):
                dependencies.add(expected)
            if found is None:
                missing.append((name, line))
                continue
            complaint = complaint_about(found, "material file", shortened(name))
            if complaint is not None:
                problems.report(*complaint, line=line)
            real_path = realpath(found.path)
            files.pop(real_path, None)
            files[real_path] = found.path
    done = _DEFAULT_COLORS
    instead = finder.find([f"{obj_path.stem}.mtl"]) if missing and not files else None
    if instead is not None:
        files[""] = instead.path
        done = f"{printable(instead.path.name)} instead"
    for name, line in missing:
        problems.report("mtl-missing", f"material file '{shortened(name)}' not found", done, line=line)
    dependencies.update(files.values())
    return list(files.values())


def _named_in(statement: str, finder: FileFinder) -> list[tuple[str, FoundFile | None]]:
    """Return the names in an mtllib statement, one with blanks or the longest that exist, and their files."""
    statement = statement.strip()
    names = statement.partition(" #")[0].strip()
    for whole in (statement, names):
        found = finder.find([whole, whole.strip("\"'")], guess=False)
        if found is not None:
            return [(whole, found)]
    several = _longest_that_exist(names, finder)
    if all(found for _, found in several):
        return several
    by_ending = [(name, finder.find([name.strip("\"'")])) for name in re.split(r"(?i)(?<=\.mtl)[\"']?\s+", names)]
    found_by_words, found_by_ending = (sum(found is not None for _, found in way) for way in (several, by_ending))
    return several if found_by_words > found_by_ending else by_ending


def _longest_that_exist(statement: str, finder: FileFinder) -> list[tuple[str, FoundFile | None]]:
    words = list(re.finditer(r"\"[^\"]+\"|\S+", statement))
    names: list[tuple[str, FoundFile | None]] = []
    first = 0
    while first < len(words):
        for end in range(min(len(words), first + _MOST_WORDS_OF_A_NAME), first, -1):
            name = statement[words[first].start() : words[end - 1].end()].strip('"')
            found = finder.find([name], guess=False)
            if found is not None:
                break
        names.append((name, found))
        first = end
    return names


def _material(name: str, library: str, values: Definition, maps: MaterialMaps, problems: Problems) -> Material:
    default = DEFAULT_MATERIAL
    look = maps.look(library, values)
    colors, numbers = values.colors, values.numbers
    base, glow, surface = (look.get(f"{name}_texture") for name in ("base_color", "emission", "surface"))
    has_roughness_map = surface is not None and not values.maps.keys().isdisjoint(("map_pr", "map_ns"))
    base_color = colors.get("kd", default.base_color if base is None else (1.0, 1.0, 1.0))
    emission = colors.get("ke", default.emission)
    if base is not None and not any(base_color):
        what, done = "Kd 0 0 0 would make a texture black", "the texture as it is"
        problems.report("mtl-black", what, done, file=library)
        base_color = (1.0, 1.0, 1.0)
    if "map_ke" in values.maps:
        # Ke is often left at black. Without the map the whole surface would glow.
        emission = (0.0, 0.0, 0.0) if glow is None else emission if any(emission) else (1.0, 1.0, 1.0)
    ambient = next((each for each in values.kept if each.keyword == "map_Ka"), None)
    if ambient is not None and "map_kd" not in values.maps:
        problems.report("map-not-shown", "map_Ka is not shown", KEPT, line=ambient.line, file=library)
    strength = max(1.0, *emission)  # what is brighter than white is a factor of its colour
    opacity = numbers.get("d", default.opacity)
    if opacity == 0.0:
        problems.report(
            "mtl-hidden", "a material with an opacity of 0", "surfaces made of it are invisible", file=library
        )
    red, green, blue = colors.get("ks", (1.0 if look.get("specular_texture") else default.specular,) * 3)
    illumination = numbers.get("illum")
    has_highlight = illumination != 1.0 or "pr" in numbers or "pm" in numbers
    specular = red + (green - red + blue - red) / 3.0 if has_highlight else 0.0  # the mean; exact for equal ones
    is_tinted = specular > 0.0 and not red == green == blue
    return Material(
        name,
        base_color=base_color,
        opacity=opacity,
        specular=specular,
        specular_color=(red / specular, green / specular, blue / specular) if is_tinted else default.specular_color,
        shininess=min(LARGEST_SHININESS, max(1.0, numbers.get("ns", default.shininess))),
        metallic=numbers.get("pm", default.metallic if "map_pm" not in values.maps or surface is None else 1.0),
        roughness=numbers.get("pr", 1.0 if has_roughness_map else None),
        emission=(emission[0] / strength, emission[1] / strength, emission[2] / strength),
        emission_strength=strength,
        unlit=illumination == 0.0,
        clearcoat=numbers.get("pc", default.clearcoat),
        clearcoat_roughness=numbers.get("pcr", default.clearcoat_roughness),
        kept_mtl=maps.kept(library, values),
        **look,
    )
