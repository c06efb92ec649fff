"""Tilesets of other programs: every vertex is where the specification's formulas have it."""

from __future__ import annotations

import gzip
import json
import struct
from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octoscope.scene import ReadError, Scene, load, write_glb
from octoscope.scene.conventions.upright import turn_between
from octoscope.scene.formats.tiles.contents import read_contents
from octoscope.scene.formats.tiles.volumes import BOX, REGION, boxes_of, frame_on_earth, on_earth, subdivided
from octoscope.scene.mesh.data import MeshData
from octoscope.scene.spatial.lod_view import LodView
from octoscope.scene.streaming.opening import open_tileset
from tests.cases import quick
from tests.oracles import random_rotation

CORNERS = np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 3.0)])
UNIT_BOX = {"box": [0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0, 9]}
TURN = turn_between("y", "z")
EVERYWHERE = LodView(np.zeros(3), np.zeros((0, 4)), 1e9)


def glb(path: Path, corners: np.ndarray = CORNERS) -> bytes:
    """Write a GLB of one tetrahedron."""
    scene = Scene()
    triangles = np.array([(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)])
    mesh = scene.meshes.add(MeshData(corners, triangles, None, np.zeros(4, dtype=np.int32)))
    scene.add_node(path.stem, mesh=mesh)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_glb(scene, path)
    return path.read_bytes()


def tileset(path: Path, root: dict, **more: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"asset": {"version": "1.1"}, "geometricError": 100, "root": root, **more}))
    return path


def tile(*, error: float = 0.0, volume: dict | None = None, **more: object) -> dict:
    return {"boundingVolume": volume or UNIT_BOX, "geometricError": error, **more}


def column_major(matrix: np.ndarray) -> list[float]:
    return matrix.T.ravel().tolist()


def random_affine(rng: np.random.Generator) -> np.ndarray:
    matrix = np.eye(4)
    matrix[:3, :3] = random_rotation(rng) * rng.uniform(0.5, 2.0, 3)
    matrix[:3, 3] = rng.uniform(-5.0, 5.0, 3)
    return matrix


def in_scene(*matrices: np.ndarray, corners: np.ndarray = CORNERS) -> np.ndarray:
    """Positions of a GLB's corners in a scene, Y up, below transforms of tiles from the topmost."""
    points = np.c_[corners @ TURN.T, np.ones(len(corners))]
    for matrix in reversed(matrices):
        points = points @ matrix.T
    return points[:, :3] @ TURN


def shown(scene: Scene) -> np.ndarray:
    """World positions of all vertices that a scene shows, sorted."""
    found = []
    for node in scene.ids[scene.mesh_ids[scene.ids] >= 0].tolist():
        matrix = scene.world_from_local[node]
        found.append(scene.meshes.mesh(int(scene.mesh_ids[node])).positions @ matrix[:3, :3].T + matrix[:3, 3])
    return in_order(np.concatenate(found))


def in_order(points: np.ndarray) -> np.ndarray:
    different = np.unique(points.round(3), axis=0)
    return different[np.lexsort(different.T)]


def assert_shows(path: Path, *parts: np.ndarray) -> None:
    """Opened whole and streamed, a tileset shows these positions."""
    expected = in_order(np.concatenate(parts))
    scene = load(path)
    assert not scene.report.warnings
    np.testing.assert_allclose(shown(scene), expected, atol=2e-3)
    streamed = open_tileset(path, budget=10**9)
    assert not streamed.read_all([EVERYWHERE])
    np.testing.assert_allclose(shown(streamed.scene), expected, atol=2e-3)
    for kind in ("triangle", "point"):
        assert streamed.scene.element_count(kind) == scene.element_count(kind), "nothing is shown twice"


def test_transforms_of_tiles_and_external_tilesets_multiply(tmp_path):
    rng = np.random.default_rng(1)
    first, second, third = random_affine(rng), np.eye(4), random_affine(rng)
    second[:3, 3], third[:3, :3] = (1.0, 2.0, 3.0), random_rotation(rng)
    glb(tmp_path / "inner" / "a.glb")
    tileset(tmp_path / "inner" / "other.json", tile(transform=column_major(third), content={"uri": "a.glb"}))
    child = tile(transform=column_major(second), content={"uri": "inner/other.json?v=1"})
    first[:3, :3] = random_rotation(rng) * 2.0
    path = tileset(tmp_path / "tileset.json", tile(transform=column_major(first), error=9, children=[child]))
    assert_shows(path, in_scene(first, second, third))


@pytest.mark.parametrize("refine", ["ADD", "REPLACE", "add"])
def test_tiles_are_added_to_those_above_or_stand_in_their_place(tmp_path, refine):
    glb(tmp_path / "above.glb")
    glb(tmp_path / "below.glb", CORNERS + 5.0)
    child = tile(content={"url": "below.glb"})
    path = tileset(
        tmp_path / "tileset.json", tile(error=9, refine=refine, content={"uri": "above.glb"}, children=[child, child])
    )
    above = [] if refine == "REPLACE" else [in_scene()]
    assert_shows(path, *above, in_scene(corners=CORNERS + 5.0))


