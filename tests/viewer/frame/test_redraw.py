"""Whoever changes something that is seen asks for as much to be drawn again as shows it, and no more."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

from octoscope.scene import Edit, change_nodes
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.log import Log
from octoscope.viewer.frame import redraw as redraw_module
from octoscope.viewer.frame.decoration import Decoration
from octoscope.viewer.frame.redraw import PANEL_FRAMES, Damage, Redraw
from octoscope.viewer.frame.view import View
from tests.viewer.scenes import box_scene

CHANGES = {
    "a camera": (lambda view: setattr(view, "camera", replace(view.camera, distance=5.0)), Damage.SCENE),
    "viewports": (lambda view: view.layout.set_count(4), Damage.SCENE),
    "culling": (lambda view: setattr(view.settings, "culling", False), Damage.SCENE),
    "tiny objects": (lambda view: setattr(view.settings, "tiny_culling", True), Damage.SCENE),
    "levels of detail": (lambda view: setattr(view.settings, "simplifying", True), Damage.SCENE),
    "hidden objects": (lambda view: setattr(view.settings, "occlusion_culling", True), Damage.SCENE),
    "a decoration": (lambda view: setattr(Decoration(view.redraw), "is_shown", False), Damage.SCENE),
    "grid": (lambda view: setattr(view.settings, "show_grid", False), Damage.SCENE),
    "quality": (lambda view: setattr(view.settings, "quality", "best"), Damage.REFINEMENT),
    "edges": (lambda view: setattr(view.settings, "show_edges", True), Damage.SCENE),
    "a mode": (lambda view: view.settings.show_as("depth"), Damage.SCENE),
    "a matcap": (lambda view: view.settings.show_matcap("jade"), Damage.SCENE),
    "the light": (
        lambda view: setattr(view.settings, "lighting", replace(view.settings.lighting, strength=2.0)),
        Damage.SCENE,
    ),
    "a background": (lambda view: view.settings.show_before((1.0, 1.0, 1.0)), Damage.SCENE),
    "backface culling": (lambda view: setattr(view.settings, "culls_back_faces", False), Damage.SCENE),
    "flat shading": (lambda view: setattr(view.settings, "is_flat", True), Damage.SCENE),
    "a frozen frustum": (lambda view: view.visibility.toggle_freeze(view.snapshot.frustum), Damage.SCENE),
    "isolation": (lambda view: setattr(view.visibility, "isolated_ids", np.array([0], dtype=np.int32)), Damage.SCENE),
    "selection": (lambda view: setattr(view.selection, "ids", [0]), Damage.OVERLAY),
    "hovering": (lambda view: setattr(view, "hovered", 0), Damage.OVERLAY),
    "nothing": (lambda view: setattr(view.settings, "culling", view.settings.culling), Damage.NONE),
    "the same camera": (lambda view: setattr(view, "camera", view.camera), Damage.NONE),
    "an equal camera": (lambda view: setattr(view, "camera", replace(view.camera, near=1e-3)), Damage.NONE),
    "as many viewports": (lambda view: view.layout.set_count(1), Damage.NONE),
    "the same quality": (lambda view: setattr(view.settings, "quality", "automatic"), Damage.NONE),
}


def drawn(view: View) -> View:
    """Return a view of which everything was drawn."""
    view.build_frames((64, 48))
    view.redraw.note_picture()
    for _ in range(PANEL_FRAMES):
        view.redraw.note_panels()
    assert view.redraw.damage == Damage.NONE
    return view


@pytest.mark.parametrize("name", CHANGES)
def test_what_a_view_shows_asks_for_its_level_when_it_changes(name):
    view = drawn(View(box_scene()))
    change, level = CHANGES[name]
    change(view)
    assert view.redraw.damage == level


def test_an_equal_number_is_no_change_though_it_is_another_object():
    view = drawn(View(box_scene()))
    view.hovered = int("1000")
    view.redraw.note_picture()
    view.hovered = int("1000")
    assert view.redraw.damage < Damage.OVERLAY


def test_a_picture_does_not_ask_for_another_one():
    view = drawn(View(box_scene()))
    view.build_frames((90, 70))
    assert view.redraw.damage == Damage.NONE


def test_edits_ask_for_a_picture_whether_they_are_done_undone_or_a_scripts():
    view = View(box_scene())
    editor = Editor(view, Log())
    ids = view.scene.ids[:1]

    def moved(x: float) -> Edit:
        return change_nodes(view.scene, ids, translation=(x, 0.0, 0.0))

    drawn(view)
    for act in (
        lambda: editor.do(moved(1.0)),
        editor.undo,
        editor.redo,
        lambda: editor.history.do(moved(2.0)),
    ):
        act()
        assert view.redraw.damage == Damage.SCENE
        drawn(view)
    editor.select(ids)
    assert view.redraw.damage == Damage.OVERLAY
    drawn(view)
    editor.history.undoes_selections = True
    editor.undo()
    assert view.redraw.damage == Damage.OVERLAY


def test_what_is_wanted_later_comes_when_it_is_due(monkeypatch):
    now = time.perf_counter()
    monkeypatch.setattr(redraw_module.time, "perf_counter", lambda: now)
    redraw = Redraw()
    redraw.note_picture()
    for _ in range(PANEL_FRAMES):
        redraw.note_panels()
    redraw.request_in(Damage.PANELS, 2.0)
    assert redraw.seconds_left == pytest.approx(2.0)
    redraw.request_due()
    assert redraw.damage == Damage.NONE
    now += 2.5
    redraw.request_due()
    assert redraw.damage == Damage.PANELS and redraw.seconds_left == np.inf


def settled() -> Redraw:
    """Requests that were all followed."""
    redraw = Redraw()
    redraw.note_picture()
    for _ in range(PANEL_FRAMES):
        redraw.note_panels()
    assert redraw.damage == Damage.NONE
    return redraw


def test_a_picture_is_refined_when_nothing_else_is_to_be_drawn():
    redraw = settled()
    redraw.request(Damage.REFINEMENT)
    assert redraw.damage == Damage.REFINEMENT
    for level in (Damage.PANELS, Damage.OVERLAY):
        redraw.request(level)
        assert redraw.damage == level
        redraw.note_picture()
        for _ in range(PANEL_FRAMES):
            redraw.note_panels()
        assert redraw.damage == Damage.REFINEMENT, "it goes on"
    redraw.note_refined()
    assert redraw.damage == Damage.NONE


def test_another_picture_ends_the_refinement_of_the_last_one_be_it_due_or_not():
    redraw = settled()
    for _ in range(2):
        redraw.request(Damage.REFINEMENT)
        redraw.request_in(Damage.REFINEMENT, 0.0)
        redraw.request(Damage.SCENE)
        redraw.note_picture()
        for _ in range(PANEL_FRAMES):
            redraw.note_panels()
        redraw.request_due()
        assert redraw.damage == Damage.NONE and redraw.seconds_left == np.inf


@pytest.mark.parametrize("levels", [(Damage.SCENE, Damage.REFINEMENT), (Damage.REFINEMENT, Damage.SCENE)])
def test_a_picture_and_a_refinement_that_are_due_at_once_are_a_picture(levels):
    redraw = settled()
    for level in levels:
        redraw.request_in(level, 0.0)
    redraw.request_due()
    assert redraw.damage == Damage.SCENE and redraw.seconds_left == np.inf
    redraw.note_picture()
    for _ in range(PANEL_FRAMES):
        redraw.note_panels()
    assert redraw.damage == Damage.NONE
