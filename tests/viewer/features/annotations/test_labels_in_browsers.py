"""Labels in browsers, by a connection that sends what a page would send."""

import pytest

pytest.importorskip("viser", reason="octoscope[web] is not installed")

from octoscope.scene.annotations.labels import Label
from octoscope.scene.annotations.measurement import Anchor
from tests.viewer.features.web.serving import served_to_one
from tests.viewer.features.web.test_session import cubes


def test_labels_are_shown_follow_their_objects_and_go_with_them():
    scene = cubes(30)
    with served_to_one(scene) as (served, _):
        overlays = served.session._overlays
        scene.labels = [
            Label("**a** [b](http://c)", Anchor(0, (0.0, 0.0, 0.0))),
            Label("x", Anchor(1, (0.0, 0.0, 0.0))),
        ]
        served.until(lambda: "note 1" in overlays._handles, "the labels")
        assert overlays._handles["note 0"].text == "a b"
        scene.delete(scene[0])
        served.until(lambda: "note 1" not in overlays._handles, "one label alone")
        assert overlays._handles["note 0"].text == "x"
        scene.labels = []
        served.until(lambda: not overlays._handles, "the labels to go")