def test_all_contents_of_a_tile_are_shown(tmp_path):
    for number in range(3):
        glb(tmp_path / f"{number}.glb", CORNERS + number)
    contents = [{"uri": f"{number}.glb"} for number in range(3)]
    for named in ({"contents": contents}, {"extensions": {"3DTILES_multiple_contents": {"content": contents}}}):
        path = tileset(tmp_path / "tileset.json", tile(**named))
        assert_shows(path, *(in_scene(corners=CORNERS + number) for number in range(3)))


@pytest.mark.parametrize("refine", ["ADD", "REPLACE"])
def test_a_tileset_beside_a_model_is_shown_with_it(tmp_path, refine):
    glb(tmp_path / "a.glb")
    glb(tmp_path / "b.glb", CORNERS + 5.0)
    tileset(tmp_path / "other.json", tile(content={"uri": "b.glb"}))
    both = {"contents": [{"uri": "a.glb"}, {"uri": "other.json"}]}
    path = tileset(tmp_path / "tileset.json", tile(error=9, refine=refine, **both))
    assert_shows(path, in_scene(), in_scene(corners=CORNERS + 5.0))


@pytest.mark.parametrize("volume", [None, {"sphere": [0, 0, 0, float("nan")]}])
def test_a_broken_request_volume_is_told_and_no_gate(tmp_path, volume):
    glb(tmp_path / "a.glb")
    child = tile(content={"uri": "a.glb"}, viewerRequestVolume=volume)
    tiles = open_tileset(tileset(tmp_path / "tileset.json", tile(error=9, children=[child])), budget=10**9)
    assert len(tiles.scene.report.warnings) == 1 and "broken request volume" in tiles.scene.report.warnings[0]
    np.testing.assert_allclose(shown(tiles.scene), in_order(in_scene()), atol=2e-3)


def test_what_is_behind_a_request_volume_and_has_no_error_or_box_takes_those_above_it(tmp_path):
    glb(tmp_path / "a.glb")
    glb(tmp_path / "b.glb", CORNERS + 5.0)
    below = {"content": {"uri": "b.glb"}}
    gated = {"content": {"uri": "a.glb"}, "viewerRequestVolume": {"sphere": [0, 0, 0, 1]}, "children": [below]}
    tiles = open_tileset(tileset(tmp_path / "tileset.json", tile(error=9, children=[gated])), budget=10**9)
    assert len(tiles.scene.objects) == 0  # cameras outside see nothing
    np.testing.assert_array_equal(tiles.tiles.halves[2], tiles.tiles.halves[0])
    tiles.read_all([EVERYWHERE])
    np.testing.assert_allclose(shown(tiles.scene), in_order(in_scene(corners=CORNERS + 5.0)), atol=2e-3)


@pytest.mark.parametrize("refine", ["ADD", "REPLACE"])
def test_what_has_a_request_volume_is_shown_to_cameras_in_it(tmp_path, refine):
    glb(tmp_path / "a.glb")
    glb(tmp_path / "b.glb", CORNERS + 5.0)
    matrix = np.eye(4)
    matrix[:3, 3] = 20.0, 0.0, 0.0
    child = tile(content={"uri": "b.glb"}, viewerRequestVolume={"sphere": [0, 0, 0, 1]}, transform=column_major(matrix))
    root = tile(error=9, refine=refine, content={"uri": "a.glb"}, children=[child])
    root["viewerRequestVolume"] = {"sphere": [0, 0, 0, 1]}
    tiles = open_tileset(tileset(tmp_path / "tileset.json", root), budget=10**9)
    assert "tile 0: a request volume of the root" in [each.what for each in tiles.scene.report.problems]
    near = in_scene(matrix, corners=CORNERS + 5.0)
    for x, parts in ((20.5, [near, in_scene()] if refine == "ADD" else [near]), (22.0, [in_scene()])):
        assert not tiles.read_all([LodView(np.array([x, 0.0, 0.0]), np.zeros((0, 4)), 1e9)])
        np.testing.assert_allclose(shown(tiles.scene), in_order(np.concatenate(parts)), atol=2e-3)


def test_gltf_that_has_z_up_by_the_word_of_its_tileset_is_turned(tmp_path):
    glb(tmp_path / "a.glb")
    path = tileset(
        tmp_path / "tileset.json", tile(content={"uri": "a.glb"}), asset={"version": "0.0", "gltfUpAxis": "Z"}
    )
    assert_shows(path, CORNERS @ TURN)
    tileset(path, tile(content={"uri": "a.glb"}), asset={"version": "0.0", "gltfUpAxis": "X"})
    (line,) = load(path).report.warnings
    assert "glTF with another axis up ('X'): Y taken" in line


