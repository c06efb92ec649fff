"""Lines, points, and vertices with more than three numbers."""

import numpy as np
import pytest

from tests.scene.formats.obj.checks import assert_sound, kinds, only_problem, segments
from tests.scene.formats.obj.texts import SQUARE, SQUARE_CORNERS, corners, triangles_of

# Lines.


def test_a_line_becomes_its_segments(read):
    file = read(SQUARE + "l 1 2 3 4\n")
    mesh = file.objects[0][1]
    assert segments(mesh) == [[[0, 0, 0], [1, 0, 0]], [[1, 0, 0], [1, 1, 0]], [[1, 1, 0], [0, 1, 0]]]
    assert (len(mesh.triangles), len(mesh.points), len(mesh.positions)) == (0, 0, 4)
    assert file.warnings == []


@pytest.mark.parametrize("line", ("l 1 2", "l -4 -3", "l 1/1 2/1", "l -4/-1 2/1", "  l\t1 \\\n 2 # side", "l 1/9 2/9"))
def test_a_segment_however_it_is_written(read, line):
    file = read(f"{SQUARE}vt 0 0\n{line}\n")
    assert segments(file.objects[0][1]) == [[[0, 0, 0], [1, 0, 0]]]
    assert file.warnings == []


def test_relative_indices_of_lines_and_points_count_back_from_where_they_stand(read):
    file = read("v 0 0 0\nv 1 0 0\nl -2 -1\np -1\nv 2 0 0\nv 3 0 0\nl -2 -1\np -1 -4\n")
    mesh = file.objects[0][1]
    assert segments(mesh) == [[[0, 0, 0], [1, 0, 0]], [[2, 0, 0], [3, 0, 0]]]
    assert mesh.positions[mesh.points].tolist() == [[1, 0, 0], [3, 0, 0], [0, 0, 0]]


def test_a_line_of_936_corners(read):
    text = "".join(f"v {number} 0 0\n" for number in range(936))
    mesh = read(text + "l " + " ".join(map(str, range(1, 937))) + "\n").objects[0][1]
    assert mesh.lines.tolist() == [[k, k + 1] for k in range(935)]


def test_lines_points_and_faces_in_one_object_share_its_vertices(read):
    file = read(SQUARE + "o a\nf 1 2 3\nl 3 4\np 1 4\n")
    mesh = file.objects[0][1]
    assert mesh.source_vertices.tolist() == [0, 1, 2, 3]
    assert (mesh.triangles.tolist(), mesh.lines.tolist(), mesh.points.tolist()) == ([[0, 1, 2]], [[2, 3]], [0, 3])


def test_each_object_has_its_own_lines_and_points(read):
    file = read(SQUARE + "o a\nl 1 2\np 1\no b\nl 3 4\np 2 3\nf 1 2 3\n")
    assert [mesh.source_vertices.tolist() for _, mesh in file.objects] == [[0, 1], [0, 1, 2, 3]]
    assert [segments(mesh) for _, mesh in file.objects] == [
        [[[0, 0, 0], [1, 0, 0]]],
        [[[1, 1, 0], [0, 1, 0]]],
    ]


def test_lines_and_points_have_the_material_that_holds_where_they_stand(read):
    file = read(SQUARE + "usemtl a\nl 1 2\nusemtl b\nf 1 2 3\np 4\nusemtl a\nl 3 4\np 1\n")
    mesh = file.objects[0][1]
    names = [file.materials[number].name for number in mesh.material_ids]
    assert [names[k] for k in mesh.lines.ravel()] == ["a", "a", "a", "a"]
    assert [names[k] for k in mesh.triangles.ravel()] == ["b", "b", "b"]
    assert [names[k] for k in mesh.points] == ["b", "a"]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("l", "short-line"),
        ("l 1", "short-line"),
        ("l 1 x", "index"),
        ("l 1 2 3.5", "index"),
        ("l 1x 2", "index"),
        ("l 1 2/x", "index"),
        ("l 1 2/1/1/1", "index"),
        ("l 0 1", "index-zero"),
        ("p x", "index"),
        ("p 1 2 x", "index"),
        ("p 1/1", "index"),
        ("p 0", "index-zero"),
        ("p 1 0", "index-zero"),
    ],
)
def test_a_broken_line_or_point_is_skipped_and_said(read, line, kind):
    file = read(f"{SQUARE}l 1 2\np 4\n{line}\np 3\nl 3 4\n")
    mesh = file.objects[0][1]
    assert segments(mesh) == [[[0, 0, 0], [1, 0, 0]], [[1, 1, 0], [0, 1, 0]]]
    assert mesh.positions[mesh.points].tolist() == [[0, 1, 0], [1, 1, 0]]
    problem = only_problem(file)
    assert (problem.kind, problem.line, problem.count, problem.done) == (kind, 7, 1, "skipped")


