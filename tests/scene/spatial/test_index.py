"""SpatialIndex: it follows the scene through every edit, whatever is moved wherever."""

import numpy as np
import pytest

from octoscope.octree import CullStats, Frustum
from octoscope.scene import Scene, SpatialIndex, load
from octoscope.scene.spatial.index_settings import IndexSettings
from tests.oracles import EVERYTHING, frustum_clearance, random_camera, random_quaternion, random_ray, ray_clearance
from tests.scene.builders import add_random_nodes, ball, box, quad, random_scales, random_scene
from tests.scene.spatial.sphere_rays import shown_on_ray

ALL = Frustum.from_matrix(EVERYTHING)
FARTHEST_INDEXED = 1e29


def sound_ids(scene: Scene) -> np.ndarray:
    """Nodes that an index should hold: with a mesh and a sphere that can be reckoned with."""
    spheres = scene.world_spheres
    with np.errstate(invalid="ignore"):
        sound = np.isfinite(spheres).all(axis=1) & (np.abs(spheres) < FARTHEST_INDEXED).all(axis=1)
    return np.flatnonzero((scene.mesh_ids >= 0) & sound)


def check_index(index: SpatialIndex, rng: np.random.Generator) -> None:
    """The index holds what it should, and answers as brute force over the scene's world spheres does."""
    scene, ids = index.nodes, sound_ids(index.nodes)
    assert len(index) == len(ids)
    np.testing.assert_array_equal(np.sort(index.all_ids()), ids)
    broken = np.setdiff1d(np.flatnonzero(scene.mesh_ids >= 0), ids)
    np.testing.assert_array_equal(np.sort(index.broken_ids()), broken)
    check_bounds(index)
    centers, radii = scene.world_spheres[ids, :3], scene.world_spheres[ids, 3]
    center, half_size = np.median(centers, axis=0), 10.0 + np.median(np.abs(centers))
    magnitude = np.abs(centers - index.stats().center).sum(axis=1) + radii
    for _ in range(3):
        frustum = Frustum.from_matrix(random_camera(rng, center, half_size))
        # The rounding of a plane: of its distance from the tree's centre, and of the root's size.
        far = np.abs(frustum.planes[:, :3] @ index.stats().center + frustum.planes[:, 3]).max()
        clearance = frustum_clearance(frustum.planes, centers, radii)
        check_ids(index.cull(frustum), ids, clearance, 1e-5 * (magnitude + index.stats().half_size + far))
        origin, direction = random_ray(rng, center, half_size)
        clearance = ray_clearance(origin, direction, np.inf, centers, radii)
        found, t = shown_on_ray(index, origin, direction)
        check_ids(found, ids, clearance, 1e-5 * magnitude)
        assert (np.diff(t) >= 0.0).all()


def check_ids(found: np.ndarray, ids: np.ndarray, clearance: np.ndarray, tolerance: np.ndarray) -> None:
    reported = np.isin(ids, found)
    assert len(np.unique(found)) == len(found) == reported.sum()
    assert reported[clearance < -1e-9 * tolerance].all(), "a node that touches was missed"
    assert not reported[clearance > tolerance].any(), "a node that is far away was reported"


def check_bounds(index: SpatialIndex) -> None:
    """They are those of the nodes that are in the tree, no larger."""
    box = index.nodes.own_bounds(sound_ids(index.nodes))
    assert (box is None) == (index.bounds() is None)
    if box is not None:
        np.testing.assert_array_equal(index.bounds(), box)


SETTINGS = (
    IndexSettings(),
    IndexSettings(placement="cell"),
    IndexSettings(looseness=1.3, capacity=4),
    IndexSettings(placement="cell", capacity=1, split_level=6),
)
IN_LEAVES = IndexSettings(placement="leaves"), IndexSettings(placement="leaves", capacity=3, split_level=4)


