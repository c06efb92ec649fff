"""Measuring in a tileset that streams into a view."""

from __future__ import annotations

import numpy as np

from octoscope.scene.annotations.measurement import DISTANCE
from octoscope.viewer.features.measuring.decoration import Measurements
from octoscope.viewer.features.measuring.tool import MeasureTool
from octoscope.viewer.tools.tool import Hand
from tests.scene.streaming.villages import placed, write_village
from tests.viewer.features.tiles.test_tile_stream import SIZE, Streaming


def test_what_is_measured_stays_where_it_was_clicked_while_its_tile_goes_until_it_is_removed(tmp_path):
    """Its nodes then show other tiles: the point jumped there. It is no edit: nothing can be saved or undone."""
    at = Streaming(placed(write_village(tmp_path), [(100.0 * x, 0.0, 0.0) for x in range(5)]))
    at.look_from(25.0, pivot=(400.0, 0.0, 0.0))
    at.settle()
    at.view.build_frames(SIZE)
    tool = MeasureTool(at.view, at.editor.do_annotations, lambda text: None, Hand(), lambda: False)
    tool.toggle(DISTANCE)
    for x in range(100, SIZE[0], 100):
        tool.add_point(at.view.locate((float(x), SIZE[1] / 2)))
        if at.view.decoration(Measurements).preview is not None:
            break
    (point,) = at.view.decoration(Measurements).preview.points
    for x in (0.0, 100.0):
        at.look_from(25.0, pivot=(x, 0.0, 0.0))
        at.settle()
        tool.hover(None)
        np.testing.assert_array_equal(at.view.decoration(Measurements).preview.points, [point])
    at.view.build_frames(SIZE)
    for x in range(100, SIZE[0], 100):
        tool.add_point(at.view.locate((float(x), SIZE[1] / 2)))
        if tool.last() is not None:
            break
    (measured,) = at.view.decoration(Measurements).shown()
    assert measured.anchors[0].point == tuple(point) and at.messages == [] and not at.editor.history.entries
    at.look_from(25.0, pivot=(300.0, 0.0, 0.0))
    at.settle()
    assert at.view.decoration(Measurements).shown() == [measured]
    tool.remove_last()
    assert at.view.decoration(Measurements).shown() == [] and at.messages == []
