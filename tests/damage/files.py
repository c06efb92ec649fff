"""Damaged files of every format that is read: small sound ones, and what disks and other programs do to them.

`damaged(seed, folder)` is the same file for the same seed. The format follows from the seed, so that neighbouring
seeds go through all of them.
"""

from __future__ import annotations

import gzip
import io
import json
import random
import re
import struct
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, reduce
from operator import getitem
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

import numpy as np

from octoscope.scene import Material, MeshData, Scene, load, save_project, write_glb, write_obj, write_ply, write_stl
from octoscope.scene.mesh.texture import Texture
from octoscope.scene.project import writer
from tests.scene.builders import ball, box, quad, soup
from tests.scene.formats.gltf.files import glb_bytes, places
from tests.scene.formats.gltf.test_older import a_document, glb_of_1_0
from tests.scene.formats.obj.freeform.shapes import circle_2d, plane, sphere
from tests.scene.formats.obj.mangle import accident, mangled

# What a number in a file becomes: the ends of float32 and float64, what underflows and overflows when it is squared,
# multiplied or divided by, and what an index cannot be.
NUMBERS = """
0 -0.0 1 -1 0.5 1e-320 5e-324 -5e-324 1e-310 2.2e-308 1e-160 1e-155 1e-45 1e-43 -1e-43 1e-38 1e-30 1e-20 1e-12
1e-7 3 255 256 65535 65536 2147483647 2147483648 -2147483648 4294967295 4294967296 9007199254740993
9223372036854775807 1e7 1e9 1e12 1e16 1e17 1e18 1e20 -1e20 1e30 1e38 3.4e38 -1e38 1e39 1e100 1e150 1e154 1e155
1e160 1e200 1e300 1e308 -1e308 1.7e308 nan inf -inf
""".split()  # noqa: SIM905
_VALUES = [json.loads(n.replace("nan", "NaN").replace("inf", "Infinity")) for n in NUMBERS]
_OTHERS = [None, True, False, "", "x", "0", "nan", [], {}, [1], [{}], [[]], {"a": 1}, [1e300] * 16, 10**400, 1.5]
_ODD = [*_VALUES, *_VALUES, *_OTHERS]
_CURVE = "cstype bmatrix\ndeg 1\nstep 1\nbmat u 1 -1 0 1\nctech cparm 2\ncurv 0 2 1 2 3\nparm u 0 1 2\nend\n"
_NUMBER = re.compile(rb"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_VERTICES_OF_3MF = re.compile(rb"<vertices>.+?</vertices>|transform=.+", re.DOTALL)
_PARTS_OF_JSON = ("nodes", "accessors", "bufferViews", "meshes", "materials", "files", "measurements", "bookmarks")


@cache
def _scene() -> Scene:
    """A few objects of ordinary size, some large enough for a tree of triangles, in groups that turn and shear."""
    rng = np.random.default_rng(3)
    scene = Scene()
    image = Texture(Path("nowhere.png"), rng.integers(0, 256, (4, 4, 4), dtype=np.uint8))
    scene.add_material(Material("red", (0.8, 0.1, 0.1), opacity=0.5, emission=(0.1, 0.0, 0.0)))
    scene.add_material(Material("image", base_color_texture=image))
    cloud = soup(rng, 40)
    count = len(cloud.positions)
    uvs, colors = rng.uniform(0, 1, (count, 2)).astype("f4"), rng.integers(0, 256, (count, 4), dtype="u1")
    ids = rng.integers(0, 2, count)
    lines, points = np.array([(0, 1), (1, 2)]), np.array([3])
    rich = MeshData(cloud.positions, cloud.triangles, None, ids, uvs, colors, lines=lines, points=points)
    meshes = [scene.meshes.add(mesh, first_material=1) for mesh in (quad(), box(), ball(4, 8), rich)]
    group = scene.add_node("group", rotation=(0.0, 0.6, 0.0, 0.8), scale=(1.0, 2.0, 0.5))
    for number, mesh in enumerate(meshes):
        parent = group.id if number % 2 else -1
        scene.add_node(f"object {number}", parent=parent, mesh=mesh, translation=(2.0 * number, 0.5, 0.0))
    scene.add_node("again", parent=3, mesh=meshes[2], translation=(0.0, 3.0, 0.5), scale=(-0.5, 0.5, 0.25))
    scene.update_world()
    return scene


@cache
def _sound() -> dict[str, bytes]:
    """The sound files by name, and those that they refer to."""
    with TemporaryDirectory() as folder:
        return _sound_in(Path(folder))


def _sound_in(folder: Path) -> dict[str, bytes]:
    scene = _scene()
    write_glb(scene, folder / "sound.glb")
    write_ply(scene, folder / "sound.ply")
    write_stl(scene, folder / "sound.stl")
    write_obj(scene, folder / "sound.obj")
    save_project(scene, folder / "sound.octo.json")
    for name in ("parts.obj", "parts.glb"):
        (write_obj if name.endswith("obj") else write_glb)(scene, folder / name)
    of_files = load([folder / "parts.obj", folder / "parts.glb"])
    of_files.set_scales(2, (1.0, 2.0, 3.0))
    save_project(of_files, folder / "referring.octo.json")
    with mock.patch.object(writer, "MOST_LINES", 0):
        save_project(of_files, folder / "packed.octo.json")
    (folder / "sound.off").write_text(_off(ball(4, 8)))
    (folder / "curves.obj").write_text(sphere() + circle_2d(2, 2, 1.5) + plane(4.0) + "trim 0 4 1\nend\n" + _CURVE)
    (folder / "text.ply").write_text(_ply(ball(4, 8)))
    (folder / "text.stl").write_text(_stl(box()))
    (folder / "sound.3mf").write_bytes(_3mf(ball(3, 6), box()))
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def _rows(format_of_row: str, array: np.ndarray) -> str:
    return "".join(format_of_row.format(*row) for row in array.tolist())


def _off(mesh: MeshData) -> str:
    heading = f"OFF\n{len(mesh.positions)} {len(mesh.triangles)} 0\n"
    return heading + _rows("{} {} {}\n", mesh.positions) + _rows("3 {} {} {}\n", mesh.triangles)


def _ply(mesh: MeshData) -> str:
    heading = f"ply\nformat ascii 1.0\nelement vertex {len(mesh.positions)}\nproperty float x\nproperty double y\n"
    heading += f"property float z\nelement face {len(mesh.triangles)}\nproperty list uchar int vertex_indices\n"
    return heading + "end_header\n" + _rows("{} {} {}\n", mesh.positions) + _rows("3 {} {} {}\n", mesh.triangles)


def _stl(mesh: MeshData) -> str:
    facet = "facet normal 0 0 1\nouter loop\n" + "vertex {} {} {}\n" * 3 + "endloop\nendfacet\n"
    return "solid box\n" + _rows(facet, mesh.positions[mesh.triangles].reshape(-1, 9)) + "endsolid box\n"


def _3mf(*meshes: MeshData) -> bytes:
    objects = ""
    for number, mesh in enumerate(meshes, start=1):
        vertices = _rows('<vertex x="{}" y="{}" z="{}"/>', mesh.positions)
        triangles = _rows('<triangle v1="{}" v2="{}" v3="{}"/>', mesh.triangles)
        objects += f'<object id="{number}" type="model"><mesh><vertices>{vertices}</vertices>'
        objects += f"<triangles>{triangles}</triangles></mesh></object>"
    objects += '<object id="9" type="model"><components><component objectid="1" '
    objects += 'transform="1 0 0 0 2 0 0 0 1 3 4 5"/><component objectid="2"/></components></object>'
    model = '<?xml version="1.0"?><model unit="millimeter" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/'
    model += f'2015/02"><resources>{objects}</resources><build><item objectid="9"/><item objectid="2" transform='
    return zipped_model((model + '"1 0 0 0 1 0 0 0 1 9 0 0"/></build></model>').encode())


def threemf_model(data: bytes) -> bytes:
    """Return the text of a 3MF file, from its bytes."""
    return zipfile.ZipFile(io.BytesIO(data)).read("3D/3dmodel.model")


def zipped_model(model: bytes) -> bytes:
    """Return the bytes of a 3MF file of a text."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("3D/3dmodel.model"), model)
    return file.getvalue()


def _with_numbers_changed(rng: random.Random, data: bytes) -> bytes:
    """One number, a few, those of one line or column, or all that are equal, become others; or all are scaled."""
    found = list(_NUMBER.finditer(data))
    if not found:
        return accident(rng, data)
    way = rng.randrange(6)
    if way == 0:
        chosen = rng.sample(found, min(len(found), rng.choice([1, 1, 2, 5, 20])))
    elif way == 1:
        begin = rng.randrange(len(found))
        chosen = found[begin : begin + rng.choice([3, 9, 60])]
    elif way == 2:
        chosen = found[rng.randrange(3) :: 3]
    elif way == 3:
        text = rng.choice(found).group()
        chosen = [match for match in found if match.group() == text]
    elif way == 4:
        chosen = [match for match in found if b"." in match.group()]
    else:
        chosen = found[rng.randrange(len(found)) :]
    factor = rng.choice(_VALUES) if rng.random() < (0.3 if way < 4 else 1.0) else None
    one = rng.choice(NUMBERS) if rng.random() < 0.5 else None
    pieces, last = [], 0
    for match in sorted(chosen, key=lambda match: match.start()):
        number = one or rng.choice(NUMBERS) if factor is None else repr(float(match.group()) * factor)
        pieces += [data[last : match.start()], number.encode()]
        last = match.end()
    return b"".join(pieces) + data[last:]


def _text(rng: random.Random, data: bytes, places: re.Pattern = re.compile(rb".+", re.DOTALL)) -> bytes:
    """Change numbers, mostly in what `places` finds first; and seldom anything anywhere."""
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        found = places.search(data)
        if found is None or rng.random() < 0.15:
            data = (_with_numbers_changed if rng.random() < 0.5 else accident)(rng, data)
        else:
            data = data[: found.start()] + _with_numbers_changed(rng, found.group()) + data[found.end() :]
    return data


def _binary(rng: random.Random, data: bytes, begin: int) -> bytes:
    """Numbers from `begin` on become others, at any place that is a multiple of two or four; or bytes do."""
    array = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 3, 8])):
        way = rng.randrange(8)
        if way == 0 and len(array) > begin:
            array[rng.randrange(begin, len(array))] = rng.randrange(256)
        elif way == 1 and rng.random() < 0.3:
            del array[rng.randrange(len(array) + 1) :]
        elif way == 2:
            number = rng.choice([0, 1, 255, 2**16, 2**31 - 1, 2**31, 2**32 - 1, rng.randrange(200)])
            _overwrite(rng, array, begin, np.uint32(number), 1)
        else:
            _change_floats(rng, array, begin)
    return bytes(array)


def _change_floats(rng: random.Random, array: bytearray, begin: int) -> None:
    """A run of float32 is overwritten, or scaled as a whole."""
    kind = np.dtype("<f4") if rng.random() < 0.8 else np.dtype("<f8")
    first = begin + kind.itemsize * rng.randrange(max(1, (len(array) - begin) // kind.itemsize))
    first += rng.choice([0, 0, 0, 2])
    count = min(rng.choice([1, 3, 12, 36, 300, 3000]), (len(array) - first) // kind.itemsize)
    if count <= 0:
        return
    with np.errstate(all="ignore"):
        values = np.frombuffer(bytes(array), kind, count, first)
        some = np.array(rng.choices(_VALUES, k=count) if rng.random() < 0.3 else rng.choice(_VALUES), dtype="f8")
        values = (values * some if rng.random() < 0.5 else np.broadcast_to(some, count)).astype(kind)
    array[first : first + values.nbytes] = values.tobytes()


def _overwrite(rng: random.Random, array: bytearray, begin: int, value: np.uint32, count: int) -> None:
    if len(array) >= begin + 4 * count:
        first = begin + rng.randrange(max(1, (len(array) - begin - 4 * count) // 2 + 1)) * 2
        array[first : first + 4 * count] = value.tobytes() * count


def _document(rng: random.Random, document: dict) -> dict:
    """Fields of a JSON document become others, or go; nodes get transforms that are at the ends of what there is."""
    everywhere = places(document)
    for _ in range(rng.choice([1, 1, 2, 3, 6])):
        way = rng.random()
        # An earlier change may have taken the place away.
        with suppress(KeyError, IndexError, TypeError, AttributeError):
            if way < 0.5 and document.get("nodes"):
                node = rng.choice(document["nodes"])
                _transform(rng, node)
            else:
                part = rng.choice(_PARTS_OF_JSON)
                inside = [place for place in everywhere if place[0] == part] or everywhere
                place = rng.choice(inside)
                holder = reduce(getitem, place[:-1], document)
                if way < 0.6:
                    del holder[place[-1]]
                else:
                    holder[place[-1]] = rng.choice(_ODD)
    return document


def _transform(rng: random.Random, node: dict) -> None:
    field = rng.choice(["translation", "rotation", "scale", "scale", "matrix"])
    count = {"translation": 3, "rotation": 4, "scale": 3, "matrix": 16}[field]
    values = rng.choices(_VALUES, k=count) if rng.random() < 0.3 else [rng.choice(_VALUES)] * count
    if field == "matrix":
        for other in ("translation", "rotation", "scale"):
            node.pop(other, None)
        if rng.random() < 0.7:
            values = [v if rng.random() < 0.2 else float(k % 5 == 0) for k, v in enumerate(values)]
            values[3::4] = [0.0, 0.0, 0.0, 1.0]
    elif rng.random() < 0.4:
        values = [v if rng.random() < 0.5 else 1.0 for v in values]
    node[field] = values


def _glb(rng: random.Random, folder: Path) -> tuple[str, bytes]:
    data = _sound()["sound.glb"]
    if rng.random() < 0.2:
        older, binary = a_document()
        return "a.glb", glb_of_1_0(_document(rng, older), binary)
    if rng.random() < 0.1:
        return "a.glb", _binary(rng, data, 0)
    size = struct.unpack_from("<I", data, 12)[0]
    document, binary = json.loads(data[20 : 20 + size]), data[28 + size :]
    if rng.random() < 0.6:
        binary = _positions_changed(rng, document, binary) if rng.random() < 0.6 else _binary(rng, binary, 0)
    if rng.random() < 0.7:
        document = _document(rng, document)
    return "a.glb", glb_bytes(document, binary)


def _positions_changed(rng: random.Random, document: dict, binary: bytes) -> bytes:
    """One accessor's numbers as a whole: a mesh that has shrunk, grown, or lies in a plane or a point."""
    array = bytearray(binary)
    accessor = rng.choice([a for a in document["accessors"] if a["componentType"] == 5126])
    first = document["bufferViews"][accessor["bufferView"]].get("byteOffset", 0) + accessor.get("byteOffset", 0)
    width = {"VEC2": 2, "VEC3": 3, "VEC4": 4, "SCALAR": 1}[accessor["type"]]
    values = np.frombuffer(bytes(array), "<f4", accessor["count"] * width, first).reshape(-1, width).astype(np.float64)
    axes = slice(None) if rng.random() < 0.6 else rng.randrange(width)
    some = slice(None) if rng.random() < 0.7 else slice(rng.randrange(len(values)), None, rng.choice([1, 2, 7]))
    with np.errstate(all="ignore"):
        if rng.random() < 0.8:
            values[some, axes] *= rng.choice(_VALUES)
        else:
            values[some, axes] = rng.choice(_VALUES)
        changed = values.astype("<f4").tobytes()
    array[first : first + len(changed)] = changed
    return bytes(array)


def _gltf(rng: random.Random, folder: Path) -> tuple[str, bytes]:
    name, data = _glb(rng, folder)
    try:
        size = struct.unpack_from("<I", data, 12)[0]
        document = json.loads(data[20 : 20 + size])
        (folder / "a.bin").write_bytes(data[28 + size :])
        document["buffers"] = [{"byteLength": len(data) - 28 - size, "uri": "a.bin"}]
        return "a.gltf", json.dumps(document).encode()
    except (ValueError, KeyError, TypeError, struct.error):
        return name, data


def _obj(rng: random.Random, folder: Path) -> tuple[str, bytes]:
    (folder / "a.mtl").write_bytes(_text(rng, _sound()["sound.mtl"]) if rng.random() < 0.5 else b"newmtl red\n")
    if rng.random() < 0.4:
        return "a.obj", mangled(rng.randrange(2**31))
    name = "curves.obj" if rng.random() < 0.2 else "sound.obj"
    data = _text(rng, _sound()[name].replace(b"sound.mtl", b"a.mtl"))
    return ("a.obj.gz", gzip.compress(data, 1, mtime=0)) if rng.random() < 0.05 else ("a.obj", data)


def _texts(name: str, ending: str, places: bytes) -> Callable[[random.Random, Path], tuple[str, bytes]]:
    pattern = re.compile(places, re.DOTALL)
    return lambda rng, folder: (f"a.{ending}", _text(rng, _sound()[name], pattern))


def _binaries(name: str, ending: str, heading: bytes) -> Callable[[random.Random, Path], tuple[str, bytes]]:
    def make(rng: random.Random, folder: Path) -> tuple[str, bytes]:
        data = _sound()[name]
        if rng.random() < 0.1:
            return f"a.{ending}", accident(rng, data)
        return f"a.{ending}", _binary(rng, data, data.find(heading) + len(heading) if heading else 84)

    return make


def _3mf_damaged(rng: random.Random, folder: Path) -> tuple[str, bytes]:
    data = _sound()["sound.3mf"]
    if rng.random() < 0.1:
        return "a.3mf", _binary(rng, data, 0)
    return "a.3mf", zipped_model(_text(rng, threemf_model(data), _VERTICES_OF_3MF))


def _project(rng: random.Random, folder: Path) -> tuple[str, bytes]:
    data = _sound()[rng.choice(["sound.octo.json", "referring.octo.json", "packed.octo.json"])]
    for name in ("parts.obj", "parts.mtl", "parts.glb"):
        (folder / name).write_bytes(_sound()[name])
    if rng.random() < 0.15:
        return "a.octo.json", _text(rng, data)
    return "a.octo.json", json.dumps(_document(rng, json.loads(data))).encode()


FORMATS: dict[str, Callable[[random.Random, Path], tuple[str, bytes]]] = {
    "glb": _glb,
    "obj": _obj,
    "project": _project,
    "ply": _binaries("sound.ply", "ply", b"end_header\n"),
    "ply text": _texts("text.ply", "ply", rb"(?<=end_header\n).+?(?=\n3 \d+ \d+ \d+\n)"),
    "gltf": _gltf,
    "stl": _binaries("sound.stl", "stl", b""),
    "stl text": _texts("text.stl", "stl", rb".+"),
    "off": _texts("sound.off", "off", rb"(?<= 0\n).+?(?=\n3 \d+ \d+ \d+\n)"),
    "3mf": _3mf_damaged,
}


def format_of(seed: int) -> str:
    """Return the name of the format of a seed's file."""
    return list(FORMATS)[seed % len(FORMATS)]


def sound(folder: Path) -> Iterator[Path]:
    """Write the sound files that the others are made of, each into a folder of its own."""
    for number, (name, data) in enumerate(_sound().items()):
        place = folder / str(number)
        place.mkdir()
        for part in ("parts.obj", "parts.mtl", "parts.glb"):
            (place / part).write_bytes(_sound()[part])
        if not name.endswith(".mtl"):
            (place / name).write_bytes(data)
            yield place / name


def damaged(seed: int, folder: Path) -> Path:
    """Write the file of a seed into a folder, which holds nothing but earlier ones and what they refer to."""
    name, data = FORMATS[format_of(seed)](random.Random(seed), folder)
    path = folder / name
    path.write_bytes(data)
    return path
