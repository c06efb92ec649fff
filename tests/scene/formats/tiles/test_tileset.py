"""Tilesets that are damaged, or of other kinds, are told in one line; sound ones come back."""

from __future__ import annotations

import json
import struct
import tracemalloc
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octoscope.scene import ReadError
from octoscope.scene.formats.tiles import implicit
from octoscope.scene.formats.tiles.cells import Root, Tile
from octoscope.scene.formats.tiles.objects import Chains
from octoscope.scene.formats.tiles.reader import read_tileset
from octoscope.scene.formats.tiles.tables.property_table import Lists
from octoscope.scene.formats.tiles.tileset import TileFacts, Tileset, write_tileset
from octoscope.scene.streaming.tile_content import read_tile
from octoscope.scene.tiling.tiling import write_tiles
from tests.scene.formats.gltf.files import document_of
from tests.scene.formats.tiles.reading import read_content, read_tileset_file

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(max_size=5),
    st.sampled_from(["../{level}.glb", "/etc/{x}", "http://a/{x}", "\0", "{level}", "NaN"]),
    st.lists(st.floats(), max_size=13),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)


def random_tileset(seed: int) -> Tileset:
    rng = np.random.default_rng(seed)
    tiles, last = {}, [Tile(0, 0, 0, 0)]
    for level in range(1, int(rng.integers(2, 12))):
        tiles |= {tile: TileFacts(rng.normal(size=12), float(rng.random()), bool(rng.random() < 0.7)) for tile in last}
        chosen = [last[k] for k in rng.choice(len(last), min(len(last), 6), replace=False)]
        last = [
            Tile(level, 2 * x + (octant & 1), 2 * y + (octant >> 1 & 1), 2 * z + (octant >> 2))
            for _, x, y, z in chosen
            for octant in rng.choice(8, int(rng.integers(1, 4)), replace=False).tolist()
        ]
    return Tileset(Root(np.array((-1.0, 2.0, 3.0)), 8.0), tiles)


@pytest.mark.parametrize("seed", range(12))
def test_tiles_come_back_through_their_subtrees(seed, tmp_path):
    tileset = random_tileset(seed)
    write_tileset(tileset, tmp_path)
    read = read_tileset_file(tmp_path / "tileset.json")
    np.testing.assert_allclose(read.root.lower, tileset.root.lower)
    assert read.root.size == pytest.approx(8.0)
    assert read.tiles.keys() == tileset.tiles.keys()
    for tile, facts in tileset.tiles.items():
        assert read.tiles[tile].box.tolist() == facts.box.tolist()
        assert read.tiles[tile][1:] == facts[1:]


def test_errors_and_boxes_follow_from_the_root_where_subtrees_do_not_state_them(tmp_path):
    write_tileset(random_tileset(3), tmp_path)
    for path in (tmp_path / "subtrees").iterdir():
        content = path.read_bytes().replace(b'"tileMetadata"', b'"tileMetaDATA"')
        path.write_bytes(content)
    tileset = read_tileset_file(tmp_path / "tileset.json")
    error = json.loads((tmp_path / "tileset.json").read_text())["root"]["geometricError"]
    for (level, *cell), facts in tileset.tiles.items():
        assert facts.error == error / 2.0**level
        np.testing.assert_allclose(facts.box[:3], (-1.0, 2.0, 3.0) + (np.array(cell) + 0.5) * 8.0 / 2.0**level)
        np.testing.assert_allclose(facts.box[3:].reshape(3, 3), np.eye(3) * 4.0 / 2.0**level)


