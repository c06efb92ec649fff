"""Faces: their corners, in every form, and what their indices mean."""

import numpy as np
import pytest

from tests.scene.formats.obj.checks import area, assert_sound, kinds, only_problem
from tests.scene.formats.obj.texts import SQUARE, corners, triangles_of


def test_relative_indices_count_back_from_where_they_stand(read):
    file = read(
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nf -3 -2 -1\nv 5 0 0\nv 6 0 0\nv 6 1 0\nf -3 -2 -1\nf 1 -2 -1\n",
    )
    mesh = file.objects[0][1]
    assert corners(mesh) == [
        [(0, 0, 0), (1, 0, 0), (1, 1, 0)],
        [(5, 0, 0), (6, 0, 0), (6, 1, 0)],
        [(0, 0, 0), (6, 0, 0), (6, 1, 0)],
    ]


def test_relative_indices_of_normals_count_back_on_their_own(read):
    file = read("v 0 0 0\nv 1 0 0\nv 1 1 0\nvn 0 0 1\nf -3//-1 -2//-1 -1//-1\nvn 1 0 0\nf 1//-1 2//-1 3//-1\n")
    mesh = file.objects[0][1]
    np.testing.assert_allclose(mesh.normals[mesh.triangles[0]], [(0, 0, 1)] * 3)
    np.testing.assert_allclose(mesh.normals[mesh.triangles[1]], [(1, 0, 0)] * 3)


def test_relative_indices_of_texture_coordinates_count_back_on_their_own(read):
    file = read("v 0 0 0\nv 1 0 0\nv 1 1 0\nvt 0.5 0\nf -3/-1 -2/-1 -1/-1\nvt 0 1\nvt 1 1\nf 1/-1 2/-2 3/-3\n")
    mesh = file.objects[0][1]
    assert mesh.uvs[mesh.triangles].tolist() == [[[0.5, 0]] * 3, [[1, 1], [0, 1], [0.5, 0]]]


def test_an_absolute_index_may_refer_to_what_stands_further_below(read):
    file = read("f 1/1/1 2/1/1 3/1/1\nv 0 0 0\nv 1 0 0\nv 1 1 0\nvt 0.5 0.5\nvn 0 0 1\n")
    mesh = file.objects[0][1]
    assert corners(mesh) == triangles_of((1, 2, 3))
    assert (mesh.uvs == 0.5).all() and (mesh.normals == (0, 0, 1)).all()
    assert file.warnings == []


def test_quads_and_larger_polygons_between_triangles(read):
    pentagon = "v 0.5 2 0\n"
    file = read(SQUARE + pentagon + "f 1 2 3\nf 1 2 3 4\nf 1 2 3 5 4\nf 1 3 4\n")
    mesh = file.objects[0][1]
    assert len(mesh.triangles) == 1 + 2 + 3 + 1
    assert area(mesh) == pytest.approx(0.5 + 1.0 + 1.5 + 0.5)
    a, b, c = mesh.positions[mesh.triangles].swapaxes(0, 1)
    assert (np.cross(b - a, c - a)[:, 2] > 0.0).all(), "a triangle was turned over"


@pytest.mark.parametrize(
    "corner", ("{0}", "{0}/{0}", "{0}//{0}", "{0}/{0}/{0}", "{0}/", "{0}//", "{0}/{0}/", "+{0}/+{0}")
)
def test_corners_with_texture_and_normal_indices_or_without(read, corner):
    face = " ".join(corner.format(number) for number in (1, 2, 3))
    extra = "vt 0 0\nvt 1 0\nvt 1 1\n" + "vn 0 0 1\n" * 3
    file = read(f"{SQUARE}{extra}f {face}\n")
    assert corners(file.objects[0][1]) == triangles_of((1, 2, 3))
    assert file.warnings == []