@pytest.mark.parametrize("seed", range(6))
def test_after_any_edits_it_answers_like_brute_force_however_it_is_built(seed):
    rng = np.random.default_rng(seed)
    scene = random_scene(seed, 100)
    index = SpatialIndex(scene, SETTINGS[seed % len(SETTINGS)])
    check_index(index, rng)
    for _ in range(15):
        ids = rng.choice(len(scene), 12, replace=False)
        edit = rng.integers(5)
        if edit == 0:
            scene.set_translations(ids, 5.0 * rng.normal(size=(12, 3)))
        elif edit == 1:
            scene.set_rotations(ids, random_quaternion(rng, 12))
        elif edit == 2:
            scene.set_scales(ids, random_scales(rng, 12))
        elif edit == 3:
            add_random_nodes(scene, rng, 12)
        else:  # far out
            scene.set_translations(ids, rng.normal(size=(12, 3)) * 10.0 ** rng.uniform(2.0, 5.0, (12, 1)))
        check_index(index, rng)


def test_other_settings_change_no_answer_and_apply_at_once():
    scene = random_scene(3, 200)
    for settings in SETTINGS:
        scene.index.settings = settings
        assert scene.index.settings == settings
        check_index(scene.index, np.random.default_rng(3))
        scene.set_translations(np.arange(50), np.random.default_rng(4).normal(size=(50, 3)))
        check_index(scene.index, np.random.default_rng(5))


def test_an_index_stores_each_node_once():
    scene = random_scene(3, 200)
    with pytest.raises(ValueError, match="one cell"):
        scene.index.settings = IN_LEAVES[0]
    assert scene.index.settings == IndexSettings()


@pytest.mark.parametrize(
    "wrong",
    [
        {"placement": "grid"},
        {"looseness": 0.9},
        {"looseness": np.nan},
        {"capacity": -1},
        {"split_level": 20},
        {"half_size": -1.0},
    ],
)
def test_settings_that_no_tree_can_have_are_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        IndexSettings(**wrong)


@pytest.mark.parametrize(("count", "level"), ((1, 1), (8, 1), (9, 2), (64, 2), (65, 3), (513, 4)))
def test_the_leaves_lie_so_deep_that_there_are_as_many_as_objects(count, level):
    scene = Scene()
    scene.add_nodes(["box"] * count, mesh=scene.meshes.add(box()), translation=np.arange(3.0 * count).reshape(-1, 3))
    assert SpatialIndex(scene).stats().split_level == level


@pytest.mark.parametrize("split_level", (0, 2, 9))
@pytest.mark.parametrize("half_size", (1e-3, 1e6))
def test_a_level_that_somebody_fixed_holds_and_a_size_grows_when_many_objects_lie_outside(split_level, half_size):
    rng = np.random.default_rng(0)
    scene = random_scene(0, 100)
    index = SpatialIndex(scene, IndexSettings(split_level, half_size))
    for spread in (None, 1e4):
        if spread is not None:
            scene.set_translations(np.arange(100), spread * rng.normal(size=(100, 3)))
        stats = index.stats()
        assert stats.split_level == split_level
        assert stats.outside_root <= 64 and np.log2(stats.half_size / half_size) % 1.0 == 0.0
        assert (stats.half_size == half_size) == (half_size == 1e6)
        check_index(index, rng)


def row_of_boxes(count: int = 10) -> tuple[Scene, SpatialIndex]:
    scene = Scene()
    mesh = scene.meshes.add(box())
    places = np.outer(np.arange(count), (3.0, 0.0, 0.0))
    scene.add_nodes([str(number) for number in range(count)], mesh=mesh, translation=places)
    return scene, SpatialIndex(scene)


def test_a_node_whose_transform_overflows_is_broken_until_it_is_mended():
    scene, index = row_of_boxes()
    scene.set_parents(4, 3)
    scene.set_scales([3, 4], (1e200, 1e200, 1e200))
    assert index.broken_ids().tolist() == [3, 4]
    assert sorted(index.cull(ALL)) == sorted(index.all_ids()) == [0, 1, 2, 5, 6, 7, 8, 9]
    assert len(index) == 8
    scene.set_scales(3, (1.0, 1.0, 1.0))
    scene.set_scales(4, (2.0, 2.0, 2.0))
    assert index.broken_ids().tolist() == []
    assert sorted(index.cull(ALL)) == list(range(10))
    check_index(index, np.random.default_rng(0))


