"""A scene written as OBJ: the same triangles, lines and points in the world, and the same bytes when written again."""

from __future__ import annotations

import errno
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from octoscope.scene import Material, MeshData, SaveError, Scene, WriteError, load, write_obj
from octoscope.scene.city import city
from octoscope.scene.mesh.images import encoded
from octoscope.scene.mesh.material import TEXTURE_FIELDS
from tests.limits import largest_file
from tests.oracles import transformed
from tests.scene.builders import box, mesh_of, quad, random_scene, triangulated
from tests.scene.dressed import dressed_scene, shown_triangles, texture


def written(scene: Scene, path: Path) -> tuple[list[str], list[list[str]]]:
    """Return the writer's notes, and the file's statements as words."""
    notes = write_obj(scene, path)
    return notes, [line.split() for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


def statements(scene: Scene, path: Path, *keywords: str) -> list[str]:
    return [" ".join(words) for words in written(scene, path)[1] if words[0] in keywords]


def one(mesh: MeshData, **node: object) -> Scene:
    scene = Scene()
    scene.add_node("one", mesh=scene.meshes.add(mesh), **node)
    return scene


@pytest.mark.parametrize("seed", range(4))
def test_every_triangle_is_where_it_was_and_faces_where_it_did(tmp_path, seed):
    scene = random_scene(seed, zeros=0.0)
    notes, words = written(scene, tmp_path / "a.obj")
    places = np.array([line[1:4] for line in words if line[0] == "v"], dtype=float)
    faces = iter([[int(corner) - 1 for corner in line[1:]] for line in words if line[0] == "f"])
    shown = np.flatnonzero(scene.mesh_ids >= 0).tolist()
    assert [line[1:] for line in words if line[0] == "o"] == [
        scene.names[node].split() for node in ordered(scene, shown)
    ]
    for node in ordered(scene, shown):
        mesh = scene.meshes.mesh(int(scene.mesh_ids[node]))
        world = transformed(scene.world_from_local[node], mesh.positions)
        mirrored = np.linalg.det(scene.world_from_local[node][:3, :3]) < 0.0
        for triangle in mesh.triangles:
            expected = world[triangle[[0, 2, 1]] if mirrored else triangle]
            np.testing.assert_allclose(places[next(faces)], expected, rtol=1e-12, atol=1e-11 * np.abs(world).max())
    assert next(faces, None) is None
    assert any("baked" in note for note in notes) and any("instances" in note for note in notes)


@pytest.mark.parametrize(("copies", "said"), [(1, "1 copy of a shared mesh is"), (2, "2 copies of shared meshes are")])
def test_copies_are_counted_in_whole_sentences(tmp_path, copies, said):
    scene = one(box())
    scene.add_nodes(["more"] * copies, mesh=0)
    scene.update_world()
    notes, _ = written(scene, tmp_path / "a.obj")
    assert notes == [f"{said} written in full: OBJ has no instances"]


def ordered(scene: Scene, nodes: list[int]) -> list[int]:
    """Nodes from the top down, each followed by what hangs below it."""
    paths = {}
    for node in nodes:
        path, above = [], node
        while above >= 0:
            path.append(above)
            above = int(scene.parents[above])
        paths[node] = path[::-1]
    return sorted(nodes, key=paths.__getitem__)


@pytest.mark.parametrize("kind", ["dressed", "random", "city", "one"])
def test_what_is_written_read_and_written_again_is_the_same(tmp_path, kind):
    scene = {
        "dressed": lambda: dressed_scene(1, just_triangles=True),
        "random": lambda: random_scene(2),
        "city": lambda: city(300),
        "one": lambda: one(quad()),
    }[kind]()
    write_obj(scene, tmp_path / "b.obj")
    write_obj(load(tmp_path / "b.obj"), tmp_path / "c.obj")
    first, second = ((tmp_path / f"{name}.obj").read_text(encoding="utf-8") for name in "bc")
    assert first.replace("mtllib b.mtl", "mtllib c.mtl") == second


def test_normals_stand_upright_under_any_matrix(tmp_path):
    rng = np.random.default_rng(3)
    tangents = rng.normal(size=(12, 2, 3))
    normals = np.cross(tangents[:, 0], tangents[:, 1])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    mesh = MeshData(
        rng.normal(size=(12, 3)), np.arange(12).reshape(-1, 3), normals.astype("f4"), np.zeros(12, dtype=int)
    )
    scene = Scene()
    above = scene.add_node("above", scale=(0.5, -2.0, 3.0), rotation=rng.normal(size=4)).id
    scene.add_node("one", parent=above, rotation=rng.normal(size=4), scale=(3.0, 1.0, 0.5), mesh=scene.meshes.add(mesh))
    _, words = written(scene, tmp_path / "a.obj")
    stated = np.array([line[1:] for line in words if line[0] == "vn"], dtype=float)
    pairs = [corner.split("//") for line in words if line[0] == "f" for corner in line[1:]]
    found = np.empty((12, 3))
    found[[int(vertex) - 1 for vertex, _ in pairs]] = stated[[int(normal) - 1 for _, normal in pairs]]
    turned = tangents @ scene.world_from_local[1][:3, :3].T
    turned /= np.linalg.norm(turned, axis=2, keepdims=True)
    assert np.abs((turned * found[:, None]).sum(axis=2)).max() < 1e-4
    assert np.abs(np.linalg.norm(found, axis=1) - 1.0).max() < 1e-6
    # And to the side to which a surface faces that turns the way the triangle does.
    world = scene.world_from_local[1][:3, :3]
    expected = np.linalg.inv(world).T @ normals.T
    assert ((expected.T * found).sum(axis=1) > 0.0).all()


def test_vertices_of_one_source_are_one_statement_in_the_sources_order(tmp_path):
    corners = quad().positions
    rows = np.array([2, 3, 0, 1, 0, 2])
    normals = np.array([(0, 0, 1)] * 4 + [(1, 0, 0)] * 2, dtype="f4")
    uvs = np.array([(0, 0), (0.5, 0), (0, 0), (1, 1), (0, 0), (0.5, 0)], dtype="f4")
    mesh = MeshData(
        corners[rows], np.array([(0, 1, 2), (4, 3, 5)]), normals, np.zeros(6, int), uvs, source_vertices=rows + 10
    )
    found = statements(one(mesh), tmp_path / "a.obj", "v", "vt", "vn", "f")
    assert found == [
        "v -1.0 -1.0 0.0",
        "v 1.0 -1.0 0.0",
        "v 1.0 1.0 0.0",
        "v -1.0 1.0 0.0",
        "vt 0.0 0.0",
        "vt 0.5 0.0",
        "vt 1.0 1.0",
        "vn 0.0 0.0 1.0",
        "vn 1.0 0.0 0.0",
        "f 3/1/1 4/2/1 1/1/1",
        "f 1/1/2 2/3/1 3/2/2",
    ]


def test_one_corner_without_a_normal_makes_a_face_flat(tmp_path):
    normals = np.array([(0, 0, 1)] * 3 + [(0, 0, 0)], dtype="f4")
    mesh = MeshData(quad().positions, quad().triangles, normals, np.zeros(4, int))
    assert statements(one(mesh), tmp_path / "a.obj", "f") == ["f 1//1 2//1 3//1", "f 1 3 4"]


def test_polygons_are_polygons_again_also_mirrored(tmp_path):
    fan = MeshData(quad().positions, quad().triangles, None, np.zeros(4, int), edges=np.array([0b011, 0b110], "u1"))
    assert statements(one(fan), tmp_path / "a.obj", "f") == ["f 1 2 3 4"]
    assert statements(one(fan, scale=(-1.0, 1.0, 1.0)), tmp_path / "a.obj", "f") == ["f 1 4 3 2"]
    arrow = np.array([(0, 0, 0), (2, 1, 0), (0, 2, 0), (1, 1, 0)], dtype=float)
    local = triangulated(arrow)
    edges = np.array([sum((int(t[(k + 1) % 3] - t[k]) % 4 == 1) << k for k in range(3)) for t in local], "u1")
    ears = MeshData(arrow, local, None, np.zeros(4, int), edges=edges)
    assert statements(one(ears), tmp_path / "a.obj", "f") == ["f 1 2 3 4"]


def test_lines_go_on_and_points_and_colours_are_written(tmp_path):
    colors = np.full((4, 4), 255, "u1")
    colors[1, :3] = (0, 128, 51)
    mesh = MeshData(
        quad().positions,
        np.empty((0, 3), int),
        None,
        np.zeros(4, int),
        colors=colors,
        lines=np.array([(0, 1), (1, 2), (3, 0), (0, 2)]),
        points=np.array([3, 1]),
    )
    assert statements(one(mesh), tmp_path / "a.obj", "v", "l", "p") == [
        "v -1.0 -1.0 0.0 1 1 1",
        "v 1.0 -1.0 0.0 0 0.502 0.2",
        "v 1.0 1.0 0.0 1 1 1",
        "v -1.0 1.0 0.0 1 1 1",
        "l 1 2 3",
        "l 4 1 3",
        "p 4",
        "p 2",
    ]


def test_a_line_ends_where_its_material_does(tmp_path):
    scene = Scene()
    scene.add_materials([Material("a"), Material("b")])
    lines = np.array([(0, 1), (1, 2), (2, 3)])
    mesh = MeshData(quad().positions, np.empty((0, 3), int), None, np.array([1, 1, 2, 2]), lines=lines)
    scene.add_node("one", mesh=scene.meshes.add(mesh))
    assert statements(scene, tmp_path / "a.obj", "usemtl", "l") == ["usemtl a", "l 1 2 3", "usemtl b", "l 3 4"]


def test_materials_are_runs_and_equal_names_are_told_apart(tmp_path):
    scene = Scene()
    ids = [
        scene.add_material(material)
        for material in (
            Material("red", (1, 0, 0), 0.5, 0.25, 99.0, emission=(0.1, 0.2, 0.3)),
            Material("red", (0.5, 0, 0), metallic=0.5, roughness=0.125),
            Material("red", (1, 0, 0), 0.5, 0.25, 99.0, emission=(0.1, 0.2, 0.3)),
        )
    ]
    two = MeshData(box().positions, box().triangles[:4], None, np.array([0, 0, 0, 0, 1, 1, 1, 1]))
    mesh = scene.meshes.add(two, first_material=ids[0])
    scene.add_node("a", mesh=mesh)
    scene.add_node("b", mesh=mesh, material=ids[2])
    scene.add_node("c", mesh=scene.meshes.add(quad()))
    used = statements(scene, tmp_path / "a.obj", "o", "usemtl", "mtllib")
    assert used == ["mtllib a.mtl", "o a", "usemtl red", "usemtl red_2", "o b", "usemtl red", "o c", "usemtl default"]
    library = [block.split("\n") for block in (tmp_path / "a.mtl").read_text().split("\n\n")[1:]]
    assert library[1][:6] == ["newmtl red", "Kd 1.0 0.0 0.0", "Ks 0.25 0.25 0.25", "Ke 0.1 0.2 0.3", "Ns 99.0", "d 0.5"]
    assert [line for line in library[2] if line.startswith("P")] == ["Pm 0.5", "Pr 0.125"]
    assert [block[0] for block in library] == ["newmtl default", "newmtl red", "newmtl red_2"]


def test_a_scene_in_the_default_material_has_no_library(tmp_path):
    assert statements(one(quad()), tmp_path / "a.obj", "mtllib", "usemtl") == []
    assert [path.name for path in tmp_path.iterdir()] == ["a.obj"]


def test_a_library_of_somebody_else_is_not_overwritten(tmp_path):
    scene = dressed_scene(1)
    (tmp_path / "a.mtl").write_text("newmtl theirs\n")
    with pytest.raises(WriteError, match=r"a\.mtl: would be overwritten"):
        write_obj(scene, tmp_path / "a.obj")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.mtl"]
    write_obj(scene, tmp_path / "b.obj")
    write_obj(scene, tmp_path / "b.obj")  # its own it may


def test_textures_are_named_where_they_lie_and_else_copied(tmp_path):
    (tmp_path / "in" / "images").mkdir(parents=True)
    (tmp_path / "out").mkdir()
    Image.new("RGB", (2, 2), (9, 8, 7)).save(tmp_path / "in" / "images" / "wood old.png")
    (tmp_path / "in" / "a.mtl").write_text("newmtl m\nmap_Kd images/wood old.png\n")
    (tmp_path / "in" / "a.obj").write_text(
        "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0.5\nusemtl m\nf 1/1 2/1 3/1\n"
    )
    scene = load(tmp_path / "in" / "a.obj")
    write_obj(scene, tmp_path / "in" / "b.obj")
    assert "map_Kd images/wood old.png" in (tmp_path / "in" / "b.mtl").read_text()
    write_obj(scene, tmp_path / "out" / "b.obj")
    copy = tmp_path / "out" / "b_textures" / "wood_old.png"
    assert "map_Kd b_textures/wood_old.png" in (tmp_path / "out" / "b.mtl").read_text()
    assert copy.read_bytes() == (tmp_path / "in" / "images" / "wood old.png").read_bytes()
    again = load(tmp_path / "out" / "b.obj")
    assert again.report.problems == [] and again.materials[-1].base_color_texture.pixels[0, 0].tolist() == [
        9,
        8,
        7,
        255,
    ]


def test_textures_that_are_in_no_file_become_files_of_their_own(tmp_path):
    scene = Scene()
    rng = np.random.default_rng(1)
    images = [texture(rng), texture(rng, alpha=True)]
    for image in images:
        material = scene.add_material(Material("m", base_color_texture=image))
        scene.add_node("quad", mesh=scene.meshes.add(quad(), first_material=material))
    write_obj(scene, tmp_path / "a b.obj")
    for number, name in enumerate(("nowhere.png", "nowhere_2.png")):
        found = np.asarray(Image.open(tmp_path / "a_b_textures" / name).convert("RGBA"))
        np.testing.assert_array_equal(found, images[number].pixels)


@pytest.mark.parametrize("fields", list(combinations(TEXTURE_FIELDS, 2)))
def test_two_maps_of_a_material_may_be_one_image(tmp_path, fields):
    scene = Scene()
    shared = texture(np.random.default_rng(2))
    dressed = Material("m", roughness=0.5, emission=(1.0, 1.0, 1.0), **dict.fromkeys(fields, shared))
    scene.add_node("quad", mesh=scene.meshes.add(quad(), first_material=scene.add_material(dressed)))
    write_obj(scene, tmp_path / "a.obj")
    again = load(tmp_path / "a.obj")
    assert again.report.problems == []
    for field in {*fields} - {"occlusion_texture", "clearcoat_texture"}:
        # Of a surface texture red, which is for occlusion, is not written.
        np.testing.assert_array_equal(
            getattr(again.materials[-1], field).pixels[..., 1:3], shared.pixels[..., 1:3], err_msg=field
        )


def test_what_cannot_be_written_leaves_no_image_and_no_folder(tmp_path, monkeypatch):
    (tmp_path / "kept_textures").mkdir()
    scene = Scene()
    rng = np.random.default_rng(3)
    for _ in range(3):
        material = scene.add_material(Material("m", base_color_texture=texture(rng)))
        scene.add_node("quad", mesh=scene.meshes.add(quad(), first_material=material))
    images = iter([encoded, encoded])

    def fail(*arguments):
        write = next(images, None)
        if write is None:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(*arguments)

    monkeypatch.setattr("octoscope.scene.formats.mtl.writer.encoded", fail)
    with pytest.raises(SaveError, match="No space left"):
        write_obj(scene, tmp_path / "a.obj")
    images = iter([encoded, encoded])
    with pytest.raises(SaveError, match="No space left"):
        write_obj(scene, tmp_path / "kept.obj")
    assert [path.name for path in tmp_path.rglob("*")] == ["kept_textures"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("plain", "plain"),
        ("zwei  Wörter #1", "zwei  Wörter #1"),
        ("a\nb\r\nc", "a_b__c"),
        (" a ", "_a_"),
        ("", "unnamed"),
        ("a\\", "a_"),
        ("a\\b", "a\\b"),
        ("\t", "_"),
        ("\u00a0x", "_x"),
        ("a\u2028b\x85", "a_b_"),
        ("%d %s", "%d %s"),
    ],
)
def test_names_that_an_obj_cannot_hold_are_changed_and_counted(tmp_path, name, expected):
    scene = one(quad())
    scene.set_names(0, name)
    notes = write_obj(scene, tmp_path / "a.obj")
    assert f"o {expected}\n" in (tmp_path / "a.obj").read_text(encoding="utf-8")
    assert any("1 names" in note for note in notes) == (name != expected)
    assert load(tmp_path / "a.obj").names[1] == expected