@pytest.mark.parametrize(("levels", "children"), [(8, 0), (7, 1), (1, 1)])
def test_subtrees_that_claim_more_tiles_than_memory_holds_are_refused_at_once(tmp_path, monkeypatch, levels, children):
    monkeypatch.setattr(implicit, "_MOST_SUBTREES", implicit._MOST_SUBTREES // 8)  # reading all takes seconds
    write_tileset(random_tileset(1), tmp_path)
    path = tmp_path / "tileset.json"
    document = json.loads(path.read_text())
    document["root"]["implicitTiling"] |= {
        "subtreeLevels": levels,
        "availableLevels": 21,
        "subtrees": {"uri": "same.subtree"},  # whichever tile is asked for: it lies below itself
    }
    path.write_text(json.dumps(document))
    claims = json.dumps(
        {
            "tileAvailability": {"constant": 1},
            "contentAvailability": [{"constant": 0}],
            "childSubtreeAvailability": {"constant": children},
        }
    ).encode()
    claims += b" " * (-len(claims) % 8)
    (tmp_path / "same.subtree").write_bytes(struct.pack("<4sIQQ", b"subt", 1, len(claims), 0) + claims)
    tracemalloc.start()
    try:
        with pytest.raises(ReadError, match=r"more than 524,288 tiles|more than 1,024 subtrees"):
            read_tileset_file(path)
        assert tracemalloc.get_traced_memory()[1] < (500e6 if levels > 1 else 500e6 / 8)
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("levels", [9, 10**9, 10**18])
def test_subtrees_of_more_levels_than_a_file_can_have_are_refused_at_once(tmp_path, levels):
    write_tileset(random_tileset(1), tmp_path)
    path = tmp_path / "tileset.json"
    document = json.loads(path.read_text())
    document["root"]["implicitTiling"] |= {"subtreeLevels": levels, "availableLevels": 21}
    path.write_text(json.dumps(document))
    with pytest.raises(ReadError, match=f"{levels} levels in one file are too many"):
        read_tileset_file(path)


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sound")
    (folder / "a.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 9 9 9\nf 1 2 3\nf 2 3 4\n")
    write_tiles([folder / "a.obj"], folder / "tiles", leaf_elements=1)
    return folder / "tiles"


def places_of(value, path=()):
    yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from places_of(part, (*path, key))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_value_anywhere_is_read_or_told(sound, data):
    path = sound / "tileset.json"
    kept = path.read_text()
    document = json.loads(kept)
    place = data.draw(st.sampled_from(list(places_of(document))[1:]))
    holder = document
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = data.draw(VALUES)
    try:
        path.write_text(json.dumps(document))
        with suppress(ReadError):
            read_tileset(path)
    finally:
        path.write_text(kept)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_any_byte_of_a_content_is_read_or_told(sound, data):
    path = min((sound / "content").glob("2_*.glb"), default=min((sound / "content").glob("*.glb")))
    kept = path.read_bytes()
    content = bytearray(kept)
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    try:
        path.write_bytes(bytes(content))
        with suppress(ReadError):
            read_tileset(sound / "tileset.json")
    finally:
        path.write_bytes(kept)


def written_with(content: bytes, document: dict) -> bytes:
    """Replace the JSON of a GLB."""
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    body = len(text).to_bytes(4, "little") + b"JSON" + text + content[20 + int.from_bytes(content[12:16], "little") :]
    return content[:8] + (12 + len(body)).to_bytes(4, "little") + body


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_value_of_a_content_is_read_or_told(sound, data):
    path = min((sound / "content").glob("*.glb"))
    kept, document = path.read_bytes(), document_of(path)
    place = data.draw(st.sampled_from(list(places_of(document))[1:]))
    holder = document
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = data.draw(VALUES)
    try:
        path.write_bytes(written_with(kept, document))
        with suppress(ReadError):
            read_content(path)
    finally:
        path.write_bytes(kept)


def damage_extensions(document: dict) -> None:
    document["extensions"] = None


def damage_count(document: dict) -> None:
    document["extensions"]["EXT_structural_metadata"]["propertyTables"][0]["count"] = float("inf")


def damage_kind(document: dict) -> None:
    classes = document["extensions"]["EXT_structural_metadata"]["schema"]["classes"]
    classes["object"]["properties"]["id"]["componentType"] = "FLOAT64"


@pytest.mark.parametrize("damage", [damage_extensions, damage_count, damage_kind])
def test_a_content_that_says_nothing_of_its_objects_is_told(sound, tmp_path, damage):
    path = min((sound / "content").glob("*.glb"))
    document = document_of(path)
    damage(document)
    (tmp_path / path.name).write_bytes(written_with(path.read_bytes(), document))
    with pytest.raises(ReadError, match="does not say which objects it shows"):
        read_content(tmp_path / path.name)


@pytest.mark.parametrize(
    ("accessor", "written"),
    [(0, [np.nan] * 9), (1, [1, 1]), (1, [0, 1])],
    ids=["no triangle", "a triangle of two", "a triangle of two, the other way"],
)
def test_objects_without_triangles_of_their_own_are_left_out(tmp_path, accessor, written):
    """They ended a window that streams such a tile."""
    (tmp_path / "a.obj").write_text(
        "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no b\nv 5 0 0\nv 6 0 0\nv 5 1 0\nf 4 5 6\n"
    )
    write_tiles([tmp_path / "a.obj"], tmp_path / "tiles")
    (path,) = (tmp_path / "tiles" / "content").glob("*.glb")
    document, content = document_of(path), path.read_bytes()
    attributes = document["meshes"][0]["primitives"][0]["attributes"]
    assert [attributes["POSITION"], attributes["_FEATURE_ID_0"]] == [0, 1]
    begin = 28 + int.from_bytes(content[12:16], "little") + document["bufferViews"][accessor]["byteOffset"]
    numbers = np.array(written, dtype=np.float32).tobytes()
    path.write_bytes(content[:begin] + numbers + content[begin + len(numbers) :])
    geometry, _ = read_content(path)
    owners = [geometry.objects[rows] for rows in geometry.elements]
    assert all((owner == owner[:, :1]).all() for owner in owners), "no element is of several objects"
    assert set(np.concatenate([owner[:, 0] for owner in owners])) == set(geometry.objects)
    assert len(read_tile((path,), path.parent).meshes) == len(set(geometry.objects))


@pytest.mark.parametrize("ancestors", [[2], [3], [2**31]])
def test_objects_that_are_above_themselves_are_refused(ancestors):
    one, texts = np.array([2], np.uint32), np.dtypes.StringDType()
    lists = Lists(np.array(ancestors, np.uint32), np.array([1])), Lists(np.array(["a"], texts), np.array([1]))
    table = {"id": one, "name": np.array(["b"], texts), "ancestors": lists[0], "path": lists[1]}
    Chains.of_columns(table | {"ancestors": Lists(np.array([1], np.uint32), np.array([1]))})
    with pytest.raises(ValueError, match="no tree"):
        Chains.of_columns(table)
