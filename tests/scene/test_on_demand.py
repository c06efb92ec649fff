"""The public names of the packages, which are imported when they are first asked for."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

from scene.on_demand import on_demand

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("package", ["scene", "viewer"])
def test_type_checkers_and_the_program_see_the_same_names(package):
    tree = ast.parse((ROOT / package / "__init__.py").read_text(encoding="utf-8"))
    (for_checkers,) = (node for node in tree.body if isinstance(node, ast.If))
    told = {alias.name: node.module for node in for_checkers.body for alias in node.names}
    module = import_module(package)
    assert sorted(told) == module.__all__ == dir(module)
    for name, made_in in told.items():
        assert getattr(module, name) is getattr(import_module(made_in), name)


def test_an_unknown_name_is_refused_as_by_any_module():
    get, names = on_demand("a", {"b": "math", "sqrt": "math"})
    assert names() == ["b", "sqrt"] and get("sqrt")(4.0) == 2.0
    with pytest.raises(AttributeError, match="module 'a' has no attribute 'c'"):
        get("c")
