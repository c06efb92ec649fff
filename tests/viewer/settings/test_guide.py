"""The guide as pages: every link in them leads somewhere, and what Sphinx alone knows is left out."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote, urlparse

from octoscope.viewer.settings.guide import html_of, open_guide


def test_every_link_and_picture_of_the_guide_leads_somewhere(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))  # no browser
    level, line = open_guide(tmp_path / "new", "octree", "5-loose-bounds")
    folder = tmp_path / "new" / "guide"
    assert level == "info" and str(folder / "octree.html") in line
    pages = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
    assert len(pages) > 15 and "<table>" in pages["octree.html"] and "{toctree}" not in pages["index.html"]
    assert "<kbd>Ctrl+P</kbd>" in pages["keys.html"]
    for name, text in pages.items():
        for target in re.findall(r'(?:href|src)="([^"]*)"', text):
            if target.startswith("file:"):
                assert Path(unquote(urlparse(target).path)).is_file(), f"{name}: {target}"
            elif not target.startswith("http"):
                page, _, anchor = target.partition("#")
                assert f'id="{anchor}"' in pages[page or name] if anchor else page in pages, f"{name}: {target}"


def test_what_leads_out_of_the_guide_is_text():
    page = html_of("# A & b\n\n[code](../octree/README.md) ![a cell](pictures/none.png)\n")
    assert "<title>A &amp; b</title>" in page and "README.md" not in page
    assert "a cell" in page and "<img" not in page


def test_where_it_cannot_be_written_that_is_said(tmp_path):
    (tmp_path / "file").write_text("")
    assert open_guide(tmp_path / "file")[0] == "error"
