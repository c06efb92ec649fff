"""Files are found by the names that other programs and systems write, and nothing else is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from octoscope.scene.system.file_finder import FileFinder, FoundFile, Match


@pytest.fixture
def finder(tmp_path: Path) -> FileFinder:
    """One of scene/ and of its parent, with a few files."""
    for name in ("scene/Wood.png", "scene/tex/stone.png", "scene/a b/c d.png", "textures/brick.png", "beside.png"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    return FileFinder(tmp_path / "scene", tmp_path)


def found(finder: FileFinder, tmp_path: Path, name: str, **how: bool) -> tuple[str, Match] | None:
    file = finder.find([name], **how)
    return None if file is None else (os.path.relpath(os.path.realpath(file.path), tmp_path), file.match)


@pytest.mark.parametrize(
    ("name", "path", "match"),
    [
        ("Wood.png", "scene/Wood.png", Match.NAMED),
        ("./tex/../Wood.png", "scene/Wood.png", Match.NAMED),
        ("tex\\stone.png", "scene/tex/stone.png", Match.NAMED),
        ("a b\\c d.png", "scene/a b/c d.png", Match.NAMED),
        ("beside.png", "beside.png", Match.NAMED),
        ("../beside.png", "beside.png", Match.NAMED),
        ("wood.PNG", "scene/Wood.png", Match.OTHER_CASE),
        ("TEX/Stone.png", "scene/tex/stone.png", Match.OTHER_CASE),
        ("..\\BESIDE.png", "beside.png", Match.OTHER_CASE),
        ("C:\\art\\Wood.png", "scene/Wood.png", Match.NAMED),
        ("c:Wood.png", "scene/Wood.png", Match.NAMED),
        ("/home/me/Wood.png", "scene/Wood.png", Match.NAMED),
        ("file:///home/me/Wood.png", "scene/Wood.png", Match.NAMED),
        ("https://example.org/Wood.png", "scene/Wood.png", Match.NAMED),
        ("D:\\art\\wood.png", "scene/Wood.png", Match.OTHER_CASE),
        ("old/Wood.png", "scene/Wood.png", Match.ELSEWHERE),
    ],
)
def test_a_file_is_found(finder, tmp_path, name, path, match):
    assert found(finder, tmp_path, name) == (path, match)
    assert ".." not in finder.find([name]).path.parts


def test_a_path_keeps_what_leads_up_from_a_link(finder, tmp_path):
    (tmp_path / "elsewhere" / "deep").mkdir(parents=True)
    (tmp_path / "elsewhere" / "iron.png").touch()
    (tmp_path / "scene" / "link").symlink_to(tmp_path / "elsewhere" / "deep")
    assert finder.find(["link/../iron.png"]).path.samefile(tmp_path / "elsewhere" / "iron.png")


@pytest.mark.parametrize(
    ("name", "path"),
    [("C:\\art\\Stone.png", "scene/tex/stone.png"), ("brick.png", "textures/brick.png")],
)
def test_a_file_is_found_below_and_in_a_folder_of_textures_where_that_is_asked_for(finder, tmp_path, name, path):
    assert found(finder, tmp_path, name) is None
    assert found(finder, tmp_path, name, anywhere=True) == (path, Match.ELSEWHERE)


@pytest.mark.parametrize("name", ["", ".png", "stone", "x" * 300, "x/" * 5000, "a\0b", "../\0", "*.png"])
def test_what_is_not_there_is_not_found(finder, tmp_path, name):
    assert found(finder, tmp_path, name, anywhere=True) is None


def test_the_likeliest_name_counts_though_another_is_there_too(finder, tmp_path):
    (tmp_path / "scene" / "b.png").touch()
    assert finder.find(["a.png", "b.png"]) == FoundFile(tmp_path / "scene" / "b.png", Match.NAMED)
    (tmp_path / "scene" / "a.png").touch()
    assert finder.find(["a.png", "b.png"]) == FoundFile(tmp_path / "scene" / "a.png", Match.NAMED)


def test_two_files_that_differ_in_case_alone_are_not_mixed_up(finder, tmp_path):
    (tmp_path / "scene" / "wood.png").touch()
    if len(os.listdir(tmp_path / "scene")) < 4:
        pytest.skip("this file system does not tell case apart")
    assert found(finder, tmp_path, "wood.png") == ("scene/wood.png", Match.NAMED)
    assert found(finder, tmp_path, "WOOD.png") is None, "which of them?"


def test_accents_may_be_composed_either_way(finder, tmp_path):
    (tmp_path / "scene" / "gru\u0308n.png").touch()
    assert finder.find(["gr\xfcn.png"]) is not None


def test_of_several_below_the_one_in_the_folders_that_are_named_is_taken(finder, tmp_path):
    for folder in ("a/brass/maps", "b/steel/maps"):
        (tmp_path / "scene" / folder).mkdir(parents=True)
        (tmp_path / "scene" / folder / "rough.png").touch()
    assert (
        found(finder, tmp_path, "C:\\art\\STEEL\\maps\\rough.png", anywhere=True)[0] == "scene/b/steel/maps/rough.png"
    )
    assert found(finder, tmp_path, "rough.png", anywhere=True)[0] == "scene/a/brass/maps/rough.png"


@pytest.mark.parametrize("name", ["//server/share/Wood.png", "\\\\server\\share\\Wood.png", "\\\\?\\UNC\\s\\Wood.png"])
def test_nothing_is_opened_on_a_network(finder, tmp_path, name, monkeypatch):
    seen = []
    stat = os.stat
    monkeypatch.setattr(os, "stat", lambda path, **options: (seen.append(os.fspath(path)), stat(path, **options))[1])
    assert found(finder, tmp_path, name) == ("scene/Wood.png", Match.NAMED)
    assert seen and not any("server" in path or "UNC" in path for path in seen)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
def test_a_regular_file_is_preferred_to_what_has_the_name(finder, tmp_path):
    os.mkfifo(tmp_path / "scene" / "beside.png")
    assert found(finder, tmp_path, "beside.png") == ("beside.png", Match.NAMED)
    (tmp_path / "scene" / "folder.png").mkdir()
    assert found(finder, tmp_path, "folder.png") == ("scene/folder.png", Match.NAMED), (
        "so that a reader can say why not"
    )


def test_a_loop_of_links_and_a_folder_that_cannot_be_listed_are_passed_over(finder, tmp_path):
    (tmp_path / "scene" / "loop").symlink_to("loop")
    (tmp_path / "scene" / "back").symlink_to("..")
    (tmp_path / "scene" / "locked").mkdir(mode=0)
    assert found(finder, tmp_path, "gone.png", anywhere=True) is None
    assert found(finder, tmp_path, "stone.png", anywhere=True) == ("scene/tex/stone.png", Match.ELSEWHERE)


def test_what_lies_deep_below_is_not_searched_for(finder, tmp_path):
    for folder in ("1/2/3/4", "1/2/3/4/5"):
        (tmp_path / "scene" / folder).mkdir(parents=True)
        (tmp_path / "scene" / folder / f"depth{len(folder)}.png").touch()
    assert found(finder, tmp_path, "depth7.png", anywhere=True) is not None
    assert found(finder, tmp_path, "depth9.png", anywhere=True) is None


def test_a_file_that_names_thousands_of_missing_ones_still_finds_what_stands_as_it_is_written(finder, tmp_path):
    for number in range(10_001):
        assert finder.find([f"gone{number}.png"]) is None
    assert found(finder, tmp_path, "tex\\stone.png") == ("scene/tex/stone.png", Match.NAMED)
    assert found(finder, tmp_path, "WOOD.PNG") is None
