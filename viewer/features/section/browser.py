"""BrowserSection: the section in browsers, which all of them share: where its active plane lies, and the cut faces."""

from __future__ import annotations

from typing import Any

import numpy as np

from octoscope.scene.cutting.caps import Caps
from octoscope.scene.merging.merged_geometry import MergedGeometry
from octoscope.viewer.features.section.feature import command
from octoscope.viewer.features.section.tool import SectionTool
from octoscope.viewer.features.web.front import BrowserFront, BrowserPart
from octoscope.viewer.frame.section import SectionPlane


class BrowserSection:
    """A slider for the active plane, and the faces that close what is cut open."""

    def __init__(self, front: BrowserFront) -> None:
        self._view = front.context.view
        self._overlays = front.overlays
        self._tool = SectionTool(front.editor, front.context.tools.gizmo.settings)
        self.commands = command.bound_to(self._tool)
        self._folder: Any = front.controls.gui.add_folder("Section", visible=False)
        with self._folder:
            self._slider: Any = front.controls.gui.add_slider("Place (%)", 0.0, 100.0, 0.5, 50.0)
        self._shown = 50.0
        front.controls.follow(self._slider, self._move)

    def _reach(self, plane: SectionPlane) -> tuple[float, float]:
        """Return the offsets between which a plane meets the box around the scene."""
        lower, upper = self._view.visibility.bounds
        normal = np.array(plane.normal)
        middle, half = normal @ (lower + upper) / 2.0, np.abs(normal) @ (upper - lower) / 2.0
        return float(middle - half), float(middle + half)

    def _move(self) -> None:
        if self._slider.value == self._shown or not self._tool.planes:  # set by `update`
            return
        self._shown = self._slider.value
        plane = self._tool.planes[self._tool.active]
        low, high = self._reach(plane)
        self._tool.change(self._tool.active, SectionPlane(plane.normal, low + (high - low) * self._shown / 100.0))

    def update(self) -> None:
        """Show where the active plane lies, and the faces, if they are others."""
        view, planes = self._view, self._tool.planes
        section, isolated = view.settings.section, view.visibility.isolated_ids
        alone = None if isolated is None else isolated.tobytes()
        if not self._overlays.is_new("section", (section, alone, view.scene.version, self._tool.active)):
            return
        self._folder.visible = bool(planes)
        if planes:
            low, high = self._reach(planes[self._tool.active])
            share = (planes[self._tool.active].offset - low) / max(high - low, 1e-300)
            self._shown = float(np.clip(round(200.0 * share) / 2.0, 0.0, 100.0))
            self._slider.value = self._shown
        self._overlays.surfaces("caps", self._geometry(view.visibility.caps(section)))

    def _geometry(self, caps: Caps) -> MergedGeometry:
        """Return the faces with the colours of their objects, world."""
        scene = self._view.scene
        owners = np.repeat(caps.owners, 3)
        vertices, pool = np.repeat(np.repeat(caps.vertices, caps.counts), 3), scene.meshes.vertices
        overrides = scene.material_overrides[owners]
        places = np.arange(len(owners), dtype=np.int32)
        matrices, corners = scene.world_from_local[owners], caps.corners.reshape(-1, 3, 1)
        return MergedGeometry(
            positions=(matrices[:, :3, :3] @ corners)[:, :, 0] + matrices[:, :3, 3],
            normals=np.zeros((len(owners), 3), dtype=np.float32),
            uvs=pool["uv"][vertices],
            colors=pool["color"][vertices],
            material_ids=np.where(overrides >= 0, overrides, pool["material"][vertices]).astype(np.int32),
            objects=owners.astype(np.int32),
            triangles=places.reshape(-1, 3),
            lines=places[:0].reshape(-1, 2),
            points=places[:0].reshape(-1, 1),
        )


PART = BrowserPart(BrowserSection)
