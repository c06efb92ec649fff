"""Tiles that come into a scene and go: the same objects as in the file, holes nowhere, memory given back."""

from __future__ import annotations

import gc
import json
import weakref
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from octoscope.scene import History, Material, ReadError, Scene, editing, load
from octoscope.scene.formats.readers import read_file
from octoscope.scene.formats.tiles import description
from octoscope.scene.formats.tiles.tile_table import TileTable, read_tile_table
from octoscope.scene.formats.tiles.tileset import read_tileset_json
from octoscope.scene.loading.save import ALL_WRITERS, save
from octoscope.scene.mesh.texture import Texture
from octoscope.scene.public_names import SCENE_GUESSES
from octoscope.scene.spatial.lod_view import LodView
from octoscope.scene.streaming.opening import open_tileset
from octoscope.scene.streaming.streamed_tiles import StreamedTiles
from octoscope.scene.streaming.tile_content import read_tile
from octoscope.scene.system.atomic_file import SaveError, WriteError
from tests.cases import quick
from tests.scene.streaming.villages import placed, whole_table, write_village

EVERYWHERE = np.empty((0, 4))
SHEAR = [1, 0, 0, 0, 1, 1, *[0] * 4, 1, *[0] * 4, 1]


@pytest.fixture(scope="module")
def village(tmp_path_factory) -> Path:
    return write_village(tmp_path_factory.mktemp("village"))


def from_afar(distance: float = 60.0, pixels: float = 1.0) -> LodView:
    return LodView(np.array((0.0, 0.0, distance)), EVERYWHERE, pixels)


NEAR = LodView(np.array((0.0, 1.0, 0.0)), EVERYWHERE, 1e9)


def streamed(path: Path, budget_bytes: float = 1e9, **options) -> tuple[Scene, StreamedTiles]:
    scene = Scene()
    return scene, StreamedTiles(scene, read_tile_table(path), path, budget_bytes=budget_bytes, **options)


def triangles_of(scene: Scene) -> np.ndarray:
    """The corners of all triangles that a scene shows, in the world, sorted."""
    found = []
    for node in scene.ids[scene.mesh_ids[scene.ids] >= 0].tolist():
        mesh = scene.meshes.mesh(int(scene.mesh_ids[node]))
        matrix = scene.world_from_local[node]
        found.append((mesh.positions @ matrix[:3, :3].T + matrix[:3, 3])[mesh.triangles].reshape(-1, 9))
    corners = np.round(np.concatenate(found), 4) + 0.0
    return corners[np.lexsort(corners.T)]


def test_from_near_it_shows_the_triangles_of_the_file(village):
    scene, tiles = streamed(village / "tiles" / "tileset.json")
    assert tiles.tiles.child_counts.max() > 1 and len(tiles.tiles) > 8
    tiles.read_all([NEAR])
    whole = load(village / "village.glb")
    np.testing.assert_allclose(triangles_of(scene), triangles_of(whole), atol=2e-4)
    names = set(scene.names[scene.ids[scene.mesh_ids[scene.ids] >= 0]].tolist())
    assert names == {f"ball {number}" for number in range(60)}


def test_from_afar_it_shows_the_topmost_tile_alone(village):
    scene, tiles = streamed(village / "tiles" / "tileset.json")
    tiles.read_all([from_afar(1e6)])
    assert scene.names[scene.ids[scene.mesh_ids[scene.ids] < 0]].tolist() == ["tile 0/0/0/0"]
    assert 0 < scene.element_count("triangle") < load(village / "village.glb").element_count("triangle")


def test_going_near_and_away_again_uses_the_same_rows(village):
    scene, tiles = streamed(village / "tiles" / "tileset.json")
    tiles.read_all([from_afar(1e6)])
    afar = triangles_of(scene)
    tiles.read_all([NEAR])
    near, rows = triangles_of(scene), scene.row_count
    for _ in range(3):
        tiles.read_all([from_afar(1e6)])
        assert np.array_equal(triangles_of(scene), afar)
        assert len(scene.index.shown_ids()) == np.count_nonzero(scene.mesh_ids >= 0)
        tiles.read_all([NEAR])
        assert np.array_equal(triangles_of(scene), near)
        assert len(scene.index.shown_ids()) == np.count_nonzero(scene.mesh_ids >= 0)
    assert scene.row_count <= 2 * rows


