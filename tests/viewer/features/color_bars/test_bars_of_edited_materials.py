"""The bar of a colour scale goes on with the object that it explains."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from octoscope.scene import Scene
from octoscope.viewer.editing.material_editing import MaterialEditing
from octoscope.viewer.features.color_bars.decoration import ColorBars
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
        return [scale.title for scale in app.view.decoration(ColorBars).scales()]

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
