"""A tileset that streams into a view: what is shown follows the camera, and nothing of it is an edit."""

from __future__ import annotations

import gc
import shutil
import threading
import weakref
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from imgui_bundle import imgui

from octoscope.scene import Scene, load
from octoscope.scene.editing import delete
from octoscope.scene.streaming.opening import open_tileset
from octoscope.scene.streaming.streamed_tiles import READ_ONLY, Eviction, StreamedTiles
from octoscope.viewer.camera import controls
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.jobs import JobKind
from octoscope.viewer.editing.log import Log
from octoscope.viewer.editing.object_properties import ObjectProperties
from octoscope.viewer.features.tiles import feature
from octoscope.viewer.features.tiles.stream import REST_SECONDS, TileStream
from octoscope.viewer.frame.redraw import Damage
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.stills import render
from octoscope.viewer.ui.panels.inspector import panel, transform
from tests.scene.streaming.villages import write_village
from tests.viewer.scenes import add_box_mesh

SIZE = (1600, 1200)  # nothing is drawn


@pytest.fixture(scope="module")
def village(tmp_path_factory) -> Path:
    return write_village(tmp_path_factory.mktemp("village"))


class Streaming:
    """A stream without a window; `is_uploaded` says whether the graphics card has all meshes."""

    def __init__(self, path: Path, budget_bytes: float = 1e9) -> None:
        self.tiles: StreamedTiles = open_tileset(path, budget=int(budget_bytes))
        self.view = View(self.tiles.scene)
        self.view.layout.resize(SIZE)
        self.view.framing.frame_nodes(None)
        self.editor = Editor(self.view, Log())
        self.is_uploaded = True
        self.stream = TileStream(self.editor, self.tiles, lambda meshes, waits: self.is_uploaded or waits)

    def settle(self) -> None:
        """Go on until nothing is under way."""
        self.turn()
        while self.stream.is_going:
            self.editor.jobs.wait(JobKind.STREAM)
            self.turn()

    def turn(self) -> None:
        """Do what a frame of the window does."""
        self.editor.poll()
        self.stream.poll()

    def look_from(self, distance: float, pivot=(0.0, 0.0, 0.0)) -> None:
        self.view.camera = replace(self.view.camera, pivot=np.array(pivot), distance=distance)

    @property
    def shown(self) -> list[str]:
        """The names of the tiles that are shown."""
        scene = self.tiles.scene
        return sorted(scene.names[scene.ids[scene.mesh_ids[scene.ids] < 0]].tolist())

    @property
    def messages(self) -> list[str]:
        return [entry.text for entry in self.editor.log.entries]


def test_it_becomes_finer_as_the_camera_comes_near_and_coarser_as_it_goes(village):
    at = Streaming(village / "tiles" / "tileset.json")
    at.look_from(1e5)
    at.settle()
    assert at.shown == ["tile 0/0/0/0"] and at.stream.text == ""
    at.look_from(60.0)
    at.turn()
    assert "to come" in at.stream.text and at.shown == ["tile 0/0/0/0"]
    at.settle()
    assert at.stream.text == "" and "tile 0/0/0/0" not in at.shown
    whole = load(village / "village.glb")
    assert 0.5 < at.tiles.scene.element_count("triangle") / whole.element_count("triangle") <= 1.0
    at.look_from(1e5)
    at.settle()
    assert at.shown == ["tile 0/0/0/0"]


def test_a_camera_that_rests_costs_no_selection(village, monkeypatch):
    at = Streaming(village / "tiles" / "tileset.json")
    at.settle()
    monkeypatch.setitem(vars(at.tiles), "select", lambda lod_views: pytest.fail("nothing has changed"))
    at.view.build_frames(SIZE)  # which fits the camera's depth range
    at.turn()
    assert not at.stream.is_going and not at.stream.poll()


