"""PageLight, PageBackdrop: the light of viser's page and what is behind the scene; lit_colors: that light for points.

A mesh in a page is lit by two lamps from afar, above and below, and by the sky, and its colours are toned down by
three.js (ACES). A point has the mean of what that makes of the sides of its object that a camera sees, so that points
look like the meshes beside them.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
from numpy.typing import ArrayLike
from viser import CameraHandle, ViserServer

from octoscope.scene import Meshes, Scene
from octoscope.scene.geometry.colors import linear_from_srgb, srgb_from_linear
from octoscope.scene.geometry.ranges import ranges
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.features.web.geometry import BrowserFrame
from octoscope.viewer.frame.frame_builder import ground_grid
from octoscope.viewer.frame.look.backdrop import Backdrop
from octoscope.viewer.frame.view import View

_SKY_COLOR, _GROUND_COLOR = (235, 240, 255), (120, 110, 100)  # sRGB
_SKY_LIGHT = 1.5  # its strength, beside viser's own lamps
_ENVIRONMENT_LIGHT = 0.4  # of what metal mirrors in place of the sky: what is no metal is as bright as beneath the sky
_TILT = 0.2  # of the upper lamp, towards both level axes
_LAMPS = (3.0, 0.4)  # strengths of the upper and the lower one, as viser's page has them
_MIRRORED = 0.02  # of the lamps' light towards the eye, on average, by anything but metal
# Sides of a mesh are told apart by the nearest of these: cubes exactly, round ones in 26 steps.
_SIDES = np.array([side for side in product((-1.0, 0.0, 1.0), repeat=3) if any(side)])
_SIDES /= np.linalg.norm(_SIDES, axis=1, keepdims=True)
# ACES, as three.js fits it (after Stephen Hill): to and from the space in which the curve is applied.
_ACES_IN = np.array(((0.59719, 0.35458, 0.04823), (0.07600, 0.90834, 0.01566), (0.02840, 0.13383, 0.83777)))
_ACES_OUT = np.array(((1.60475, -0.53108, -0.07367), (-0.10208, 1.10813, -0.00605), (-0.00327, -0.07276, 1.07602)))
_ACES_EXPOSURE = 1.0 / 0.6
_FINE, _COARSE = 0.28, 0.55  # how much of a pixel the grid's lines cover, as in shaders/ground.glsl
_OPACITY = 0.75  # of viser's fine lines
_BELOW = 1e-3  # browser units: what stands on the ground hides it
_BRIGHTEST = 0.7  # linear, that is shown in any hue


class PageLight:
    """Lights a page by viser's own lamps, without shadows, and by what the scene's materials need beside these.

    Metal mirrors an environment and is dark without one. Where there is no metal, light from the sky and from the
    ground takes a third of the time, in a browser without a graphics card.
    """

    def __init__(self, server: ViserServer, scene: Scene) -> None:
        self._server = server
        self._scene = scene
        self._mirrors: bool | None = None  # whether there is an environment, as it was sent

    def update(self) -> None:
        """Send the lights if other ones are needed."""
        has_metal = any(material.metallic > 0.0 for material in self._scene.materials)
        if has_metal == self._mirrors:
            return
        self._mirrors = has_metal
        lit = self._server.scene
        lit.configure_default_lights(cast_shadow=False)
        lit.configure_environment_map("warehouse" if has_metal else None, environment_intensity=_ENVIRONMENT_LIGHT)
        lit.add_light_hemisphere(
            "/sky",
            sky_color=_SKY_COLOR,
            ground_color=_GROUND_COLOR,
            intensity=_SKY_LIGHT,
            position=(0.0, 0.0, 1.0) if self._scene.up_axis == "z" else (0.0, 1.0, 0.0),  # where the sky is
            visible=not has_metal,
        )


class PageBackdrop:
    """Shows what a view has behind its scene: one background, and in each browser the grid that suits its camera.

    Args:
        lens: returns a browser's camera as one of ours, in the world; None for one that is none.
    """

    def __init__(
        self, server: ViserServer, view: View, frame: BrowserFrame, lens: Callable[[CameraHandle], Camera | None]
    ) -> None:
        self._server = server
        self._view = view
        self._frame = frame
        self._lens = lens
        self._shown: Backdrop | None = None
        self._grids: dict[int, tuple[object, ...]] = {}  # what they were made from, by the numbers of browsers

    def update(self) -> None:
        """Send background, theme and grids if others are needed."""
        view, scale = self._view, self._frame.scale
        backdrop = view.settings.shown_backdrop
        down = np.linspace(backdrop.top, backdrop.bottom, 256)
        if backdrop != self._shown:
            self._shown = backdrop
            self._server.gui.configure_theme(dark_mode=backdrop.is_dark, show_logo=False, show_share_button=False)
            self._server.scene.set_background_image(_bytes(down)[:, None], format="png")
        before, self._grids = self._grids, {}
        for number, client in self._server.get_clients().items():
            camera = self._lens(client.camera)
            if camera is None:
                continue
            grid = ground_grid(camera, view.visibility)
            begin = camera.world_from_upright @ (-grid.phase[0], grid.height, -grid.phase[1])
            place = self._frame.points(camera.position + begin) - _BELOW * camera.world_from_upright[:, 1]
            grid_facts = grid.cell_size * scale, grid.fade_distance * scale, *place.astype(np.float32).tolist()
            facts = self._grids[number] = backdrop, view.settings.show_grid, *grid_facts
            if facts == before.get(number):
                continue
            behind = down.mean(axis=0)
            fine, coarse = (
                srgb_from_linear(share * linear_from_srgb(backdrop.ground) + (1.0 - share) * linear_from_srgb(behind))
                for share in (_FINE, _COARSE)
            )
            client.scene.add_grid(
                "/ground",
                plane="xy" if view.scene.up_axis == "z" else "xz",
                cell_size=grid.cell_size * scale,
                cell_color=_bytes(srgb_from_linear(untoned(behind + (fine - behind) / _OPACITY))),
                section_size=10.0 * grid.cell_size * scale,
                section_color=_bytes(srgb_from_linear(untoned(coarse))),
                infinite_grid=True,
                fade_distance=grid.fade_distance * scale,
                shadow_opacity=0.0,
                position=place,
                visible=view.settings.show_grid,
            )


def lit_colors(
    scene: Scene, ids: np.ndarray, colors: np.ndarray, eye: np.ndarray, axes: np.ndarray, counts: np.ndarray
) -> np.ndarray:
    """Return how the page shows parts of nodes that are seen from an eye: (counts.sum(), 3) float64 sRGB, 0 to 1.

    The parts of a node cover as much of the picture each. What faces along its axis is seen at its ends alone.

    Args:
        ids: (k,) nodes with triangles.
        colors: (k, 3) float64 sRGB of their surfaces.
        eye: (3,) world.
        axes: (k,) int axis of each, local, along which it is divided.
        counts: (k,) int numbers of parts, which go from the lower end to the upper one.
    """
    vectors = _sides(scene, ids)
    areas = np.linalg.norm(vectors, axis=2)
    normals = vectors / np.maximum(areas, 1e-300)[:, :, None]
    toward = eye - scene.world_spheres[ids, :3]
    seen = np.maximum((vectors @ toward[:, :, None])[:, :, 0], 0.0)
    weights = np.where(seen.sum(axis=1, keepdims=True) > 0.0, seen, areas)  # an open surface is seen from behind, too
    weights /= np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)
    lamps, sky = _light_on(normals, scene.up_axis == "z")
    shown = _toned((linear_from_srgb(colors)[:, None] * (lamps + sky) + _MIRRORED * lamps) / np.pi)
    facing = np.sign(_SIDES.T[axes])[:, None] == np.array((-1.0, 0.0, 1.0))[:, None]  # (k, 3, 26): down, aside, up
    light = (facing * weights[:, None]) @ shown
    shares = (facing @ weights[:, :, None])[:, :, 0]
    ends = np.cumsum(shares, axis=1)
    owners = np.repeat(np.arange(len(ids)), counts)
    begins = (ranges(np.zeros_like(counts), counts) / counts[owners])[:, None]
    ends, shares = ends[owners], shares[owners]
    within = np.minimum(ends, begins + 1.0 / counts[owners, None]) - np.maximum(ends - shares, begins)
    within = np.maximum(within, 0.0) * counts[owners, None] / np.maximum(shares, 1e-300)
    result: np.ndarray = (within[:, None] @ light[owners])[:, 0]
    return result


def _sides(scene: Scene, ids: np.ndarray) -> np.ndarray:
    """Return a vector for each of the sides of nodes, world: its normal times the area there, (k, 26, 3)."""
    meshes, kinds = np.unique(scene.mesh_ids[ids], return_inverse=True)
    linear = scene.world_from_local[ids, :3, :3]
    columns = linear[:, :, 0], linear[:, :, 1], linear[:, :, 2]
    cofactors = np.stack([np.cross(columns[(i + 1) % 3], columns[(i + 2) % 3]) for i in range(3)], axis=2)
    cofactors *= np.where(np.linalg.det(linear) < 0.0, -1.0, 1.0)[:, None, None]
    vectors: np.ndarray = _areas(scene.meshes, meshes)[kinds][:, :, None] * (_SIDES @ cofactors.transpose(0, 2, 1))
    return vectors


def _areas(meshes: Meshes, mesh_ids: np.ndarray) -> np.ndarray:
    """Return how much area meshes have on each of their sides, local: (m, 26) float64."""
    rows = meshes.rows
    counts = rows["triangle_count"][mesh_ids]
    owners = np.repeat(np.arange(len(mesh_ids)), counts)
    corners = meshes.triangles["corners"][ranges(rows["first_triangle"][mesh_ids], counts)]
    a, b, c = meshes.vertices["position"][corners + rows["first_vertex"][mesh_ids][owners, None]].transpose(1, 0, 2)
    normals = np.cross(b - a, c - a) / 2.0
    places = owners * len(_SIDES) + (normals @ _SIDES.T).argmax(axis=1)
    areas = np.bincount(places, np.linalg.norm(normals, axis=1), len(mesh_ids) * len(_SIDES))
    return areas.reshape(-1, len(_SIDES))


def _light_on(normals: np.ndarray, is_z_up: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the linear light on surfaces of (..., 3) normals: of lamps, (..., 1), and of the sky, (..., 3)."""
    up = 2 if is_z_up else 1
    lamp = np.full(3, _TILT)
    lamp[up] = 1.0
    lamp /= np.linalg.norm(lamp)
    height = normals[..., up, None]
    lamps = _LAMPS[0] * np.maximum(normals @ lamp, 0.0)[..., None] + _LAMPS[1] * np.maximum(-height, 0.0)
    sky, ground = (linear_from_srgb(np.array(color) / 255.0) for color in (_SKY_COLOR, _GROUND_COLOR))
    return lamps, _SKY_LIGHT * (ground + (sky - ground) * (0.5 + 0.5 * height))


