"""Normals: those of the file, and those that are made where it has none."""

import numpy as np
import pytest

from octoscope.scene import read_obj
from tests.scene.formats.obj.checks import only_problem
from tests.scene.formats.obj.texts import SQUARE

# Two squares that meet at the edge 3-4 in a right angle: one in z = 0, one in y = 1.
ROOF = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 1 1 -1\nv 0 1 -1\n"
FRONT, TOP = "f 1 2 3 4\n", "f 4 3 5 6\n"
UP = 2.0**-0.5


def normals_at(mesh, vertex: int) -> list[list[float]]:
    """Return the different normals of a vertex of the file, which is counted from 1."""
    found = np.unique(mesh.normals[mesh.source_vertices == vertex - 1].round(5), axis=0)
    return (found + 0.0).tolist()


def test_normals_are_kept_by_corner_and_made_unit(read):
    mesh = read(SQUARE + "vn 0 0 2\nvn 3 0 0\nf 1//1 2//1 3//1\nf 1//2 3//2 4//2\n").objects[0][1]
    np.testing.assert_allclose(mesh.normals[mesh.triangles], [[(0, 0, 1)] * 3, [(1, 0, 0)] * 3])


def test_tiny_and_huge_normals_are_made_unit(read):
    mesh = read(SQUARE + "vn 0 1e-38 0\nvn 3e38 3e38 0\nvn 3e-30 0 4e-30\nf 1//1 2//2 3//3\n").objects[0][1]
    np.testing.assert_allclose(mesh.normals, [(0, 1, 0), (UP, UP, 0), (0.6, 0, 0.8)], atol=1e-6)


def test_a_normal_of_length_zero_means_no_normal(read):
    file = read(SQUARE + "vn 0 0 0\nvn 0 0 1\nf 1//1 2//2 3//2\n")
    assert file.objects[0][1].normals.tolist() == [[0, 0, 0], [0, 0, 1], [0, 0, 1]]
    assert file.warnings == []


@pytest.mark.parametrize("smoothing", ("", "s off\n", "s 0\n", "s\n", "s off # flat\n", "s 1\ns off\n"))
def test_without_smoothing_faces_without_normals_are_flat(read, smoothing):
    mesh = read(ROOF + smoothing + FRONT + TOP).objects[0][1]
    assert (mesh.normals == 0.0).all() and len(mesh.positions) == 6


@pytest.mark.parametrize("smoothing", ("s 1\n", "s 7\n", "  s\t1 # round\n", "s 4294967296\n", "s 0\ns 1\n"))
def test_within_a_smoothing_group_normals_are_means(read, smoothing):
    mesh = read(ROOF + smoothing + FRONT + TOP).objects[0][1]
    assert len(mesh.positions) == 6
    assert normals_at(mesh, 1) == [[0, 0, 1]] and normals_at(mesh, 5) == [[0, 1, 0]]
    np.testing.assert_allclose(normals_at(mesh, 3), [(0, UP, UP)], atol=1e-5)


def test_between_smoothing_groups_an_edge_stays_sharp(read):
    mesh = read(ROOF + "s 1\n" + FRONT + "s 2\n" + TOP).objects[0][1]
    assert normals_at(mesh, 3) == [[0, 0, 1], [0, 1, 0]]
    assert len(mesh.positions) == 8


@pytest.mark.parametrize("threads", (1, 2))
def test_objects_are_smoothed_apart_though_one_ends_with_the_vertex_with_which_the_next_begins(tmp_path, threads):
    path = tmp_path / "scene.obj"
    path.write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 1 1 1\nv 1 0 1\ns 1\no a\nf 1 2 3\no b\nf 3 4 5\n")
    normals = [mesh.normals.tolist() for _, mesh in read_obj(path, threads=threads).objects]
    assert normals == [[[0, 0, 1]] * 3, [[1, 0, 0]] * 3]


def test_a_smoothing_group_may_go_on_after_another(read):
    mesh = read(ROOF + "s 1\n" + FRONT + "s 2\nf 1 2 3\ns 1\n" + TOP).objects[0][1]
    np.testing.assert_allclose(normals_at(mesh, 4), [(0, UP, UP)], atol=1e-5)


def test_smoothing_holds_until_the_next_across_objects_but_does_not_join_them(read):
    file = read(ROOF + "s 1\no a\n" + FRONT + "o b\n" + TOP + "s off\no c\n" + TOP)
    front, top, flat = (mesh for _, mesh in file.objects)
    assert normals_at(front, 3) == [[0, 0, 1]]
    assert normals_at(top, 3) == [[0, 1, 0]]
    assert normals_at(flat, 3) == [[0, 0, 0]]


def test_normals_are_smooth_across_seams_of_texture_and_material(read):
    text = ROOF + "vt 0 0\nvt 1 1\ns 1\nusemtl a\nf 1/1 2/1 3/1 4/1\nusemtl b\nf 4/2 3/2 5/2 6/2\n"
    mesh = read(text).objects[0][1]
    assert len(mesh.positions) == 8
    np.testing.assert_allclose(normals_at(mesh, 3), [(0, UP, UP)], atol=1e-5)


def test_a_normal_of_the_file_wins_over_smoothing(read):
    mesh = read(ROOF + "vn 1 0 0\ns 1\nf 1//1 2//1 3//1 4//1\n" + TOP).objects[0][1]
    assert normals_at(mesh, 3) == [[0, 1, 0], [1, 0, 0]]


