"""OFF files: what they hold, in their order, and what is wrong with them in a line."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene import ReadError
from tests.scene.formats.simple_files import SQUARE, sound


def test_an_off_is_read_with_comments_and_polygons(read_named):
    mesh = sound(read_named("a.off", "OFF # text\n4 2 0\n# more\n" + SQUARE + "4 0 1 2 3\n3 0 1 2\n"))
    assert len(mesh.triangles) == 3 and mesh.positions.tolist() == [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]


def test_colours_of_an_off_are_left_out_and_said(read_named):
    vertices = "".join(f"{line} 255 0 0 255\n" for line in SQUARE.splitlines())
    content = read_named("a.off", f"COFF\n4 1 0\n{vertices}3 0 1 2\n")
    assert len(content.objects[0][1].triangles) == 1
    assert [(problem.what, problem.done) for problem in content.problems] == [("colours of vertices", "left out")]


@pytest.mark.parametrize(
    "heading", ["OFF\n4 2 0\n", "OFF 4 2 0\r\n", "\n# a\nOFF\n# b\n4 2\n", "4OFF\n4 2 5 # c\n", "NOFF\n4 2 0\n"]
)
def test_headings_of_all_kinds_are_read(read_named, heading):
    rest = {"4": " 1", "N": " 0 0 1"}.get(heading[0], "")
    rows = "".join(f"{line}{rest}\n" for line in SQUARE.splitlines())
    content = read_named("a.off", f"{heading}{rows}\n3 0 1 2 0.5 0.5 0.5\n3 0 2 3 255 0 0 # red\n")
    assert sound(content).triangles.tolist() == [[0, 1, 2], [0, 2, 3]] and content.problems == []


def test_a_face_that_refers_to_no_vertex_is_left_out_with_its_line(read_named):
    faces = "3 0 1 2\n\n# next\n3 0 1 -7\n3 0 1 4\n4 3 2 1 0\n"
    content = read_named("a.off", f"OFF\n4 4 0\n{SQUARE}{faces}")
    assert len(content.objects[0][1].triangles) == 3
    told = [(problem.what, problem.done, problem.line, problem.count) for problem in content.problems]
    assert told == [("faces that refer to no finite vertex", "skipped", 10, 2)]


def test_polygons_are_filled_as_they_are(read_named):
    arrow = "0 0 0\n4 0 0\n4 4 0\n3 1 0\n"  # the last corner points inwards
    mesh = sound(read_named("a.off", f"OFF\n4 1 0\n{arrow}4 0 1 2 3\n"))
    first, second, third = (mesh.positions[mesh.triangles[:, corner]] for corner in range(3))
    assert np.abs(np.cross(second - first, third - first)[:, 2]).sum() / 2.0 == pytest.approx(4.0)


def test_faces_that_are_missing_are_said(read_named):
    content = read_named("a.off", f"OFF\n4 3 0\n{SQUARE}4 0 1 2 3\n")
    assert [problem.kind for problem in content.problems] == ["cut-off"]
    assert len(content.objects[0][1].triangles) == 2


def test_vertices_alone_are_points(read_named):
    assert len(sound(read_named("a.off", f"OFF\n4 0 0\n{SQUARE}")).points) == 4


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"OFF\n4 1 0\n0 0 0\n", "cut off: of 4 'vertex' it has 1"),
        (b"OFF\n99999999999 1 0\n0 0 0\n", "cut off: of 99,999,999,999 'vertex' it has 1"),
        (b"#" * 10_000, "not an OFF file"),
        (b"hello", "not an OFF file: it does not begin with OFF"),
        (b"OFF\n", "broken OFF (no numbers of vertices and faces below its heading)"),
        (b"OFF BINARY\n" + bytes(12), "broken OFF (no numbers of vertices and faces below its heading)"),
        (b"OFF\n3 1 0\n0 0 0\n1 x 0\n", "broken OFF (line 4: 'x' is no number)"),
        (b"OFF\n0 0 0\n", "nothing to show in it"),
    ],
)
def test_a_broken_file_is_refused_in_a_line(read_named, tmp_path, content, says):
    with pytest.raises(ReadError) as refused:
        read_named("a.off", content)
    line = str(refused.value)
    assert says in line and line.startswith(str(tmp_path / "a.off")) and len(line.splitlines()) == 1
