"""Properties of objects as files state them, without a file."""

from __future__ import annotations

from octoscope.scene import Scene
from octoscope.scene.loaded_source import LoadedSource
from octoscope.scene.sources import NO_SOURCE


class Stated:
    """Each object has its own name, and each point of it a place."""

    is_of_points = True

    def grouped_properties(self, node):
        return {"Object": {"district": f"{node.name} <b>town</b>", "height": 3.25}}

    def properties_at(self, node, point):
        return {"side": "right" if point[0] > 0.0 else "left"}


def with_properties(scene: Scene) -> Scene:
    scene.loaded_sources = {NO_SOURCE: LoadedSource(properties=Stated())}
    return scene
