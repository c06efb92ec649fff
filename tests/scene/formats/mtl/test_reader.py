"""Materials: libraries as they are met in the wild, and which triangle has which colour."""

import pytest

from octoscope.scene import DEFAULT_MATERIAL, FileContent
from tests.scene.formats.obj.texts import RED_AND_BLUE, SQUARE, Read, assert_one_warning, corners, names, triangles_of


def color_by_triangle(file: FileContent, number: int = 0) -> list[tuple[float, float, float]]:
    mesh = file.objects[number][1]
    assert (mesh.material_ids[mesh.triangles] == mesh.material_ids[mesh.triangles][:, :1]).all()
    return [file.materials[material].base_color for material in mesh.material_ids[mesh.triangles][:, 0]]


def test_an_object_of_two_materials_is_one_mesh(read):
    text = "mtllib a.mtl\n" + SQUARE + "o both\nusemtl red\nf 1 2 3\nusemtl blue\nf 1 3 4\nusemtl red\nf 2 3 4\n"
    file = read(text, **{"a.mtl": RED_AND_BLUE})
    assert names(file) == ["both"]
    assert corners(file.objects[0][1]) == triangles_of((1, 2, 3), (1, 3, 4), (2, 3, 4))
    assert color_by_triangle(file) == [(1, 0, 0), (0, 0, 1), (1, 0, 0)]
    assert file.warnings == []


def test_a_material_holds_until_the_next_across_objects(read):
    text = "mtllib a.mtl\n" + SQUARE + "o none\nf 1 2 3\nusemtl red\no a\nf 1 2 3\no b\nf 1 2 3\nusemtl blue\nf 1 3 4\n"
    file = read(text, **{"a.mtl": RED_AND_BLUE})
    assert names(file) == ["none", "a", "b"]
    assert color_by_triangle(file, 0) == [DEFAULT_MATERIAL.base_color]
    assert color_by_triangle(file, 1) == [(1, 0, 0)]
    assert color_by_triangle(file, 2) == [(1, 0, 0), (0, 0, 1)]


def material(read: Read, mtl: str | bytes, name: str = "m"):
    file = read(f"mtllib a.mtl\n{SQUARE}usemtl {name}\nf 1 2 3\n", **{"a.mtl": mtl})
    assert file.warnings == []
    (found,) = [material for material in file.materials if material.name == name]
    return found


def test_every_property_of_a_material_is_read(read):
    found = material(read, "newmtl m\nKa 1 1 1\nKd 0.1 0.2 0.3\nKs 0.9 0.6 0.3\nKe 0.5 0.25 0\nNs 50\nd 0.75\n")
    assert found.base_color == (0.1, 0.2, 0.3)
    assert found.specular == pytest.approx(0.6)
    assert found.emission == (0.5, 0.25, 0.0)
    assert (found.shininess, found.opacity) == (50.0, 0.75)


def test_a_property_that_is_not_given_is_the_defaults(read):
    found = material(read, "newmtl m\n")
    assert found.base_color == DEFAULT_MATERIAL.base_color and found.opacity == 1.0


def test_transparency_is_the_opposite_of_opacity(read):
    assert material(read, "newmtl m\nTr 0.25\n").opacity == 0.75


@pytest.mark.parametrize(
    "mtl",
    [
        "\tnewmtl m\n\tKd\t1 0 0\n",
        "newmtl m\r\nKd 1 0 0\r\n",
        "newmtl m\rKd 1 0 0\r",
        "# red\n\nnewmtl m\n# more\nKd 1 0 0\n",
        "newmtl m\nKd 1 0 0 # red\n",
        "\ufeffnewmtl m\nKd 1 0 0\n",
        "newmtl m\nKd 1 0 0",
        "newmtl m\nKd 1 0 0\n# gr\xfcn\n".encode("latin-1"),
        "newmtl m\nKd 1 0 0\n".encode("utf-16"),
    ],
    ids=["tabs", "CRLF", "bare CR", "comments", "comment behind", "BOM", "no newline", "Latin-1", "UTF-16"],
)
def test_the_same_material_however_it_is_written(read, mtl):
    assert material(read, mtl).base_color == (1.0, 0.0, 0.0)


