"""Random OBJ files that are known in advance: statements drawn by hypothesis, written down in random layout."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np
from hypothesis import strategies as st

NAMES = st.one_of(
    st.sampled_from(["a", "b", "", "o", "f 1 2 3", "usemtl a", "# a", "a\\b", "屋根"]),
    st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0\n\r\t "), min_size=1, max_size=12),
).filter(lambda name: not name.endswith("\\"))
COORDINATES = st.one_of(
    st.integers(-4, 4).map(float),
    st.floats(-1e3, 1e3),
    st.floats(allow_nan=False, allow_infinity=False),
)
FLOATS_32 = st.floats(-1e3, 1e3, width=32)
UNIT = st.sampled_from([0.0, 0.25, 0.5, 1.0])
NUMBER = st.integers(0, 2**30)  # of a vertex among those there are

Corner = tuple[int, int | None, int | None]


@dataclass
class Section:
    """The content of one `o` or `g`; `owner` is the section of the `o` that it stands under, None for the file."""

    keyword: str
    name: str
    owner: Section | None
    faces: list[tuple[list[Corner], str, int]] = field(default_factory=list)  # corners, material, smoothing group
    lines: list[tuple[list[int], str]] = field(default_factory=list)
    points: list[tuple[int, str]] = field(default_factory=list)

    @property
    def is_shown(self) -> bool:
        return bool(self.faces or self.lines or self.points)


@dataclass
class Model:
    """A file's statements, and what they mean; indices count from 0."""

    statements: list[tuple]
    positions: list[tuple[float, float, float]] = field(default_factory=list)
    colors: list[tuple[float, float, float] | None] = field(default_factory=list)
    uvs: list[tuple[float, float]] = field(default_factory=list)
    normals: list[tuple[float, float, float]] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)

    def __post_init__(self) -> None:
        section = Section("", "", None)
        owner = None
        material, smoothing = "", 0
        self.sections.append(section)
        for keyword, *values in self.statements:
            if keyword == "v":
                self.positions.append(values[0])
                self.colors.append(values[1])
            elif keyword == "vt":
                self.uvs.append(values[0])
            elif keyword == "vn":
                self.normals.append(values[0])
            elif keyword in ("o", "g"):
                section = Section(keyword, values[0], owner if keyword == "g" else None)
                owner = section if keyword == "o" else owner
                self.sections.append(section)
            elif keyword == "usemtl":
                material = values[0]
            elif keyword == "s":
                smoothing = values[0]
            elif keyword == "f":
                section.faces.append((values[0], material, smoothing))
            elif keyword == "l":
                section.lines.append((values[0], material))
            elif keyword == "p":
                section.points.extend((vertex, material) for vertex in values[0])

    def meshes(self) -> list[Section]:
        """The sections that have something to show, with those that only go on with a group joined to it."""
        merged: list[Section] = []
        for section in self.sections:
            if not section.is_shown:
                continue
            last = merged[-1] if merged else None
            goes_on = last is not None and last.keyword == section.keyword == "g"
            if goes_on and (last.name, id(last.owner)) == (section.name, id(section.owner)):
                last.faces += section.faces
                last.lines += section.lines
                last.points += section.points
            else:
                merged.append(section)
        return merged


def tree_of(meshes: list[Section], default_name: str) -> list[str]:
    """Return the expected result of checks.tree."""
    shown = []
    at_top: Section | None = None  # the `o` that has a node
    for number, section in enumerate(meshes):
        name = section.name or default_name
        if section.keyword != "g" or section.owner is None:
            shown.append(name)
            at_top = section
            continue
        owner = section.owner
        owner_name = owner.name or default_name
        if at_top is not owner:
            below = [other for other in meshes[number:] if other.owner is owner]
            if len(below) == 1 and section.name == owner.name:
                shown.append(name)
                continue
            shown.append(f"[{owner_name}]")
            at_top = owner
        shown.append(f"{owner_name if owner.is_shown else f'[{owner_name}]'}/{name}")
    return shown