def test_objects_are_followed_into_other_tiles_only_by_numbers_of_their_tileset(tmp_path):
    for number in range(2):
        glb(tmp_path / f"{number}.glb", CORNERS + 5.0 * number)
    children = [tile(content={"uri": f"{number}.glb"}) for number in range(2)]
    tiles = open_tileset(tileset(tmp_path / "tileset.json", tile(error=9, children=children)), budget=10**9)
    tiles.read_all([EVERYWHERE])
    objects = np.flatnonzero(tiles.scene.mesh_ids >= 0)
    assert len(objects) == 2
    for node in objects:
        assert tiles.nodes_of(tiles.objects_of(np.array([node]))).tolist() == [node]


def test_what_a_server_has_packed_by_gzip_is_read(tmp_path):
    for name, corners in (("a.glb", CORNERS), ("b.glb", CORNERS + 4.0)):
        packed = gzip.compress(glb(tmp_path / name, corners))
        (tmp_path / name).write_bytes(packed[:-30] if name == "b.glb" else packed)
    path = tileset(tmp_path / "tileset.json", tile(children=[tile(content={"uri": n}) for n in ("a.glb", "b.glb")]))
    path.write_bytes(gzip.compress(path.read_bytes()))
    whole, streamed, in_whole, in_streamed = shown_in_both(path)
    for found in (whole, streamed):
        np.testing.assert_allclose(found, in_order(in_scene()), atol=2e-3)
    assert all(len(lines) == 1 and "packed by gzip" in lines[0] for lines in (in_whole, in_streamed))


def test_contents_name_files_anywhere_in_the_folder_of_their_tileset_and_none_outside(tmp_path):
    (tmp_path / "city" / "deep").mkdir(parents=True)
    glb(tmp_path / "city" / "inner.glb")
    glb(tmp_path / "outer.glb")
    places = {"POSITION": np.zeros((1, 3), np.float32)}
    for name in ("inner", "outer"):
        uri = b"../inner.glb" if name == "inner" else b"../../outer.glb"
        content = wrapped(b"i3dm", {"INSTANCES_LENGTH": 1}, places, uri, extra=struct.pack("<I", 0))
        (tmp_path / "city" / "deep" / f"{name}.i3dm").write_bytes(content)
    children = [tile(content={"uri": f"deep/{name}.i3dm"}) for name in ("inner", "outer")]
    whole, streamed, in_whole, in_streamed = shown_in_both(
        tileset(tmp_path / "city" / "tileset.json", tile(children=children))
    )
    for found in (whole, streamed):
        np.testing.assert_allclose(found, in_order(in_scene()), atol=2e-3)
    assert all(len(lines) == 1 and "outside its folder" in lines[0] for lines in (in_whole, in_streamed))


@pytest.mark.parametrize("volume", [{"sphere": [1, 2, 3, 4]}, {"box": [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]}])
def test_what_cannot_be_read_is_told_in_one_line_and_the_rest_is_shown(tmp_path, volume):
    glb(tmp_path / "a.glb")
    (tmp_path / "broken.glb").write_bytes(b"glTF?")
    names = ("a.glb", "broken.glb", "none.glb", "none.json", "http://a/b.glb", "none.3tz")
    tiling = {"subdivisionScheme": "OCTREE", "subtreeLevels": 1, "availableLevels": 1, "subtrees": {"uri": "s.json"}}
    short = {"buffers": [{"uri": "s.bin", "byteLength": 8}], "bufferViews": [{"buffer": 0, "byteLength": 0}]}
    (tmp_path / "s.json").write_text(json.dumps(short | {"tileAvailability": {"bitstream": 0}}))
    (tmp_path / "s.bin").write_bytes(bytes(8))
    children = [*(tile(content={"uri": n}) for n in names), tile(implicitTiling=tiling), tile(implicitTiling=3)]
    path = tileset(tmp_path / "tileset.json", tile(volume=volume, children=children))
    whole, streamed, in_whole, in_streamed = shown_in_both(path)
    for found, lines in ((whole, in_whole), (streamed, in_streamed)):
        np.testing.assert_allclose(found, in_order(in_scene()), atol=2e-3)
        assert len(lines) == 7 and not any("\n" in line for line in lines)
    tileset(path, tile(content={"uri": "none.glb"}))
    with pytest.raises(ReadError, match=r"^[^\n]*nothing to show in it[^\n]*$"):
        load(path)


def shown_in_both(path: Path) -> tuple[np.ndarray, np.ndarray, list[str], list[str]]:
    """Return the objects of a tileset opened whole and streamed, and the warnings of each."""
    scene, streamed = load(path), open_tileset(path, budget=10**9)
    lines = [*streamed.scene.report.warnings, *streamed.read_all([EVERYWHERE])]
    return shown(scene), shown(streamed.scene), scene.report.warnings, lines


