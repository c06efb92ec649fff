"""Reports of what is skipped or guessed: line, kind, count, and what was done instead."""

import pytest

from tests.scene.formats.obj.checks import kinds, only_problem, tree
from tests.scene.formats.obj.texts import SQUARE, assert_one_warning, corners, triangles_of

UNKNOWN = """bevel on
c_interp on
d_interp off
lod 1
maplib a.map
usemap a
shadow_obj a.obj
trace_obj a.obj
"""


def test_whatever_is_unknown_is_skipped_and_said(read, tmp_path):
    file = read(SQUARE + UNKNOWN + "f 1 2 3\n" + UNKNOWN)
    assert corners(file.objects[0][1]) == triangles_of((1, 2, 3))
    statements = UNKNOWN.splitlines()
    assert len(file.problems) == len(statements)
    for problem, line, statement in zip(file.problems, range(5, 100), statements, strict=False):
        assert (problem.kind, problem.line, problem.count, problem.done) == ("unsupported", line, 2, "skipped")
        assert f"'{statement.split()[0]}'" in problem.what
        assert problem.file == str(tmp_path / "scene.obj")


@pytest.mark.parametrize(
    "statement", ("V 0 0 0", "F 1 2 3", "vtt 0 0", "face 1 2 3", "usemtlred", "of x", "1 2 3", "-")
)
def test_an_unknown_keyword_is_told_as_it_stands(read, statement):
    problem = only_problem(read(f"{SQUARE}f 1 2 3\n{statement}\n"))
    assert (problem.kind, problem.line) == ("unsupported", 6)
    assert f"'{statement.split()[0]}'" in problem.what


def test_unknown_statements_are_continued_too(read):
    file = read(SQUARE + "surf 0 1 \\\n 0 1 \\\n 1 2 3 4\nf 1 2 3\n")
    assert corners(file.objects[0][1]) == triangles_of((1, 2, 3))
    assert kinds(file) == {"free-form": 1}


@pytest.mark.parametrize(
    "word", ("\x0c", "\x0b", "\0", "\x1b[31m", "\x1c", "é" * 100, "\xa0", "\u2028", "'", "x" * 10_000)
)
def test_a_keyword_of_whatever_characters_is_told_in_one_line(read, word):
    file = read("#" * 5000 + "\n" + SQUARE + f"f 1 2 3\n{word}\n{word} {word}\n")
    problem = only_problem(file)
    assert (problem.kind, problem.line, problem.count) == ("unsupported", 7, 2)
    assert str(problem).isprintable() and len(problem.what) < 250


def test_a_thousand_unknown_keywords_are_counted_all_and_hide_nothing_else(read):
    unknown = "".join(f"keyword{number} 1\n" for number in range(1000))
    file = read(SQUARE + "f 1 2 3\n" + unknown + "f 1 2\nv x\n")
    assert sum(problem.count for problem in file.problems if problem.kind == "unsupported") == 1000
    assert len(file.problems) < 100
    assert {problem.kind: problem.line for problem in file.problems if problem.kind != "unsupported"} == {
        "short-face": 1006,
        "vertex": 1007,
    }


def test_unknown_keywords_in_every_block_are_counted_all(read, monkeypatch):
    monkeypatch.setattr("octoscope.scene.formats.obj.blocks._BLOCK_BYTES", 256)
    unknown = "".join(f"keyword{number} 1\n" for number in range(3000))
    file = read(SQUARE + "f 1 2 3\n" + unknown + "f 1 2\n")
    assert sum(problem.count for problem in file.problems if problem.kind == "unsupported") == 3000
    assert len(file.problems) < 200
    assert kinds(file)["short-face"] == 1