def test_groups_of_an_object_of_an_obj_file_are_groups_again(tmp_path):
    scene = Scene()
    scene.add_source(tmp_path / "in.obj")
    scene.add_node("in.obj")
    house = scene.add_node("house", parent=0, mesh=scene.meshes.add(quad())).id
    for name in ("wall", "roof"):
        scene.add_node(name, parent=house, mesh=scene.meshes.add(box()))
    scene.add_node("shed", parent=0, mesh=scene.meshes.add(box()))
    scene.add_node("group", parent=scene.add_node("empty", parent=0).id)
    assert statements(scene, tmp_path / "a.obj", "o", "g") == ["o house", "o wall", "o roof", "o shed"]
    scene.meshes.rows["source"][:] = 0
    notes, words = written(scene, tmp_path / "a.obj")
    assert [line for line in words if line[0] in "og"] == [["o", "house"], ["g", "wall"], ["g", "roof"], ["o", "shed"]]
    assert notes[-1].startswith("2 names")


def test_copies_within_an_object_are_objects_of_their_own_again(tmp_path):
    scene = Scene()
    scene.add_source(tmp_path / "in.obj")
    scene.add_node("in.obj")
    for name, parts in (("house", ("door", "door", "door_2", "door", "door", "door")), ("shed", ("door",))):
        object_id = scene.add_node(name, parent=0).id
        for part in parts:
            scene.add_node(part, parent=object_id, mesh=scene.meshes.add(box()))
    scene.meshes.rows["source"][:] = 0
    notes, words = written(scene, tmp_path / "a.obj")
    expected = ["door", "door_2", "door_2_2", "door", "door_2", "door_3", "door"]
    assert [line[1] for line in words if line[0] == "g"] == expected
    assert notes == ["4 names get a number: a repeated name continues the earlier group in an OBJ"]
    again = load(tmp_path / "a.obj")
    assert [name for name in again.names.tolist() if "door" in name] == expected
    assert write_obj(again, tmp_path / "b.obj") == []
    assert (tmp_path / "b.obj").read_bytes() == (tmp_path / "a.obj").read_bytes()


