"""Frustum: planes and corners against the matrix they come from."""

import numpy as np
import pytest

from octoscope.octree import Frustum
from octoscope.octree.frustum import INSIDE, INTERSECTING, OUTSIDE
from tests.oracles import orthographic, perspective, random_camera, random_rotation

pytestmark = pytest.mark.usefixtures("strict_floats")

CLIP_CORNERS = np.array([(x, y, z) for z in (-1.0, 1.0) for y in (-1.0, 1.0) for x in (-1.0, 1.0)])


def clip_from_world_of_seed(seed: int) -> np.ndarray:
    return random_camera(np.random.default_rng(seed), np.array((30.0, -20.0, 10.0)), 10.0)


@pytest.mark.parametrize("seed", range(20))
def test_planes_are_of_unit_length_and_point_inward(seed):
    frustum = Frustum.from_matrix(clip_from_world_of_seed(seed))
    np.testing.assert_allclose(np.linalg.norm(frustum.planes[:, :3], axis=1), 1.0, rtol=1e-14)
    middle = frustum.corners.mean(axis=0)
    assert (frustum.planes[:, :3] @ middle + frustum.planes[:, 3] > 0.0).all()


@pytest.mark.parametrize("seed", range(20))
def test_corners_are_where_the_matrix_maps_to_the_corners_of_clip_space(seed):
    matrix = clip_from_world_of_seed(seed)
    clip = np.append(Frustum.from_matrix(matrix).corners, np.ones((8, 1)), axis=1) @ matrix.T
    np.testing.assert_allclose(clip[:, :3] / clip[:, 3:], CLIP_CORNERS, atol=1e-8)


@pytest.mark.parametrize("seed", range(20))
def test_each_plane_holds_the_four_corners_of_its_side(seed):
    frustum = Frustum.from_matrix(clip_from_world_of_seed(seed))
    distances = frustum.corners @ frustum.planes[:, :3].T + frustum.planes[:, 3]
    size = np.abs(frustum.corners).max()
    sides = [CLIP_CORNERS[:, axis] == side for axis in range(3) for side in (-1.0, 1.0)]
    for plane, on_plane in enumerate(sides):  # left, right, bottom, top, near, far
        np.testing.assert_allclose(distances[on_plane, plane], 0.0, atol=1e-9 * size)
        assert (distances[~on_plane, plane] > 0.0).all()


@pytest.mark.parametrize("seed", range(20))
def test_a_point_is_inside_all_planes_exactly_when_clip_space_has_it(seed):
    matrix = clip_from_world_of_seed(seed)
    frustum = Frustum.from_matrix(matrix)
    rng = np.random.default_rng(seed)
    points = rng.dirichlet(np.ones(8), 2000) @ frustum.corners
    points[::2] += rng.normal(size=(1000, 3)) * np.ptp(frustum.corners, axis=0)
    clip = np.append(points, np.ones((len(points), 1)), axis=1) @ matrix.T
    seen = (np.abs(clip[:, :3]) <= clip[:, 3:]).all(axis=1)
    distances = (points @ frustum.planes[:, :3].T + frustum.planes[:, 3]).min(axis=1)
    clear = np.abs(distances) > 1e-9 * np.abs(frustum.corners).max()
    assert 900 < seen.sum() < 1900
    np.testing.assert_array_equal((distances > 0.0)[clear], seen[clear])


def test_planes_of_a_known_box_are_left_right_bottom_top_near_far():
    frustum = Frustum.from_matrix(orthographic(half_height=2.0, aspect=1.5, near=1.0, far=5.0))
    expected = [(1, 0, 0, 3), (-1, 0, 0, 3), (0, 1, 0, 2), (0, -1, 0, 2), (0, 0, -1, -1), (0, 0, 1, 5)]
    np.testing.assert_allclose(frustum.planes, expected, atol=1e-14)
    np.testing.assert_allclose(frustum.corners[0], (-3.0, -2.0, -1.0))
    np.testing.assert_allclose(frustum.corners[1], (3.0, -2.0, -1.0))
    np.testing.assert_allclose(frustum.corners[7], (3.0, 2.0, -5.0))


def test_a_camera_looking_past_the_middle_of_its_picture_has_unequal_side_planes():
    matrix = perspective(1.0, 1.0, 0.1, 10.0)
    matrix[0, 2] = 0.5  # shifted lens: what was in the middle moves to the side
    planes = Frustum.from_matrix(matrix).planes
    np.testing.assert_allclose(np.linalg.norm(planes[:, :3], axis=1), 1.0)
    assert not np.isclose(planes[0, 2], planes[1, 2])


