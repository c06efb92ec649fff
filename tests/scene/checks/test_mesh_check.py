"""Faults of meshes against a walk over Python lists, and against trimesh where that asks the same."""

from __future__ import annotations

import base64
import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st

from octoscope import Material, Scene, check_meshes, editing, load
from octoscope.scene import MeshData, apply, save_project
from octoscope.scene.checks.fault_marks import fault_segments
from octoscope.scene.checks.mesh_check import EDGE_KINDS, FACE_KINDS, FAULT_KINDS, MeshCheck
from octoscope.scene.mesh.texture import Texture
from tests.scene.builders import ball, box, mesh_of, quad

pytestmark = pytest.mark.usefixtures("strict_floats")


def scene_of(*meshes: MeshData, **transform: object) -> Scene:
    scene = Scene()
    for number, mesh in enumerate(meshes):
        scene.add_node(f"mesh {number}", mesh=scene.meshes.add(mesh), **transform)
    scene.update_world()
    return scene


def found(scene: Scene) -> dict[tuple[int, str], int]:
    faults = check_meshes(scene)
    assert faults.nodes.dtype == np.int32 and faults.points.shape == (len(faults.kinds), 3)
    assert np.isfinite(faults.points).all() and (faults.counts > 0).all()
    keys = list(zip(faults.nodes.tolist(), faults.kinds.tolist(), strict=True))
    assert len(set(keys)) == len(keys)
    return dict(zip(keys, faults.counts.tolist(), strict=True))


def expected(mesh: MeshData) -> dict[str, int]:
    """Faults of edges and faces, by Python lists."""
    places = list(map(tuple, (mesh.positions + 0.0).tolist()))
    sides: Counter = Counter()
    seen = set()
    counts: Counter = Counter()
    for triangle in mesh.triangles.tolist():
        corners = [places[corner] for corner in triangle]
        if len(set(corners)) < 3:
            counts["degenerate faces"] += 1
            continue
        sides.update((corners[k], corners[(k + 1) % 3]) for k in range(3))
        a, b, c = np.array(corners)
        first = corners.index(min(corners))
        key = tuple(corners[first:] + corners[:first])
        if np.linalg.norm(np.cross(b - a, c - a)) <= 1e-12 * max(map(np.dot, *[(b - a, c - b, a - c)] * 2)):
            counts["degenerate faces"] += 1
        elif key in seen:
            counts["duplicate faces"] += 1
        seen.add(key)
    for a, b in {(min(side), max(side)) for side in sides}:
        up, down = sides[a, b], sides[b, a]
        counts["open edges"] += up + down == 1
        counts["flipped edges"] += up + down == 2 and up != down
        counts["non-manifold edges"] += up + down > 2
    return {kind: count for kind, count in counts.items() if count}


def broken(rng: np.random.Generator) -> MeshData:
    """A mesh on a grid with holes, copies, lines and turned faces, with seams."""
    shape = (box(), ball(4, 5), quad())[rng.integers(3)]
    triangles = np.concatenate([shape.triangles, rng.choice(shape.triangles, rng.integers(3))])
    lines = np.array([(0, 0, 1), (2, 2, 2)])[: rng.integers(3)]
    triangles = rng.permutation(np.concatenate([triangles, lines]))
    turned = rng.random(len(triangles)) < rng.choice((0.0, 0.2))
    triangles[turned] = triangles[turned, ::-1]
    triangles = np.concatenate([triangles[:1], triangles[1:][rng.random(len(triangles) - 1) >= rng.choice((0.0, 0.1))]])
    triangles = np.array([np.roll(each, rng.integers(3)) for each in triangles])
    positions = shape.positions[triangles].reshape(-1, 3)
    flat = np.array([(0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (3.0, 3.0, 3.0)])[:: rng.choice((-1, 1))]
    if rng.random() < 0.5:
        positions = np.concatenate([positions, flat])
    return mesh_of(positions, np.arange(len(positions)).reshape(-1, 3))


def marks_of(scene: Scene, node: int, kind: str) -> np.ndarray:
    """(k, 2, 3) world: what is drawn of a fault."""
    matrix = scene.world_from_local[node]
    return fault_segments(scene, node, kind, 10**6) @ matrix[:3, :3].T + matrix[:3, 3]


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=25, deadline=None)
def test_faults_of_random_broken_meshes_are_those_that_lists_find(seed):
    rng = np.random.default_rng(seed)
    meshes = [broken(rng) for _ in range(3)]
    scene = scene_of(*meshes, translation=(5.0, 0.0, 0.0), scale=(2.0, -1.0, 0.5))
    faults = found(scene)
    for node, mesh in enumerate(meshes):
        wanted = {**expected(mesh), "no normals": 1}
        own = {kind: count for (of, kind), count in faults.items() if of == node}
        own.pop("inverted faces", None)
        assert own == wanted
        for kind in (*EDGE_KINDS, *FACE_KINDS):
            segments = marks_of(scene, node, kind)
            assert len(segments) == wanted.get(kind, 0) * (3 if kind in FACE_KINDS else 1)
            if len(segments):
                (place,) = check_meshes(scene).points[(check_meshes(scene).kinds == kind) & _is(scene, node)]
                marks = (
                    segments.reshape(-1, 3, 2, 3)[:, :, 0].mean(axis=1) if kind in FACE_KINDS else segments.mean(axis=1)
                )
                assert np.abs(marks - place).max(axis=1).min() < 1e-9, "an example is among them"


