"""OBJ files as they are met in the wild, and as they should not be.

Most texts begin with SQUARE, four vertices counterclockwise from the origin, and say in one line what is special.
"""

from pathlib import Path

import numpy as np
import pytest

from scene import FileContent, MeshData, ReadError, read_obj
from tests.scene.obj_texts import RED_AND_BLUE, SQUARE, assert_one_warning, corners, names, triangles_of


def area(mesh: MeshData) -> float:
    a, b, c = mesh.positions[mesh.triangles].swapaxes(0, 1)
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2.0)


def assert_one_square_triangle(file: FileContent) -> None:
    assert len(file.objects) == 1
    assert corners(file.objects[0][1]) == triangles_of((1, 2, 3))
    assert file.warnings == []


# Objects and their names.


def test_objects_keep_their_names_and_the_files_order(read):
    file = read(SQUARE + "o zebra\nf 1 2 3\no apple\nf 1 3 4\ng mango\nf 2 3 4\n")
    assert names(file) == ["zebra", "apple", "mango"]
    for (_, mesh), face in zip(file.objects, [(1, 2, 3), (1, 3, 4), (2, 3, 4)], strict=True):
        assert corners(mesh) == triangles_of(face)
    assert (file.name, file.vertex_count, file.warnings) == ("scene.obj", 4, [])


def test_two_objects_of_one_name_stay_two(read):
    file = read(SQUARE + "o twin\nf 1 2 3\no other\nf 1 2 4\no twin\nf 1 3 4\n")
    assert names(file) == ["twin", "other", "twin"]
    assert corners(file.objects[2][1]) == triangles_of((1, 3, 4))


@pytest.mark.parametrize(
    "name",
    [
        "usemtl thing",
        "o",
        "f 1 2 3",
        "v 0 0 0",
        "mtllib x.mtl",
        "# not a comment",
        "two  blanks between",
        "0",
        "1_2",
        "-1",
        "geometry",
        "a/b\\c",
        "a # b",
        "Dach_süd",
        "屋根 🙂",
        "$1 {} %s \\1",
        "x" * 500,
    ],
)
@pytest.mark.parametrize("keyword", ("o", "g"))
def test_a_name_may_hold_anything(read, keyword, name):
    file = read(f"{SQUARE}o first\nf 1 2 3\n{keyword} {name}\nf 1 3 4\n")
    assert names(file) == ["first", name]
    assert corners(file.objects[1][1]) == triangles_of((1, 3, 4))


def test_a_group_below_an_object_is_what_its_faces_belong_to(read):
    assert names(read(SQUARE + "o house\ng wall\nf 1 2 3\ng roof\nf 1 3 4\n")) == ["wall", "roof"]


def test_objects_without_faces_are_left_out(read):
    assert names(read(SQUARE + "o empty\no full\nf 1 2 3\ng last\n")) == ["full"]


def test_faces_before_any_object_are_named_after_the_file(read):
    file = read(SQUARE + "f 1 2 3\no named\nf 1 3 4\n")
    assert names(file) == ["scene", "named"]
    assert corners(file.objects[0][1]) == triangles_of((1, 2, 3))


@pytest.mark.parametrize("statement", ("o", "g", "o ", "g  "))
def test_an_object_without_a_name_is_named_after_the_file(read, statement):
    assert names(read(f"{SQUARE}o a\nf 1 2 3\n{statement}\nf 1 3 4\n")) == ["a", "scene"]


def test_a_thousand_objects(read):
    file = read(SQUARE + "".join(f"o part {number}\nf 1 2 3\nf 1 3 4\n" for number in range(1000)))
    assert names(file) == [f"part {number}" for number in range(1000)]
    assert all(len(mesh.triangles) == 2 for _, mesh in file.objects)


# How the text is laid out.