@pytest.mark.parametrize("name", ("two words", "grün", "Kd 1 1 1", "0"))
def test_a_materials_name_may_hold_anything(read, name):
    assert material(read, f"newmtl other\nKd 0 1 0\nnewmtl {name}\nKd 1 0 0\n", name).base_color == (1.0, 0.0, 0.0)


@pytest.mark.parametrize("name", ("my materials.mtl", "two  blanks.mtl", "grün.mtl"))
def test_a_library_whose_name_holds_blanks(read, name):
    file = read(f"mtllib {name}\n{SQUARE}usemtl red\nf 1 2 3\n", **{name: RED_AND_BLUE})
    assert color_by_triangle(file) == [(1, 0, 0)]
    assert file.warnings == []


def test_two_libraries_in_one_statement_and_in_two(read):
    files = {"a.mtl": "newmtl red\nKd 1 0 0\n", "b.mtl": "newmtl blue\nKd 0 0 1\n"}
    for libraries in ("mtllib a.mtl b.mtl\n", "mtllib a.mtl\nmtllib b.mtl\n"):
        file = read(libraries + SQUARE + "usemtl red\nf 1 2 3\nusemtl blue\nf 1 3 4\n", **files)
        assert color_by_triangle(file) == [(1, 0, 0), (0, 0, 1)]
        assert file.warnings == []


def test_a_library_below_a_folder_named_as_windows_does(read, tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.mtl").write_text(RED_AND_BLUE)
    assert color_by_triangle(read(f"mtllib sub\\a.mtl\n{SQUARE}usemtl red\nf 1 2 3\n")) == [(1, 0, 0)]


def test_a_comment_behind_a_librarys_name(read):
    file = read(f"mtllib a.mtl # the colours\n{SQUARE}usemtl red\nf 1 2 3\n", **{"a.mtl": RED_AND_BLUE})
    assert color_by_triangle(file) == [(1, 0, 0)]


def test_a_missing_library_is_warned_of_and_shows_default_colours(read, tmp_path):
    file = read(f"mtllib gone.mtl\n{SQUARE}f 1 2 3\n")
    assert_one_warning(file, tmp_path / "scene.obj", "gone.mtl", "not found")
    assert color_by_triangle(file) == [DEFAULT_MATERIAL.base_color]


def test_a_material_that_no_library_has_is_warned_of_and_keeps_its_name(read, tmp_path):
    file = read(f"mtllib a.mtl\n{SQUARE}usemtl pink\nf 1 2 3\n", **{"a.mtl": RED_AND_BLUE})
    assert_one_warning(file, tmp_path / "scene.obj", "'pink'")
    assert color_by_triangle(file) == [DEFAULT_MATERIAL.base_color]
    assert "pink" in [found.name for found in file.materials]


def test_a_use_of_no_material_means_the_default(read):
    file = read(f"mtllib a.mtl\n{SQUARE}usemtl red\nf 1 2 3\nusemtl\nf 1 3 4\n", **{"a.mtl": RED_AND_BLUE})
    assert color_by_triangle(file) == [(1, 0, 0), DEFAULT_MATERIAL.base_color]


@pytest.mark.parametrize("mtl", (b"\0\1\2\xff", b"", b"newmtl\nnewmtl red\nKd\nKd a b c\n", b"Kd 1 0 0\n"))
def test_a_broken_library_does_not_keep_the_scene_from_opening(read, mtl):
    file = read(f"mtllib a.mtl\n{SQUARE}usemtl red\nf 1 2 3\n", **{"a.mtl": mtl})
    assert corners(file.objects[0][1]) == triangles_of((1, 2, 3))
    assert color_by_triangle(file) == [DEFAULT_MATERIAL.base_color]
    assert all("\n" not in warning for warning in file.warnings)
