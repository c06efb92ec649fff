"""Features of contents become objects with the properties that their tables say."""

from __future__ import annotations

import json
import math
import struct
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from octoscope.scene import History, Recorder, Scene, apply, load, save_project, write_glb
from octoscope.scene.editing import (
    center_pivot,
    duplicate,
    flip_faces,
    merge,
    replace_mesh_by_file,
    separate,
    share_mesh,
)
from octoscope.scene.formats.readers import read_file
from octoscope.scene.formats.tiles.tables.property_table import pack_table
from octoscope.scene.loading.reload import FileReload
from octoscope.scene.project import writer
from octoscope.scene.project.clipboard import paste, text_of
from octoscope.scene.spatial.lod_view import LodView
from octoscope.scene.streaming.opening import open_tileset
from octoscope.scene.streaming.streamed_tiles import StreamedTiles
from tests.scene.formats.tiles.test_any_tileset import tile, tileset

EVERYWHERE = LodView(np.zeros(3), np.zeros((0, 4)), 1e9)
NAMES = ["barn", "mill", "", "tower"]
HEIGHTS = [3.5, 12.0, 7.25, 40.0]
# Four triangles side by side; the last two vertices of one are the first of the next.
CORNERS = np.array([(x / 2.0, x % 2, 0.0) for x in range(9)], dtype=np.float32)
TRIANGLES = np.array([(2 * k, 2 * k + 1, 2 * k + 2) for k in range(4)], dtype=np.uint16)


def gltf(path: Path, ids: np.ndarray | None, name: str = "_FEATURE_ID_0", **document: object) -> bytes:
    """Write a GLB of the triangles, whose vertices have an attribute, and a document that says more; return it."""
    own = np.array(document.pop("triangles", TRIANGLES), dtype=np.uint16)
    arrays = [CORNERS, own.ravel(), *([] if ids is None else [ids]), *document.pop("views", [])]
    views, binary = [], b""
    for array in arrays:
        data = np.ascontiguousarray(array).tobytes()
        views.append({"buffer": 0, "byteOffset": len(binary), "byteLength": len(data)})
        binary += data + bytes(-len(data) % 8)
    accessors = [
        {"bufferView": 0, "componentType": 5126, "count": 9, "type": "VEC3"},
        {"bufferView": 1, "componentType": 5123, "count": own.size, "type": "SCALAR"},
    ]
    attributes = {"POSITION": 0}
    primitive = {"attributes": attributes, "indices": 1}
    if ids is not None:
        kind = {np.dtype("f4"): 5126, np.dtype("u1"): 5121, np.dtype("u2"): 5123}[ids.dtype]
        accessors.append({"bufferView": 2, "componentType": kind, "count": 9, "type": "SCALAR"})
        attributes[name] = 2
    if "features" in document:
        primitive["extensions"] = {"EXT_mesh_features": {"featureIds": np.ravel(document.pop("features")).tolist()}}
    whole = {
        "asset": {"version": "2.0"},
        "extensionsUsed": ["EXT_mesh_features", "EXT_structural_metadata", "EXT_mesh_gpu_instancing"],
        "buffers": [{"byteLength": len(binary)}],
        "bufferViews": views,
        "accessors": accessors,
        "meshes": [{"primitives": [primitive]}],
        "nodes": [{"mesh": 0, "name": "whole"}],
        "scenes": [{"nodes": [0]}],
        "scene": 0,
        **document,
    }
    text = json.dumps(whole).encode()
    text += b" " * (-len(text) % 4)
    body = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body)
    return path.read_bytes()


