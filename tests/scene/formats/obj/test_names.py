"""Objects and groups: their names, their order, and how they hang together."""

import pytest

from octoscope.scene.formats.obj import blocks
from tests.scene.formats.obj.checks import kinds, only_problem, tree
from tests.scene.formats.obj.texts import SQUARE, corners, names, triangles_of


def test_objects_keep_their_names_and_the_files_order(read):
    file = read(SQUARE + "o zebra\nf 1 2 3\no apple\nf 1 3 4\ng mango\nf 2 3 4\n")
    assert names(file) == ["zebra", "apple", "mango"]
    for (_, mesh), face in zip(file.objects, [(1, 2, 3), (1, 3, 4), (2, 3, 4)], strict=True):
        assert corners(mesh) == triangles_of(face)
    assert (file.name, file.vertex_count, file.warnings) == ("scene.obj", 4, [])


def test_two_objects_of_one_name_stay_two(read):
    file = read(SQUARE + "o twin\nf 1 2 3\no other\nf 1 2 4\no twin\nf 1 3 4\no twin\nf 2 3 4\n")
    assert names(file) == ["twin", "other", "twin", "twin"]
    assert corners(file.objects[2][1]) == triangles_of((1, 3, 4))
    assert corners(file.objects[3][1]) == triangles_of((2, 3, 4))


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


def test_blanks_around_a_name_are_no_part_of_it(read):
    assert names(read(SQUARE + "o \t a b \t \r\nf 1 2 3\r\n")) == ["a b"]


def test_names_of_very_different_lengths(read):
    expected = ["a", "b" * 300, "", "c" * 100_000, "d", "é" * 200, "d"]
    file = read(SQUARE + "".join(f"o {name}\nf 1 2 3\n" for name in expected))
    assert names(file) == [name or "scene" for name in expected]


def test_groups_hang_below_their_object(read):
    file = read(SQUARE + "o house\ng wall\nf 1 2 3\ng roof\nf 1 3 4\no tree\ng crown\nf 1 2 3\ng trunk\nf 1 3 4\n")
    assert tree(file) == [
        "[house]",
        "[house]/wall",
        "[house]/roof",
        "[tree]",
        "[tree]/crown",
        "[tree]/trunk",
    ]
    assert file.warnings == []


def test_an_object_may_have_faces_of_its_own_and_groups(read):
    file = read(SQUARE + "o house\nf 1 2 3\ng roof\nf 1 3 4\n")
    assert tree(file) == ["house", "house/roof"]
    assert corners(file.objects[0][1]) == triangles_of((1, 2, 3))
    assert corners(file.objects[1][1]) == triangles_of((1, 3, 4))


def test_groups_before_any_object_stand_at_the_top(read):
    assert tree(read(SQUARE + "g a\nf 1 2 3\ng b\nf 1 3 4\no c\nf 1 2 3\n")) == ["a", "b", "c"]


def test_a_group_of_several_names_keeps_them_all(read):
    assert tree(read(SQUARE + "g wall north painted\nf 1 2 3\n")) == ["wall north painted"]


def test_a_group_that_only_repeats_its_objects_name_is_that_object(read):
    assert tree(read(SQUARE + "o Cube\ng Cube\nf 1 2 3\no Ball\ng Ball\nf 1 3 4\n")) == ["Cube", "Ball"]


def test_a_group_named_as_its_object_is_a_node_where_the_object_holds_more(read):
    assert tree(read(SQUARE + "o Cube\ng Cube\nf 1 2 3\ng rest\nf 1 3 4\n")) == ["[Cube]", "[Cube]/Cube", "[Cube]/rest"]
    assert tree(read(SQUARE + "o Cube\nf 1 2 3\ng Cube\nf 1 3 4\n")) == ["Cube", "Cube/Cube"]


def test_a_group_that_goes_on_is_one_node(read):
    file = read(SQUARE + "o a\ng x\nf 1 2 3\ng x\nf 1 3 4\ng y\nf 1 2 3\ng x\nf 2 3 4\n")
    assert tree(file) == ["[a]", "[a]/x", "[a]/y", "[a]/x"]
    assert corners(file.objects[0][1]) == triangles_of((1, 2, 3), (1, 3, 4))


def test_a_group_goes_on_across_empty_ones(read):
    assert tree(read(SQUARE + "g x\nf 1 2 3\ng nothing\ng x\nf 1 3 4\n")) == ["x"]


