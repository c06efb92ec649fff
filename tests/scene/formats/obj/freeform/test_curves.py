"""Curves as lines; free-form elements among a file's others; what is wrong with them, a line each."""

import numpy as np
import pytest

from octoscope.scene import ReadError
from octoscope.scene.system.read_limits import read_limits
from tests.scene.formats.obj.checks import kinds, only_problem, segments, tree
from tests.scene.formats.obj.freeform.shapes import bicubic, circle_2d, plane, sphere
from tests.scene.formats.obj.texts import SQUARE, corners, triangles_of

ARC = "v 1 0 0\nv 1 1 0 0.70710678118654752\nv 0 1 0\ncstype rat bezier\ndeg 2\n"
CURVE = "curv 0 1 -3 -2 -1\nparm u 0 1\nend\n"


def lengths(mesh):
    ends = mesh.positions[mesh.lines]
    return np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)


def test_a_rational_curve_is_an_arc(read):
    file = read(ARC + CURVE)
    assert file.warnings == []
    mesh = file.objects[0][1]
    assert np.allclose(np.linalg.norm(mesh.positions, axis=1), 1.0)
    assert lengths(mesh).sum() == pytest.approx(np.pi / 2, rel=1e-3)


def test_a_part_of_a_curve_is_shown(read):
    mesh = read(ARC + "curv 0 0.5 -3 -2 -1\nparm u 0 1\nend\n").objects[0][1]
    assert lengths(mesh).sum() == pytest.approx(np.pi / 4, rel=1e-3)


def test_a_file_says_how_fine_a_curve_is(read):
    of_parts = [len(read(ARC + f"ctech cparm {k}\n" + CURVE).objects[0][1].lines) for k in (0, 1, 5)]
    assert of_parts == [1, 2, 10]
    assert lengths(read(ARC + "ctech cspace 0.1\n" + CURVE).objects[0][1]).max() <= 0.1
    assert lengths(read(ARC + "ctech curv 10 5\n" + CURVE).objects[0][1]).max() < 2 * np.sin(np.deg2rad(2.5))


def test_weights_are_of_no_use_without_rat_and_that_is_said(read):
    file = read(ARC.replace("rat ", "") + CURVE)
    assert kinds(file) == {"weight": 1}
    assert np.linalg.norm(file.objects[0][1].positions, axis=1).min() == pytest.approx(1.0)
    assert np.linalg.norm(file.objects[0][1].positions, axis=1).max() == pytest.approx(1.0607, rel=1e-3)


def test_elements_belong_to_the_object_and_material_that_they_stand_under(read, tmp_path):
    (tmp_path / "a.mtl").write_text("newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\n")
    before = "mtllib a.mtl\n" + SQUARE + "o first\nusemtl red\nf 1 2 3\nl 1 2\n"
    surface = plane() + "end\n"
    after = (
        "o second\nusemtl blue\n" + ARC + CURVE + "usemtl red\nf 1 2 3 4\nl 2 3\n" + surface + "usemtl blue\nf 2 3 4\n"
    )
    file = read(before + surface + after + "o third\nf 1 2 4\n")
    assert file.warnings == [] and tree(file) == ["first", "second", "third"]
    first, second, third = (mesh for _, mesh in file.objects)
    assert [len(mesh.triangles) for mesh in (first, second, third)] == [3, 5, 1]
    assert segments(first) == [[[0, 0, 0], [1, 0, 0]]]
    assert len(second.lines) > 8 and segments(second)[-1] == [[1, 0, 0], [1, 1, 0]]
    names = [[file.materials[k].name for k in mesh.material_ids[mesh.triangles[:, 0]]] for mesh in (first, second)]
    assert names == [["red"] * 3, ["red"] * 4 + ["blue"]]
    assert {file.materials[k].name for k in second.material_ids[second.lines[:-1].ravel()]} == {"blue"}


def test_lines_of_problems_stay_right_behind_elements(read):
    text = SQUARE + ARC + CURVE + "l 1 2\nl 1 99\nf 1 2 3\n" + plane() + "end\nf 1 2 3\nf 1 2 99\n"
    problems = {problem.kind: problem.line for problem in read(text).problems}
    assert problems == {"line-index": text.splitlines().index("l 1 99") + 1, "face-index": text.count("\n")}


