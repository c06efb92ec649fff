"""The maps of an .mtl file's materials: parse their statements, find and read their image files, each once."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from octoscope.scene.formats.mtl.statements import (
    KEPT,
    MAP_BEGINNINGS,
    Complaint,
    Definition,
    Statement,
    finite_numbers,
)
from octoscope.scene.mesh.material import DEFAULT_MATERIAL, LARGEST_NORMAL_SCALE, LARGEST_UV_SCALE, Placement
from octoscope.scene.mesh.texture import REPEATED, Texture, Wrap
from octoscope.scene.system.file_finder import FileFinder, FoundFile, Match
from octoscope.scene.system.paths import abspath
from octoscope.scene.system.report import Problems
from octoscope.scene.system.text_file import printable, reason_of, shortened

# A map's options: those that take one word, and those that take numbers, and how many at most.
_ONE_WORD = {"-boost", "-cc", "-blendu", "-blendv", "-clamp", "-colorspace", "-imfchan", "-texres", "-type"}
_MOST_NUMBERS = {"-bm": 1, "-o": 3, "-s": 3, "-t": 3, "-mm": 2}
_OPTION_INSIDE = re.compile(rf"\s({'|'.join((*_ONE_WORD, *_MOST_NUMBERS))})\s", re.IGNORECASE)
_OPTION_VALUE = re.compile(r"\w[\w-]*|[+-]?\.?\d[\d.eE+-]*")  # no name with an ending
_NEUTRAL: dict[str, list[str] | list[float]] = {
    "-t": [0.0, 0.0, 0.0],
    "-mm": [0.0, 1.0],
    "-cc": ["off"],
    "-blendu": ["on"],
    "-blendv": ["on"],
    "-boost": [0.0],
    "-texres": [],
}  # values at which it is no matter to ignore it
_BUMPS = ("map_bump", "bump", "disp")  # what can stand for a normal map, the likeliest first
_LONGEST_MAP = 8192  # characters

_READ = ("map_kd", "map_d", "map_ke", "map_ks", "norm", "map_bump", "bump", "disp", "map_pr", "map_pm", "map_ns")
_OF_NUMBERS = {"map_d", "map_bump", "bump", "disp", "map_pr", "map_pm", "map_ns"}  # of one channel
_CHANNELS = {"r": 0, "g": 1, "b": 2, "m": 3}  # words of -imfchan; "l" is the brightness of all
_MOST_TEXTURES = 2048  # of an OBJ file: graphics cards take no more layers
_MOST_MISSING = 1000  # whose names are reported
_WITHOUT = "shown without it"

_Use = tuple[str, Statement]  # the .mtl file's path and the statement


@dataclass(frozen=True)
class _Reading:
    """The contents of a map's statement."""

    names: list[str]  # possible readings of the file's name, the likeliest first
    shown_name: str  # the name for messages
    placement: Placement = DEFAULT_MATERIAL.placement  # as in Material
    bump: float = 1.0  # factor of heights, or of how far normals are bent
    wrap: tuple[Wrap, Wrap] = REPEATED  # as in Texture
    channel: int | None = None  # that of the image, of which the numbers are
    is_partly_shown: bool = False  # without some of its options
    complaints: tuple[Complaint, ...] = ()  # what of it cannot be shown


