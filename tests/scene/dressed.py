"""Scenes with all that a scene can hold, for the tests of writers, and what of it must come back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from octoscope.scene import FileContent, Material, MeshData, Scene
from octoscope.scene.formats.export import exported_nodes
from octoscope.scene.mesh.texture import Texture
from tests.oracles import random_quaternion, transformed
from tests.scene.builders import add_random_nodes, ball, box, quad, soup

NAMES = (
    "plain",
    "",
    "zwei Wörter",
    "文字 😀",
    'a"b\\c',
    "line\nbreak",
    " blanks ",
    "tab\there",
    "100 % {a} [b]",
    "},{",
)


def texture(rng: np.random.Generator, *, alpha: bool = False) -> Texture:
    """A small image that is in no file."""
    pixels = rng.integers(0, 256, (3, 5, 4), dtype=np.uint8)
    if not alpha:
        pixels[..., 3] = 255
    return Texture(Path("nowhere.png"), pixels)


def rich_mesh(rng: np.random.Generator, materials: int) -> MeshData:
    """Triangles of several materials, some without normals, and lines and points; colours and texture coordinates."""
    parts = [soup(rng, 4) for _ in range(materials)]
    positions = np.concatenate([part.positions for part in parts])
    count = len(positions)
    normals = rng.normal(size=(count, 3))
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    normals[-3:] = 0.0
    ids = np.repeat(np.arange(materials), [len(part.positions) for part in parts])
    return MeshData(
        positions,
        np.concatenate([part.triangles + 12 * number for number, part in enumerate(parts)])[::-1].copy(),
        normals.astype(np.float32),
        ids,
        rng.uniform(-2.0, 2.0, (count, 2)).astype(np.float32),
        rng.integers(0, 256, (count, 4), dtype=np.uint8),
        lines=np.array([(0, 1), (1, 2), (5, 3)]),
        points=np.array([4, 0]),
    )


def dressed_scene(seed: int, count: int = 60, *, just_triangles: bool = False) -> Scene:
    """Trees that shear and mirror, shared meshes, materials of meshes and of nodes, and names of every kind.

    Args:
        just_triangles: without colours, lines and points, and using the vertices in their order.
    """
    rng = np.random.default_rng(seed)
    scene = Scene()
    for number in range(4):
        color = tuple(rng.uniform(0.0, 1.0, 3).round(3).tolist())
        scene.add_material(Material(NAMES[number], color, opacity=1.0 - 0.2 * number, shininess=10.0 + number))
    scene.add_material(Material("shiny", (1.0, 0.5, 0.0), metallic=1.0, roughness=0.25, emission=(0.2, 0.0, 1.0)))
    scene.add_material(Material("pictured", (1.0, 1.0, 1.0), base_color_texture=texture(rng)))
    rich = rich_mesh(rng, 3)
    if just_triangles:
        rich = replace(rich, triangles=rich.triangles[::-1], colors=None, lines=None, points=None)
    for mesh in (quad(), box(), ball(4, 5), rich):
        scene.meshes.add(mesh, first_material=1)
    far = box()
    scene.meshes.add(MeshData(far.positions + np.array((4e6, -3e6, 1e6)), far.triangles, None, far.material_ids))
    only_lines = MeshData(soup(rng, 2).positions, np.empty((0, 3), int), None, np.full(6, 2), lines=np.array([(0, 5)]))
    if not just_triangles:
        scene.meshes.add(only_lines)
    for _ in range(3):
        nodes = add_random_nodes(scene, rng, count // 3, zeros=0.0)
        scene.set_names(np.array(nodes), rng.choice(NAMES, len(nodes)))
    with_own = rng.choice(len(scene), len(scene) // 4, replace=False)
    scene.add_nodes(
        ["own material"] * len(with_own),
        parent=with_own,
        mesh=rng.integers(0, len(scene.meshes), len(with_own)),
        material=rng.integers(0, len(scene.materials), len(with_own)),
        rotation=random_quaternion(rng, len(with_own)),
    )
    scene.update_world()
    return scene


def scene_of(content: FileContent) -> Scene:
    """A scene of a file alone; its node 0 is the file's."""
    scene = Scene()
    scene.add_content(content, Path(content.name))
    scene.update_world()
    return scene


def shown_triangles(scene: Scene, node: int) -> np.ndarray:
    """(t, 13) of what a node shows, sorted: each triangle's colour and opacity, and its corners in the world."""
    mesh = scene.meshes.mesh(int(scene.mesh_ids[node]))
    corners = transformed(scene.world_from_local[node], mesh.positions)[mesh.triangles].reshape(-1, 9)
    override = int(scene.material_overrides[node])
    ids = mesh.material_ids[mesh.triangles[:, 0]]
    materials = [scene.materials[override if override >= 0 else number] for number in ids.tolist()]
    looks = np.array([(*material.base_color, material.opacity) for material in materials]).reshape(-1, 4)
    rows = np.concatenate([looks, corners], axis=1)
    return rows[np.lexsort(np.round(rows, 3).T[::-1])]


def assert_same_tree(scene: Scene, read: Scene, *, world_error: float = 1e-6) -> np.ndarray:
    """Assert that the nodes below a read file's node are those that were written; return their ids in `scene`."""
    ids, parents = exported_nodes(scene)
    assert read.names[1:].tolist() == scene.names[ids].tolist()
    assert (read.parents[1:] - 1).tolist() == parents.tolist()
    size = np.abs(scene.world_from_local[ids]).max(axis=(1, 2), keepdims=True)
    error = np.abs(read.world_from_local[1:] - scene.world_from_local[ids])
    assert (error <= world_error * np.maximum(size, 1.0)).all()
    return ids
