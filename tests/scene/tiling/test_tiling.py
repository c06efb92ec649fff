"""Tilesets against the scenes that they were made of: nothing is lost, boxes hold, errors are true."""

from __future__ import annotations

import filecmp
import gc
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import octoscope.scene.tiling.sources
import octoscope.scene.tiling.tiling
from octoscope.scene import Material, MeshData, ReadError, Scene, WriteError, load, write_glb
from octoscope.scene.conventions.upright import turn_between
from octoscope.scene.formats.gltf.document import read_document
from octoscope.scene.formats.tiles.cells import Tile, tiles_from_scene
from octoscope.scene.merging.merged_geometry import MergedGeometry
from octoscope.scene.tiling.cutting import cut_bucket
from octoscope.scene.tiling.tiling import write_tiles
from tests.cases import quick
from tests.scene.builders import ball, box, mesh_of, random_scene, soup
from tests.scene.dressed import dressed_scene
from tests.scene.formats.tiles.reading import leaves_of
from tests.scene.tiling.checks import (
    assert_same_elements,
    assert_sound,
    content_of_tile,
    elements_of_leaves,
    elements_of_scene,
    tileset_of,
    tree_of,
)


def tiled(made: Scene, folder: Path, *, leaf_elements: int = 20, **options) -> Path:
    """Tile a scene by way of a GLB."""
    write_glb(made, folder / "scene.glb")
    write_tiles([folder / "scene.glb"], folder / "tiles", leaf_elements=leaf_elements, **options)
    return folder / "tiles"


def many_boxes(count: int, *, spread: float = 20.0, seed: int = 0) -> Scene:
    """Boxes here and there, under groups."""
    rng = np.random.default_rng(seed)
    made = Scene()
    mesh = made.meshes.add(box())
    groups = [made.add_node(f"group {k}").id for k in range(3)]
    for number in range(count):
        place = rng.uniform(-spread, spread, 3)
        made.add_node(f"box {number}", parent=groups[number % 3], mesh=mesh, translation=place)
    return made


@pytest.mark.parametrize("seed", quick(range(6), 2))
def test_every_element_is_in_one_leaf(seed, tmp_path):
    made = random_scene(seed, count=30, zeros=0.0) if seed % 2 else dressed_scene(seed, count=24)
    folder = tiled(made, tmp_path)
    tileset = assert_sound(folder, 20)
    assert_same_elements(elements_of_leaves(folder, tileset), elements_of_scene(load(tmp_path / "scene.glb")))


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 60), st.integers(1, 40), st.sampled_from([1e-3, 1.0, 1e5]))
def test_triangles_anywhere_are_in_one_leaf(tmp_path_factory, seed, count, leaf_elements, size):
    folder = tmp_path_factory.mktemp("tiled")
    rng = np.random.default_rng(seed)
    corners = soup(rng, count).positions * rng.choice((0.0, 1e-4, 1.0), 3) * size
    made = Scene()
    for rows in np.array_split(np.arange(count), min(count, 3)):
        part = corners.reshape(-1, 3, 3)[rows].reshape(-1, 3)
        made.add_node(f"soup {rows[0]}", mesh=made.meshes.add(mesh_of(part, np.arange(len(part)).reshape(-1, 3))))
    tiles = tiled(made, folder, leaf_elements=leaf_elements)
    tileset = assert_sound(tiles, leaf_elements)
    assert_same_elements(elements_of_leaves(tiles, tileset), elements_of_scene(load(folder / "scene.glb")))


def test_many_elements_at_one_place_end_at_the_deepest_level(tmp_path):
    triangle = mesh_of(np.array([(0.0, 0, 0), (1, 0, 0), (0, 1, 0)]), np.tile([[0, 1, 2]], (50, 1)))
    made = Scene()
    made.add_node("fifty", mesh=made.meshes.add(triangle))
    folder = tiled(made, tmp_path, leaf_elements=10)
    tileset = assert_sound(folder, 10)
    assert [tile.level for tile in leaves_of(tileset)] == [20]
    assert len(elements_of_leaves(folder, tileset)["fifty", "triangle"]) == 50


