"""Scenes in notebooks: a page in a cell, stepped by the notebook's loop; a picture where a scene stands alone."""

import asyncio
import io
import sys
import types

import numpy as np
import pytest
from PIL import Image

import octoscope
from octoscope.scene import Material, Scene
from octoscope.scene.mesh.primitives import PRIMITIVES
from tests.viewer.features.web.forgotten import forget_web


def red_cube() -> Scene:
    scene = Scene()
    red = scene.add_material(Material("red", base_color=(1.0, 0.0, 0.0)))
    scene.add_node("cube", mesh=scene.meshes.add(PRIMITIVES["cube"]()), material=red)
    return scene


@pytest.fixture
def shown(monkeypatch):
    """Stand in for IPython; return the list of what cells display."""
    shown = []
    display = types.ModuleType("IPython.display")
    display.IFrame = lambda src, **options: (src, options)
    display.display = shown.append
    monkeypatch.setitem(sys.modules, "IPython", types.ModuleType("IPython"))
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    return shown


def test_a_cell_gets_a_page_that_works_between_cells(shown):
    pytest.importorskip("viser", reason="octoscope[web] is not installed")
    from octoscope.viewer.features.web import notebook
    from tests.viewer.features.web.serving import CAMERA, connected, packed

    scene = red_cube()

    async def cells() -> None:
        page = octoscope.show(scene, size=(800, 500), where="notebook")
        assert page.button("Go", lambda: None) in notebook._steps[scene].session.script.controls
        session = notebook._steps[scene].session
        ((address, options),) = shown
        assert address == session.server.address and options == {"width": "100%", "height": 500}
        path = address.split("/", 3)[3].rstrip("/")
        with await asyncio.to_thread(connected, session.server, path=path) as connection:
            connection.send(packed("ViewerCameraMessage", **CAMERA))
            async with asyncio.timeout(30):
                while not session.mirror.counts[0]:
                    await asyncio.sleep(0.01)
                scene.set_hidden([0], True)  # as another cell does
                while session.mirror.counts[0]:
                    await asyncio.sleep(0.01)
        octoscope.show(scene, where="notebook")
        assert len(shown) == 2 and shown[1][0] == address
        session.close()

    try:
        asyncio.run(cells())
    finally:
        notebook._steps.clear()


def test_outside_of_a_notebook_a_line_says_so(monkeypatch):
    pytest.importorskip("viser", reason="octoscope[web] is not installed")
    with pytest.raises(RuntimeError, match="works in a cell of a Jupyter notebook"):
        octoscope.show(Scene(), where="notebook")


def test_callbacks_and_other_places_are_refused():
    with pytest.raises(ValueError, match="for windows"):
        octoscope.show(Scene(), where="notebook", on_select=print)
    with pytest.raises(ValueError, match="where must be 'window', 'notebook' or 'page'"):
        octoscope.show(Scene(), where="moon")


def test_without_the_extra_its_mend_is_named(monkeypatch):
    forget_web(monkeypatch)
    monkeypatch.setitem(sys.modules, "viser", None)
    with pytest.raises(RuntimeError, match=r"needs viser: pip install 'octoscope\[web\]'"):
        octoscope.show(Scene(), where="notebook")


def test_a_scene_alone_in_a_cell_is_a_picture_of_it():
    with Image.open(io.BytesIO(red_cube()._repr_png_())) as picture:
        red, green, blue = np.asarray(picture.convert("RGB")).astype(int).transpose(2, 0, 1)
    assert ((red > 100) & (red > 2 * green) & (red > 2 * blue)).mean() > 0.05


def test_another_notebook_part_does_not_need_the_extra(monkeypatch):
    forget_web(monkeypatch)
    monkeypatch.setitem(sys.modules, "viser", None)
    with pytest.raises(RuntimeError, match="where='page' works in a cell"):
        octoscope.show(Scene(), where="page")


def test_where_nothing_can_draw_there_is_no_picture(monkeypatch):
    monkeypatch.setattr("octoscope.scene.offers.distributions", lambda name: [])
    assert red_cube()._repr_png_() is None