@pytest.mark.parametrize("index", ("9", "-9", "5", "99999999999", "-99999999999"))
def test_a_segment_or_point_out_of_range_is_dropped_and_the_others_stay(read, index):
    file = read(f"{SQUARE}v nan 0 0\nl 1 2 {index} 3 4\np 1 {index} 4\n")
    mesh = file.objects[0][1]
    assert_sound(file)
    assert segments(mesh) == [[[0, 0, 0], [1, 0, 0]], [[1, 1, 0], [0, 1, 0]]]
    assert mesh.positions[mesh.points].tolist() == [[0, 0, 0], [0, 1, 0]]
    assert [(problem.kind, problem.line, problem.count) for problem in file.problems] == [
        ("line-index", 6, 2),
        ("point-index", 7, 1),
    ]


@pytest.mark.parametrize("block_bytes", (64, 2**20))
def test_a_segment_or_point_out_of_range_is_told_with_its_line(read, monkeypatch, block_bytes):
    monkeypatch.setattr("octoscope.scene.formats.obj.blocks._BLOCK_BYTES", block_bytes)
    good = "l 1 2\nl 2 3\nl 3 4\nl 1 2 3\np 1\n\np 1 2\np 3 4\nf 1 2 3\nl 1 \\\n 2 3\nl 1 2 4\np 1 \\\n2\n# no\n"
    for before in (good[: good.index("\n", place) + 1] for place in range(0, len(good), 3)):
        lines = (SQUARE + before).count("\n")
        if before.endswith("\\\n"):
            continue
        file = read(SQUARE + before + "p 9\nl 1 2\nl 3 4 9 2\nl 1 2\np 1 9\n" + good)
        assert {problem.kind: (problem.line, problem.count) for problem in file.problems} == {
            "line-index": (lines + 3, 2),
            "point-index": (lines + 1, 2),
        }


# Vertices alone.


def test_vertices_alone_are_shown_as_points(read):
    file = read(SQUARE + "vn 0 0 1\n")
    mesh = file.objects[0][1]
    assert mesh.positions[mesh.points].tolist() == [list(corner) for corner in SQUARE_CORNERS]
    assert (only_problem(file).kind, only_problem(file).count) == ("points", 4)


def test_vertices_alone_belong_to_the_object_that_they_stand_under(read):
    file = read("v 0 0 0 1 0 0\no a\nv 1 0 0\nv 2 0 0\ng b\nusemtl red\nv 3 0 0\no empty\n")
    assert [(name, mesh.positions[:, 0].tolist()) for name, mesh in file.objects] == [
        ("scene", [0]),
        ("a", [1, 2]),
        ("b", [3]),
    ]
    assert file.materials[file.objects[2][1].material_ids[0]].name == "red"
    assert file.objects[0][1].colors.tolist() == [[255, 0, 0, 255]]


def test_points_of_vertices_that_are_not_finite_are_left_out(read):
    file = read("v 0 0 0\nv nan 0 0\nv 1 0\nv 2 0 0\n")
    assert file.objects[0][1].positions[:, 0].tolist() == [0, 2]
    assert_sound(file)
    assert kinds(file) == {"vertex": 1, "points": 4, "point-index": 2}


# Weights and colours.


@pytest.mark.parametrize("weight", ("1", "1.0", "+1e0"))
def test_a_weight_of_one_says_nothing(read, weight):
    file = read(f"v 0 0 0 {weight}\nv 1 0 0 1\nv 1 1 0 1.0\nf 1 2 3\n")
    assert corners(file.objects[0][1]) == triangles_of((1, 2, 3))
    assert (file.objects[0][1].colors == 255).all()
    assert file.warnings == []