class MaterialMaps:
    """The textures of materials' map statements; missing and guessed ones are reported.

    Each material comes with the path of its .mtl file. Names may also be relative to the OBJ file's folder.
    """

    def __init__(self, obj_path: Path, materials: Iterable[tuple[str, Definition]], problems: Problems) -> None:
        self._problems = problems
        self._obj_path = obj_path
        self._finders: dict[str, FileFinder] = {}
        self.dependencies: set[Path] = set()  # the image files, and the paths at which missing ones are expected
        self._readings: dict[_Use, _Reading] = {}
        self._textures: dict[_Use, Texture] = {}
        self._made: dict[tuple[str, Texture | float | None, Texture | float | None], Texture] = {}
        uses: dict[_Use, list[int]] = {}
        for library, values in materials:
            for keyword in _READ:
                if keyword in values.maps:
                    statement = values.maps[keyword]
                    uses.setdefault((library, statement), []).append(statement.line)
        self._read(self._find(uses), uses)

    def kept(self, library: str, values: Definition) -> str:
        """Return the statements of a material that no picture shows, as Material.kept_mtl has them.

        Those of maps whose images could not be read, or that are shown in part or as normal maps, are among them; norm
        too where one of these is kept beside it, so that a writer sees whether they still belong to what is shown.
        """
        lines = []
        normals = ("norm", *_BUMPS) if any(key in values.maps for key in _BUMPS) else ()
        not_whole = [
            each
            for key, each in values.maps.items()
            if key in normals
            or (key == "map_ns" and _has_roughness(values))
            or (library, each) not in self._textures
            or self._readings[library, each].is_partly_shown
        ]
        for statement in (*values.kept, *not_whole):
            text = statement.text
            if has_image(statement.keyword):
                options, name = split_map(text)
                found = self._finder(library).find(_names_and_options(name)[0]) if name else None
                path = "" if found is None else abspath(found.path)
                if path.isprintable() and path:  # else it could not be read again
                    text = options + path
            lines.append(f"{statement.keyword} {text}")
        return "\n".join(dict.fromkeys(lines))

    def _finder(self, library: str) -> FileFinder:
        folder = os.path.dirname(library)
        if folder not in self._finders:
            self._finders[folder] = FileFinder(Path(folder), self._obj_path.parent)
        return self._finders[folder]

    def look(self, library: str, values: Definition) -> dict[str, Any]:
        """Return the textures that a material shows or lacks, and their placements, by the fields of Material."""
        uses = {key: (library, values.maps[key]) for key in _READ if key in values.maps}
        if _has_roughness(values) and (unused := uses.pop("map_ns", None)) is not None:
            what, line = "map_Ns beside a roughness (Pr, map_Pr) is not shown", unused[1].line
            self._problems.report("map-not-shown", what, KEPT, line=line, file=library)
        shown = {key: use for key, use in uses.items() if use in self._textures}
        missing = tuple(self._readings[use].shown_name for use in uses.values() if use not in self._textures)
        if not shown:
            return {"missing_textures": missing}
        textures = {key: self._channel(key, use) for key, use in shown.items()}
        base, mask = textures.get("map_kd"), textures.get("map_d")
        if mask is not None and mask is not base:
            base = self._made_of("with_opacity", base, mask)
        places = {key: self._readings[use].placement for key, use in shown.items()}
        for first, second in (
            ("map_kd", "map_d"),
            ("map_pr", "map_pm"),
            ("map_ns", "map_pm"),
        ):  # two images, shown as one
            if first in places and second in places and places[first] != places[second]:
                statement, other = shown[second][1], shown[first][1].keyword
                what = f"-s and -o of {statement.keyword} differ from those of {other}"
                self._problems.report("map-option", what, f"as {other}", line=statement.line, file=library)
        bumps = next((key for key in ("norm", *_BUMPS) if key in textures), None)
        for key in _BUMPS:
            if key in shown and (key != bumps or key == "disp"):
                done = "shown as bumps: no surface is moved" if key == bumps else KEPT
                _, statement = shown[key]
                what = f"{statement.keyword} is not shown"
                self._problems.report("map-not-shown", what, done, line=statement.line, file=library)
        normals = textures.get("norm")
        if bumps is not None and normals is None:
            normals = self._made_of("normals_of", textures[bumps])
        placement = next(iter(places.values()))
        keys = {"emission_placement": "map_ke", "specular_placement": "map_ks", "normal_placement": bumps}
        keys["surface_placement"] = next((key for key in ("map_pr", "map_ns") if key in places), "map_pm")
        roughness = textures.get("map_pr")
        if "map_ns" in textures:
            roughness = self._made_of(
                "roughness_map", textures["map_ns"], values.numbers.get("ns", DEFAULT_MATERIAL.shininess)
            )
        own = {name: places[key] for name, key in keys.items() if key in places and places[key] != placement}
        return {
            "base_color_texture": base,
            "emission_texture": textures.get("map_ke"),
            "specular_texture": textures.get("map_ks"),
            "normal_texture": normals,
            "normal_scale": 1.0 if bumps is None else self._readings[shown[bumps]].bump,
            "surface_texture": self._made_of("surface_map", roughness, textures.get("map_pm")),
            "uv_scale": placement[:2],
            "uv_offset": placement[3:],
            "missing_textures": missing,
            **own,
        }

    def _channel(self, key: str, use: _Use) -> Texture:
        """Return the texture of a map, or of the one channel that it names."""
        texture, channel = self._textures[use], self._readings[use].channel
        if channel is None or key not in _OF_NUMBERS:
            return texture
        made = self._made_of("channel_of", texture, channel)
        assert made is not None
        return made

    def _made_of(self, function: str, *of: Texture | float | None) -> Texture | None:
        """Return what a function of scene.mesh.images makes of its arguments; the same ones give the same one."""
        if all(each is None for each in of):
            return None
        key = (function, of[0], of[-1])
        if key not in self._made:
            from octoscope.scene.mesh import images  # only here: it imports Pillow

            self._made[key] = getattr(images, function)(*of)
        return self._made[key]

    def _find(self, uses: dict[_Use, list[int]]) -> dict[_Use, Path]:
        paths: dict[_Use, Path] = {}
        missing = 0
        for (library, statement), lines in uses.items():
            finder = self._finder(library)
            reading = self._readings[library, statement] = read_map(statement)
            for complaint in reading.complaints:
                self._problems.report(*complaint, line=lines[0], count=len(lines), file=library)
            found = finder.find(reading.names, anywhere=True)
            if found is None:
                missing += 1
                named = f"texture '{reading.shown_name}'" if missing <= _MOST_MISSING else "a further texture"
                problem = ("texture-missing", f"{named} not found", _WITHOUT)
            else:
                problem = complaint_about(found, "texture", reading.shown_name)
            if problem is not None:
                self._problems.report(*problem, line=lines[0], count=len(lines), file=library)
            expected = finder.expected(reading.names[0]) if reading.names else None
            if expected is not None and (found is None or found.match is not Match.NAMED):
                self.dependencies.add(expected)
            if found is not None:
                paths[library, statement] = found.path
                self.dependencies.add(found.path)
        return paths

    def _read(self, paths: dict[_Use, Path], uses: dict[_Use, list[int]]) -> None:
        if not paths:
            return
        from octoscope.scene.mesh.images import read_textures  # only here: it imports Pillow

        textures = read_textures(list(dict.fromkeys(paths.values()))[:_MOST_TEXTURES])
        for use, path in paths.items():
            texture = textures.get(path) or OSError(f"more than {_MOST_TEXTURES:,} textures")
            if isinstance(texture, Texture):
                self._textures[use] = texture.wrapped(self._readings[use].wrap)
            else:
                library, lines = use[0], uses[use]
                what = f"texture '{self._readings[use].shown_name}' cannot be read ({reason_of(texture)})"
                self._problems.report(
                    "texture-unreadable", what, _WITHOUT, line=lines[0], count=len(lines), file=library
                )


