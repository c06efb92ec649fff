"""What is done to many things takes steps in proportion to their number: lines of Python are counted, not time."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from octoscope.scene import Material, Scene, Texture, open_project, save_project
from octoscope.scene.annotations.bookmarks import Bookmark, merged_bookmarks
from octoscope.scene.cutting import fill
from octoscope.scene.formats.mtl.writer import write_mtl
from octoscope.scene.formats.obj.writer import material_names
from octoscope.scene.loading.reload_materials import replace_textures, set_file_materials
from octoscope.scene.nodes import names_of_copies

FEW, TIMES = 60, 4
FILE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"


def lines_run(do: Callable[[], object]) -> int:
    """Count the lines of Python that a call runs on this thread."""
    count = 0

    def trace(frame: object, event: str, argument: object) -> object:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        do()
    finally:
        sys.settrace(before)
    return count


def project_of_files(folder: Path, count: int) -> Callable[[], object]:
    for number in range(count):
        (folder / f"{number}.obj").write_text(FILE)
    scene = Scene()
    save_project(scene, folder / "all.octo.json")
    document = json.loads((folder / "all.octo.json").read_text())
    document["files"] = [{"path": f"{number}.obj"} for number in range(count)]
    document["materials"] = [{"name": "red"}] * count
    document["nodes"] = [{"name": "node", "mesh": {"file": i, "object": f"{i}"}} for i in range(count)]
    (folder / "all.octo.json").write_text(json.dumps(document))

    def opened() -> None:
        assert (open_project(folder / "all.octo.json").mesh_ids >= 0).all()

    return opened


def textures(count: int) -> list[Texture]:
    pixels = np.zeros((1, 1, 4), dtype=np.uint8)
    pixels.flags.writeable = False
    return [Texture(Path("model.glb"), pixels, is_file=False) for _ in range(count)]


def materials_of_a_file(folder: Path, count: int) -> Callable[[], object]:
    scene = Scene()
    scene.add_materials([Material(str(number), base_color_texture=each) for number, each in enumerate(textures(count))])
    again = [Material(f"{number} again", base_color_texture=each) for number, each in enumerate(textures(2 * count))]

    def replaced() -> None:
        set_file_materials(scene, again, np.arange(1, 2 * count + 1))
        replace_textures(scene, {old.base_color_texture: new for old, new in zip(again, textures(count), strict=False)})
        assert len(scene.materials) == 2 * count + 1

    return replaced


def names_of_many_textures(folder: Path, count: int) -> Callable[[], object]:
    materials = {
        str(number): Material(str(number), base_color_texture=each) for number, each in enumerate(textures(count))
    }
    return lambda: write_mtl(materials, folder / "model.mtl")


def copies_behind_a_rename(folder: Path, count: int) -> Callable[[], object]:
    scene = Scene()
    scene.add_nodes(["tower"] * count)
    return lambda: names_of_copies(scene, scene.ids, 1)


BOOKMARK = Bookmark((0.0, 0.0, 0.0))
MANY: dict[str, Callable[[Path, int], Callable[[], object]]] = {
    "opening a project of many files": project_of_files,
    "reading materials again": materials_of_a_file,
    "names of materials": lambda folder, count: lambda: material_names([Material("")] * count),
    "names of images": names_of_many_textures,
    "names of copies": copies_behind_a_rename,
    "names of bookmarks": lambda folder, count: (
        lambda: merged_bookmarks({}, dict.fromkeys(map(str, range(count)), BOOKMARK))
    ),
}


@pytest.mark.parametrize("what", MANY)
def test_four_times_as_many_take_four_times_as_many_steps(tmp_path, what):
    counts = []
    for count in (FEW, TIMES * FEW):
        (tmp_path / str(count)).mkdir()
        do = MANY[what](tmp_path / str(count), count)
        if count == FEW:
            do()  # what is imported at first does not count
        counts.append(lines_run(do))
    assert counts[1] < 1.2 * TIMES * counts[0]


@pytest.mark.parametrize("axis", [0, 1])
def test_objects_in_one_line_are_not_compared_with_each_other(monkeypatch, axis):
    lower = np.zeros((500, 2))
    lower[:, axis] = 2.0 * np.random.default_rng(1).permutation(500)
    seen = []
    compared = fill.compared
    monkeypatch.setattr(fill, "compared", lambda *given: seen.append(given) or compared(*given))
    assert len(np.unique(fill.grouped(lower, lower + 1.0))) == 500
    ((along, _, order),) = seen
    assert (np.diff(along[order, 0]) > 1.0).all()


@pytest.mark.parametrize("seed", range(8))
def test_what_overlaps_is_in_one_group_whichever_axis_is_gone_along(seed):
    rng = np.random.default_rng(seed)
    lower = rng.uniform(0.0, 10.0, (60, 2))
    upper = lower + rng.uniform(0.0, 2.0, (60, 2)) * (1.0, 3.0)[:: 1 if seed % 2 else -1]
    touch = (lower[:, None] <= upper[None]).all(axis=2)
    touch &= touch.T
    groups = np.arange(60)
    for _ in range(60):
        groups = np.where(touch, groups[None], 60).min(axis=1)
    found = fill.grouped(lower, upper)
    np.testing.assert_array_equal(found[:, None] == found, groups[:, None] == groups)