@pytest.mark.parametrize(
    ("before", "line"),
    [
        ("", 5),
        ("# a comment\n\n  \n", 8),
        ("o a\nf 1 2 3\nf 1 2 3\n", 8),
        ("f 1 \\\n2 \\\n3\n", 8),
        ("f 1 2 3\nf 1 \\\n2 \\\n3\nf 1 2 3\n", 10),
        ("f 1 2 3\r\nf 1 3 4\r\r", 8),
        ("f 1 2\nf 1 2 3\nf 0 1 2\nf 1 3 4\n", 9),
        ("g a\\\nb\nusemtl c\\\nd\n", 9),
        ("# no continuation \\\nf 1 2 3\n", 7),
        ("curv 1 \\\n 2\nf 1 2 3 \\\n\n", 9),
        ("\\\n\\\nf 1 2 3\n", 8),
    ],
)
def test_lines_are_counted_across_everything(read, before, line):
    file = read(f"{SQUARE}{before}f 1 2 77\nf 1 2 3\n")
    assert [problem.line for problem in file.problems if problem.kind == "face-index"] == [line]
    file = read(f"{SQUARE}f 1 2 3\n{before}f 1 2 x\n")
    assert [problem.line for problem in file.problems if problem.kind == "index"] == [line + 1]


def test_of_equal_problems_the_first_line_is_told_and_all_are_counted(read):
    file = read(SQUARE + "f 1 2 9\nf 1 2 3\nf 1 9 2\nf 1 2\nf 8 1 2\nf 1\n")
    assert [(problem.kind, problem.line, problem.count) for problem in file.problems] == [
        ("short-face", 8, 2),
        ("face-index", 5, 3),
    ]


def test_of_problems_in_several_objects_and_threads_the_first_line_is_told(read, tmp_path):
    text = SQUARE + "".join(f"o {number}\nf 1 2 3\n" for number in range(50)) + "f 1 2 77\n" * 2
    file = read(text + "o more\nf 1 2 3\nf 1 78 2\n")
    assert (only_problem(file).line, only_problem(file).count) == (105, 3)


def test_a_broken_statement_is_told_in_its_own_words(read):
    assert "'f 1 2 3 broken'" in only_problem(read(SQUARE + "f 1 2 3\nf 1 2 3 broken\n")).what
    assert "'v 1 oops 3'" in read(SQUARE + "f 1 2 3\n\tv 1 oops 3 \n").problems[0].what


def test_a_broken_statement_is_cut_short_where_it_is_long(read):
    problem = only_problem(read(SQUARE + "f 1 2 3\nf x" + "y" * 100_000 + "\n"))
    assert len(problem.what) < 120 and "..." in problem.what


def test_a_face_of_two_corners_is_no_face(read, tmp_path):
    file = read(SQUARE + "f 1 2\nf 1\nf 1 2 3\nf\n")
    assert corners(file.objects[0][1]) == triangles_of((1, 2, 3))
    assert_one_warning(file, tmp_path / "scene.obj", "line 5", "fewer than three", "3 in all", "skipped")


def test_problems_come_as_plain_values_for_scripts(read, tmp_path):
    file = read(SQUARE + "f 1 2 3\nf 1 2 9\n")
    assert only_problem(file).as_json() == {
        "file": str(tmp_path / "scene.obj"),
        "line": 6,
        "kind": "face-index",
        "what": "a face refers to vertex 9, and there are 4",
        "done": "skipped",
        "count": 1,
        "naming_files": 1,
    }


@pytest.mark.parametrize("statement", ("f 1/9 2/9 3/9", "f 1//9 2//9 3//9", "f 1/9/9 2/9/9 3/9/9"))
@pytest.mark.parametrize("more", ("", "f 1 2 3\n", "f 1 2 9\n"))
def test_one_faulty_face_first_or_last(read, statement, more):
    for text in (f"{SQUARE}{statement}\n{more}", f"{SQUARE}{more}{statement}\n"):
        file = read(text)
        assert corners(file.objects[0][1])[0] == triangles_of((1, 2, 3))[0]
        assert all("vertex 1," not in problem.what for problem in file.problems)


def test_a_sound_file_has_no_problems(read):
    text = SQUARE + "vt 0 0\nvn 0 0 1\no a\ng b\ns 1\nf 1/1/1 2/1/1 3/1/1\nl 1 2\np 3\n"
    file = read(text)
    assert file.problems == [] and tree(file) == ["[a]", "[a]/b"]
