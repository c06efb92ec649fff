"""Every public function that takes a path takes it as a string and as anything that os.PathLike means."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterator
from types import ModuleType

import pytest

import octoscope
import octoscope.scene.editing
import octoscope.scene.measuring
import octoscope.viewer
from octoscope.scene import (
    History,
    Scene,
    load,
    open_project,
    read_gltf,
    read_obj,
    save_project,
    write_glb,
    write_obj,
    write_ply,
    write_stl,
)
from octoscope.scene.editing import import_content, replace_mesh_by_file
from tests.scene.builders import box

MODULES = octoscope, octoscope.scene, octoscope.scene.editing, octoscope.scene.measuring, octoscope.viewer


class Name(os.PathLike):
    """A path that is neither a string nor a pathlib.Path, and must not be printed as it is."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __fspath__(self) -> str:
        return self.name


def _parameters(module: ModuleType) -> Iterator[tuple[str, inspect.Parameter]]:
    """The parameters of a module's public functions and methods, without those of __init__."""
    for name in module.__all__:
        public = getattr(module, name)
        functions = {name: public} if inspect.isfunction(public) else {}
        if inspect.isclass(public):
            members = inspect.getmembers(public, inspect.isfunction)
            functions = {f"{name}.{member}": each for member, each in members if not member.startswith("_")}
        for called, function in functions.items():
            for parameter in inspect.signature(function).parameters.values():
                yield f"{module.__name__}.{called}({parameter.name})", parameter


def test_no_public_function_asks_for_a_path_of_one_type():
    taking = {
        name: str(parameter.annotation)
        for module in MODULES
        for name, parameter in _parameters(module)
        if "Path" in str(parameter.annotation) or parameter.name.endswith(("path", "paths", "file"))
    }
    assert len(taking) > 10
    assert [name for name, annotation in taking.items() if "StrPath" not in annotation] == []


@pytest.fixture
def one_box() -> Scene:
    one = Scene()
    one.add_node("box", mesh=one.meshes.add(box()))
    return one


@pytest.mark.parametrize("made", [str, Name])
def test_what_is_written_by_such_a_path_is_read_by_it(one_box, tmp_path, made):
    def at(name: str) -> str | Name:
        return made(str(tmp_path / name))

    for name, write in (("a.glb", write_glb), ("a.obj", write_obj), ("a.ply", write_ply), ("a.stl", write_stl)):
        write(one_box, at(name))
        assert load(at(name)).element_count("triangle") == 12
    assert load([at("a.glb"), at("a.obj")]).element_count("triangle") == 24
    save_project(load(at("a.glb")), at("a.octo.json"))
    assert open_project(at("a.octo.json")).element_count("triangle") == 12
    for name, read in (("a.glb", read_gltf), ("a.obj", read_obj)):
        new = Scene()
        new.add_content(read(at(name)), at(name))
        history = History(new)
        history.do(import_content(new, read(at(name)), at(name)))
        history.do(replace_mesh_by_file(new, new.ids[-1:], read(at(name)), at(name)))
        assert set(new.sources) == {tmp_path / name} and set(new.report.opened) == {tmp_path / name}


@pytest.mark.parametrize("made", [str, Name])
@pytest.mark.parametrize("write", [write_glb, write_obj, write_ply, write_stl, save_project])
def test_what_cannot_be_written_is_named(one_box, tmp_path, made, write):
    with pytest.raises(octoscope.SaveError, match=r"nosuch.a\.octo\.json: "):
        write(one_box, made(str(tmp_path / "nosuch" / "a.octo.json")))