def test_what_is_not_on_the_card_is_not_shown(village):
    at = Streaming(village / "tiles" / "tileset.json")
    at.is_uploaded = False
    at.look_from(60.0)
    for _ in range(5):
        at.turn()
        at.editor.jobs.wait(JobKind.STREAM)
    assert at.shown == ["tile 0/0/0/0"] and at.stream.is_going
    at.is_uploaded = True
    at.view.redraw.note_picture()
    at.settle()
    assert "tile 0/0/0/0" not in at.shown and at.view.redraw.damage == Damage.SCENE


class Clock:
    """A clock that goes on by some seconds whenever somebody looks at it."""

    def __init__(self, step: float = 0.0) -> None:
        self.seconds = 0.0
        self.step = step

    def __call__(self) -> float:
        self.seconds += self.step
        return self.seconds


def test_contents_that_take_long_to_add_come_one_a_frame_and_all_of_them_come(village):
    at = Streaming(village / "tiles" / "tileset.json")
    at.look_from(15.0)
    at.settle()
    whole = at.shown, int(at.tiles._contents["is_resident"].sum())
    at = Streaming(village / "tiles" / "tileset.json")
    at.view.redraw.clock = Clock(step=1.0)
    at.look_from(15.0)
    at.turn()
    counts = [int(at.tiles._contents["is_resident"].sum())]
    most_arrived = 0
    while at.stream.is_going:
        at.editor.jobs.wait(JobKind.STREAM)
        at.turn()
        most_arrived = max(most_arrived, len(at.stream._arrived))
        counts.append(int(at.tiles._contents["is_resident"].sum()))
    assert most_arrived > 1 and max(np.diff(counts)) == 1
    assert (at.shown, counts[-1]) == whole


@pytest.fixture
def slow(village, monkeypatch):
    """Return a stream that rests, whose pictures take 64 times as long as they may; and what it selected by."""
    at = Streaming(village / "tiles" / "tileset.json")
    at.view.redraw.clock = Clock()
    at.look_from(800.0)
    at.settle()
    for _ in range(2):
        at.stream.note_picture(64.0)
    pixels, select = [], at.tiles.select

    def noted(lod_views, threshold_pixels):
        pixels.append(threshold_pixels)
        return select(lod_views, threshold_pixels)

    monkeypatch.setitem(vars(at.tiles), "select", noted)
    return at, pixels


def test_tiles_are_coarser_while_a_camera_moves_and_finer_in_steps_when_it_rests(slow):
    at, pixels = slow
    fine = at.shown
    at.look_from(801.0)
    at.turn()
    assert pixels == [8.0] and 2 * len(at.shown) < len(fine)
    assert at.stream.is_going and at.stream.text == "finer tiles come when the camera rests"
    at.view.redraw.note_picture()
    at.view.redraw.clock.seconds += 0.9 * REST_SECONDS
    at.turn()
    assert pixels == [8.0], "it has not rested for long enough"
    at.view.redraw.clock.seconds += 0.2 * REST_SECONDS
    at.turn()
    assert pixels[-1] == 4.0
    at.view.redraw.request(Damage.SCENE)
    for _ in range(3):
        at.turn()
    assert pixels[-1] == 4.0, "it was not shown yet"
    while at.stream.is_going:
        at.view.redraw.note_picture()
        at.editor.jobs.wait(JobKind.STREAM)
        at.turn()
    assert list(dict.fromkeys(pixels)) == [8.0, 4.0, 2.0, 1.0]
    assert at.shown == fine and at.stream.text == ""


def test_who_moves_again_waits_for_no_more_than_a_step(slow):
    at, pixels = slow
    at.look_from(801.0)
    at.turn()
    at.view.redraw.note_picture()
    at.view.redraw.clock.seconds += 1.1 * REST_SECONDS
    at.turn()
    at.view.redraw.note_picture()
    at.look_from(802.0)
    at.turn()
    at.turn()
    assert list(dict.fromkeys(pixels)) == [8.0, 4.0] and pixels[-1] == 8.0


