"""The example scripts run, each in a folder of its own beside the sample scene, and say what they say."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from octoscope.scene import load
from tests.viewer.needs import needs

EXAMPLES = Path(__file__).parents[2] / "examples"
SAYS = {  # in its last lines
    "build_from_primitives": "wood.glb: 27 nodes, 4 meshes",
    "color_by_numbers": "3,600 numbers from -1.00 to 1.00",
    "convert_and_rename": "harbour.glb: 545 nodes, 114 of them new groups",
    "cull_with_a_frustum": "of 1,000,000 spheres are seen",
    "cut_open": "cut at z<-13.20 y>-1",
    "depth_and_ids": "objects are seen, 95",
    "draw_100000_instances": "640x360, 100,000 objects",
    "find_overlaps": "pairs of objects overlap",
    "light_and_environment": "the sun stands at [0.89, 0.31, 0.33]",
    "list_the_tree": "431 nodes, 27,170 triangles",
    "mesh_from_trimesh": "Scene(5 nodes, 1 mesh, 5,120 triangles)",
    "move_objects_and_save": "[0. 5. 0.] and 52 nodes of boats moved",
    "pick_and_measure": "lighthouse_tower at",
    "point_cloud": "Scene(1 node, 1 mesh, 1,000,000 points)",
    "show_the_octree": "a ray from above hits lighthouse_finial",
    "stand_in_the_scene": "31.9 away from the lighthouse",
    "turntable": "turntable.gif: 12 pictures",
    "undo_and_redo": "undone: 431 nodes, the tower is at [0. 0. 0.]\ndone again: 437 nodes, which was 437",
    "ways_of_seeing": "ways_of_seeing.png: 1278x640",
}
IN_A_WINDOW = {
    "animate_in_a_window": "selected: lighthouse_tower",
    "simulate_on_a_thread": "closed with the tower",
    "update_in_a_loop": "closed after 60 steps",
}


def in_folder_with_assets(folder: Path) -> Path:
    """The folder, in which examples find the sample scene."""
    (folder / "assets").symlink_to(EXAMPLES.parents[1] / "assets", target_is_directory=True)
    return folder


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, four_samples: None) -> Path:
    monkeypatch.chdir(in_folder_with_assets(tmp_path))
    return tmp_path


def test_all_examples_are_known_here():
    assert {path.stem for path in EXAMPLES.glob("*.py")} == {*SAYS, *IN_A_WINDOW}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[needs("octree_view")] * (name == "show_the_octree")) for name in SAYS]
)
def test_an_example_runs(name, folder, capsys):
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    assert SAYS[name] in capsys.readouterr().out
    picture = np.asarray(Image.open(folder / f"{name}.png").convert("RGB"))
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 50, "the guide shows that picture"


def test_what_examples_write_is_what_they_made(folder, capsys):
    runpy.run_path(str(EXAMPLES / "build_from_primitives.py"))
    wood = load("wood.glb")
    assert len(wood["wood"].children) == 8 and wood.element_count("triangle") == 8 * (32 * 4 + 64) + 2 + 960
    runpy.run_path(str(EXAMPLES / "convert_and_rename.py"))
    harbour = load("harbour.glb")
    assert {"walls", "roof", "door"} <= {node.name for node in harbour["house_01"].children}


@pytest.mark.parametrize("name", IN_A_WINDOW)
def test_an_example_with_a_window_says_in_one_line_that_there_is_none(name, folder, monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    if sys.platform.startswith("linux"):
        with pytest.raises(SystemExit, match=r"^no display"):
            runpy.run_path(str(EXAMPLES / f"{name}.py"))