def _is(scene: Scene, node: int) -> np.ndarray:
    return check_meshes(scene).nodes == node


def turned(mesh: MeshData) -> MeshData:
    return mesh_of(mesh.positions, mesh.triangles[:, ::-1])


def test_meshes_that_are_inside_out_are_told_as_trimesh_does():
    meshes = [
        box(),
        turned(box()),
        ball(),
        turned(ball()),
        turned(quad()),
        mesh_of(ball().positions, ball().triangles[1:, ::-1]),
    ]
    faults = check_meshes(scene_of(*meshes))
    assert faults.of("inverted faces").tolist() == [3, 1]
    for number in (1, 3):
        whole = trimesh.Trimesh(meshes[number].positions, meshes[number].triangles, process=False)
        assert whole.is_watertight and whole.volume < 0.0
    mirrored = check_meshes(scene_of(turned(box()), box(), scale=(-1.0, 1.0, 1.0)))
    assert mirrored.of("inverted faces").tolist() == [0], "a mirrored object keeps its fronts"


def test_tiny_objects_are_those_far_below_the_others():
    scene = scene_of(box())
    for scale in (1.0, 1.0, 0.5, 2e-3, 5e-4, 0.0):
        scene.add_node("more", mesh=0, scale=(scale,) * 3)
    scene.update_world()
    assert check_meshes(scene).of("tiny objects").tolist() == [5, 6]


def test_looks_that_are_missing():
    image = Texture("wood.png", np.zeros((2, 2, 4), dtype=np.uint8))
    scene = Scene()
    wood = scene.add_materials([Material("wood", base_color_texture=image)])[0]
    plain = quad()
    mapped = replace(quad(), uvs=np.array([(0, 0), (1, 0), (1, 1), (0, 1)]), normals=np.tile((0.0, 0.0, 1.0), (4, 1)))
    for mesh in (plain, mapped):
        scene.add_node("plain", mesh=(mesh := scene.meshes.add(mesh)))
        scene.add_node("wooden", mesh=mesh, material=wood)
    wooden = replace(plain, material_ids=np.full(4, wood))
    scene.add_node("of wood", mesh=scene.meshes.add(wooden))
    scene.add_node("of wood, painted", mesh=scene.mesh_ids[4], material=0)
    scene.update_world()
    faults = check_meshes(scene)
    assert faults.of("no normals").tolist() == [0, 1, 4, 5]
    assert faults.of("no texture coordinates").tolist() == [1, 4]


def test_rows_are_sorted_and_where_they_say():
    holed = mesh_of(box().positions, box().triangles[1:])
    scene = scene_of(quad(), holed, box(), rotation=(0.5, 0.5, 0.5, 0.5), translation=(0.0, 7.0, 0.0))
    faults = check_meshes(scene)
    assert list(dict.fromkeys(faults.kinds)) == [kind for kind in FAULT_KINDS if kind in set(faults.kinds)]
    assert faults.of("open edges").tolist() == [0, 1]
    middles = marks_of(scene, 0, "open edges").mean(axis=1)
    assert np.abs(middles - faults.points[0]).max(axis=1).min() < 1e-12
    assert len(fault_segments(scene, 0, "open edges", 2)) == 2
    assert len(fault_segments(scene, 2, "no normals", 2)) == 0


