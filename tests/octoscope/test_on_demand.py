"""The public names of the packages, which are imported when they are first asked for."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from octoscope.guesses import public
from octoscope.on_demand import on_demand


@pytest.mark.parametrize("package", ["octoscope", "octoscope.scene", "octoscope.viewer"])
def test_the_names_of_the_stub_are_there(package):
    module = import_module(package)
    tree = ast.parse(Path(module.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    told = {alias.asname: node.module for node in tree.body for alias in node.names}
    assert sorted(told) == module.__all__ == dir(module)
    for name, made_in in told.items():
        assert getattr(module, name) is getattr(import_module(made_in), name)


def test_an_unknown_name_is_refused_as_by_any_module(tmp_path):
    named = {"public": "octoscope.guesses", "advises": "octoscope.guesses", "tiles": "octoscope.taken_away"}
    lines = [f"from {module} import {name} as {name}\n" for name, module in named.items()]
    (tmp_path / "__init__.pyi").write_text("".join(lines))
    get, names = on_demand("a", str(tmp_path / "__init__.py"))
    assert names() == ["advises", "public"], "what was taken away is none of them"
    assert get("public") is public
    with pytest.raises(AttributeError, match="module 'a' has no attribute 'c'"):
        get("c")


def test_the_name_alone_imports_nothing_that_takes_long():
    code = "import sys, octoscope; print(*{'numpy', 'moderngl', 'octoscope.scene'} & {*sys.modules})"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "\n"
