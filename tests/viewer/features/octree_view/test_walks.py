"""Walks of the octree in a window: played, stepped, recorded, ended."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest
from imgui_bundle import imgui
from PIL import Image

from octoscope.scene import Scene
from octoscope.viewer.camera.camera import box_corners
from octoscope.viewer.editing.jobs import JobKind
from octoscope.viewer.features.octree_view import words
from octoscope.viewer.features.octree_view.decoration import OctreeCells
from octoscope.viewer.features.octree_view.panel import OctreePanel
from octoscope.viewer.features.octree_view.player import STEP_SECONDS, WalkPlayer
from octoscope.viewer.settings.config import WindowState
from octoscope.viewer.ui.imgui.docking import Area
from tests.cases import quick
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import crowd

SIZE = (96, 64)


@pytest.fixture
def app(open_app) -> HeadlessApp:
    app = open_app(crowd(300, seed=4), state=WindowState(open={OctreePanel.id: True, "inspector": False}))
    app.view.update()
    app.view.framing.frame_nodes(app.view.index.all_ids()[:5])
    app.view.build_frames(SIZE)
    app.settle()
    return app


def player(app: HeadlessApp) -> WalkPlayer:
    return app.view.decoration(OctreeCells).player


def run(app: HeadlessApp, name: str) -> None:
    app.table.run(app.table[f"octree.walk_{name}"])
    app.settle()


def pose(app: HeadlessApp) -> tuple[float, ...]:
    camera = app.view.camera
    return (*camera.pivot.tolist(), camera.yaw_rad, camera.pitch_rad, camera.distance)


def test_a_click_on_an_object_behind_the_camera_is_one_at_the_middle_of_the_picture(app):
    scene = app.view.scene
    node = scene.objects[0]
    node.translation = app.view.camera.position + 50.0 * app.view.camera.axes[2]
    app.editor.select([node.id])
    app.settle()
    run(app, "ray")
    assert player(app).walk is not None


@pytest.mark.parametrize("query", quick(["cull", "ray"], 1))
def test_each_step_is_drawn_from_outside_until_the_end(app, query):
    before = pose(app)
    assert not app.table["octree.walk_next"].enabled()
    run(app, query)
    walk = player(app).walk
    assert walk is not None and len(walk.steps) > 8 and pose(app) != before
    area = app.view.layout.area()
    lower, upper = app.view.decoration(OctreeCells).tree.root
    frustum = np.clip(walk.lines.reshape(-1, 3), 3.0 * lower - 2.0 * upper, 3.0 * upper - 2.0 * lower)
    points = np.concatenate([box_corners(lower, upper), walk.origin[None], frustum])
    pixels = app.view.layout.projection_of(app.view.active).pixels(points)
    assert (pixels >= 0.0).all() and (pixels <= area.size).all(), "the root and the camera are in the picture"
    assert (np.ptp(pixels[:8], axis=0) > 0.5 * np.array(area.size)).any(), "and the root is large there"
    run(app, "play")
    player(app).place = 0
    for place in range(len(walk.steps)):
        assert player(app).place == place
        frame = app.view.build_frames(SIZE)[0].frame
        assert len(frame.helpers.cells) == place + 1 and frame.annotations is not None
        is_last = place == len(walk.steps) - 1
        assert len(walk.caption(place)) == 2 + 2 * is_last, "which cell, and its answer; at the end the sum"
        assert len(frame.annotations.images) > len(walk.caption(place)), "wrapped in so small a picture"
        asked = len(walk.steps[place].tested) + len(walk.steps[place].copied)
        dots = (frame.annotations.segments[:, :2] == frame.annotations.segments[:, 2:]).all(axis=1).sum()
        assert dots <= asked + 1 + len(walk.found) * is_last, (
            "an object has a dot where it is in the picture; the camera has one, too"
        )
        run(app, "next")
    assert player(app).place == len(walk.steps) - 1
    run(app, "back")
    assert player(app).place == len(walk.steps) - 2
    run(app, "end")
    frame = app.view.build_frames(SIZE)[0].frame
    assert pose(app) == before
    assert len(frame.helpers.cells) == 0
    assert frame.annotations is None or not len(frame.annotations.images)


@pytest.mark.parametrize("query", ["cull", "ray"])
def test_an_empty_scene_is_refused_in_a_line(open_app, query):
    app = open_app(Scene())
    run(app, query)
    assert player(app).walk is None and "no objects" in app.editor.log.toasts[-1].text


def test_the_end_gives_the_camera_back_to_the_viewport_that_began(app):
    app.view.layout.set_count(2)
    before = [viewport.camera for viewport in app.view.viewports]
    app.shell.show_panel("inspector")
    run(app, "cull")
    assert app.shell.is_in_front("octree") and app.session.status_line.startswith("Cull in slow motion, step 1 of ")
    app.view.active = app.view.viewports[1]
    app.press("Escape")
    assert player(app).walk is None and [viewport.camera for viewport in app.view.viewports] == before


def test_captions_keep_off_the_labels_of_viewports(app):
    run(app, "cull")
    annotations = app.view.build_frames((640, 360))[0].frame.annotations
    lowest = max(middle[1] + image.shape[0] / 2.0 for image, middle in annotations.images)
    assert lowest < 360 - 25, "labels have a margin of 10 and a line of 15 pixels"


def test_it_plays_by_the_clock_and_stops_at_the_end(app):
    seconds = [0.0]
    app.view.redraw.clock = lambda: seconds[0]
    run(app, "cull")
    assert player(app).is_playing and player(app).place == 0
    seconds[0] = 3.5 * STEP_SECONDS
    assert len(app.view.build_frames(SIZE)[0].frame.helpers.cells) == 4
    assert app.view.redraw.seconds_left <= 0.5 * STEP_SECONDS + 0.01, "the next picture is asked for"
    run(app, "play")
    seconds[0] += 100.0
    assert player(app).place == 3 and not player(app).is_playing
    run(app, "play")
    seconds[0] += 1000.0
    app.view.build_frames(SIZE)
    assert player(app).place == player(app).last and not player(app).is_playing
    run(app, "play")
    assert player(app).place == 0 and player(app).is_playing, "once more"


def test_another_speed_goes_on_from_the_step_that_is_shown(app):
    seconds = [0.0]
    app.view.redraw.clock = lambda: seconds[0]
    run(app, "cull")
    seconds[0] = 2.5 * STEP_SECONDS
    assert player(app).place == 0, "the panel says the step that the last picture shows"
    app.view.build_frames(SIZE)
    player(app).step_seconds = 0.1
    assert player(app).place == 2 and player(app).is_playing
    seconds[0] += 0.35
    app.view.build_frames(SIZE)
    assert player(app).place == 5


def test_the_sum_of_a_cull_is_that_of_its_objects(app):
    run(app, "cull")
    walk, scene = player(app).walk, app.view.scene
    numbers = [int(each.replace(",", "")) for each in re.findall(r"[\d,]*\d", " ".join(walk.summary))]
    cells, all_cells, tested, total, found, *copied, flat = numbers
    assert total == flat == int((scene.mesh_ids >= 0).sum()) and tested + sum(copied) <= total
    assert cells == len(walk.steps) and all_cells >= len(app.view.decoration(OctreeCells).tree.cells().levels)
    asked = np.concatenate([ids for step in walk.steps for ids in (step.tested, step.copied)])
    assert found == len(walk.found) == np.isin(asked, walk.found).sum()


def test_a_ray_hits_what_a_click_there_hits(app):
    node = int(app.view.index.all_ids()[2])
    app.editor.select([node])
    app.settle()
    before = pose(app)
    run(app, "ray")
    ((_, end),) = player(app).walk.lines
    run(app, "end")
    assert pose(app) == before
    app.view.build_frames(SIZE)
    middle = app.view.scene.own_bounds(np.array([node]))
    (pixel,) = app.view.layout.projection_of(app.view.active).pixels(np.mean(middle, axis=0)[None])
    hit = app.view.snapshot.nearest_triangle(app.view.layout.area().point(pixel), app.view.snapshot.drawn)
    assert hit is not None
    np.testing.assert_allclose(end, hit.point, atol=1e-4)


def test_an_edit_ends_it(app):
    run(app, "cull")
    app.editor.select(app.view.index.all_ids()[:1])
    app.table.run(app.table["edit.delete"])
    app.settle()
    assert player(app).walk is None and not app.table["octree.walk_next"].enabled()
    assert app.table["octree.walk_end"].enabled() and player(app).is_outdated
    run(app, "end")
    assert not player(app).is_outdated and not len(app.view.build_frames(SIZE)[0].frame.helpers.cells)


@pytest.mark.parametrize("is_shown", [False, True])
def test_a_walk_is_seen_and_leaves_the_switch_of_cells_as_it_is(app, is_shown):
    cells = app.view.decoration(OctreeCells)
    cells.is_shown = is_shown
    run(app, "cull")
    for _ in range(2):
        frame = app.view.build_frames(SIZE)[0].frame
        assert len(frame.helpers.cells) and frame.annotations is not None
        assert cells.is_shown == is_shown, "which is kept for the next start, however the walk ends"
        cells.is_shown = is_shown = not is_shown
    run(app, "end")
    assert cells.is_shown == is_shown


def test_it_is_recorded_step_by_step(app, tmp_path):
    app.view.layout.resize(SIZE)
    run(app, "ray")
    player(app).walk.steps[:] = player(app).walk.steps[:6]
    app.view.layout.resize(SIZE)
    requests = []
    app.document.flows._ask_path = requests.append
    app.table.run(app.table["octree.walk_record"])
    (request,) = requests
    request.choose(tmp_path / "ray.gif")
    app.editor.jobs.wait(JobKind.WRITE)
    app.settle()
    with Image.open(tmp_path / "ray.gif") as film:
        assert film.n_frames == 6 and film.info["duration"] == 1000.0 * STEP_SECONDS
        film.seek(5)
        assert film.info["duration"] >= 4000.0 * STEP_SECONDS, "the sum is to be read"
        shown = []
        for place in range(6):
            film.seek(place)
            shown.append(np.asarray(film.convert("RGB")).astype(int))
    assert all(np.abs(a - b).max() > 60 for a, b in pairwise(shown))
    assert "exported" in app.editor.log.toasts[-1].text


def test_showing_cells_leaves_the_camera_where_it_is(app):
    app.view.framing.frame_nodes(None)
    framed = pose(app)
    for command in ("cells", "whole_tree", "selected_cell"):
        app.table.run(app.table[f"octree.{command}"])
        assert pose(app) == framed


def test_a_legend_lies_over_the_picture_while_the_panel_is_out_of_sight(app):
    def is_drawn() -> bool:
        app.settle()
        legend = imgui.internal.find_window_by_name("octree legend")
        return legend is not None and legend.active

    app.view.decoration(OctreeCells).is_shown = True
    assert not is_drawn()
    app.shell.show_panel("inspector")
    assert is_drawn()
    app.table.run(app.table["view.four"])
    assert is_drawn() and app.session._overlay_areas
    legend, picture = imgui.internal.find_window_by_name("octree legend"), app.shell.picture
    lies = Area(*legend.pos, *(legend.pos + legend.size)).moved(-picture.left, -picture.top)
    assert not any(lies.overlaps(axes) for axes in app.session._overlay_areas), "it keeps off the axes of each view"
    run(app, "cull")
    app.shell.show_panel("inspector")
    assert not is_drawn(), "it would be of other colours"


def test_each_word_of_the_panel_has_a_meaning(app, monkeypatch):
    explained = []
    monkeypatch.setattr(words, "_MEANINGS", Recording(words._MEANINGS, explained))
    app.editor.select(app.view.index.all_ids()[:1])
    app.settle()
    run(app, "cull")
    assert {"cells", "levels", "slow motion", "cull", "depth", "comparison"} <= set(explained)


class Recording(dict):
    """Meanings, which notes what is asked for."""

    def __init__(self, meanings: dict[str, str], asked: list[str]) -> None:
        super().__init__(meanings)
        self._asked = asked

    def __getitem__(self, word: str) -> str:
        self._asked.append(word)
        return super().__getitem__(word)


def test_buttons_of_the_panel_do_what_they_say(app, monkeypatch):
    """Each is clicked while the panel is drawn, which goes on to say what is left."""
    before = pose(app)
    for name, is_left in (("cull", True), ("back", True), ("next", True), ("play", True), ("end", False)):
        monkeypatch.setattr(imgui, "button", lambda label, *_, name=name: label.endswith(f"walk_{name}"))
        app.frame()
        monkeypatch.undo()
        assert (player(app).walk is not None) == is_left, name
    assert pose(app) == before