@pytest.mark.parametrize(
    "text",
    [
        "  v 0 0 0\n\tv 1 0 0\n \t v 1 1 0\n    f 1 2 3\n",
        "v\t0\t0\t0\nv\t1 0 0\nv 1\t1\t0\nf\t1\t2\t3\n",
        SQUARE + "f 1 2 3 # a comment\n",
        SQUARE + "f 1 2 3#a comment\n",
        "# above\nv 0 0 0 # origin\nv 1 0 0\n#v 9 9 9\n  # f 1 2 3\nv 1 1 0\nf 1 2 3\n# below",
        (SQUARE + "f 1 2 3\n").replace("\n", "\r\n"),
        (SQUARE + "f 1 2 3\n").replace("\n", "\r"),
        "v 0 0 \\\n0\nv 1 0 0\nv 1 1 0\nf 1 \\\n2 \\\n3\n",
        "v 0 0 \\\r\n0\r\nv 1 0 0\r\nv 1 1 0\r\nf 1 2 \\\r\n3\r\n",
        SQUARE + "f 1 2 3",
        SQUARE + "\n\n   \n\nf  1   2  3   \n\n\n",
        "v 0.0 -0 +0\nv 1e0 0. .0\nv +1.E+0 10e-1 0\nf +1 2 3\n",
    ],
    ids=[
        "indented",
        "tabs",
        "comment behind a face",
        "comment touching a face",
        "comments everywhere",
        "CRLF",
        "bare CR",
        "continued lines",
        "continued lines with CRLF",
        "no final newline",
        "blank lines and many blanks",
        "numbers in every spelling",
    ],
)
def test_the_same_triangle_however_it_is_written(read, text):
    assert_one_square_triangle(read(text))


@pytest.mark.parametrize("encoding", ("utf-8", "utf-8-sig", "utf-16", "latin-1"))
def test_text_in_every_encoding(read, encoding):
    file = read((SQUARE + "o Dach_süd\nf 1 2 3\n").encode(encoding))
    assert names(file) == ["Dach_süd"]
    assert corners(file.objects[0][1]) == triangles_of((1, 2, 3))


def test_a_big_endian_utf_16_text(read):
    assert names(read(b"\xfe\xff" + (SQUARE + "o é\nf 1 2 3\n").encode("utf-16-be"))) == ["é"]


def test_a_file_name_that_is_not_ascii_and_in_upper_case(tmp_path):
    path = tmp_path / "Größe 屋根.OBJ"
    path.write_text(SQUARE + "f 1 2 3\n")
    assert names(read_obj(path)) == ["Größe 屋根"]
    assert names(read_obj(str(path))) == ["Größe 屋根"]


# Faces.


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


def test_quads_and_larger_polygons_between_triangles(read):
    pentagon = "v 0.5 2 0\n"
    file = read(SQUARE + pentagon + "f 1 2 3\nf 1 2 3 4\nf 1 2 3 5 4\nf 1 3 4\n")
    mesh = file.objects[0][1]
    assert len(mesh.triangles) == 1 + 2 + 3 + 1
    assert area(mesh) == pytest.approx(0.5 + 1.0 + 1.5 + 0.5)
    a, b, c = mesh.positions[mesh.triangles].swapaxes(0, 1)
    assert (np.cross(b - a, c - a)[:, 2] > 0.0).all(), "a triangle was turned over"


@pytest.mark.parametrize("corner", ("{0}", "{0}/{0}", "{0}//{0}", "{0}/{0}/{0}", "{0}/", "{0}//"))
def test_corners_with_texture_and_normal_indices_or_without(read, corner):
    face = " ".join(corner.format(number) for number in (1, 2, 3))
    extra = "vt 0 0\nvt 1 0\nvt 1 1\n" + "vn 0 0 1\n" * 3
    assert_one_square_triangle(read(f"{SQUARE}{extra}f {face}\n"))


def test_corners_of_every_kind_in_one_object(read):
    extra = "vt 0 0\nvn 0 0 1\n"
    file = read(SQUARE + extra + "f 1 2 3\nf 1//1 3//1 4//1\nf 1/1/1 2/1/1 4/1/1\nf 2/1 3/1 4/1\n")
    assert sorted(corners(file.objects[0][1])) == sorted(triangles_of((1, 2, 3), (1, 3, 4), (1, 2, 4), (2, 3, 4)))


def test_normals_are_kept_by_corner_and_made_unit(read):
    mesh = read(SQUARE + "vn 0 0 2\nvn 3 0 0\nf 1//1 2//1 3//1\nf 1//2 3//2 4//2\n").objects[0][1]
    np.testing.assert_allclose(mesh.normals[mesh.triangles], [[(0, 0, 1)] * 3, [(1, 0, 0)] * 3])


