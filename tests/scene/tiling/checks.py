"""A tileset's files against the scene that they were made of, by plain loops."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np

from octoscope.scene import Scene
from octoscope.scene.formats.tiles.cells import Tile, tiles_from_scene
from octoscope.scene.formats.tiles.tileset import Tileset
from octoscope.scene.merging.merged_geometry import MergedGeometry
from tests.scene.formats.tiles.reading import leaves_of, read_content, read_tileset_file

KINDS = ("triangle", "line", "point")


def tileset_of(folder: Path) -> Tileset:
    return read_tileset_file(folder / "tileset.json")


def content_of_tile(folder: Path, tile: Tile) -> tuple[MergedGeometry, dict]:
    return read_content(folder / "content" / "{}_{}_{}_{}.glb".format(*tile))


Elements = dict[tuple[str, str], list[np.ndarray]]  # corners (k, 3) of each, by the object's name and the kind


def elements_of_scene(scene: Scene) -> Elements:
    found: Elements = {}
    for node in scene.ids[scene.mesh_ids[scene.ids] >= 0].tolist():
        mesh = scene.meshes.mesh(int(scene.mesh_ids[node]))
        matrix = scene.world_from_local[node]
        world = mesh.positions @ matrix[:3, :3].T + matrix[:3, 3]
        triangles = mesh.triangles[:, [0, 2, 1]] if np.linalg.det(matrix[:3, :3]) < 0.0 else mesh.triangles
        for kind, rows in zip(KINDS, (triangles, mesh.lines, mesh.points[:, None]), strict=True):
            found.setdefault((str(scene.names[node]), kind), []).extend(world[rows])
    return found


def elements_of_leaves(folder: Path, tileset: Tileset) -> Elements:
    found: Elements = {}
    for tile in leaves_of(tileset):
        geometry, table = content_of_tile(folder, tile)
        names = dict(zip(table["id"].tolist(), table["name"].tolist(), strict=True))
        for kind, rows in zip(KINDS, geometry.elements, strict=True):
            for row in rows:
                (owner,) = set(geometry.objects[row].tolist())  # one object an element
                found.setdefault((names[owner], kind), []).append(geometry.positions[row])
    return found


def assert_same_elements(made: Elements, expected: Elements, *, rounding: float = 1e-6) -> None:
    """Match each element with another of the same object and kind, but for rounding: a share of what is largest."""
    made, expected = ({key: rows for key, rows in each.items() if rows} for each in (made, expected))
    assert {key: len(rows) for key, rows in made.items()} == {key: len(rows) for key, rows in expected.items()}
    for key, rows in expected.items():
        left = np.stack(made[key])
        slack = rounding * max(np.abs(left).max(), 1e-30)
        for corners in rows:
            ways = [np.abs(left - np.roll(corners, turn, axis=0)).max(axis=(1, 2)) for turn in range(len(corners))]
            nearest = int(np.min(ways, axis=0).argmin())
            assert np.min(ways, axis=0)[nearest] <= slack, key
            left = np.delete(left, nearest, axis=0)


def assert_sound(folder: Path, leaf_elements: int) -> Tileset:
    """Check all that holds for every tileset."""
    tileset = tileset_of(folder)
    tiles = tileset.tiles
    document = json.loads((folder / "tileset.json").read_text())
    assert document["asset"]["version"] == "1.1" and document["root"]["refine"] == "REPLACE"
    assert sorted(path.name for path in folder.iterdir()) == ["content", "subtrees", "tileset.json"]
    shown = {path.stem for path in (folder / "content").glob("*.glb")}
    assert shown == {"{}_{}_{}_{}".format(*tile) for tile, facts in tiles.items() if facts.has_content}
    leaves = set(leaves_of(tileset))
    for tile, facts in tiles.items():
        assert np.isfinite(facts.error) and facts.error >= 0.0
        # What a program assumes that does not read errors of tiles.
        assert facts.error <= document["root"]["geometricError"] / 2.0**tile.level * (1.0 + 1e-12)
        lower, upper = edges(facts.box)
        assert (lower >= tileset.root.lower - 1e-9 * tileset.root.size).all()
        assert (upper <= tileset.root.lower + tileset.root.size * (1.0 + 1e-9)).all()
        if tile.level:
            parent = tiles[tile.parent]
            assert parent.error >= facts.error
            low, high = edges(parent.box)
            slack = 1e-12 * np.abs([low, high]).max()
            assert (low <= lower + slack).all() and (high >= upper - slack).all()
        if tile in leaves:
            assert facts.error == 0.0 and facts.has_content
        if facts.has_content:
            geometry, _ = content_of_tile(folder, tile)
            turned = tiles_from_scene(geometry.positions)
            assert (turned >= lower).all() and (turned <= upper).all()
            if tile in leaves:
                assert_in_cell(tileset, tile, geometry)
                assert geometry.element_count <= leaf_elements or tile.level == 20
    return tileset


def edges(box: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    half = np.abs(box[3:].reshape(3, 3)).sum(axis=0)
    return box[:3] - half, box[:3] + half


def assert_in_cell(tileset: Tileset, tile: Tile, geometry: MergedGeometry) -> None:
    """The middle of each element lies in the leaf's cell, but for the rounding of positions."""
    size = tileset.root.size / 2.0**tile.level
    lower = tileset.root.lower + np.array(tile[1:]) * size
    middles = tiles_from_scene(geometry.centers())
    slack = 1e-6 * tileset.root.size
    assert (middles >= lower - slack).all() and (middles <= lower + size + slack).all()


def tree_of(scene: Scene) -> Counter:
    """The path of every node that is shown, from below the file's node, with its material's colour."""
    found: Counter = Counter()
    for node in scene.ids.tolist():
        if scene.mesh_ids[node] >= 0:
            path, above = [], node
            while above > 0:
                path.append(str(scene.names[above]))
                above = int(scene.parents[above])
            found["/".join(reversed(path))] += 1
    return found