def test_rays_hit_what_is_shown_and_nothing_else(village):
    scene, tiles = streamed(village / "tiles" / "tileset.json")
    tiles.read_all([NEAR])
    whole = load(village / "village.glb")
    for place in np.linspace(-18.0, 18.0, 13):
        ray = (place, 30.0, 0.5 * place), (0.0, -1.0, 0.0)
        mine, theirs = scene.raycast(*ray), whole.raycast(*ray)
        assert (mine is None) == (theirs is None)
        if mine is not None and theirs is not None:
            assert mine.node.name == theirs.node.name
            assert mine.t == pytest.approx(theirs.t, abs=1e-4)


def test_room_is_made_of_what_was_not_seen_for_longest(village):
    path = village / "tiles" / "tileset.json"
    _, everything = streamed(path)
    everything.read_all([NEAR])
    budget = 1.3 * everything.resident_bytes
    scene, tiles = streamed(path, budget)
    pools = [weakref.ref(scene.meshes)]
    most = 0.0
    for place in (*np.linspace(-20.0, 20.0, 9), *np.linspace(20.0, -20.0, 9)):
        aside = np.array([[1.0, 0, 0, 2.0], [-1.0, 0, 0, 2.0]])  # it sees four units of the square
        tiles.read_all([LodView(np.array((place, 0.0, 0.0)), aside, 1e9)])
        most = max(most, tiles.loaded_bytes)
        if pools[-1]() is not scene.meshes:
            pools.append(weakref.ref(scene.meshes))
    assert len(pools) > 1
    assert most <= budget
    gc.collect()
    assert [pool() for pool in pools[:-1]] == [None] * (len(pools) - 1)


def test_images_take_their_part_of_the_budget_once_however_many_contents_show_them(village):
    _, plain = streamed(village / "tiles" / "tileset.json", budget_bytes=40e6)
    _, tiles = streamed(village / "tiles" / "tileset.json", budget_bytes=40e6)
    image = Texture(Path("image.png"), np.zeros((1024, 1024, 4), dtype=np.uint8), is_file=False)
    contents = [number for number, (file,) in enumerate(tiles.tiles.files) if file.is_file()]
    for content in contents[1:3]:  # the first is the tileset
        read = tiles.read(content)
        textured = [replace(material, base_color_texture=image) for material in read.materials]
        tiles.add(content, replace(read, materials=textured))
    # Tiles may fill 65 % of 40 MB without the image, which takes 4.2 MB in main memory and 5.6 MB on the card.
    for loaded_bytes, has_room in ((25e6, (True, False)), (16e6, (True, True)), (27e6, (False, False))):
        plain.loaded_bytes = tiles.loaded_bytes = loaded_bytes
        assert (plain.has_room(), tiles.has_room()) == has_room


