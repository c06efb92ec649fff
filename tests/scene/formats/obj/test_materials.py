"""Materials as an OBJ file uses them: which triangle has which. What an .mtl file says is in tests/scene/mtl."""

import pytest

from octoscope.scene import FileContent
from tests.scene.formats.obj.checks import only_problem
from tests.scene.formats.obj.texts import RED_AND_BLUE, SQUARE

FACE = "f 1 2 3\n"


def material_by_triangle(file: FileContent) -> list[list[str]]:
    """Names, for each object."""
    found = []
    for _, mesh in file.objects:
        ids = mesh.material_ids[mesh.triangles]
        assert (ids == ids[:, :1]).all()
        found.append([file.materials[number].name for number in ids[:, 0]])
    return found


def test_materials_are_ranges_in_an_object(read):
    text = "mtllib a.mtl\n" + SQUARE + f"o a\nusemtl red\n{FACE * 2}usemtl blue\n{FACE}usemtl red\n{FACE}"
    file = read(text, **{"a.mtl": RED_AND_BLUE})
    assert material_by_triangle(file) == [["red", "red", "blue", "red"]]
    assert len(file.objects[0][1].positions) == 6
    assert file.warnings == []


def test_a_material_holds_until_the_next_across_objects_and_groups(read):
    text = f"{SQUARE}{FACE}usemtl red\n{FACE}o a\n{FACE}g b\n{FACE}usemtl blue\n{FACE}o c\n{FACE}"
    file = read("mtllib a.mtl\n" + text, **{"a.mtl": RED_AND_BLUE})
    assert material_by_triangle(file) == [["default", "red"], ["red"], ["red", "blue"], ["blue"]]


def test_materials_are_listed_in_the_order_of_their_first_use(read):
    text = f"{SQUARE}usemtl blue\n{FACE}usemtl red\n{FACE}usemtl blue\n{FACE}"
    file = read("mtllib a.mtl\n" + text, **{"a.mtl": RED_AND_BLUE})
    assert [material.name for material in file.materials] == ["default", "blue", "red"]


def test_a_polygon_has_its_material_in_all_its_triangles(read):
    file = read(SQUARE + "v 0.5 0.5 0\nusemtl a\nf 1 2 3 4\nusemtl b\nf 1 2 5 3 4\n")
    assert material_by_triangle(file) == [["a", "a", "b", "b", "b"]]


def test_a_use_without_a_name_means_none(read):
    assert material_by_triangle(read(f"{SQUARE}usemtl a\n{FACE}usemtl\n{FACE}usemtl \n{FACE}")) == [
        ["a", "default", "default"]
    ]


@pytest.mark.parametrize("name", ("two words", "grün", "f 1 2 3", "0", "a#b", "C:\\red", "x" * 1000))
def test_a_materials_name_may_hold_anything(read, name):
    file = read(f"mtllib a.mtl\n{SQUARE}usemtl {name}\n{FACE}", **{"a.mtl": f"newmtl {name}\nKd 1 0 0\n"})
    assert material_by_triangle(file) == [[name]]
    assert file.materials[1].base_color == (1, 0, 0)


def test_a_comment_behind_a_materials_name_is_no_part_of_it(read):
    text = f"mtllib a.mtl\n{SQUARE}usemtl red # the colour\n{FACE}usemtl blue#cold\n{FACE}"
    file = read(text, **{"a.mtl": RED_AND_BLUE})
    assert [material.base_color for material in file.materials[1:]] == [(1, 0, 0), (0, 0, 1)]
    assert file.warnings == []


def test_unknown_materials_are_told_once_with_their_names(read):
    known = f"mtllib a.mtl\n{SQUARE}{FACE}usemtl red\n{FACE}"
    text = known + "".join(f"usemtl m{k % 9}\n{FACE}" for k in range(20))
    problem = only_problem(read(text, **{"a.mtl": RED_AND_BLUE}))
    assert (problem.kind, problem.count, problem.line) == ("material-unknown", 9, known.count("\n") + 1)
    assert "'m0', 'm1'" in problem.what


def test_several_libraries_before_and_after_their_use(read):
    files = {"a.mtl": "newmtl red\nKd 1 0 0\n", "b.mtl": "newmtl blue\nKd 0 0 1\n", "c.mtl": "newmtl green\nKd 0 1 0\n"}
    text = f"mtllib a.mtl b.mtl\n{SQUARE}usemtl red\n{FACE}usemtl blue\n{FACE}usemtl green\n{FACE}mtllib c.mtl\n"
    file = read(text, **files)
    assert [material.base_color for material in file.materials[1:]] == [(1, 0, 0), (0, 0, 1), (0, 1, 0)]
    assert file.warnings == []
