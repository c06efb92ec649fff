"""OBJ files, read through trimesh: the only file that knows trimesh.

trimesh does the numbers. Around it stands what it gets wrong without a word (its release 5.2): it renames and
merges objects, keeps no order, drops indented lines, stumbles over comments, takes relative indices from the end of
the file, and fans concave polygons. So statements are first brought to a plain form, with objects and materials under
numbers that cannot collide; names come back afterwards.
"""

from __future__ import annotations

import io
import re
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
from trimesh.exchange.obj import load_obj
from trimesh.geometry import triangulate_quads

from scene.content import FileContent
from scene.materials import DEFAULT_MATERIAL, Material
from scene.meshes import MeshBatch, MeshData
from scene.mtl_reader import read_materials
from scene.polygons import concave, triangulate
from scene.report import Problem
from scene.text_file import ReadError, printable, read_text

_LARGEST_BYTES = 4 * 2**30
_KNOWN = "v|vn|vt|f|o|g|s|usemtl|mtllib"
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?(?:nan|inf|infinity)"


def read_obj(path: str | Path) -> FileContent:
    """Read one OBJ file and the .mtl files that it names.

    Raises:
        ReadError: it is missing, unreadable, no OBJ, broken, or has no faces.
    """
    path = Path(path)
    shown = printable(path)
    text = _plain_statements(read_text(path, largest_bytes=_LARGEST_BYTES))
    vertex_count = len(re.findall(r"(?m)^v ", text))
    face_count = len(re.findall(r"(?m)^f ", text))
    if vertex_count == 0 and face_count == 0:
        raise ReadError(f"{shown}: not an OBJ file: no vertices and no faces in it; give it a Wavefront .obj")
    if face_count == 0:
        raise ReadError(f"{shown}: no faces in it ({vertex_count} vertices): nothing to show; export it with faces")
    warnings: list[str] = []
    statements_as_written = text
    text = _without_unusable(text, shown, warnings)
    libraries = re.findall(r"(?m)^mtllib +(.+)$", text)
    text, object_names = _numbered(text, r"[og]", "o", printable(path.stem))
    text, statements = _numbered(text, "usemtl", "usemtl", "")
    material_names = sorted(set(statements))
    library = read_materials(path, [statement.strip() for statement in libraries], warnings)
    for name in material_names:
        if name and name not in library:
            warnings.append(f"{shown}: material '{name[:60]}' is in no .mtl file; shown in the default colour")
    materials = [library.get(name) or (Material(name) if name else DEFAULT_MATERIAL) for name in material_names]
    material_ids = {name: number for number, name in enumerate(material_names)}
    material_of_statement = [material_ids[name] for name in statements]
    try:
        meshes, broken = _meshes(text, material_of_statement)
    except Exception:  # trimesh raises whatever its numpy calls raise
        reason = _first_unreadable(statements_as_written) or "its faces and vertices do not fit together"
        raise ReadError(f"{shown}: broken OBJ: {reason}; export it again or mend it there") from None
    if broken:
        warnings.append(f"{shown}: {broken} triangles skipped: a corner's position is not a finite number")
    if not meshes:
        reasons = "; ".join(warning.removeprefix(f"{shown}: ") for warning in warnings[-2:])
        raise ReadError(f"{shown}: broken OBJ: none of its {face_count} faces can be used ({reasons}); export it again")
    names = np.array([object_names[object_index] for object_index, _ in meshes], dtype=np.dtypes.StringDType())
    return FileContent(
        printable(path.name),
        vertex_count,
        names,
        np.full(len(meshes), -1, dtype=np.int32),
        np.arange(len(meshes), dtype=np.int32),
        MeshBatch.of([mesh for _, mesh in meshes], names.tolist()),
        materials,
        problems=[Problem(shown, None, "obj", warning.removeprefix(f"{shown}: "), "") for warning in warnings],
    )


def _plain_statements(text: str) -> str:
    """No indentation, no tabs, no comments, and every statement on the line of the file on which it begins."""
    text = text.replace("\t", " ")
    text = re.sub(r"(?m)^ +", "", text)
    # Only numbers: names may hold a '#', and end in a '\'.
    text = re.sub(r"(?m)^(#.*|((?:v|vn|vt|f|l|p|s) [^#\n]*)#.*)$", r"\2", text)
    if re.search(r"\\ *(?:\n|\Z)", text):
        text = re.sub(r"(?m)^(?:v|vn|vt|f|l|p) (?:.*\\ *\n)*.*\\ *(?:\n.*|\Z)", _joined_lines, text)
    return text


def _joined_lines(statement: re.Match) -> str:
    """A statement and its continuations in one line, and empty lines for the others."""
    lines = [line.rstrip(" ") for line in statement[0].split("\n")]
    return " ".join(line.removesuffix("\\") for line in lines) + "\n" * (len(lines) - 1)