def test_materials_and_images_go_with_the_last_tile_that_shows_them(village):
    scene, tiles = streamed(village / "tiles" / "tileset.json")
    tiles.read_all([from_afar(1e6)])
    tiles.evict()
    (first,) = np.flatnonzero(tiles._contents["is_resident"]).tolist()
    before, image_bytes = scene.materials, tiles._materials.image_bytes
    images = [Texture(Path(f"{n}.png"), np.zeros((8, 8, 4), np.uint8), is_file=False) for n in range(40)]
    contents = [n for n, (file,) in enumerate(tiles.tiles.files) if file.is_file() and n not in (0, first)][:40]
    assert len(contents) > 10
    tiles.selection = replace(tiles.select([]), wanted=np.array([first, *contents[:2]]))
    for number, content in enumerate(contents):
        read = tiles.read(content)
        textured = [replace(each, name=f"{number}", base_color_texture=images[number]) for each in read.materials]
        textured += [replace(each, name="shared", emission_texture=images[0]) for each in read.materials]
        tiles.add(content, replace(read, materials=textured))
    tiles._contents["known_bytes"][contents[2:]] = 1e12  # there is no room for them
    gone = [weakref.ref(image) for image in images[2:]]
    del images[2:], textured, read
    tiles.evict()
    gc.collect()
    assert not any(image() for image in gone)
    assert {each.name for each in scene.materials} == {each.name for each in before} | {"0", "1"}
    for content, image in zip(contents, images, strict=False):
        mesh = scene.meshes.mesh(int(tiles._contents["first_mesh"][content]))
        assert {scene.materials[n].base_color_texture for n in np.unique(mesh.material_ids)} == {image}
    tiles._contents["known_bytes"][contents[:2]] = 1e12
    tiles.select([])
    tiles.evict()
    assert (scene.materials, tiles._materials.image_bytes) == (before, image_bytes)
    tiles.read_all([NEAR])
    assert scene.materials == before


def test_room_can_be_made_while_everything_is_shown(village):
    scene, tiles = streamed(village / "tiles" / "tileset.json")
    tiles.read_all([NEAR])
    before = triangles_of(scene)
    tiles.evict()
    assert np.array_equal(triangles_of(scene), before)
    assert tiles.loaded_bytes == tiles.resident_bytes > 0.0
    scene.index.update()
    tiles.read_all([from_afar(1e6)])
    tiles.evict()
    assert scene.element_count("triangle") < len(before)


def test_objects_are_one_mesh_from_afar_and_are_known_again_from_near(village):
    scene, tiles = streamed(village / "tiles" / "tileset.json")
    tiles.read_all([NEAR])
    chosen = np.flatnonzero(scene.mesh_ids >= 0)[:3]
    objects, names = tiles.objects_of(chosen), set(scene.names[chosen].tolist())
    tiles.read_all([from_afar(1e6)])
    (whole,) = np.flatnonzero(scene.mesh_ids >= 0)
    assert "objects" in scene.names[whole] and len(tiles.objects_of([whole])) == len(tiles.nodes_of(objects)) == 0
    tiles.read_all([NEAR])
    again = tiles.nodes_of(objects)
    assert scene.alive[again].all() and set(scene.names[again].tolist()) == names


@pytest.mark.parametrize("content", [None, b"", b"glTF and no more"])
def test_a_tile_that_cannot_be_read_leaves_the_one_above_it(village, content):
    scene, tiles = streamed(village / "tiles" / "tileset.json")
    (file,) = tiles.tiles.files[int(tiles.tiles.contents[np.flatnonzero(tiles.tiles.parents == 0)[0]])]
    sound = file.read_bytes()
    try:
        file.unlink() if content is None else file.write_bytes(content)
        problems = tiles.read_all([NEAR])
    finally:
        file.write_bytes(sound)
    assert len(problems) == 1 and file.name in problems[0]
    assert scene.names[scene.ids[scene.mesh_ids[scene.ids] < 0]].tolist() == ["tile 0/0/0/0"]


def test_opening_shows_the_coarsest_tiles(village):
    path = placed(village, [(0, 0, 0), (100, 0, 0)])
    scene = open_tileset(path, budget=1e9).scene
    tops = scene.names[scene.ids[scene.mesh_ids[scene.ids] < 0]].tolist()
    assert tops == ["tile 0/0/0/0"] * 2 and scene.element_count("triangle") > 0


def test_a_budget_beyond_all_memory_is_as_good_as_all_memory(village):
    _, tiles = streamed(village / "tiles" / "tileset.json", budget_bytes=1e30)
    assert not tiles.read_all([from_afar(1.0)])


