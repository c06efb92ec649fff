"""Surfaces as triangles: known areas, exact normals, no gaps, as fine as the file says; what trimming loops leave."""

import numpy as np
import pytest

from tests.scene.formats.obj.checks import area, only_problem
from tests.scene.formats.obj.freeform.shapes import bicubic, circle_2d, plane, sphere, torus


def mesh_of(read, text):
    file = read(text)
    assert file.warnings == []
    (mesh,) = [mesh for _, mesh in file.objects]
    return mesh


def edges(mesh):
    """The lengths of all sides of triangles."""
    corners = mesh.positions[mesh.triangles]
    return np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)


def test_a_sphere_of_nurbs_is_round_and_faces_outward(read):
    mesh = mesh_of(read, sphere())
    assert np.allclose(np.linalg.norm(mesh.positions, axis=1), 1.0)
    assert area(mesh) == pytest.approx(4 * np.pi, rel=5e-3)
    poles = np.abs(mesh.positions[:, 2]) > 0.999  # as beside them
    assert np.allclose(mesh.normals[~poles], mesh.positions[~poles], atol=1e-5)
    assert np.allclose(mesh.normals[poles], mesh.positions[poles], atol=0.05)
    a, b, c = mesh.positions[mesh.triangles].swapaxes(0, 1)
    assert np.einsum("ij,ij->i", np.cross(b, c), a).sum() / 6 == pytest.approx(4 / 3 * np.pi, rel=1e-2)


def test_a_torus_has_its_area_and_volume(read):
    mesh = mesh_of(read, torus(2.0, 0.5))
    assert area(mesh) == pytest.approx(4 * np.pi**2 * 2.0 * 0.5, rel=1e-2)
    a, b, c = mesh.positions[mesh.triangles].swapaxes(0, 1)
    assert np.einsum("ij,ij->i", np.cross(b, c), a).sum() / 6 == pytest.approx(2 * np.pi**2 * 2.0 * 0.25, rel=2e-2)


@pytest.mark.parametrize("seed", range(3))
def test_neighbours_have_the_same_vertices_along_their_edge(read, seed):
    rng = np.random.default_rng(seed)
    first, second = rng.normal(size=(2, 4, 4))
    second *= 5.0  # much more curved than the other
    second[:, 0] = first[:, 3]
    mesh = mesh_of(read, "g both\n" + bicubic(first) + bicubic(second, left=3.0))
    along = mesh.positions[mesh.positions[:, 0] == 3.0]
    points, counts = np.unique(along.round(9), axis=0, return_counts=True)
    assert len(points) > 3 and (counts == 2).all()


def test_no_edge_is_far_from_its_surface(read):
    heights = 3.0 * np.random.default_rng(5).normal(size=(4, 4))
    mesh = mesh_of(read, bicubic(heights))
    ends = np.concatenate([mesh.triangles[:, [k, (k + 1) % 3]] for k in range(3)])
    middle = mesh.positions[ends].mean(axis=1)
    t = middle[:, :2] / 3.0  # x and y are three times the parameters
    basis = [np.stack([(1 - s) ** 3, 3 * s * (1 - s) ** 2, 3 * s**2 * (1 - s), s**3]) for s in t.T]
    height = np.einsum("in,jn,ji->n", basis[0], basis[1], heights)
    diagonal = np.linalg.norm([3.0, 3.0, np.ptp(heights)])
    assert np.abs(height - middle[:, 2]).max() < 1e-3 * diagonal


def test_parameters_are_texture_coordinates_unless_the_file_has_others(read):
    assert np.ptp(mesh_of(read, plane(2.0) + "end\n").uvs, axis=0).tolist() == [2.0, 2.0]
    text = plane().replace("-4 -3 -2 -1", "-4/1/1 -3/2/1 -2/3/1 -1/4/1")
    mesh = mesh_of(read, "vt 5 5\nvt 6 5\nvt 5 7\nvt 6 7\nvn 0 1 1\n" + text + "end\n")
    assert np.unique(mesh.uvs, axis=0).tolist() == [[5, 5], [5, 7], [6, 5], [6, 7]]
    assert np.allclose(mesh.normals, (0, 0.5**0.5, 0.5**0.5))


@pytest.mark.parametrize(("technique", "count"), [("cparma 0 0", 2), ("cparma 1 2", 36), ("cparmb 2", 72)])
def test_a_file_says_into_how_many_parts_patches_are_divided(read, technique, count):
    heights = np.random.default_rng(6).normal(size=(4, 4))
    assert len(mesh_of(read, f"stech {technique}\n" + bicubic(heights)).triangles) == count


