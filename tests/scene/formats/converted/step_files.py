"""Boxes as STEP files, written entity by entity."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

_HEADING = """ISO-10303-21;
HEADER;
FILE_DESCRIPTION((''),'2;1');
FILE_NAME('a','2026-01-01T00:00:00',(''),(''),'','','');
FILE_SCHEMA(('AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }'));
ENDSEC;
DATA;
"""
_NO_NAME = "''"


def step_box(size: tuple[float, float, float], name: str, color: tuple[float, float, float], prefix: str) -> str:
    """Write a box from the origin on as a solid of six faces (AP214).

    Args:
        size: along x, y and z, in the file's unit.
        name: of the product.
        color: RGB, of the solid.
        prefix: of the metre, as STEP writes it: ".MILLI."; "$": none.
    """
    entities = _Entities()
    add = entities.add
    solid = _solid(entities, size)
    application = add("APPLICATION_CONTEXT", "'automotive design'")
    product = add("PRODUCT_CONTEXT", _NO_NAME, application, "'mechanical'")
    product = add("PRODUCT", f"'{name}'", f"'{name}'", _NO_NAME, f"({product})")
    product = add("PRODUCT_DEFINITION_FORMATION", _NO_NAME, _NO_NAME, product)
    context = add("PRODUCT_DEFINITION_CONTEXT", "'part definition'", application, "'design'")
    product = add("PRODUCT_DEFINITION", "'design'", _NO_NAME, product, context)
    shape = add("PRODUCT_DEFINITION_SHAPE", _NO_NAME, _NO_NAME, product)
    length = add("", f"LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT({prefix},.METRE.)")
    angle = add("", "NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.)")
    solid_angle = add("", "NAMED_UNIT(*)SI_UNIT($,.STERADIAN.)SOLID_ANGLE_UNIT()")
    units = f"GLOBAL_UNIT_ASSIGNED_CONTEXT(({length},{angle},{solid_angle}))REPRESENTATION_CONTEXT('','')"
    units = add("", f"GEOMETRIC_REPRESENTATION_CONTEXT(3){units}")
    frame = entities.placement((0.0, 0.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0))
    whole = add("ADVANCED_BREP_SHAPE_REPRESENTATION", _NO_NAME, f"({frame},{solid})", units)
    add("SHAPE_DEFINITION_REPRESENTATION", shape, whole)
    style = add("COLOUR_RGB", _NO_NAME, _numbers(color))
    style = add("FILL_AREA_STYLE_COLOUR", _NO_NAME, style)
    style = add("FILL_AREA_STYLE", _NO_NAME, f"({style})")
    style = add("SURFACE_STYLE_FILL_AREA", style)
    style = add("SURFACE_SIDE_STYLE", _NO_NAME, f"({style})")
    style = add("SURFACE_STYLE_USAGE", ".BOTH.", style)
    style = add("PRESENTATION_STYLE_ASSIGNMENT", f"({style})")
    style = add("STYLED_ITEM", "'color'", f"({style})", solid)
    add("MECHANICAL_DESIGN_GEOMETRIC_PRESENTATION_REPRESENTATION", _NO_NAME, f"({style})", units)
    return _HEADING + "\n".join(entities.lines) + "\nENDSEC;\nEND-ISO-10303-21;\n"


class _Entities:
    """The lines of a file's data; what is added is named by its number."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, kind: str, *fields: str) -> str:
        self.lines.append(f"#{len(self.lines) + 1}={kind}({','.join(fields)});")
        return f"#{len(self.lines)}"

    def point(self, at: Iterable[float]) -> str:
        return self.add("CARTESIAN_POINT", _NO_NAME, f"({_numbers(at)})")

    def direction(self, along: Iterable[float]) -> str:
        return self.add("DIRECTION", _NO_NAME, f"({_numbers(along)})")

    def placement(self, at: Iterable[float], z: Iterable[float], x: Iterable[float]) -> str:
        return self.add("AXIS2_PLACEMENT_3D", _NO_NAME, self.point(at), self.direction(z), self.direction(x))


def _solid(entities: _Entities, size: tuple[float, float, float]) -> str:
    add = entities.add
    corners = list(itertools.product(*[(0.0, each) for each in size]))
    vertices = {corner: add("VERTEX_POINT", _NO_NAME, entities.point(corner)) for corner in corners}
    edges = {}
    for begin, axis in itertools.product(corners, range(3)):
        if begin[axis] == 0.0:
            end = tuple(size[k] if k == axis else begin[k] for k in range(3))
            along = add("VECTOR", _NO_NAME, entities.direction(_unit(axis)), "1.")
            line = add("LINE", _NO_NAME, entities.point(begin), along)
            edges[begin, end] = add("EDGE_CURVE", _NO_NAME, vertices[begin], vertices[end], line, ".T.")
    faces = [_face(entities, size, axis, side, edges) for axis in range(3) for side in (0, 1)]
    return add("MANIFOLD_SOLID_BREP", _NO_NAME, add("CLOSED_SHELL", _NO_NAME, f"({','.join(faces)})"))


def _face(entities: _Entities, size: tuple[float, float, float], axis: int, side: int, edges: dict) -> str:
    add = entities.add
    u, v = (axis + 1) % 3, (axis + 2) % 3
    loop = []
    for at_u, at_v in ((0, 0), (1, 0), (1, 1), (0, 1)):
        corner = [0.0, 0.0, 0.0]
        corner[axis], corner[u], corner[v] = size[axis] * side, size[u] * at_u, size[v] * at_v
        loop.append(tuple(corner))
    if side == 0:
        loop.reverse()
    oriented = []
    for begin, end in zip(loop, loop[1:] + loop[:1], strict=True):
        is_forward = (begin, end) in edges
        edge = edges[begin, end] if is_forward else edges[end, begin]
        oriented.append(add("ORIENTED_EDGE", _NO_NAME, "*", "*", edge, ".T." if is_forward else ".F."))
    bound = add("FACE_OUTER_BOUND", _NO_NAME, add("EDGE_LOOP", _NO_NAME, f"({','.join(oriented)})"), ".T.")
    outward = [(1.0 if side else -1.0) * each for each in _unit(axis)]
    plane = add("PLANE", _NO_NAME, entities.placement(loop[0], outward, _unit(u)))
    return add("ADVANCED_FACE", _NO_NAME, f"({bound})", plane, ".T.")


def _unit(axis: int) -> list[float]:
    return [float(k == axis) for k in range(3)]


def _numbers(values: Iterable[float]) -> str:
    return ",".join(f"{value:.6f}" for value in values)