def test_a_single_point_is_a_tileset(tmp_path):
    point = MeshData(np.array([(3.0, 4, 5)]), np.empty((0, 3), int), None, np.zeros(1, int), points=np.array([0]))
    made = Scene()
    made.add_node("point", mesh=made.meshes.add(point))
    tileset = assert_sound(tiled(made, tmp_path), 20)
    np.testing.assert_allclose(tileset.tiles[Tile(0, 0, 0, 0)].box[:3], (3, -5, 4), rtol=1e-6)


def test_tiles_stand_where_their_programs_turn_contents_to(tmp_path):
    made = Scene()
    mesh = made.meshes.add(box())
    for place in ((0, 100, 0), (0, 0, 0)):  # one above the other
        made.add_node("box", mesh=mesh, translation=place)
    tileset = tileset_of(tiled(made, tmp_path, leaf_elements=12))
    leaves = {tile: tileset.tiles[tile].box for tile in leaves_of(tileset)}
    assert {(tile.z >> (tile.level - 1), round(float(given[2]))) for tile, given in leaves.items()} == {
        (0, 0),
        (1, 100),
    }


@pytest.mark.parametrize(("up_axis", "place"), [("y", (1, -3, 2)), ("z", (1, 2, 3))])
def test_the_axis_that_points_up_in_the_scene_points_up_in_the_tiles(tmp_path, up_axis, place):
    (tmp_path / "a.obj").write_text("v 1 2 3\nv 1.01 2 3\nv 1 2.01 3\nf 1 2 3\n")
    write_tiles([tmp_path / "a.obj"], tmp_path / "tiles", up_axis=up_axis)
    tileset = assert_sound(tmp_path / "tiles", 20)
    np.testing.assert_allclose(tileset.tiles[Tile(0, 0, 0, 0)].box[:3], place, atol=0.01)
    read = load(tmp_path / "tiles" / "tileset.json", up_axis=up_axis)
    assert_same_elements(elements_of_scene(read), elements_of_scene(load(tmp_path / "a.obj")))


def test_contents_are_turned_as_a_scene_is_whose_other_axis_points_up():
    points = np.random.default_rng(0).normal(size=(20, 3))
    np.testing.assert_array_equal(tiles_from_scene(points), points @ turn_between("y", "z").T)


def test_a_ball_is_off_by_no_more_than_is_said(tmp_path):
    made = Scene()
    made.add_node("ball", mesh=made.meshes.add(ball(60, 100)))
    folder = tiled(made, tmp_path, leaf_elements=2000)
    tileset = assert_sound(folder, 2000)
    source = np.concatenate([content_of_tile(folder, leaf)[0].positions for leaf in leaves_of(tileset)])
    coarse, _ = content_of_tile(folder, Tile(0, 0, 0, 0))
    error = tileset.tiles[Tile(0, 0, 0, 0)].error
    farthest = max(np.linalg.norm(coarse.positions - point, axis=1).min() for point in source[::7])
    assert 0.0 < farthest <= error < 0.6
    assert 200 < len(coarse.triangles) < 5000
    assert {tuple(point) for point in coarse.positions.tolist()} <= {tuple(point) for point in source.tolist()}


def test_what_is_smaller_than_the_error_is_left_out_of_coarse_tiles_alone(tmp_path):
    made = many_boxes(60)
    dust = made.meshes.add(MeshData(box().positions * 1e-3, box().triangles, None, box().material_ids))
    for number in range(40):
        made.add_node("dust", mesh=dust, translation=(number / 4.0 - 5.0, 0.5, 0))
    folder = tiled(made, tmp_path, leaf_elements=100)
    tileset = assert_sound(folder, 100)
    names = set(content_of_tile(folder, Tile(0, 0, 0, 0))[1]["name"].tolist())
    assert len(names) > 30 and "dust" not in names
    assert_same_elements(elements_of_leaves(folder, tileset), elements_of_scene(load(tmp_path / "scene.glb")))