def test_a_file_says_how_long_edges_are_and_how_far_from_the_surface(read):
    flat = bicubic(np.zeros((4, 4)))
    assert edges(mesh_of(read, "stech cspace 0.3\n" + flat)).max() <= 0.3
    coarse, fine = (mesh_of(read, f"stech curv {distance} 180\n" + sphere()) for distance in (0.1, 0.001))
    assert len(coarse.triangles) < len(fine.triangles) / 10
    by_angle = mesh_of(read, "stech curv 10 10\n" + sphere())
    assert edges(by_angle).max() < 2 * np.sin(np.deg2rad(10.0))


@pytest.mark.parametrize("reverse", [False, True])
def test_loops_cut_out_what_they_enclose_whichever_way_they_go(read, reverse):
    disc, hole = circle_2d(2, 2, 1.5, reverse=reverse), circle_2d(2, 2.3, 0.5)
    outer = mesh_of(read, disc + plane(4.0) + "trim 0 4 1\nend\n")
    assert area(outer) == pytest.approx(np.pi * 1.5**2, rel=3e-3)
    ring = mesh_of(read, disc + hole + plane(4.0) + "trim 0 4 1\nhole 0 4 2\nend\n")
    assert area(ring) == pytest.approx(np.pi * (1.5**2 - 0.5**2), rel=3e-3)
    assert (ring.normals == (0, 0, 1)).all()
    pierced = mesh_of(read, disc + plane(4.0) + "hole 0 4 1\nend\n")
    assert area(pierced) == pytest.approx(16 - np.pi * 1.5**2, rel=3e-3)


def test_a_surface_has_several_regions_and_each_its_holes(read):
    circles = [circle_2d(x, 2, r) for x in (1, 3) for r in (0.8, 0.3)]
    many = [circle_2d(0.7 + 0.3 * k, 2.0 + 0.2 * (-1) ** k, 0.1) for k in range(3)]
    loops = "trim 0 4 1\nhole 0 4 2\ntrim 0 4 3\nhole 0 4 4\n"
    mesh = mesh_of(read, "".join(circles) + plane(4.0) + loops + "end\n")
    assert area(mesh) == pytest.approx(2 * np.pi * (0.8**2 - 0.3**2), rel=3e-3)
    loops = "trim 0 4 1\n" + "".join(f"hole 0 4 {k}\n" for k in (2, 3, 4))
    mesh = mesh_of(read, circle_2d(1, 2, 0.8) + "".join(many) + plane(4.0) + loops + "end\n")
    assert area(mesh) == pytest.approx(np.pi * (0.8**2 - 3 * 0.1**2), rel=3e-3)


def test_a_trimmed_surface_is_as_curved_as_the_whole(read):
    cap = circle_2d(2, 1, 0.7)
    mesh = mesh_of(read, cap + sphere().replace("end\n", "trim 0 4 1\nend\n"))
    assert np.allclose(np.linalg.norm(mesh.positions, axis=1), 1.0)
    assert np.einsum("ij,ij->i", mesh.positions, mesh.normals).min() > 0.999
    assert edges(mesh).max() < 0.35


def test_a_loop_of_several_curves_is_closed_end_to_end(read):
    sides = "".join(f"vp {u} {v}\n" for u, v in ((0.5, 0.5), (1.5, 0.5), (1.5, 1.5), (0.5, 1.5)))
    sides += "cstype bezier\ndeg 1\n" + "".join(f"curv2 {k} {k % 4 + 1}\nparm u 0 1\nend\n" for k in (1, 2, 3, 4))
    assert area(mesh_of(read, sides + plane(2.0) + "trim 0 1 1 0 1 2 0 1 3 0 1 4\nend\n")) == pytest.approx(1.0)
    backward = mesh_of(read, sides + plane(2.0) + "trim 1 0 4 1 0 3 1 0 2 1 0 1\nend\n")
    assert area(backward) == pytest.approx(1.0)
    file = read(sides + plane(2.0) + "trim 0 1 1 0 1 2\nend\n")
    assert "does not close" in only_problem(file).what
    assert area(file.objects[0][1]) == pytest.approx(0.5)


def test_patches_of_the_second_version_are_read(read):
    points = "".join(f"v {x} {y} {(x - 1.5) ** 2}\n" for y in range(4) for x in range(4))
    numbers = " ".join(str(k) for k in range(1, 17))
    for keyword, side in (("bzp", 3.0), ("bsp", 1.0), ("cdp", 1.0)):
        mesh = mesh_of(read, f"{points}{keyword} {numbers}\n")
        assert np.ptp(mesh.positions, axis=0)[:2].tolist() == pytest.approx([side, side])