def test_normals_of_length_zero_or_nan_mean_no_normal(read):
    mesh = read(SQUARE + "vn 0 0 0\nvn nan 0 1\nvn 0 0 1\nf 1//1 2//2 3//3\n").objects[0][1]
    normals = mesh.normals[mesh.triangles[0]]
    assert np.isfinite(normals).all()
    assert (normals[0] == 0.0).all() and normals[2, 2] == 1.0


@pytest.mark.parametrize(
    "vertices",
    [
        "v 0 0 0 1\nv 1 0 0 1\nv 1 1 0 1\n",
        "v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 1 1 0 0 0 1\n",
        "v 0 0 0 1 0 0\nv 1 0 0\nv 1 1 0 1\n",
    ],
    ids=["with w", "with colours", "some with colours, some with w"],
)
def test_vertices_with_more_than_three_numbers(read, vertices):
    file = read(vertices + "f 1 2 3\n")
    assert_one_square_triangle(file)


def test_positions_keep_double_precision(read):
    file = read("v 1234567.0123456 0 0\nv 1234568.0123456 0 0\nv 0 1e-300 1e300\nf 1 2 3\n")
    assert file.objects[0][1].positions[:, 0].tolist()[:2] == [1234567.0123456, 1234568.0123456]


# What is skipped, with a word.


@pytest.mark.parametrize(("statement", "keyword"), [("l 1 2 3", "'l'"), ("p 1", "'p'"), ("curv 0 1 1 2", "'curv'")])
def test_lines_points_and_curves_are_skipped_with_a_warning(read, tmp_path, statement, keyword):
    file = read(f"{SQUARE}{statement}\nf 1 2 3\n{statement}\n")
    assert corners(file.objects[0][1]) == triangles_of((1, 2, 3))
    assert_one_warning(file, tmp_path / "scene.obj", "2", keyword, "skipped")


@pytest.mark.parametrize("number", ("nan", "NaN", "inf", "-inf", "1e400"))
def test_triangles_at_a_vertex_that_is_not_finite_are_dropped_with_a_warning(read, tmp_path, number):
    file = read(f"{SQUARE}v {number} 0 0\nf 1 2 3\nf 1 2 5\nf 1 3 4\n")
    mesh = file.objects[0][1]
    assert np.isfinite(mesh.positions).all()
    assert corners(mesh) == triangles_of((1, 2, 3), (1, 3, 4))
    assert_one_warning(file, tmp_path / "scene.obj", "1 triangles skipped", "finite")


def test_an_object_of_such_triangles_alone_is_left_out(read):
    assert names(read(SQUARE + "v nan 0 0\no broken\nf 1 2 5\no sound\nf 1 2 3\n")) == ["sound"]


@pytest.mark.parametrize("face", ("f 0 1 2", "f 1 0 2", "f 0/1 2/1 3/1", "f 1 2 -9"))
def test_a_face_with_an_index_of_0_or_before_the_first_is_skipped_with_a_warning(read, tmp_path, face):
    file = read(f"{SQUARE}vn 0 0 1\n{face}\nf 1 2 3\n")
    assert corners(file.objects[0][1]) == triangles_of((1, 2, 3))
    assert_one_warning(file, tmp_path / "scene.obj", "1 faces", "index of 0", "skipped")


def test_indices_with_a_zero_in_them_are_not_indices_of_0(read):
    file = read("v 9 9 9\n" * 100 + SQUARE + "f 101 102 103\nf 10 20 100\n")
    assert len(file.objects[0][1].triangles) == 2
    assert file.warnings == []


def test_faces_with_one_or_two_corners_are_skipped_with_a_warning(read, tmp_path):
    file = read(SQUARE + "f 1 2\nf 1\nf 1 2 3\nf\n")
    assert corners(file.objects[0][1]) == triangles_of((1, 2, 3))
    assert_one_warning(file, tmp_path / "scene.obj", "3 faces", "fewer than three")


# What is refused.