def assert_boxes_hold(table: TileTable) -> None:
    """Every triangle of a tile lies in its box, and every box in that of the tile above."""
    for tile in range(len(table)):
        content = int(table.contents[tile])
        if content >= 0:
            matrix = table.world_from_content[table.placements[tile]]
            points = read_tile(table.files[content], table.folder).meshes.positions @ matrix[:3, :3].T + matrix[:3, 3]
            assert (np.abs(points - table.centers[tile]) <= table.halves[tile] * (1 + 1e-5)).all()
        above = int(table.parents[tile])
        if above >= 0:
            room = table.halves[above] * (1 + 1e-5) - table.halves[tile]
            assert (np.abs(table.centers[tile] - table.centers[above]) <= room).all()
            assert table.first_children[above] <= tile < table.first_children[above] + table.child_counts[above]


@pytest.mark.parametrize("up_axis", quick(["y", "z"], 1))
def test_boxes_are_in_the_world(village, up_axis):
    path = placed(village, [(0, 0, 0), (100, 0, 5)], scale=2.0)
    assert_boxes_hold(read_tile_table(village / "tiles" / "tileset.json", up_axis=up_axis))
    assert_boxes_hold(whole_table(path, up_axis=up_axis))


def test_a_box_and_an_error_are_stated_before_the_transform(village):
    """3D Tiles transforms a tile's box and error as it does what is in it, and so do other viewers."""
    path = placed(village, [(0, 0, 0), (100, 0, 5)], scale=2.0)
    inner = read_tile_table(village / "tiles" / "tileset.json", up_axis="z")
    for child in json.loads(path.read_text())["root"]["children"]:
        box = np.array(child["boundingVolume"]["box"])
        np.testing.assert_allclose(box[:3], inner.centers[0], atol=1e-9)
        np.testing.assert_allclose(box[3:].reshape(3, 3), np.diag(inner.halves[0]), atol=1e-9)
        assert child["geometricError"] == pytest.approx(100.0)  # twice that in the world


def test_the_schema_of_subtrees_stands_in_the_outermost_tileset(village):
    """CesiumJS looks for it nowhere else, and shows nothing without."""
    inner, outer = (
        json.loads(path.read_text()) for path in (village / "tiles" / "tileset.json", placed(village, [(0, 0, 0)]))
    )
    assert outer["schema"] == inner["schema"] != {}


def test_placed_tilesets_open_whole_as_well(village):
    whole = load(village / "village.glb")
    scene = load(placed(village, [(0, 0, 0), (100, 0, 0)]))
    shown = scene.ids[scene.mesh_ids[scene.ids] >= 0]
    assert set(scene.names[shown].tolist()) == {f"ball {number}" for number in range(60)}
    assert scene.element_count("triangle") == 2 * whole.element_count("triangle")
    np.testing.assert_allclose(scene.bounds()[1] - whole.bounds()[1], (100, 0, 0), atol=1e-3)


def test_each_tileset_is_parsed_once_however_often_it_is_placed(village, monkeypatch):
    inner = placed(village, [(0, 0, 0), (100, 0, 0)])
    document = json.loads(inner.read_text())
    for child in document["root"]["children"]:
        child["content"]["uri"] = inner.name
    outer = village / "outer.json"
    outer.write_text(json.dumps(document))
    parsed = []

    def counted(path: Path) -> Any:
        parsed.append(path.name)
        return read_tileset_json(path)

    monkeypatch.setattr(description, "read_tileset_json", counted)
    table = whole_table(outer)
    assert sorted(parsed) == sorted([outer.name, inner.name, "tileset.json"])
    assert len(table) == 1 + 2 * len(whole_table(inner))


def test_a_placed_tileset_is_read_when_it_is_seen_and_not_before(village):
    """A missing one is told in a line; the other is shown."""
    path = placed(village, [(0, 0, 0), (1000, 0, 0)])
    document = json.loads(path.read_text())
    document["root"]["children"][1]["content"]["uri"] = "nothing.json"
    path.write_text(json.dumps(document))
    scene, tiles = streamed(path)
    assert len(tiles.tiles) == 3  # none is read yet
    left = LodView(np.zeros(3), np.array([[-1.0, 0.0, 0.0, 500.0]]), 1e9)  # all before x = 500
    lines = tiles.read_all([left])
    assert len(lines) == 1 and "nothing.json: no such file" in lines[0] and "\n" not in lines[0]
    assert len(tiles.tiles) == 2 + len(read_tile_table(village / "tiles" / "tileset.json"))
    assert scene.element_count("triangle") == load(village / "village.glb").element_count("triangle")


