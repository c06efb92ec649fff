"""Small scenes that the viewer's tests share, views of them, and pictures of those."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from octoscope.scene import Material, MeshData, Scene, Texture
from octoscope.scene.mesh.primitives import cube, plane
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.frame.view import View
from octoscope.viewer.frame.viewports import PointerLocation
from octoscope.viewer.rendering.context.offscreen import image_of
from octoscope.viewer.rendering.renderer import Renderer

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
    view = View(scene)
    view.camera = Camera(**{"pivot": np.zeros(3), **camera})
    return view


def place_at(view: View, fraction: tuple[float, float]) -> PointerLocation:
    """Return a place of a view's last picture, given as fractions of its width and height."""
    return view.locate((fraction[0] * view.layout.size[0], fraction[1] * view.layout.size[1]))


def picture(renderer: Renderer, view: View, size: tuple[int, int] = SIZE) -> np.ndarray:
    """(height, width, 3) uint8."""
    renderer.render(view.build_frames(size)[0].frame)
    return np.asarray(image_of(renderer.picture))


# In the flat view a unit is a pixel: x and y count from the picture's middle, to the right and up.


def flat_view(scene: Scene) -> View:
    view = view_of(scene, yaw_rad=0.0, pitch_rad=0.0, orthographic=True)
    view.camera = replace(view.camera, distance=view.camera.distance / view.camera.pixel_size(SIZE[1]))
    view.settings.show_grid = False
    return view


def at(image: np.ndarray, x: float, y: float) -> np.ndarray:
    """(3,) int: the pixel of a flat view's picture that holds a point."""
    return image[int(SIZE[1] / 2 - y), int(SIZE[0] / 2 + x)].astype(int)


def add_mesh(scene: Scene, positions: np.ndarray, material: int = 0, **arrays: np.ndarray) -> int:
    """A mesh of `positions` (v, 3) and what else MeshData takes; returns its id."""
    arrays.setdefault("triangles", np.empty((0, 3), dtype=int))
    positions = np.asarray(positions, dtype=float)
    return scene.meshes.add(MeshData(positions, normals=None, material_ids=np.full(len(positions), material), **arrays))


def add_quad(scene: Scene, half_size: float, material: int = 0, *, cut: bool = True, **arrays: np.ndarray) -> int:
    """A square that faces +z; its diagonal runs from lower left to upper right, and is an edge unless `cut`."""
    corners = half_size * np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)])
    edges = np.array([0b011, 0b110] if cut else [0b111, 0b111], dtype=np.uint8)
    triangles = np.array([(0, 1, 2), (0, 2, 3)])
    return add_mesh(scene, corners, material, triangles=triangles, edges=edges, **arrays)


def sketches(count: int, *, seed: int) -> Scene:
    """Nodes as in `crowd`, of lines alone, of points alone, and of all there is in one mesh, in colours."""
    rng = np.random.default_rng(seed)
    scene = crowd(count, seed=seed)
    white = scene.add_material(Material("white", base_color=(1.0, 1.0, 1.0)))
    corners = {"positions": BOX_POSITIONS, "material": white}
    lines, points = np.array([(0, 7), (1, 6), (2, 5)]), np.array([0, 3, 5, 6])
    colors = rng.integers(0, 256, (8, 4)).astype(np.uint8)
    meshes = [
        add_mesh(scene, **corners, colors=colors, lines=lines),
        add_mesh(scene, **corners, colors=colors, points=points),
        add_mesh(scene, **corners, colors=colors, triangles=BOX_TRIANGLES, lines=lines, points=points),
    ]
    scene.add_nodes(
        [f"sketch {i}" for i in range(count)],
        parent=rng.choice(12, count),
        mesh=rng.choice(meshes, count),
        translation=rng.normal(0.0, 8.0, (count, 3)),
        rotation=rng.normal(size=(count, 4)),
        scale=rng.lognormal(-0.5, 0.7, (count, 3)),
    )
    scene.update_world()
    return scene


def street() -> Scene:
    """A street with two houses, and a tree beside it."""
    scene = Scene()
    mesh = add_box_mesh(scene)
    scene.add_nodes(
        ["town", "street", "house 1", "house 2", "tree"], parent=[-1, 0, 1, 1, 0], mesh=[-1, -1, mesh, mesh, mesh]
    )
    scene.set_translations([2, 3, 4], [(1.0, 2.0, 3.0), (4.0, 2.0, 3.0), (9.0, 0.0, 0.0)])
    scene.update_world()
    return scene


def everything() -> Scene:
    """All that a picture can show, Z up: textures and a normal map, glass, lines, points, and two nodes of one mesh."""
    scene = Scene(up_axis="z")
    rng = np.random.default_rng(5)
    colors, normals = (np.full((16, 16, 4), 255, dtype=np.uint8) for _ in range(2))
    colors[..., :3] = rng.integers(0, 256, (16, 16, 3))
    normals[..., :3] = rng.integers(100, 156, (16, 16, 3))
    normals[..., 2] = 255
    painted = Material(
        "painted",
        base_color_texture=Texture(Path("colors.png"), colors, is_file=False),
        normal_texture=Texture(Path("normals.png"), normals, is_file=False),
    )
    glass = scene.add_material(Material("glass", base_color=(0.3, 0.6, 0.9), opacity=0.4))
    boxes = scene.meshes.add(replace(cube(1.0), material_ids=np.full(24, scene.add_material(painted))))
    scene.add_nodes(["left", "right"], mesh=[boxes, boxes], translation=[(-1.5, 1.3, 0.5), (1.5, 0.0, 0.5)])
    pane = plane(2.0)
    pane = scene.meshes.add(replace(pane, material_ids=np.full(len(pane.positions), glass)))
    scene.add_node("pane", mesh=pane, translation=(0.0, -1.5, 1.0), rotation=(2.0, 0.0, -0.6, 1.0))
    corners = rng.normal((0.0, 0.0, 2.0), 0.5, (12, 3))
    pairs = np.arange(12).reshape(6, 2)
    scene.add_node("lines", mesh=add_mesh(scene, corners, lines=pairs))
    scene.add_node("points", mesh=add_mesh(scene, corners, points=np.arange(12)), translation=(0.3, 1.0, 0.0))
    scene.update_world()
    return scene
