"""Objects near the end of what a number can say, in the interface: nothing fails, and the camera can see."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene import editing
from tests.scene.editing.test_far_out import far_scene
from tests.viewer.headless_app import HeadlessApp


@pytest.mark.parametrize(("scale", "place"), [(1.0, 1e308), (1e200, 0.0), (1e-200, 1.7e308)])
def test_handles_panels_and_framing_live_with_objects_that_are_too_far_or_too_large(ctx, scale, place):
    with np.errstate(all="raise", under="ignore"):
        app = HeadlessApp(ctx, far_scene(scale, place))
        app.editor.select([1, 3])
        for command in ("gizmo.move", "view.frame", "gizmo.rotate", "view.frame_all"):
            for far in (1e308, 1e155):
                app.editor.run(editing.set_world, [1, 3, 4], translation=(far, -far, far))
                app.table.run(app.table[command])
                for _ in range(4):
                    app.frame()
                app.view.build_frames((64, 64))
                app.view.snapshot.pick_through((0.5, 0.5))
                camera = app.view.camera
                assert np.isfinite(camera.position).all() and np.isfinite(camera.distance)
                app.editor.undo()
        app.close()
