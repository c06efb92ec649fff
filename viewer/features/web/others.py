"""Others: where the other people are, in each browser: their cameras, with names and colours."""

from __future__ import annotations

import colorsys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from viser import CameraHandle, ViserServer

_SECONDS = 0.1  # between two looks at cameras
_SIZE = 0.4  # of a frustum, browser units: the scene is 8 to 16 wide
_NEAREST = 3.0 * _SIZE  # what is nearer would lie over all of the picture, as that of who has just come
_GOLDEN = 0.618  # of the circle of hues, between two people


class Others:
    """Frusta of browsers' cameras, each drawn in all browsers but its own.

    Args:
        is_good: whether a camera is one: what a browser sends may be anything.
    """

    def __init__(self, server: ViserServer, is_good: Callable[[CameraHandle], object]) -> None:
        self._server = server
        self._is_good = is_good
        self._shown: dict[tuple[int, int], Any] = {}  # viser's handle, by who sees it and whose camera it is
        self._stamps: dict[int, float] = {}  # of each camera's last message, as drawn
        self._looked = 0.0

    def update(self) -> None:
        """Draw cameras where they are now, but not those of browsers that have gone."""
        if time.perf_counter() - self._looked < _SECONDS:
            return
        self._looked = time.perf_counter()
        clients = self._server.get_clients()
        for pair in [pair for pair in self._shown if not clients.keys() >= set(pair)]:
            handle = self._shown.pop(pair)
            if pair[0] in clients:
                handle.remove()
        before, self._stamps = self._stamps, {each: client.camera.update_timestamp for each, client in clients.items()}
        moved = {number for number, stamp in self._stamps.items() if stamp != before.get(number)}
        for number, client in clients.items():
            camera, is_good = client.camera, bool(self._is_good(client.camera))
            for viewer in clients.values():
                pair = viewer.client_id, number
                if viewer is client or moved.isdisjoint(pair):
                    continue
                handle = self._shown.get(pair)
                if handle is None:
                    handle = self._shown[pair] = _added(viewer.scene, number)
                away = np.linalg.norm(camera.position - viewer.camera.position)
                handle.visible = bool(is_good and away > _NEAREST)
                if is_good:
                    handle.position, handle.wxyz, handle.fov = camera.position, camera.wxyz, camera.fov
                    handle.aspect = max(camera.image_width, 1) / max(camera.image_height, 1)


def _added(scene: Any, number: int) -> Any:
    color = colorsys.hsv_to_rgb(number * _GOLDEN % 1.0, 0.7, 1.0)
    name, shadowless = f"/others/{number}", {"cast_shadow": False, "receive_shadow": False}
    handle = scene.add_camera_frustum(name, 1.0, 1.0, scale=_SIZE, color=color, **shadowless)
    scene.add_label(f"{name}/name", f"Browser {number + 1}", anchor="bottom-center")
    return handle
