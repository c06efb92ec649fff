"""Primitives: closed, facing outward, of the area and volume that they should have."""

import numpy as np
import pytest

from octoscope.scene import Scene
from octoscope.scene.mesh.data import MeshData
from octoscope.scene.mesh.polygon_edges import PolygonEdges
from octoscope.scene.mesh.primitives import PRIMITIVES, cone, cube, cylinder, plane, sphere, torus

CLOSED = {
    "cube": (cube(2.0), 24.0, 8.0),
    "sphere": (sphere(1.5, 256, 128), 4.0 * np.pi * 1.5**2, 4.0 / 3.0 * np.pi * 1.5**3),
    "cylinder": (cylinder(2.0, 3.0, 512), 2.0 * np.pi * 2.0 * 3.0 + 2.0 * np.pi * 4.0, np.pi * 4.0 * 3.0),
    "cone": (cone(3.0, 4.0, 512), np.pi * 3.0 * 5.0 + np.pi * 9.0, np.pi * 9.0 * 4.0 / 3.0),
    "torus": (torus(2.0, 0.5, 256, 128), 4.0 * np.pi**2 * 2.0 * 0.5, 2.0 * np.pi**2 * 2.0 * 0.25),
}
SMALLEST = {
    "cube": cube(),
    "sphere": sphere(segments=3, rings=2),
    "cylinder": cylinder(segments=3),
    "cone": cone(segments=3),
    "torus": torus(segments=3, sides=3),
}


def corners_of(mesh: MeshData) -> np.ndarray:
    return mesh.positions[mesh.triangles]


def area(mesh: MeshData) -> float:
    a, b, c = corners_of(mesh).transpose(1, 0, 2)
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2.0)


def volume(mesh: MeshData) -> float:
    a, b, c = corners_of(mesh).transpose(1, 0, 2)
    return float((a * np.cross(b, c)).sum() / 6.0)


def sides(mesh: MeshData) -> list[tuple[int, int]]:
    """Every directed side of every triangle, between source vertices."""
    corners = mesh.source_vertices[mesh.triangles]
    return [(int(t[k]), int(t[(k + 1) % 3])) for t in corners for k in range(3)]


@pytest.mark.parametrize("kind", CLOSED)
def test_its_area_and_its_volume_are_those_of_the_shape(kind):
    mesh, expected_area, expected_volume = CLOSED[kind]
    assert area(mesh) == pytest.approx(expected_area, rel=2e-3)
    assert volume(mesh) == pytest.approx(expected_volume, rel=2e-3)


@pytest.mark.parametrize("kind", CLOSED)
def test_it_is_watertight_and_every_side_is_passed_once_each_way(kind):
    for mesh in (PRIMITIVES[kind](), SMALLEST[kind]):
        found = sides(mesh)
        assert len(set(found)) == len(found)
        assert {(b, a) for a, b in found} == set(found)
        assert all(a != b for a, b in found)
        vertices = len(np.unique(mesh.source_vertices))
        euler = vertices - len(found) // 2 + len(mesh.triangles)
        assert euler == (0 if kind == "torus" else 2)


@pytest.mark.parametrize("kind", PRIMITIVES)
def test_normals_are_of_length_one_and_on_the_side_of_the_winding(kind):
    mesh = PRIMITIVES[kind]()
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-6)
    a, b, c = corners_of(mesh).transpose(1, 0, 2)
    faces = np.cross(b - a, c - a)
    faces /= np.linalg.norm(faces, axis=1, keepdims=True)
    along = (faces[:, None] * mesh.normals[mesh.triangles]).sum(axis=2)
    assert along.min() > 0.5
    if kind in ("cube", "plane"):
        np.testing.assert_allclose(along, 1.0, atol=1e-6)


@pytest.mark.parametrize("kind", PRIMITIVES)
def test_uvs_lie_in_the_image_and_vertices_are_all_used_and_share_a_source_where_they_are_one(kind):
    mesh = PRIMITIVES[kind]()
    assert mesh.uvs.min() >= 0.0 and mesh.uvs.max() <= 1.0
    assert (np.unique(mesh.triangles) == np.arange(len(mesh.positions))).all()
    assert len(np.unique(mesh.positions, axis=0)) == len(np.unique(mesh.source_vertices))


def test_the_plane_faces_up():
    mesh = plane(3.0)
    assert area(mesh) == pytest.approx(9.0)
    assert (mesh.positions[:, 1] == 0.0).all() and (mesh.normals == (0.0, 1.0, 0.0)).all()


def test_what_is_drawn_as_edges_are_the_sides_of_its_polygons():
    scene = Scene()
    for mesh in (cube(), sphere(segments=8, rings=4), cone(segments=8)):
        scene.meshes.add(mesh)
    edges = PolygonEdges(scene.meshes)
    edges.update()
    assert edges.rows["edge_count"].tolist() == [12, 8 * 3 + 8 * 4, 8 * 3]


@pytest.mark.parametrize(
    "make",
    (
        lambda: cube(0.0),
        lambda: sphere(-1.0),
        lambda: cylinder(height=float("nan")),
        lambda: cone(segments=2),
        lambda: torus(radius=1.0, tube=2.0),
        lambda: sphere(segments=10**9),
    ),
)
def test_sizes_that_make_no_shape_are_refused(make):
    with pytest.raises(ValueError):
        make()
