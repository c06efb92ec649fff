"""Separating loose parts: against a search from triangle to triangle, and back to the same picture."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene import EditError, History, Scene, apply, inverse
from octoscope.scene.editing import merge, separate
from octoscope.scene.mesh.connected_components import connected_components
from octoscope.scene.mesh.data import MeshBatch, MeshData
from octoscope.scene.mesh.primitives import cube


def soup(rng: np.random.Generator) -> MeshData:
    """A few triangles, lines and points at few places; some vertices nothing has, and some are at equal places."""
    count = int(rng.integers(3, 25))
    positions = rng.choice([-0.0, 0.0, 1.0, 2.0], (count, 3))
    made = {"triangles": 3, "lines": 2, "points": 1}
    elements = {name: rng.integers(0, count, (rng.integers(0, 6), width)) for name, width in made.items()}
    if not sum(map(len, elements.values())):
        elements["points"] = np.array([[0]])
    return MeshData(
        positions,
        elements["triangles"],
        None,
        rng.integers(0, 3, count),
        uvs=rng.random((count, 2)),
        source_vertices=rng.integers(0, count, count),
        edges=rng.integers(0, 8, len(elements["triangles"])).astype(np.uint8),
        lines=elements["lines"],
        points=elements["points"].ravel(),
    )


def sets_of(mesh: MeshData) -> list[set[tuple[float, ...]]]:
    """The places of each part, by its first element, found by growing one set after the other."""
    elements = [*mesh.triangles.tolist(), *mesh.lines.tolist()]
    places = [{tuple(mesh.positions[v] + 0.0) for v in element} for element in elements]
    found: list[set] = []
    for element in places:
        joined = [known for known in found if known & element]
        if joined:
            joined[0].update(element, *joined[1:])
            found = [known for known in found if known is joined[0] or known not in joined[1:]]
        else:
            found.append(set(element))
    alone = {tuple(mesh.positions[v] + 0.0) for v in mesh.points}
    alone -= set().union(*found)
    return found + ([alone] if alone else [])


def seen(scene: Scene) -> list[tuple]:
    """Every triangle, line and point of the scene with what its vertices have, in no order."""
    found = []
    for node in scene.ids[scene.mesh_ids[scene.ids] >= 0].tolist():
        mesh = scene.meshes.mesh(int(scene.mesh_ids[node]))
        material = int(scene.material_overrides[node])
        matrix = scene.world_from_local[node]
        at = (mesh.positions + 0.0) @ matrix[:3, :3].T + matrix[:3, 3]
        vertices = [
            (*at[v].tolist(), *mesh.uvs[v].tolist(), int(mesh.material_ids[v]), int(mesh.source_vertices[v]), material)
            for v in range(len(at))
        ]
        found += [(*(vertices[v] for v in t), int(e)) for t, e in zip(mesh.triangles, mesh.edges, strict=True)]
        found += [tuple(vertices[v] for v in ends) for ends in mesh.lines]
        found += [(vertices[v],) for v in mesh.points]
    return sorted(found, key=repr)


@pytest.mark.parametrize("seed", range(40))
def test_parts_are_those_that_growing_sets_of_places_finds_and_the_picture_stays(seed):
    rng = np.random.default_rng(seed)
    meshes = [soup(rng) for _ in range(3)]
    batch = MeshBatch.of(meshes, ["a", "b", "c"])
    parts, counts = connected_components(batch)
    sets = [sets_of(mesh) for mesh in meshes]
    assert counts.tolist() == [len(each) for each in sets]
    flat = [places for each in sets for places in each]
    firsts = np.cumsum(counts) - counts
    for number, mesh in enumerate(meshes):
        own = parts[batch.vertex_counts[:number].sum() :][: len(mesh.positions)]
        used = np.zeros(len(own), dtype=bool)
        used[[*mesh.triangles.ravel(), *mesh.lines.ravel(), *mesh.points]] = True
        np.testing.assert_array_equal(own >= 0, used)
        assert {firsts[number], *own[used]} <= set(range(firsts[number], firsts[number] + counts[number]))
        order = [own[element[0]] for element in (*mesh.triangles, *mesh.lines, *mesh.points[:, None])]
        assert list(dict.fromkeys(order)) == list(range(firsts[number], firsts[number] + counts[number]))
        for vertex in np.flatnonzero(used):
            assert tuple(mesh.positions[vertex] + 0.0) in flat[own[vertex]]

    scene = Scene()
    for mesh in meshes:
        scene.meshes.add(mesh)
    scene.add_materials(scene.materials * 3)
    shown = rng.integers(-1, 3, 6)
    scene.add_nodes(
        [f"n{number}" for number in range(6)],
        mesh=shown,
        parent=[-1, 0, 0, 1, -1, 4],
        translation=rng.integers(0, 9, (6, 3)),
        material=rng.integers(-1, 3, 6),
    )
    scene.update_world()
    before, children = seen(scene), scene.parents.tolist()
    ids = rng.permutation(6)[:4]
    expected = sum(int(counts[mesh]) - 1 for mesh in shown[ids] if mesh >= 0)
    if not expected:
        with pytest.raises(EditError):
            separate(scene, ids)
        return
    edit = separate(scene, ids)
    assert len(scene) == 6 and seen(scene) == before
    apply(scene, edit)
    scene.update_world()
    assert len(scene) == 6 + expected
    assert seen(scene) == before
    assert scene.parents[:6].tolist() == children
    assert set(edit.selects.tolist()) >= set(range(6, 6 + expected))
    with pytest.raises(EditError, match="one connected part"):
        separate(scene, edit.selects)
    apply(scene, inverse(edit))
    scene.update_world()
    assert len(scene) == 6 and seen(scene) == before


def test_merged_objects_come_apart_again_with_names_of_their_own_and_undo_has_one_again():
    scene = Scene()
    mesh = scene.meshes.add(cube())
    scene.add_nodes(["tower", "gate", "wall"], mesh=mesh, translation=[(0, 0, 0), (5, 0, 0), (10, 0, 0)])
    history = History(scene)
    history.do(merge(scene, [0, 1, 2]))
    merged = scene.mesh_ids[0]
    history.do(separate(scene, [0]))
    assert scene.names[scene.ids].tolist() == ["tower", "tower.001", "tower.002"]
    assert history.selection.ids.tolist() == scene.ids.tolist()
    scene.update_world()
    np.testing.assert_allclose([scene.bounds([node])[0][0] for node in scene.ids], [-0.5, 4.5, 9.5])
    history.undo()
    assert scene.ids.tolist() == [0] and scene.mesh_ids[0] == merged


def test_nodes_that_shared_a_mesh_share_its_parts():
    scene = Scene()
    mesh = scene.meshes.add(cube())
    scene.add_nodes(["a", "b"], mesh=mesh, translation=[(0, 0, 0), (5, 0, 0)])
    apply(scene, merge(scene, [0, 1]))
    whole = int(scene.mesh_ids[0])
    scene.add_nodes(["again", "other"], mesh=[whole, mesh], translation=(0, 9, 0))
    meshes = len(scene.meshes)
    apply(scene, separate(scene, [0, 2, 3]))
    assert len(scene.meshes) == meshes + 2
    assert scene.mesh_ids[scene.ids].tolist() == [meshes, meshes, mesh, meshes + 1, meshes + 1]


def test_what_cannot_be_separated_says_why():
    scene = Scene()
    scene.add_nodes(["empty", "cube"], mesh=[-1, scene.meshes.add(cube())])
    with pytest.raises(EditError, match="no selected object has a mesh"):
        separate(scene, [0])
    with pytest.raises(EditError, match="one connected part"):
        separate(scene, [0, 1])
    with pytest.raises(EditError, match="nothing is selected"):
        separate(scene, [])


def test_a_hundred_thousand_parts_come_apart_in_one_go():
    count = 100_000
    corners = np.arange(3 * count).reshape(count, 3)
    positions = np.stack([corners.ravel(), corners.ravel() % 3, np.zeros(3 * count)], axis=1)
    scene = Scene()
    mesh = scene.meshes.add(MeshData(positions, corners, None, np.zeros(3 * count, dtype=int)))
    scene.add_node("dust", mesh=mesh)
    apply(scene, separate(scene, [0]))
    assert len(scene) == count and scene.meshes.rows["triangle_count"][1:].tolist() == [1] * count
    np.testing.assert_array_equal(scene.meshes.mesh(int(scene.mesh_ids[-1])).positions, positions[-3:])