def test_ground_of_many_small_objects_stays(tmp_path):
    made = Scene()
    side = 40
    heights = np.random.default_rng(0).uniform(0.0, 0.2, (side + 1, side + 1))
    for x, z in np.ndindex(side, side):
        corners = [(x + a, heights[x + a, z + b], z + b) for a, b in ((0, 0), (0, 1), (1, 1), (1, 0))]
        patch = mesh_of(np.array(corners), np.array([(0, 1, 2), (0, 2, 3)]))
        made.add_node(f"patch {x} {z}", mesh=made.meshes.add(patch))
    folder = tiled(made, tmp_path, leaf_elements=400)
    tileset = assert_sound(folder, 400)
    root = Tile(0, 0, 0, 0)
    coarse, _ = content_of_tile(folder, root)
    assert tileset.tiles[root].error > 3.0  # more than a patch
    a, b, c = (coarse.positions[coarse.triangles[:, k]][:, [0, 2]] for k in range(3))
    area = np.abs(np.linalg.det(np.stack([b - a, c - a], axis=1))).sum() / 2.0
    assert len(coarse.triangles) < 800 and 0.8 * side**2 < area < 1.1 * side**2


def test_a_dense_mesh_with_thin_parts_becomes_simpler(tmp_path):
    """A wire that would vanish keeps small objects as they are, but not a large one."""
    rng = np.random.default_rng(0)
    dense = ball(60, 90)
    ends = dense.positions[rng.integers(0, len(dense.positions), 300)]
    tips = ends * 1.3
    wire = np.stack([ends, tips, tips + np.array((0.0, 1e-4, 0.0))], axis=1).reshape(-1, 3)
    count = len(dense.positions)
    triangles = np.concatenate([dense.triangles, count + np.arange(len(wire)).reshape(-1, 3)])
    made = Scene()
    made.add_node("hairy", mesh=made.meshes.add(mesh_of(np.concatenate([dense.positions, wire]), triangles)))
    folder = tiled(made, tmp_path, leaf_elements=500)
    coarse, _ = content_of_tile(folder, Tile(0, 0, 0, 0))
    assert len(coarse.triangles) < len(triangles)


def test_lines_and_points_become_fewer(tmp_path):
    rng = np.random.default_rng(1)
    positions = rng.uniform(-1, 1, (1500, 3))
    rows = np.arange(1500)
    mesh = MeshData(
        positions,
        np.empty((0, 3), int),
        None,
        np.zeros(1500, int),
        lines=np.stack([rows[:-1:2], rows[:-1:2] + 1], axis=1),
        points=rows,
    )
    made = Scene()
    made.add_node("cloud", mesh=made.meshes.add(mesh))
    folder = tiled(made, tmp_path, leaf_elements=120)
    tileset = assert_sound(folder, 120)
    assert_same_elements(elements_of_leaves(folder, tileset), elements_of_scene(load(tmp_path / "scene.glb")))
    coarse, _ = content_of_tile(folder, Tile(0, 0, 0, 0))
    assert 0 < len(coarse.points) < 1500 and 0 < len(coarse.lines) <= 750


def test_a_ply_of_coloured_points_larger_than_a_part_goes_in(tmp_path, monkeypatch):
    rng = np.random.default_rng(2)
    rows = np.empty(3000, [("x", "<f4"), ("y", "<f4"), ("z", "<f4"), ("red", "u1"), ("green", "u1"), ("blue", "u1")])
    for name in rows.dtype.names:
        rows[name] = rng.uniform(0.0, 255.0, len(rows))
    heading = "ply\nformat binary_little_endian 1.0\nelement vertex 3000\n"
    kinds = {"<f4": "float", "|u1": "uchar"}
    heading += "".join(f"property {kinds[rows.dtype[name].str]} {name}\n" for name in rows.dtype.names)
    (tmp_path / "cloud.ply").write_bytes(f"{heading}end_header\n".encode() + rows.tobytes())
    for name, value in (("_LEAST_ELEMENTS", 64), ("_MOST_ELEMENTS", 500)):
        monkeypatch.setattr(octoscope.scene.tiling.tiling, name, value)
    report = write_tiles([tmp_path / "cloud.ply"], tmp_path / "tiles", leaf_elements=200)
    assert report.counts.points == 3000 and report.buckets > 4
    tileset = assert_sound(tmp_path / "tiles", 200)
    parts = [content_of_tile(tmp_path / "tiles", leaf)[0] for leaf in leaves_of(tileset)]
    made = np.concatenate([np.concatenate([part.positions, part.colors[:, :3]], axis=1) for part in parts])
    expected = np.stack([rows[name].astype(float) for name in rows.dtype.names], axis=1)
    made, expected = (each[np.lexsort(each[:, ::-1].round(3).T)] for each in (made, expected))
    np.testing.assert_allclose(made, expected, atol=1e-4)
    coarse, _ = content_of_tile(tmp_path / "tiles", Tile(0, 0, 0, 0))
    assert 100 < len(coarse.points) < 3000 and {tuple(c) for c in coarse.colors[:, :3].tolist()} <= {
        tuple(c) for c in expected[:, 3:].tolist()
    }