def batched(magic: bytes, features: dict, batch: dict, columns: bytes, body: bytes, binary: bytes = b"") -> bytes:
    """A content of 3D Tiles 1.0 with both tables."""
    texts = [json.dumps(each).encode() for each in (features, batch)]
    texts = [text + b" " * (-len(text) % 8) for text in texts]
    columns += bytes(-len(columns) % 8)
    binary += bytes(-len(binary) % 8)
    lengths = [len(texts[0]), len(binary), len(texts[1]), len(columns)]
    extra = struct.pack("<I", 1) if magic == b"i3dm" else b""
    size = 28 + len(extra) + sum(lengths) + len(body)
    return magic + struct.pack("<6I", 1, size, *lengths) + extra + texts[0] + binary + texts[1] + columns + body


def metadata(**more: object) -> dict[str, object]:
    """A document's property table of the four features."""
    packed = pack_table({"Name": np.array(NAMES, np.dtypes.StringDType()), "height": np.array(HEIGHTS)}, 3)
    classes = {"building": {"properties": packed.properties}}
    table = {"class": "building", "count": 4, "properties": packed.values}
    extension = {"schema": {"id": "s", "classes": classes}, "propertyTables": [table], **more}
    return {
        "views": packed.views,
        "extensions": {"EXT_structural_metadata": extension},
        "features": {"featureCount": 4, "attribute": 0, "propertyTable": 0},
    }


def streamed(path: Path, content: str) -> StreamedTiles:
    """Open a tileset of one content; read whole, it says the same of its objects."""
    file = tileset(path / "tileset.json", tile(content={"uri": content}))
    tiles = open_tileset(file, budget=10**9)
    assert not tiles.read_all([EVERYWHERE])
    assert sorted(map(str, said_in(load(file)))) == sorted(map(str, said_in(tiles.scene)))
    return tiles


def said_in(scene: Scene) -> list[dict[str, object]]:
    return [said for node in scene.objects if (said := scene.properties(node))]


def said_of(tiles: StreamedTiles) -> dict[str, dict[str, object]]:
    scene = tiles.scene
    return {str(scene.names[node]): tiles.properties(node) for node in scene.ids[scene.mesh_ids[scene.ids] >= 0]}


EACH = np.array([0, 0, 1, 1, 2, 2, 3, 3, 3])  # the first vertex of each triangle has its own
SHOWN = ["barn", "mill", "feature 2", "tower"]


@pytest.mark.parametrize("kind", ["f4", "u1", "u2"])
def test_features_of_vertices_are_objects_with_properties(tmp_path, kind):
    gltf(tmp_path / "a.glb", EACH.astype(kind), **metadata())
    tiles = streamed(tmp_path, "a.glb")
    expected = {
        shown: {"Name": name, "height": height} for shown, name, height in zip(SHOWN, NAMES, HEIGHTS, strict=True)
    }
    assert said_of(tiles) == expected
    scene = tiles.scene
    assert scene.element_count("triangle") == 4
    whole = load(tmp_path / "tileset.json")
    for each in (scene, whole):
        for number, name in enumerate(SHOWN):
            node = each[name]
            x = node.world_from_local[:3, :3] @ node.mesh.vertices.T + node.world_from_local[:3, 3:]
            np.testing.assert_allclose(np.sort(x[0]), np.sort(CORNERS[TRIANGLES[number], 0]))


def test_ids_beyond_the_table_and_null_are_no_feature(tmp_path):
    said = metadata()
    said["features"] |= {"nullFeatureId": 1}
    gltf(tmp_path / "a.glb", np.array([0, 0, 1, 1, 9, 9, 3, 3, 3], dtype=np.uint8), **said)
    assert said_of(streamed(tmp_path, "a.glb")).keys() == {"barn", "tower", "whole"}


def test_a_schema_in_a_file_of_its_own_is_read(tmp_path):
    said = metadata()
    extension = said["extensions"]["EXT_structural_metadata"]
    (tmp_path / "schema.json").write_text(json.dumps(extension.pop("schema")))
    extension["schemaUri"] = "schema.json"
    gltf(tmp_path / "a.glb", EACH.astype(np.uint8), **said)
    assert said_of(streamed(tmp_path, "a.glb")).keys() == set(SHOWN)
    (tmp_path / "schema.json").unlink()
    tiles = streamed(tmp_path, "a.glb")
    assert said_of(tiles) == {"whole": {}}
    (warning,) = tiles.scene.report.warnings
    assert "no such file" in warning and "shown without them" in warning


