"""Snapshot: a scene as it is now, for a thread that writes it while the scene goes on."""

from __future__ import annotations

from scene.scene import OWN, Scene

_DERIVED = ("layer", "world_from_local", "world_sphere", "world_revision")


def snapshot(scene: Scene) -> Scene:
    """A scene of the same nodes, meshes and whatever a file holds; changing one of the two leaves the other as it is.

    Meshes are shared, for they only grow. What follows from the nodes is left to be computed anew, which whoever asks
    does: a million nodes are copied in the time of a picture.
    """
    copy = Scene()
    vars(copy).update({name: value for name, value in vars(scene).items() if name not in OWN})
    copy._nodes = scene._nodes.copy(without=_DERIVED)
    copy._mark_changed(slice(None))
    copy.meshes = scene.meshes.frozen()
    copy.project = scene.project.copy()
    copy.report = scene.report.copy()
    return copy
