"""Other readers of OBJ, where they are right: trimesh and tinyobjloader find the same triangles as we do.

Both are right about convex polygons and absolute indices; trimesh alone about what stands in one place and order,
tinyobjloader alone about relative indices and names.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh

from octoscope.scene import FileContent, read_obj
from tests.oracles import random_rotation
from tests.scene.formats.obj.checks import area, assert_sound


def random_text(seed: int, *, relative: bool) -> str:
    """A dozen objects of convex polygons, written with few layouts, as all readers can read them."""
    rng = np.random.default_rng(seed)
    lines = ["# a differential test"]
    vertices = uvs = normals = 0
    for number in range(12):
        lines.append(f"o object_{number}")
        for _ in range(int(rng.integers(1, 20))):
            count = int(rng.integers(3, 9))
            angles = np.sort((np.arange(count) + rng.uniform(0.1, 0.9, count)) * 2.0 * np.pi / count)
            flat = np.stack([np.cos(angles), np.sin(angles), np.zeros(count)], axis=1)
            rotation = random_rotation(rng)
            corners = flat @ rotation.T * rng.uniform(0.01, 10.0) + rng.normal(0.0, 100.0, 3)
            lines += [f"v {x!r} {y!r} {z!r}" for x, y, z in corners.tolist()]
            lines += [f"vt {u:.6f} {v:.6f}" for u, v in rng.uniform(0.0, 1.0, (count, 2)).tolist()]
            lines.append("vn " + " ".join(map(repr, rotation[:, 2].tolist())))
            indices = [np.arange(count) - count, np.arange(count) - count, np.full(count, -1)]
            vertices, uvs, normals = vertices + count, uvs + count, normals + 1
            if not relative or rng.random() < 0.5:
                indices = [k + n + 1 for k, n in zip(indices, (vertices, uvs, normals), strict=True)]
            form = rng.choice(["{0}", "{0}/{1}", "{0}//{2}", "{0}/{1}/{2}"])
            lines.append("f " + " ".join(form.format(*corner) for corner in zip(*indices, strict=True)))
    return "\n".join(lines) + "\n"


def ours(path: Path) -> FileContent:
    file = read_obj(path)
    assert_sound(file)
    assert file.problems == []
    return file


def sorted_triangles(corners: np.ndarray) -> np.ndarray:
    """(t, 3, 3) corners of triangles, each begun with its smallest, all in one order."""
    corners = corners.round(9) + 0.0
    first = np.lexsort(corners.transpose(2, 0, 1)[::-1], axis=1)[:, 0]
    turned = np.take_along_axis(corners, ((first[:, None] + np.arange(3)) % 3)[:, :, None], axis=1)
    flat = turned.reshape(len(turned), 9)
    return flat[np.lexsort(flat.T[::-1])]


@pytest.mark.parametrize("seed", range(10))
def test_tinyobjloader_finds_the_same(tmp_path, seed):
    tinyobjloader = pytest.importorskip("tinyobjloader")
    path = tmp_path / "scene.obj"
    path.write_text(random_text(seed, relative=True))
    reader, settings = tinyobjloader.ObjReader(), tinyobjloader.ObjReaderConfig()
    settings.triangulate = True
    assert reader.ParseFromFile(str(path), settings), reader.Error()
    attributes = reader.GetAttrib()
    positions, uvs = np.reshape(attributes.vertices, (-1, 3)), np.reshape(attributes.texcoords, (-1, 2))
    file = ours(path)
    assert file.vertex_count == len(positions)
    shapes = reader.GetShapes()
    assert [name for name, _ in file.objects] == [shape.name for shape in shapes]
    for (_, mesh), shape in zip(file.objects, shapes, strict=True):
        indices = np.array([(k.vertex_index, k.texcoord_index) for k in shape.mesh.indices])
        corners = positions[indices[:, 0]].reshape(-1, 3, 3)
        assert len(mesh.triangles) == len(corners)
        crosses = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        assert area(mesh) == pytest.approx(np.linalg.norm(crosses, axis=1).sum() / 2.0, rel=1e-9)
        # Which diagonal a polygon is cut along is a reader's own affair; which vertex has which texture is not.
        used = np.unique(np.c_[indices[:, 0], np.where(indices[:, 1:] >= 0, uvs[indices[:, 1]], 0.0)], axis=0)
        mine = np.unique(np.c_[mesh.source_vertices, mesh.uvs], axis=0)
        np.testing.assert_allclose(mine, used, atol=1e-6)
        # It does not round to the nearest double.
        np.testing.assert_allclose(mesh.positions, positions[mesh.source_vertices], rtol=1e-14)


@pytest.mark.parametrize("seed", range(10))
def test_trimesh_finds_the_same(tmp_path, seed):
    path = tmp_path / "scene.obj"
    path.write_text(random_text(seed, relative=False))
    theirs = trimesh.load_scene(path, split_objects=True, group_material=False, process=False).geometry
    file = ours(path)
    assert {name for name, _ in file.objects} == set(theirs)
    for name, mesh in file.objects:
        assert len(mesh.triangles) == len(theirs[name].faces)
        assert area(mesh) == pytest.approx(theirs[name].area, rel=1e-6)
        np.testing.assert_allclose(
            sorted_triangles(mesh.positions[mesh.triangles]),
            sorted_triangles(np.asarray(theirs[name].triangles)),
            atol=1e-6,
        )