def test_a_b3dm_has_objects_of_its_batch_table(tmp_path):
    body = gltf(tmp_path / "in.glb", EACH.astype(np.float32), "_BATCHID")
    columns = np.array(HEIGHTS, "<f4").tobytes()
    table = {"name": NAMES, "height": {"byteOffset": 0, "componentType": "FLOAT", "type": "SCALAR"}, "far": {"no": 1}}
    (tmp_path / "a.b3dm").write_bytes(batched(b"b3dm", {"BATCH_LENGTH": 4}, table, columns, body))
    said = said_of(streamed(tmp_path, "a.b3dm"))
    assert said == {
        shown: {"name": name, "height": height} for shown, name, height in zip(SHOWN, NAMES, HEIGHTS, strict=True)
    }
    count = 2**31 - 2  # claimed by a few bytes
    classes = [{"name": "barn", "length": count, "instances": {"roof": ["red"]}}]
    table = {"HIERARCHY": {"classes": classes, "instancesLength": count, "classIds": [0]}}
    (tmp_path / "a.b3dm").write_bytes(batched(b"b3dm", {"BATCH_LENGTH": count}, table, b"", body))
    assert said_of(streamed(tmp_path, "a.b3dm"))["feature 0"] == {"roof": "red", "class": "barn"}


@pytest.mark.parametrize("has_ids", [True, False])
def test_instances_and_points_have_rows_of_their_batch_table(tmp_path, has_ids):
    body = gltf(tmp_path / "in.glb", None)
    places = np.array([(x, 0, 0) for x in range(4)], "<f4").tobytes()
    order = [2, 0, 3, 1]
    features = {"POSITION": {"byteOffset": 0}}
    if has_ids:
        features["BATCH_ID"] = {"byteOffset": len(places), "componentType": "UNSIGNED_BYTE"}
    binary = places + bytes(order)
    table = {"name": NAMES}
    (tmp_path / "a.i3dm").write_bytes(
        batched(b"i3dm", features | {"INSTANCES_LENGTH": 4}, table, b"", body, binary=binary)
    )
    tiles = streamed(tmp_path, "a.i3dm")
    at = {name: float(tiles.scene[name].bounds[0][0]) for name in SHOWN}
    expected = order if has_ids else [0, 1, 2, 3]
    assert sorted(SHOWN, key=lambda name: at[name]) == [SHOWN[row] for row in expected]
    features |= {"POINTS_LENGTH": 4, "BATCH_LENGTH": 4}
    (tmp_path / "a.pnts").write_bytes(batched(b"pnts", features, table, b"", b"", binary=binary))
    assert said_of(streamed(tmp_path, "a.pnts")).keys() == (set(SHOWN) if has_ids else {"a"})