def test_a_node_that_is_broken_from_the_start_comes_in_when_it_is_mended():
    scene = Scene()
    mesh = scene.meshes.add(box())
    scene.add_nodes(["a", "b"], mesh=mesh, translation=[(0, 0, 0), (1e100, 0, 0)])
    index = SpatialIndex(scene)
    assert index.broken_ids().tolist() == [1] and index.all_ids().tolist() == [0]
    scene.set_translations(1, (4.0, 0.0, 0.0))
    assert index.broken_ids().tolist() == [] and sorted(index.all_ids()) == [0, 1]


def test_a_scene_of_broken_nodes_alone_makes_an_empty_index():
    scene = Scene()
    mesh = scene.meshes.add(box())
    scene.add_node("far", mesh=mesh, translation=(1e300, 0.0, 0.0), scale=(1e300, 1e300, 1e300))
    index = SpatialIndex(scene)
    assert len(index) == 0 and index.broken_ids().tolist() == [0] and index.cull(ALL).tolist() == []


def test_bounds_leave_out_a_broken_node_even_where_its_own_box_is_finite():
    scene, index = row_of_boxes()
    expected = np.array([(-1.0, -1.0, -1.0), (28.0, 1.0, 1.0)])
    np.testing.assert_array_equal(index.bounds(), expected)
    scene.set_translations(9, (1e30, 0.0, 0.0))  # farther than the tree takes
    assert index.broken_ids().tolist() == [9]
    expected[1, 0] = 25.0
    np.testing.assert_array_equal(index.bounds(), expected)
    np.testing.assert_array_equal(SpatialIndex(scene).bounds(), expected)


def test_bounds_are_as_before_when_what_made_them_larger_has_moved_back():
    """The ground lies under them, and is not to stay low for what was there for a moment."""
    scene, index = row_of_boxes()
    expected = np.array([(-1.0, -1.0, -1.0), (28.0, 1.0, 1.0)])
    for place in ((12.0, 0.0, 0.0), (12.0, -4.0, 0.0), (12.0, -7.5, 30.0), (12.0, -2.0, 0.0), (12.0, 0.0, 0.0)):
        scene.set_translations(4, place)
        box = scene.bounds()
        np.testing.assert_array_equal(index.bounds(), box)
    np.testing.assert_array_equal(index.bounds(), expected)


def test_bounds_shrink_when_what_reached_farthest_was_deleted_or_moved_while_others_were():
    scene, index = row_of_boxes()
    scene.set_alive([9, 0], False)
    np.testing.assert_array_equal(index.bounds(), [(2.0, -1.0, -1.0), (25.0, 1.0, 1.0)])
    scene.set_alive([9], True)
    assert index.bounds()[1][0] == 28.0
    scene.set_translations([8], (0.0, 50.0, 0.0))
    assert index.bounds()[1][1] == 51.0
    scene.set_translations([5], (15.0, -5.0, 0.0))
    assert index.bounds()[0][1] == -6.0
    scene.set_translations([8], (24.0, 0.0, 0.0))
    np.testing.assert_array_equal(index.bounds(), [(2.0, -6.0, -1.0), (28.0, 1.0, 1.0)])
    scene.set_alive(scene.ids, False)
    assert index.bounds() is None


def test_an_empty_index_has_no_bounds_and_finds_nothing_until_something_is_added():
    scene = Scene()
    index = SpatialIndex(scene)
    assert index.bounds() is None and len(index) == 0 and index.all_ids().shape == (0,)
    assert index.cull(ALL).shape == (0,)
    assert shown_on_ray(index, (0, 0, 0), (0, 0, 1))[0].shape == (0,)
    scene.add_node("empty")
    assert index.bounds() is None
    mesh = scene.meshes.add(quad())
    scene.add_node("quad", mesh=mesh, translation=(5.0, 0.0, 0.0))
    np.testing.assert_array_equal(index.bounds(), [(4.0, -1.0, 0.0), (6.0, 1.0, 0.0)])
    assert index.cull(ALL).tolist() == [1]


def test_bounds_are_exact_at_first_and_later():
    scene, index = row_of_boxes()
    np.testing.assert_array_equal(index.bounds(), [(-1.0, -1.0, -1.0), (28.0, 1.0, 1.0)])
    scene.set_translations(0, (0.0, 50.0, 0.0))
    assert index.bounds()[1][1] == 51.0
    scene.set_translations(0, (0.0, 0.0, 0.0))
    check_bounds(index)