def test_a_tileset_that_is_placed_often_is_read_once(village):
    path = placed(village, [(0, 0, 0), (100, 0, 0), (0, 100, 0)])
    once = read_tile_table(village / "tiles" / "tileset.json")
    scene, tiles = streamed(path)
    tiles.read_all([LodView(np.zeros(3), EVERYWHERE, 1e9)])
    assert len(tiles.tiles) == 3 * len(once) + 1 and tiles.tiles.files[2:] == once.files[1:]
    whole = load(village / "village.glb")
    assert scene.element_count("triangle") == 3 * whole.element_count("triangle")
    assert len(scene.meshes.triangles) <= 3 * len(whole.meshes.triangles) * len(whole)
    lower, upper = scene.bounds()
    own_lower, own_upper = whole.bounds()
    np.testing.assert_allclose(upper - own_upper, (100, 0, 0), atol=1e-3)  # Z of tiles is Y, and their Y is -Z
    np.testing.assert_allclose(lower - own_lower, (0, 0, -100), atol=1e-3)
    same = tiles.objects_of(np.flatnonzero(scene.names == "ball 7"))
    assert len(same) == 3


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda root: root["children"][0].update(transform=[1, 2]), "a transform of not 16 numbers"),
        (lambda root: root["children"][0].update(transform=[float("nan")] * 16), "a transform of not 16 numbers"),
        (lambda root: root["children"][0].update(transform=SHEAR), "a transform that shears"),
        (lambda root: root.update(geometricError=1e300), "a geometric error that is no number"),
        (lambda root: root["children"][0]["content"].update(uri="../../x.json"), "outside its folder"),
        (lambda root: root["children"][0]["content"].update(uri=3), "a content without a URI"),
    ],
)
def test_a_damaged_tile_is_told_in_one_line_and_the_rest_is_shown(village, damage, said):
    path = placed(village, [(0, 0, 0), (100, 0, 0)])
    document = json.loads(path.read_text())
    damage(document["root"])
    path.write_text(json.dumps(document))
    scene, tiles = streamed(path)
    tiles.read_all([LodView(np.zeros(3), EVERYWHERE, 1e9)])
    (warning,) = scene.report.warnings
    assert said in warning and "\n" not in warning
    assert scene.element_count("triangle") >= load(village / "village.glb").element_count("triangle")


def test_a_tileset_of_tilesets_without_a_volume_is_told_in_one_line(village):
    path = placed(village, [(0, 0, 0), (100, 0, 0)])
    document = json.loads(path.read_text())
    del document["root"]["boundingVolume"]
    path.write_text(json.dumps(document))
    with pytest.raises(ReadError, match="bounding volume") as caught:
        read_tile_table(path)
    assert "\n" not in str(caught.value)


