"""BrowserFront: what a feature finds in browsers: controls beside the picture, and lines over it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Protocol

import numpy as np
from viser import ViserServer

from octoscope.scene import Scene
from octoscope.scene.merging.merged_geometry import MergedGeometry
from octoscope.scene.nodes.hierarchy import with_all_below
from octoscope.scene.nodes.layers import HIDDEN
from octoscope.viewer.camera.camera import BOX_EDGES, box_corners
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.table import Command
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.features.web.controls import BrowserHand, Controls
from octoscope.viewer.features.web.forms import BrowserForms
from octoscope.viewer.features.web.geometry import BrowserFrame, by_material, glb_of
from octoscope.viewer.features.web.page_light import untoned
from octoscope.viewer.frame.look.marks import ACTIVE_COLOR

MOST_TEXTS = 200  # measurements, and labels, that are drawn
_MOST_BOXES = 2_000


class Overlays:
    """Lines and labels over the scene."""

    def __init__(self, server: ViserServer, editor: Editor, frame: BrowserFrame) -> None:
        self._server = server
        self._editor = editor
        self._scene = editor.scene
        self._frame = frame
        self._handles: dict[str, Any] = {}
        self._shown: dict[str, tuple[object, ...]] = {}  # what the drawn ones were made from

    def update(self) -> None:
        """Draw again what has changed."""
        scene, selected = self._scene, self._editor.selected_ids
        if self.is_new("selection", (scene.world_revision, selected.tobytes())):
            self.lines("selection", boxes_of(scene, selected), ACTIVE_COLOR, 2.0)

    @property
    def origin(self) -> np.ndarray:
        """The origin of what browsers show, (3,) float64, world."""
        return self._frame.origin

    def is_new(self, name: str, facts: tuple[object, ...]) -> bool:
        """Return whether what is drawn under a name follows from other facts than before."""
        before, self._shown[name] = self._shown.get(name), facts
        return before != facts

    def show(self, name: str, add: Callable[[str], Any] | None) -> None:
        """Show what a function adds under a path, in place of what had the name; None: nothing."""
        handle = self._handles.pop(name, None)
        if handle is not None:
            handle.remove()
        if add is not None:
            self._handles[name] = add(f"/overlay/{name.replace(' ', '')}")

    def lines(self, name: str, lines: np.ndarray, colors: Any, width_px: float) -> None:
        """Show (n, 2, 3) world lines in colours, one or (n, 2, 3), in place of what had the name."""
        linear = np.broadcast_to(untoned(colors), lines.shape)  # a single colour would be taken as sRGB
        add = partial(
            self._server.scene.add_line_segments,
            points=self._frame.points(lines).astype(np.float32),
            colors=(linear * 255.0).round().astype(np.uint8),
            thickness=width_px,
            thickness_units="screen",
        )
        self.show(name, add if len(lines) else None)

    def surfaces(self, name: str, geometry: MergedGeometry) -> None:
        """Show triangles, world, with the scene's materials, in place of what had the name."""
        if not len(geometry.triangles):
            return self.show(name, None)
        placed = replace(geometry, positions=self._frame.points(geometry.positions))
        add = partial(
            self._server.scene.add_glb,
            glb_data=glb_of(by_material(placed), self._scene.materials),
            cast_shadow=False,
            receive_shadow=False,
        )
        self.show(name, add)

    def points(self, name: str, points: np.ndarray, color: tuple[float, float, float], size: float) -> None:
        """Show (n, 3) world points of a size in browser units, in place of what had the name."""
        add = partial(
            self._server.scene.add_point_cloud,
            points=self._frame.points(points).astype(np.float32),
            colors=color,
            point_size=size,
            point_shape="circle",
            precision="float32",
        )
        self.show(name, add if len(points) else None)

    def label(self, name: str, text: str, point: np.ndarray) -> None:
        """Show a text at a (3,) world point, in place of what had the name."""
        place = self._frame.points(point)
        self.show(name, partial(self._server.scene.add_label, text=text, position=place, anchor="center-center"))


def boxes_of(scene: Scene, ids: np.ndarray) -> np.ndarray:
    """Return (12 n, 2, 3) edges of the boxes around nodes and all below them, along the nodes' own axes, world."""
    below = with_all_below(scene, ids)
    shown = below[(scene.mesh_ids[below] >= 0) & (scene.layers[below] != HIDDEN)][:_MOST_BOXES]
    rows = scene.meshes.rows
    lower, upper = (rows[side][scene.mesh_ids[shown]] for side in ("lower", "upper"))
    unit = box_corners(np.zeros(3), np.ones(3))
    corners = lower[:, None] + unit * (upper - lower)[:, None]
    world = scene.world_from_local[shown]
    placed = corners @ world[:, :3, :3].transpose(0, 2, 1) + world[:, None, :3, 3]
    return placed[:, BOX_EDGES].reshape(-1, 2, 3)


@dataclass(frozen=True)
class BrowserFront:
    """The parts of a page that a feature adds to."""

    context: Context  # what commands act on
    forms: BrowserForms
    controls: Controls
    overlays: Overlays
    hand: BrowserHand

    @property
    def editor(self) -> Editor:
        """Changes the scene."""
        return self.context.editor


class BrowserContribution(Protocol):
    """A feature in browsers."""

    @property
    def commands(self) -> Sequence[Command]:
        """Commands of the window that browsers have, too, bound to what they act on."""

    def update(self) -> None:
        """Show what has changed; called again and again."""


@dataclass(frozen=True)
class BrowserMenu:
    """A feature that has nothing but commands in browsers."""

    commands: Sequence[Command]

    def update(self) -> None:
        """Do nothing: the menus show what has changed."""


@dataclass(frozen=True)
class BrowserPart:
    """Makes a feature's contribution to the pages of a front."""

    FILE: ClassVar[str] = "browser"
    contribute: Callable[[BrowserFront], BrowserContribution]