def test_another_weight_is_left_out_and_said(read):
    file = read("v 0 0 0 0.5\nv 1 0 0 2\nv 1 1 0 1\nf 1 2 3\n")
    assert corners(file.objects[0][1]) == triangles_of((1, 2, 3))
    assert (only_problem(file).kind, only_problem(file).line, only_problem(file).count) == ("weight", 1, 2)


def test_colors_of_vertices(read):
    file = read("v 0 0 0 1 0 0\nv 1 0 0 0 0.5 0\nv 1 1 0 0 0 0.25\nf 1 2 3\n")
    assert file.objects[0][1].colors.tolist() == [[255, 0, 0, 255], [0, 128, 0, 255], [0, 0, 64, 255]]
    assert file.warnings == []


def test_colors_of_some_vertices_leave_the_others_white(read):
    file = read(SQUARE + "v 2 0 0 1 0 0\nv 2 1 0 1\nv 2 2 0 0 0 1\nv 3 0 0\nf 1 5 6\nf 6 7 8\n")
    assert file.objects[0][1].colors[:, :3].tolist() == [
        [255, 255, 255],
        [255, 0, 0],
        [255, 255, 255],
        [0, 0, 255],
        [255, 255, 255],
    ]
    assert file.warnings == []


def test_colors_written_as_bytes(read):
    file = read("v 0 0 0 255 0 0\nv 1 0 0 0 128 0\nv 1 1 0 0 1 64\nf 1 2 3\n")
    assert file.objects[0][1].colors.tolist() == [[255, 0, 0, 255], [0, 128, 0, 255], [0, 1, 64, 255]]


def test_a_color_a_little_above_one_does_not_darken_the_others(read):
    file = read("v 0 0 0 1.02 0 -0.5\nv 1 0 0 0 0.5 0\nv 1 1 0 1 1 1\nf 1 2 3\n")
    assert file.objects[0][1].colors[:, :3].tolist() == [[255, 0, 0], [0, 128, 0], [255, 255, 255]]


def test_colors_follow_their_vertices_into_every_object(read):
    file = read("v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 1 1 0 0 0 1\nv 0 1 0 0 0 0\no a\nf 4 3 2\no b\nf 1 3 4\n")
    assert [mesh.colors[:, :3].tolist() for _, mesh in file.objects] == [
        [[0, 255, 0], [0, 0, 255], [0, 0, 0]],
        [[255, 0, 0], [0, 0, 255], [0, 0, 0]],
    ]


@pytest.mark.parametrize(
    "rest", ("x", "1 x", "0.5 0.5 x", "1 0 0 x", "0.5 0.5", "nan 0 0", "0 inf 0", "0 0 -1e400", "nan", "#1", "1,0,0")
)
def test_what_is_no_color_is_left_out_and_said(read, rest):
    file = read(f"v 0 0 0 {rest}\nv 1 0 0 1 0 0\nv 1 1 0 0 1 0\nf 1 2 3\n")
    mesh = file.objects[0][1]
    assert corners(mesh) == triangles_of((1, 2, 3))
    assert mesh.colors[:, :3].tolist() == [[255, 255, 255], [255, 0, 0], [0, 255, 0]]
    if rest != "#1":
        assert (only_problem(file).kind, only_problem(file).line) in [("color", 1), ("weight", 1)]


def test_colors_hold_in_a_file_of_many_blocks(read, monkeypatch):
    monkeypatch.setattr("octoscope.scene.formats.obj.blocks._BLOCK_BYTES", 256)
    plain = "".join(f"v {number} 0 0\n" for number in range(200))
    colored = "".join(f"v {number} 1 0 {number % 2} 0 0\n" for number in range(200))
    mesh = read(plain + colored + plain.replace(" 0 0\n", " 2 0\n")).objects[0][1]
    expected = np.full((600, 3), 255)
    expected[200:400] = [(number % 2 * 255, 0, 0) for number in range(200)]
    assert (mesh.colors[:, :3] == expected).all()