_EDITS: dict[str, Any] = {
    "color": lambda scene, node: setattr(node, "color", "red"),
    "name": lambda scene, node: setattr(node, "name", "other"),
    "translation": lambda scene, node: setattr(node, "translation", (1.0, 2.0, 3.0)),
    "add_mesh": lambda scene, node: scene.add_mesh("one", [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]),
    "add_node": lambda scene, node: scene.add_node("one"),
    "add_nodes": lambda scene, node: scene.add_nodes(["one"]),
    "add_instances": lambda scene, node: scene.add_instances("one", node, [(0.0, 0.0, 0.0)]),
    "add_material": lambda scene, node: scene.add_material(Material("one")),
    "add_materials": lambda scene, node: scene.add_materials([Material("one")]),
    "add_source": lambda scene, node: scene.add_source("a.obj"),
    "add_content": lambda scene, node: scene.add_content(read_file(_OBJ), _OBJ),
    "add_meshes": lambda scene, node: scene.add_meshes(read_file(_OBJ), -1),
    "become": lambda scene, node: scene.become(Scene()),
    "take": lambda scene, node: scene.take(scene.copy()),
    "delete": lambda scene, node: scene.delete(node),
    "replace_materials": lambda scene, node: scene.replace_materials({0: Material("one")}),
    "replace_meshes": lambda scene, node: scene.replace_meshes(scene.meshes, np.empty(0, int)),
    "renumber_meshes": lambda scene, node: scene.renumber_meshes(scene.meshes, np.arange(9), scene.materials),
    "reuse_nodes": lambda scene, node: scene.reuse_nodes(
        *([node.id], ["one"]), parent=-1, mesh=-1, translation=np.zeros(3), rotation=np.eye(4)[3], scale=np.ones(3)
    ),
    "set_alive": lambda scene, node: scene.set_alive(node, True),
    "set_colors": lambda scene, node: scene.set_colors(node, "red"),
    "set_hidden": lambda scene, node: scene.set_hidden(node, True),
    "set_materials": lambda scene, node: scene.set_materials(node, 0),
    "set_meshes": lambda scene, node: scene.set_meshes(node, -1),
    "set_meshes_of_deleted": lambda scene, node: scene.set_meshes_of_deleted(node, -1),
    "set_names": lambda scene, node: scene.set_names(node, "one"),
    "set_orders": lambda scene, node: scene.set_orders(node, 1),
    "set_parents_of_deleted": lambda scene, node: scene.set_parents_of_deleted(node, -1),
    "set_parents": lambda scene, node: scene.set_parents(node, None),
    "set_rotations": lambda scene, node: scene.set_rotations(node, (0, 0, 0, 1)),
    "set_scalars": lambda scene, node: scene.set_scalars(node, np.arange(len(node.mesh.vertices))),
    "set_vertices": lambda scene, node: scene.set_vertices(node, node.mesh.vertices + 1),
    "set_scales": lambda scene, node: scene.set_scales(node, (1, 1, 1)),
    "set_translations": lambda scene, node: scene.set_translations(node, (1, 1, 1)),
    "set_world_from_local": lambda scene, node: scene.set_world_from_local(node, np.eye(4)),
    "set_unselectable": lambda scene, node: scene.set_unselectable(node, True),
    "set_instances": lambda scene, node: scene.set_instances(node, 1),
    "set_file_meshes": lambda scene, node: scene.set_file_meshes(node, -1),
    "set_file_roots": lambda scene, node: scene.set_file_roots(node, True),
    "history": lambda scene, node: History(scene).do(editing.delete(scene, [node.id])),
}
_OBJ = Path("assets/harbour.obj")


@pytest.fixture(scope="module")
def kept(village) -> StreamedTiles:
    _, tiles = streamed(village / "tiles" / "tileset.json")
    tiles.read_all([from_afar()])
    return tiles


@pytest.mark.parametrize("ending", ALL_WRITERS)
def test_a_scene_that_is_streamed_is_not_saved_in_part(kept, tmp_path, ending):
    with pytest.raises((WriteError, SaveError), match="cannot be changed or saved"):
        save(kept.scene, tmp_path / f"part{ending}")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", _EDITS)
def test_a_scene_that_is_streamed_refuses_every_edit_and_stays_as_it_was(kept, name):
    scene = kept.scene
    before = repr(scene), scene.version, scene.meshes.version
    with pytest.raises(RuntimeError, match="read only: a tileset that is streamed cannot be changed or saved"):
        _EDITS[name](scene, scene.objects[0])
    assert (repr(scene), scene.version) == before[:2]
    kept.read_all([NEAR])
    kept.read_all([from_afar()])


def test_all_that_changes_a_scene_is_among_those_edits():
    names = {name for each in Scene.__mro__ for name in vars(each)}
    changing = {name for name in names if name.startswith(("add_", "set_", "replace_", "renumber_", "reuse_"))}
    assert (changing - SCENE_GUESSES.keys()) | {"delete", "become", "take"} <= set(_EDITS)
