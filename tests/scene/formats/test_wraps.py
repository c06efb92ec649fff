"""Textures that end at their borders or are mirrored there: kept by projects, journals, GLB and tiles; MTL, in part."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from octoscope.scene import (
    Material,
    Recorder,
    Scene,
    Texture,
    apply,
    load,
    open_project,
    save_project,
    write_glb,
    write_obj,
)
from octoscope.scene.editing import change_nodes
from octoscope.scene.mesh.images import (
    channel_of,
    cut_out,
    decode_texture,
    normals_of,
    png_of,
    surface_map,
    with_opacity,
)
from octoscope.scene.mesh.texture import REPEATED, WRAPS
from octoscope.scene.tiling.tiling import write_tiles
from tests.scene.builders import quad
from tests.scene.dressed import texture
from tests.scene.project.journals import killed

ALL = [(u, v) for u in WRAPS for v in WRAPS]


def image() -> Texture:
    return texture(np.random.default_rng(0))


def scene_of(*materials: Material) -> Scene:
    scene = Scene()
    for material in materials:
        scene.add_node(material.name, mesh=scene.meshes.add(quad(), first_material=scene.add_material(material)))
    return scene


def mapped(wraps: dict[str, tuple[str, str]]) -> Scene:
    """Return a scene whose materials have one image, with each wrap, for colours and for what shines."""
    named = {name: image().wrapped(wrap) for name, wrap in wraps.items()}
    return scene_of(
        *(
            Material(name, base_color_texture=each, emission=(1.0, 1.0, 1.0), emission_texture=each.wrapped(REPEATED))
            for name, each in named.items()
        )
    )


WRAPPED = {f"{u} {v}": (u, v) for u, v in ALL}


def wraps_of(scene: Scene) -> dict[str, tuple[str, str]]:
    used = scene.used_materials
    assert {material.emission_texture.wrap for material in used} == {REPEATED}
    return {material.name: material.base_color_texture.wrap for material in used}


def test_a_texture_of_a_wrap_is_one_object_and_shares_its_pixels():
    plain = image()
    other = plain.wrapped(("clamp", "mirror"))
    assert other is plain.wrapped(("clamp", "mirror")) and other.pixels is plain.pixels
    assert plain.wrapped(REPEATED) is plain and other.wrapped(REPEATED).wrap == REPEATED


def test_what_is_made_of_a_texture_has_its_wrap():
    clamped = decode_texture(png_of(image().pixels), Path("x.png")).wrapped(("clamp", "mirror"))
    made = [
        *(with_opacity(clamped, clamped), with_opacity(None, clamped), surface_map(clamped, None)),
        *(channel_of(clamped, 1), normals_of(clamped), cut_out(clamped, 2.0)),
    ]
    assert {each.wrap for each in made} == {("clamp", "mirror")}


def test_projects_and_journals_keep_it(tmp_path: Path):
    path = tmp_path / "a.octo.json"
    save_project(mapped(WRAPPED), path)
    scene = open_project(path)
    assert wraps_of(scene) == WRAPPED and not scene.report.problems
    recorder = Recorder(scene)
    node = scene["repeat repeat"]
    later = replace(node.material, base_color_texture=node.material.base_color_texture.wrapped(("mirror", "clamp")))
    edit = change_nodes(scene, [node.id], material=scene.add_material(later))
    apply(scene, edit)
    recorder.record(edit)
    killed(recorder)
    assert open_project(path)["repeat repeat"].material.base_color_texture.wrap == ("mirror", "clamp")


@pytest.mark.parametrize("wrap", ["clamp", ["clamp"], ["clamp", "edge"], [1, 2], {}])
def test_a_project_with_a_wrap_that_is_none_says_so(tmp_path: Path, wrap: object):
    path = tmp_path / "a.octo.json"
    save_project(mapped({"a": ("clamp", "clamp")}), path)
    path.write_text(
        path.read_text().replace('["clamp","clamp"]', json.dumps(wrap)).replace('["clamp", "clamp"]', json.dumps(wrap))
    )
    scene = open_project(path)
    assert any("'wrap' is not two of repeat, clamp, mirror" in problem.what for problem in scene.report.problems)


def test_a_glb_keeps_it(tmp_path: Path):
    assert write_glb(mapped(WRAPPED), tmp_path / "a.glb") == []
    assert wraps_of(load(tmp_path / "a.glb")) == WRAPPED
    assert b"samplers" in (tmp_path / "a.glb").read_bytes()
    write_glb(mapped({"plain": REPEATED}), tmp_path / "plain.glb")
    assert b"samplers" not in (tmp_path / "plain.glb").read_bytes()


def test_tiles_keep_it(tmp_path: Path):
    write_glb(mapped(WRAPPED), tmp_path / "a.glb")
    write_tiles([tmp_path / "a.glb"], tmp_path / "tiles")
    contents = sorted((tmp_path / "tiles").rglob("*.glb"))
    read = [wraps_of(load(content)) for content in contents]
    assert contents and {name: wrap for each in read for name, wrap in each.items()} == WRAPPED
    assert wraps_of(load(tmp_path / "tiles" / "tileset.json")) == WRAPPED


def test_an_mtl_keeps_images_that_end_at_all_borders_and_says_what_else_it_loses(tmp_path: Path):
    notes = write_obj(mapped(WRAPPED), tmp_path / "a.obj")
    assert [note for note in notes if "border" in note] == [
        "a texture of 7 materials is mirrored, or ends, at some of its borders: written as repeated"
    ]
    expected = {name: wrap if wrap == ("clamp", "clamp") else REPEATED for name, wrap in WRAPPED.items()}
    found = {name.replace("_", " "): wrap for name, wrap in wraps_of(load(tmp_path / "a.obj")).items()}
    assert found == expected