def _has_roughness(values: Definition) -> bool:
    """Tell whether a material says its roughness itself, so that a map of exponents says nothing more."""
    return "map_pr" in values.maps or "pr" in values.numbers


def complaint_about(found: FoundFile, kind: str, shown_name: str) -> Complaint | None:
    """Return the complaint about a file that was found under another name or elsewhere; None: it was not."""
    if found.match is Match.OTHER_CASE:
        done = "opened; where case counts, it would not be found"
        return "file-name-case", f"a {kind}'s name in another case", done
    if found.match is Match.ELSEWHERE:
        what = f"{kind} '{shown_name}' is not where it should be"
        return "file-elsewhere", what, f"{printable(found.path)} instead"
    return None


def read_map(statement: Statement) -> _Reading:
    """Parse a map's statement: options before or after the name, a name with blanks, quotes, a comment."""
    text = statement.text
    if len(text) > _LONGEST_MAP:
        return _Reading([], shortened(text))
    if text[0] not in "\"'" and len(text.split(None, 1)) == 1:
        return _Reading([text], shortened(text))
    names, shown_name, options = _names_and_options(text)
    complaints = []
    placement: dict[str, tuple[float, float]] = {}
    for option, default in (("-s", 1.0), ("-o", 0.0)):
        numbers = finite_numbers(options.get(option, []))
        if numbers is None or any(abs(number) > LARGEST_UV_SCALE for number in numbers):
            complaints.append(("map-option", f"the numbers of '{statement.keyword} {option}'", "default instead"))
            numbers = []
        u, v, *_ = (*numbers, default, default)
        placement[option] = (u, v)
    for option, neutral in _NEUTRAL.items():
        words = options.get(option, [])
        if (finite_numbers(words) or words) != neutral[: len(words)]:
            complaints.append(("map-option", f"'{statement.keyword} {option}' is not shown", KEPT))
    if options.get("-clamp", ["off"]) not in (["on"], ["off"]):
        complaints.append(("map-option", f"'{statement.keyword} -clamp' is neither on nor off", "repeated"))
    bump = finite_numbers(options.get("-bm", []))
    if bump is None or any(abs(number) > LARGEST_NORMAL_SCALE for number in bump):
        complaints.append(("map-option", f"the numbers of '{statement.keyword} -bm'", "default instead"))
        bump = []
    channel = _CHANNELS.get(next(iter(options.get("-imfchan", [])), ""))
    place = (*placement["-s"], 0.0, *placement["-o"])
    wrap: tuple[Wrap, Wrap] = ("clamp", "clamp") if options.get("-clamp") == ["on"] else REPEATED
    is_partly_shown = any(done == KEPT for _, _, done in complaints)
    return _Reading(names, shown_name, place, (bump or [1.0])[0], wrap, channel, is_partly_shown, tuple(complaints))


