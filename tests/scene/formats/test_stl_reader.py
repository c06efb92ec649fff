"""STL files: what they hold, in their order, and what is wrong with them in a line."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
import trimesh

from octoscope.scene import ReadError, load
from octoscope.scene.formats.stl_reader import read_stl
from tests.scene.builders import ball
from tests.scene.formats.simple_files import SQUARE, ply, sound

# STL.

FACET = "facet normal 0 0 1\nouter loop\nvertex 0 0 {0}\nvertex 1 0 {0}\nvertex 0 1 {0}\nendloop\nendfacet\n"


def test_solids_of_an_stl_text_are_nodes(read_named):
    content = read_named(
        "a.stl", f"solid first\n{FACET.format(1)}endsolid\nsolid second part\n{FACET.format(2) * 2}endsolid\n"
    )
    assert [(name, len(mesh.triangles)) for name, mesh in content.objects] == [("first", 1), ("second part", 2)]
    assert content.problems == []
    assert read_named("b.stl", f"solid\n{FACET.format(1)}endsolid\n").node_names.tolist() == ["b"]


def test_an_stl_keeps_its_triangles_apart_and_in_order(read_named):
    mesh = trimesh.Trimesh(ball().positions, ball().triangles, process=False)
    found = sound(read_named("a.stl", mesh.export(file_type="stl")))
    assert found.triangles.tolist() == np.arange(3 * len(mesh.faces)).reshape(-1, 3).tolist()
    np.testing.assert_allclose(found.positions[found.triangles], mesh.triangles, atol=1e-6)


@pytest.mark.parametrize("mark", ["#", " # ", ";", "//", " // "])
def test_comments_in_an_stl_text_are_no_numbers(read_named, mark):
    lines = f"solid part #1 // a; b\n{FACET.format(1)}endsolid\nsolid #2\n{FACET.format(2)}endsolid #2".split("\n")
    commented = [
        line if "solid" in line else f"{line}{mark}vertex 9 9 9 of facet 7\n\t{mark} vertex 1 2 3 endfacet"
        for line in lines
    ]
    content = read_named("a.stl", "\n".join(commented))
    assert content.node_names.tolist() == ["part #1 // a; b", "#2"] and content.problems == []
    assert [mesh.positions[:, 2].tolist() for _, mesh in content.objects] == [[1, 1, 1], [2, 2, 2]]


@pytest.mark.parametrize("line_end", ["\r", "\r\n"])
def test_lines_of_an_stl_text_end_in_any_way(read_named, line_end):
    text = f"solid a\n{FACET.format(1)}endsolid\n"
    assert len(sound(read_named("a.stl", text.replace("\n", line_end))).triangles) == 1


def test_an_stl_text_that_is_cut_off_shows_what_is_there_and_says_so(read_named):
    whole = f"solid a\n{FACET.format(1)}endsolid\nsolid b\n{FACET.format(2)}{FACET.format(3)}"
    for rest in ("", FACET.format(4)[:-12], FACET.format(4)[:30], "endsol"):
        content = read_named("a.stl", whole + rest)
        assert [len(mesh.triangles) for _, mesh in content.objects] == [1, 2]
        assert [problem.kind for problem in content.problems] == ["cut-off"]


def test_attributes_of_facets_are_left_out_and_said(read_named):
    facet = bytes(12) + np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)], dtype="<f4").tobytes()
    for attribute, told in ((b"\0\0", []), (b"\x1f\x80", ["face-colors"])):
        content = read_named("a.stl", bytes(80) + b"\1\0\0\0" + facet + attribute)
        assert [problem.kind for problem in content.problems] == told


def test_what_follows_the_facets_of_an_stl_is_said(read_named):
    mesh = trimesh.Trimesh(ball().positions, ball().triangles, process=False)
    for rest in (b"\0", bytes(50), b"made by somebody"):
        content = read_named("a.stl", mesh.export(file_type="stl") + rest)
        assert len(content.objects[0][1].triangles) == len(mesh.faces)
        assert [problem.kind for problem in content.problems] == ["trailing"]


# What is wrong.


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.stl", b"hello", "open another file, or give this one the ending of its format"),
        ("a.stl", bytes(84), "nothing to show"),
        ("a.stl", bytes(80) + b"\xff\xff\xff\xff" + bytes(50), "cut off: of 4,294,967,295 facets it has 1"),
        ("a.stl", b"solid" + bytes(75) + b"\2\0\0\0" + bytes(99), "cut off: of 2 facets it has 1"),
        ("a.stl", b"<!DOCTYPE html><title>404</title>" * 9, "not an STL"),
        ("a.stl", b"solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0", "cut off"),
        ("a.stl", b"solid x\nendsolid x\n", "nothing to show"),
    ],
)
def test_a_broken_file_is_refused_in_a_line(read_named, tmp_path, name, content, says, capfd):
    with pytest.raises(ReadError) as refused:
        read_named(name, content)
    line = str(refused.value)
    assert says in line and line.startswith(str(tmp_path / name)) and len(line.splitlines()) == 1
    assert capfd.readouterr() == ("", "")


def test_thousands_of_solids_of_one_name_keep_it_and_are_found_without_comparing_all(read_named, monkeypatch):
    tried = []
    monkeypatch.setattr("trimesh.util.unique_name", lambda name, known, *rest: tried.append(name in known) or name)
    content = read_named(
        "a.stl", f"solid a b\n{FACET.format(1)}endsolid a b\n" * 50 + f"SOLID\n{FACET.format(2)}endsolid\n"
    )
    assert content.node_names.tolist() == ["a b"] * 50 + ["a"]
    assert tried == [False] * 51


def test_facets_that_cannot_be_read_are_said(read_named):
    content = read_named("a.stl", f"solid a\n{FACET.format(1)}endsolid\nsolid b\nfacet\nendfacet\nendsolid\n")
    assert len(content.objects) == 1 and content.problems[0].count == 1


def test_the_ending_chooses_the_reader(tmp_path):
    for name in ("a.PLY", "b.ply"):
        (tmp_path / name).write_text(ply(SQUARE, ""))
        assert load(tmp_path / name).names.tolist() == [name, Path(name).stem]
    (tmp_path / "c.xyz").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    assert load(tmp_path / "c.xyz").element_count("triangle") == 1


def test_an_stl_text_in_another_encoding_says_so(tmp_path, monkeypatch):
    for guesser in ("charset_normalizer", "chardet"):
        monkeypatch.setitem(sys.modules, guesser, None)  # not installed
    path = tmp_path / "a.stl"
    facet = "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
    path.write_bytes(f"solid tür\n{facet}endsolid tür\n".encode("latin-1"))
    with pytest.raises(ReadError, match="not UTF-8"):
        read_stl(path)
