"""The messages panel's own tabs."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui

from octoscope.viewer.settings.config import WindowState
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import box_scene


def test_the_tab_that_is_shown_is_the_one_in_the_chosen_colour(ctx, monkeypatch):
    tabs: dict[str, imgui.ImVec2] = {}
    begin_tab_item = imgui.begin_tab_item

    def noted(label: str, *more: object) -> object:
        shown = begin_tab_item(label, *more)
        tabs[label.partition("#")[0].partition(" ")[0]] = imgui.get_item_rect_min()
        return shown

    monkeypatch.setattr(imgui, "begin_tab_item", noted)
    app = HeadlessApp(ctx, box_scene(), state=WindowState(open={"messages": True}))

    app.settle()

    def is_chosen(name: str) -> bool:
        x, y = round(tabs[name].x) + 4, round(tabs[name].y) + 8
        return bool(np.abs(app.picture()[y, x] - app.chosen_color()).max() <= 4.0)

    def hover(name: str) -> tuple[int, int]:
        point = round(tabs[name].x) + 15, round(tabs[name].y) + 10
        app.window.move(point)
        app.settle()
        return point

    assert is_chosen("Problems") and not is_chosen("Log")
    point = hover("Log")
    assert is_chosen("Problems") and not is_chosen("Log"), "under the mouse it is not chosen yet"
    app.click(point)
    assert is_chosen("Log") and not is_chosen("Problems"), "chosen, and still under the mouse"
    log = app.session.log
    log.say("error", "a file is broken", "files")
    log.say("error", "there is no room", offer=("Recover", "file.recover"))
    app.frame()
    (toast,) = log.toasts
    assert toast.offer, "what is read in the panel, and has no button, does not cover the picture, too"
    app.click(hover("Problems"))
    log.say("error", "another is broken", "files")
    log.say("error", "the disk is full")
    app.frame()
    assert [each.text for each in log.toasts] == ["there is no room", "the disk is full"], "Files lists those of files"
    app.session._take_offer(toast)
    assert log.toasts[0].text == "the disk is full" and toast not in log.toasts
    app.close()
