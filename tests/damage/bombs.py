"""Files that say far more than they hold, or hold many of what takes long, as many of them once did for a minute."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

from tests.scene.formats.gltf.files import glb_bytes
from tests.scene.formats.simple_files import threemf

_TRIANGLE = (
    '<mesh><vertices><vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/><vertex x="0" y="1" z="0"/></vertices>'
    '<triangles><triangle v1="0" v2="1" v3="2"/></triangles></mesh>'
)
_VERTICES = "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
_FACET = "facet normal 0 0 1\nouter loop\nvertex 0 0 1\nvertex 0 1 0\nvertex 1 0 0\nendloop\nendfacet\n"
_PLY = "ply\nformat {} 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"


def write_bombs(folder: Path) -> Iterator[Path]:
    """Write the files, each with what it names."""
    for name, content in _files():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        yield folder / name
    yield _images(folder)


def _files() -> Iterator[tuple[str, str | bytes]]:
    for number, statement in enumerate((b"v 0 0 0\n", b"o\n", b"f 1 2 3\n", b"usemtl a\n", b"\n")):
        text = statement * (700 * 2**20 // len(statement))
        yield f"{number}.obj.gz", gzip.compress(_VERTICES.encode() + text)
    yield "names.obj", _VERTICES + "".join(f"o a\nusemtl m{number}\nf 1 2 3\n" for number in range(30_000))
    objects = "".join(f'<object id="{number}" name="a">{_TRIANGLE}</object>' for number in range(30_000))
    yield "names.3mf", _model(objects, "".join(f'<item objectid="{number}"/>' for number in range(30_000)))
    yield "items.3mf", _model(f'<object id="1">{_TRIANGLE}</object>', '<item objectid="1"/>' * 100_000)
    yield "blanks.3mf", _model(" " * (700 * 2**20), "")
    vertices = '<vertex x="0" y="0" z="0"/>' * 20_000_000
    yield "vertices.3mf", _model(f'<object id="1"><mesh>{vertices}</mesh></object>', '<item objectid="1"/>')
    parts = ""
    for number in range(1, 18):
        twice = f'<component objectid="{number + 1}"/>' * 2
        parts += f'<object id="{number}"><components>{twice}</components></object>'
    yield "copies.3mf", _model(f'<object id="18">{_TRIANGLE}</object>{parts}', '<item objectid="1"/>')
    yield "solids.stl", f"solid a\n{_FACET}endsolid a\n" * 9_500
    lists = "".join(f"property list uchar int l{number}\n" for number in range(20_000))
    heading = f"{_PLY.format('binary_little_endian')}element face 1\n{lists}end_header\n"
    yield "lists.ply", heading.encode() + bytes(36 + 20_000)
    elements = "".join(f"element e{number} 1\nproperty float a\n" for number in range(20_000))
    yield "elements.ply", f"{_PLY.format('ascii')}{elements}end_header\n{'0 ' * 20_009}"
    document = {"asset": {"version": "2.0"}, "extras": [[]] * 1_000_000}
    yield "lists.gltf", json.dumps(document)
    yield "instances.glb", _instances()


def _model(objects: str, build: str) -> bytes:
    return threemf(f"{objects}<build>{build}</build>", into_resources=objects)


def _instances() -> bytes:
    """Many nodes place a mesh by the same few bytes."""
    name = "EXT_mesh_gpu_instancing"
    count = 30_000
    data = bytes(12 * count)
    node = {"mesh": 0, "extensions": {name: {"attributes": {"TRANSLATION": 1}}}}
    accessors = [{"bufferView": 0, "componentType": 5126, "count": size, "type": "VEC3"} for size in (3, count)]
    document = {
        "asset": {"version": "2.0"},
        "extensionsUsed": [name],
        "scenes": [{"nodes": list(range(100))}],
        "nodes": [node] * 100,
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "mode": 0}]}],
        "accessors": accessors,
        "bufferViews": [{"buffer": 0, "byteLength": len(data)}],
        "buffers": [{"byteLength": len(data)}],
    }
    return glb_bytes(document, data)


def _images(folder: Path) -> Path:
    """Seven blank images, of 13,000 pixels a side."""
    for number in range(7):
        Image.new("L", (13_000, 13_000), number).save(folder / f"{number}.png")
    names = range(7)
    (folder / "images.mtl").write_text("".join(f"newmtl m{name}\nmap_Kd {name}.png\n" for name in names))
    faces = "".join(f"usemtl m{name}\nf 1 2 3\n" for name in names)
    (folder / "images.obj").write_text(f"mtllib images.mtl\n{_VERTICES}{faces}")
    return folder / "images.obj"
