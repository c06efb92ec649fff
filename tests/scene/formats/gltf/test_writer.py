"""A scene written to a GLB and read again is the same scene; trimesh, which knows nothing of us, sees it too."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from PIL import Image

from octoscope.scene import Material, MeshData, Scene, WriteError, load, read_gltf, write_glb
from octoscope.scene.city import city
from octoscope.scene.mesh.images import read_texture
from tests.scene.builders import ball, box, mesh_of, quad, random_scene
from tests.scene.dressed import assert_same_tree, dressed_scene, scene_of, shown_triangles, texture
from tests.scene.formats.gltf.files import accessor_of, document_of


@pytest.fixture
def there_and_back(tmp_path):
    def write_and_read(scene: Scene) -> Scene:
        scene.update_world()
        write_glb(scene, tmp_path / "scene.glb")
        content = read_gltf(tmp_path / "scene.glb")
        assert content.problems == []
        return scene_of(content)

    return write_and_read


@pytest.mark.parametrize("seed", range(6))
def test_tree_names_transforms_and_what_is_shown_come_back(seed, there_and_back):
    scene = dressed_scene(seed)
    read = there_and_back(scene)
    ids = assert_same_tree(scene, read)
    for place, node in enumerate(ids.tolist(), start=1):
        assert (scene.mesh_ids[node] < 0) == (read.mesh_ids[place] < 0)
        if scene.mesh_ids[node] >= 0:
            expected, found = shown_triangles(scene, node), shown_triangles(read, place)
            assert len(expected) == len(found)
            size = np.abs(scene.world_from_local[node][:3, :3]).sum() * 10.0
            np.testing.assert_allclose(found[:, :4], expected[:, :4], atol=1e-6)
            np.testing.assert_allclose(found[:, 4:], expected[:, 4:], rtol=1e-6, atol=1e-5 * size)


def test_a_mesh_of_many_nodes_stays_one_mesh_in_whatever_material(there_and_back):
    scene = city(3000)
    read = there_and_back(scene)
    ids = assert_same_tree(scene, read, world_error=1e-12)
    pairs = {(int(a), int(b)) for a, b in zip(scene.mesh_ids[ids], read.mesh_ids[1:], strict=True)}
    assert len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})
    assert read.element_count("triangle") == scene.element_count("triangle")


def test_local_transforms_come_back_as_they_were_written(there_and_back):
    scene = random_scene(3, zeros=0.1)
    read = there_and_back(scene)
    ids = assert_same_tree(scene, read)
    for column in ("translations", "rotations", "scales"):
        np.testing.assert_allclose(getattr(read, column)[1:], getattr(scene, column)[ids], rtol=1e-14)


def test_vertices_keep_their_order_and_attributes(there_and_back):
    scene = Scene()
    for number in range(2):
        scene.add_material(Material(f"m{number}"))
    mesh = ball()
    rng = np.random.default_rng(1)
    normals = (mesh.positions / np.linalg.norm(mesh.positions, axis=1, keepdims=True)).astype(np.float32)
    uvs = rng.uniform(-1.0, 2.0, (len(normals), 2)).astype(np.float32)
    colors = rng.integers(0, 256, (len(normals), 4), dtype=np.uint8)
    scene.add_node(
        "a", mesh=scene.meshes.add(MeshData(mesh.positions, mesh.triangles, normals, mesh.material_ids, uvs, colors))
    )
    found = there_and_back(scene).meshes.mesh(0)
    np.testing.assert_array_equal(found.positions, mesh.positions.astype(np.float32))
    np.testing.assert_array_equal(found.triangles, mesh.triangles)
    np.testing.assert_array_equal(found.normals, normals)
    np.testing.assert_allclose(found.uvs, uvs, atol=2e-7)
    np.testing.assert_array_equal(found.colors, colors)
    np.testing.assert_array_equal(found.source_vertices, np.arange(len(normals)))


def test_lines_points_and_flat_triangles_among_smooth_ones_come_back(there_and_back):
    scene = dressed_scene(0)
    mesh = scene.meshes.mesh(3)
    scene = Scene()
    scene.add_materials([Material(str(number)) for number in range(3)])
    scene.add_node("a", mesh=scene.meshes.add(mesh))
    found = there_and_back(scene).meshes.mesh(0)
    for elements in ("lines", "points"):
        expected = mesh.positions[getattr(mesh, elements)].astype(np.float32)
        shown = found.positions[getattr(found, elements)]
        assert sorted(map(str, shown.tolist())) == sorted(map(str, expected.astype(float).tolist()))

    def flat(mesh):
        return sorted(
            mesh.positions[mesh.triangles[~mesh.normals[mesh.triangles].any(axis=2).all(axis=1)]].astype("f4").tolist()
        )

    assert len(flat(found)) == 1 and flat(found) == flat(mesh)


def test_meshes_far_from_their_origin_lose_nothing_that_can_be_seen(there_and_back, tmp_path):
    rng = np.random.default_rng(4)
    scene = Scene()
    parent = scene.add_node("above", translation=(1e6, 0.0, 0.0), scale=(2.0, -3.0, 0.5)).id
    for number in range(20):
        offset = rng.normal(size=3) * 10.0 ** rng.uniform(0.0, 9.0)
        points = ball(4, 5).positions * 10.0 ** rng.uniform(-2.0, 2.0) + offset
        parent = scene.add_node(
            f"ball {number}",
            parent=parent if number % 3 else -1,
            rotation=rng.normal(size=4),
            mesh=scene.meshes.add(mesh_of(points, ball(4, 5).triangles)),
        ).id
    read = there_and_back(scene)
    assert_same_tree(scene, read)
    for mesh_id in range(20):
        expected, found = scene.meshes.mesh(mesh_id).positions, read.meshes.mesh(mesh_id).positions
        half_size = np.ptp(expected, axis=0).max() / 2.0
        assert np.abs(found - expected).max() <= 1e-6 * half_size + 1e-15 * np.abs(expected).max()
    # Another program takes the nodes as they stand, and must see the same.
    other = trimesh.load(tmp_path / "scene.glb", process=False)
    np.testing.assert_allclose(other.bounds, scene.bounds(), rtol=1e-6)


@pytest.mark.parametrize("distance", [10.0, 1e5, 1e7, 2.0**24 - 1])
def test_meshes_far_from_their_origin_are_written_near_it_though_float32_holds_them(distance, there_and_back, tmp_path):
    """A graphics card multiplies by a matrix in float32: what is a unit wide at 1e7 would lose its shape."""
    scene = Scene()
    points = box().positions + distance
    assert (points.astype(np.float32) == points).all()
    scene.add_node("box", mesh=scene.meshes.add(mesh_of(points, box().triangles)))
    read = there_and_back(scene)
    assert_same_tree(scene, read)
    assert (read.meshes.mesh(0).positions == points).all()
    document = document_of(tmp_path / "scene.glb")
    highest = max(max(each["max"]) for each in document["accessors"] if "max" in each)
    assert highest == points.max() if distance == 10.0 else highest <= 4.0


def test_positions_that_float32_holds_are_not_moved(there_and_back, tmp_path):
    scene = Scene()
    scene.add_node("far", mesh=scene.meshes.add(mesh_of(box().positions + 4096.0, box().triangles)))
    np.testing.assert_array_equal(there_and_back(scene).meshes.mesh(0).positions, scene.meshes.mesh(0).positions)
    assert "extras" not in document_of(tmp_path / "scene.glb")["meshes"][0]


def test_trimesh_sees_the_same_places_and_areas(tmp_path):
    scene = random_scene(7, zeros=0.0)
    scene.update_world()
    write_glb(scene, tmp_path / "a.glb")
    other = trimesh.load(tmp_path / "a.glb", process=False)
    area, lower, upper = 0.0, np.full(3, np.inf), np.full(3, -np.inf)
    for node in np.flatnonzero(scene.mesh_ids >= 0).tolist():
        corners = shown_triangles(scene, node)[:, 4:].reshape(-1, 3, 3)
        lower, upper = np.minimum(lower, corners.min(axis=(0, 1))), np.maximum(upper, corners.max(axis=(0, 1)))
        area += (
            np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1).sum() / 2.0
        )
    np.testing.assert_allclose(other.bounds, [lower, upper], rtol=1e-6)
    assert other.to_geometry().area == pytest.approx(area, rel=1e-5)


def test_materials_are_pbr_and_opacity_blends(tmp_path):
    scene = dressed_scene(1)
    write_glb(scene, tmp_path / "a.glb")
    materials = {material["name"]: material for material in document_of(tmp_path / "a.glb")["materials"]}
    shiny = materials["shiny"]["pbrMetallicRoughness"]
    assert (shiny["metallicFactor"], shiny["roughnessFactor"]) == (1.0, 0.25)
    assert shiny["baseColorFactor"] == pytest.approx([1.0, 0.21404114, 0.0, 1.0])  # linear
    assert materials["shiny"]["emissiveFactor"] == pytest.approx([0.03310477, 0.0, 1.0])
    assert "alphaMode" not in materials["shiny"]
    assert materials["zwei Wörter"]["alphaMode"] == "BLEND"


@pytest.mark.parametrize(
    "material",
    [
        Material("a", (0.8, 0.1, 0.123456), 0.5, 0.3, 50.0),
        Material("b", metallic=0.5, roughness=0.7, emission=(0.1, 0.2, 0.3)),
        Material("", shininess=1000.0, specular=0.0),
    ],
)
def test_a_material_comes_back_whole(material, there_and_back):
    scene = Scene()
    scene.add_node("a", mesh=scene.meshes.add(quad(), first_material=scene.add_material(material)))
    read = there_and_back(scene)
    assert read.materials[read.meshes.vertices["material"][0]] == material


@pytest.mark.parametrize("alpha", [False, True])
def test_a_texture_is_within_the_file_and_comes_back(alpha, there_and_back, tmp_path):
    scene = Scene()
    image = texture(np.random.default_rng(2), alpha=alpha)
    first = scene.add_material(Material("a", base_color_texture=image))
    second = scene.add_material(Material("b", base_color_texture=image))
    for material in (first, second):
        scene.add_node("quad", mesh=scene.meshes.add(quad(), first_material=material))
    read = there_and_back(scene)
    textures = [material.base_color_texture for material in read.materials[1:]]
    assert textures[0] is textures[1]
    np.testing.assert_array_equal(textures[0].pixels, image.pixels)
    assert len(document_of(tmp_path / "scene.glb")["images"]) == 1


def test_a_single_file_node_at_the_top_is_left_out_so_that_no_level_grows(tmp_path):
    scene = Scene()
    scene.add_node("group", translation=(1.0, 2.0, 3.0))
    scene.add_node("quad", parent=0, mesh=scene.meshes.add(quad()))
    path = tmp_path / "a.glb"
    write_glb(scene, path)
    for _ in range(2):
        read = load(path)
        assert read.names.tolist() == ["a.glb", "group", "quad"]
        write_glb(read, path)
    both = load([path, path])
    write_glb(both, path)
    assert load(path).names.tolist() == ["a.glb", *["a.glb", "group", "quad"] * 2]


def test_groups_alone_can_be_written_and_nothing_cannot(tmp_path):
    scene = Scene()
    with pytest.raises(WriteError, match="nothing to write"):
        write_glb(scene, tmp_path / "a.glb")
    scene.add_node("group")
    write_glb(scene, tmp_path / "a.glb")
    assert document_of(tmp_path / "a.glb")["nodes"] == [{"name": "group"}]


def test_what_float32_cannot_hold_is_refused_and_the_old_file_stays(tmp_path):
    (tmp_path / "a.glb").write_text("old")
    scene = Scene()
    scene.add_node("huge", mesh=scene.meshes.add(mesh_of(quad().positions * 1e300, quad().triangles)))
    with pytest.raises(WriteError, match="too large"):
        write_glb(scene, tmp_path / "a.glb")
    assert [path.name for path in tmp_path.iterdir()] == ["a.glb"] and (tmp_path / "a.glb").read_text() == "old"


def test_a_large_mesh_has_wide_indices(there_and_back):
    count = 70_000
    positions = np.random.default_rng(5).normal(size=(count, 3))
    triangles = np.arange(count - count % 3).reshape(-1, 3)[::-1].copy()
    scene = Scene()
    scene.add_node("large", mesh=scene.meshes.add(mesh_of(positions, triangles)))
    scene.add_node("small", mesh=scene.meshes.add(quad()))
    read = there_and_back(scene)
    corners = positions[triangles].astype(np.float32)
    np.testing.assert_array_equal(read.meshes.mesh(0).positions[read.meshes.mesh(0).triangles], corners)
    assert read.meshes.mesh(1).triangles.tolist() == quad().triangles.tolist()


def primitives_in(path) -> list[dict]:
    return [primitive for mesh in document_of(path)["meshes"] for primitive in mesh["primitives"]]


def test_a_texture_on_a_mesh_without_coordinates_is_looked_up_at_its_corner(there_and_back, tmp_path):
    scene = Scene()
    pictured = scene.add_material(Material("a", base_color_texture=texture(np.random.default_rng(2))))
    glowing = scene.add_material(Material("b", emission_texture=texture(np.random.default_rng(3))))
    mesh = scene.meshes.add(box())
    scene.add_node("plain", mesh=mesh)
    for material in (pictured, glowing):
        scene.add_node("own", mesh=scene.meshes.add(quad(), first_material=material))
        scene.add_node("of the node", mesh=mesh, material=material)
    scene.add_node("never pictured", mesh=scene.meshes.add(quad()))
    read = there_and_back(scene)
    for primitive in primitives_in(tmp_path / "scene.glb")[:-1]:
        uvs = accessor_of(tmp_path / "scene.glb", primitive["attributes"]["TEXCOORD_0"])
        np.testing.assert_array_equal(uvs, [(0.0, 1.0)] * len(uvs))  # v is counted from the top there
    assert "TEXCOORD_0" not in primitives_in(tmp_path / "scene.glb")[-1]["attributes"]
    assert len(read.meshes) == len(scene.meshes) and not read.meshes.vertices["uv"].any()


def test_texture_coordinates_come_back_where_no_texture_uses_them_yet(there_and_back):
    scene = Scene()
    uvs = np.array([(0.25, 0.5), (0, 0), (0, 0), (0, 0)], dtype="f4")
    mesh = MeshData(quad().positions, quad().triangles, None, np.zeros(4, int), uvs, lines=np.array([(1, 2)]))
    scene.add_node("a", mesh=scene.meshes.add(mesh))
    found = there_and_back(scene).meshes.mesh(0)
    np.testing.assert_array_equal(found.uvs, uvs)
    np.testing.assert_array_equal(found.lines, mesh.lines)


@pytest.mark.parametrize("with_lines", [False, True])
def test_corners_without_a_normal_make_flat_triangles_and_all_normals_have_length_1(
    with_lines, there_and_back, tmp_path
):
    normals = np.array([(0, 0, 1), (0, 0.6, 0.8), (0, 0, 1), (0, 0, 0)], dtype="f4")
    lines = np.array([(0, 3)]) if with_lines else None
    scene = Scene()
    for own in (normals, np.zeros((4, 3), "f4")):
        mesh = MeshData(quad().positions, quad().triangles, own, np.zeros(4, int), lines=lines)
        scene.add_node("a", mesh=scene.meshes.add(mesh))
    read = there_and_back(scene)
    has_normals = [(p["mode"], "NORMAL" in p["attributes"]) for p in primitives_in(tmp_path / "scene.glb")]
    line = [(1, False)] * with_lines
    assert has_normals == [(4, False), (4, True), *line, (4, False), *line]
    stated = accessor_of(tmp_path / "scene.glb", primitives_in(tmp_path / "scene.glb")[1]["attributes"]["NORMAL"])
    np.testing.assert_allclose(np.linalg.norm(stated, axis=1), 1.0, rtol=1e-6)
    found = read.meshes.mesh(0)
    flat = ~found.normals[found.triangles].any(axis=2).all(axis=1)
    np.testing.assert_array_equal(found.positions[found.triangles[flat]], quad().positions[[(0, 2, 3)]])
    smooth = found.triangles[~flat]
    np.testing.assert_array_equal(found.normals[smooth], normals[[(0, 1, 2)]])


def test_a_jpeg_in_the_colours_of_print_is_written_as_a_png(there_and_back, tmp_path):
    Image.new("CMYK", (4, 4), (0, 255, 0, 0)).save(tmp_path / "print.jpg")
    shown = read_texture(tmp_path / "print.jpg")
    scene = Scene()
    material = scene.add_material(Material("a", base_color_texture=shown))
    scene.add_node("a", mesh=scene.meshes.add(quad(), first_material=material))
    read = there_and_back(scene)
    assert document_of(tmp_path / "scene.glb")["images"][0]["mimeType"] == "image/png"
    np.testing.assert_array_equal(read.materials[1].base_color_texture.pixels, shown.pixels)