BAD_TEXTS = {
    "empty": b"",
    "blanks only": b" \n\t\r\n  ",
    "comments only": b"# made by nobody\n",
    "binary": bytes(range(256)) * 4,
    "binary without zeros": bytes(range(128, 256)) * 4,
    "a binary that begins like an OBJ": SQUARE.encode() + b"f 1 2 3\n\0\1\2",
    "a picture": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "a binary glTF": b"glTF\x02\0\0\0\x10\0\0\0",
    "a text that is no OBJ": b"Dear Sir or Madam,\nthis is a letter.\n",
    "JSON": b'{"asset": {"version": "2.0"}}',
    "vertices without faces": SQUARE.encode(),
    "faces without vertices": b"f 1 2 3\n",
    "an index out of range": SQUARE.encode() + b"f 1 2 9\n",
    "an index far out of range": SQUARE.encode() + b"f 1 2 99999999999999999999\n",
    "relative indices out of range only": SQUARE.encode() + b"f -9 -8 -7\n",
    "an index of 0 only": SQUARE.encode() + b"f 0 1 2\n",
    "faces of two corners only": SQUARE.encode() + b"f 1 2\n",
    "NaN vertices only": b"v nan nan nan\n" * 3 + b"f 1 2 3\n",
    "words for coordinates": b"v a b c\nv 1 0 0\nv 1 1 0\nf 1 2 3\n",
    "two coordinates": b"v 0 0\nv 1 0\nv 1 1\nf 1 2 3\n",
    "one vertex of two coordinates": b"v 0 0 0\nv 1 0\nv 1 1 0\nf 1 2 3\n",
    "decimal commas": b"v 0,5 1,0 0,0\nv 1,0 0,0 1,0\nv 1,0 1,0 0,0\nf 1 2 3\n",
    "words for indices": SQUARE.encode() + b"f one two three\n",
    "a word among the indices": SQUARE.encode() + b"f 1 2 x\n",
    "fractions for indices": SQUARE.encode() + b"f 1.5 2 3\n",
}


def assert_says_what_is_wrong_in_one_line(error: ReadError, path: Path) -> None:
    message = str(error)
    assert message.startswith(f"{path}: ")
    assert len(message.splitlines()) == 1
    assert len(message) - len(str(path)) > 20


@pytest.mark.parametrize("name", BAD_TEXTS)
def test_a_file_that_cannot_be_shown_is_refused_in_one_line(read, tmp_path, name):
    with pytest.raises(ReadError) as refused:
        read(BAD_TEXTS[name])
    assert_says_what_is_wrong_in_one_line(refused.value, tmp_path / "scene.obj")


@pytest.mark.parametrize("name", ("gone.obj", "no/such/folder.obj", "", "x" * 300 + ".obj"))
def test_a_path_that_is_no_file_is_refused_in_one_line(tmp_path, name):
    path = tmp_path / name
    with pytest.raises(ReadError) as refused:
        read_obj(path)
    assert_says_what_is_wrong_in_one_line(refused.value, path)


@pytest.mark.parametrize("name", ("two\nlines.obj", "a\0b.obj", "a\x1b[31mb.obj"))
def test_a_path_that_would_break_the_line_is_shown_with_escapes(tmp_path, name):
    with pytest.raises(ReadError) as refused:
        read_obj(tmp_path / name)
    message = str(refused.value)
    assert message.startswith(str(tmp_path)) and message.isprintable()


@pytest.mark.parametrize("cut", range(5, 200, 13))
def test_a_file_cut_off_anywhere_is_read_or_refused_but_never_worse(read, tmp_path, cut):
    text = f"mtllib a.mtl\n{SQUARE}vn 0 0 1\no one\nusemtl red\nf 1//1 2//1 3//1\nf -4 -3 -2 -1\no two\nf 1 2 \\\n3\n"
    text += text
    try:
        file = read(text[:cut], **{"a.mtl": RED_AND_BLUE})
    except ReadError as error:
        assert_says_what_is_wrong_in_one_line(error, tmp_path / "scene.obj")
    else:
        assert all(len(mesh.triangles) for _, mesh in file.objects)


@pytest.mark.parametrize(
    ("statements", "line"),
    [
        ("f 1 2 9\n", 5),
        ("f 1 2 3\n# comment\n\nv 1 x 0\n", 8),
        ("f 1 \\\n 2 \\\n 3\nf 1 2 -9x\n", 8),
        ("f -1 -2 -3\nf 2 99 1\n", 6),
    ],
)
def test_a_broken_statement_is_told_with_its_line_and_in_its_own_words(read, statements, line):
    text = SQUARE + statements
    with pytest.raises(ReadError) as refused:
        read(text)
    assert f"line {line}: '{text.splitlines()[line - 1]}'" in str(refused.value)