@pytest.mark.parametrize("bad", ["none.glb", "broken.glb"])
def test_a_tile_stands_in_for_those_below_it_that_cannot_be_read(tmp_path, bad):
    glb(tmp_path / "above.glb")
    glb(tmp_path / "below.glb", CORNERS + 5.0)
    (tmp_path / "broken.glb").write_bytes(b"glTF?")
    empty = tile(error=5, children=[tile(content={"uri": bad})])
    for children in ([tile(content={"uri": bad})], [empty], [tile(error=5, content={"uri": bad}, children=[empty])]):
        root = tile(error=9, refine="REPLACE", content={"uri": "above.glb"}, children=children)
        whole, streamed, *warnings = shown_in_both(tileset(tmp_path / "tileset.json", root))
        for found in (whole, streamed):
            np.testing.assert_allclose(found, in_order(in_scene()), atol=2e-3)
        assert [len(lines) for lines in warnings] == [1, 1]


@pytest.mark.parametrize("refine", ["ADD", "REPLACE"])
def test_tiles_below_one_that_cannot_be_read_are_shown(tmp_path, refine):
    glb(tmp_path / "below.glb", CORNERS + 5.0)
    children = [tile(content={"uri": name}) for name in ("below.glb", "gone.glb", "below.glb")]
    root = tile(error=9, refine=refine, content={"uri": "none.glb"}, children=children)
    whole, streamed, in_whole, in_streamed = shown_in_both(tileset(tmp_path / "tileset.json", root))
    for found in (whole, streamed):
        np.testing.assert_allclose(found, in_order(in_scene(corners=CORNERS + 5.0)), atol=2e-3)
    assert len(in_streamed) == 2 and len(in_whole) == (2 if refine == "ADD" else 1)  # the finest are read alone
    with pytest.raises(ReadError, match=r"^[^\n]*nothing to show in it[^\n]*$"):
        open_tileset(tileset(tmp_path / "tileset.json", tile(content={"uri": "none.glb"})))


# On the Earth.


def test_regions_hold_their_part_of_the_earth():
    rng = np.random.default_rng(2)
    for _ in range(40):
        west, south = rng.uniform(-np.pi, np.pi), rng.uniform(-np.pi / 2, np.pi / 2)
        east, north = west + 10.0 ** rng.uniform(-6, 0.4), min(np.pi / 2, south + 10.0 ** rng.uniform(-6, 0.4))
        low, high = rng.uniform(-1e3, 1e4), rng.uniform(1e4, 2e4)
        wrapped = east - 2 * np.pi if east > np.pi else east
        box = boxes_of(REGION, np.array([[west, south, wrapped, north, low, high]]))[0]
        angles = rng.uniform((west, south), (east, north), (500, 2)).T
        points = on_earth(*angles, rng.uniform(low, high, 500)) - box[:3]
        edges = box[3:].reshape(3, 3)
        shares = points @ edges.T / (edges * edges).sum(axis=1)
        assert np.abs(shares).max() <= 1.0
        if east - west > 0.01 and north - south > 0.01:  # not much larger than needed
            assert np.abs(shares).max(axis=0).min() > 0.25


def test_places_on_earth_are_where_the_geodetic_datum_has_them():
    point = on_earth(np.zeros(()), np.radians(45.0), np.zeros(()))  # half way from the equator to the pole
    np.testing.assert_allclose(point, (4517590.8789, 0.0, 4487348.4089), atol=1e-3)
    frame = frame_on_earth(on_earth(np.array(0.3), np.array(0.7), np.array(120.0)))
    assert frame is not None
    east, north, up = frame[:3, :3].T
    step = 1e-6
    for angles, direction in (
        ((0.3 + step, 0.7, 120.0), east),
        ((0.3, 0.7 + step, 120.0), north),
        ((0.3, 0.7, 121.0), up),
    ):
        way = on_earth(*map(np.array, angles)) - frame[:3, 3]
        np.testing.assert_allclose(way / np.linalg.norm(way), direction, atol=1e-6)
    assert frame_on_earth(np.zeros(3)) is None and frame_on_earth(np.array((100.0, 5.0, 3.0))) is None


def test_a_tileset_on_earth_is_shown_about_its_middle_with_its_up(tmp_path):
    frame = frame_on_earth(on_earth(np.array(-1.3), np.array(0.7), np.array(50.0)))
    assert frame is not None
    glb(tmp_path / "a.glb")
    region = {"region": [-1.3 - 1e-6, 0.7 - 1e-6, -1.3 + 1e-6, 0.7 + 1e-6, 40.0, 60.0]}
    path = tileset(
        tmp_path / "tileset.json", tile(volume=region, transform=column_major(frame), content={"uri": "a.glb"})
    )
    assert_shows(path, in_scene())


