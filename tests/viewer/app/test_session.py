"""A session without a window: what is drawn again follows from what was done, and one document from another."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from octoscope.scene import Scene
from octoscope.scene.mesh.primitives import sphere
from octoscope.scene.mesh.table import ColumnTable
from octoscope.viewer.editing.jobs import JobKind
from octoscope.viewer.frame.detail.detail_levels import DetailLevels, Simplified
from octoscope.viewer.frame.redraw import Damage
from tests.viewer.frame.test_detail_levels import crowd_of_balls
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import box_scene


@pytest.fixture
def app(open_app) -> HeadlessApp:
    return open_app(box_scene())


@pytest.mark.parametrize(
    ("keys", "level"),
    [
        ("F1", Damage.PANELS),
        ("Ctrl+P", Damage.PANELS),
        ("F2", Damage.PANELS),
        ("I", Damage.OVERLAY),  # labels keep off the figures
        ("W", Damage.PANELS),
        ("B", Damage.PANELS),
        ("A", Damage.OVERLAY),
        ("Shift+G", Damage.SCENE),
        ("7", Damage.SCENE),
        ("Del", Damage.SCENE),
    ],
)
def test_a_command_has_as_much_drawn_again_as_shows_what_it_did(app, keys, level):
    app.editor.select([1])
    app.settle()
    app.view.redraw.note_picture()
    app.press(keys)
    assert max(app.view.redraw.damage, Damage.PANELS) == level


def test_a_click_that_selects_has_outlines_drawn_and_hovering_nothing_has_nothing(app):
    app.view.framing.frame_nodes(None)
    app.view.build_frames(app.view.layout.last_size)
    app.view.redraw.note_picture()
    picture = app.shell.picture
    app.move((picture.left + 5.0, picture.bottom - 40.0))
    app.settle()
    assert app.view.redraw.damage <= Damage.PANELS
    app.click(((picture.left + picture.right) / 2.0, (picture.top + picture.bottom) / 2.0))
    assert app.selected and app.view.redraw.damage == Damage.OVERLAY


def test_another_document_keeps_what_was_set_and_knows_nothing_of_the_one_before(app):
    app.press("Shift+G")
    app.shell.show_panel("messages")
    app.settle()
    before = app.session
    app.show(Scene())
    assert app.session is not before and app.document is not before.document
    (messages,) = (panel for panel in app.shell.panels if panel.id == "messages")
    assert not app.view.settings.show_grid and app.shell.is_open(messages)
    assert app.editor.history.entries == [] and len(app.outliner.rows) == 0
    app.press("Shift+G")
    assert app.view.settings.show_grid and not before.view.settings.show_grid


def test_levels_of_detail_are_made_beside_the_window_where_much_is_drawn(open_app, monkeypatch):
    may_begin, missing = threading.Event(), DetailLevels.missing

    def missing_later(levels: DetailLevels) -> Callable[[], Simplified]:
        """Else the job could end at any moment, also before the first look at it."""
        make = missing(levels)
        return lambda: make() if may_begin.wait(60.0) else pytest.fail("nobody let it begin")

    monkeypatch.setattr(DetailLevels, "missing", missing_later)
    scene = crowd_of_balls()
    app = open_app(scene)
    app.frame()
    assert app.editor.jobs.is_busy(JobKind.SIMPLIFY) and not app.view.builder.levels.is_complete
    may_begin.set()
    app.editor.jobs.wait(JobKind.SIMPLIFY)
    app.view.redraw.note_picture()
    app.frame()
    assert app.view.builder.levels.is_complete and app.view.redraw.damage == Damage.SCENE
    vertices, triangles = len(scene.meshes.vertices), len(scene.meshes.triangles)
    assert len(app.view.builder.levels.triangles) > 0 and len(scene.meshes) == 61  # a scene has no coarse triangles
    app.settle()
    assert not app.editor.jobs.is_going
    assert (vertices, triangles) == (len(scene.meshes.vertices), len(scene.meshes.triangles))


def test_no_levels_of_detail_are_made_where_little_is_drawn(app):
    app.frame()
    assert not app.editor.jobs.is_busy(JobKind.SIMPLIFY) and len(app.view.builder.levels.rows) == 0


def test_a_background_of_one_colour_stays_whatever_the_theme_and_the_gradient_comes_back(app):
    dark = app.shell.theme.backdrop
    app.table.run(app.table["view.background_white"])
    app.table.run(app.table["view.theme_light"])
    app.settle()
    (frame,) = app.view.build_frames((64, 48))
    assert frame.frame.look.backdrop.top == frame.frame.look.backdrop.bottom == (1.0, 1.0, 1.0)
    app.table.run(app.table["view.background_gradient"])
    app.settle()
    (frame,) = app.view.build_frames((64, 48))
    assert frame.frame.look.backdrop == app.shell.theme.backdrop != dark


def test_triangles_are_counted_once_for_each_state_of_a_scene(app, monkeypatch) -> None:
    counted = []
    find = ColumnTable.__getitem__

    def noted(table: ColumnTable, name: str) -> object:
        if name == "triangle_count":
            counted.append(name)
        return find(table, name)

    app.settle()
    monkeypatch.setattr(ColumnTable, "__getitem__", noted)
    for _ in range(5):
        app.session.poll()
    assert counted == []
    app.editor.rename(1, "another")
    counted.clear()
    for _ in range(5):
        app.session.poll()
    assert len(counted) <= 1


def test_levels_are_made_once_enough_was_added(app) -> None:
    app.settle()
    assert not app.view.builder.levels.is_complete
    scene = app.view.scene
    scene.add_node("ball", mesh=scene.meshes.add(sphere(1.0, 256, 128)))
    app.frame()
    app.editor.jobs.wait(JobKind.SIMPLIFY)
    app.frame()
    assert app.view.builder.levels.is_complete