def test_groups_of_one_name_below_two_objects_stay_two(read):
    file = read(SQUARE + "o a\ng x\nf 1 2 3\ng y\nf 1 2 3\no b\ng y\nf 1 3 4\ng z\nf 1 3 4\n")
    assert tree(file) == ["[a]", "[a]/x", "[a]/y", "[b]", "[b]/y", "[b]/z"]


def test_objects_without_faces_are_left_out_and_counted(read):
    file = read(SQUARE + "o empty\no full\nf 1 2 3\ng last\n")
    assert tree(file) == ["full"]
    problem = only_problem(file)
    assert (problem.kind, problem.count, problem.line) == ("empty-object", 2, SQUARE.count("\n") + 1)


def test_an_object_that_only_holds_empty_groups_is_left_out(read):
    file = read(SQUARE + "o hollow\ng a\ng b\no full\nf 1 2 3\n")
    assert tree(file) == ["full"]
    assert kinds(file) == {"empty-object": 3}


def test_an_object_all_of_whose_faces_are_skipped_is_left_out_with_its_group(read):
    file = read(SQUARE + "o hollow\ng a\nf 1 2 9\ng b\nf 1 3 9\no half\ng c\nf 1 9 2\ng d\nf 1 2 3\n")
    assert tree(file) == ["[half]", "[half]/d"]
    assert kinds(file) == {"face-index": 3}


def test_faces_before_any_object_are_named_after_the_file(read):
    file = read(SQUARE + "f 1 2 3\no named\nf 1 3 4\n")
    assert tree(file) == ["scene", "named"]
    assert corners(file.objects[0][1]) == triangles_of((1, 2, 3))


@pytest.mark.parametrize("statement", ("o", "g", "o ", "g  ", "o\t"))
def test_an_object_without_a_name_is_named_after_the_file(read, statement):
    assert names(read(f"{SQUARE}o a\nf 1 2 3\n{statement}\nf 1 3 4\n")) == ["a", "scene"]


def test_materials_make_no_objects(read):
    file = read(SQUARE + "o a\nusemtl red\nf 1 2 3\nusemtl blue\nf 1 3 4\no b\nusemtl red\nf 1 2 3\n")
    assert tree(file) == ["a", "b"]


def test_a_thousand_objects(read):
    file = read(SQUARE + "".join(f"o part {number}\nf 1 2 3\nf 1 3 4\n" for number in range(1000)))
    assert names(file) == [f"part {number}" for number in range(1000)]
    assert all(len(mesh.triangles) == 2 for _, mesh in file.objects)


def test_lines_and_points_make_objects_too(read):
    file = read(SQUARE + "o a\nl 1 2\no b\np 3\no c\nf 1 2 3\nl 1 4\no d\n")
    assert tree(file) == ["a", "b", "c"]
    assert [(len(m.triangles), len(m.lines), len(m.points)) for _, m in file.objects] == [
        (0, 1, 0),
        (0, 0, 1),
        (1, 1, 0),
    ]
    assert kinds(file) == {"empty-object": 1}


@pytest.mark.parametrize("block_bytes", (64, 1000, None))
@pytest.mark.parametrize("line_end", ("\n", "\r\n", "\r"))
def test_the_line_of_every_object_and_group_is_known(read, monkeypatch, line_end, block_bytes):
    if block_bytes is not None:
        monkeypatch.setattr(blocks, "_BLOCK_BYTES", block_bytes)
    text = (
        f"{SQUARE}f 1 2 3\n# of nobody's name\no first\n\nf 1 2 \\\n3\no holds groups\ng one\nf 1 3 4\ng two\n"
        "usemtl x\nf 2 3 4\ng two\nf 1 2 4\no empty\no first\nf 1 2 3\no broken\nf 0 0 0\no last\nf 1 2 3\n"
    ) + "# more\n" * 40
    file = read((text + "o far\nf 1 2 3\n").replace("\n", line_end))
    lines = text.split("\n")
    by_name = {"one": "g one", "two": "g two", "last": "o last"}
    expected = [lines.index(by_name[name]) + 1 for name in ("one", "two", "last")]
    firsts = [number for number, line in enumerate(lines, start=1) if line == "o first"]
    assert list(map(str, file.meshes.names)) == ["scene", "first", "one", "two", "first", "last", "far"]
    assert file.meshes.source_lines.tolist() == [0, firsts[0], *expected[:2], firsts[1], expected[2], len(lines)]
