"""The guide of the installed version, as pages for the system's browser."""

from __future__ import annotations

import importlib.resources
import re
from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from octoscope.scene.system.text_file import printable, reason_of
from octoscope.viewer.settings.settings_file import open_file

if TYPE_CHECKING:
    from markdown_it.token import Token

_PAGE = Template("""<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>$title</title>
<style>
:root { color-scheme: light dark; --line: #8884; --quiet: #8882 }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 48rem; margin: 0 auto; padding: 1rem 1.5rem 4rem }
img { max-width: 100% }
table { border-collapse: collapse; display: block; overflow-x: auto }
td, th { border-bottom: 1px solid var(--line); padding: .3rem .8rem .3rem 0; text-align: left; vertical-align: top }
pre { background: var(--quiet); padding: .8rem; overflow-x: auto }
kbd { border: 1px solid var(--line); border-radius: 4px; padding: 0 .35em; font-size: .85em }
nav { border-bottom: 1px solid var(--line); padding-bottom: .5rem }
</style>
<nav><a href="index.html">Octoscope</a></nav>
$body
""")
_DIRECTIVE = re.compile(r"(?ms)^```\{.*?^```\n?")  # of Sphinx; what it includes is not installed


def open_guide(folder: Path, page: str = "index", section: str = "") -> tuple[str, str]:
    """Write the guide to a folder, and open a page; return a level of the log, and where it is or why it is not.

    Args:
        section: the id of a heading of the page.
    """
    target = folder / "guide"
    try:
        target.mkdir(parents=True, exist_ok=True)
        for name, text in pages_of_guide().items():
            (target / f"{name}.html").write_text(html_of(text), encoding="utf-8")
        # Systems open files, not places in them.
        (target / "section.html").write_text(f'<meta http-equiv="refresh" content="0; url={page}.html#{section}">')
    except OSError as error:
        return "error", f"{printable(target)}: cannot be written ({reason_of(error)})"
    path = target / f"{page}.html"
    open_file(target / "section.html" if section else path)
    return "info", f"the guide: {printable(path)}"


def pages_of_guide() -> dict[str, str]:
    """Return the pages as Markdown, by their names."""
    files = importlib.resources.files("octoscope.docs").iterdir()
    return {file.name[:-3]: file.read_text(encoding="utf-8") for file in files if file.name.endswith(".md")}


def html_of(markdown: str) -> str:
    """Return a page of the guide as HTML; links out of the guide, and pictures that are missing, become texts."""
    from markdown_it import MarkdownIt  # only here: few users open the guide

    parser = MarkdownIt("commonmark").enable("table")
    tokens = parser.parse(_DIRECTIVE.sub("", markdown))
    title = ""
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            text = tokens[place + 1].content
            token.attrSet("id", re.sub(r"[^\w-]", "", text.lower().replace(" ", "-")))
            title = title or text
        for child in token.children or ():
            _lead(child)
    return _PAGE.substitute(title=escape(title), body=parser.renderer.render(tokens, parser.options, {}))


def _lead(token: Token) -> None:
    """Give a link or picture the address that it has on this machine."""
    if token.type == "link_open":
        target = str(token.attrGet("href"))
        if re.fullmatch(r"\w+\.md(#.*)?", target):
            token.attrSet("href", target.replace(".md", ".html"))
        elif not re.match(r"https?:|#", target):
            token.attrs.pop("href")
    elif token.type == "image":
        path = Path(str(importlib.resources.files("octoscope.docs").joinpath(str(token.attrGet("src")))))
        if path.is_file():
            token.attrSet("src", path.resolve().as_uri())
        else:
            token.type = "text"  # its content is the picture's description
