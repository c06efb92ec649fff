"""A window into which a tileset streams while its camera flies through."""

from __future__ import annotations

import json

from tests.scene.streaming.villages import placed, write_village
from tests.viewer.windows.window_steps import WINDOW_TEST
from tests.viewer.windows.xvfb import open_window, wait_for

pytestmark = WINDOW_TEST
# It looks from a place until all is there that can be seen from it, then from the next one. Each of its frames checks
# that every part of the tileset is shown by one tile.
FLIGHT = """
import json, sys
from dataclasses import replace
from pathlib import Path
import numpy as np
from octoscope.scene.streaming.opening import open_tileset
from octoscope.viewer.app.app import App
from octoscope.viewer.document.options import DocumentOptions

streamed = open_tileset(Path(sys.argv[1]), budget=float(sys.argv[2]))
scene, tiles = streamed.scene, streamed.tiles
app = App(scene, DocumentOptions("flight", watch=False, streamed=streamed))
app.view.framing.frame_nodes(None)
app.view.layout.eases = False
leaves = np.flatnonzero(tiles.child_counts == 0)
places = [(8.0, (10, 0, 0)), (8.0, (110, 0, 0)), (400.0, (50, 0, 0))]
seen, pools = [], {scene.meshes.version}

def shares():
    counts = np.zeros(len(tiles), dtype=int)
    counts[streamed.shown] = 1
    for tile in range(1, len(tiles)):
        counts[tile] += counts[tiles.parents[tile]]
    return counts[leaves]

def fly():
    assert (shares() == 1).all(), "a hole, or a tile with its parent"
    pools.add(scene.meshes.version)
    if not app.is_idle or not app._picture.is_drawn:
        return
    seen.append((scene.element_count("triangle"), float(app._picture.image(app.view).std())))
    if len(seen) > len(places):
        facts = seen, len(pools), scene.row_count, app.session.editor.history.is_dirty
        Path("flown.json").write_text(json.dumps(facts))
        app.end()
        return
    app.session.stream._begin_eviction()  # as when the budget is full
    distance, pivot = places[len(seen) - 1]
    app.view.camera = replace(app.view.camera, pivot=np.array(pivot, dtype=float), distance=distance)

app.run(between_frames=fly, longest_wait_seconds=0.02)
"""


def test_a_flight_through_a_tileset_has_no_holes_and_no_edits(tmp_path):
    path = placed(write_village(tmp_path), [(0, 0, 0), (100, 0, 0)])
    script = tmp_path / "flight.py"
    script.write_text(FLIGHT)
    with open_window(path, 2e6, folder=tmp_path, script=script) as window:
        wait_for(lambda: window.process.poll() is not None, "the end of the flight")
        assert window.process.returncode == 0, window.errors
        assert window.errors == ""
    seen, pools, rows, is_dirty = json.loads((tmp_path / "flown.json").read_text())
    triangles, contrasts = zip(*seen, strict=True)
    assert len(set(triangles)) > 1  # it becomes finer and coarser on the way
    assert min(contrasts) > 1.0  # there is something to be seen from everywhere
    assert pools > 2 and rows < 2000 and not is_dirty