def test_buckets_make_the_same_tiles_as_one_piece(tmp_path, monkeypatch):
    made = many_boxes(60)
    for name, most in (("one", 2**20), ("many", 128)):
        (tmp_path / name).mkdir()
        monkeypatch.setattr(octoscope.scene.tiling.tiling, "_LEAST_ELEMENTS", 64)
        monkeypatch.setattr(octoscope.scene.tiling.tiling, "_MOST_ELEMENTS", most)
        tiled(made, tmp_path / name, leaf_elements=40)
    one, many = (assert_sound(tmp_path / name / "tiles", 40) for name in ("one", "many"))
    assert one.tiles.keys() == many.tiles.keys()
    for tile, facts in one.tiles.items():
        np.testing.assert_array_equal(facts.box, many.tiles[tile].box)
        assert facts.error == many.tiles[tile].error
    expected = elements_of_scene(load(tmp_path / "one" / "scene.glb"))
    assert_same_elements(elements_of_leaves(tmp_path / "many" / "tiles", many), expected)


def test_a_bucket_is_out_of_memory_before_the_next(tmp_path, monkeypatch):
    kept = []

    def cut(job):
        made = cut_bucket(job)
        kept.append(sum(type(each) is MergedGeometry for each in gc.get_objects()))
        return made

    monkeypatch.setattr(octoscope.scene.tiling.tiling, "cut_bucket", cut)
    monkeypatch.setattr(octoscope.scene.tiling.tiling, "_LEAST_ELEMENTS", 64)
    monkeypatch.setattr(octoscope.scene.tiling.tiling, "_MOST_ELEMENTS", 128)
    gc.collect()
    gc.disable()  # a cycle would keep it until the collector runs
    try:
        tiled(many_boxes(60), tmp_path, leaf_elements=40)
    finally:
        gc.enable()
    assert len(kept) > 2 and not any(kept)


@pytest.mark.parametrize("up_axis", quick(["y", "z"], 1))
def test_an_obj_too_large_for_memory_makes_the_same_tiles(tmp_path, monkeypatch, up_axis):
    sample = Path(__file__).parents[3] / "assets" / "harbour.obj"
    write_tiles([sample], tmp_path / "whole", leaf_elements=2000, up_axis=up_axis)
    monkeypatch.setattr(octoscope.scene.tiling.sources, "memory_per_byte", lambda path: 2**30)
    monkeypatch.setattr(octoscope.scene.tiling.tiling, "_VERTICES_PER_ELEMENT", 0.004)
    write_tiles([sample], tmp_path / "parts", leaf_elements=2000, up_axis=up_axis)
    whole, parts = (assert_sound(tmp_path / name, 2000) for name in ("whole", "parts"))
    assert whole.tiles.keys() == parts.tiles.keys()
    for tile in leaves_of(whole):
        (own, table), (other, other_table) = (content_of_tile(tmp_path / name, tile) for name in ("whole", "parts"))
        assert own.counts == other.counts
        np.testing.assert_array_equal(np.sort(own.centers(), axis=0), np.sort(other.centers(), axis=0))
        for name in ("id", "name"):
            assert table[name].tolist() == other_table[name].tolist()
        assert table["path"].values.tolist() == other_table["path"].values.tolist()


