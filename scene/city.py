"""A city of separate objects, made in memory: any number of them, in blocks between streets.

Every building, tree, car and pavement is a node with a name and a transform of its own under the node of its block;
they share a handful of meshes. Everything is drawn from a seeded generator: the same number gives the same city.
"""

from __future__ import annotations

import numpy as np

from octoscope.scene.conventions.up_axis import UpAxis
from octoscope.scene.conventions.upright import quaternion_between
from octoscope.scene.mesh.data import MeshData
from octoscope.scene.mesh.material import Material
from octoscope.scene.scene import Scene

_PLOTS = 6  # plots along a block's side
_OBJECTS_PER_BLOCK = _PLOTS * _PLOTS + 1  # and the pavement
_PLOT_METRES = 15.0
_STREET_METRES = 14.0
_BLOCK_METRES = _PLOTS * _PLOT_METRES + _STREET_METRES
_PAVEMENT_METRES = 0.3

_WALLS = ("#c8b8a0", "#b56b52", "#d9cdb8", "#8f9aa6", "#a3876a", "#c9c4bb", "#7d8790", "#b9a58c")
_GLASS = ("#6f8fa8", "#8aa7b5", "#4f6d86", "#93a8a4")
_ROOFS = ("#9c4a36", "#7a4b3c", "#5b5f68", "#a8603f")
_CARS = ("#b8352c", "#e0b23c", "#e8e6e1", "#2f4a6b", "#3a3d42")