def test_projects_copies_and_files_that_change_keep_what_is_said(tmp_path):
    """An i3dm, whose nodes show one mesh, stands beside a tile with feature ids of vertices."""
    body = gltf(tmp_path / "in.glb", None)
    gltf(tmp_path / "b.glb", EACH.astype(np.uint8), **metadata())
    places = np.array([(x, 0, 0) for x in range(4)], "<f4").tobytes()
    features = {"POSITION": {"byteOffset": 0}, "INSTANCES_LENGTH": 4}
    (tmp_path / "a.i3dm").write_bytes(batched(b"i3dm", features, {"name": NAMES}, b"", body, binary=places))
    kept = {"properties": {"author": "somebody"}}
    top = tile(error=9, children=[tile(content={"uri": "a.i3dm"}, metadata=kept), tile(content={"uri": "b.glb"})])
    file = tileset(tmp_path / "tileset.json", top)
    scene = load(file)
    expected = [{"author": "somebody", "name": name} for name in NAMES]
    expected += [{"Name": name, "height": height} for name, height in zip(NAMES, HEIGHTS, strict=True)]
    assert said_in(scene) == expected
    towers = scene.nodes[scene.names == "tower"]
    History(scene).do(duplicate(scene, towers))
    text = text_of(scene, towers.ids[:1])
    copies = [expected[3], expected[7]]
    assert said_in(scene)[8:] == [*copies, *copies] or said_in(scene)[8:] == copies
    save_project(scene, tmp_path / "a.octo.json")
    again = load(tmp_path / "a.octo.json")
    assert said_in(again) == said_in(scene)
    pasted = load(file)
    apply(pasted, paste(pasted, text))
    assert said_in(pasted)[8:] == [expected[3]]
    left_out = write_glb(scene, tmp_path / "a.glb")
    assert any("properties" in line for line in left_out)
    names = [name.upper() for name in NAMES]
    (tmp_path / "a.i3dm").write_bytes(batched(b"i3dm", features, {"name": names}, b"", body, binary=places))
    FileReload(again, 0, read_file(file)).join()
    assert [said["name"] for said in said_in(again)[:4]] == names


def test_edits_of_meshes_keep_what_is_said_of_objects(tmp_path, monkeypatch):
    """In memory, in a project and its journal, as text, and when the file is read again with other tables."""
    other = tmp_path / "other.obj"
    other.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n")
    gltf(tmp_path / "a.glb", EACH.astype(np.uint8) % 2, **metadata())  # each has two parts
    file = tileset(tmp_path / "tileset.json", tile(content={"uri": "a.glb"}))
    scene = load(file)
    (barn, mill), ids = said_in(scene), scene.objects.ids
    scene.set_vertices(scene["barn"], scene["barn"].mesh.vertices * 2.0)
    save_project(scene, tmp_path / "a.octo.json")
    history = History(scene, recorder=(recorder := Recorder(scene)))
    for edit in (
        lambda: separate(scene, ids[1:]),
        lambda: flip_faces(scene, ids[1:]),
        lambda: center_pivot(scene, ids),
        lambda: share_mesh(scene, ids),
        lambda: replace_mesh_by_file(scene, ids[:1], read_file(other), other),
    ):
        history.do(edit())
        assert [said for said in said_in(scene) if said != mill] == [barn]
    expected = said_in(scene)
    assert expected.count(mill) == 2
    scenes = [scene, load(tmp_path / "a.octo.json")]
    recorder.close()
    monkeypatch.setattr(writer, "MOST_LINES", 3)
    save_project(scene, tmp_path / "packed.octo.json")
    monkeypatch.undo()
    save_project(scene, tmp_path / "lines.octo.json")
    scenes += [load(tmp_path / "packed.octo.json"), load(tmp_path / "lines.octo.json"), Scene()]
    apply(scenes[-1], paste(scenes[-1], text_of(scene, scene.ids)))
    file.rename(tmp_path / "away")
    scenes += (without := [load(tmp_path / f"{name}.octo.json") for name in ("a", "lines", "packed")])
    for number, each in enumerate(without):
        assert said_in(each) == []
        apply(each, flip_faces(each, each["barn"]))
        save_project(each, tmp_path / f"{number}.octo.json")
    (tmp_path / "away").rename(file)
    scenes += [load(tmp_path / f"{number}.octo.json") for number in range(3)]
    for each in without:
        FileReload(each, 0, read_file(file)).join()
    for each in scenes:
        assert said_in(each) == expected
        FileReload(each, 0, read_file(file)).join()
        made = merge(each, [each["mill"].id, each["barn"].id])
        apply(each, made)
        assert made.notes == ("1 object is merged without its properties: what the file says of mill is kept",)
        assert said_in(each) == [mill, mill]


