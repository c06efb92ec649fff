"""Values of materials are changed; what belongs to the first material belongs to its copy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from octoscope.scene import Scene
from octoscope.viewer.editing.material_editing import MaterialEditing
from tests.viewer.headless_app import HeadlessApp


def test_undo_of_a_colour_leaves_no_material_behind(open_app: Callable[..., HeadlessApp]) -> None:
    scene = Scene()
    box = scene.add_mesh("box", np.eye(3), [(0, 1, 2)])
    app = open_app(scene)
    editing = MaterialEditing(app.editor)

    def names() -> list[str]:
        return sorted(material.name for material in scene.used_materials)

    assert names() == []
    for color in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)):
        editing.change(np.array([box.id]), base_color=color)
        assert names() == ["material"], "the name that an undone edit used is free again"
        app.press("Ctrl+Z")
        assert names() == []
    app.press("Ctrl+Y")
    assert names() == ["material"]
    assert scene.materials[int(scene.material_overrides[box.id])].base_color == (0.0, 1.0, 0.0)
