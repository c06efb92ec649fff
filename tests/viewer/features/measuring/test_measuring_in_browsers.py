"""Measuring in browsers: by a connection that sends what a page would send, and in a real Chromium."""

from contextlib import ExitStack
from functools import partial

import numpy as np
import pytest

pytest.importorskip("viser", reason="octoscope[web] is not installed")

from octoscope.scene.annotations.measurement import ANGLE, DISTANCE, IN_WORLD, Anchor, Measurement
from octoscope.scene.measuring.measurements import world_points
from octoscope.viewer.features.measuring.browser import BrowserMeasuring
from tests.viewer.chromium import PROGRAM, running_chromium
from tests.viewer.features.web.serving import CAMERA, Served, connected, packed, served_to_one
from tests.viewer.features.web.test_browser import COLORS, pixel_of, press, seen_at, three_cubes
from tests.viewer.features.web.test_session import click, cubes


@pytest.fixture
def serve():
    """Return a function that serves a scene, and a connection to it that has sent its first camera."""
    with ExitStack() as stack:
        yield lambda scene: stack.enter_context(served_to_one(scene))


@pytest.fixture
def cubes_page():
    """Return three cubes that are served, and a page that shows them."""
    with running_chromium() as chromium:
        served = Served(three_cubes())
        page = chromium.new_page(served.address)
        served.until_connected()
        served.until_picture(page, partial(seen_at, served), {name: name for name in COLORS})
        yield served, page
        page.close()
        served.close()


def test_measurements_are_shown(serve):
    scene = cubes(30)
    served, _ = serve(scene)
    overlays = served.session._overlays
    anchors = tuple(Anchor(IN_WORLD, (2e5 + x, 0.0, 0.0)) for x in (0.0, 3.0))
    corner = tuple(Anchor(IN_WORLD, (2e5 + x, y, 0.0)) for x, y in ((4.0, 0.0), (0.0, 0.0), (0.0, 4.0)))
    scene.measurements = [Measurement(DISTANCE, anchors), Measurement(ANGLE, corner)]
    served.until(lambda: "measurements" in overlays._handles, "the overlays")
    assert [overlays._handles[f"label {number}"].text for number in range(2)] == ["3.000", "90.00°"]
    lines = served.session.mirror.frame.world_points(overlays._handles["measurements"].points) - (2e5, 0.0, 0.0)
    np.testing.assert_allclose(lines[0], [(0.0, 0.0, 0.0), (3.0, 0.0, 0.0)], atol=1e-5)
    legs = [[(4.0, 0.0, 0.0), (0.0, 0.0, 0.0)], [(0.0, 0.0, 0.0), (0.0, 4.0, 0.0)]]
    np.testing.assert_allclose(lines[1:3], legs, atol=1e-5)
    radii = np.linalg.norm(lines[3:], axis=2)
    assert len(radii) > 10 and np.ptp(radii) < 1e-4 and 0.5 < radii.mean() < 4.0, "an arc between the legs"
    scene.measurements = []
    served.until(lambda: not overlays._handles, "the overlays to go")


def test_measuring_clicks_anywhere_even_outside_of_the_picture_do_no_harm(serve):
    served, connection = serve(cubes(20))
    (part,) = (part for part in served.session._panel._features if isinstance(part, BrowserMeasuring))
    part.tool.toggle(DISTANCE)
    for x, y in np.random.default_rng(2).uniform(-1.0, 2.0, (40, 2)).tolist():
        click(connection, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0), at=(x, y))
    part.tool.toggle(DISTANCE)
    served.session.editor.select([0])
    click(connection, (500.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    served.until(lambda: not len(served.session.editor.selected_ids), "the last click")


def test_clicks_of_others_select_while_one_browser_measures(serve):
    served, _ = serve(cubes(20))
    session, hand = served.session, served.session._hand
    (part,) = (part for part in session._panel._features if isinstance(part, BrowserMeasuring))
    run = session._panel.commands.run
    with connected(session.server) as second:
        second.send(packed("ViewerCameraMessage", **CAMERA))
        served.until_connected(2)
        one, other = session.server.viser.get_clients().values()
        session.call(partial(run, "tools.measure_distance"), one)
        served.until(lambda: part._figures.label == "Browser 1", "the others to be told who measures")
        click(second, (500.0, 0.0, 0.0), (1.0, 0.0, 0.0))
        session.editor.select([0])
        served.until(lambda: not len(session.editor.selected_ids), "a click of the other one to select")
        session.call(partial(run, "tools.measure_distance"), other)
        served.until(lambda: hand.is_of(other) and not hand.is_of(one), "the other one to measure")
    served.until(lambda: hand.tool is None, "the tool to go with its browser")


@pytest.mark.slow
@pytest.mark.skipif(PROGRAM is None, reason="there is no Chromium: apt install chromium")
def test_two_clicks_make_a_distance_that_is_drawn_kept_in_the_history_and_removed(cubes_page):
    served, page = cubes_page
    scene = served.scene
    served.session.editor.select([scene["green"].id])
    served.until(lambda: served.session._gizmo._handle is not None, "the handles, which would take clicks")
    press(page, "Measure distance")
    served.until(lambda: served.session._gizmo._handle is None, "the handles to go")
    ends = np.array([(-2.5, -0.5, 0.5), (2.5, -0.5, 0.5)])  # corners of the red and the blue cube
    page.click(*pixel_of(served, ends[0]))
    served.until(lambda: "points" in served.session._overlays._handles, "the first point")
    page.click(*pixel_of(served, ends[1]))
    served.until(lambda: scene.measurements, "a measurement")
    (made,) = scene.measurements
    np.testing.assert_array_equal(world_points(scene, made.anchors), ends)
    assert [anchor.node for anchor in made.anchors] == [scene["red"].id, scene["blue"].id]

    def has_line(picture: np.ndarray) -> bool:
        between = [pixel_of(served, ends[0] + share * (ends[1] - ends[0])) for share in (0.2, 0.8)]
        places = [picture[round(y) - 2 : round(y) + 3, round(x)].astype(int) for x, y in between]
        return all(((place[:, 0] > 150) & (place[:, 1] > 120) & (place[:, 2] < 110)).any() for place in places)

    served.until_picture(page, has_line, True)
    assert served.session._overlays._handles["label 0"].text == "5.000"
    press(page, "Remove last measurement")
    served.until(lambda: not scene.measurements, "the measurement to be removed")
    served.until_picture(page, has_line, False)
    press(page, "Undo Remove a distance")
    served.until(lambda: scene.measurements == (made,), "the measurement to come back")
    press(page, "Undo Measure a distance")
    served.until(lambda: not scene.measurements, "the measurement to be undone")
    press(page, "Measure distance")
    served.until(lambda: served.session._context.tools.hand.tool is None, "measuring to stop")