def test_corners_of_every_kind_in_one_object(read):
    extra = "vt 0 0\nvn 0 0 1\n"
    file = read(SQUARE + extra + "f 1 2 3\nf 1//1 3//1 4//1\nf 1/1/1 2/1/1 4/1/1\nf 2/1 3/1 4/1\n")
    assert corners(file.objects[0][1]) == triangles_of((1, 2, 3), (1, 3, 4), (1, 2, 4), (2, 3, 4))


def test_corners_of_every_kind_in_one_face(read):
    file = read(SQUARE + "vt 0.25 0.75\nvn 0 0 1\nf 1 2/1 3//1 4/1/1\n")
    mesh = file.objects[0][1]
    assert corners(mesh) == triangles_of((1, 2, 3), (1, 3, 4))
    assert mesh.source_vertices.tolist() == [0, 1, 2, 3]
    assert mesh.uvs.tolist() == [[0, 0], [0.25, 0.75], [0, 0], [0.25, 0.75]]
    assert mesh.normals.tolist() == [[0, 0, 0], [0, 0, 0], [0, 0, 1], [0, 0, 1]]


def test_vertices_that_differ_only_in_a_normal_name_the_same_vertex_of_the_file(read):
    mesh = read(SQUARE + "vn 0 0 1\nvn 1 0 0\nf 1//1 2//1 3//1\nf 1//2 3//2 4//2\n").objects[0][1]
    assert mesh.source_vertices.tolist() == [0, 0, 1, 2, 2, 3]
    assert mesh.positions.tolist() == [[0, 0, 0], [0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 0], [0, 1, 0]]


def test_vertices_stand_in_the_files_order_whatever_the_order_of_their_use(read):
    mesh = read(SQUARE + "v 9 9 9\nf 4 3 2\nf 4 2 1\n").objects[0][1]
    assert mesh.source_vertices.tolist() == [0, 1, 2, 3]
    assert corners(mesh) == triangles_of((4, 3, 2), (4, 2, 1))


def test_few_vertices_far_apart_in_the_file_stand_in_its_order(read):
    text = "".join(f"v {number} 0 0\n" for number in range(5000))
    mesh = read(text + "v 0 1 0\no a\nf 5000 3 5001\nf 3 200 5001\n").objects[0][1]
    assert mesh.source_vertices.tolist() == [2, 199, 4999, 5000]
    assert mesh.positions[mesh.triangles[0], 0].tolist() == [4999, 2, 0]


def test_a_vertex_may_have_hundreds_of_texture_coordinates(read):
    count = 500
    text = SQUARE + "".join(f"vt {number} 0\n" for number in range(count))
    mesh = read(text + "".join(f"f 1/{k} 2/1 3/1\n" for k in range(1, count + 1)) * 2).objects[0][1]
    assert mesh.uvs[mesh.triangles[:, 0], 0].tolist() == list(range(count)) * 2
    assert mesh.source_vertices[mesh.triangles].tolist() == [[0, 1, 2]] * (2 * count)


def test_objects_share_the_files_vertices_but_not_each_others(read):
    file = read(SQUARE + "o a\nf 1 2 3\no b\nf 1 3 4\nf -4 -3 -2\n")
    assert [mesh.source_vertices.tolist() for _, mesh in file.objects] == [[0, 1, 2], [0, 1, 2, 3]]


def test_positions_keep_double_precision(read):
    file = read("v 1234567.0123456 0 0\nv 1234568.0123456 0 0\nv 0 1e-300 1e300\nf 1 2 3\n")
    assert file.objects[0][1].positions[:, 0].tolist()[:2] == [1234567.0123456, 1234568.0123456]


def test_numbers_in_every_spelling(read):
    file = read("v 0.0 -0 +0\nv 1e0 0. .0\nv +1.E+0 10e-1 0\nv +2.e1 0.5E+01 -1e-3\nf +1 2 3\nf 1 2 4\n")
    assert corners(file.objects[0][1])[0] == triangles_of((1, 2, 3))[0]
    assert file.objects[0][1].positions[3].tolist() == [20.0, 5.0, -0.001]
    assert file.warnings == []


# What is wrong with some of them.