def test_an_index_that_grows_far_beyond_its_first_size_is_made_anew():
    rng = np.random.default_rng(0)
    scene, index = row_of_boxes(2)
    first = index.stats()
    scene.add_nodes(["more"] * 5000, mesh=0, translation=100.0 * rng.normal(size=(5000, 3)))
    assert index.stats().split_level > first.split_level and index.stats().half_size > first.half_size
    assert index.stats().at_root < 100
    check_index(index, rng)


def test_the_root_is_fitted_anew_when_most_objects_wander_off():
    rng = np.random.default_rng(0)
    scene, index = row_of_boxes(500)
    before = index.stats()
    assert before.at_root == 0
    scene.set_translations(np.arange(400), 1e4 * rng.uniform(-1.0, 1.0, (400, 3)))
    assert index.stats().half_size > 4 * before.half_size
    assert index.stats().at_root < 50, "the root cube still leaves objects outside"
    check_index(index, rng)


def test_a_few_objects_far_out_do_not_blow_up_the_root_and_are_found():
    rng = np.random.default_rng(0)
    scene = Scene()
    mesh = scene.meshes.add(ball())
    places = np.vstack((10.0 * rng.normal(size=(1000, 3)), [(1e6, 0, 0), (0, -1e6, 0), (0, 0, 1e7)]))
    scene.add_nodes(["ball"] * 1003, mesh=mesh, translation=places)
    index = SpatialIndex(scene)
    assert index.stats().half_size < 100.0
    assert sorted(index.cull(ALL)) == list(range(1003))
    assert shown_on_ray(index, (1e6, 50.0, 0.0), (0.0, -1.0, 0.0), t_max=100.0)[0].tolist() == [1000]
    assert index.bounds()[1][2] >= 1e7
    check_index(index, rng)


def test_one_object_alone_and_objects_all_at_one_place():
    for count in (1, 300):
        scene = Scene()
        mesh = scene.meshes.add(box())
        scene.add_nodes(["box"] * count, mesh=mesh, translation=(7.0, 8.0, 9.0))
        index = SpatialIndex(scene)
        assert sorted(index.cull(ALL)) == list(range(count))
        assert np.abs(index.stats().center - np.array((7.0, 8.0, 9.0))).max() < 1e-9
        assert len(shown_on_ray(index, (7.0, 8.0, -5.0), (0.0, 0.0, 1.0))[0]) == count


def test_a_point_of_size_zero_can_be_indexed():
    scene = Scene()
    mesh = scene.meshes.add(box())
    scene.add_node("point", mesh=mesh, scale=(0.0, 0.0, 0.0), translation=(3.0, 3.0, 3.0))
    assert SpatialIndex(scene).cull(ALL).tolist() == [0]


def test_changes_of_nodes_without_a_mesh_change_nothing_but_what_hangs_below():
    scene, index = row_of_boxes()
    group = scene.add_node("group")
    assert len(index) == 10
    scene.set_parents(2, group.id)
    scene.set_translations(group.id, (0.0, 100.0, 0.0))
    assert shown_on_ray(index, (6.0, 90.0, 0.0), (0.0, 1.0, 0.0))[0].tolist() == [2]
    check_index(index, np.random.default_rng(0))


def test_statistics_and_cells_are_the_trees():
    _, index = row_of_boxes()
    stats = CullStats()
    index.cull(ALL, stats=stats)
    assert stats.spheres_tested + stats.copied_untested == 10
    assert index.frozen(completely=True).cells().counts.sum() == index.stats().spheres == 10


def test_broken_nodes_make_one_message_however_many_there_are():
    scene = Scene()
    mesh = scene.meshes.add(box())
    scene.add_nodes([f"n{i}" for i in range(1000)], mesh=mesh, translation=(1e100, 0.0, 0.0))
    scene.add_node("sound", mesh=mesh)
    (message,) = SpatialIndex(scene).broken_messages(scene.sources)
    assert "n0, n1," in message and "and 992 more" in message and "sound" not in message


