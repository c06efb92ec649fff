"""octoscope tiles: a folder of 3D Tiles, or one line that says why not."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest

from octoscope.scene import load
from octoscope.scene.formats.tiles.tile_table import read_tile_table
from tests.scene.tiling.checks import assert_sound
from tests.viewer.cli.cli_steps import PALETTE, box

pytestmark = pytest.mark.usefixtures("in_folder")


@pytest.fixture
def town(write):
    write("town.mtl", PALETTE)
    boxes = "".join(box(f"box {k}", (5.0 * k, 0, 0), first=8 * k, all="red") for k in range(6))
    return write("town.obj", "mtllib town.mtl\n" + boxes)


def depth_of(tileset) -> int:
    return 1 + max(tile.level for tile in tileset.tiles)


def test_a_folder_of_tiles_is_written(town, run):
    status, out, err = run("tiles", town, "-o", "out", "--leaf", "12", "--workers", "1")
    assert (status, err) == (0, [])
    tileset = assert_sound(Path("out"), 12)
    assert out.startswith(f"out: {len(tileset.tiles)} tiles on {depth_of(tileset)} levels, ")
    assert "6 objects, 72 triangles, " in out
    read = load("out/tileset.json")
    assert read.names.tolist() == ["tileset.json", *(f"box {k}" for k in range(6))]


def test_the_report_says_what_was_written(town, facts):
    report = facts("tiles", town, "-o", "out", "--leaf", "12", "--workers", "1")
    assert report["files"] == [town] and (report["objects"], report["triangles"], report["workers"]) == (6, 72, 1)
    assert report["tiles"] == sum(level["tiles"] for level in report["levels"])
    assert report["bytes"] == sum(path.stat().st_size for path in Path("out/content").glob("*.glb"))
    assert report["notes"] == report["warnings"] == []
    assert sum(level["leaves"] for level in report["levels"]) >= 6 and report["levels"][-1]["error"] == 0.0


def test_stats_are_a_line_for_each_level(town, run):
    _, out, _ = run("tiles", town, "-o", "out", "--leaf", "12", "--workers", "1", "--stats")
    lines = out.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("level"))
    levels = load("out/tileset.json") and depth_of(assert_sound(Path("out"), 12))
    assert [line.split()[0] for line in lines[first + 1 : -2]] == list(map(str, range(levels)))
    assert lines[first].split() == ["level", "tiles", "leaves", "triangles", "size", "error"]  # no lines, no points
    assert lines[-2].startswith("Leaves hold what the files do.")
    assert "reading" in lines[-1] and "made as a whole, 1 process" in lines[-1]
    _, out, _ = run("tiles", town, "-o", "one", "--workers", "1")
    assert out.startswith("one: 1 tile on 1 level, ")


def test_a_tileset_is_replaced_by_force_alone(town, run):
    assert run("tiles", town, "-o", "out", "--workers", "1")[0] == 0
    before = os.stat("out/tileset.json").st_ino
    status, _, err = run("tiles", town, "-o", "out", "--workers", "1")
    assert status == 2 and err == ["octoscope: out: is there already; add --force to replace it, or name a new folder"]
    assert os.stat("out/tileset.json").st_ino == before
    assert run("tiles", town, "-o", "out", "--workers", "1", "--force")[0] == 0


def test_tilesets_are_shown_together_and_as_copies_side_by_side(town, run, facts):
    Path("all").mkdir()
    for name in ("a", "b"):
        assert run("tiles", town, "-o", f"all/{name}", "--workers", "1")[0] == 0
    status, out, err = run("tiles", "all/a/tileset.json", "all/b/tileset.json", "--place", "-o", "all")
    assert (status, err) == (0, []) and out.startswith("all/tileset.json: shows 2 tilesets; open it with --budget")
    table = read_tile_table(Path("all/tileset.json"))
    np.testing.assert_allclose(table.centers[1], table.centers[2])
    report = facts("tiles", "all/a/tileset.json", "--place", "--copies", "3x2", "-o", "all", "--force")
    assert report == {"output": "all/tileset.json", "files": ["all/a/tileset.json"], "placed": 6}
    table = read_tile_table(Path("all/tileset.json"))
    tops = np.flatnonzero(table.parents == 0)
    begins = (table.centers - table.halves)[tops] - (table.centers - table.halves)[tops[0]]
    size = 2.0 * table.halves[tops[0]]
    expected = [(x * size[0], 0.0, -z * size[2]) for x in range(3) for z in range(2)]  # Y of tiles is -Z
    np.testing.assert_allclose(begins, expected, atol=1e-6)
    np.testing.assert_allclose(2.0 * table.halves[0], size * (3, 1, 2), rtol=1e-6)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["a/tileset.json", "--place", "-o", "."], ""),
        (["a/tileset.json", "--place", "-o", "a"], "a/tileset.json: would be replaced by the tileset that shows it"),
        (["a/tileset.json", "--place", "-o", "a/content"], "not in a folder below a/content; move it there"),
        (["a/tileset.json", "--place", "-o", ".", "--stats"], "--place makes no tiles; leave out --stats"),
        (["a/tileset.json", "--place", "-o", ".", "--copies", "3"], "'3' is not NxM, such as 4x3"),
        (["a/tileset.json", "--place", "-o", ".", "--copies", "1000x1000"], "more than 65,536 tilesets"),
        (["a/none.json", "--place", "-o", "."], "a/none.json: no such file"),
        (["town.obj", "--place", "-o", "."], "town.obj: not a tileset"),
        (["town.obj", "--copies", "2x2", "-o", "b"], "add --place"),
    ],
)
def test_tilesets_that_cannot_be_placed_are_told_in_one_line(town, run, arguments, said):
    assert run("tiles", town, "-o", "a", "--workers", "1")[0] == 0
    status, _, err = run("tiles", *arguments)
    assert (status, len(err)) == ((2, 1) if said else (0, 0)) and said in "".join(err)
    assert Path("tileset.json").exists() == (not said)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["none.obj", "-o", "out"], "none.obj: no such file"),
        (["town.obj", "-o", "town.obj"], "town.obj: is a file; name a folder"),
        (["town.obj", "-o", "."], "holds other files"),
        (["town.obj", "-o", "none/out"], "there is no such folder"),
        (["town.obj", "-o", "out", "--workers", "0"], "not a number of processes"),
        (["town.obj", "-o", "out", "--leaf", "0"], "not a whole number"),
        (["town.obj", "-o", "out", "--workers", "2", "--cluster", "tcp://host:1"], "a cluster has its own"),
        (["town.obj"], "required: -o"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(town, run, arguments, said):
    status, out, err = run("tiles", *arguments)
    assert (status, out, len(err)) == (2, "", 1) and said in err[0]
    assert not Path("out").exists() and not Path("out.octoscope-saving").exists()


def test_a_cluster_without_dask_is_told_in_one_line(town, run, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "octoscope.scene.tiling.cluster", raising=False)
    status, _, err = run("tiles", town, "-o", "out", "--cluster", "local")
    assert status == 2 and err == ["octoscope: this needs distributed: pip install 'octoscope[cluster]'"]


def test_tiles_are_compressed_if_asked_for(town, facts):
    pytest.importorskip("DracoPy", reason="octoscope[draco] is not installed")
    sizes = [
        facts("tiles", town, "-o", name, "--workers", "1", *further)["bytes"]
        for name, further in (("plain", ()), ("small", ("--compress", "draco")))
    ]
    assert sizes[1] < sizes[0] and "DRACO" in next(Path("small/content").glob("*.glb")).read_bytes().decode("latin-1")
    assert load("small/tileset.json").names.tolist() == load("plain/tileset.json").names.tolist()


def test_compression_without_its_library_is_told_before_any_work(town, run, monkeypatch):
    monkeypatch.setitem(sys.modules, "DracoPy", None)
    status, _, err = run("tiles", town, "-o", "out", "--compress", "draco")
    assert status == 2 and err == ["octoscope: this needs DracoPy: pip install 'octoscope[draco]'"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "its JSON cannot be read"),
        ("[]", "it has no 'root'"),
        (
            '{"asset": {"version": "1.0"}, "root": {"boundingVolume": {"sphere": [0, 0, 0, 1]}}}',
            "nothing to show in it",
        ),
    ],
)
def test_a_tileset_that_cannot_be_read_is_told_in_one_line(write, run, content, said):
    status, _, err = run("info", write("tileset.json", content))
    assert status == 2 and len(err) == 1 and said in err[0]


def test_a_tileset_with_a_part_missing_is_told_in_one_line(town, run):
    run("tiles", town, "-o", "out", "--workers", "1")
    (content,) = Path("out/content").glob("*.glb")
    content.unlink()
    status, _, err = run("info", "out/tileset.json")
    assert status == 2 and len(err) == 1 and "0_0_0_0.glb: no such file" in err[0]
    (subtree,) = Path("out/subtrees").iterdir()
    subtree.write_bytes(subtree.read_bytes()[:40])
    status, _, err = run("info", "out/tileset.json")
    assert status == 2 and len(err) == 1 and "broken subtree" in err[0]
