"""Tilesets in tilesets become tiles in the world, as a plain walk through the files finds them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from octoscope.scene import ReadError, Scene, write_glb
from octoscope.scene.conventions.upright import turn_between
from octoscope.scene.formats.tiles.tile_table import TileTable, read_tile_table
from octoscope.scene.geometry.affine import linear
from octoscope.scene.tiling.tiling import write_tiles
from tests.scene.builders import ball
from tests.scene.streaming.villages import whole_table


@pytest.fixture(scope="module")
def octrees(tmp_path_factory) -> Path:
    """A folder with two tilesets: octree 0 of one tile, octree 1 of several levels."""
    folder = tmp_path_factory.mktemp("octrees")
    for number, (count, leaf) in enumerate([(1, 10_000), (40, 600)]):
        made = Scene()
        mesh = made.meshes.add(ball(8))
        rng = np.random.default_rng(number)
        for one in range(count):
            made.add_node(f"ball {one}", mesh=mesh, translation=rng.uniform(-20, 20, 3))
        write_glb(made, folder / "made.glb")
        write_tiles([folder / "made.glb"], folder / f"octree {number}", leaf_elements=leaf)
    return folder


def place(path: Path, uris: list[str], matrices: np.ndarray) -> Path:
    """Write a tileset.json in which others are placed, in boxes and with errors of no meaning."""
    children = [
        {
            "content": {"uri": uri},
            "transform": matrix.T.ravel().tolist(),
            "boundingVolume": {"box": [number, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3]},
            "geometricError": 10.0 + number,
        }
        for number, (uri, matrix) in enumerate(zip(uris, matrices, strict=True))
    ]
    volume = {"box": [1, 2, 3, 5, 0, 0, 0, 6, 0, 0, 0, 7]}
    root = {"boundingVolume": volume, "geometricError": 99.0, "refine": "REPLACE", "children": children}
    path.write_text(json.dumps({"asset": {"version": "1.1"}, "root": root}))
    return path


def naive(path: Path, world_from_tiles: np.ndarray) -> tuple:
    """The tiles below the topmost one of a file, each with those below it: boxes, errors, contents, placements."""
    root = json.loads(path.read_text())["root"]
    if "implicitTiling" in root:
        return nested(read_tile_table(path, up_axis="z"), world_from_tiles)
    below = [
        naive(path.parent / child["content"]["uri"], world_from_tiles @ np.reshape(child["transform"], (4, 4)).T)
        for child in root["children"]
    ]
    box = np.array(root["boundingVolume"]["box"])
    return facts(
        path.parent.name, box[:3], np.diag(box[3:].reshape(3, 3)), 99.0, None, np.eye(4), world_from_tiles, below
    )


def nested(table: TileTable, outer: np.ndarray, tile: int = 0) -> tuple:
    """A tile of a table as a tuple, moved by a matrix."""
    content = int(table.contents[tile])
    return facts(
        str(table.names[tile]),
        table.centers[tile],
        table.halves[tile],
        table.errors[tile],
        None if content < 0 else (table.files[content][0].parts[-3:], bool(table.is_by_object[content])),
        table.world_from_content[table.placements[tile]],
        outer,
        [nested(table, outer, child) for child in table.children_of(np.array([tile])).tolist()],
    )


def facts(name, center, half, error, content, world_from_content, outer, below) -> tuple:
    turn = outer[:3, :3]
    matrix = np.zeros((4, 4)) if content is None else outer @ world_from_content
    error *= np.linalg.norm(turn, axis=0).max()
    numbers = turn @ center + outer[:3, 3], np.abs(turn) @ half, [error], matrix.ravel()
    return np.concatenate(numbers), name, content, below


def assert_same(found: tuple, expected: tuple) -> None:
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-9, atol=1e-9)
    assert found[1:3] == expected[1:3] and len(found[3]) == len(expected[3])
    for one, other in zip(found[3], expected[3], strict=True):
        assert_same(one, other)


@pytest.mark.parametrize("seed", range(6))
def test_tiles_are_those_that_a_plain_walk_through_the_files_finds(octrees, seed):
    rng = np.random.default_rng(seed)
    names = ["octree 0/tileset.json", "octree 1/tileset.json"]
    for number in range(int(rng.integers(1, 5))):
        chosen = [str(name) for name in rng.choice(names, rng.integers(1, 4))]
        # Axes change places, so that half edges along them are exact.
        turns = np.eye(3)[rng.permuted(np.tile(np.arange(3), (len(chosen), 1)), axis=1)]
        matrices = np.tile(np.eye(4), (len(chosen), 1, 1))
        matrices[:, :3, :3] = turns * rng.uniform(0.5, 2.0, (len(chosen), 1, 1))
        matrices[:, :3, 3] = rng.uniform(-100, 100, (len(chosen), 3))
        names.append(place(octrees / f"{seed} {number}.json", chosen, matrices).name)
    path = octrees / names[-1]
    world_from_tiles = np.eye(4)
    world_from_tiles[:3, :3] = turn_between("z", "y")
    table = whole_table(path)
    assert_same(nested(table, np.eye(4)), naive(path, world_from_tiles))
    rows = np.arange(len(table))
    below = table.children_of(rows)
    np.testing.assert_array_equal(np.sort(below), rows[1:])
    np.testing.assert_array_equal(table.parents[below], np.repeat(rows, table.child_counts))
    turns = linear(table.rotations, table.scales)
    np.testing.assert_allclose(turns, table.world_from_content[:, :3, :3], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    ("inner", "outer", "said"),
    [
        (np.array([[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]]), np.diag([1.0, 2.0, 1.0]), "shears"),
        (np.eye(3) * 1e60, np.eye(3) * 1e60, "too large"),
    ],
)
def test_places_that_are_odd_only_together_are_told_in_one_line(octrees, inner, outer, said):
    name = "octree 0/tileset.json"
    for number, turn in enumerate((inner, outer)):
        matrix = np.eye(4)
        matrix[:3, :3] = turn
        name = place(octrees / f"odd {number}.json", [name], matrix[None]).name
    with pytest.raises(ReadError, match=said) as caught:
        whole_table(octrees / name)
    assert "\n" not in str(caught.value)


def test_tilesets_that_are_placed_a_billion_times_are_refused_in_one_line(octrees):
    """They are counted before a tile is made for each: this took all memory."""
    inner = "octree 0/tileset.json"
    for number in range(4):
        inner = place(octrees / f"many {number}.json", [inner] * 500, np.tile(np.eye(4), (500, 1, 1))).name
    with pytest.raises(ReadError, match=r"^[^\n]*many 1.json: more than 4,194,304 tiles[^\n]* alone$"):
        whole_table(octrees / inner)


def test_a_tileset_in_itself_is_left_out_in_a_line_that_says_so(octrees):
    for name, inner in (("ring a", "ring b"), ("ring b", "ring a")):
        place(octrees / f"{name}.json", ["octree 0/tileset.json", f"{inner}.json"], np.tile(np.eye(4), (2, 1, 1)))
    table = whole_table(octrees / "ring a.json")
    assert [f"{problem}" for problem in table.problems] == [
        f"{octrees / 'ring a.json'}: is placed in itself, maybe by others in it; remove that place: left out"
    ]
    assert len(table) > 2 * len(read_tile_table(octrees / "octree 0/tileset.json"))


def test_tilesets_that_a_server_could_make_up_without_end_are_read_to_some_depth(octrees):
    name = "octree 0/tileset.json"
    for number in range(65):
        name = place(octrees / f"deep {number}.json", [name], np.eye(4)[None]).name
    table = whole_table(octrees / name)
    (problem,) = table.problems
    assert "more than 64 tilesets in each other" in str(problem) and "\n" not in str(problem)