@pytest.mark.parametrize(
    ("face", "kind"),
    [
        ("f 1 2 9", "face-index"),
        ("f 1 2 5", "face-index"),
        ("f 1 2 -9", "face-index"),
        ("f 1 2 -5", "face-index"),
        ("f 1 2 536870912", "face-index"),
        ("f 1 2 -536870912", "face-index"),
        ("f 1 2 2147483648", "face-index"),
        ("f 1 2 4294967297", "face-index"),
        ("f 1 2 -4294967297", "face-index"),
        ("f 1 2 18446744073709551617", "face-index"),
        ("f 1 2 -99999999999999999999999999", "face-index"),
        ("f 0 1 2", "index-zero"),
        ("f 1 0 2", "index-zero"),
        ("f 0/1 2/1 3/1", "index-zero"),
        ("f 1 -0 2", "index-zero"),
        ("f 1 2", "short-face"),
        ("f 1", "short-face"),
        ("f", "short-face"),
        ("f # 1 2 3", "short-face"),
        ("f 1 2 x", "index"),
        ("f 1 2 3x", "index"),
        ("f 1.5 2 3", "index"),
        ("f 1/ /2 3", "index"),
        ("f /1 2 3", "index"),
        ("f 1/1/1/1 2 3", "index"),
        ("f 1/a 2 3", "index"),
        ("f 1//a 2 3", "index"),
        ("f - 2 3", "index"),
        ("f 1 2 +-3", "index"),
        ("f 1,2,3", "index"),
        ("f 1 2 3 \\ 4", "index"),
        ("f one two three", "index"),
        ("f 1 2 ٣", "index"),
    ],
)
def test_a_broken_face_is_skipped_and_said_and_the_others_stay(read, face, kind):
    file = read(f"{SQUARE}vt 0 0\nvn 0 0 1\nf 1 2 3\n{face}\nf 1 3 4\n")
    assert corners(file.objects[0][1]) == triangles_of((1, 2, 3), (1, 3, 4))
    problem = only_problem(file)
    assert (problem.kind, problem.line, problem.count, problem.done) == (kind, 8, 1, "skipped")


def test_an_index_out_of_range_is_told_with_its_number_and_how_many_there_are(read):
    assert "vertex 9, and there are 4" in only_problem(read(SQUARE + "f 1 2 9\nf 1 2 3\nf 1 2 3 77\n")).what


@pytest.mark.parametrize("index", ("9", "-9", "0", "99999999999", "-99999999999"))
def test_a_face_without_its_texture_coordinate_is_shown_without_it(read, index):
    file = read(f"{SQUARE}vt 0.5 0.5\nf 1/1 2/{index} 3/1\nf 1/1 3/1 4/{index}\n")
    mesh = file.objects[0][1]
    assert corners(mesh) == triangles_of((1, 2, 3), (1, 3, 4))
    assert mesh.uvs[mesh.triangles[0]].tolist() == [[0.5, 0.5], [0, 0], [0.5, 0.5]]
    problem = only_problem(file)
    assert (problem.kind, problem.line, problem.count) == ("uv-index", 6, 2)


@pytest.mark.parametrize("index", ("9", "-9", "0", "99999999999", "-99999999999"))
def test_a_face_without_its_normal_is_shown_without_it(read, index):
    file = read(f"{SQUARE}vn 0 0 1\nf 1//1 2//{index} 3//1\nf 1//1 3//1 4//1\n")
    mesh = file.objects[0][1]
    assert corners(mesh) == triangles_of((1, 2, 3), (1, 3, 4))
    assert mesh.normals[mesh.triangles[0]].tolist() == [[0, 0, 1], [0, 0, 0], [0, 0, 1]]
    problem = only_problem(file)
    assert (problem.kind, problem.line, problem.count) == ("normal-index", 6, 1)


