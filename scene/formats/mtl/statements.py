"""The statements of an .mtl file: a definition for each material, in numbers and in the words of its maps."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from scene.system.report import Problems
from scene.system.text_file import printable, shortened

# The maps that are read; and those statements that make no difference here.
_READ_MAPS = {"map_kd": "map_Kd", "map_d": "map_d", "map_ke": "map_Ke", "map_ka": "map_Ka"}
_SILENT = {"ka", "ni", "sharpness", "km", "map_aat"}
_MAP_BEGINNINGS = ("map_", "bump", "disp", "decal", "norm", "refl")
_COLORS = {"kd": "Kd", "ks": "Ks", "ke": "Ke"}
_FACTORS = {"d": "d", "tr": "Tr", "pr": "Pr", "pm": "Pm"}  # 0 to 1
_NUMBERS = {"ns": "Ns", "illum": "illum"}
# What is not shown, and the value at which that makes no difference.
_NOT_SHOWN = {"tf": 1.0, "ps": 0.0, "pc": 0.0, "pcr": 0.0, "aniso": 0.0, "anisor": 0.0}
_RGB_FROM_XYZ = ((3.2406, -1.5372, -0.4986), (-0.9689, 1.8758, 0.0415), (0.0557, -0.2040, 1.0570))

_MOST_KEPT_LINES = 1000  # more of them keep the garbage collector busy
_MOST_COMPLAINTS = 40  # that differ, in one file

Complaint = tuple[str, str, str]  # kind, what, done, as in Problem
_DEFAULT = "default instead"
_WITHOUT = "shown without it"
_SKIPPED = "skipped"
_NAMELESS = ("mtl-statement", "newmtl without a name", _SKIPPED)
_BEFORE = ("mtl-statement", "a statement before the first newmtl", _SKIPPED)
_OTHERS = ("mtl-statement", "other statements that are not understood", _SKIPPED)


@dataclass(frozen=True)
class MapStatement:
    """A map that a material names: all that stands behind the keyword. Its line does not tell it from others."""

    keyword: str
    text: str
    line: int = field(compare=False)


# What stands under one newmtl, by keyword in lower case: three numbers for "kd", "ks", "ke", one for "d" (Tr too),
# "pr", "pm", "ns", "illum", a MapStatement for "map_kd", "map_d", "map_ke", "map_ka".
Definition = dict[str, object]


def read_definitions(text: str, problems: Problems, file: str) -> dict[str, Definition]:
    """The materials that an .mtl file defines, by name; of several of one name the last.

    Args:
        text: lines ended by \\n. problems: gets what cannot be used. file: as problems name it.
    """
    definitions: dict[str, Definition] = {}
    replaced: list[tuple[str, Definition, int]] = []
    known: dict[str, tuple[str, object, Complaint | None]] = {}  # exporters repeat themselves
    complaints: dict[Complaint, list[int]] = {}  # the first line, and how many
    values: Definition | None = None
    opacity_of_d = None
    without_name = False
    for number, line in _lines(text):
        statement = known.get(line)
        if statement is None:
            statement = _statement(line)
            if len(known) < _MOST_KEPT_LINES:
                known[line] = statement
        keyword, value, complaint = statement
        if keyword == "newmtl":
            values, opacity_of_d = {}, None
            without_name = not value
            if without_name:
                complaint = _NAMELESS
            else:
                if value in definitions:
                    replaced.append((value, definitions[value], number))
                definitions[value] = values
        elif values is None:
            complaint = _BEFORE if keyword else None
        elif without_name:
            complaint = None
        elif value is not None:
            if keyword in _READ_MAPS:
                value = MapStatement(_READ_MAPS[keyword], value, number)
            elif keyword == "d":
                opacity_of_d = value
            elif keyword == "tr":
                # Some exporters write opacity here, the same number as behind d.
                keyword, value = "d", value if value == opacity_of_d else 1.0 - value
            values[keyword] = value
        if complaint is not None:
            if complaint not in complaints and len(complaints) >= _MOST_COMPLAINTS:
                complaint = _OTHERS
            complaints.setdefault(complaint, [number, 0])[1] += 1
    for complaint, (number, count) in complaints.items():
        problems.report(*complaint, line=number, count=count, file=file)
    for name, definition, number in replaced:
        if definition != definitions[name]:
            problems.report("mtl-again", "a material defined twice", "the last one is used", line=number, file=file)
    return definitions


def material_name(text: str) -> str:
    """A material's name as it stands behind newmtl and usemtl: all of the line, made one that can be shown."""
    return printable(text.replace("\t", " ").strip(" "))


