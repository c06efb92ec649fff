"""Values of materials are changed; what belongs to the first material belongs to its copy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from octoscope.scene import Scene
from octoscope.viewer.editing.material_editing import MaterialEditing
from octoscope.viewer.frame.look.color_bars import ShownScales
from tests.viewer.headless_app import HeadlessApp


def test_colours_that_stand_for_numbers_keep_their_bar_when_their_material_is_changed(
    open_app: Callable[..., HeadlessApp],
) -> None:
    scene = Scene()
    corners = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)])
    values = scene.add_mesh("values", corners, [(0, 1, 2)], scalars=[1, 2, 3], title="p")
    plain = scene.add_mesh("plain", corners, [(0, 1, 2)])
    app = open_app(scene)

    def bars() -> list[str]:
        app.settle()
        return [scale.title for scale in ShownScales(scene).find(None)]

    editing = MaterialEditing(app.editor)
    assert bars() == ["p"]
    editing.change(np.array([values.id]), metallic=1.0)
    assert scene.materials[int(scene.material_overrides[values.id])].metallic == 1.0 and bars() == ["p"]
    editing.change(np.array([plain.id]), metallic=1.0)
    app.editor.select([values.id])
    app.table.run(app.table["edit.delete"])
    assert bars() == []
    app.press("Ctrl+Z")
    app.press("Ctrl+Z")
    app.press("Ctrl+Z")
    assert bars() == ["p"]


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
