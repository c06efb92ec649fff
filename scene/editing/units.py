"""Converting a scene to another unit of length: everything gets other numbers, and stays as long as it is."""

from __future__ import annotations

import numpy as np

from octoscope.guesses import advises
from octoscope.scene.annotations.bookmarks import placed_bookmark
from octoscope.scene.annotations.labels import placed_labels
from octoscope.scene.annotations.measurement import placed_measurements
from octoscope.scene.conventions.length_unit import NO_UNIT, checked_length_unit
from octoscope.scene.conventions.world import World
from octoscope.scene.editing.edits import Edit, EditError, change_nodes, change_scene, combined
from octoscope.scene.editing.local_transforms import ignore_overflow, require_finite
from octoscope.scene.scene import Scene


@advises()
@ignore_overflow
def convert_unit(scene: Scene, unit: str) -> Edit:
    """Scale everything to another unit of length: what is 1 m long becomes 1000 mm long.

    Args:
        unit: "mm", "cm", "m", "in" or "ft".

    Raises:
        EditError: the scene does not say what its units are (scene.length_unit), or numbers overflow.
        ValueError: `unit` is none.
    """
    if scene.length_unit == NO_UNIT:
        raise EditError("the scene does not say what one unit is")
    if checked_length_unit(unit) == NO_UNIT:
        raise ValueError("a unit of length is needed to convert to")
    begin, end = World(scene.up_axis, scene.length_unit), World(scene.up_axis, unit)
    tops = np.flatnonzero(scene.alive & (scene.parents < 0))
    factor = begin.scale_to(end)
    translations, scales = factor * scene.translations[tops], factor * scene.scales[tops]
    cursor = None if scene.cursor is None else factor * np.array(scene.cursor)
    require_finite(translations, scales, np.zeros(0) if cursor is None else cursor)
    nodes = change_nodes(scene, tops, translation=translations, scale=scales)
    values = change_scene(
        scene,
        length_unit=unit,
        bookmarks={name: placed_bookmark(each, begin, end) for name, each in scene.bookmarks.items()},
        measurements=list(placed_measurements(scene.measurements, 0, begin, end)),
        labels=list(placed_labels(scene.labels, 0, begin, end)),
        cursor=cursor,
    )
    return combined(scene, f"Convert to {unit}", nodes, values)
