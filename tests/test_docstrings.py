"""Docstrings tell of arguments and attributes that are there; that they tell of all arguments, ruff sees to."""

import ast
import gc
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILES = [
    path for package in ("octoscope", "octree", "scene", "viewer") for path in sorted((ROOT / package).rglob("*.py"))
]


def told(docstring: str, section: str) -> set[str]:
    """Return the names that a section of a docstring explains: "a: what it is", "a, b: what they are"."""
    _, _, rest = docstring.partition(f"\n{section}:\n")
    lines = rest.partition("\n\n")[0].splitlines()
    names = [match[1] for line in lines if (match := re.match(r" {4}(\*{0,2}\w+(?:, \w+)*):", line))]
    return {name.lstrip("*") for text in names for name in text.split(", ")}


def members(node: ast.ClassDef) -> set[str]:
    """Return what a class defines in its body, and what its methods set on self."""
    found = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
    found |= {each.target.id for each in node.body if isinstance(each, ast.AnnAssign)}
    assigned = [target for each in node.body if isinstance(each, ast.Assign) for target in each.targets]
    found |= {name.id for target in assigned for name in ast.walk(target) if isinstance(name, ast.Name)}
    return found | {
        each.attr
        for each in ast.walk(node)
        if isinstance(each, ast.Attribute)
        and isinstance(each.ctx, ast.Store)
        and getattr(each.value, "id", "") == "self"
    }


def bases(node: ast.ClassDef) -> set[str]:
    return {ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in node.bases}


def parameters(node: ast.FunctionDef) -> set[str]:
    given = node.args
    named = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    return {argument.arg for argument in named if argument is not None}


def definitions(node: ast.AST) -> Iterator[ast.ClassDef | ast.FunctionDef]:
    """Yield the classes and functions below a node; expressions, which are most of a tree, hold none."""
    for each in ast.iter_child_nodes(node):
        if isinstance(each, (ast.ClassDef, ast.FunctionDef)):
            yield each
        if isinstance(each, (ast.stmt, ast.ExceptHandler)):
            yield from definitions(each)


@cache  # and no constants: each process that collects tests would parse all files
def trees() -> dict[Path, ast.Module]:
    gc.disable()  # it would go over all trees again and again
    found = {path: ast.parse(path.read_text(encoding="utf-8")) for path in FILES}
    gc.enable()
    return found


@cache
def classes() -> dict[str, list[ast.ClassDef]]:
    found: dict[str, list[ast.ClassDef]] = {}
    for tree in trees().values():
        for node in definitions(tree):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(node)
    return found


@cache
def all_members(node: ast.ClassDef) -> set[str]:
    above = [other for base in bases(node) for other in classes().get(base, ()) if other is not node]
    return members(node).union(*map(all_members, above))


def faults_in(tree: ast.Module) -> list[str]:
    """Return a line for each name that a docstring explains and the code has not."""
    faults = []
    for node in definitions(tree):
        text = ast.get_docstring(node) or ""
        arguments, attributes = told(text, "Args"), told(text, "Attributes")
        if not arguments | attributes:
            continue
        if isinstance(node, ast.FunctionDef):
            extra = arguments - parameters(node) | attributes
        else:
            initial = [each for each in node.body if getattr(each, "name", "") == "__init__"]
            known = all_members(node)  # of a dataclass, the arguments
            extra = arguments.difference(known, *map(parameters, initial)) | attributes - known
        faults += [f"{node.name}: {name}" for name in sorted(extra)]
    return faults


def test_what_docstrings_explain_is_there():
    faults = {path.relative_to(ROOT).as_posix(): faults_in(tree) for path, tree in trees().items()}
    assert len(faults) > 500
    assert {path: lines for path, lines in faults.items() if lines} == {}


def test_what_is_not_there_is_found():
    text = """
class A:
    \'\'\'A class.

    Attributes:
        b, c: two of them;
            and more.
        d: None: gone.
    \'\'\'

    def __init__(self, e):
        self.b = e

    def f(self, g, *h):
        \'\'\'Do.

        Args:
            g: one.
            *h: many.
            i: none.
        \'\'\'
"""
    assert faults_in(ast.parse(text)) == ["A: c", "A: d", "f: i"]
