"""Copy a scene for another thread."""

from __future__ import annotations

from octoscope.scene.scene import OWN, Scene

_DERIVED = ("layer", "world_from_local", "world_sphere", "world_revision")


def snapshot(scene: Scene) -> Scene:
    """Return a copy of a scene; changing one of the two leaves the other unchanged.

    Meshes are shared, since they only grow. World matrices, spheres and the octree are not copied but recomputed when
    the copy is asked for them: copying a million nodes takes as long as one frame.
    """
    copy = Scene()
    vars(copy).update({name: value for name, value in vars(scene).items() if name not in OWN})
    copy._nodes = scene._nodes.copy(without=_DERIVED)
    copy._mark_changed(slice(None))
    copy.meshes = scene.meshes.frozen()
    copy.project = scene.project.copy()
    copy.report = scene.report.copy()
    return copy