def test_scaling_a_whole_matrix_changes_nothing():
    matrix = clip_from_world_of_seed(0)
    np.testing.assert_allclose(Frustum.from_matrix(7.0 * matrix).planes, Frustum.from_matrix(matrix).planes)


def singular_matrices() -> dict[str, np.ndarray]:
    view = np.eye(4)
    view[:3, :3] = random_rotation(np.random.default_rng(0))
    view[:3, 3] = (1.0, 2.0, 3.0)
    twice_the_same_row = np.eye(4)
    twice_the_same_row[1] = twice_the_same_row[0]
    return {
        "zeros": np.zeros((4, 4)),
        "scaled to nothing along one axis": np.diag((1.0, 1.0, 0.0, 1.0)),
        "twice the same row": twice_the_same_row,
        "near plane at distance 0": perspective(1.0, 1.0, 0.0, 10.0) @ view,
        "far plane at infinity": np.array([[1.0, 0, 0, 0], [0, 1, 0, 0], [0, 0, -1, -0.2], [0, 0, -1, 0]]) @ view,
    }


@pytest.mark.parametrize("name", singular_matrices())
def test_a_matrix_without_a_frustum_is_refused(name):
    with pytest.raises(ValueError, match="clip space"):
        Frustum.from_matrix(singular_matrices()[name])


@pytest.mark.parametrize("value", (np.nan, np.inf, -np.inf))
@pytest.mark.parametrize("place", [(0, 0), (3, 3), (2, 1)])
def test_a_matrix_that_is_not_finite_is_refused(value, place):
    matrix = perspective(1.0, 1.0, 0.1, 10.0)
    matrix[place] = value
    with pytest.raises(ValueError, match="finite"):
        Frustum.from_matrix(matrix)


@pytest.mark.parametrize("shape", [(3, 3), (3, 4), (16,), (1, 4, 4)])
def test_a_matrix_of_another_shape_is_refused(shape):
    with pytest.raises(ValueError, match="4, 4"):
        Frustum.from_matrix(np.ones(shape))


def test_a_frustum_cannot_be_changed_and_does_not_follow_the_matrix_it_was_made_of():
    matrix = perspective(1.0, 1.0, 0.1, 10.0)
    frustum = Frustum.from_matrix(matrix)
    planes = frustum.planes.copy()
    matrix[:] = 0.0
    np.testing.assert_array_equal(frustum.planes, planes)
    with pytest.raises(ValueError, match="read-only"):
        frustum.planes[0, 0] = 2.0
    with pytest.raises(ValueError, match="read-only"):
        frustum.corners[0, 0] = 2.0


def test_the_scale_of_the_matrix_has_no_meaning():
    expected = Frustum.from_matrix(np.eye(4)).planes
    for scale in (1e-300, 1e300):
        np.testing.assert_allclose(Frustum.from_matrix(np.eye(4) * scale).planes, expected)


def test_a_matrix_that_flattens_space_is_refused():
    flat = np.diag((1.0, 1.0, 1.0, 1.0))
    flat[2] = flat[0] + flat[1]
    with pytest.raises(ValueError, match="singular"):
        Frustum.from_matrix(flat)


@pytest.mark.parametrize("seed", range(20))
def test_a_cube_is_outside_or_inside_exactly_if_all_its_corners_are_of_one_plane_or_of_all(seed):
    frustum = Frustum.from_matrix(clip_from_world_of_seed(seed), (5.0, 6.0, 7.0))
    rng = np.random.default_rng(seed)
    size = np.ptp(frustum.corners, axis=0).max()
    inside = rng.dirichlet(np.ones(8), 500) @ frustum.corners
    centers = frustum.origin + np.concatenate([inside, rng.normal(size=(500, 3)) * size])
    half_sizes = size * 10.0 ** rng.uniform(-3.0, 0.0, 1000)
    corners = centers[:, None] + half_sizes[:, None, None] * CLIP_CORNERS[:, :3]
    distances = (corners - frustum.origin) @ frustum.planes[:, :3].T + frustum.planes[:, 3]
    is_inside, is_outside = (distances > 0.0).all(axis=(1, 2)), (distances < 0.0).all(axis=1).any(axis=1)
    verdicts = frustum.classify_cubes(centers, half_sizes)
    expected = np.select([is_outside, is_inside], [OUTSIDE, INSIDE], INTERSECTING)
    clear = np.abs(distances).min(axis=(1, 2)) > 1e-9 * size
    np.testing.assert_array_equal(verdicts[clear], expected[clear])
    assert {OUTSIDE, INTERSECTING, INSIDE} == set(verdicts.tolist())