def _toned(linear: np.ndarray) -> np.ndarray:
    """Return the sRGB colours in which three.js shows (..., 3) linear ones."""
    x = (linear * _ACES_EXPOSURE) @ _ACES_IN.T
    x = (x * (x + 0.0245786) - 0.000090537) / (x * (0.983729 * x + 0.4329510) + 0.238081)
    return srgb_from_linear(np.clip(x @ _ACES_OUT.T, 0.0, 1.0))


def untoned(colors: ArrayLike) -> np.ndarray:
    """Return linear colours, 0 to 1, that three.js tone-maps to (..., 3) sRGB; very bright ones come out darker."""
    linear = linear_from_srgb(colors)
    linear *= _BRIGHTEST / np.maximum(linear.max(axis=-1, keepdims=True), _BRIGHTEST)
    y = linear @ np.linalg.inv(_ACES_OUT).T
    a, b, c = 1.0 - 0.983729 * y, 0.0245786 - 0.4329510 * y, 0.000090537 + 0.238081 * y
    x = (np.sqrt(b * b + 4.0 * a * c) - b) / (2.0 * a)
    result: np.ndarray = np.clip(x @ np.linalg.inv(_ACES_IN).T / _ACES_EXPOSURE, 0.0, 1.0)
    return result


def _bytes(colors: ArrayLike) -> np.ndarray:
    return (np.clip(colors, 0.0, 1.0) * 255.0).round().astype(np.uint8)
