"""Nodes that a section cuts, and box selection of what it leaves, against all corners that a cut polygon can have."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from octoscope.octree import Frustum
from octoscope.scene import MeshData, Scene, SpatialIndex
from octoscope.scene.spatial.frustum_select import NO_PLANES, nodes_cut, nodes_in_frustum
from tests.cases import quick
from tests.oracles import random_camera
from tests.scene.builders import random_scene
from tests.scene.spatial.test_frustum_select import elements_of, sketch


def corners_left(points: np.ndarray, planes: np.ndarray) -> np.ndarray:
    """(c, 3): the corners of what planes, (p, 4), leave of a triangle, line or point, (k, 3); in no order.

    A corner is one of its own, or where a plane meets a side, or where two planes meet the triangle.
    """
    found = list(points)
    for a, b in combinations(points, 2):
        for plane in planes:
            da, db = (plane[:3] @ end + plane[3] for end in (a, b))
            if da * db < 0.0:
                found.append(a + da / (da - db) * (b - a))
    if len(points) == 3:
        normal = np.cross(points[1] - points[0], points[2] - points[0])
        p, q = np.triu_indices(len(planes), 1)
        rows = np.stack([planes[p, :3], planes[q, :3], np.broadcast_to(normal, (len(p), 3))], axis=1)
        meets = abs(np.linalg.det(rows)) > 1e-9 * np.linalg.norm(normal)
        p, q, rows = p[meets], q[meets], rows[meets]
        right = np.column_stack([-planes[p, 3], -planes[q, 3], np.full(len(p), normal @ points[0])])
        places = np.linalg.solve(rows, right[..., None])[..., 0]
        barycentric = np.linalg.pinv(np.vstack([points.T, np.ones(3)]))
        weights = np.column_stack([places, np.ones(len(places))]) @ barycentric.T
        found.extend(places[(weights >= -1e-9).all(axis=1)])
    corners = np.array(found)
    return corners[(corners @ planes[:, :3].T + planes[:, 3] >= -1e-7).all(axis=1)]


def random_planes(rng: np.random.Generator, about: np.ndarray, count: int) -> np.ndarray:
    """(count, 4) planes about a point, near it, which lies inside."""
    normals = rng.normal(size=(count, 3))
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return np.column_stack([normals, rng.uniform(0.2, 4.0, count)])


@pytest.mark.parametrize("offset", (0.0, 1e6))
@pytest.mark.parametrize("seed", quick(range(3), 1))
def test_what_is_cut_and_what_a_box_holds_of_the_rest_is_decided_exactly(seed, offset):
    rng = np.random.default_rng(seed)
    scene = random_scene(seed, 40)
    scene.add_nodes(["sketch"] * 20, mesh=scene.meshes.add(sketch(rng)), translation=8.0 * rng.normal(size=(20, 3)))
    top = np.flatnonzero(scene.parents < 0)
    scene.set_translations(top, scene.translations[top] + offset)
    scene.update_world()
    index = SpatialIndex(scene)
    ids = np.flatnonzero((scene.mesh_ids >= 0) & np.isfinite(scene.world_spheres).all(axis=1)).astype(np.int32)
    counts = np.zeros(4, dtype=int)
    for count in (1, 2, 3, 6):
        about = scene.world_spheres[rng.choice(ids), :3].copy()
        section = random_planes(rng, about, count)
        frustum = Frustum.from_matrix(random_camera(rng, about, 14.0))
        planes = frustum.planes_about(about)
        section_of_frustum = section.copy()
        section_of_frustum[:, 3] += section[:, :3] @ (frustum.origin - about)
        found = {
            "cut": nodes_cut(index, ids, section, about),
            "touched": nodes_in_frustum(index, frustum, section=section_of_frustum),
            "held": nodes_in_frustum(index, frustum, section=section_of_frustum, wholly=True),
        }
        for node in ids.tolist():
            parts = [part - about for owners, points in elements_of(scene, np.array([node])) for part in points]
            wanted = verdicts(parts, section, planes)
            for (name, is_so), number in zip(wanted.items(), range(3), strict=True):
                if is_so is not None:
                    assert (node in found[name]) == is_so, (name, node)
                    counts[number] += is_so
                    counts[3] += not is_so
    assert (counts > 0).all()


def verdicts(parts: list[np.ndarray], section: np.ndarray, planes: np.ndarray) -> dict[str, bool | None]:
    """Return for a node's elements about a point what is found of them; None where rounding may decide."""
    tolerance = 1e-6
    depths = np.concatenate([part @ section[:, :3].T + section[:, 3] for part in parts])
    left = [corners_left(part, section) for part in parts]
    touched = [corners_left(part, np.concatenate([section, planes])) for part in parts]

    def margin(corners: list[np.ndarray], by: np.ndarray) -> float:
        """Return how far inside of all planes the innermost corner or middle of what is left lies; -inf for nothing."""
        places = [np.vstack([each, each.mean(axis=0)]) for each in corners if len(each)]
        return max((float((p @ by[:, :3].T + by[:, 3]).min(axis=1).max()) for p in places), default=-np.inf)

    every = np.concatenate([section, planes])
    is_left = _sure(margin(left, section), tolerance)
    is_touched = _sure(margin(touched, every), tolerance)
    inside = np.concatenate([np.empty((0, 3)), *left])
    worst = (inside @ planes[:, :3].T + planes[:, 3]).min(initial=np.inf)
    is_held = None if abs(worst) < tolerance or is_left is None else bool(is_left and worst > 0.0)
    lowest = depths.min()
    is_cut = None if abs(lowest) < tolerance or is_left is None else bool(is_left and lowest < 0.0)
    return {"cut": is_cut, "touched": is_touched, "held": is_held}