def test_what_cannot_be_written_is_told(tmp_path):
    with pytest.raises(WriteError, match="no objects"):
        write_obj(Scene(), tmp_path / "a.obj")
    scene = Scene()
    scene.add_node("group")
    with pytest.raises(WriteError, match="no object has a mesh"):
        write_obj(scene, tmp_path / "a.obj")
    scene.add_node(
        "huge", scale=(1e308, 1.0, 1.0), mesh=scene.meshes.add(mesh_of(quad().positions * 1e10, quad().triangles))
    )
    with np.errstate(over="ignore"), pytest.raises(WriteError, match="no object"):
        write_obj(scene, tmp_path / "a.obj")
    scene.add_node("fine", mesh=scene.meshes.add(quad()))
    with np.errstate(over="ignore"):
        assert write_obj(scene, tmp_path / "a.obj")[0] == "1 objects left out: their positions are not finite"


def test_a_full_disk_leaves_the_old_obj_with_its_old_library(tmp_path):
    scene = dressed_scene(1)
    (tmp_path / "elsewhere").mkdir()
    write_obj(scene, tmp_path / "elsewhere" / "a.obj")
    write_obj(one(quad()), tmp_path / "a.obj")
    before = (tmp_path / "a.obj").read_bytes()
    with largest_file(5000), pytest.raises(SaveError):
        write_obj(scene, tmp_path / "a.obj")
    assert {path.name for path in tmp_path.iterdir()} == {"a.obj", "elsewhere"} and (
        tmp_path / "a.obj"
    ).read_bytes() == before


