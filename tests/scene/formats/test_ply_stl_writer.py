"""A scene as one mesh in a PLY or STL file, as trimesh and we ourselves read it."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh

from octoscope.scene import Material, MeshData, Scene, WriteError, load, write_ply, write_stl
from tests.oracles import transformed
from tests.scene.builders import ball, mesh_of, quad, random_scene
from tests.scene.dressed import dressed_scene
from tests.scene.formats.obj.test_writer import ordered


def world_triangles(scene: Scene) -> np.ndarray:
    """(t, 3, 3) corners in the world in the order in which nodes are written, mirrored ones turned over."""
    parts = [np.empty((0, 3, 3))]
    for node in ordered(scene, np.flatnonzero(scene.mesh_ids >= 0).tolist()):
        mesh = scene.meshes.mesh(int(scene.mesh_ids[node]))
        corners = transformed(scene.world_from_local[node], mesh.positions)[mesh.triangles]
        parts.append(corners[:, [0, 2, 1]] if np.linalg.det(scene.world_from_local[node][:3, :3]) < 0.0 else corners)
    return np.concatenate(parts)


@pytest.mark.parametrize(("ending", "write"), [("ply", write_ply), ("stl", write_stl)])
@pytest.mark.parametrize("seed", range(3))
def test_all_triangles_are_in_the_world_in_order(tmp_path, ending, write, seed):
    scene = random_scene(seed, zeros=0.0)
    path = tmp_path / f"a.{ending}"
    notes = write(scene, path)
    expected = world_triangles(scene)
    for triangles in (load(path).meshes.mesh(0), trimesh.load(path, process=False)):
        corners = triangles.positions[triangles.triangles] if isinstance(triangles, MeshData) else triangles.triangles
        np.testing.assert_allclose(corners, expected, rtol=1e-6, atol=1e-6 * np.abs(expected).max())
    assert notes == ["written as one mesh in world coordinates, without transforms, names and materials"]


def test_stl_normals_are_those_of_the_triangles(tmp_path):
    scene = random_scene(1, zeros=0.0)
    write_stl(scene, tmp_path / "a.stl")
    other = trimesh.load(tmp_path / "a.stl", process=False)
    corners = world_triangles(scene)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    np.testing.assert_allclose(other.face_normals, normals, atol=1e-4)


def test_a_ply_keeps_vertices_normals_texture_coordinates_and_colours(tmp_path):
    mesh = ball()
    rng = np.random.default_rng(1)
    count = len(mesh.positions)
    colors = rng.integers(0, 256, (count, 4), dtype="u1")
    uvs = rng.normal(size=(count, 2)).astype("f4")
    scene = Scene()
    material = scene.add_material(Material("m", (1.0, 1.0, 1.0)))
    whole = MeshData(mesh.positions, mesh.triangles, mesh.positions.astype("f4"), np.zeros(count, int), uvs, colors)
    scene.add_node("a", mesh=scene.meshes.add(whole, first_material=material))
    write_ply(scene, tmp_path / "a.ply")
    found = load(tmp_path / "a.ply").meshes.mesh(0)
    np.testing.assert_array_equal(found.positions, mesh.positions.astype("f4"))
    np.testing.assert_array_equal(found.triangles, mesh.triangles)
    np.testing.assert_allclose(found.normals, mesh.positions, atol=1e-6)
    np.testing.assert_array_equal(found.uvs, uvs)
    np.testing.assert_array_equal(found.colors, colors)


def test_the_colour_of_a_ply_is_the_materials_times_the_vertexs_in_linear_light(tmp_path):
    scene = Scene()
    grey = scene.add_material(Material("grey", (0.5, 1.0, 0.0), opacity=0.5))
    colors = np.array([(128, 128, 255, 255)] * 4, dtype="u1")
    mesh = scene.meshes.add(MeshData(quad().positions, quad().triangles, None, np.zeros(4, int), colors=colors))
    scene.add_node("a", mesh=mesh, material=grey)
    scene.add_node("b", mesh=scene.meshes.add(quad()))
    write_ply(scene, tmp_path / "a.ply")
    found = load(tmp_path / "a.ply").meshes.mesh(0).colors
    assert found[0].tolist() == [61, 128, 0, 128]  # 0.2140 * 0.2159 = 0.0462, which is 0.2383 in sRGB
    assert found[4].tolist() == [204, 204, 204, 255]


def test_a_ply_in_the_default_material_has_no_colours(tmp_path):
    scene = Scene()
    scene.add_node("a", mesh=scene.meshes.add(quad()))
    write_ply(scene, tmp_path / "a.ply")
    heading = (tmp_path / "a.ply").read_bytes().split(b"end_header")[0]
    assert b"red" not in heading and b"nx" not in heading and b"property float x" in heading


def test_a_ply_far_from_the_origin_has_doubles_and_an_stl_says_what_it_loses(tmp_path):
    scene = Scene()
    scene.add_node("a", translation=(4e6, -5e6, 1.0), mesh=scene.meshes.add(ball()))
    write_ply(scene, tmp_path / "a.ply")
    np.testing.assert_allclose(load(tmp_path / "a.ply").bounds(), scene.bounds(), rtol=1e-14)
    assert any("rounded" in note for note in write_stl(scene, tmp_path / "a.stl"))


def test_a_small_object_far_from_another_keeps_its_shape_in_a_ply_and_an_stl_says_what_it_loses(tmp_path):
    """A millionth of the whole is a thousand times the far triangle."""
    scene = Scene()
    triangle = mesh_of(np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)]), np.array([(0, 1, 2)]))
    scene.add_nodes(["near", "far"], mesh=scene.meshes.add(triangle), translation=[(0, 0, 0), (1e9, 0, 0)])
    write_ply(scene, tmp_path / "a.ply")
    again = load(tmp_path / "a.ply")
    corners = again.meshes.mesh(0).positions[again.meshes.mesh(0).triangles]
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2.0
    np.testing.assert_allclose(areas, 0.5)
    assert any("rounded" in note for note in write_stl(scene, tmp_path / "a.stl"))
    scene.set_translations(1, (1e3, 0.0, 0.0))
    write_ply(scene, tmp_path / "a.ply")
    assert b"property float x" in (tmp_path / "a.ply").read_bytes()
    assert not any("rounded" in note for note in write_stl(scene, tmp_path / "a.stl"))


def test_lines_and_points_go_into_a_ply_and_what_does_not_is_said(tmp_path):
    scene = Scene()
    empty = np.empty((0, 3), dtype=int)
    lines = MeshData(quad().positions, empty, None, np.zeros(4, int), lines=np.array([(0, 2), (3, 1)]))
    scene.add_node("lines", mesh=scene.meshes.add(lines), translation=(5.0, 0.0, 0.0))
    write_ply(scene, tmp_path / "a.ply")
    found = load(tmp_path / "a.ply").meshes.mesh(0)
    np.testing.assert_array_equal(found.positions[found.lines] - (5, 0, 0), quad().positions[lines.lines])
    with pytest.raises(WriteError, match="triangles only"):
        write_stl(scene, tmp_path / "a.stl")
    points = Scene()
    points.add_node(
        "p", mesh=points.meshes.add(MeshData(quad().positions, empty, None, np.zeros(4, int), points=np.arange(4)))
    )
    assert write_ply(points, tmp_path / "p.ply") == [
        "written as one mesh in world coordinates, without names and materials"
    ]
    assert load(tmp_path / "p.ply").meshes.mesh(0).points.tolist() == [0, 1, 2, 3]
    rich = dressed_scene(1)
    notes = write_stl(rich, tmp_path / "r.stl")
    meshes, rows = rich.mesh_ids[rich.mesh_ids >= 0], rich.meshes.rows
    lines, points = (int(rows[f"{element}_count"][meshes].sum()) for element in ("line", "point"))
    assert f"{lines:,} lines and {points:,} points are left out" in notes[0]
    assert write_ply(rich, tmp_path / "r.ply")[0].startswith(f"{points:,} points are left out")


@pytest.mark.parametrize("write", [write_ply, write_stl])
def test_nothing_and_what_is_too_large_cannot_be_written(tmp_path, write):
    scene = Scene()
    with pytest.raises(WriteError, match="nothing to write"):
        write(scene, tmp_path / "a")
    scene.add_node("a", mesh=scene.meshes.add(mesh_of(quad().positions * 1e200, quad().triangles)))
    with pytest.raises(WriteError, match="too large"):
        write(scene, tmp_path / "a")
    assert list(tmp_path.iterdir()) == []