def _sure(margin: float, tolerance: float) -> bool | None:
    return True if margin > tolerance else False if margin == -np.inf else None


def test_a_section_that_cuts_nothing_away_changes_nothing():
    scene = random_scene(1, 60)
    scene.update_world()
    index = SpatialIndex(scene)
    frustum = Frustum.from_matrix(random_camera(np.random.default_rng(1), np.zeros(3), 6.0))
    far_out = np.array([(1.0, 0.0, 0.0, 1e6), (0.0, -1.0, 0.0, 1e6)])
    for wholly in (False, True):
        plain = nodes_in_frustum(index, frustum, wholly=wholly)
        np.testing.assert_array_equal(nodes_in_frustum(index, frustum, wholly=wholly, section=far_out), plain)
        assert len(plain)
    ids = np.flatnonzero(scene.mesh_ids >= 0).astype(np.int32)
    assert nodes_cut(index, ids, far_out, np.zeros(3)).tolist() == []
    assert nodes_cut(index, ids, NO_PLANES, np.zeros(3)).tolist() == []


def test_what_a_section_cuts_away_does_not_keep_a_node_out_of_a_box():
    scene = Scene()
    long = np.array([(0.0, 0.0, 0.0), (10.0, 0.0, 0.0), (0.0, 1.0, 0.0)])
    mesh = scene.meshes.add(MeshData(long, np.array([(0, 1, 2)]), None, np.zeros(3, dtype=np.int32)))
    scene.add_node("long", mesh=mesh)
    scene.update_world()
    matrix = np.diag((0.25, 0.25, 0.25, 1.0))  # from -4 to 4
    frustum = Frustum.from_matrix(matrix)
    assert nodes_in_frustum(scene.index, frustum, wholly=True).tolist() == []
    below_three = np.array([(-1.0, 0.0, 0.0, 3.0)])
    assert nodes_in_frustum(scene.index, frustum, wholly=True, section=below_three).tolist() == [0]
    above_five = np.array([(1.0, 0.0, 0.0, -5.0)])
    assert nodes_in_frustum(scene.index, frustum, section=above_five).tolist() == []