def finite_numbers(words: list[str]) -> list[float] | None:
    """Words as numbers, or None where one is no finite number."""
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        return None
    return numbers if all(map(math.isfinite, numbers)) else None


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their numbers; a statement of numbers goes on behind a backslash, a name may end in one."""
    lines = enumerate(text.split("\n"), start=1)
    return _joined(lines) if re.search(r"\\\s*\n", text) else lines


def _joined(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    for number, line in lines:
        if line.rstrip().endswith("\\") and _takes_numbers(line):
            parts = [line.rstrip()[:-1]]
            for _, part in lines:
                parts.append(part.rstrip().removesuffix("\\"))
                if not part.rstrip().endswith("\\"):
                    break
            line = " ".join(parts)
        yield number, line


def _takes_numbers(line: str) -> bool:
    keyword = line.split(None, 1)[0].lower()
    return keyword in _COLORS or keyword in _FACTORS or keyword in _NUMBERS or keyword in _NOT_SHOWN


def _statement(line: str) -> tuple[str, object, Complaint | None]:
    """A line's keyword in lower case, what it sets (or None), and what is wrong with it."""
    words = line.split(None, 1)
    if not words or words[0].startswith("#"):
        return "", None, None
    written, keyword = words[0], words[0].lower()
    rest = words[1].rstrip() if len(words) == 2 else ""
    if keyword == "newmtl":
        return keyword, material_name(rest), None
    if keyword in _COLORS:
        return keyword, *_color(_COLORS[keyword], _words(rest))
    if keyword in _FACTORS:
        return keyword, *_factor(_FACTORS[keyword], _words(rest))
    if keyword in _NUMBERS:
        numbers = finite_numbers(_words(rest)[:1])
        return (keyword, numbers[0], None) if numbers else (keyword, None, _unreadable(_NUMBERS[keyword]))
    if keyword in _READ_MAPS:
        missing = None if rest else ("mtl-statement", f"{_READ_MAPS[keyword]} without a file", _SKIPPED)
        return keyword, rest or None, missing
    if keyword in _SILENT:
        return keyword, None, None
    if keyword in _NOT_SHOWN:
        same = all(number == _NOT_SHOWN[keyword] for number in finite_numbers(_words(rest)) or ())
        return keyword, None, None if same else ("mtl-not-shown", f"{shortened(written)} is not shown", _WITHOUT)
    if keyword.startswith(_MAP_BEGINNINGS):
        return keyword, None, ("map-not-shown", f"{shortened(written)} is not shown", _WITHOUT)
    return keyword, None, ("mtl-statement", f"'{shortened(written)}' is not understood", _SKIPPED)


def _words(rest: str) -> list[str]:
    # Up to a comment; but 1.#QNAN is what some programs write for what is no number.
    return (re.split(r"(?<!\.)#", rest, maxsplit=1)[0] if "#" in rest else rest).split()


def _color(keyword: str, words: list[str]) -> tuple[tuple[float, ...] | None, Complaint | None]:
    """Three numbers from 0 to 1; one may stand for all."""
    try:  # nearly always
        red, green, blue = map(float, words)
        if 0.0 <= red <= 1.0 and 0.0 <= green <= 1.0 and 0.0 <= blue <= 1.0:
            return (red, green, blue), None
    except ValueError:
        pass
    form = words[0].lower() if words else ""
    if form == "spectral":
        return None, ("mtl-not-shown", f"the spectral curve of {keyword}", _DEFAULT)
    numbers = finite_numbers(words[1:] if form == "xyz" else words)
    if numbers is not None and len(numbers) == 1:
        numbers *= 3
    if numbers is None or len(numbers) < 3:
        return None, _unreadable(keyword)
    red, green, blue = numbers[:3]
    if form == "xyz":
        linear = [x * red + y * green + z * blue for x, y, z in _RGB_FROM_XYZ]
        return tuple(_encoded(_clamped(value)) for value in linear), None
    color = (red, green, blue)
    if min(color) >= 0.0 and max(color) <= 1.0:
        return color, None
    # Light that a thing gives off has no upper end.
    is_said = keyword != "Ke" or min(color) < 0.0
    return (_clamped(red), _clamped(green), _clamped(blue)), _beyond(keyword) if is_said else None


def _factor(keyword: str, words: list[str]) -> tuple[float | None, Complaint | None]:
    if words[:1] == ["-halo"]:  # less at the rim: only the number is shown
        words = words[1:]
    numbers = finite_numbers(words[:1])
    if not numbers:
        return None, _unreadable(keyword)
    value = _clamped(numbers[0])
    return value, None if value == numbers[0] else _beyond(keyword)


def _clamped(value: float) -> float:
    return min(1.0, max(0.0, value))


def _unreadable(keyword: str) -> Complaint:
    return "mtl-number", f"the numbers of {keyword} cannot be read", _DEFAULT


def _beyond(keyword: str) -> Complaint:
    return "mtl-range", f"{keyword} is not between 0 and 1", "the nearest value in range is used"


def _encoded(linear: float) -> float:
    return 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1.0 / 2.4) - 0.055