def test_a_step_whose_pictures_are_slow_is_shown_when_all_of_it_is_there(village):
    at = Streaming(village / "tiles" / "tileset.json")
    for _ in range(2):
        at.stream.note_picture(64.0)
    at.view.redraw.clock = Clock(step=1.0)  # a content a frame
    at.look_from(800.0)
    at.turn()
    shown, partly_there = [at.shown], 0
    while at.stream.is_going:
        at.view.redraw.note_picture()
        at.editor.jobs.wait(JobKind.STREAM)
        at.turn()
        if at.tiles.selection.missing.size and at.stream._coarseness.is_refining:
            partly_there += 1
            assert at.shown == shown[-1]
        shown.append(at.shown)
    assert partly_there > 3 and len(shown[-1]) > len(shown[0])


def test_tiles_are_never_coarser_where_pictures_are_never_reduced(slow):
    at, pixels = slow
    at.view.settings.quality = "best"
    at.look_from(801.0)
    at.turn()
    assert set(pixels) == {1.0}


def test_finer_pictures_that_would_take_too_long_are_held_back_and_that_is_told(slow):
    at, pixels = slow
    at.look_from(801.0)
    at.turn()
    at.stream.note_picture(4.0)
    at.view.redraw.note_picture()
    at.view.redraw.clock.seconds += 1.1 * REST_SECONDS
    for _ in range(3):
        at.turn()
    assert set(pixels) == {8.0} and not at.stream.is_going
    assert at.stream.text == "coarser than a pixel: finer pictures would take too long"
    at.view.settings.quality = "best"
    at.settle()
    assert pixels[-1] == 1.0 and at.stream.text == ""


def test_nothing_of_it_is_an_edit_and_nothing_can_be_edited(village):
    at = Streaming(village / "tiles" / "tileset.json")
    at.look_from(60.0)
    at.settle()
    before = at.shown
    assert not at.editor.run(delete, [0])
    assert at.messages == [f"Delete: {READ_ONLY}"] and at.shown == before
    assert at.editor.history.entries == [] and not at.editor.history.is_dirty


def test_a_selection_stays_with_its_object(village):
    at = Streaming(village / "tiles" / "tileset.json")
    at.look_from(20.0)
    at.settle()
    scene = at.tiles.scene
    objects = np.flatnonzero(at.tiles._rows["key"] >= 0)
    name = scene.names[objects[0]]
    keys, counts = np.unique(at.tiles._rows["key"][objects], return_counts=True)
    parts = np.flatnonzero(at.tiles._rows["key"] == keys[counts > 1][0])
    at.editor.select(parts[:1])
    at.turn()
    assert sorted(at.view.selected_ids.tolist()) == parts.tolist() and at.view.selected_ids[-1] == parts[0]
    at.editor.select(objects[:1])
    at.look_from(1e5)
    at.settle()
    assert len(at.view.selected_ids) == 0  # it is one mesh with others
    at.look_from(20.0)
    at.settle()
    selected = at.view.selected_ids
    assert len(selected) and scene.alive[selected].all()
    assert set(scene.names[selected].tolist()) == {name}
    at.editor.select([])
    at.look_from(1e5)
    at.settle()
    at.look_from(20.0)
    at.settle()
    assert len(at.view.selected_ids) == 0


def test_tiles_that_cannot_be_read_are_told_and_coarser_ones_stay(village, tmp_path):
    folder = write_village(tmp_path)
    for file in (folder / "tiles" / "content").iterdir():
        if file.name != "0_0_0_0.glb":
            file.unlink()
    at = Streaming(folder / "tiles" / "tileset.json")
    at.look_from(60.0)
    at.settle()
    assert at.shown == ["tile 0/0/0/0"]
    assert len(at.messages) >= 1 and all("a coarser tile stays" in line and "\n" not in line for line in at.messages)


def test_a_full_budget_is_told_and_kept(village):
    path = village / "tiles" / "tileset.json"
    everything = Streaming(path)
    everything.look_from(30.0)
    everything.settle()
    budget = 1.3 * everything.tiles.resident_bytes
    at = Streaming(path, budget)
    at.look_from(30.0)
    at.settle()
    assert "--budget" in at.stream.text
    for angle in np.linspace(0.0, 6.0, 13):
        at.look_from(12.0, (15.0 * np.cos(angle), 0.0, 15.0 * np.sin(angle)))
        at.settle()
        assert at.tiles.loaded_bytes <= budget
        at.view.build_frames(SIZE)  # which looks at every column of what is shown