def test_numbers_read_back_equal(tmp_path):
    rng = np.random.default_rng(6)
    positions = rng.normal(size=(300, 3)) * 10.0 ** rng.integers(-20, 20, (300, 1))
    mesh = MeshData(
        positions, np.arange(300).reshape(-1, 3), None, np.zeros(300, int), rng.normal(size=(300, 2)).astype("f4")
    )
    scene = one(mesh)
    _, words = written(scene, tmp_path / "a.obj")
    np.testing.assert_array_equal(np.array([line[1:] for line in words if line[0] == "v"], dtype=float), positions)
    found = np.array([line[1:] for line in words if line[0] == "vt"], dtype=float).astype("f4")
    np.testing.assert_array_equal(found, mesh.uvs)


def test_large_scenes_are_written_in_parts_that_fit_together(tmp_path, monkeypatch):
    scene = dressed_scene(3)
    write_obj(scene, tmp_path / "a.obj")
    monkeypatch.setattr("octoscope.scene.formats.obj.writer._ELEMENTS_AT_ONCE", 50)
    write_obj(scene, tmp_path / "b.obj")
    assert (tmp_path / "a.obj").read_text() == (tmp_path / "b.obj").read_text().replace("b.mtl", "a.mtl")


def test_a_scene_read_from_it_shows_the_same(tmp_path):
    scene = dressed_scene(4)
    write_obj(scene, tmp_path / "a.obj")
    read = load(tmp_path / "a.obj")

    def all_shown(scene):
        nodes = np.flatnonzero(scene.mesh_ids >= 0).tolist()
        rows = np.concatenate([shown_triangles(scene, node) for node in nodes])
        centers = rows[:, 4:].reshape(-1, 3, 3).mean(axis=1)
        return np.concatenate([rows[:, :4], centers], axis=1)[np.lexsort(np.round(centers, 3).T)]

    np.testing.assert_allclose(all_shown(read), all_shown(scene), rtol=1e-9, atol=1e-6)
