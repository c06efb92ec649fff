"""The public names of the packages, which are imported when they are first asked for."""

import ast
import re
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


@public("shape", "fill", instead={"color": "it is called shade"})
class _Painted:
    def __init__(self):
        self.shape, self._brush = "cube", None

    @property
    def size(self):
        return self.widht

    def fill(self):
        self._brush = self._later = "broad"


def test_an_instance_takes_no_attribute_once_it_is_made():
    painted = _Painted()
    painted.shape = "ball"
    painted.fill()  # its own private attributes can be set at any time
    assert dir(painted) == ["fill", "shape"] and "color" not in dir(_Painted)
    for name, what in {"shap": "is none of its attributes; did you mean 'shape'?", "fill": "cannot be set"}.items():
        with pytest.raises(AttributeError, match=f"^'_Painted' object: {name!r} {re.escape(what)}$"):
            setattr(painted, name, 1)
    for ask in (lambda: painted.color, lambda: setattr(painted, "color", 1)):
        with pytest.raises(AttributeError, match=r"^'_Painted' object has no attribute 'color': it is called shade$"):
            ask()
    assert callable(painted.fill) and painted.shape == "ball"


def test_an_error_inside_a_property_is_not_taken_for_a_guess():
    with pytest.raises(AttributeError, match="has no attribute 'widht'"):
        _Painted().size  # noqa: B018
