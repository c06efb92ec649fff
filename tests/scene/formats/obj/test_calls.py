"""Files that an OBJ file reads in place by `call`."""

import pytest

from tests.scene.formats.obj.checks import kinds, only_problem, tree
from tests.scene.formats.obj.texts import SQUARE, corners, triangles_of


def test_a_called_file_stands_in_place_of_the_call(read, tmp_path):
    (tmp_path / "other.obj").write_text("o inner\nf -4 -3 -2\nf 1 2 4")
    file = read(SQUARE + "o outer\nf 1 2 3\ncall other.obj\nf 2 3 4\no last\nf 1 3 4\n")
    assert file.warnings == []
    assert tree(file) == ["outer", "inner", "last"]
    assert corners(file.objects[1][1]) == triangles_of((1, 2, 3), (1, 2, 4), (2, 3, 4))
    assert file.dependencies == {tmp_path / "other.obj"} and file.read_materials is None
    assert file.meshes.source_lines.tolist() == [5, 7, 9]


def test_arguments_stand_for_dollars_and_numbers(read, tmp_path):
    (tmp_path / "face.obj").write_text("f $1 $2 $3\n")
    file = read(SQUARE + "call face.obj 1 2 3\n  call face.obj 2 3 4 # all\ncall face.obj 1 2\n")
    assert corners(file.objects[0][1]) == triangles_of((1, 2, 3), (2, 3, 4))
    problem = only_problem(file)
    assert (problem.kind, problem.line, problem.file) == ("short-face", 1, str(tmp_path / "face.obj"))
    assert problem.named_by == str(tmp_path / "scene.obj")


def test_problems_have_their_own_file_and_line(read, tmp_path):
    (tmp_path / "other.obj").write_text("\nf 1 2\ncall missing.obj\nusemtl nothing\nf 1 2 3\n")
    file = read(SQUARE + "\n\ncall other.obj\nf 1 2 99\nlod 3\n")
    told = {problem.kind: (problem.file.rpartition("/")[2], problem.line) for problem in file.problems}
    assert told == {
        "call": ("other.obj", 3),
        "short-face": ("other.obj", 2),
        "unsupported": ("scene.obj", 9),
        "face-index": ("scene.obj", 8),
        "material-unknown": ("scene.obj", 7),
    }


def test_files_that_call_each_other_end(read, tmp_path):
    (tmp_path / "a.obj").write_text("f 1 2 3\ncall b.obj\n")
    (tmp_path / "b.obj").write_text("f 2 3 4\ncall a.obj\ncall scene.obj\n")
    file = read(SQUARE + "call a.obj\n")
    assert corners(file.objects[0][1]) == triangles_of((1, 2, 3), (2, 3, 4))
    assert kinds(file) == {"call": 1} and [problem.line for problem in file.problems] == [2, 3]


def test_calls_that_grow_without_end_are_cut(read, tmp_path):
    for number in range(20):
        text = f"call {number + 1}.obj\n" * 8 + "f 1 2 3\n"
        (tmp_path / f"{number}.obj").write_text(text)
    file = read(SQUARE + "f 1 2 3\ncall 0.obj\n")
    assert sum(problem.count for problem in file.problems) > 0
    assert all(problem.kind == "call" for problem in file.problems) and len(file.problems) < 200


@pytest.mark.parametrize("content", [b"", b"\x00\x01\x02" * 50])
def test_a_called_file_that_cannot_be_read_is_left_out(read, tmp_path, content):
    (tmp_path / "other.obj").write_bytes(content)
    problem = only_problem(read(SQUARE + "f 1 2 3\ncall other.obj\n"))
    assert (problem.kind, problem.line, problem.done) == ("call", 6, "left out")


def test_a_command_is_never_run(read, tmp_path):
    problem = only_problem(read(SQUARE + f"f 1 2 3\ncsh touch {tmp_path}/made\n"))
    assert problem.done == "not run" and not (tmp_path / "made").exists()