# Implicit tiling.


def bits(flags: np.ndarray) -> bytes:
    packed = np.packbits(flags, bitorder="little").tobytes()
    return packed + b"\0" * (-len(packed) % 8)


@pytest.mark.parametrize("scheme", ["OCTREE", "QUADTREE"])
@pytest.mark.parametrize("as_json", quick([True, False], 1))
@pytest.mark.parametrize("refine", ["ADD", "REPLACE"])
def test_implicit_tiles_are_those_whose_bits_are_set(tmp_path, scheme, as_json, refine):
    rng = np.random.default_rng([len(scheme), as_json, len(refine)])
    branching, depth = (8, 3) if scheme == "OCTREE" else (4, 4)
    axes, levels = (3 if scheme == "OCTREE" else 2), 2
    present: dict[int, np.ndarray] = {0: np.array([0])}
    for level in range(1, depth):
        below = (present[level - 1][:, None] * branching + np.arange(branching)).ravel()
        present[level] = np.sort(rng.choice(below, max(1, len(below) // 2), replace=False))
    uri = "c/{level}_{x}_{y}" + ("_{z}" if axes == 3 else "") + ".glb"
    expected, contents = [], {}
    for level, codes in present.items():
        for code in codes.tolist():
            cell = [sum((code >> axes * bit + axis & 1) << bit for bit in range(level)) for axis in range(axes)]
            contents[level, code] = rng.random() < 0.8
            if contents[level, code]:
                corners = CORNERS + rng.uniform(0.0, 50.0, 3).round(1)
                glb(tmp_path / "c" / f"{level}_{'_'.join(map(str, cell))}.glb", corners)
                is_last = level + 1 == depth or not np.isin(code, present[level + 1] // branching)
                if is_last or refine == "ADD":
                    expected.append(in_scene(corners=corners))
    for top in range(0, depth, levels):
        for root in present[top].tolist():
            inner = [
                (level, np.arange(branching ** (level - top)) + root * branching ** (level - top))
                for level in range(top, min(top + levels, depth))
            ]
            inner += [(level, np.full(branching ** (level - top), -1)) for level in range(depth, top + levels)]
            is_there = np.concatenate([np.isin(codes, present.get(level, [])) & (codes >= 0) for level, codes in inner])
            has_content = np.array(
                [contents.get((level, code), False) for level, codes in inner for code in codes.tolist()]
            )
            further = np.arange(branching**levels) + root * branching**levels
            streams = [
                bits(flags) for flags in (is_there, has_content, np.isin(further, present.get(top + levels, [])))
            ]
            lengths = [-(-count // 8) for count in (len(is_there), len(is_there), branching**levels)]
            starts = np.cumsum([0, *map(len, streams)])
            document = {
                "buffers": [{"byteLength": int(starts[-1]), **({"uri": f"{top}_{root}.bin"} if as_json else {})}],
                "bufferViews": [
                    {"buffer": 0, "byteOffset": int(start), "byteLength": length}
                    for start, length in zip(starts, lengths, strict=False)
                ],
                "tileAvailability": {"bitstream": 0},
                "contentAvailability": [{"bitstream": 1} if has_content.any() else {"constant": 0}],
                "childSubtreeAvailability": {"bitstream": 2},
            }
            cell = [sum((root >> axes * bit + axis & 1) << bit for bit in range(top)) for axis in range(axes)]
            file = tmp_path / f"s/{top}_{'_'.join(map(str, cell))}.subtree"
            file.parent.mkdir(exist_ok=True)
            binary, text = b"".join(streams), json.dumps(document).encode()
            text += b" " * (-len(text) % 8)
            if as_json:
                file.write_bytes(text)
                (file.parent / f"{top}_{root}.bin").write_bytes(binary)
            else:
                file.write_bytes(struct.pack("<4sIQQ", b"subt", 1, len(text), len(binary)) + text + binary)
    root_tile = tile(
        error=64,
        refine=refine,
        content={"uri": uri},
        implicitTiling={
            "subdivisionScheme": scheme,
            "subtreeLevels": levels,
            "availableLevels": depth,
            "subtrees": {"uri": uri.replace("c/", "s/").replace(".glb", ".subtree")},
        },
    )
    assert_shows(tileset(tmp_path / "tileset.json", root_tile), *expected)
    if not as_json:  # as an extension of 1.0 said it
        tiling = root_tile.pop("implicitTiling")
        tiling["maximumLevel"] = tiling.pop("availableLevels") - 1
        root_tile["extensions"] = {"3DTILES_implicit_tiling": tiling}
        assert_shows(tileset(tmp_path / "tileset.json", root_tile), *expected)


def test_cells_divide_their_root():
    rng = np.random.default_rng(4)
    box = np.concatenate([rng.normal(size=3), random_rotation(rng).ravel() * 3.0])
    cells = np.array([(x, y, z) for x in range(4) for y in range(4) for z in range(4)])
    found = subdivided(BOX, box, np.full(64, 2), cells)
    np.testing.assert_allclose(found[:, :3].mean(axis=0), box[:3], atol=1e-12)
    np.testing.assert_allclose(found[:, 3:], np.tile(box[3:] / 4.0, (64, 1)))
    region = np.array([3.0, -0.2, -3.0, 0.2, -5.0, 11.0])  # across the 180th meridian
    quarters = subdivided(REGION, region, np.ones(4, dtype=int), np.array([(0, 0), (1, 0), (0, 1), (1, 1)]))
    assert (quarters[:, 4:] == (-5.0, 11.0)).all()
    np.testing.assert_allclose(quarters[0, [1, 3]], (-0.2, 0.0), atol=1e-12)
    np.testing.assert_allclose((quarters[1, 0] - quarters[0, 0]) % (2 * np.pi), (np.pi * 2 - 6.0) / 2.0)


# Contents of 3D Tiles 1.0.


def wrapped(magic: bytes, table: dict, columns: dict[str, np.ndarray], body: bytes = b"", extra: bytes = b"") -> bytes:
    """A content with a feature table."""
    binary = b""
    table = dict(table)
    for name, column in columns.items():
        binary += b"\0" * (-len(binary) % 8)
        table[name] = {"byteOffset": len(binary)}
        binary += column.tobytes()
    text = json.dumps(table).encode()
    text += b" " * (-len(text) % 8)
    size = 28 + len(extra) + len(text) + len(binary) + len(body)
    return magic + struct.pack("<6I", 1, size, len(text), len(binary), 0, 0) + extra + text + binary + body


def test_a_b3dm_stands_about_its_center(tmp_path):
    body = glb(tmp_path / "inner.glb")
    (tmp_path / "a.b3dm").write_bytes(wrapped(b"b3dm", {"BATCH_LENGTH": 0, "RTC_CENTER": [5, 6, 7]}, {}, body))
    matrix = np.eye(4)
    matrix[:3, 3] = 5, 6, 7
    path = tileset(tmp_path / "tileset.json", tile(content={"uri": "a.b3dm"}))
    assert_shows(path, in_scene(matrix))
    for sizes in ((0, 8), (8, 0, 0)):  # of headers before 1.0
        size = 12 + 4 * len(sizes) + 8 + len(body)
        head = struct.pack(f"<4s{2 + len(sizes)}I", b"b3dm", 1, size, *sizes)
        (tmp_path / "a.b3dm").write_bytes(head + b'{"a":[]}' + body)
        assert_shows(path, in_scene())


@pytest.mark.parametrize("quantized", [False, True])
@pytest.mark.parametrize("embedded", [False, True])
def test_an_i3dm_stands_at_all_its_places(tmp_path, quantized, embedded):
    rng = np.random.default_rng(5)
    body = glb(tmp_path / "inner.glb") if embedded else b"inner.glb"
    if not embedded:
        glb(tmp_path / "inner.glb")
    count = 4
    turns = np.array([random_rotation(rng) for _ in range(count)])
    scales = rng.uniform(0.5, 2.0, (count, 3)).astype(np.float32)
    places = rng.integers(0, 65536, (count, 3)).astype(np.uint16)
    positions = places / 65535.0 * (10.0, 20.0, 30.0) + (1.0, 2.0, 3.0)
    table: dict = {"INSTANCES_LENGTH": count, "RTC_CENTER": [1, 0, 0]}
    columns = {
        "NORMAL_UP": turns[:, :, 1].astype(np.float32),
        "NORMAL_RIGHT": turns[:, :, 0].astype(np.float32),
        "SCALE_NON_UNIFORM": scales,
    }
    if quantized:
        table |= {"QUANTIZED_VOLUME_OFFSET": [1, 2, 3], "QUANTIZED_VOLUME_SCALE": [10, 20, 30]}
        columns["POSITION_QUANTIZED"] = places
    else:
        columns["POSITION"] = positions.astype(np.float32)
    (tmp_path / "a.i3dm").write_bytes(wrapped(b"i3dm", table, columns, body, extra=struct.pack("<I", embedded)))
    matrices = np.tile(np.eye(4), (count, 1, 1))
    matrices[:, :3, :3] = turns * scales[:, None, :]
    matrices[:, :3, 3] = positions + np.array((1.0, 0.0, 0.0))
    path = tileset(tmp_path / "tileset.json", tile(content={"uri": "a.i3dm"}))
    scene = load(path)
    found, expected = shown(scene), in_order(np.concatenate([in_scene(each) for each in matrices]))
    np.testing.assert_allclose(found, expected, atol=3e-3)
    streamed = open_tileset(path, budget=10**9)
    streamed.read_all([EVERYWHERE])
    np.testing.assert_allclose(shown(streamed.scene), expected, atol=3e-3)
    assert len(scene.meshes) == 1, "all places show one mesh"


@pytest.mark.parametrize("kind", ["RGB", "RGBA", "RGB565", "CONSTANT_RGBA"])
def test_a_pnts_has_points_with_colours_and_normals(tmp_path, kind):
    rng = np.random.default_rng(6)
    points = rng.uniform(-9.0, 9.0, (30, 3)).astype(np.float32)
    normals = rng.normal(size=(30, 3))
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    folded = normals[:, :2] / np.abs(normals).sum(axis=1, keepdims=True)  # octahedral, as the specification has it
    flipped = (1.0 - np.abs(folded[:, ::-1])) * np.where(folded >= 0.0, 1.0, -1.0)
    octahedral = np.where(normals[:, 2:] < 0.0, flipped, folded)
    colors = rng.integers(0, 256, (30, 4)).astype(np.uint8)
    table: dict = {"POINTS_LENGTH": 30, "RTC_CENTER": [1, 2, 3]}
    columns: dict[str, np.ndarray] = {"POSITION": points}
    columns["NORMAL_OCT16P"] = np.round((octahedral + 1.0) / 2.0 * 255.0).astype(np.uint8)
    if kind == "CONSTANT_RGBA":
        table[kind] = [1, 2, 3, 4]
        expected = np.tile(np.array([(1, 2, 3, 4)]), (30, 1))
    elif kind == "RGB565":
        columns[kind] = (
            (colors[:, 0] >> 3).astype("<u2") << 11 | (colors[:, 1] >> 2).astype("<u2") << 5 | colors[:, 2] >> 3
        ).astype("<u2")
        expected = np.c_[colors[:, :3], np.full(30, 255)]
    else:
        columns[kind] = colors[:, : len(kind)].copy()
        expected = np.c_[colors[:, :3], np.full(30, 255)] if kind == "RGB" else colors
    (tmp_path / "a.pnts").write_bytes(wrapped(b"pnts", table, columns))
    (part,) = read_contents(tmp_path / "a.pnts", tmp_path)
    mesh = part.content.meshes.mesh(0)
    assert np.abs(mesh.colors.astype(int) - expected).max() <= (7 if kind == "RGB565" else 0)
    assert ((mesh.normals * normals).sum(axis=1) > 0.999).all()
    assert_shows(
        tileset(tmp_path / "tileset.json", tile(content={"uri": "a.pnts"})), (points + np.array((1.0, 2.0, 3.0))) @ TURN
    )


def test_points_that_draco_has_compressed_are_those_that_it_had(tmp_path):
    draco = pytest.importorskip("DracoPy")
    rng = np.random.default_rng(7)
    points, colors = rng.uniform(-9.0, 9.0, (40, 3)).astype(np.float32), rng.integers(0, 256, (40, 3)).astype(np.uint8)
    packed = draco.encode(points, colors=colors, quantization_bits=20, preserve_order=True)
    decoded = draco.decode(packed)
    numbers = {"POSITION": decoded.attributes[0]["unique_id"], "RGB": decoded.attributes[1]["unique_id"]}

    def write(data: bytes) -> Path:
        extension = {"byteOffset": 0, "byteLength": len(data), "properties": numbers}
        table = {
            "POINTS_LENGTH": 40,
            "POSITION": {"byteOffset": 0},
            "RGB": {"byteOffset": 0},
            "extensions": {"3DTILES_draco_point_compression": extension},
        }
        (tmp_path / "a.pnts").write_bytes(wrapped(b"pnts", table, {"_": np.frombuffer(data, np.uint8)}))
        return tileset(tmp_path / "tileset.json", tile(content={"uri": "a.pnts"}))

    assert_shows(write(packed), points @ TURN)
    assert (read_contents(tmp_path / "a.pnts", tmp_path)[0].content.meshes.colors[:, :3] == colors).all()
    for damaged in (packed[:20], b"", packed[:10] + bytes(len(packed) - 10)):
        with pytest.raises(ReadError, match=r"^[^\n]*nothing to show in it[^\n]*$"):
            load(write(damaged))


def test_a_cmpt_has_all_its_parts(tmp_path):
    inner = [
        wrapped(b"b3dm", {"RTC_CENTER": [number, 0, 0]}, {}, glb(tmp_path / f"{number}.glb")) for number in range(3)
    ]

    def composite(parts: list[bytes]) -> bytes:
        return struct.pack("<4sIII", b"cmpt", 1, 16 + sum(map(len, parts)), len(parts)) + b"".join(parts)

    (tmp_path / "a.cmpt").write_bytes(composite([inner[0], composite(inner[1:])]))
    matrices = [np.eye(4) for _ in range(3)]
    for number, matrix in enumerate(matrices):
        matrix[0, 3] = number
    path = tileset(tmp_path / "tileset.json", tile(content={"uri": "a.cmpt"}))
    assert_shows(path, *map(in_scene, matrices))


@pytest.mark.parametrize("magic", [b"b3dm", b"i3dm", b"pnts", b"cmpt"])
def test_any_damage_to_older_contents_is_read_or_told_in_one_line(tmp_path, magic):
    rng = np.random.default_rng(list(magic))
    body = glb(tmp_path / "inner.glb")
    columns = {"POSITION": np.ones((2, 3), np.float32)}
    sound = {
        b"b3dm": lambda: wrapped(b"b3dm", {"BATCH_LENGTH": 0}, {}, body),
        b"i3dm": lambda: wrapped(b"i3dm", {"INSTANCES_LENGTH": 2}, columns, body, extra=struct.pack("<I", 1)),
        b"pnts": lambda: wrapped(b"pnts", {"POINTS_LENGTH": 2}, columns),
        b"cmpt": lambda: struct.pack("<4sIII", b"cmpt", 1, 0, 1) + wrapped(b"pnts", {"POINTS_LENGTH": 2}, columns),
    }[magic]()
    path = tmp_path / "a.content"
    path.write_bytes(sound)
    assert read_contents(path, path.parent)
    for _ in range(150):
        damaged = bytearray(sound)
        for place in rng.integers(0, min(len(sound), 160), rng.integers(1, 4)).tolist():
            damaged[place] = rng.integers(256)
        path.write_bytes(bytes(damaged[: rng.integers(0, len(sound))] if rng.random() < 0.3 else damaged))
        try:
            read_contents(path, path.parent)
        except ReadError as error:
            assert "\n" not in str(error)


# Damage.

VALUES = st.sampled_from([None, -1, 0, 2, 1e300, float("nan"), "x", "../x.glb", [], {}, [1.0] * 12, [1e308] * 16, True])


def places_of(value: object, above: tuple = ()):
    yield above
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in pairs:
        yield from places_of(part, (*above, key))


@pytest.fixture(scope="module")
def town(tmp_path_factory) -> tuple[Path, dict]:
    """A tileset with tiles of several kinds, and its document."""
    folder = tmp_path_factory.mktemp("town")
    for number in range(4):
        glb(folder / f"{number}.glb", CORNERS + number)
    glb(folder / "0" / "0_0.glb")
    there = {"constant": 1}
    subtree = {"tileAvailability": there, "contentAvailability": [there], "childSubtreeAvailability": {"constant": 0}}
    (folder / "0_0_0.subtree").write_text(json.dumps(subtree))
    tiling = {"subdivisionScheme": "QUADTREE", "subtreeLevels": 1, "availableLevels": 1}
    tiling["subtrees"] = {"uri": "{level}_{x}_{y}.subtree"}
    region = {"region": [0.1, 0.1, 0.2, 0.2, 0.0, 10.0]}
    children = [
        tile(content={"uri": "1.glb"}, transform=column_major(np.eye(4))),
        tile(contents=[{"uri": "2.glb"}, {"uri": "3.glb"}], volume={"sphere": [0, 0, 0, 9]}, refine="ADD"),
        tile(content={"uri": "{level}/{x}_{y}.glb"}, implicitTiling=tiling),
        tile(content={"uri": "other.json"}),
        tile(volume=region, children=[tile(content={"uri": "3.glb"})]),
    ]
    tileset(folder / "other.json", tile(content={"uri": "2.glb"}))
    root = tile(error=9, refine="REPLACE", content={"uri": "0.glb"}, children=children)
    path = tileset(folder / "tileset.json", root)
    assert load(path).element_count("triangle") == 4 * 6
    return path, json.loads(path.read_text())


@settings(max_examples=12, deadline=None)
@given(st.data())
def test_any_value_of_a_tileset_is_read_or_told_in_one_line(town, data):
    path, sound = town
    document = json.loads(json.dumps(sound))
    for _ in range(data.draw(st.integers(1, 2))):
        place = data.draw(st.sampled_from(list(places_of(document))[1:] or [()]))
        holder = document
        for key in place[:-1]:
            holder = holder[key]
        if place:
            holder[place[-1]] = deepcopy(data.draw(VALUES))
    path.write_text(json.dumps(document))
    lines: list[str] = []
    try:
        scene = load(path)
        lines += scene.report.warnings
        assert scene.element_count("triangle") > 0
    except ReadError as error:
        lines.append(str(error))
    try:
        streamed = open_tileset(path, budget=10**9)
        lines += [*streamed.scene.report.warnings, *streamed.read_all([EVERYWHERE])]
    except ReadError as error:
        lines.append(str(error))
    assert not any("\n" in line for line in lines)
