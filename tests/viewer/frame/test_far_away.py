"""Objects farther away, or larger, than numbers can look at: the window goes on, and undo has them back."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene import change_nodes
from octoscope.viewer.tools.gizmo.settings import MOVE, ROTATE, SCALE
from tests.cases import quick
from tests.viewer.scenes import box_scene


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # what is drawn of them is nothing, or anything
@pytest.mark.parametrize("orthographic", (False, True), ids=("perspective", "orthographic"))
@pytest.mark.parametrize("column", ("translation", "scale"))
@pytest.mark.parametrize("size", quick((1e154, 1e160, 1e200, 1.7e308), 2))
def test_what_is_typed_too_large_can_be_framed_worked_with_and_undone(open_app, size, column, orthographic):
    app = open_app(box_scene())
    before = {name: getattr(app.editor.scene, name).copy() for name in ("translations", "scales")}
    if orthographic:
        app.press("Num 5")
    for mode in (MOVE, ROTATE, SCALE):
        app.tools.gizmo.settings.mode = mode
        app.editor.do(change_nodes(app.editor.scene, [1], **{column: [(size, 1.0, 0.0)]}))
        app.editor.select([1])
        app.settle()
        for key in ("F", "Home"):
            app.press(key)
            app.view.build_frames((600, 400))
            for corner in ((0.9, 0.9), (0.5, 0.5001)):
                app.view.snapshot.pick_box((0.5, 0.5), corner, wholly=False)
            app.drag((600.0, 300.0), (700.0, 350.0))
            app.editor.select([1])
            app.click((600.0, 300.0))
        assert all(np.isfinite(viewport.camera.position).all() for viewport in app.view.viewports)
        app.editor.go_to(0)
        app.press("Home")
        for name, values in before.items():
            np.testing.assert_array_equal(getattr(app.editor.scene, name), values)