def city(objects: int, *, seed: int = 1, up_axis: UpAxis = "y") -> Scene:
    """Build a city of exactly `objects` nodes with a mesh, under a node for each block.

    Args:
        objects: 1 or more.
        seed: of the random numbers; each gives another city.
        up_axis: of the scene, "y" or "z".
    """
    rng = np.random.default_rng(seed)
    scene = Scene(up_axis=up_axis)
    blocks = -(-objects // _OBJECTS_PER_BLOCK)
    side = int(np.ceil(np.sqrt(blocks)))
    # The blocks nearest to the middle, so that any number of them is a town and not a strip.
    rows, columns = np.divmod(np.arange(side * side), side)
    positions = np.stack([columns, rows], axis=1) - (side - 1) / 2.0
    positions = positions[np.argsort((positions**2).sum(axis=1), kind="stable")[:blocks]] * _BLOCK_METRES
    root = scene.add_node("city", rotation=quaternion_between("y", up_axis))
    block_ids = scene.add_nodes(
        _numbered("block", blocks),
        parent=root.id,
        translation=np.stack([positions[:, 0], np.zeros(blocks), positions[:, 1]], axis=1),
    )
    block = np.arange(objects) // _OBJECTS_PER_BLOCK
    plot = np.arange(objects) % _OBJECTS_PER_BLOCK - 1  # -1 is the pavement
    block_heights = _heights(rng, positions, side)
    heights = block_heights[block]
    kinds = _kinds(rng, block, plot, block_heights)
    local = (np.stack(np.divmod(np.maximum(plot, 0), _PLOTS), axis=1) - (_PLOTS - 1) / 2.0) * _PLOT_METRES
    translation = np.stack([local[:, 0], np.full(objects, _PAVEMENT_METRES), local[:, 1]], axis=1)
    turn = rng.integers(0, 4, objects) * (np.pi / 2.0)
    scale = np.ones((objects, 3))
    mesh = np.zeros(objects, dtype=np.int64)
    material = np.full(objects, -1)
    names = np.empty(objects, dtype=np.dtypes.StringDType())
    for index, (kind, make) in enumerate(_KINDS.items()):
        chosen = np.flatnonzero(kinds == index)
        palette, mesh_data = make(scene)
        mesh[chosen] = scene.meshes.add(mesh_data)
        if palette:
            material[chosen] = _materials(scene, kind, palette)[rng.integers(0, len(palette), len(chosen))]
        names[chosen] = _numbered(kind, len(chosen))
        scale[chosen] = _scales(rng, kind, heights[chosen])
        jitter = _PLOT_METRES * (0.32 if kind in ("tree", "pine", "car") else 0.0)
        translation[chosen, ::2] += rng.uniform(-jitter, jitter, (len(chosen), 2))
    pavements = plot < 0
    translation[pavements] = 0.0
    turn[pavements] = 0.0
    zeros = np.zeros(objects)
    scene.add_nodes(
        names,
        parent=block_ids.start + block,
        mesh=mesh,
        material=material,
        translation=translation,
        rotation=np.stack([zeros, np.sin(turn / 2.0), zeros, np.cos(turn / 2.0)], axis=1),
        scale=scale,
    )
    return scene


def _heights(rng: np.random.Generator, positions: np.ndarray, side: int) -> np.ndarray:
    """Choose the typical building height of each block, metres: a few centres that fade into suburbs."""
    extent = side * _BLOCK_METRES / 2.0
    heights = np.full(len(positions), 7.0)
    for centre in range(1 + int(side**0.5)):
        middle = rng.normal(0.0, 0.12 if centre == 0 else 0.45, 2) * extent
        spread = rng.uniform(0.8, 1.8) * _BLOCK_METRES * (1.7 if centre == 0 else 1.0)
        peak = 130.0 if centre == 0 else rng.uniform(25.0, 80.0)
        heights = np.maximum(heights, peak * np.exp(-((positions - middle) ** 2).sum(axis=1) / (2.0 * spread**2)))
    return heights


def _kinds(rng: np.random.Generator, block: np.ndarray, plot: np.ndarray, block_heights: np.ndarray) -> np.ndarray:
    """Choose the kind of every object, as an index into _KINDS."""
    order = list(_KINDS)
    parks = rng.random(len(block_heights)) < 0.08
    chance = rng.random(len(block))
    kinds = np.full(len(block), order.index("building"))
    kinds[chance < 0.18] = order.index("tree")
    kinds[chance < 0.09] = order.index("car")
    kinds[(chance > 0.94)] = order.index("tank")
    park = parks[block]
    kinds[park] = np.where(chance[park] < 0.55, order.index("tree"), order.index("pine"))
    kinds[plot < 0] = order.index("pavement")
    kinds[(plot < 0) & park] = order.index("lawn")
    suburb = (block_heights < rng.uniform(8.0, 20.0, len(block_heights)))[block]
    houses = suburb & (kinds == order.index("building"))
    kinds[houses] = order.index("house")
    towers = ~suburb & (kinds == order.index("building")) & (chance > 0.8)
    kinds[towers] = order.index("tower")
    return kinds


def _scales(rng: np.random.Generator, kind: str, heights: np.ndarray) -> np.ndarray:
    """Choose the scales, (n, 3), of objects of one kind; the meshes of buildings are one metre high and wide."""
    count = len(heights)
    if kind in ("building", "tower"):
        widths = rng.uniform(9.0, 13.5, (count, 2))
        tall = heights * rng.uniform(0.5, 1.2, count) * (1.2 if kind == "tower" else 0.5) + 6.0
        return np.stack([widths[:, 0], tall, widths[:, 1]], axis=1)
    if kind == "house":
        sizes = rng.uniform(0.85, 1.25, (count, 3))
        return sizes * (9.0, 6.0, 8.0)
    if kind in ("tree", "pine", "tank"):
        return np.repeat(rng.uniform(0.7, 1.5, (count, 1)), 3, axis=1)
    return np.ones((count, 3))


def _materials(scene: Scene, kind: str, palette: tuple[str, ...]) -> np.ndarray:
    return np.array([scene.add_material(_material(f"{kind} {number}", color)) for number, color in enumerate(palette)])


def _material(name: str, color: str) -> Material:
    red, green, blue = (int(color[i : i + 2], 16) / 255.0 for i in (1, 3, 5))
    return Material(name, base_color=(red, green, blue), specular=0.12)


def _numbered(word: str, count: int) -> np.ndarray:
    """Return (count,) StringDType word_0, word_1, ..., without a Python object for each."""
    numbers = np.arange(count).astype(np.dtypes.StringDType())
    return np.strings.add(np.array(f"{word}_", dtype=np.dtypes.StringDType()), numbers)


# Shapes. Each stands on y = 0 about the origin; flat shading needs no normals.


def _prism(outline: np.ndarray, bottom: float, top: float, shrink: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Build positions and triangles of a prism over a convex outline (n, 2), counter-clockwise seen from above."""
    n = len(outline)
    lower = np.insert(outline, 1, bottom, axis=1)
    upper = np.insert(outline * shrink, 1, top, axis=1)
    here, after = np.arange(n), (np.arange(n) + 1) % n
    sides = np.concatenate([np.stack([here, here + n, after + n], 1), np.stack([here, after + n, after], 1)])
    fan = np.stack([np.zeros(n - 2, dtype=int), np.arange(1, n - 1), np.arange(2, n)], axis=1)
    return np.concatenate([lower, upper]), np.concatenate([sides, fan, fan[:, ::-1] + n])


def _ring(corners: int, radius: float) -> np.ndarray:
    angle = (np.arange(corners) + 0.5) * (2.0 * np.pi / corners)
    return radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _box(width: float, depth: float) -> np.ndarray:
    return np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (width / 2.0, depth / 2.0)


def _mesh(*parts: tuple[tuple[np.ndarray, np.ndarray], int]) -> MeshData:
    """Join (positions, triangles) parts, each of one material."""
    firsts = np.cumsum([0] + [len(positions) for (positions, _), _ in parts[:-1]])
    return MeshData(
        np.concatenate([positions for (positions, _), _ in parts]),
        np.concatenate([triangles + first for ((_, triangles), _), first in zip(parts, firsts, strict=True)]),
        None,
        np.concatenate([np.full(len(positions), material) for (positions, _), material in parts]),
    )


def _building(scene: Scene) -> tuple[tuple[str, ...], MeshData]:
    return _WALLS, _mesh((_prism(_box(1, 1), 0.0, 1.0), 0), (_prism(_box(0.35, 0.4), 1.0, 1.06), 0))


def _tower(scene: Scene) -> tuple[tuple[str, ...], MeshData]:
    parts = [_prism(_box(1, 1), 0.0, 0.45), _prism(_box(0.78, 0.78), 0.45, 0.85), _prism(_box(0.5, 0.5), 0.85, 1.0)]
    return _GLASS, _mesh(*((part, 0) for part in parts))


def _house(scene: Scene) -> tuple[tuple[str, ...], MeshData]:
    walls = scene.add_material(_material("house walls", "#ddd0ba"))
    roofs = [scene.add_material(_material("house roof", color)) for color in _ROOFS[:1]]
    gable = np.array(
        [(-0.55, 0.6, -0.58), (0.55, 0.6, -0.58), (0.55, 0.6, 0.58), (-0.55, 0.6, 0.58), (-0.55, 1, 0), (0.55, 1, 0)]
    )
    faces = np.array([(0, 5, 1), (0, 4, 5), (2, 5, 4), (2, 4, 3), (0, 3, 4), (1, 5, 2), (0, 1, 2), (0, 2, 3)])
    return (), _mesh((_prism(_box(1, 1), 0.0, 0.6), walls), ((gable, faces), roofs[0]))


def _tree(scene: Scene) -> tuple[tuple[str, ...], MeshData]:
    trunk = scene.add_material(_material("trunk", "#6b5039"))
    leaves = scene.add_material(_material("leaves", "#6d8f4e"))
    crown = [_prism(_ring(6, 1.5), 1.8, 3.6, 1.35), _prism(_ring(6, 2.02), 3.6, 5.4, 0.45)]
    return (), _mesh((_prism(_ring(5, 0.28), 0.0, 1.8), trunk), *((part, leaves) for part in crown))


def _pine(scene: Scene) -> tuple[tuple[str, ...], MeshData]:
    trunk = scene.add_material(_material("pine trunk", "#5d4634"))
    needles = scene.add_material(_material("needles", "#3f6b4c"))
    crown = [_prism(_ring(6, 1.9), 1.0, 3.6, 0.4), _prism(_ring(6, 1.4), 3.0, 6.2, 0.05)]
    return (), _mesh((_prism(_ring(5, 0.25), 0.0, 1.0), trunk), *((part, needles) for part in crown))


def _tank(scene: Scene) -> tuple[tuple[str, ...], MeshData]:
    steel = scene.add_material(_material("steel", "#a9aeb3"))
    return (), _mesh((_prism(_ring(12, 3.2), 0.0, 5.0), steel), (_prism(_ring(12, 3.2), 5.0, 6.2, 0.2), steel))


def _car(scene: Scene) -> tuple[tuple[str, ...], MeshData]:
    return _CARS, _mesh((_prism(_box(4.2, 1.8), 0.3, 0.95), 0), (_prism(_box(2.4, 1.6), 0.95, 1.5, 0.85), 0))


def _pavement(scene: Scene) -> tuple[tuple[str, ...], MeshData]:
    width = _PLOTS * _PLOT_METRES + 4.0
    return ("#8b8d8f", "#84878a"), _mesh((_prism(_box(width, width), 0.0, _PAVEMENT_METRES), 0))


def _lawn(scene: Scene) -> tuple[tuple[str, ...], MeshData]:
    width = _PLOTS * _PLOT_METRES + 4.0
    return ("#7f9a5c",), _mesh((_prism(_box(width, width), 0.0, _PAVEMENT_METRES), 0))


_KINDS = {
    "building": _building,
    "tower": _tower,
    "house": _house,
    "tree": _tree,
    "pine": _pine,
    "tank": _tank,
    "car": _car,
    "pavement": _pavement,
    "lawn": _lawn,
}