def test_an_undone_merge_gives_properties_back_also_after_a_crash(tmp_path):
    """The node that was emptied showed another mesh than its file's, which it had before the project was saved."""
    gltf(tmp_path / "a.glb", EACH.astype(np.uint8), **metadata())
    scene = load(tileset(tmp_path / "tileset.json", tile(content={"uri": "a.glb"})))
    barn, mill, child = scene.objects.ids[:3].tolist()
    scene.set_parents([child], [mill])
    apply(scene, flip_faces(scene, [mill]))
    expected = said_in(scene)
    save_project(scene, tmp_path / "a.octo.json")
    history = History(scene, recorder=(recorder := Recorder(scene)))
    history.do(merge(scene, [barn, mill]))
    save_project(scene, tmp_path / "a.octo.json", recorder=recorder)
    history.undo()
    assert said_in(load(tmp_path / "a.octo.json")) == said_in(scene) == expected


def test_a_gltf_by_itself_keeps_its_tree_of_nodes(tmp_path):
    """Only tilesets are split into features; a line says so."""
    gltf(tmp_path / "a.glb", EACH.astype(np.uint8), **metadata())
    scene = load(tmp_path / "a.glb")
    assert [node.name for node in scene.objects] == ["whole"]
    (line,) = scene.report.warnings
    assert "property tables" in line and "not shown; open a tileset.json that names the file" in line


def test_of_several_sets_of_feature_ids_one_is_shown_and_a_line_says_so(tmp_path):
    """A file whose tables alone have changed since says the new of what is there already, too."""
    gltf(tmp_path / "a.glb", EACH.astype(np.uint8), **metadata())
    file = tileset(tmp_path / "tileset.json", tile(content={"uri": "a.glb"}))
    once = load(file)
    said = metadata()
    said["features"] = [{"featureCount": 9, "attribute": 0}, said["features"]]
    said["extensions"]["EXT_structural_metadata"]["propertyTables"][0]["properties"]["height"]["offset"] = 1.0
    gltf(tmp_path / "a.glb", EACH.astype(np.uint8), **said)
    scene = load(file)
    assert [said["height"] - 1.0 for said in said_in(scene)] == [said["height"] for said in said_in(once)]
    assert [line for line in scene.report.warnings if "several sets of feature ids" in line]
    once.add_content(read_file(file), file)
    assert len(once.meshes) == 4 and said_in(once) == said_in(scene) * 2


def test_an_object_that_its_file_has_no_longer_has_no_properties(tmp_path):
    """It is back where the edit that gave its node another mesh is undone."""
    gltf(tmp_path / "a.glb", EACH.astype(np.uint8), **metadata())
    file = tileset(tmp_path / "tileset.json", tile(content={"uri": "a.glb"}))
    scene = load(file)
    expected, history = said_in(scene), History(scene)
    history.do(flip_faces(scene, scene.nodes[scene.names == "tower"]))
    gltf(tmp_path / "a.glb", np.zeros(9, np.uint8), **metadata())
    FileReload(scene, 0, read_file(file)).join()
    history.undo()
    assert len(scene.objects) == 2 and said_in(scene) == expected[:1]
    scene.set_instances(scene.ids, -1)  # as a damaged project may say
    assert said_in(scene) == []