def _names_and_options(text: str) -> tuple[list[str], str, dict[str, list[str]]]:
    """Return readings of a map's file name, the one for messages, and the words of each option."""
    front, options = _options(text)
    name = text[front:]
    behind = _OPTION_INSIDE.search(name)
    if behind is not None:
        options |= _options(name[behind.start(1) :])[1]
    shown = name if behind is None else name[: behind.start()]
    names = [name, shown, name.partition(" #")[0], shown.partition(" #")[0]]
    if name.startswith("-"):  # an option that nobody knows: the name is behind it
        names += [name.split(None, count)[-1] for count in range(1, 8)]
    names = [reading.strip() for reading in (*names, text)]
    names += [reading.strip("\"'").strip() for reading in names if reading.startswith(("'", '"'))]
    return list(dict.fromkeys(names)), shortened(shown.strip() or text), options


def has_image(keyword: str) -> bool:
    """Return whether a statement that is kept, by its keyword, names an image."""
    return keyword.lower().startswith(MAP_BEGINNINGS)


def split_map(text: str) -> tuple[str, str]:
    """Split the text of a map's statement into the options in front, with the blank behind them, and the rest."""
    front, _ = _options(text)
    return text[:front], text[front:]


def _options(text: str) -> tuple[int, dict[str, list[str]]]:
    """Return where the options in front of a map's name end, and their words by option in lower case."""
    words = [(match[0], match.start()) for match in re.finditer(r"\S+", text)]
    options: dict[str, list[str]] = {}
    i = 0
    while i < len(words):
        option = words[i][0].lower()
        most = 1 if option in _ONE_WORD else _MOST_NUMBERS.get(option, 0)
        if most == 0:
            break
        i += 1
        values: list[str] = []
        while len(values) < most and i < len(words) and _is_value(option, words[i][0]):
            values.append(words[i][0].lower())
            i += 1
        options[option] = values
    return (words[i][1] if i < len(words) else len(text)), options


def _is_value(option: str, word: str) -> bool:
    """Tell whether a word is a value of the option before it, and not the file's name."""
    if option in _ONE_WORD:
        return _OPTION_VALUE.fullmatch(word) is not None
    try:
        float(word)
    except ValueError:
        return False
    return True