@st.composite
def models(draw) -> Model:
    """Files of up to about fifty statements, with at least one face, line or point."""
    vertex = st.tuples(
        st.just("v"), st.tuples(COORDINATES, COORDINATES, COORDINATES), st.none() | st.tuples(UNIT, UNIT, UNIT)
    )
    raw = draw(st.lists(vertex, min_size=3, max_size=8))
    raw += draw(
        st.lists(
            st.one_of(
                vertex,
                st.tuples(st.just("vt"), st.tuples(FLOATS_32, FLOATS_32)),
                st.tuples(st.just("vn"), st.tuples(FLOATS_32, FLOATS_32, FLOATS_32)),
                st.tuples(st.sampled_from(["o", "g", "usemtl"]), NAMES),
                st.tuples(st.just("s"), st.integers(0, 3)),
                st.tuples(st.just("f"), st.lists(st.tuples(NUMBER, NUMBER, NUMBER), min_size=3, max_size=7)),
                st.tuples(st.just("f"), st.lists(st.tuples(NUMBER, NUMBER, NUMBER), min_size=3, max_size=3)),
                st.tuples(st.just("l"), st.lists(NUMBER, min_size=2, max_size=4)),
                st.tuples(st.just("p"), st.lists(NUMBER, min_size=1, max_size=3)),
            ),
            max_size=40,
        )
    )
    raw.append(draw(st.tuples(st.just("f"), st.lists(st.tuples(NUMBER, NUMBER, NUMBER), min_size=3, max_size=4))))
    raw = draw(st.permutations(raw)) if draw(st.booleans()) else raw
    counts = {keyword: sum(statement[0] == keyword for statement in raw) for keyword in ("v", "vt", "vn")}

    def some(number: int, keyword: str) -> int | None:
        """One of those there are, or about as often none."""
        return number // 2 % counts[keyword] if number % 2 and counts[keyword] else None

    statements: list[tuple] = []
    for keyword, *values in raw:
        if keyword == "f":
            values = [[(v % counts["v"], some(t, "vt"), some(n, "vn")) for v, t, n in values[0]]]
        elif keyword in ("l", "p"):
            values = [[number % counts["v"] for number in values[0]]]
        statements.append((keyword, *values))
    return Model(statements)


def text_of(model: Model, seed: int) -> str:  # noqa: C901
    """Write a model down: its meaning is the model's, its looks are the seed's."""
    rng = random.Random(seed)
    line_end = rng.choice(["\n", "\n", "\r\n", "\r", None])
    is_wild = rng.random() < 0.7
    count = {"v": 0, "vt": 0, "vn": 0}
    lines = []

    def number(value: float) -> str:
        texts = [repr(value), f"{value:.17g}", f"{value:.16e}", f"{value:.18E}"]
        if value == int(value) and abs(value) < 1e15:
            texts += [str(int(value)) if value or not np.signbit(value) else "-0", f"{value:.0f}.", f"{value:+.1f}"]
        return rng.choice(texts)

    def index(keyword: str, value: int | None) -> str:
        if value is None:
            return ""
        if value < count[keyword] and rng.random() < 0.5:
            return str(value - count[keyword])
        return rng.choice(["", "", "+"]) + str(value + 1)

    def corner(v: int, t: int | None, n: int | None) -> str:
        texts = [index("v", v), index("vt", t), index("vn", n)]
        while not texts[-1] and rng.random() < 0.8:
            texts.pop()
        return "/".join(texts)

    def blank() -> str:
        return rng.choice([" ", " ", "  ", "\t", " \\\n ", "\\\n", " \\ \t\n\t"]) if is_wild else " "

    for keyword, *values in model.statements:
        if keyword == "v":
            words = [number(value) for value in values[0]]
            if values[1] is not None:
                words += [number(value) for value in values[1]]
            elif rng.random() < 0.1:
                words.append("1.0")
        elif keyword in ("vt", "vn"):
            words = [number(value) for value in values[0]]
            if keyword == "vt" and rng.random() < 0.2:
                words.append("0.5")
        elif keyword == "f":
            words = [corner(*values) for values in values[0]]
        elif keyword in ("l", "p"):
            words = [index("v", vertex) for vertex in values[0]]
        elif keyword == "s":
            words = [str(values[0]) if values[0] or rng.random() < 0.5 else "off"]
        else:
            words = [values[0]]
        if keyword in count:
            count[keyword] += 1
        is_name = keyword in ("o", "g", "usemtl")
        line = keyword
        for word in words:
            line += (rng.choice([" ", "\t", "  "]) if is_name else blank()) + word
        if is_wild:
            line = rng.choice(["", "", " ", "\t"]) + line + rng.choice(["", "", " ", "\t "])
            if not is_name and rng.random() < 0.1:
                line += rng.choice(["# a comment", "#", " # f 1 2 3 \\"])
            while rng.random() < 0.1:
                lines.append(rng.choice(["", "  ", "# f 1 2 3", "#\\", "\t# v", " \\\n"]))
        lines.append(line)
    text = "".join(line.replace("\n", "\0") + "\0" for line in lines)
    text = text if rng.random() < 0.9 else text[:-1]
    while "\0" in text:
        text = text.replace("\0", line_end or rng.choice(["\n", "\r\n", "\r"]), 1 if line_end is None else -1)
    return text
