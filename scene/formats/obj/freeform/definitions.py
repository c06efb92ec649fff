"""Definitions: the statements about free-form geometry become curves and surfaces; what is wrong with them is said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from octoscope.scene.content import Connection, State, Statements
from octoscope.scene.formats.mtl.statements import finite_numbers
from octoscope.scene.formats.obj.block_arrays import FREE_FORM, GROUP, OBJECT
from octoscope.scene.formats.obj.collected import Collected
from octoscope.scene.formats.obj.freeform.axes import Axis, BadBasisError, axis_of
from octoscope.scene.formats.obj.freeform.keywords import KEYWORDS
from octoscope.scene.formats.obj.freeform.patches import POINT_AXIS
from octoscope.scene.system.report import Problems
from octoscope.scene.system.text_file import shortened

_ELEMENTS = ("curv", "curv2", "surf")
_TYPES = ("bmatrix", "bezier", "bspline", "cardinal", "taylor")
_TECHNIQUES = {"cparm": 1, "cparma": 2, "cparmb": 1, "cspace": 1, "curv": 2}  # how many numbers follow
# Statements of version 2: how version 3 writes each.
_SUPERSEDED = {"bzp": "bezier", "bsp": "bspline", "cdp": "cardinal", "cdc": "cardinal"}
_KNOTS = [-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0]  # of one span of a uniform cubic B-spline
_PATCH = [12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3]  # the order of version 3, of points of version 2
_DISTANCE = 5e-4  # of an edge from its surface, as a share of the diagonal of what stands under one `o` or `g`
_LOOP_DISTANCE = 2e-4  # of a trimming loop from its curve, as a share of the curve's own size
_UNMERGED = State("mg", "off", 0.0, False)
_SKIPPED = "skipped"
# How a control point is written, by how many numbers it has.
_REFERENCES = {4: "{0}", 6: "{0}/{0}", 7: "{0}//{0}", 9: "{0}/{0}/{0}"}


@dataclass(frozen=True, eq=False)
class Technique:
    """The approximation technique of a curve or surface (ctech, stech)."""

    name: str
    numbers: tuple[float, ...]
    is_stated: bool = True

    @classmethod
    def within(cls, distance: np.floating | float) -> Technique:
        """Return that of which edges are no further than a distance from their surface, at whatever angle."""
        return cls("curv", (float(distance), 180.0), is_stated=False)

    def state(self, keyword: str) -> State:
        """Return it as a statement."""
        is_length = self.name in ("cspace", "curv")
        words = [self.name, *map(repr, self.numbers)]
        if is_length:
            words[1] = "{!r}"
        return State(keyword, " ".join(words), self.numbers[0] if is_length else 0.0, self.is_stated)


@dataclass(frozen=True, eq=False)
class Loop:
    """A trimming loop, or a curve on a surface (scrv): parts of 2D curves, end to end."""

    keyword: str
    parts: tuple[tuple[float, float, int], ...]  # from one parameter to another, of a curve, by its number from 0


@dataclass(frozen=True, eq=False)
class Element:
    """A curve (its `v` is POINT_AXIS), a 2D curve (z is 0), or a surface."""

    keyword: str
    line: int
    event: int  # its row of the file's events
    owner: int  # how many `o` and `g` stand before it
    u: Axis
    v: Axis
    controls: np.ndarray  # as for Patches
    domain: np.ndarray  # (4,) float64 u0, u1, v0, v1
    technique: Technique
    merging: tuple[State, ...]  # of a surface (mg)
    text: str  # statements that make it anew, behind its control points and `curves`; "" if they cannot be written
    curves: tuple[Element, ...]  # 2D ones, to which the text refers
    is_affine: bool  # whether it moves as its control points do
    loops: tuple[Loop, ...]  # trimming ones
    connections: list[Connection] = field(default_factory=list)  # with surfaces before it

    @property
    def statements(self) -> Statements:
        """Those that make it anew."""
        return Statements(self.text, (self.technique.state(_technique_keyword(self.keyword)), *self.merging))


class _Refused(ValueError):
    """A statement that cannot be used; its text says why."""


@dataclass
class _Open:
    """An element whose body is being read."""

    keyword: str
    words: list[str]
    line: int
    event: int
    counts: tuple[int, int, int]  # v, vt and vn before it
    parameters: dict[str, list[float]] = field(default_factory=dict)  # of "u" and "v"
    loops: list[Loop] = field(default_factory=list)
    points: list[list[float]] = field(default_factory=list)  # special ones, as of vp


class Definitions:
    """The free-form elements of a file, in its order.

    Attributes:
        elements: curves and surfaces.
        curves: 2D curves by their number; None for one that cannot be used.
        are_rational: whether one of them uses weights.
    """

    def __init__(self, file: Collected, problems: Problems) -> None:
        self.elements: list[Element] = []
        self.curves: list[Element | None] = []
        self.are_rational = False
        self._file, self._problems = file, problems
        weights = np.ones(len(file.positions))
        rows, values = file.weights.values[:, 0].astype(np.int64), file.weights.values[:, 1]
        weights[rows] = values
        self._weights = weights
        self._points: list[list[float]] = []  # of vp: u, v, weight
        self._kind, self._is_rational, self._degrees = "", False, [0, 0]
        self._matrices: dict[str, np.ndarray] = {}
        self._steps: list[int | None] = [None, None]
        self._techniques: dict[str, Technique] = {}
        self._merging = _UNMERGED
        self._surfaces: list[Element | None] = []
        self._of_superseded: dict[str, Technique] = {}  # patches of version 2
        self._open: _Open | None = None
        self._owner = 0
        for event, (keyword, words, line, counts) in self._statements():
            try:
                self._take(keyword, words, line, event, counts)
            except _Refused as error:
                self._report(keyword, line, str(error))
        self._close()
        self.elements = _with_default_techniques(self.elements)

    def _statements(self) -> Iterator[tuple[int, tuple[str, list[str], int, tuple[int, int, int]]]]:
        """Go through the statements, and count objects and groups between them."""
        events, names = self._file.events.values, self._file.names.values
        for event in np.flatnonzero(np.isin(events[:, 0], (FREE_FORM, OBJECT, GROUP))).tolist():
            kind, _, _, _, line, first, length, vertices, uvs, normals = events[event].tolist()
            if kind != FREE_FORM:
                self._owner += 1
                continue
            text = names[first : first + length].tobytes().decode(errors="replace").partition("#")[0]
            words = text.replace("\\", " ").split()
            yield event, (words[0], words[1:], line, (vertices, uvs, normals))

    def _report(self, keyword: str, line: int, what: str, done: str = _SKIPPED) -> None:
        self._problems.report("free-form", f"'{shortened(keyword)}' {what}", done, line=line)

    def _take(self, keyword: str, words: list[str], line: int, event: int, counts: tuple[int, int, int]) -> None:
        if keyword not in KEYWORDS:  # another one with the same hash
            raise _Refused("is not supported")
        if keyword == "vp":
            row = _numbers(words, 1)
            self._points.append([*row, 0.0, 1.0][:3] if len(row) < 2 else [*row, 1.0][:3])
        elif keyword in ("parm", "trim", "hole", "scrv", "sp", "end"):
            self._take_body(keyword, words)
        else:
            if self._open is not None:
                self._report(self._open.keyword, self._open.line, "has no 'end'", "ended before the next one")
                self._close()
            if keyword in _ELEMENTS:
                self._open = _Open(keyword, words, line, event, counts)
            elif keyword in _SUPERSEDED:
                self._take_superseded(keyword, words, line, event, counts)
            elif keyword == "con":
                self._take_connection(words)
            else:
                self._take_attribute(keyword, words)

    def _take_body(self, keyword: str, words: list[str]) -> None:
        body = self._open
        if body is None:
            raise _Refused("stands outside of a curve or surface")
        if keyword == "end":
            self._close()
        elif keyword == "parm":
            if words[:1] not in (["u"], ["v"]):
                raise _Refused("names neither u nor v")
            body.parameters[words[0]] = _numbers(words[1:], 2)
        elif keyword == "sp":
            body.points += [self._points[k] for k in _indices(words, 0, len(self._points), "parameter vertex")]
        else:
            numbers = _numbers(words, 3)
            if len(numbers) % 3:
                raise _Refused("is not made of two parameters and a curve each")
            parts = []
            for begin, end, curve in zip(*(numbers[k::3] for k in range(3)), strict=True):
                parts.append((begin, end, _place(curve, len(self.curves), "2D curve")))
            body.loops.append(Loop(keyword, tuple(parts)))

    def _take_connection(self, words: list[str]) -> None:
        numbers = _numbers(words, 8)[:8]
        surfaces = [self._surfaces[_place(number, len(self._surfaces), "surface")] for number in numbers[::4]]
        curves = [self.curves[_place(number, len(self.curves), "2D curve")] for number in numbers[3::4]]
        one, two = surfaces
        if one is None or two is None or None in curves:
            raise _Refused("refers to a surface or 2D curve that is left out")
        form = f"con {{}} {_joined(numbers[1:3])} -2 {{}} {_joined(numbers[5:7])} -1"
        used = tuple(curve.statements for curve in curves if curve is not None)
        max(one, two, key=lambda each: each.event).connections.append(Connection(form, (one.event, two.event), used))

    def _take_attribute(self, keyword: str, words: list[str]) -> None:
        if keyword == "cstype":
            self._is_rational = words[:1] == ["rat"]
            self._kind = words[-1] if words else ""
            if self._kind not in _TYPES:
                raise _Refused(f"is none of {', '.join(_TYPES)}")
        elif keyword in ("deg", "step"):
            numbers = [int(number) for number in _numbers(words, 1)]
            pair = [numbers[0], numbers[1] if len(numbers) > 1 else numbers[0]]
            if keyword == "deg":
                self._degrees = pair
            else:
                self._steps = list(pair)
        elif keyword == "bmat":
            if words[:1] not in (["u"], ["v"]):
                raise _Refused("names neither u nor v")
            numbers = np.array(_numbers(words[1:], 4))
            size = round(len(numbers) ** 0.5)
            if size * size != len(numbers):
                raise _Refused(f"has {len(numbers)} numbers, which make no square matrix")
            self._matrices[words[0]] = numbers.reshape(size, size)
        elif keyword == "mg":
            is_off = words[:1] in (["off"], ["0"])
            group, distance = (0.0, 0.0) if is_off else _numbers(words, 2)[:2]
            self._merging = _UNMERGED if is_off else State("mg", f"{group:.0f} {{!r}}", distance, True)
        elif keyword == "res":  # of version 2: parts of each patch, of which version 3 counts a third
            u, v = (number / 3.0 for number in _numbers(words, 2)[:2])
            self._of_superseded = {"stech": Technique("cparma", (u, v)), "ctech": Technique("cparm", (u,))}
        else:
            name = words[0] if words else ""
            if name not in _TECHNIQUES or (name == "cparm") != (keyword == "ctech" and name.startswith("cparm")):
                raise _Refused("names no technique that is known")
            self._techniques[keyword] = Technique(name, tuple(_numbers(words[1:], _TECHNIQUES[name])))

    def _take_superseded(
        self, keyword: str, words: list[str], line: int, event: int, counts: tuple[int, int, int]
    ) -> None:
        """Read a patch or curve of version 2, which is cubic, as version 3 writes it."""
        if keyword != "cdc":
            if len(words) != 16:
                raise _Refused(f"has {len(words)} control points, and needs 16")
            words = [words[k] for k in _PATCH]
        segments = float(max(len(words) - 3, 1)) if keyword == "cdc" else 1.0
        kept = self._kind, self._is_rational, self._degrees, self._techniques
        self._kind, self._is_rational, self._degrees = _SUPERSEDED[keyword], False, [3, 3]
        self._techniques = self._techniques | self._of_superseded
        ranges = ["0", str(segments)] if keyword == "cdc" else ["0", "1", "0", "1"]
        parameters = _KNOTS if keyword == "bsp" else np.arange(segments + 1.0).tolist()
        self._open = _Open("curv" if keyword == "cdc" else "surf", ranges + words, line, event, counts)
        self._open.parameters = {"u": parameters, "v": parameters}
        self._close()
        self._kind, self._is_rational, self._degrees, self._techniques = kept

    def _close(self) -> None:
        """Make an element of the one that is open."""
        body, self._open = self._open, None
        if body is None:
            return
        element = None
        try:
            element = self._surface(body) if body.keyword == "surf" else self._curve(body)
        except (_Refused, BadBasisError) as error:
            self._report(body.keyword, body.line, str(error))
        if body.keyword == "curv2":
            self.curves.append(element)
        elif element is not None:
            self.elements.append(element)
        if body.keyword == "surf":
            self._surfaces.append(element)

    def _axis(self, body: _Open, side: int, limits: list[float] | None) -> tuple[Axis, list[float]]:
        """Return the axis along u, 0, or v, 1, and the range of parameters of it that is shown."""
        name = "uv"[side]
        given = body.parameters.get(name)
        if given is None and limits is not None and self._kind != "bspline":
            given = limits
        if given is None:
            raise _Refused(f"has no parameter values (parm {name})")
        body.parameters[name] = given
        axis = axis_of(self._kind, self._degrees[side], np.array(given), self._matrix(name, side), self._steps[side])
        begin, end = axis.breaks[[0, -1]].tolist()
        if limits is None:
            return axis, [begin, end]
        low, high = sorted(limits)
        slack = 1e-6 * (end - begin)
        if low < begin - slack or high > end + slack:
            what = f"goes from {low:g} to {high:g} along {name}, and its parameter values from {begin:g} to {end:g}"
            self._report(body.keyword, body.line, what, "shown where it has values")
        low, high = max(low, begin), min(high, end)
        if not low < high:
            raise _Refused(f"has an empty range of parameters along {name}")
        return axis, [low, high]

    def _matrix(self, name: str, side: int) -> np.ndarray | None:
        matrix = self._matrices.get(name)
        return matrix if matrix is not None and len(matrix) == self._degrees[side] + 1 else None

    def _curve(self, body: _Open) -> Element:
        """Make a curve in space, or on a surface."""
        is_flat = body.keyword == "curv2"
        limits = None if is_flat else _numbers(body.words[:2], 2)
        axis, (begin, end) = self._axis(body, 0, limits)
        words = body.words if is_flat else body.words[2:]
        controls = np.zeros((1, len(words), 4))
        if is_flat:
            rows = np.array(_indices(words, 0, len(self._points), "parameter vertex"), dtype=np.int64)
            points = np.array(self._points)[rows]
            controls[0, :, :2] = points[:, :2]
            controls[0, :, 3] = points[:, 2] if self._is_rational else 1.0
        else:
            rows = np.array(_indices(words, 0, body.counts[0], "vertex"), dtype=np.int64)
            controls[0, :, :3] = self._file.positions.values[rows]
            controls[0, :, 3] = self._weights[rows] if self._is_rational else 1.0
        _check(controls, axis, POINT_AXIS)
        domain = np.array([begin, end, 0.0, 0.0])
        return self._element(body, (axis, POINT_AXIS), controls, domain)

    def _surface(self, body: _Open) -> Element:
        if len(body.words) < 5:
            raise _Refused("has no control points")
        ranges = _numbers(body.words[:4], 4)
        u, of_u = self._axis(body, 0, ranges[:2])
        v, of_v = self._axis(body, 1, ranges[2:])
        words = body.words[4:]
        if len(words) != u.control_count * v.control_count:
            raise _Refused(
                f"has {len(words)} control points, and its parameter values need {u.control_count} x {v.control_count}"
            )
        rows = np.array(_indices(words, 0, body.counts[0], "vertex"), dtype=np.int64)
        weights = self._weights[rows] if self._is_rational else np.ones(len(rows))
        columns = [self._file.positions.values[rows], weights[:, None]]
        for part, values, what in (
            (1, self._file.uvs.values, "texture coordinate"),
            (2, self._file.normals.values, "normal"),
        ):
            if all(len(word.split("/")) > part and word.split("/")[part] for word in words):
                columns.append(values[_indices(words, part, body.counts[part], what)].astype(np.float64))
        controls = np.concatenate(columns, axis=1).reshape(v.control_count, u.control_count, -1)
        _check(controls, u, v)
        return self._element(body, (u, v), controls, np.array([*of_u, *of_v]))

    def _element(self, body: _Open, axes: tuple[Axis, Axis], controls: np.ndarray, domain: np.ndarray) -> Element:
        self.are_rational |= self._is_rational
        is_surface = body.keyword == "surf"
        loops = body.loops if is_surface else []
        numbers = list(dict.fromkeys(number for loop in loops for *_, number in loop.parts))
        curves = [self.curves[number] for number in numbers]
        technique = self._techniques.get(_technique_keyword(body.keyword))
        if technique is None:  # of others it follows from all that stand under one `o` or `g`
            size = np.linalg.norm(np.ptp(controls[0, :, :2], axis=0)) if body.keyword == "curv2" else 0.0
            technique = Technique.within(_LOOP_DISTANCE * size)
        place = body.keyword, body.line, body.event, self._owner
        fineness = technique, (self._merging,) if is_surface else ()
        text = "" if None in curves else self._text(body, controls, domain, loops, numbers)
        sound, is_affine = tuple(filter(None, curves)), self._kind not in ("taylor", "bmatrix")
        trims = tuple(loop for loop in loops if loop.keyword != "scrv")
        return Element(*place, *axes, controls, domain, *fineness, text, sound, is_affine, trims)

    def _text(self, body: _Open, controls: np.ndarray, domain: np.ndarray, loops: list[Loop], curves: list[int]) -> str:
        """Write an element as statements that need nothing before them but its control points and 2D curves."""
        is_surface, is_flat = body.keyword == "surf", body.keyword == "curv2"
        from_end = {number: k - len(curves) for k, number in enumerate(curves)}
        points = [*body.points, *(controls[0][:, [0, 1, 3]].tolist() if is_flat else [])]
        lines = [f"vp {_joined(point)}" for point in points]
        lines.append(f"cstype {'rat ' if self._is_rational else ''}{self._kind}")
        sides = "uv" if is_surface else "u"
        lines.append(f"deg {_joined(self._degrees[: len(sides)])}")
        if self._kind == "bmatrix":
            lines.append(f"step {_joined([step or 0 for step in self._steps[: len(sides)]])}")
            lines += [f"bmat {name} {_joined(self._matrices[name].ravel().tolist())}" for name in sides]
        count = controls.shape[0] * controls.shape[1]
        form = _REFERENCES[controls.shape[2]]
        limits = [] if is_flat else domain[: 2 * len(sides)].tolist()
        references = " ".join(form.format(number - count) for number in range(count))
        lines.append(" ".join(filter(None, (body.keyword, _joined(limits), references))))
        lines += [f"parm {name} {_joined(body.parameters[name])}" for name in sides]
        for loop in loops:
            parts = [f"{begin!r} {end!r} {from_end[number]}" for begin, end, number in loop.parts]
            lines.append(f"{loop.keyword} {' '.join(parts)}")
        if body.points:
            lines.append(f"sp {_joined([k - len(points) for k in range(len(body.points))])}")
        return "\n".join([*lines, "end"])


def _technique_keyword(keyword: str) -> str:
    return "stech" if keyword == "surf" else "ctech"


def _with_default_techniques(elements: list[Element]) -> list[Element]:
    """Make elements whose fineness the file does not say as fine as the size of all under their `o` or `g` needs."""
    if not elements:
        return []
    lower = np.array([element.controls[..., :3].min(axis=(0, 1)) for element in elements])
    upper = np.array([element.controls[..., :3].max(axis=(0, 1)) for element in elements])
    _, rows = np.unique([element.owner for element in elements], return_inverse=True)
    low, high = np.full((len(elements), 3), np.inf), np.full((len(elements), 3), -np.inf)
    np.minimum.at(low, rows, lower)
    np.maximum.at(high, rows, upper)
    distances = _DISTANCE * np.linalg.norm((high - low)[rows], axis=1)
    return [
        each if each.technique.is_stated else replace(each, technique=Technique.within(distance))
        for each, distance in zip(elements, distances, strict=True)
    ]


def _place(number: float, count: int, what: str) -> int:
    """Return what is meant by a number from 1, or one that counts back, as an index."""
    index = int(number) - 1 if number > 0 else count + int(number)
    if number == 0 or not 0 <= index < count:
        raise _Refused(f"refers to {what} {number:.0f}, and there are {count}")
    return index


def _joined(numbers: Sequence[float]) -> str:
    return " ".join(map(repr, numbers))


def _numbers(words: list[str], least: int) -> list[float]:
    numbers = finite_numbers(words)
    if numbers is None or len(numbers) < least:
        raise _Refused("has numbers that cannot be read, or too few of them")
    return numbers


def _indices(words: list[str], part: int, count: int, what: str) -> list[int]:
    """Return one number of each word as indices from 0; negative ones count back from `count`."""
    try:
        numbers = [int(word.split("/")[part]) for word in words]
    except (ValueError, IndexError):
        raise _Refused("has a control point that is no number") from None
    indices = [number - 1 if number > 0 else count + number for number in numbers]
    if numbers and (0 in numbers or not 0 <= min(indices) <= max(indices)):
        raise _Refused(f"has a {what} that is not in the file")
    if indices and max(indices) >= count:
        raise _Refused(f"has {what} {max(indices) + 1}, and {count} stand before it")
    return indices


def _check(controls: np.ndarray, u: Axis, v: Axis) -> None:
    """Refuse control points that do not fit their basis, or cannot be shown."""
    if controls.shape[:2] != (v.control_count, u.control_count):
        raise _Refused(f"has {controls.shape[1]} control points, and its parameter values need {u.control_count}")
    if not np.isfinite(controls).all():
        raise _Refused("has a control point that is no finite number")
    weights = controls[..., 3]
    if (weights < 0.0).any() or not weights.any():
        raise _Refused("has a weight below 0, or none above")
