"""Parse the statements of an .mtl file to a definition of each material."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from octoscope.scene.geometry.colors import srgb_from_linear
from octoscope.scene.mesh.material import LARGEST_EMISSION, LARGEST_SHININESS
from octoscope.scene.system.report import Problems
from octoscope.scene.system.text_file import printable, shortened

# The maps that are shown; and statements that may be ignored.
_READ_MAPS = {"map_kd": "map_Kd", "map_d": "map_d", "map_ke": "map_Ke"}
_READ_MAPS |= {"map_pr": "map_Pr", "map_pm": "map_Pm", "norm": "norm", "map_bump": "map_Bump", "bump": "bump"}
_READ_MAPS |= {"map_ns": "map_Ns", "disp": "disp", "map_ks": "map_Ks"}
_UNSAID = {"ka", "ni", "map_ka"}  # kept without a word: most files have them without a meaning
MAP_BEGINNINGS = ("map_", "bump", "disp", "decal", "norm", "refl")
_COLORS = {"kd": "Kd", "ks": "Ks", "ke": "Ke"}
_FACTORS = {"d": "d", "tr": "Tr", "pr": "Pr", "pm": "Pm", "pc": "Pc", "pcr": "Pcr"}  # 0 to 1
_NUMBERS = {"ns": "Ns", "illum": "illum"}
# Statements of numbers that are kept but not shown, and the value at which that makes no difference.
_NOT_SHOWN: dict[str, float | None] = {"tf": 1.0, "ps": 0.0, "aniso": 0.0, "anisor": 0.0}
_NOT_SHOWN |= dict.fromkeys(("ka", "ni", "sharpness", "km"))
# As they are written, of those that are kept; others are written in small letters.
_WRITTEN = {name.lower(): name for name in ("Tf", "Ps", "Ka", "Ni", "Km", "map_Ka", "map_Ps", "map_aat")}
# Keywords of kept statements that are shown but for options, or kept without a word.
SHOWN_OR_UNSAID = frozenset({*_READ_MAPS.values(), "d", "illum", *(_WRITTEN[keyword] for keyword in _UNSAID)})
_ILLUMINATIONS = range(11)
_RAY_TRACED = 3  # and above: illuminations with reflections and refraction
_XYZ_ROUNDING = 1e-3  # beyond 0 and 1, of a colour whose XYZ are rounded
_RGB_FROM_XYZ = ((3.2406, -1.5372, -0.4986), (-0.9689, 1.8758, 0.0415), (0.0557, -0.2040, 1.0570))

_MOST_KEPT_LINES = 1000  # of the cache of parsed lines; more keep the garbage collector busy
_MOST_COMPLAINTS = 40  # different ones in one file

Complaint = tuple[str, str, str]  # kind, what, done, as in Problem
_DEFAULT = "default instead"
KEPT = "kept for .mtl files; shown without it"
_SKIPPED = "skipped"
_NAMELESS = ("mtl-statement", "newmtl without a name", _SKIPPED)
_BEFORE = ("mtl-statement", "a statement before the first newmtl", _SKIPPED)
_OTHERS = ("mtl-statement", "other statements that are not understood", _SKIPPED)


@dataclass(frozen=True)
class Statement:
    """A map that a material names, or what is kept as it is. Statements that differ only in their line are equal."""

    keyword: str  # such as "map_Kd"
    text: str  # everything after the keyword
    line: int = field(compare=False)  # of the file, counted from 1


Color = tuple[float, float, float]


@dataclass
class Definition:
    """The statements below one newmtl, by keyword in lower case."""

    colors: dict[str, Color] = field(default_factory=dict)  # of "kd", "ks", "ke"
    numbers: dict[str, float] = field(default_factory=dict)  # of "d" (Tr too), "pr", "pm", "pc", "pcr", "ns", "illum"
    # of "map_kd", "map_d", "map_ke", "map_pr", "map_pm", "norm", "map_bump", "bump", "map_ns", "disp", "map_ks"
    maps: dict[str, Statement] = field(default_factory=dict)
    kept: list[Statement] = field(default_factory=list)  # those that are not shown, of numbers and of maps

    def set(self, keyword: str, value: str | float | Color, line: int) -> None:
        """Set what a statement says, a str for the text of a map or of what is kept."""
        if isinstance(value, str) and keyword in _READ_MAPS:
            self.maps[keyword] = Statement(_READ_MAPS[keyword], value, line)
        elif isinstance(value, str):
            self.kept.append(Statement(_WRITTEN.get(keyword, keyword), value, line))
        elif isinstance(value, tuple):
            self.colors[keyword] = value
        else:
            self.numbers[keyword] = value
            if keyword == "illum" and value >= _RAY_TRACED:
                self.kept.append(Statement(keyword, f"{value:.0f}", line))


# Keyword in lower case; the value, a str for a name or the text of a map or of what is kept; what is wrong with it.
_Parsed = tuple[str, str | float | Color | None, Complaint | None]


def read_definitions(text: str, problems: Problems, file: str) -> dict[str, Definition]:
    r"""Read the materials that an .mtl file defines; of several with one name the last."""
    definitions: dict[str, Definition] = {}
    replaced: list[tuple[str, Definition, int]] = []
    known: dict[str, _Parsed] = {}  # exporters repeat themselves
    complaints: dict[Complaint, list[int]] = {}  # the first line, and how many
    values: Definition | None = None
    opacity_of_d: object = None
    without_name = False
    for number, line in _lines(text):
        statement = known.get(line)
        if statement is None:
            statement = _statement(line)
            if len(known) < _MOST_KEPT_LINES:
                known[line] = statement
        keyword, value, complaint = statement
        if keyword == "newmtl":
            name = str(value)
            values, opacity_of_d = Definition(), None
            without_name = not name
            if without_name:
                complaint = _NAMELESS
            else:
                if name in definitions:
                    replaced.append((name, definitions[name], number))
                definitions[name] = values
        elif values is None:
            complaint = _BEFORE if keyword else None
        elif without_name:
            complaint = None
        elif value is not None:
            if keyword == "d":
                opacity_of_d = value
                if "-halo" in line:
                    values.kept.append(Statement(keyword, line.split(None, 1)[1].strip(), number))
            elif keyword == "tr" and isinstance(value, float):
                # Some exporters write opacity here, the same number as after d.
                keyword, value = "d", value if value == opacity_of_d else 1.0 - value
            values.set(keyword, value, number)
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
    """Return a material's name from the text after newmtl or usemtl: all of the line, made printable."""
    return printable(text.replace("\t", " ").strip(" "))


