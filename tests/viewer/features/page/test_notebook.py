"""A page in a cell of a notebook: it holds the whole page, and needs no kernel."""

from __future__ import annotations

import html
import re
import sys
import types

import pytest

import octoscope
from octoscope.scene import Scene, WriteError
from octoscope.scene.mesh.primitives import PRIMITIVES
from tests.scene.formats.page.pages import head_of


@pytest.fixture
def shown(monkeypatch):
    """Stand in for IPython; return the list of what cells display."""
    shown: list[dict[str, str]] = []
    display = types.ModuleType("IPython.display")
    display.display = lambda data, raw: shown.append(data)
    shell = types.ModuleType("IPython")
    shell.get_ipython = lambda: shell
    monkeypatch.setitem(sys.modules, "IPython", shell)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    return shown


def cubes() -> Scene:
    scene = Scene()
    scene.add_node('<a "cube">', mesh=scene.meshes.add(PRIMITIVES["cube"]()))
    return scene


def test_a_cell_holds_the_page_of_to_html(shown):
    scene = cubes()
    assert octoscope.show(scene, title='"cubes"', size=(800, 500), where="page") is None
    (cell,) = shown
    (source, rest) = re.fullmatch(r'<iframe srcdoc="([^"]*)"( [^<>]*)></iframe>', cell["text/html"]).groups()
    assert html.unescape(source) == scene.to_html(title='"cubes"') and 'height="500"' in rest
    assert [node["name"] for node in head_of(html.unescape(source))["gltf"]["nodes"]] == ['<a "cube">']
    assert "1 node" in cell["text/plain"] and "ambient occlusion is left out" in cell["text/plain"]


def test_outside_of_a_notebook_and_without_objects_a_line_says_so(shown, monkeypatch):
    with pytest.raises(WriteError, match="nothing to write"):
        octoscope.show(Scene(), where="page")
    with pytest.raises(WriteError, match="nothing to write"):
        Scene().to_html()
    with pytest.raises(ValueError, match="not for where='page'"):
        octoscope.show(cubes(), where="page", on_select=print)
    sys.modules["IPython"].get_ipython = lambda: None
    with pytest.raises(RuntimeError, match="works in a cell of a Jupyter notebook"):
        octoscope.show(cubes(), where="page")
    monkeypatch.setitem(sys.modules, "IPython", None)
    with pytest.raises(RuntimeError, match="works in a cell of a Jupyter notebook"):
        octoscope.show(cubes(), where="page")
