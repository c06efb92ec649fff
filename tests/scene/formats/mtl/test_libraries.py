"""The .mtl files that an OBJ file names, also those that are missing or unusable."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from octoscope.scene.formats.mtl.reader import read_materials
from tests.scene.formats.mtl.folder import MtlFolder


def library(name: str) -> str:
    return f"newmtl {name}\nKd 1 0 0\n"


@pytest.mark.parametrize(
    ("statement", "files"),
    [
        ("a.mtl", ["a.mtl"]),
        ("a.mtl b.mtl", ["a.mtl", "b.mtl"]),
        ("my colours.mtl", ["my colours.mtl"]),
        ("my  colours.mtl", ["my  colours.mtl"]),
        ('"my colours.mtl"', ["my colours.mtl"]),
        ('"my colours.mtl" a.mtl "b.mtl"', ["my colours.mtl", "a.mtl", "b.mtl"]),
        ("my colours.mtl a.mtl all other ones.mtl", ["my colours.mtl", "a.mtl", "all other ones.mtl"]),
        ("a.mtl a.mtl", ["a.mtl"]),
        ("a.mtl # the colours", ["a.mtl"]),
        ("colours #2.mtl", ["colours #2.mtl"]),
        ("sub\\a.mtl", ["sub/a.mtl"]),
        ("sub/a.mtl sub\\b.mtl", ["sub/a.mtl", "sub/b.mtl"]),
        ("C:\\my models\\a.mtl", ["a.mtl"]),
        ("C:\\my models\\a.mtl C:\\my models\\b.mtl", ["a.mtl", "b.mtl"]),
        ("\\\\server\\share\\a.mtl", ["a.mtl"]),
    ],
)
def test_the_libraries_of_a_statement_are_found(folder: MtlFolder, statement, files):
    for name in files:
        folder.write(name, library(name))
    assert list(folder.read(statement)) == files
    assert folder.problems == []


def test_the_whole_name_is_preferred_to_its_words(folder):
    for name in ("a.mtl", "b.mtl", "a.mtl b.mtl"):
        folder.write(name, library(name))
    assert list(folder.read("a.mtl b.mtl")) == ["a.mtl b.mtl"]


def test_of_the_ways_to_cut_a_statement_the_longest_names_are_taken(folder):
    for name in ("red", "red oak.mtl", "oak.mtl", "ash.mtl"):
        folder.write(name, library(name))
    assert list(folder.read("red oak.mtl ash.mtl")) == ["red oak.mtl", "ash.mtl"]


def test_a_library_in_another_case_is_found_and_said_once(folder):
    folder.write("Sub/Colours.MTL", library("m"))
    if (folder.path / "sub").exists():
        pytest.skip("this file system does not tell case apart")
    assert list(folder.read("sub\\colours.mtl", "sub/colours.mtl")) == ["m"]
    problem = folder.only_problem("file-name-case")
    assert (problem.line, problem.count, problem.file) == (1, 2, str(folder.path / "scene.obj"))


def test_a_library_that_was_moved_beside_the_obj_is_used_and_said(folder):
    folder.write("a.mtl", library("m"))
    assert list(folder.read("materials/a.mtl")) == ["m"]
    problem = folder.only_problem("file-elsewhere")
    assert "materials/a.mtl" in problem.what and "a.mtl instead" in problem.done


def test_only_what_is_missing_of_a_statement_is_said_to_be(folder):
    folder.write("a.mtl", library("m"))
    assert list(folder.read("d 1", "gone too.mtl a.mtl")) == ["m"]
    said = [(problem.kind, problem.line, problem.what) for problem in folder.problems]
    assert said == [
        ("mtl-missing", 1, "material file 'd 1' not found"),
        ("mtl-missing", 2, "material file 'gone too.mtl' not found"),
    ]


@pytest.mark.parametrize("name", ["scene.mtl", "Scene.MTL"])
def test_a_library_named_as_the_obj_stands_in_for_one_that_is_missing(folder, name):
    folder.write(name, library("m"))
    assert list(folder.read("old name.mtl")) == ["m"]
    problem = folder.only_problem("mtl-missing")
    assert "'old name.mtl'" in problem.what and problem.done == f"{name} instead"
    folder.write("a.mtl", library("n"))
    assert list(folder.read("old name.mtl", "a.mtl")) == ["n"], "only where there is no other"
    assert folder.only_problem("mtl-missing").done == "default colours instead"


def test_a_library_is_read_once_however_often_it_is_named(folder):
    folder.write("a.mtl", library("m") + "decal x.png\n")
    statements = ["a.mtl", "./a.mtl", "sub/../a.mtl"] * 10_000
    folder.write("sub/x")
    assert list(folder.read(*statements)) == ["m"]
    assert folder.only_problem("map-not-shown").count == 1


def test_a_later_library_wins_and_is_said_where_it_differs(folder):
    folder.write("a.mtl", "newmtl m\nKd 1 0 0\nnewmtl n\nKd 0 0 1\n")
    folder.write("b.mtl", "newmtl m\nKd 0 1 0\nnewmtl n\nKd 0 0 1\n")
    assert folder.read("a.mtl", "b.mtl")["m"].base_color == (0.0, 1.0, 0.0)
    assert folder.only_problem("mtl-again").file == str(folder.path / "b.mtl")
    assert folder.read("a.mtl", "b.mtl", "a.mtl")["m"].base_color == (1.0, 0.0, 0.0), "the one that is named last"


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("sub", "a folder"),
        ("pipe", "not a regular file"),
        ("/dev/zero", "not a regular file"),
        ("large.mtl", "bytes"),
        ("empty.mtl", "empty"),
        ("binary.mtl", "binary"),
    ],
)
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
def test_a_library_that_cannot_be_used_is_said(folder, statement, words):
    (folder.path / "sub").mkdir()
    os.mkfifo(folder.path / "pipe")
    with folder.write("large.mtl").open("wb") as file:
        file.truncate(2**30)
    folder.write("empty.mtl", " \n")
    folder.write("binary.mtl", b"newmtl m\n\0\1\2\3")
    folder.write("a.mtl", library("m"))
    assert list(folder.read(statement, "a.mtl")) == ["m"]
    problem = folder.only_problem("mtl-unreadable")
    assert problem.file == str(folder.path / statement) and words in problem.what and problem.done
    assert statement not in problem.what, "the file is named once"


@pytest.mark.parametrize("statement", ["x" * 300, "x" * 100_000, "a\0b", "..", "x y " * 100, "é\ud7ff"])
def test_a_name_that_no_file_has_is_missing(folder, statement):
    assert folder.read(statement) == {}
    assert folder.problems and set(folder.kinds) <= {"mtl-missing", "mtl-unreadable"}
    assert all(len(str(problem)) < 400 for problem in folder.problems)


def test_names_beyond_all_measure_are_not_looked_for(folder):
    folder.write("a.mtl", library("m"))
    assert list(folder.read("a.mtl", *(f"x{number}" for number in range(20_000)))) == ["m"]
    assert "more than" in folder.problems[0].what and folder.problems[0].line == 10_001


def test_only_the_materials_that_are_used_are_made(folder):
    folder.write("a.mtl", "newmtl a\nmap_Kd gone.png\nnewmtl b\nKd 0 0 1\nnewmtl c\nKd 0 1 0\n")
    assert set(folder.read("a.mtl", used={"c", "b", "d"})) == {"b", "c"}
    assert folder.problems == [], "nobody misses the texture"


def test_a_file_named_from_the_working_folder_is_found_and_named_so(folder, monkeypatch):
    monkeypatch.chdir(folder.path)
    folder.write("a.mtl", "newmtl m\nKd x\n")
    assert list(read_materials(Path("scene.obj"), [("a.mtl", 1)], folder.problems)) == ["m"]
    assert folder.only_problem("mtl-number").file == "a.mtl"
