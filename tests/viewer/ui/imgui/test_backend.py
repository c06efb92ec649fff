"""ImguiBackend: what its first frames show is what all later ones show."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from imgui_bundle import imgui

from octoscope.scene import Material, MeshData, Scene
from octoscope.viewer.ui.imgui.backend import ImguiBackend
from tests.viewer.scenes import BOX_POSITIONS, BOX_TRIANGLES

SIZE = (240, 280)
COLOR = (0.2, 0.9, 0.4)
EDIT_MENU, BESIDE_PANELS, BELOW_TABS, INSPECTOR_FROM = (
    (60.0, 12.0),
    (600.0, 500.0),
    30,
    1010,
)  # in the window of a HeadlessApp
WIDGETS: dict[str, Callable[[], object]] = {  # each that the interface uses
    "button": lambda: imgui.button("button"),
    "checkbox": lambda: imgui.checkbox("on", True),
    "child": lambda: (imgui.begin_child("child", (80.0, 40.0), imgui.ChildFlags_.borders), imgui.end_child()),
    "colour button": lambda: imgui.color_button("colour", (*COLOR, 1.0)),
    "colour field": lambda: imgui.color_edit3("colour", list(COLOR)),
    "colour picker": lambda: imgui.color_picker3("colour", list(COLOR)),
    "combo": lambda: imgui.combo("combo", 0, ["one", "two"]),
    "drag": lambda: imgui.drag_float("drag", 1.0),
    "link": lambda: imgui.text_link("link"),
    "plot": lambda: imgui.plot_lines("plot", np.array([1.0, 3.0, 2.0], np.float32)),
    "progress": lambda: imgui.progress_bar(0.5),
    "radio button": lambda: imgui.radio_button("radio", True),
    "row": lambda: imgui.selectable("row", True),
    "separator": lambda: imgui.separator(),
    "slider": lambda: imgui.slider_float("slider", 0.5, 0.0, 1.0),
    "small button": lambda: imgui.small_button("small"),
    "text": lambda: imgui.text("text"),
    "text field": lambda: imgui.input_text_with_hint("field", "hint", ""),
    "tree": lambda: imgui.collapsing_header("tree"),
}


@pytest.fixture
def backend(ctx):
    backend = ImguiBackend(ctx)
    yield backend
    backend.close()


@pytest.fixture
def drawn(ctx, backend):
    """A function that draws one frame of a widget: (h, w, 3) uint8."""
    target = ctx.simple_framebuffer(SIZE)

    def draw(widget: Callable[[], object]) -> np.ndarray:
        backend.new_frame(SIZE, SIZE, 0.02)
        imgui.set_next_window_pos((0.0, 0.0))
        imgui.set_next_window_size(SIZE)
        imgui.begin("window", None, imgui.WindowFlags_.no_decoration)
        imgui.begin_disabled(False)  # as around every field of the inspector
        widget()
        imgui.end_disabled()
        imgui.end()
        target.clear()
        backend.render(target)
        return np.frombuffer(target.read(components=3), np.uint8).reshape(*SIZE[::-1], 3).copy()

    yield draw
    ctx.simple_framebuffer((1, 1)).use()
    target.release()


@pytest.mark.parametrize("name", WIDGETS)
def test_a_widget_looks_in_the_first_frame_as_it_does_after_others_were_disabled(backend, drawn, name):
    first = drawn(WIDGETS[name])
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 1, "nothing is drawn"

    def other() -> None:
        imgui.begin_disabled()
        imgui.button("cannot be pressed")
        imgui.end_disabled()

    drawn(other)
    assert (drawn(WIDGETS[name]) == first).all()


@pytest.mark.parametrize("name", ["colour button", "colour field", "colour picker"])
def test_a_colour_is_seen_in_the_first_frame(drawn, name):
    color = np.round(255.0 * np.array(COLOR))
    seen = np.abs(drawn(WIDGETS[name]) - color).max(axis=2) <= 1.0
    assert seen.sum() >= 100


def test_panels_look_in_a_new_window_as_they_do_after_menus_were_open(open_app):
    scene = Scene()
    leaf = scene.add_material(Material("leaf", base_color=COLOR))
    mesh = scene.meshes.add(MeshData(BOX_POSITIONS, BOX_TRIANGLES, None, np.full(8, leaf)))
    node = scene.add_node("box", mesh=mesh)
    scene.update_world()
    app = open_app(scene)
    app.editor.select([node.id])
    app.move(BESIDE_PANELS)
    app.settle()
    first = app.picture().copy()
    app.click(EDIT_MENU)
    assert (app.picture() != first).any()
    app.press("Escape")
    app.move(BESIDE_PANELS)
    app.settle()
    assert (app.picture()[BELOW_TABS:] == first[BELOW_TABS:]).all()
    shown = np.abs(first[:, INSPECTOR_FROM:] - np.round(255.0 * np.array(COLOR))).max(axis=2) <= 1.0
    assert shown.sum() >= 100, "the material's colour is not in the inspector"
