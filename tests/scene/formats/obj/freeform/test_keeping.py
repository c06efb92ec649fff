"""Curves and surfaces that are written to OBJ files again are what they were; what is not is told."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octoscope.scene import Scene, apply, load, write_obj
from octoscope.scene.editing import apply_transform, duplicate, flip_faces, replace_mesh, set_origin
from tests.scene.formats.obj.freeform.shapes import bicubic, circle_2d, plane, sphere, torus

NOTE = "curves and surfaces of 1 object are written as the lines and triangles that are shown"
TRIMMED = (
    circle_2d(0.5, 0.5, 0.2, reverse=True)
    + circle_2d(0.5, 0.5, 0.4)
    + plane()
    + "trim 0.0 4.0 -1\nhole 0.0 4.0 -2\nend\n"
)
TEXTURED = (
    "".join(f"v {x} {y} {x * y}\nvt {x} {1 - y}\nvn 0 0.6 0.8\n" for y in (0, 1) for x in (0, 1))
    + "cstype bezier\ndeg 1 1\nsurf 0 1 0 1 -4/-4 -3/-3 -2/-2 -1/-1\nend\n"
)
TAYLOR = "v 0 0 0\nv 1 2 0\nv 0 0 1\ncstype taylor\ndeg 2\ncurv 0 1 -3 -2 -1\nparm u 0 1\nend\n"
MATRIX = (
    "v 0 0 0\nv 1 2 0\nv 3 0 1\nv 4 0 0\ncstype bmatrix\ndeg 1\nstep 1\nbmat u 1 -1 0 1\n"
    "curv 0 3 -4 -3 -2 -1\nparm u 0 1 2 3\nend\n"
)
FAR_OUT = "v 0 0 0 1\nv 1e300 0 0 1e-305\nv 1 0 0 1\ncstype rat bezier\ndeg 2\ncurv 0 1 -3 -2 -1\nparm u 0 1\nend\n"
# Each statement about free-form geometry. What stands first has the fineness of its size, and no merging group.
EVERYTHING = (
    circle_2d(0.5, 0.5, 0.45)
    + circle_2d(0.5, 0.5, 0.2)
    + "ctech cspace 0.05\n"
    + circle_2d(0.5, 0.5, 0.1, reverse=True)
    + "vp 0.5\nvp 0.25 0.75\n"
    + f"{plane()}trim 0.0 4.0 1\nscrv 0.0 4.0 2\nhole 0.0 4.0 -1\nsp -1\nend\n"
    + "mg 2 0.01\nstech cparma 3.0 4.0\n"
    + f"g second\n{plane()}scrv 0.0 1.0 1\nend\nmg off\ncon 1 0.0 4.0 1 2 4.0 0.0 2\n"
    + f"stech curv 0.01 10.0\n{bicubic(np.eye(4))}"
    + TAYLOR.replace("end", "sp -2\nend")
    + f"g third\n{MATRIX}ctech curv 0.5 20.0\n{TAYLOR.replace('taylor', 'rat bezier')}"
    + "v 0 0 0\nv 1 2 0\nv 2 2 1\nv 3 0 0\ncstype cardinal\ndeg 3\ncurv 0 1 -4 -3 -2 -1\nparm u 0 1\nend\n"
    + "res 4 5\n"
    + "".join(f"v {k % 4} {k // 4} {k % 3}\n" for k in range(16))
    + f"bzp {' '.join(str(k - 16) for k in range(16))}\ncdc -1 -2 -6 -5 -9\nstech cspace 0.5\ng fourth\n{sphere()}"
    + "con -1 0.0 1.0 -1 1 1.0 0.0 2\n"
)
SHAPES = {
    "sphere": sphere(),
    "torus": torus(3.0, 1.0),
    "trimmed": TRIMMED,
    "textured": TEXTURED,
    "with normals": TEXTURED.replace("/-", "//-"),
    "patch of version 2": "".join(f"v {k % 4} {k // 4} {k % 3}\n" for k in range(16))
    + "bsp -16 -15 -14 -13 -12 -11 -10 -9 -8 -7 -6 -5 -4 -3 -2 -1\n",
    "taylor": TAYLOR,
    "matrix": MATRIX,
    "all statements": EVERYTHING,
}


def read(folder: Path, text: str, name: str = "shape") -> Scene:
    (folder / f"{name}.obj").write_text(text)
    return load(folder / f"{name}.obj")


def assert_same(scene: Scene, other: Scene, world: np.ndarray | None = None) -> None:
    assert scene.report.warnings == other.report.warnings == []
    assert [node.name for node in scene.objects] == [node.name for node in other.objects]
    for table in ("vertices", "triangles", "lines"):
        one, two = getattr(scene.meshes, table), getattr(other.meshes, table)
        assert len(one) == len(two)
        for name in set(one.names) - {"source_vertex"}:
            values = one[name]
            if world is not None and name == "position":
                values = values @ world[:3, :3].T + world[:3, 3]
            if world is None or name == "position":
                np.testing.assert_allclose(two[name], values, rtol=1e-12, atol=1e-12, err_msg=name)


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_written_is_the_same_surface(tmp_path, shape):
    scene = read(tmp_path, f"o first\n{SHAPES[shape]}o second\n{bicubic(np.eye(4), 5.0)}")
    assert write_obj(scene, tmp_path / "written.obj") == []
    again = load(tmp_path / "written.obj")
    assert_same(scene, again)
    assert not {"f", "l"} & {line.split()[0] for line in (tmp_path / "written.obj").read_text().splitlines()}
    assert write_obj(again, tmp_path / "again.obj") == []
    assert (tmp_path / "again.obj").read_bytes() == (tmp_path / "written.obj").read_bytes()


def test_none_of_the_statements_is_lost(tmp_path):
    write_obj(read(tmp_path, EVERYTHING), tmp_path / "written.obj")
    written = (tmp_path / "written.obj").read_text()
    keywords = {line.split()[0] for line in EVERYTHING.splitlines()} - {"res", "bzp", "cdc", "g"}
    assert keywords <= {line.split()[0] for line in written.splitlines()}
    for statement in (
        "ctech cspace 0.05",
        "stech cparma 1.3333333333333333 1.6666666666666667",  # res
        "mg 2 0.01",
        "mg off",
        "scrv 0.0 4.0 -2",
        "con 1 0.0 4.0 -2 2 4.0 0.0 -1",
        "con 5 0.0 1.0 -2 1 1.0 0.0 -1",
    ):
        assert f"\n{statement}\n" in written
    scene = read(tmp_path, "o first\n" + EVERYTHING[: EVERYTHING.index("stech curv")])
    apply(scene, duplicate(scene, [node.id for node in scene.objects]))
    write_obj(scene, tmp_path / "copies.obj")
    lines = [line.split() for line in (tmp_path / "copies.obj").read_text().splitlines() if line.startswith("con ")]
    assert len(scene.objects) == 4 and [(line[1], line[5]) for line in lines] == [("1", "2"), ("3", "4")]


def test_fineness_grows_with_its_object_and_is_not_that_of_another(tmp_path):
    (tmp_path / "fine.obj").write_text(f"ctech cparm 9.0\nstech cspace 0.25\n{sphere()}{TAYLOR}g other\n{sphere()}")
    (tmp_path / "plain.obj").write_text(TRIMMED)
    scene = load([tmp_path / "fine.obj", tmp_path / "plain.obj"])
    scene.objects[1].scale = (10.0, 10.0, 10.0)
    write_obj(scene, tmp_path / "written.obj")
    again = load(tmp_path / "written.obj")
    assert not again.report.warnings
    counts = [
        each.meshes.batch(each.mesh_ids[[node.id for node in each.objects]]).triangle_counts.tolist()
        for each in (scene, again)
    ]
    assert counts[0] == counts[1]


@settings(max_examples=5, deadline=None)
@given(st.lists(st.floats(-10.0, 10.0), min_size=3, max_size=3), st.floats(0.1, 4.0), st.floats(-3.0, 3.0))
def test_control_points_move_with_their_node(tmp_path_factory, translation, stretch, angle):
    folder = tmp_path_factory.mktemp("moved")
    scene = read(folder, f"o shape\n{TRIMMED}{bicubic(np.eye(4), 5.0)}")
    node = scene.objects[0]
    node.translation, node.scale = translation, (stretch, 1.0, 2.0)
    node.rotation = (0.0, np.sin(angle), 0.0, np.cos(angle))
    assert write_obj(scene, folder / "written.obj") == ["transforms are baked into the vertices: OBJ has none"]
    again = load(folder / "written.obj")
    form = next(iter(again.loaded_sources[0].free_form.values()))
    wanted = next(iter(scene.loaded_sources[0].free_form.values()))
    for part, before in zip(form.parts, wanted.parts, strict=True):
        world, points = node.world_from_local, before.controls[:, :3]
        np.testing.assert_allclose(part.controls[:, :3], points @ world[:3, :3].T + world[:3, 3], atol=1e-9)
        assert [text for text, _ in part.statements] == [text for text, _ in before.statements]


def mirrored(scene: Scene) -> None:
    scene.objects[0].scale = (-1.0, 1.0, 1.0)


def edited(scene: Scene) -> None:
    scene.objects[0].scale = (2.0, 1.0, 1.0)
    for operation, *arguments in ((set_origin, (1.0, 0.0, 0.0)), (apply_transform,), (flip_faces,)):
        assert "curves and surfaces of 1 object become" in operation(scene, [scene.objects[0].id], *arguments).notes[0]
    assert not replace_mesh(scene, [scene.objects[0].id], len(scene.meshes) - 1).notes
    apply(scene, apply_transform(scene, [scene.objects[0].id]))
    assert not apply_transform(scene, [scene.objects[0].id]).notes


@pytest.mark.parametrize(
    ("text", "act", "is_told"),
    [
        (bicubic(np.eye(4)), mirrored, True),
        (FAR_OUT, lambda scene: setattr(scene.objects[0], "scale", (1e10, 1.0, 1.0)), True),
        (bicubic(np.eye(4)), edited, False),  # its mesh is the user's then, and of triangles
        (TAYLOR, lambda scene: setattr(scene.objects[0], "scale", (2.0, 1.0, 1.0)), True),
        (bicubic(np.eye(4)) + "v 0 0 9\nv 1 0 9\nv 1 1 9\nf -3 -2 -1\n", lambda scene: None, True),
        ("usemtl a\n" + bicubic(np.eye(4)) + "usemtl b\n" + bicubic(np.eye(4), 5.0), lambda scene: None, True),
    ],
)
def test_what_cannot_be_written_as_it_was_is_written_as_shown(tmp_path, text, act, is_told):
    scene = read(tmp_path, text)
    act(scene)
    assert (NOTE in write_obj(scene, tmp_path / "written.obj")) == is_told
    again = load(tmp_path / "written.obj")
    assert not again.loaded_sources[0].free_form
    assert len(again.meshes.triangles) == len(scene.meshes.batch(scene.mesh_ids[[scene.objects[0].id]]).triangles)


def test_a_material_and_what_follows_keep_their_places(tmp_path):
    (tmp_path / "shape.mtl").write_text("newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\n")
    text = f"mtllib shape.mtl\no a\nusemtl red\n{TEXTURED}o b\nusemtl blue\nf -4/-4 -3/-3 -2/-2\no c\n{sphere()}"
    scene = read(tmp_path, text)
    assert write_obj(scene, tmp_path / "written.obj") == []
    again = load(tmp_path / "written.obj")
    assert_same(scene, again)
    shown = again.meshes.batch(again.mesh_ids[[node.id for node in again.objects]])
    firsts = np.cumsum(shown.vertex_counts) - shown.vertex_counts
    assert [again.materials[number].name for number in shown.material_ids[firsts]] == ["red", "blue", "blue"]
