"""No label of a panel or dialog is cut off without an ellipsis, in small windows and with large text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from imgui_bundle import imgui

from octoscope.scene import Material, Scene, Texture
from octoscope.scene.formats.endings import MODEL_ENDINGS
from octoscope.viewer.commands.table import MENUS
from octoscope.viewer.document.file_names import PathRequest
from octoscope.viewer.document.flow import Flow
from octoscope.viewer.document.questions import Question, unsaved
from octoscope.viewer.settings.config import WindowState
from octoscope.viewer.window.place import USUAL_SIZE
from tests.cases import quick
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import crowd

PLAIN = "text", "text_colored", "text_disabled", "text_link", "button", "small_button", "checkbox", "radio_button"
SLACK = 1.0  # logical pixels
SIZES = ((1280, 720), 1.0), ((800, 600), 1.0), ((800, 600), 1.5), ((800, 600), 2.0), ((480, 320), 1.0)


@pytest.fixture
def cut(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Return the labels that were drawn and not seen whole: items beyond the clip rectangle, values beyond fields."""
    found: set[str] = set()

    def note(text: object, room: float | None = None) -> None:
        shown = str(text).partition("##")[0]
        right = imgui.get_window_draw_list().get_clip_rect_max().x
        sticks_out = imgui.get_item_rect_max().x > right + SLACK
        if shown and (sticks_out or (room is not None and imgui.calc_text_size(shown).x > room + SLACK)):
            found.add(shown)

    def watched(name: str, room_of: Callable[..., tuple[object, float | None]]) -> None:
        draw = getattr(imgui, name)

        def drawn(*arguments, **options):
            text, room = room_of(*arguments, **options)  # before: the item's width counts once
            result = draw(*arguments, **options)
            note(text, room)
            return result

        monkeypatch.setattr(imgui, name, drawn)

    def field(text: object, beside: float = 0.0) -> tuple[object, float]:
        return text, imgui.calc_item_width() - 2.0 * imgui.get_style().frame_padding.x - beside

    for name in PLAIN:
        watched(name, lambda *arguments, **_: (next(each for each in arguments if isinstance(each, str)), None))
    watched("button", _room_in_button)
    watched("combo", lambda _, index, names, *more: field(names[index], imgui.get_frame_height()))
    watched("begin_combo", lambda _, shown, *more: field(shown, imgui.get_frame_height()))
    watched("slider_int", lambda _, value, low, high, text="%d", *more: field(text % value if "%" in text else text))
    watched("slider_float", lambda _, value, low, high, text="%.3f", *more: field(text % value))
    watched("input_text_with_hint", lambda _, hint, text, *more: field("" if text else hint))
    return found


def _room_in_button(text: str, size: tuple[float, float] = (0.0, 0.0)) -> tuple[str, float | None]:
    if size[0] == 0.0:
        return text, None
    width = size[0] if size[0] > 0.0 else imgui.get_content_region_avail().x + size[0]
    return text, width - 2.0 * imgui.get_style().frame_padding.x


@pytest.fixture
def scene() -> Scene:
    """Objects with all that the inspector shows: a texture, several users, long names."""
    scene = crowd(60, seed=2)
    texture = Texture(Path("a_folder_of_textures/checks.png"), np.zeros((64, 64, 4), np.uint8))
    scene.set_materials([20], scene.add_material(Material("shown by one", base_color_texture=texture, clearcoat=0.5)))
    return scene


def assert_whole(app: HeadlessApp, cut: set[str], what: str) -> None:
    app.settle()
    cut.clear()  # of frames in which windows have not found their size
    app.frame()
    assert not cut, what


@pytest.mark.parametrize(("size", "scale"), quick(SIZES, 3, several=True))
def test_panels(open_app, scene, cut, size, scale):
    app = open_app(scene, size=size, scale=scale)
    for panel in app.shell.panels:
        app.shell.show_panel(panel.id)
        for ids in ([], [20], [20, 21, 22], [1]):
            app.editor.select(ids)
            if panel.id == "section":
                app.table.run(app.table["section.add_x"])
            for coloring in ("level", "count", "cull") if panel.id == "octree" else ("",):
                if coloring:
                    app.table.run(app.table[f"octree.color_{coloring}"])
                assert_whole(app, cut, f"{panel.title} with {len(ids)} objects selected")


@pytest.mark.parametrize(("size", "scale"), quick(SIZES, 3, several=True))
def test_dialogs(open_app, scene, cut, size, scale, tmp_path):
    (tmp_path / ("a_very_long_name_" * 12 + ".obj")).touch()
    app = open_app(scene, size=size, scale=scale, state=WindowState(panels=False))
    app.editor.select([20])
    for command in ("object.array", "object.radial_array", "object.smooth"):
        app.table.run(app.table[command])
        assert_whole(app, cut, command)
        app.press("Esc")
    for key, what in (("F1", "keys and mouse"), ("Ctrl+P", "palette")):
        app.press(key)
        assert_whole(app, cut, what)
        app.press("Esc")
    long = "with a name that is much too long to fit on any line of a small window with large text"
    app.document.flows.start(_asking(unsaved(f"scene {long}", new_project=tmp_path / long)))
    assert_whole(app, cut, "question")
    app.press("Esc")
    app.shell.boxes.ask_path(PathRequest("Import into the scene", MODEL_ENDINGS, print, folder=tmp_path, several=True))
    assert_whole(app, cut, "path box")


def _asking(question: Question) -> Flow:
    yield question


@pytest.mark.parametrize(("size", "scale"), quick(SIZES, 3, several=True))
def test_an_empty_scene_and_messages(open_app, cut, size, scale):
    app = open_app(Scene(), size=size, scale=scale)
    app.editor.log.say("warning", "a_name_without_any_blank_in_it" * 12)
    assert_whole(app, cut, "start box and toasts")


def test_the_tab_of_a_panel_that_is_opened_is_seen_beside_others(open_app):
    app = open_app(Scene(), size=(800, 600))
    for panel in (each for each in app.shell.panels if each.place != "middle"):
        app.shell.show_panel(panel.id)
        app.settle()
        window = imgui.internal.find_window_by_name(f"{panel.title}###{panel.id}")
        tabs = window.dock_node.tab_bar
        tab = imgui.internal.tab_bar_find_tab_by_id(tabs, window.tab_id)
        left = tab.offset - tabs.scrolling_target
        assert left >= -SLACK and left + tab.width <= tabs.bar_rect.max.x - tabs.bar_rect.min.x + SLACK, panel.title


def test_every_menu_has_room_in_a_window_of_the_usual_size(open_app):
    app = open_app(Scene(), size=USUAL_SIZE)
    for menu, x in zip(MENUS, (24.0, 60.0, 105.0, 157.0, 205.0, 254.0, 305.0, 350.0), strict=True):
        app.click((x, 10.0))
        opened = imgui.internal.find_window_by_name(f"{menu}###{menu}###Menu_00")
        assert opened.active and opened.scroll_max.y == 0.0, menu
        app.press("Esc")