def test_instances_of_a_gltf_have_rows_of_its_table(tmp_path):
    said = metadata()
    places = np.array([(x, 0, 0) for x in range(4)], "<f4")
    said["features"] = {"featureCount": 4, "attribute": 0, "propertyTable": 0}
    features = said.pop("features")
    said["views"] = [*said["views"], places, np.array([3, 2, 1, 0], "<f4")]
    node = {
        "mesh": 0,
        "extensions": {
            "EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 3, "_FEATURE_ID_0": 4}},
            "EXT_instance_features": {"featureIds": [features]},
        },
    }
    path = tmp_path / "a.glb"
    gltf(path, np.zeros(9, dtype=np.float32), "_OTHER", nodes=[node], **said)
    content = path.read_bytes()
    length = int.from_bytes(content[12:16], "little")
    document = json.loads(content[20 : 20 + length])
    first = len(document["bufferViews"]) - 2
    for number, kind in enumerate(("VEC3", "SCALAR")):
        document["accessors"].append({"bufferView": first + number, "componentType": 5126, "count": 4, "type": kind})
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    body = struct.pack("<I4s", len(text), b"JSON") + text + content[20 + length :]
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body)
    tiles = streamed(tmp_path, "a.glb")
    at = {name: float(tiles.scene[name].bounds[0][0]) for name in SHOWN}
    assert sorted(SHOWN, key=lambda name: at[name]) == SHOWN[::-1]
    assert set(SHOWN) <= set(load(tmp_path / "tileset.json").names.tolist())


VALUES = st.sampled_from([None, -1, 0, 3, 2**40, 1e300, float("nan"), "x", [], {}, [1], {"a": 1}, True])