def test_broken_nodes_are_named_with_their_files_and_lines_and_what_to_do(tmp_path):
    path = tmp_path / "huge.obj"
    path.write_text("v 1e20 0 0\nv -1e20 0 0\nv 0 1e20 0\no huge20\nf 1 2 3\n")
    scene = load(path)
    (message,) = scene.index.broken_messages(scene.sources)
    assert f"huge20 ({path}: line 4)" in message and "scale them down" in message and "1e+17" in message


def test_a_tree_made_before_there_was_anything_fits_what_comes_first() -> None:
    scene = Scene()
    index = SpatialIndex(scene)
    mesh = scene.meshes.add(box())
    ids = scene.add_nodes([f"box {i}" for i in range(30)], mesh=[mesh] * 30)
    scene.set_translations(ids, np.add((1e6, 1e6, -1e6), np.arange(30)[:, None] * (3.0, 0.0, 1.0)))
    stats = index.stats()
    assert stats.outside_root == 0 and stats.at_root < 15
    assert 80.0 < 2.0 * stats.half_size < 100.0


def joined(*files: np.ndarray) -> Scene:
    """Boxes at (n, 3) places of each file, which joins when the octree over those before it is in use."""
    scene = Scene()
    mesh = scene.meshes.add(box())
    for places in files:
        scene.add_nodes(["box"] * len(places), mesh=mesh, translation=places)
        _ = scene.index
    return scene


def box_grid(side: int, step: float, center: tuple[float, float, float]) -> np.ndarray:
    """(side³, 3) places about a centre."""
    return (np.indices((side, side, side)).reshape(3, -1).T - (side - 1) / 2.0) * step + center


def test_after_files_were_joined_the_octree_is_as_one_made_for_all_of_them() -> None:
    house, town = box_grid(6, 3.0, (0, 0, 0)), box_grid(8, 400.0, (9000, 0, 0))
    far, dense = box_grid(6, 3.0, (1e5, 0, 0)), box_grid(9, 3.0, (0, 0, 0))
    for files in ((house, town), (town, house), (house, far), (house, dense), (house[:3], house[3:], town, far)):
        scene = joined(*files)
        kept = scene.index.stats()
        scene.index.settings = IndexSettings()
        made = scene.index.stats()
        assert kept.split_level == made.split_level
        assert 1 / 1.6 < kept.half_size / made.half_size < 1.6
        assert kept.outside_root <= made.outside_root + len(scene) // 8
        check_index(scene.index, np.random.default_rng(0))


def test_what_somebody_chose_for_an_octree_holds_when_files_are_joined() -> None:
    scene = joined(box_grid(6, 3.0, (0, 0, 0)))
    scene.index.settings = IndexSettings(5, 1e5)
    scene.add_nodes(["box"] * 512, mesh=0, translation=box_grid(8, 400.0, (9000, 0, 0)))
    assert (scene.index.stats().split_level, scene.index.stats().half_size) == (5, 1e5)


def test_one_object_more_does_not_make_an_octree_anew_though_it_lies_far_out() -> None:
    scene = joined(box_grid(6, 3.0, (0, 0, 0)))
    before = scene.index.stats()
    scene.add_nodes(["far"], mesh=0, translation=(1e5, 0, 0))
    assert scene.index.stats().half_size == before.half_size


def test_stats_and_cells_are_those_of_the_tree_after_every_change():
    rng = np.random.default_rng(0)
    scene = random_scene(4, 300)
    index = scene.index
    for number in range(12):
        alive = scene.ids
        match number % 4:
            case 0:
                scene.set_translations(rng.choice(alive, 20), 50.0 * rng.normal(size=(20, 3)))
            case 1:
                parents = set(scene.parents[alive].tolist())
                leaves = [node for node in alive.tolist() if node not in parents]
                scene.set_alive(np.array(leaves[:10]), False)
            case 2:
                scene.add_nodes(["more"] * 30, mesh=0, translation=rng.normal(size=(30, 3)))
            case 3:
                index.settings = SETTINGS[number % len(SETTINGS)]
        stats, cells = index.stats(), index.frozen(completely=True).cells()
        assert stats == index.stats() == index._tree.stats() and stats.spheres == len(index)
        assert index.stats() is stats, "it takes long where there are many"
        np.testing.assert_array_equal(np.sort(cells.counts), np.sort(index._tree.cells().counts))