def finite_numbers(words: list[str]) -> list[float] | None:
    """Convert words to numbers; None where one is no finite number."""
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        return None
    return numbers if all(map(math.isfinite, numbers)) else None


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Number the lines; a statement of numbers may continue after a backslash, a name may end in one."""
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


def _statement(line: str) -> _Parsed:
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
        return keyword, *_number(keyword, _words(rest))
    if keyword in _READ_MAPS:
        missing = None if rest else ("mtl-statement", f"{_READ_MAPS[keyword]} without a file", _SKIPPED)
        return keyword, rest or None, missing
    if keyword in _NOT_SHOWN:
        numbers = finite_numbers(_words(rest))
        same = numbers is not None and all(number == _NOT_SHOWN[keyword] for number in numbers)
        return keyword, None if same else rest, None if same or keyword in _UNSAID else _unshown(written)
    if keyword in _UNSAID or keyword == "map_aat":
        return keyword, rest or None, None if keyword in _UNSAID else _unshown(written)
    if keyword.startswith(MAP_BEGINNINGS):
        return keyword, rest or None, ("map-not-shown", f"{shortened(written)} is not shown", KEPT)
    return keyword, None, ("mtl-statement", f"'{shortened(written)}' is not understood", _SKIPPED)


def _words(rest: str) -> list[str]:
    # Up to a comment; but some programs write 1.#QNAN for NaN.
    return (re.split(r"(?<!\.)#", rest, maxsplit=1)[0] if "#" in rest else rest).split()


def _color(keyword: str, words: list[str]) -> tuple[Color | None, Complaint | None]:
    """Read three numbers from 0 to 1, of Ke from 0 on; one may stand for all."""
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
        linear = np.array([x * red + y * green + z * blue for x, y, z in _RGB_FROM_XYZ])
        brightest = max(1.0, linear.max())  # of emitted light; only its colour is sRGB
        red, green, blue = (srgb_from_linear(linear / brightest) * brightest).tolist()
    # Emitted light may be as bright as it likes.
    largest, rounded = (LARGEST_EMISSION, 0.0) if keyword == "Ke" else (1.0, _XYZ_ROUNDING if form == "xyz" else 0.0)
    color = (_clamped(red, largest), _clamped(green, largest), _clamped(blue, largest))
    is_wrong = min(red, green, blue) < -rounded or max(red, green, blue) > largest + rounded
    return color, _beyond(keyword, largest) if is_wrong else None


def _factor(keyword: str, words: list[str]) -> tuple[float | None, Complaint | None]:
    is_halo = words[:1] == ["-halo"]  # less opaque at the rim: only the number is shown
    words = words[is_halo:]
    numbers = finite_numbers(words[:1])
    if not numbers:
        return None, _unreadable(keyword)
    value = _clamped(numbers[0])
    return value, _beyond(keyword) if value != numbers[0] else _unshown(f"{keyword} -halo") if is_halo else None


def _number(keyword: str, words: list[str]) -> tuple[float | None, Complaint | None]:
    numbers = finite_numbers(words[:1])
    if not numbers:
        return None, _unreadable(_NUMBERS[keyword])
    if keyword == "ns":
        # Many files have 0, which looks no other than 1.
        return numbers[0], None if 0.0 <= numbers[0] <= LARGEST_SHININESS else _beyond("Ns", LARGEST_SHININESS)
    if numbers[0] not in _ILLUMINATIONS:
        return None, ("mtl-range", f"illum is no whole number from 0 to {max(_ILLUMINATIONS)}", _SKIPPED)
    return numbers[0], _unshown(f"illum {numbers[0]:.0f}") if numbers[0] >= _RAY_TRACED else None


def _unshown(what: str) -> Complaint:
    return "mtl-not-shown", f"{shortened(what)} is not shown", KEPT


def _clamped(value: float, largest: float = 1.0) -> float:
    return min(largest, max(0.0, value))


def _unreadable(keyword: str) -> Complaint:
    return "mtl-number", f"the numbers of {keyword} cannot be read", _DEFAULT


def _beyond(keyword: str, largest: float = 1.0) -> Complaint:
    return "mtl-range", f"{keyword} is not between 0 and {largest:,.0f}", "the nearest value in range is used"