def places_of(value: object, above: tuple = ()):
    yield above
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in pairs:
        yield from places_of(part, (*above, key))


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_any_damage_to_what_is_said_of_features_leaves_the_triangles(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("damaged")
    said = metadata()
    holders = {"extensions": said["extensions"], "features": said["features"]}
    place = data.draw(st.sampled_from([each for each in places_of(holders) if len(each) > 1]))
    holder = holders
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = data.draw(VALUES)
    gltf(folder / "a.glb", EACH.astype(np.uint8), **said)
    tiles = streamed(folder, "a.glb")
    assert tiles.scene.element_count("triangle") == 4
    said_of(tiles)
    assert all("\n" not in line for line in tiles.scene.report.warnings)
    assert load(folder / "tileset.json").element_count("triangle") == 4


def test_points_have_what_textures_and_the_nearest_vertex_say(tmp_path):
    """A texture of 4 x 2 pixels over the triangles; its first channel numbers features, the next two are a height."""
    pixels = np.arange(4 * 2 * 3, dtype=np.uint8).reshape(2, 4, 3)
    pixels[..., 0] = [[0, 1, 2, 3], [3, 2, 1, 9]]
    image = BytesIO()
    Image.fromarray(pixels).save(image, format="PNG")
    uvs = (CORNERS[:, :2] / (4.0, 1.0)).astype(np.float32)  # of the corner at x, y
    ages = np.arange(9, dtype=np.uint16) * 100
    said = metadata()
    extension = said["extensions"]["EXT_structural_metadata"]
    kinds = {"height": {"type": "SCALAR", "componentType": "UINT16", "scale": 0.5}}
    extension["schema"]["classes"] |= {
        "surface": {"properties": kinds},
        "vertex": {"properties": {"age": {"type": "SCALAR", "componentType": "UINT16"}}},
    }
    extension["propertyTextures"] = [
        {"class": "surface", "properties": {"height": {"index": 0, "texCoord": 0, "channels": [1, 2]}}}
    ]
    extension["propertyAttributes"] = [{"class": "vertex", "properties": {"age": {"attribute": "_AGE"}}}]
    views = [*said.pop("views"), uvs, ages, np.frombuffer(image.getvalue(), np.uint8)]
    for table in extension["propertyTables"][0]["properties"].values():
        table.update({key: number - 1 for key, number in table.items()})  # there is no view of ids
    del said["features"]
    ids = {"featureCount": 4, "nullFeatureId": 9, "propertyTable": 0, "texture": {"index": 0, "channels": [0]}}
    primitive = {
        "attributes": {"POSITION": 0, "TEXCOORD_0": 2, "_AGE": 3},
        "indices": 1,
        "extensions": {
            "EXT_mesh_features": {"featureIds": [ids]},
            "EXT_structural_metadata": {"propertyTextures": [0], "propertyAttributes": [0]},
        },
    }
    number = len(views) + 1  # of the last view: two stand before these
    accessors = [
        {"bufferView": 0, "componentType": 5126, "count": 9, "type": "VEC3"},
        {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"},
        {"bufferView": number - 2, "componentType": 5126, "count": 9, "type": "VEC2"},
        {"bufferView": number - 1, "componentType": 5123, "count": 9, "type": "SCALAR"},
    ]
    textures = {"textures": [{"source": 0}], "images": [{"bufferView": number, "mimeType": "image/png"}]}
    more = {"accessors": accessors, "meshes": [{"primitives": [primitive]}], **textures}
    gltf(tmp_path / "a.glb", None, views=views, **said, **more)
    tiles = streamed(tmp_path, "a.glb")
    node = tiles.scene["whole"]
    assert tiles.properties(node) == {}
    for x, y in ((0.45, 0.3), (1.5, 0.9), (2.4, 0.2), (3.55, 0.4)):
        row, column = int(y * 2), int(x)
        feature = int(pixels[row, column, 0])
        expected = (
            {} if feature == 9 else {"feature": SHOWN[feature], "Name": NAMES[feature], "height": HEIGHTS[feature]}
        )
        height = 0.5 * int.from_bytes(pixels[row, column, 1:].tobytes(), "little")
        age = 100 * int(np.linalg.norm(CORNERS - (x, y, 0.0), axis=1).argmin())
        assert tiles.properties_at(node, (x, y, 0.01)) == expected | {"height": height, "age": age}, (x, y)
    squashed = {"content": {"uri": "a.glb"}, "transform": np.diag((1.0, 0.0, 1.0, 1.0)).ravel().tolist()}
    tiles = open_tileset(tileset(tmp_path / "flat.json", tile(**squashed)), budget=10**9)
    tiles.read_all([EVERYWHERE])
    assert tiles.properties_at(tiles.scene["whole"], (x, y, 0.0))["age"] == age, "a tile that is scaled flat"
    flat = load(tmp_path / "tileset.json")
    flat.set_scales([flat["whole"].id], (1.0, 1.0, 0.0))
    assert flat.properties_at(flat["whole"], (x, y, 0.0))["age"] == age, "scaled flat"
    with pytest.raises(ValueError, match="a point must be three finite numbers"):
        flat.properties_at(flat["whole"], (math.nan, 0.0, 0.0))
    flat.set_translations([flat["whole"].id], (6e7, 6e7, 0.0))
    assert flat.properties_at(flat["whole"], (x + 6e7, y + 6e7, 0.0))["age"] == age, "far out, too"
    primitive["attributes"].pop("TEXCOORD_0")
    gltf(tmp_path / "a.glb", None, views=views, **said, **more)
    tiles = streamed(tmp_path, "a.glb")
    assert tiles.properties_at(tiles.scene["whole"], (0.5, 0.3, 0.0)) == {}


def test_tiles_have_the_properties_of_their_metadata(tmp_path):
    gltf(tmp_path / "a.glb", None)
    said = {"class": "tile", "properties": {"author": "somebody", "year": 1999}}
    top = tile(content={"uri": "a.glb", "metadata": {"class": "c", "properties": {"level": 2}}}, metadata=said)
    tiles = open_tileset(tileset(tmp_path / "tileset.json", top), budget=10**9)
    assert tiles.properties(tiles.scene["a"]) == {"author": "somebody", "year": 1999, "level": 2}
    assert tiles.properties(tiles.scene["whole"]) == {}
    for broken in (3, {"properties": 3}, {"properties": None}, None):
        tiles = open_tileset(tileset(tmp_path / "tileset.json", top | {"metadata": broken}), budget=10**9)
        assert tiles.properties(tiles.scene["a"]) == {"level": 2}


def test_implicit_tiles_contents_groups_and_the_tileset_have_the_properties_of_their_metadata(tmp_path):
    """Write four implicit cells, two of them available; the second has two contents."""
    kinds = {"district": {"type": "STRING"}, "floors": {"type": "SCALAR", "componentType": "UINT16", "default": 1}}
    columns = {"district": np.array(["north", "south", "west"], np.dtypes.StringDType())}
    packed, floors = pack_table(columns, 0), pack_table({"floors": np.array([7], dtype=np.uint16)}, 2)
    views = [*packed.views, *floors.views]
    starts = np.cumsum([0, *(len(view) + -len(view) % 8 for view in views)]).tolist()
    (tmp_path / "a.bin").write_bytes(b"".join(view.tobytes() + bytes(-len(view) % 8) for view in views))
    bits = np.packbits([1, 1, 0, 0, 1], bitorder="little"), np.packbits([0, 0, 0, 0, 1], bitorder="little")
    (tmp_path / "b.bin").write_bytes(b"".join(each.tobytes() + bytes(7) for each in bits))
    subtree = {
        "buffers": [{"byteLength": starts[-1], "uri": "a.bin"}, {"byteLength": 16, "uri": "b.bin"}],
        "bufferViews": [
            *(
                {"buffer": 0, "byteOffset": start, "byteLength": len(view)}
                for start, view in zip(starts, views, strict=False)
            ),
            *({"buffer": 1, "byteOffset": 8 * k, "byteLength": 1} for k in range(2)),
        ],
        "tileAvailability": {"bitstream": 3},
        "contentAvailability": [{"bitstream": 3}, {"bitstream": 4}],
        "childSubtreeAvailability": {"constant": 0},
        "propertyTables": [
            {"class": "tile", "count": 3, "properties": packed.values},
            {"class": "tile", "count": 1, "properties": floors.values},
        ],
        "tileMetadata": 0,
        "contentMetadata": [1, 1],
    }
    (tmp_path / "0_0_0.subtree").write_text(json.dumps(subtree))
    for name in ("0_0_0", "1_0_0", "1_1_1"):
        gltf(tmp_path / f"a{name}.glb", None)
        gltf(tmp_path / f"b{name}.glb", None)
    tiling = {"subdivisionScheme": "QUADTREE", "subtreeLevels": 2, "availableLevels": 2}
    top = tile(
        error=9,
        contents=[{"uri": "a{level}_{x}_{y}.glb"}, {"uri": "b{level}_{x}_{y}.glb", "group": 0}],
        implicitTiling={**tiling, "subtrees": {"uri": "{level}_{x}_{y}.subtree"}},
    )
    whole = {
        "schema": {"classes": {"tile": {"properties": kinds}}},
        "groups": [{"properties": {"color": "red"}}],
        "metadata": {"class": "tile", "properties": {"author": "somebody"}},
    }
    path = tileset(tmp_path / "tileset.json", top)
    path.write_text(json.dumps(json.loads(path.read_text()) | whole))
    tiles = open_tileset(path, budget=10**9)
    tiles.read_all([EVERYWHERE])
    said = {str(tiles.tiles.names[row]): tiles.tiles.properties_of(row) for row in range(len(tiles.tiles))}
    of_second = {"floors": 7, "b{level}_{x}_{y}.glb: color": "red"}
    assert said["tile 1/0/0"] == {"district": "south", "floors": 1}
    assert said["tile 1/1/1"].items() >= {"district": "west", **of_second}.items()
    assert tiles.tiles.properties_of_tileset(0) == {"floors": 1, "author": "somebody"}
    packed.values["district"]["values"] = 99  # a table that is broken
    (tmp_path / "0_0_0.subtree").write_text(json.dumps(subtree))
    tiles = open_tileset(path, budget=10**9)
    assert tiles.read_all([EVERYWHERE]) == [] and tiles.tiles.properties_of(1) == {}