def test_what_a_click_finds_is_what_is_shown(village):
    at = Streaming(village / "tiles" / "tileset.json")
    whole = View(load(village / "village.glb"))
    whole.layout.resize(SIZE)
    at.look_from(60.0)
    at.settle()
    at.view.camera = controls.look_from(at.view.camera, "top")
    at.look_from(25.0)
    at.settle()
    whole.camera = at.view.camera
    for view in (at.view, whole):
        view.build_frames(SIZE)
    found = 0
    for x in np.linspace(0.1, 0.9, 9):
        for y in np.linspace(0.1, 0.9, 9):
            mine, theirs = at.view.snapshot.pick((x, y)), whole.snapshot.pick((x, y))
            assert (mine is None) == (theirs is None)
            if mine is not None and theirs is not None and "objects" not in mine.node.name:
                assert mine.node.name == theirs.node.name
                found += 1
    assert found > 3


def test_the_first_picture_is_framed_as_those_after_it(village):
    tiles = open_tileset(village / "tiles" / "tileset.json", budget=1e9)
    first, second = (np.asarray(render(tiles, (160, 90))) for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_a_session_streams_says_so_and_saves_nothing(village, open_app, tmp_path):
    tiles = open_tileset(village / "tiles" / "tileset.json", budget=1e9)
    app = open_app(tiles.scene, streamed=tiles)
    app.view.framing.frame_nodes(None)
    app.frame()
    assert app.session.stream is not None
    app.session.note_load(0.5)
    while app.session.stream.is_going:
        app.editor.jobs.wait(JobKind.STREAM)
        app.frame()
    app.document.save()
    app.document.export(".glb")
    app.document.drop([village / "village.glb"])
    assert [READ_ONLY in entry.text for entry in app.session.log.entries] == [True] * 3
    assert not app.document.is_unsaved
    app.show(load(village / "village.glb"))
    assert app.session.stream is None and app.editor.read_only is None


def test_the_inspector_of_a_streamed_tileset_is_grey_and_says_why(village, open_app, monkeypatch):
    lines, fields = [], []
    monkeypatch.setattr(panel, "quiet", lambda theme, text: lines.append(text))
    original = transform.NumberFields.field

    def field(self, *arguments, **options):
        fields.append(imgui.get_style().alpha < 1.0)
        return original(self, *arguments, **options)

    monkeypatch.setattr(transform.NumberFields, "field", field)
    tiles = open_tileset(village / "tiles" / "tileset.json", budget=1e9)
    app = open_app(tiles.scene, streamed=tiles)
    while app.session.stream.is_going:  # else a node may come to show a finer tile at any moment
        app.editor.jobs.wait(JobKind.STREAM)
        app.frame()
    scene, node = tiles.scene, int(np.flatnonzero(tiles.scene.mesh_ids >= 0)[0])
    name, place = scene.names[node], scene.translations[node].copy()
    app.editor.select([node])
    app.settle()
    assert f"read only: {READ_ONLY}" in lines and fields and all(fields)
    for y in range(60, 620, 14):  # over all fields
        app.click((1140.0, float(y)), times=2)
        assert not app.backend.wants_keyboard, "no field takes the keyboard"
    assert scene.names[node] == name and scene.translations[node].tolist() == place.tolist()
    assert [entry.text for entry in app.session.log.entries] == [], "nothing had to be refused"
    scene = Scene()
    scene.add_nodes(["box"], mesh=add_box_mesh(scene))
    app.show(scene)
    lines.clear()
    fields.clear()
    app.editor.select([0])
    app.settle()
    assert fields and not any(fields) and not any("read only" in line for line in lines)


def test_room_is_made_beside_the_window_which_goes_on_showing_what_there_is(village, monkeypatch):
    path = village / "tiles" / "tileset.json"
    whole = Streaming(path)
    whole.look_from(30.0)
    whole.settle()
    at = Streaming(path, whole.tiles.resident_bytes)
    threads, copy = [], Eviction.copy

    def noted(eviction: Eviction) -> None:
        threads.append(threading.current_thread())
        copy(eviction)

    monkeypatch.setattr(Eviction, "copy", noted)
    for place in (-15.0, 15.0) * 3:
        at.look_from(12.0, (place, 0.0, 0.0))
        at.turn()
        while at.stream.is_going:
            before, count, made = at.tiles.scene.meshes, len(at.tiles.scene.meshes), at.stream._is_evicting
            at.turn()
            if made and at.stream._is_evicting:
                assert at.tiles.scene.meshes is before and len(before) == count
                at.view.build_frames(SIZE)  # which looks at every column of what is shown
            at.editor.jobs.wait(JobKind.STREAM)
    assert threads and threading.main_thread() not in threads


@pytest.mark.parametrize("budget_bytes", [1.0, 2e4])
def test_all_that_is_wanted_comes_however_small_the_budget_is(village, budget_bytes):
    at = Streaming(village / "tiles" / "tileset.json", budget_bytes)
    for distance in (60.0, 12.0, 1e5):
        at.look_from(distance)
        at.settle()
        assert at.shown and at.stream.text in ("", "coarser than a pixel: --budget is full")


def test_nothing_of_a_session_keeps_meshes_that_were_left_out(village, open_app):
    app = open_app((tiles := open_tileset(village / "tiles" / "tileset.json", budget=1e9)).scene, streamed=tiles)
    stream = app.session.stream
    assert stream is not None
    app.view.framing.frame_nodes(None)
    app.editor.select([0])

    def settle() -> None:
        app.frame()
        while stream.is_going:
            app.editor.jobs.wait(JobKind.STREAM)
            app.frame()

    settle()
    pool = weakref.ref(tiles.scene.meshes)
    stream._begin_eviction()
    settle()
    gc.collect()
    assert pool() is None


def test_a_tile_that_cannot_be_read_is_a_warning_where_a_script_draws(village, tmp_path):
    shutil.copytree(village / "tiles", tmp_path / "tiles")
    tiles = open_tileset(tmp_path / "tiles" / "tileset.json", budget=1e9)
    for tile in (tmp_path / "tiles").rglob("*.glb"):
        tile.write_bytes(b"no tile")
    with pytest.warns(UserWarning, match="glb") as warned:
        render(tiles, (64, 36))
    assert {each.filename for each in warned} == {__file__}


def test_the_inspector_names_the_tile_and_the_properties_of_an_object(village, monkeypatch):
    at = Streaming(village / "tiles" / "tileset.json")
    at.look_from(3.0)
    at.settle()
    scene = at.tiles.scene
    node = scene.ids[scene.names[scene.ids] == "ball 13"][0]  # in a tile that is too fine from afar
    said: list[tuple[str, str]] = []
    monkeypatch.setattr(feature, "fact", lambda theme, name, text: said.append((name, text)))
    for each in (node, int(scene.parents[node])):
        foldout, ids = feature.TileFoldout(at.stream), np.array([each])
        assert foldout.is_for(ids, ())
        foldout.draw(ids, (), None)
    assert said[0] == ("name", str(scene.names[scene.parents[node]])) and said[1][1].endswith(".glb")
    assert said[2:] == said[:2], "of the tile's own node, too"
    rows = ObjectProperties(at.editor).rows(np.array([int(scene.parents[node]), node]), ())
    assert dict(rows)["name"] == str(scene.names[node])
    lower, upper = scene.bounds([node])
    hit = at.editor.clicked_hit = scene.raycast((lower + upper) / 2.0 + (0.0, 99.0, 0.0), (0.0, -1.0, 0.0))
    at.look_from(2.9)
    at.settle()
    assert at.editor.clicked_hit is hit is not None
    at.look_from(900.0)
    at.settle()
    assert at.editor.clicked_hit is None, "the node may be another object's by now"
