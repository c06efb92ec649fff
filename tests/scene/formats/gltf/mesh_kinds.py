"""Meshes of every kind that can be read or made, as files and as scenes, for the tests of what is exported."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from PIL import Image

from octoscope.scene import Bookmark, Material, MeshData, Scene, load
from octoscope.scene.city import city
from tests.oracles import random_affine
from tests.scene.builders import ball, box, mesh_of, quad, random_scene, soup
from tests.scene.dressed import dressed_scene, texture
from tests.scene.formats.gltf.files import CORNERS, Gltf
from tests.scene.formats.obj.corpus import CORPUS
from tests.scene.formats.simple_files import FACES, SQUARE, ply, threemf

SAMPLE = Path(__file__).parents[4] / "assets" / "harbour.obj"

TRIANGLE_TEXT = "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
OBJ_TEXTS = {
    "a zero normal": f"{TRIANGLE_TEXT}vn 0 0 0\nvn 0 0 1\nf 1//1 2//2 3//2\nf 3//2 2//2 1//2\n",
    "no normal at some corners": f"{TRIANGLE_TEXT}vn 0 0 2\nf 1//1 2//1 3//1\nf 1 2 3\nl 1 2\np 3\n",
    "a texture without coordinates": f"mtllib a.mtl\nusemtl picture\n{TRIANGLE_TEXT}f 1 2 3\nl 1 2\np 3\n",
    "coordinates at some corners": (
        f"mtllib a.mtl\nusemtl picture\n{TRIANGLE_TEXT}vt 0.5 1\nf 1/1 2 3\nusemtl glow\nf 1 2 3\n"
    ),
    "coordinates without a texture": f"{TRIANGLE_TEXT}vt 0.5 1\nvt 1 1\nf 1/1 2/1 3/2\n",
    "a material of everything": f"mtllib a.mtl\nusemtl all\n{TRIANGLE_TEXT}vt 0.5 1\nf 1/1 2/1 3/1\nf 3 2 1\n",
    "a triangle without area": f"{TRIANGLE_TEXT}f 1 1 2\nf 1 2 1 3\n",
    "opposite faces": f"{TRIANGLE_TEXT}s 1\nf 1 2 3\nf 3 2 1\n",
    "tiny and huge": "v 1e-44 0 0\nv 1e-40 1e-39 0\nv 3e38 -3e38 1\nf 1 2 3\n",
}
LIBRARY = """newmtl picture
map_Kd odd.png
newmtl glow
Ke 1 0.5 0
map_Ke odd.jpg
newmtl all
Kd 0.5 0.5 0.5
Ks 1 1 1
Ke 1 1 1
Ns 900
d 0.5
Pm 0.5
Pr 0.25
illum 0
map_Kd -s 2 -3 1 -o 0.5 0.1 0 odd.png
map_Ke -s 2 -3 1 -o 0.5 0.1 0 print.jpg
"""
COLORED = "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar alpha\n"
NORMAL = "property float nx\nproperty float ny\nproperty float nz\nproperty float s\nproperty float t\n"
PART = (
    '<object id="1" type="model"><mesh><vertices><vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/>'
    '<vertex x="0" y="1" z="0"/></vertices><triangles><triangle v1="0" v2="1" v3="2"/></triangles></mesh></object>'
)
OTHER_FILES = {
    "faces.ply": ply(SQUARE, "4 0 1 2 3\n3 0 1 3\n", more=f"element face 2\n{FACES}"),
    "points.ply": ply(SQUARE, ""),
    "edges.ply": ply(SQUARE, "0 1\n2 3\n", more="element edge 2\nproperty int vertex1\nproperty int vertex2\n"),
    "all.ply": ply(
        "".join(f"{line} 0 0 {k % 2} 0.{k} 1 255 {50 * k} 0 {200 + k}\n" for k, line in enumerate(SQUARE.splitlines())),
        "4 0 1 2 3\n",
        properties=NORMAL + COLORED,
        more=f"element face 1\n{FACES}",
        comment="comment TextureFile odd.png\n",
    ),
    "solids.stl": "".join(
        f"solid {name}\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 {name} 0\nendloop\n"
        f"endfacet\nendsolid {name}\n"
        for name in "12"
    ),
    "square.off": f"OFF\n4 1 0\n{SQUARE}4 0 1 2 3\n",
    "copies.3mf": threemf(
        f'{PART}<build><item objectid="1"/><item objectid="1" transform="2 0 0 0 2 0 0 0 2 5 6 7"/></build>',
        into_resources=PART,
    ),
}


def files_of(folder: Path) -> Iterator[Path]:
    """Files of every format that is read, with their images and libraries beside them."""
    rng = np.random.default_rng(1)
    image = Image.fromarray(rng.integers(0, 256, (5, 3, 3), dtype=np.uint8))
    image.save(folder / "odd.png"), image.save(folder / "odd.jpg"), image.convert("CMYK").save(folder / "print.jpg")
    for name in ("a.mtl", "b.mtl", "c.mtl"):
        (folder / name).write_text(LIBRARY)
    texts = CORPUS | OBJ_TEXTS
    del texts["numbers"]  # larger than a GLB holds, which is refused
    for name, text in texts.items():
        path = folder / f"{name}.obj"
        path.write_text(text, encoding="utf-8")
        yield path
    for name, content in OTHER_FILES.items():
        path = folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        yield path
    for mode in range(7):
        yield every_mode(mode).glb(folder / f"mode {mode}.glb", materials=[{"name": "m"}])


def every_mode(mode: int) -> Gltf:
    """Primitives of a mode, indexed and not, below nodes with matrices, one of which shears."""
    gltf = Gltf()
    rng = np.random.default_rng(mode)
    normals = gltf.accessor(np.concatenate([np.zeros((2, 3)), np.ones((2, 3))]).astype("f4"))
    colors = gltf.accessor(rng.integers(0, 256, (4, 4), dtype=np.uint8), normalized=True)
    plain = gltf.primitive(CORNERS, None, mode=mode)
    rich = gltf.primitive(CORNERS, np.array([3, 1, 2, 0], "u1"), mode=mode, NORMAL=normals, COLOR_0=colors, material=0)
    mesh = gltf.mesh(plain, rich, name="both")
    gltf.node(name="above", mesh=mesh, children=[1], matrix=random_affine(rng).T.ravel().tolist())
    gltf.node(name="below", mesh=mesh, scale=[-1.0, 2.0, 0.0])
    return gltf


def random_mesh(rng: np.random.Generator, materials: int) -> MeshData:
    """Any of: shared vertices, normals or coordinates at all, some or no vertices, colours, lines, points."""
    base = soup(rng, 6) if rng.random() < 0.5 else ball(4, 5)
    count = len(base.positions)

    def column(width: int) -> np.ndarray | None:
        values = rng.normal(size=(count, width))
        values /= np.linalg.norm(values, axis=1, keepdims=True)
        values[rng.random(count) < rng.choice((0.0, 0.3, 1.0))] = 0.0
        return None if rng.random() < 0.3 else values.astype("f4")

    triangles = base.triangles[: rng.integers(0, len(base.triangles) + 1)]
    lines = rng.integers(0, count, (rng.integers(0, 4), 2))
    points = rng.integers(0, count, rng.integers(0, 3))
    if len(triangles) + len(lines) + len(points) == 0:
        points = np.array([0])
    colors = rng.integers(0, 256, (count, 4), dtype=np.uint8) if rng.random() < 0.3 else None
    ids = np.repeat(rng.integers(0, materials, -(-count // 3)), 3)[:count]
    offset = rng.choice((0.0, 0.0, 1e6))
    return MeshData(base.positions + offset, triangles, column(3), ids, column(2), colors, None, None, lines, points)


def random_looks(seed: int) -> Scene:
    """Random meshes in random materials, their own and of nodes, with and without textures."""
    rng = np.random.default_rng(seed)
    scene = Scene()
    pictures = [None, None, texture(rng), texture(rng, alpha=True)]
    for number in range(5):
        scene.add_material(
            Material(
                f"m{number}",
                tuple(rng.random(3).tolist()),
                opacity=float(rng.choice((1.0, 0.5))),
                base_color_texture=pictures[rng.integers(4)],
                emission_texture=pictures[rng.integers(4)],
                uv_scale=(1.0, float(rng.choice((1.0, -2.0)))),
                unlit=bool(rng.integers(2)),
            )
        )
    for _ in range(6):
        mesh = scene.meshes.add(random_mesh(rng, 5), first_material=1)
        for _ in range(rng.integers(1, 4)):
            scene.add_node("it", mesh=mesh, material=int(rng.integers(-1, len(scene.materials))))
    return scene


def deep() -> Scene:
    scene = Scene()
    mesh = scene.meshes.add(box())
    above = -1
    for number in range(300):
        placed = {"translation": (0.1, 0.0, 0.0), "scale": (1.01, -1.0, 1.0)}
        above = scene.add_node(str(number), parent=above, mesh=mesh, **placed).id
    return scene


def large() -> Scene:
    """More vertices than indices of two bytes count."""
    rng = np.random.default_rng(5)
    scene = Scene()
    mesh = mesh_of(rng.normal(size=(70_000, 3)), np.arange(69_999).reshape(-1, 3))
    scene.add_node("large", mesh=scene.meshes.add(mesh))
    scene.add_node("small", mesh=scene.meshes.add(quad()))
    return scene


def with_bookmarks() -> Scene:
    scene = Scene()
    scene.add_node("box", mesh=scene.meshes.add(box()))
    scene.bookmarks = {
        "front": Bookmark((0.0, 0.0, 5.0), distance=5.0),
        "flat": Bookmark((1e15, 0.0, 0.0), (0.0, 3.0, 0.0, 4.0), distance=1e-12, orthographic=True),
        "wide": Bookmark((0.0, 0.0, 0.0), distance=1e15, fov_y_rad=3.1),
    }
    return scene


SCENES: dict[str, Callable[[], Scene]] = {
    "city": lambda: city(300),
    "deep": deep,
    "large": large,
    "bookmarks": with_bookmarks,
    "the sample": lambda: load(SAMPLE),
    **{f"dressed {seed}": lambda seed=seed: dressed_scene(seed) for seed in range(2)},
    **{f"random {seed}": lambda seed=seed: random_scene(seed, zeros=0.1) for seed in range(2)},
    **{f"looks {seed}": lambda seed=seed: random_looks(seed) for seed in range(40)},
}
