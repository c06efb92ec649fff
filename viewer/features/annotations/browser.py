"""BrowserLabels: the scene's labels over the pictures of browsers, as plain texts."""

from __future__ import annotations

import numpy as np

from octoscope.scene.annotations.labels import plain_text
from octoscope.scene.measuring.measurements import shown_labels, world_places
from octoscope.viewer.features.web.front import MOST_TEXTS, BrowserFront, BrowserPart


class BrowserLabels:
    """Labels in browsers."""

    commands = ()

    def __init__(self, front: BrowserFront) -> None:
        self._scene = front.editor.scene
        self._overlays = front.overlays
        self._count = 0

    def update(self) -> None:
        """Show the labels if they are others, or elsewhere."""
        scene = self._scene
        if not self._overlays.is_new("labels", (scene.world_revision, scene.version if scene.labels else 0)):
            return
        for number in range(self._count):
            self._overlays.show(f"note {number}", None)
        labels = [label for label in scene.labels if label.is_shown]
        nodes = np.array([label.anchor.node for label in labels], dtype=np.int64)
        chosen = np.flatnonzero(shown_labels(scene, nodes))[:MOST_TEXTS]
        points = np.array([labels[place].anchor.point for place in chosen], dtype=np.float64).reshape(-1, 3)
        for number, (place, point) in enumerate(zip(chosen, world_places(scene, nodes[chosen], points), strict=True)):
            self._overlays.label(f"note {number}", plain_text(labels[place].text), point)
        self._count = len(chosen)


PART = BrowserPart(BrowserLabels)
