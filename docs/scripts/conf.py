"""Settings of Sphinx, which builds the guide: `make docs`.

The source folder is the root of the repository, so that a link between two pages is the same on the site and where the
repository is browsed. Nothing is loaded from a network, neither by the build nor by the pages.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from sphinx.application import Sphinx

import octoscope

_PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]

project = "Octoscope"
author = ", ".join(each["name"] for each in _PROJECT["authors"])
copyright = f"2026 {author}"
version = release = _PROJECT["version"]

root_doc = "docs/index"
include_patterns = [
    "docs/*.md",
    "octree/README.md",
    "scene/PROJECT.md",
    *(f"{name}.md" for name in ("ARCHITECTURE", "BENCHMARKS", "CHANGELOG", "CONTRIBUTING")),
]
exclude_patterns = [".*", "build", "tests", "assets", "viewer", "shaders"]  # not walked: they hold no page
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_heading_anchors = 3
default_role = "code"  # a docstring writes `name` where reStructuredText has ``name``
autodoc_class_signature = "mixed"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
add_module_names = False
python_use_unqualified_type_names = True
napoleon_google_docstring, napoleon_numpy_docstring = True, False
napoleon_use_rtype = False
pygments_style = "friendly"
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"
html_title = "Octoscope"
html_static_path = []
html_copy_source = False
html_show_sourcelink = False
html_favicon = "../../assets/linux/octoscope.svg"
html_logo = "../../assets/linux/octoscope.svg"
templates_path = ["templates"]
html_additional_pages = {"index": "redirect.html"}  # the site's root, as the first page lies in docs/


def _is_hidden(app: Sphinx, what: str, name: str, member: object, skip: bool, options: object) -> bool | None:
    """Leave out of the reference what `dir` of a public class's objects leaves out."""
    owner = getattr(octoscope, app.env.current_document.autodoc_class or "", None)
    listed = vars(owner).get("__dir__") if isinstance(owner, type) else None
    return True if listed is not None and name not in listed(None) else None


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("autodoc-skip-member", _is_hidden)