def _without_unusable(text: str, shown: str, said: list[str]) -> str:
    """Take out the statements that trimesh would stumble over or misread, and say so."""
    unknown = rf"(?m)^(?!(?:{_KNOWN})(?: |$))(\S+).*$"
    for keyword, count in Counter(re.findall(unknown, text)).most_common(8):
        said.append(f"{shown}: '{printable(keyword[:20])}' not supported: skipped, {count} in all")
    text = re.sub(unknown, "", text)
    if re.search(r"(?m)^f.*(?:[ /]-\d|/[+-]?0+(?!\d))", text) or not _all_corners_alike(text):
        text = _with_plain_faces(text)
    for problem, pattern, replacement in (
        ("faces with fewer than three corners skipped", r"(?m)^f(?: +\S+){0,2} *$", ""),
        ("faces with a vertex index of 0 skipped", r"(?m)^f(?: .*)? [+-]?0+(?![\d.]).*$", ""),
        ("vertices with fewer than three coordinates", r"(?m)^v(?: +\S+){0,2} *$", "v nan nan nan"),
    ):
        text, count = re.subn(pattern, replacement, text)
        if count:
            said.append(f"{shown}: {count} {problem}")
    return _without_concave_polygons(text)


def _all_corners_alike(text: str) -> bool:
    """Whether every face writes every corner in the same of the four forms; trimesh guesses from the first face."""
    faces = len(re.findall(r"(?m)^f ", text))
    forms = (r"\d+", r"\d+/\d+", r"\d+//\d+", r"\d+/\d+/\d+")
    return any(len(re.findall(rf"(?m)^f(?: +{form})+ *$", text)) == faces for form in forms)


def _with_plain_faces(text: str) -> str:
    """Every corner as v/vt/vn with absolute indices; what a corner lacks points at a zero at the file's end, but for
    a vertex, which becomes index 0: such faces are refused.

    Relative indices count back from where they stand, not from the end of the file.
    """
    counts = {"v": 0, "vt": 0, "vn": 0}
    lacking = ("0", str(len(re.findall(r"(?m)^vt ", text)) + 1), str(len(re.findall(r"(?m)^vn ", text)) + 1))
    lines = text.split("\n")
    for number, line in enumerate(lines):
        keyword = line.split(" ", 1)[0]
        if keyword in counts:
            counts[keyword] += 1
        elif keyword == "f":
            totals = tuple(counts.values())
            corners = []
            for corner in line.split()[1:]:
                parts = [*corner.split("/"), "", ""][:3]
                for place, part in enumerate(parts):
                    if re.fullmatch(r"[+-]?0+", part):
                        parts[place] = ""
                    elif re.fullmatch(r"-\d+", part):
                        # Nothing where it points before the first.
                        parts[place] = str(max(0, totals[place] + 1 + int(part)) or "")
                corners.append("/".join(part or zero for part, zero in zip(parts, lacking, strict=True)))
            lines[number] = "f " + " ".join(corners)
    return "\n".join([*lines, "vt 0 0", "vn 0 0 0"])


def _without_concave_polygons(text: str) -> str:
    """Concave polygons as triangles; the others as they are."""
    polygon = r"(?m)^f(?: +\d\S*){4,} *$"
    corners = re.sub(r"f|/\S*", "", "\n".join(re.findall(polygon, text)))
    counts = np.array([len(line.split()) for line in corners.split("\n")])
    vertices = [line.split()[1:4] for line in re.findall(r"(?m)^v .*$", text)]
    try:
        indices = np.array(corners.split(), dtype=np.int64) - 1
        points = np.array(vertices, dtype=np.float64)[indices]
    except (ValueError, IndexError):  # a statement that is broken: said when trimesh has stumbled over it
        return text
    if len(indices) == 0 or not np.isfinite(points).all():
        return text
    places = iter(np.split(points, np.cumsum(counts)[:-1]))
    is_concave = iter(concave(points, counts))

    def cut(match: re.Match) -> str:
        place = next(places)
        if not next(is_concave):
            return match[0]
        words = match[0].split()[1:]
        return "\n".join("f " + " ".join(words[corner] for corner in triangle) for triangle in triangulate(place))

    return re.sub(polygon, cut, text)


def _numbered(text: str, pattern: str, keyword: str, first_name: str) -> tuple[str, list[str]]:
    """Replace the name of each statement by a number; `first_name` is what holds before the first of them."""
    names = [first_name]

    def number(match: re.Match) -> str:
        names.append(printable((match[1] or "").strip()) or first_name)
        return f"{keyword} {len(names) - 1}"

    text = re.sub(rf"(?m)^{pattern}(?: +(.*))?$", number, text)
    return f"{keyword} 0\n{text}", names