def test_texture_and_normal_indices_where_the_file_has_none_at_all(read):
    file = read(SQUARE + "f 1/1/1 2/2/2 3/3/3\nf 1/1 3/3 4/4\n")
    assert corners(file.objects[0][1]) == triangles_of((1, 2, 3), (1, 3, 4))
    assert kinds(file) == {"uv-index": 6, "normal-index": 3}


@pytest.mark.parametrize("number", ("nan", "NaN", "inf", "-inf", "1e400", "-INFINITY"))
def test_faces_at_a_vertex_that_is_not_finite_are_skipped(read, number):
    file = read(f"{SQUARE}v {number} 0 0\nf 1 2 3\nf 1 2 5\nf 1 3 4\nf 1 2 3 5\n")
    assert_sound(file)
    assert corners(file.objects[0][1]) == triangles_of((1, 2, 3), (1, 3, 4))
    problem = only_problem(file)
    assert (problem.kind, problem.line, problem.count) == ("not-finite", 7, 2)


@pytest.mark.parametrize(
    "vertex",
    [
        "v a b c",
        "v 0 0",
        "v 0",
        "v",
        "v\t",
        "v # 0 0 0",
        "v 0,5 1,0 0,0",
        "v 1 x 0",
        "v 3.1+e2 0 0",
        "v 1_0 0 0",
        "v 0x10 0 0",
    ],
)
def test_a_broken_vertex_is_said_and_keeps_its_number(read, vertex):
    file = read(f"v 0 0 0\n{vertex}\nv 1 0 0\nv 1 1 0\nf 1 3 4\nf 1 2 3\n")
    assert corners(file.objects[0][1]) == triangles_of((1, 2, 3))
    assert file.vertex_count == 4
    assert [(problem.kind, problem.line) for problem in file.problems] == [("vertex", 2), ("not-finite", 6)]


@pytest.mark.parametrize("number", ("1.#QNAN", "-1.#IND", "1.#INF00", "-1.#INF"))
@pytest.mark.parametrize("place", (0, 1, 2))
def test_what_windows_once_wrote_for_no_number_is_none(read, number, place):
    numbers = ["0", "0", "0"]
    numbers[place] = number
    file = read(f"{SQUARE}v {' '.join(numbers)}\nf 1 2 3\nf 1 2 5\n")
    assert corners(file.objects[0][1]) == triangles_of((1, 2, 3))
    assert "not-finite" in kinds(file)


@pytest.mark.parametrize("uv", ("vt", "vt x", "vt 0.5 x", "vt nan 0", "vt 0 inf", "vt 1e300 0", "vt 0,5 0"))
def test_a_broken_texture_coordinate_is_said_and_keeps_its_number(read, uv):
    file = read(f"{SQUARE}{uv}\nvt 0.5 0.25\nf 1/2 2/1 3/2\n")
    mesh = file.objects[0][1]
    assert mesh.uvs[mesh.triangles[0]].tolist() == [[0.5, 0.25], [0, 0], [0.5, 0.25]]
    assert (only_problem(file).kind, only_problem(file).line) == ("texture-coordinate", 5)


@pytest.mark.parametrize("normal", ("vn", "vn 0 0", "vn 0 x 1", "vn nan 0 1", "vn 0 0 -inf", "vn 1e39 0 0"))
def test_a_broken_normal_is_said_and_keeps_its_number(read, normal):
    file = read(f"{SQUARE}{normal}\nvn 0 0 1\nf 1//2 2//1 3//2\n")
    mesh = file.objects[0][1]
    assert mesh.normals[mesh.triangles[0]].tolist() == [[0, 0, 1], [0, 0, 0], [0, 0, 1]]
    assert (only_problem(file).kind, only_problem(file).line) == ("normal", 5)


def test_texture_coordinates_of_one_two_and_three_numbers(read):
    mesh = read(SQUARE + "vt 0.5\nvt 0.5 0.25\nvt 0.5 0.25 0.125\nf 1/1 2/2 3/3\n").objects[0][1]
    assert mesh.uvs[mesh.triangles[0]].tolist() == [[0.5, 0], [0.5, 0.25], [0.5, 0.25]]