def test_what_is_asked_about_is_checked_with_all_below_it_alone():
    scene = scene_of(quad(), quad())
    group = scene.add_node("group")
    scene.add_node("inner", mesh=0, parent=group)
    apply(scene, editing.delete(scene, [1]))
    assert check_meshes(scene).of("open edges").tolist() == [0, 3]
    assert check_meshes(scene, group).of("open edges").tolist() == [3]
    assert len(check_meshes(Scene()).kinds) == 0


def test_a_check_sees_the_scene_as_it_was_and_tells_how_far_it_is(monkeypatch):
    monkeypatch.setattr("octoscope.scene.checks.mesh_check._PORTION", 1)
    scene = scene_of(quad(), box(), quad())
    check = MeshCheck(scene)
    scene.delete([0])
    steps = []
    assert check.run(lambda *step: steps.append(step)).of("open edges").tolist() == [0, 2]
    assert steps == [(0, 16), (2, 16), (14, 16), (16, 16)]


def test_numbers_beyond_all_bounds_are_no_triangles_without_area():
    for size in (1e-160, 1e-80, 1e80, 1e150):
        mesh = mesh_of(size * box().positions, box().triangles)
        assert "degenerate faces" not in check_meshes(scene_of(mesh)).kinds


@pytest.mark.parametrize("format_", (".obj", ".gltf", ".ply", ".octo.json"))
def test_images_that_are_missing_or_cannot_be_read_are_told_of_the_objects_that_need_them(tmp_path, format_):
    path = tmp_path / f"sign{format_}"
    (tmp_path / "torn.png").write_bytes(b"no image")
    if format_ == ".obj":
        path.write_text("mtllib a.mtl\no a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\nf 1 2 3\no b\nusemtl n\nf 1 2 3\n")
        (tmp_path / "a.mtl").write_text("newmtl m\nmap_Kd gone.png\nmap_Bump torn.png\nnewmtl n\nKd 1 0 0\n")
        missing = {"m": ("gone.png", "torn.png"), "n": ()}
    elif format_ == ".ply":
        head = "ply\nformat ascii 1.0\ncomment TextureFile gone.png\nelement vertex 3\n"
        head += "".join(f"property float {axis}\n" for axis in "xyz")
        path.write_text(
            head + "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"
        )
        missing = {"default": ("gone.png",)}
    else:
        scene = Scene()
        torn = Texture(tmp_path / "torn.png", np.zeros((2, 2, 4), np.uint8))
        (tmp_path / "torn.png").write_bytes(b"")
        scene.add_mesh("sign", quad().positions, quad().triangles, color="red")
        scene["sign"].material = Material("m", base_color_texture=torn)
        if format_ == ".octo.json":
            save_project(scene, path)
            missing = {"m": ("torn.png",)}
        else:
            glb = {"asset": {"version": "2.0"}, "images": [{"uri": "torn.png"}], "textures": [{"source": 0}]}
            glb |= {"materials": [{"name": "m", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]}
            data = base64.b64encode(np.eye(3, dtype=np.float32).tobytes()).decode()
            glb |= {"buffers": [{"byteLength": 36, "uri": f"data:application/octet-stream;base64,{data}"}]}
            glb |= {"bufferViews": [{"buffer": 0, "byteLength": 36}], "nodes": [{"mesh": 0, "name": "a"}]}
            glb |= {"accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}]}
            glb |= {
                "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],
                "scenes": [{"nodes": [0]}],
            }
            path.write_text(json.dumps(glb))
            missing = {"m": ("image torn.png",)}
    scene = load(path)
    assert {each.name: each.missing_textures for each in scene.used_materials if each.name in missing} == missing
    faults = check_meshes(scene).of("missing textures")
    assert faults.tolist() == [node.id for node in scene.objects if node.name != "b"]
    for node in faults.tolist():
        scene[node].material = Material("sound")
    assert not len(check_meshes(scene).of("missing textures"))
