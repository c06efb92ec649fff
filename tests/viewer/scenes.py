"""Small scenes that the viewer's tests share, views of them, and pictures of those."""

from __future__ import annotations

import numpy as np

from scene import Material, MeshData, Scene, SpatialIndex
from viewer.camera import Camera
from viewer.offscreen import image_of
from viewer.renderer import Renderer
from viewer.view import View

SIZE = (192, 120)  # of a picture
BOX_POSITIONS = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
BOX_TRIANGLES = np.array(
    [
        (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
        (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3),
    ]
)  # fmt: skip


def add_box_mesh(scene: Scene, material: int = 0) -> int:
    """A unit cube about the origin; returns its mesh id."""
    return scene.meshes.add(MeshData(BOX_POSITIONS, BOX_TRIANGLES, None, np.full(8, material)))


def box_scene(offset: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Scene:
    """A red box at x = -2, a green one at 0 and a blue one at 2, of edge 1, about `offset`."""
    scene = Scene()
    colors = {"red": (0.9, 0.05, 0.05), "green": (0.05, 0.8, 0.05), "blue": (0.05, 0.05, 0.9)}
    for place, (name, color) in enumerate(colors.items()):
        mesh = add_box_mesh(scene, scene.add_material(Material(name, base_color=color, specular=0.0)))
        scene.add_node(name, mesh=mesh, translation=np.add(offset, (2.0 * place - 2.0, 0.0, 0.0)))
    scene.update_world()
    return scene


def crowd(count: int, *, seed: int) -> Scene:
    """Boxes of many sizes in all directions, under scaled and turned parents: sheared, mirrored and flat ones too."""
    rng = np.random.default_rng(seed)
    scene = Scene()
    meshes = [
        add_box_mesh(scene, scene.add_material(Material(str(i), base_color=tuple(rng.random(3))))) for i in range(4)
    ]
    parents = scene.add_nodes(
        [f"group {i}" for i in range(12)],
        translation=rng.normal(0.0, 6.0, (12, 3)),
        rotation=rng.normal(size=(12, 4)),
        scale=rng.choice([-1.0, 1.0], (12, 3)) * rng.uniform(0.3, 2.0, (12, 3)),
    )
    scale = rng.lognormal(-0.5, 0.7, (count, 3))
    scale[:3, 1] = 0.0
    scene.add_nodes(
        [f"box {i}" for i in range(count)],
        parent=rng.choice(list(parents), count),
        mesh=rng.choice(meshes, count),
        translation=rng.normal(0.0, 8.0, (count, 3)),
        rotation=rng.normal(size=(count, 4)),
        scale=scale,
    )
    scene.update_world()
    return scene


def view_of(scene: Scene, **camera: object) -> View:
    view = View(scene, SpatialIndex(scene))
    view.camera = Camera(**{"pivot": np.zeros(3), **camera})
    return view


def picture(renderer: Renderer, view: View, size: tuple[int, int] = SIZE) -> np.ndarray:
    """(height, width, 3) uint8."""
    renderer.render(view.build_frame(size))
    return np.asarray(image_of(renderer.picture))
