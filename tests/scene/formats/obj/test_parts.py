"""OBJ files in parts against the same files read whole."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from octoscope.scene import ReadError, read_obj
from octoscope.scene.formats.obj.reader import read_obj_in_parts
from tests.scene.formats.obj.corpus import CORPUS

NAMES = sorted(CORPUS) if isinstance(CORPUS, dict) else range(len(CORPUS))


def elements_of(positions, uvs, colors, materials, rows, node) -> Counter:
    return Counter((node, *((*positions[v], *uvs[v], *colors[v], materials[v]) for v in row)) for row in rows.tolist())


def elements_of_batch(batch, nodes) -> Counter:
    """Each triangle, line and point with what its vertices have, and its node."""
    found: Counter = Counter()
    for number, node in enumerate(nodes):
        mesh = batch.mesh(number)
        columns = (mesh.positions.tolist(), mesh.uvs.tolist(), mesh.colors.tolist(), mesh.material_ids.tolist())
        for rows in (mesh.triangles, mesh.lines, mesh.points[:, None]):
            found += elements_of(*columns, rows, node)
    return found


@pytest.mark.parametrize("part_elements", [1, 3, 10**6])
@pytest.mark.parametrize("name", NAMES)
def test_the_parts_are_what_is_read_whole(name, part_elements, tmp_path):
    path = tmp_path / "a.obj"
    content = CORPUS[name]
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    parts = []

    def read():
        return read_obj_in_parts(
            path, lambda *part: parts.append(part), folder=tmp_path, part_elements=part_elements, threads=2
        )

    try:
        whole = read_obj(path)
    except ReadError as error:
        with pytest.raises(ReadError) as told:
            read()
        assert str(told.value) == str(error)
        return
    made = read()
    assert made.node_names.tolist() == whole.node_names.tolist()
    assert made.node_parents.tolist() == whole.node_parents.tolist()
    assert made.materials == whole.materials and made.vertex_count == whole.vertex_count
    assert list(map(str, made.problems)) == list(map(str, whole.problems))
    expected = elements_of_batch(whole.meshes, np.argsort(np.where(whole.node_meshes < 0, 2**30, whole.node_meshes)))
    found: Counter = Counter()
    for batch, meshes in parts:
        found += elements_of_batch(batch, made.node_of_mesh[meshes].tolist())
    assert found == expected
    assert [path.name for path in tmp_path.iterdir()] == ["a.obj"]