def test_a_face_counts_at_a_corner_by_its_angle_not_by_its_triangles(read):
    # The front as a fan of many triangles at corner 4 must weigh as much as one square does.
    fan = "".join(f"v 1 {k / 8} 0\n" for k in range(1, 8))
    text = ROOF + fan + "s 1\nf 1 2 4\nf 2 7 4\n" + "".join(f"f {k} {k + 1} 4\n" for k in range(7, 13)) + "f 13 3 4\n"
    mesh = read(text + TOP).objects[0][1]
    np.testing.assert_allclose(normals_at(mesh, 4), [(0, UP, UP)], atol=1e-5)


def test_the_size_of_a_scene_does_not_matter(read):
    for scale in ("e-150", "e150", "e-30", "e10"):
        text = ROOF.replace(" 1", f" 1{scale}").replace(" -1", f" -1{scale}")
        mesh = read(text + "s 1\n" + FRONT + TOP).objects[0][1]
        np.testing.assert_allclose(normals_at(mesh, 3), [(0, UP, UP)], atol=1e-5)


def test_faces_without_an_area_make_no_normals(read):
    mesh = read("v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\ns 1\nf 1 2 3\nf 1 2 4\n").objects[0][1]
    assert normals_at(mesh, 3) == [[0, 0, 0]] and normals_at(mesh, 1) == [[0, 0, 1]]


def test_a_sphere_without_normals_gets_round_ones(read):
    rng = np.random.default_rng(1)
    rings, sides = 24, 48
    up, around = np.meshgrid(np.linspace(0.0, np.pi, rings), np.arange(sides) * 2.0 * np.pi / sides, indexing="ij")
    points = np.stack([np.sin(up) * np.cos(around), np.sin(up) * np.sin(around), np.cos(up)], axis=-1).reshape(-1, 3)
    faces = [
        (r * sides + k, (r + 1) * sides + k, (r + 1) * sides + (k + 1) % sides, r * sides + (k + 1) % sides)
        for r in range(1, rings - 2)
        for k in range(sides)
    ]
    rng.shuffle(faces)
    text = "".join(f"v {x!r} {y!r} {z!r}\n" for x, y, z in points.tolist())
    text += "s 1\n" + "".join("f " + " ".join(str(k + 1) for k in face) + "\n" for face in faces)
    mesh = read(text).objects[0][1]
    inner = abs(mesh.positions[:, 2]) < 0.9
    assert ((mesh.normals * mesh.positions).sum(axis=1)[inner] > 0.998).all()


def test_smoothing_by_a_word_that_is_no_number_is_none(read):
    assert (read(ROOF + "s 1\ns false\n" + FRONT + TOP).objects[0][1].normals == 0.0).all()


def test_broken_normals_are_said(read):
    file = read(SQUARE + "vn nan 0 1\nvn 0 0\nf 1//1 2//2 3//1\n")
    assert (file.objects[0][1].normals == 0.0).all()
    problem = only_problem(file)
    assert (problem.kind, problem.line, problem.count) == ("normal", 5, 2)


@pytest.mark.parametrize("seed", range(5))
def test_made_normals_are_the_means_of_the_faces_normals_by_their_angles(read, seed):
    """Random triangles among few vertices, in random objects, groups, textures and materials, against plain sums."""
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(30, 3)).round(3)
    text = "".join(f"v {x} {y} {z}\n" for x, y, z in points.tolist()) + "vt 0 0\nvt 1 0\nvt 0 1\nvn 0 0 1\n"
    expected: dict[tuple[str, int, int], np.ndarray] = {}
    name, group = "scene", 0
    faces = []
    for _ in range(400):
        kind = rng.integers(0, 12)
        if kind == 0:
            name = f"part {len(faces)}"
            text += f"o {name}\n"
        elif kind == 1:
            group = int(rng.integers(0, 4))
            text += f"s {group}\n"
        elif kind == 2:
            text += f"usemtl {rng.integers(0, 3)}\n"
        else:
            corners = rng.choice(30, 3, replace=False)
            has_normal = (rng.random(3) < 0.1).tolist()
            words = [f"{k + 1}/{rng.integers(1, 4)}" + "/1" * own for k, own in zip(corners, has_normal, strict=True)]
            text += f"f {' '.join(words)}\n"
            faces.append((name, group, corners, has_normal))
    for name, group, corners, has_normal in faces:
        for k in range(3):
            if group and not has_normal[k]:
                here, after, before = points[np.roll(corners, -k)]
                u, v = ((end - here) / np.linalg.norm(end - here) for end in (after, before))
                normal = np.cross(u, v)
                angle = np.arctan2(np.linalg.norm(normal), u @ v)
                key = name, int(corners[k]), group
                expected[key] = expected.get(key, 0.0) + angle * normal / np.linalg.norm(normal)
    file = read(text)
    triangles = iter(faces)
    for name, mesh in file.objects:
        for triangle in mesh.triangles:
            named, group, corners, has_normal = next(triangles)
            assert named == name
            for k in range(3):
                normal = mesh.normals[triangle[k]]
                if has_normal[k]:
                    assert normal.tolist() == [0, 0, 1]
                elif group == 0:
                    assert normal.tolist() == [0, 0, 0]
                else:
                    total = expected[name, int(corners[k]), group]
                    np.testing.assert_allclose(normal * np.linalg.norm(total), total, atol=1e-5)