def test_two_processes_write_the_same_as_one(tmp_path, monkeypatch):
    paths = []
    for number in range(4):
        paths.append(tmp_path / f"{number}.glb")
        write_glb(many_boxes(20, seed=number), paths[-1])
    for workers in (1, 2):
        report = write_tiles(paths, tmp_path / f"by {workers}", workers=workers, leaf_elements=100)
        assert (report.workers, report.objects, report.counts.triangles) == (workers, 80, 80 * 12)
    compared = filecmp.dircmp(tmp_path / "by 1", tmp_path / "by 2")
    assert compared.common_files == ["tileset.json"] and not compared.left_only + compared.right_only
    for folder in ("content", "subtrees"):
        names = sorted(path.name for path in (tmp_path / "by 1" / folder).iterdir())
        assert names == sorted(path.name for path in (tmp_path / "by 2" / folder).iterdir())
        assert filecmp.cmpfiles(tmp_path / "by 1" / folder, tmp_path / "by 2" / folder, names, False)[1:] == ([], [])


@pytest.mark.parametrize("seed", range(3))
def test_a_tileset_opens_as_the_scene_that_it_was_made_of(seed, tmp_path):
    folder = tiled(dressed_scene(seed, count=24), tmp_path)
    source, read = load(tmp_path / "scene.glb"), load(folder / "tileset.json")
    assert read.report.warnings == []
    assert_same_elements(elements_of_scene(read), elements_of_scene(source))
    assert tree_of(read) == tree_of(source)
    looks = [
        {(material.name, material.base_color, material.opacity) for material in each.materials}
        for each in (source, read)
    ]
    assert looks[1] <= looks[0]


def test_files_share_a_texture_and_keep_their_trees(tmp_path):
    dressed = dressed_scene(1, count=12)
    for name in ("a", "b"):
        write_glb(dressed, tmp_path / f"{name}.glb")
    report = write_tiles([tmp_path / "a.glb", tmp_path / "b.glb"], tmp_path / "tiles", leaf_elements=30)
    both, read = load([tmp_path / "a.glb", tmp_path / "b.glb"]), load(tmp_path / "tiles" / "tileset.json")
    assert report.objects == (both.mesh_ids >= 0).sum()
    assert_same_elements(elements_of_scene(read), elements_of_scene(both))
    assert {name for name in read.names[1:].tolist() if name.endswith(".glb")} == {"a.glb", "b.glb"}
    ids = Counter()
    for tile in leaves_of(tileset_of(tmp_path / "tiles")):
        table = content_of_tile(tmp_path / "tiles", tile)[1]
        for number, name in zip(table["id"].tolist(), table["name"].tolist(), strict=True):
            assert both.names[number] == name
            ids[number] += 1
    assert sorted(ids) == np.flatnonzero(both.mesh_ids >= 0).tolist()


def test_materials_are_shared_and_only_what_is_used_is_in_a_content(tmp_path):
    made = Scene()
    mesh = made.meshes.add(box())
    for number in range(8):
        own = made.add_material(Material(f"m{number}", (number / 8.0, 0.5, 0.5)))
        made.add_node(f"box {number}", mesh=mesh, material=own, translation=(10.0 * number, 0, 0))
    folder = tiled(made, tmp_path, leaf_elements=12)
    for tile in leaves_of(tileset_of(folder)):
        document = read_document(folder / "content" / "{}_{}_{}_{}.glb".format(*tile)).json
        assert len(document["materials"]) == len(document["meshes"][0]["primitives"])


def test_a_file_that_cannot_be_opened_leaves_nothing(tmp_path):
    with pytest.raises(ReadError):
        write_tiles([tmp_path / "none.obj"], tmp_path / "tiles")
    assert list(tmp_path.iterdir()) == []


def test_a_scene_of_nothing_leaves_nothing(tmp_path):
    (tmp_path / "empty.octo.json").write_text('{"format": "octoscope-project", "version": 1, "nodes": []}')
    with pytest.raises((WriteError, ReadError)):
        write_tiles([tmp_path / "empty.octo.json"], tmp_path / "tiles")
    assert not (tmp_path / "tiles").exists() and not (tmp_path / "tiles.octoscope-saving").exists()