class _MaterialNumbers:
    """A resolver that gives trimesh a library of the numbers, so that it keeps runs of a material apart."""

    def __init__(self, count: int) -> None:
        self.library = "\n".join(f"newmtl {number}" for number in range(count)).encode()

    def __getitem__(self, name: str) -> bytes:
        return self.library


def _meshes(text: str, material_of_statement: list[int]) -> tuple[list[tuple[int, MeshData]], int]:
    """(object number, mesh) in the file's order, and how many triangles could not be used.

    An object's runs of different materials are one mesh.
    """
    # With fewer than two materials trimesh would leave them out of the names.
    numbers = _MaterialNumbers(max(len(material_of_statement), 2))
    text = "mtllib numbers\n" + re.sub(r"(?m)^mtllib .*$", "", text)
    runs: dict[int, list[tuple[int, MeshData]]] = {}
    broken = 0
    # Numbers that are none are expected: the caller says so, in its own words.
    with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
        geometries = load_obj(io.StringIO(text), resolver=numbers, split_objects=True).get("geometry", {})
    for name, geometry in geometries.items():
        object_index, statement = (int(number) for number in name.split("_")[:2])
        mesh, unusable = _mesh(geometry, material_of_statement[statement])
        broken += unusable
        if mesh is not None:
            runs.setdefault(object_index, []).append((statement, mesh))
    for run in runs.values():
        run.sort(key=lambda part: part[0])
    return [(index, _joined([mesh for _, mesh in run])) for index, run in sorted(runs.items())], broken


def _mesh(geometry: dict, material: int) -> tuple[MeshData | None, int]:
    """A mesh of what trimesh read, without triangles at positions that are not finite; and how many those are."""
    positions = np.asarray(geometry["vertices"], dtype=np.float64)
    triangles = np.asarray(triangulate_quads(geometry["faces"]), dtype=np.int64)
    sound = np.isfinite(positions).all(axis=1)
    usable = sound[triangles].all(axis=1)
    if not usable.any():
        return None, len(triangles)
    positions[~sound] = positions[triangles[usable][0, 0]]
    normals = _unit_normals(geometry.get("vertex_normals"), len(positions))
    materials = np.full(len(positions), material)
    mesh = MeshData(positions, triangles[usable], normals, materials, _uvs(geometry.get("visual"), positions))
    return mesh, int((~usable).sum())


def _first_unreadable(text: str) -> str:
    """The first statement that cannot be right, with its line, for a message; empty when each alone is sound."""
    corner = re.compile(r"[+-]?\d+(?:/[+-]?\d*){0,2}")
    number = re.compile(_NUMBER, re.IGNORECASE)
    vertex_count = len(re.findall(r"(?m)^v ", text))
    for line_number, line in enumerate(text.split("\n"), start=1):
        keyword, *words = line.split() or [""]
        statement = f"line {line_number}: '{printable(line.strip()[:60])}'"
        if keyword in ("v", "vt", "vn") and not all(number.fullmatch(word) for word in words):
            return f"{statement} cannot be read"
        if keyword == "f":
            if not all(corner.fullmatch(word) for word in words):
                return f"{statement} cannot be read"
            if any(int(word.split("/")[0]) > vertex_count for word in words):
                return f"{statement} refers to a vertex that is not in the file"
    return ""


def _uvs(visual: object, positions: np.ndarray) -> np.ndarray:
    """(v, 2) float32 texture coordinates, zero where there are none."""
    uvs = getattr(visual, "uv", None)
    if np.shape(uvs) != (len(positions), 2):
        return np.zeros((len(positions), 2), dtype=np.float32)
    with np.errstate(over="ignore"):
        return np.nan_to_num(np.asarray(uvs, dtype=np.float32), posinf=0.0, neginf=0.0)


def _unit_normals(normals: np.ndarray | None, count: int) -> np.ndarray:
    """(count, 3) float32 unit normals, zero where there is none."""
    if normals is None or np.shape(normals) != (count, 3):
        return np.zeros((count, 3), dtype=np.float32)
    normals = np.nan_to_num(np.asarray(normals, dtype=np.float64), posinf=0.0, neginf=0.0)
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    return (normals / np.where(lengths > 0.0, lengths, 1.0)).astype(np.float32)


def _joined(runs: list[MeshData]) -> MeshData:
    if len(runs) == 1:
        return runs[0]
    firsts = np.cumsum([0] + [len(run.positions) for run in runs])
    return MeshData(
        np.concatenate([run.positions for run in runs]),
        np.concatenate([run.triangles + first for run, first in zip(runs, firsts, strict=False)]),
        np.concatenate([run.normals for run in runs]),
        np.concatenate([run.material_ids for run in runs]),
        np.concatenate([run.uvs for run in runs]),
    )
