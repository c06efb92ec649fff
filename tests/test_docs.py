"""The guide: what its pages point at is there, what they name exists, and its tables are those of the program."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import octoscope
from docs.scripts import tables
from octoscope.scene.formats.endings import FORMATS
from octoscope.viewer import cli
from octoscope.viewer.cli.documentation import commands_of

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
AROUND = [ROOT / f"{name}.md" for name in ("README", "ARCHITECTURE", "BENCHMARKS", "CHANGELOG", "CONTRIBUTING")]
AROUND += [ROOT / "octree" / "README.md", ROOT / "scene" / "PROJECT.md"]
MOST_BYTES = 6_000_000  # of all pictures
TEXTS = {path: path.read_text(encoding="utf-8") for path in (*PAGES, *AROUND)}


def prose(text: str) -> str:
    """Return a page without its blocks of code."""
    return re.sub(r"(?ms)^```.*?^```$", "", text)


def links(path: Path) -> Iterator[str]:
    yield from re.findall(r"\]\(([^)\s]+)\)", prose(TEXTS[path]))


def anchors(path: Path) -> set[str]:
    """Return the anchors of a page's headings, as repositories' hosts and the guide make them."""
    headings = re.findall(r"(?m)^#+ (.+)$", prose(TEXTS[path]))
    return {re.sub(r"[^\w\- ]", "", re.sub(r"<[^>]+>", "", each)).lower().replace(" ", "-") for each in headings}


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_page_points_at_what_is_there(path):
    for link in links(path):
        if "://" not in link:
            target, _, anchor = link.partition("#")
            place = (path.parent / target).resolve() if target else path
            assert place.exists(), link
            assert not anchor or anchor in anchors(place), link


def test_every_page_is_in_the_navigation_once():
    blocks = re.findall(r"(?s)```\{toctree\}(.*?)```", TEXTS[DOCS / "index.md"])
    listed = [line for block in blocks for line in block.splitlines() if line and not line.startswith(":")]
    assert len(listed) == len(set(listed))
    places = {(DOCS / f"{name}.md").resolve() for name in listed}
    assert places == {*PAGES, *AROUND} - {DOCS / "index.md", ROOT / "README.md"}


def test_no_picture_is_left_that_no_page_shows_and_all_are_small():
    shown = {(path.parent / link).resolve() for path in TEXTS for link in links(path)}
    pictures = {path for path in (DOCS / "pictures").rglob("*") if path.is_file()}
    assert pictures <= shown
    assert sum(path.stat().st_size for path in pictures) < MOST_BYTES


def test_the_readme_is_short_and_shows_a_moving_picture():
    from PIL import Image

    text = TEXTS[ROOT / "README.md"]
    assert len(text.splitlines()) <= 150
    (picture,) = re.findall(r"!\[.*?\]\((.*?)\)", text)
    assert Image.open(ROOT / picture).n_frames > 20


# What is named exists.

PARSERS = commands_of(cli._parser(None))
OPTIONS = {name: {text for action in each._actions for text in action.option_strings} for name, each in PARSERS.items()}
OF_THE_PROGRAM = {"--version", "--help", "--completion", "--man"}
OF_OTHERS = {"--output", "--blender", "--sheet", "--editable"}


def code_of(text: str) -> Iterator[str]:
    """Yield the lines of code of a page: indented, fenced, or in backticks."""
    yield from re.findall(r"(?m)^ {4,}(\S.*)$", text)
    yield from (line for block in re.findall(r"(?ms)^```\w*\n(.*?)^```$", text) for line in block.splitlines())
    yield from re.findall(r"`([^`\n]+)`", prose(text))


@pytest.mark.parametrize("path", [*PAGES, ROOT / "README.md"], ids=lambda path: path.name)
def test_commands_and_options_that_a_page_names_exist(path):
    for line in code_of(TEXTS[path]):
        options = {text.rstrip("-") for text in re.findall(r"(?<![\w-])--[a-z][a-z-]*", line)}
        command = re.match(r"(?:\.venv/bin/)?octoscope ([a-z]+)\b(?![./:])", line)
        if command:
            assert command[1] in PARSERS, line
            known = OPTIONS[command[1]]
        elif line.startswith("octoscope "):
            known = OPTIONS["open"]
        else:
            known = set().union(*OPTIONS.values(), OF_OTHERS)
        assert options <= known | OF_THE_PROGRAM, line


def test_make_targets_that_pages_name_exist():
    rules = set(re.findall(r"(?m)^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8")))
    named = {
        name
        for path in (*PAGES, *AROUND)
        for line in code_of(TEXTS[path])
        for name in re.findall(r"^make ([a-z-]+)", line)
    }
    assert named <= rules and {"run", "test", "docs"} <= named


def test_the_table_of_options_is_that_of_the_program():
    text = TEXTS[DOCS / "command_line.md"]
    assert tables.with_table(text, tables.command_line()) == text, "make docs-tables writes it"


def test_the_reference_has_every_public_name_once():
    named = re.findall(r"(?m)^\.\. auto\w+:: octoscope\.(\w+)$", TEXTS[DOCS / "reference.md"])
    assert sorted(named) == sorted(octoscope.__all__)


def test_the_page_of_examples_has_each_with_its_picture_and_what_it_says_of_itself():
    text = TEXTS[DOCS / "examples.md"]
    scripts = sorted((ROOT / "tests" / "examples").glob("*.py"))
    assert len(scripts) >= 20
    for path in scripts:
        summary = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))).splitlines()[0]
        assert f"\n{summary}\n" in text, path.name
        assert f"(pictures/examples/{path.stem}.webp)" in text
        assert f"{{literalinclude}} ../tests/examples/{path.name}\n" in text


def test_the_page_of_formats_names_each_that_is_read():
    text = TEXTS[DOCS / "formats.md"]
    samples, _, features = text.partition("## glTF 2.0")
    assert [name for name in FORMATS.keys() - {"GLB", "3D Tiles"} if f"| {name}: " not in samples] == []
    assert [name for name in FORMATS.keys() - {"GLB", "glTF"} if not re.search(rf"(?m)^\| {name}\b", features)] == []


# The site.


@pytest.mark.slow
@pytest.mark.skipif(
    importlib.util.find_spec("sphinx") is None and "CI" not in os.environ, reason="needs octoscope[docs]"
)
def test_the_guide_is_built_without_a_warning_and_loads_nothing_from_elsewhere(tmp_path):
    site = tmp_path / "site"
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-q",
        "-W",
        "--keep-going",
        "-d",
        tmp_path / "trees",
        "-c",
        "docs/scripts",
        ".",
        site,
    ]
    alone = [] if shutil.which("unshare") is None or os.geteuid() != 0 else ["unshare", "--net"]  # no network at all
    done = subprocess.run([*alone, *map(str, command)], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    pages = [path for path in site.rglob("*.html") if "_static" not in path.parts]
    assert len(pages) > len(PAGES)
    for path in pages:
        loaded = re.findall(
            r"<(?:script|img|iframe)[^>]* src=\"([^\"]+)|<link[^>]* href=\"([^\"]+)", path.read_text(encoding="utf-8")
        )
        for link in map("".join, loaded):
            assert "://" not in link, (path.name, link)
            assert (path.parent / link.partition("?")[0].partition("#")[0]).exists(), (path.name, link)