WRONG = {
    "cstype linear\n": "is none of",
    "deg x\n": "numbers",
    "deg 30\n" + CURVE: "degree of 30",
    "parm u 0 1\n": "outside",
    "curv 0 1 -3 -2 -1\nend\n": "",
    "curv 0 1 -3 -2 -1\nparm u 0 1 2\nend\n": "3 control points, and its parameter values need 5",
    "curv 0 1 -3 -2 99\nparm u 0 1\nend\n": "vertex 99, and 7 stand before it",
    "curv 0 1 -3 -2 -99\nparm u 0 1\nend\n": "not in the file",
    "curv 0 1 -3 -2 0\nparm u 0 1\nend\n": "not in the file",
    "curv 0 1 -3 -2 x\nparm u 0 1\nend\n": "no number",
    "curv 0 5 -3 -2 -1\nparm u 0 1\nend\n": "goes from 0 to 5",
    "curv 3 5 -3 -2 -1\nparm u 2 2.5\nend\n": "along u",
    "curv 0 1 -3 -2 -1\nparm w 0 1\nparm u 0 1\nend\n": "neither u nor v",
    "cstype bspline\ncurv 0 1 -3 -2 -1\nend\n": "no parameter values (parm u)",
    "cstype bspline\ncurv 0 1 -3 -2 -1\nparm u 0 0 1 1\nend\n": "4 knots",
    "cstype bmatrix\ncurv 0 1 -3 -2 -1\nparm u 0 1\nend\n": "no basis matrix",
    "bmat u 1 2 3 4 5\n": "no square matrix",
    "stech curvature 1 2\n": "no technique",
    "ctech cparma 1 2\n": "no technique",
    "curv2 1 2\nparm u 0 1\nend\n": "",
    "trim 0 1 1\n": "outside",
    "mg 1\n": "too few",
    "con 1 0 1 1 1 0 1 1\n": "refers to surface 1, and there are 0",
    "res 1 1\nsp 1\n": "outside",
    "bzp 1 2 3\n": "needs 16",
    "deg 1 1\nsurf 0 1 0 1 1 2 3 4\nparm u 0 1\nparm v 0 1\ntrim 0 1 7\nend\n": "refers to 2D curve 7",
    "deg 1 1\nsurf 0 1 0 1 1 2 3\nparm u 0 1\nparm v 0 1\nend\n": "need 2 x 2",
    CURVE.replace("end\n", "") + CURVE: "no 'end'",
}


@pytest.mark.parametrize("statements", WRONG)
def test_what_is_wrong_is_said_in_a_line_and_the_rest_is_read(read, statements):
    file = read(SQUARE + ARC + statements + "f 1 2 3\n")
    problems = [problem for problem in file.problems if problem.kind == "free-form"]
    if WRONG[statements]:
        assert WRONG[statements] in problems[0].what
        begin, end = SQUARE.count("\n") + ARC.count("\n"), (SQUARE + ARC + statements).count("\n")
        assert all(begin < problem.line <= end and len(problem.what) < 250 for problem in problems)
        assert len(problems) <= 2
    assert any(corners(mesh)[-1:] == triangles_of((1, 2, 3)) for _, mesh in file.objects)


def test_special_points_and_connections_change_nothing(read):
    text = circle_2d(0.5, 0.5, 0.2) + plane() + "scrv 0 4 1\nsp 1\nend\n" + plane() + "end\ncon 1 0 1 1 2 0 1 1\n"
    file = read(text)
    assert file.warnings == []
    assert len(file.objects[0][1].triangles) == 4


@pytest.mark.parametrize("technique", ["cspace 1e-9", "curv 1e-12 1e-9", "cparma 1e9 1e9", "cparmb 1e300"])
def test_no_file_fills_the_memory_by_asking_for_fine_surfaces(tmp_path, technique):
    from octoscope.scene.formats.obj.reader import read_obj

    (tmp_path / "fine.obj").write_text(f"stech {technique}\n" + sphere() + bicubic(np.eye(4)))
    with read_limits(tmp_path / "fine.obj", 40_000_000), pytest.raises(ReadError, match="memory"):
        read_obj(tmp_path / "fine.obj")


def test_only_one_problem_is_told_of_many_equal_ones(read):
    assert only_problem(read(SQUARE + "f 1 2 3\n" + "trim 0 1 1\n" * 50)).count == 50
