"""Pairs of objects against all triangles of all objects, and the arrangements in which a careless test is wrong."""

import itertools
import threading
from collections import Counter

import numpy as np
import pytest

from octoscope.scene import Scene, apply, change_nodes
from octoscope.scene.city import city
from octoscope.scene.geometry.triangle_pairs import APART, CROSSES, TOUCHES, contact
from octoscope.scene.overlap import search
from octoscope.scene.overlap.search import OverlapSearch, find_overlaps
from tests import oracles
from tests.cases import quick
from tests.scene.builders import ball, box, mesh_of, quad, random_scene, soup

pytestmark = pytest.mark.usefixtures("strict_floats")
TURNED = (0.1, 0.7, -0.3, 0.64)


def world_corners(scene: Scene, node: int) -> np.ndarray:
    """(t, 3, 3) corners of a node's triangles."""
    mesh = scene.mesh_ids[node]
    world = oracles.transformed(scene.world_from_local[node], scene.meshes.mesh(mesh).positions)
    return world[scene.meshes.mesh(mesh).triangles]


def brute_force(scene: Scene, a: int, b: int) -> int:
    first, second = world_corners(scene, a), world_corners(scene, b)
    mirrors = np.linalg.det(scene.world_from_local[[a, b], :3, :3])
    near = (first.min(axis=1)[:, None] <= second.max(axis=1)[None]) & (
        first.max(axis=1)[:, None] >= second.min(axis=1)[None]
    )
    facing = int(np.sign(mirrors).prod())
    found = APART
    for i, j in np.argwhere(near.all(axis=2)):
        found = max(found, contact(np.concatenate([first[i], second[j]]), facing))
    is_within = (
        found == APART and facing and (encloses(second, mirrors[1], first) or encloses(first, mirrors[0], second))
    )
    return CROSSES if is_within else found


def encloses(outer: np.ndarray, mirrors: float, inner: np.ndarray) -> bool:
    """Return whether a closed mesh that faces outward encloses the first corner of another one, by solid angles."""
    sides = Counter((face[k - 1].tobytes(), face[k].tobytes()) for face in outer for k in range(3))
    if any(sides[b, a] != count for (a, b), count in sides.items()):
        return False
    a, b, c = np.moveaxis(outer - inner[0, 0], 1, 0)
    lengths = [np.linalg.norm(each, axis=1) for each in (a, b, c)]
    triple = np.einsum("ij,ij->i", a, np.cross(b, c))
    dots = [np.einsum("ij,ij->i", *pair) for pair in ((a, b), (b, c), (c, a))]
    below = np.prod(lengths, axis=0) + dots[0] * lengths[2] + dots[1] * lengths[0] + dots[2] * lengths[1]
    return np.sign(mirrors) * np.arctan2(triple, below).sum() / (2.0 * np.pi) > 0.5


def expected(scene: Scene) -> tuple[list, list]:
    """Crossing and touching pairs."""
    shown = np.flatnonzero(scene.mesh_ids >= 0).tolist()
    kinds = {pair: brute_force(scene, *pair) for pair in itertools.combinations(shown, 2)}
    return tuple([[*pair] for pair, kind in kinds.items() if kind == wanted] for wanted in (CROSSES, TOUCHES))


def of(overlaps) -> tuple[list, list]:
    for pairs in overlaps:
        assert pairs.dtype == np.int32 and pairs.shape[1:] == (2,)
    return overlaps.crossing.tolist(), overlaps.touching.tolist()


def two(mesh, other, *, top=None, tolerance=None, **transform) -> str:
    """Return how two nodes below a third overlap; the second has the transform."""
    scene = Scene()
    parent = scene.add_node("top", **(top or {})).id
    scene.add_node("a", mesh=scene.meshes.add(mesh), parent=parent)
    scene.add_node("b", mesh=scene.meshes.add(other), parent=parent, **transform)
    scene.update_world()
    crossing, touching = of(find_overlaps(scene, tolerance=tolerance))
    assert all(pair == [1, 2] for pair in crossing + touching) and len(crossing + touching) <= 1
    return "crossing" if crossing else "touching" if touching else "apart"


@pytest.mark.parametrize("offset", (0.0, 1e6))
@pytest.mark.parametrize("seed", quick(range(6), 2))
def test_random_scenes_overlap_as_brute_force_says(seed, offset):
    """Sheared, mirrored, flattened, shared meshes, far away."""
    scene = random_scene(seed, 60, zeros=0.05)
    scene.set_translations(np.arange(len(scene)), 0.3 * scene.translations)  # closer
    tops = np.flatnonzero(scene.parents < 0)
    scene.set_translations(tops, scene.translations[tops] + (offset, -offset, offset))
    scene.update_world()
    stretches = np.linalg.svd(scene.world_from_local[:, :3, :3], compute_uv=False)
    flat = stretches[:, 2] < 1e-12 * stretches[:, 0]  # two below a flat one lie in one plane but for rounding

    def of_solid(overlaps: tuple[list, list]) -> tuple[list, list]:
        return tuple([pair for pair in pairs if not flat[pair].all()] for pairs in overlaps)

    answer = of_solid(expected(scene))
    assert len(answer[0]) > 20 and flat.any()
    assert of_solid(of(find_overlaps(scene, tolerance=0.0))) == answer
    assert of_solid(of(find_overlaps(scene))) == answer


@pytest.mark.parametrize("seed", quick(range(4), 2))
def test_boxes_on_a_grid_overlap_as_brute_force_says(seed):
    """Nearly all contacts are coincidences: shared faces, edges and corners, copies in one place."""
    rng = np.random.default_rng(seed)
    scene = Scene()
    mesh = scene.meshes.add(box())
    count = 50
    scene.add_nodes(
        [str(number) for number in range(count)],
        mesh=mesh,
        translation=rng.integers(-4, 5, (count, 3)),
        scale=rng.integers(1, 4, (count, 3)) / 2.0 * rng.choice((-1.0, 1.0), (count, 3)),
    )
    scene.update_world()
    crossing, touching = expected(scene)
    assert len(crossing) > 20 and len(touching) > 20
    assert of(find_overlaps(scene)) == (crossing, touching)


@pytest.mark.parametrize("reach", (1.0, 1.05, 1.3))
@pytest.mark.parametrize("seed", quick(range(3), 1))
def test_large_meshes_are_halved_until_brute_force_is_cheap_and_nothing_is_lost(seed, reach):
    """Two shells of thousands of triangles: one in the other, just apart, or just through."""
    rng = np.random.default_rng(seed)
    scene = Scene()
    inner, outer = ball(40, 50), ball(37, 53)
    bump = outer.positions[rng.integers(len(outer.positions))]
    outer.positions[:] *= 1.1
    inner.positions[np.argmax(inner.positions @ bump)] *= reach
    scene.add_node("outer", mesh=scene.meshes.add(outer))
    scene.add_node("inner", mesh=scene.meshes.add(inner), rotation=oracles.random_quaternion(rng))
    scene.update_world()
    assert of(find_overlaps(scene)) == expected(scene)
    assert find_overlaps(scene).inside.tolist() == [reach < 1.1]


@pytest.mark.parametrize("offset", (0.0, 1e6))
@pytest.mark.parametrize("seed", range(3))
def test_large_meshes_in_many_pairs_overlap_through_their_trees_as_without(seed, offset, monkeypatch):
    """Sheared, mirrored and flattened instances of one, as large as the scene, and boxes all over it."""
    rng = np.random.default_rng(seed)
    scene = Scene()
    meshes = [scene.meshes.add(mesh) for mesh in (ball(40, 50), box())]
    top = scene.add_node("top", translation=(offset, -offset, offset)).id
    for mesh, count, size in ((meshes[0], 4, 5.0), (meshes[1], 160, 0.3)):
        shear = scene.add_nodes(
            ["shear"] * count,
            parent=top,
            translation=2.0 * rng.normal(size=(count, 3)),
            rotation=oracles.random_quaternion(rng, count),
            scale=size * rng.choice((1.0, -0.7, 0.3), (count, 3)),
        )
        scene.add_nodes(["node"] * count, parent=list(shear), mesh=mesh, rotation=oracles.random_quaternion(rng, count))
    scene.add_node("flat", parent=top, mesh=meshes[0], scale=(3.0, 0.0, 2.0))
    scene.update_world()
    with_trees = of(find_overlaps(scene))
    assert len(with_trees[0]) > 30
    monkeypatch.setattr(search, "_TREE_PAIRS", 10**9)
    assert of(find_overlaps(scene)) == with_trees


def test_long_triangles_that_no_halving_parts_are_compared_all_the_same():
    rng = np.random.default_rng(0)
    ends = np.stack([rng.normal(size=(300, 2, 3)) * (0.1, 0.1, 100.0) for _ in range(2)])
    scene = Scene()
    for needles in ends:
        corners = np.concatenate([needles, needles[:, :1] + 1e-4 * rng.normal(size=(300, 1, 3))], axis=1)
        mesh = mesh_of(corners.reshape(-1, 3), np.arange(900).reshape(-1, 3))
        scene.add_node("needles", mesh=scene.meshes.add(mesh))
    scene.update_world()
    assert of(find_overlaps(scene)) == expected(scene)


PLACES = [
    ("apart", {"translation": (0.0, 0.0, 2.5)}, "apart"),
    ("face on face", {"translation": (0.0, 0.0, 2.0)}, "touching"),
    ("part of a face on a face", {"translation": (0.5, 0.7, 2.0)}, "touching"),
    ("edge on edge", {"translation": (0.0, 2.0, 2.0)}, "touching"),
    ("corner on corner", {"translation": (2.0, 2.0, 2.0)}, "touching"),
    ("edge on a face", {"translation": (0.0, 0.0, 2.0), "scale": (0.25, 2.0, 1.0)}, "touching"),
    ("through", {"translation": (0.5, 0.5, 1.0)}, "crossing"),
    ("through, flush with the sides", {"translation": (0.0, 0.0, 1.0)}, "crossing"),
    ("a copy in the same place", {}, "crossing"),
    ("a mirrored copy in the same place", {"scale": (1.0, -1.0, 1.0)}, "crossing"),
    ("inside without contact", {"scale": (0.5, 0.5, 0.5)}, "crossing"),
    ("a beam through", {"scale": (0.1, 0.2, 5.0)}, "crossing"),
    ("scaled flat, through", {"translation": (0.0, 0.0, 0.3), "scale": (2.0, 3.0, 0.0)}, "crossing"),
    ("scaled flat, lying on it", {"translation": (0.0, 0.0, 1.0), "scale": (0.3, 0.3, 0.0)}, "touching"),
    ("scaled to a line through it", {"scale": (0.0, 0.0, 3.0)}, "apart"),
    ("scaled to a point on it", {"translation": (0.0, 0.0, 1.0), "scale": (0.0, 0.0, 0.0)}, "apart"),
]


@pytest.mark.parametrize(("what", "transform", "answer"), PLACES)
def test_two_boxes(what, transform, answer):
    assert two(box(), box(), **transform) == answer
    assert two(box(), box(), tolerance=0.0, **transform) == answer


@pytest.mark.parametrize("offset", (1e3, 1e6))
@pytest.mark.parametrize(("what", "transform", "answer"), PLACES)
def test_two_boxes_that_are_turned_and_far_away_meet_as_ever(what, transform, answer, offset):
    """Rounding parts what touched, or lets it cross."""
    for shift in range(3):
        top = {"rotation": np.roll(TURNED, shift), "translation": (offset, -offset / 3.0, 0.7 * offset)}
        assert two(box(), box(), top=top, **transform) == answer, what


@pytest.mark.parametrize("scale", (1e-9, 1e-3, 1e3, 1e9))
def test_the_size_of_objects_does_not_matter(scale):
    for what, transform, answer in PLACES:
        assert two(box(), box(), top={"scale": (scale, scale, scale)}, **transform) == answer, what


def test_tolerance_forgives_what_is_less_deep():
    for deep, answer in ((0.02, "crossing"), (0.005, "touching")):
        assert two(box(), box(), translation=(0.1, 0.2, 2.0 - deep), tolerance=0.01) == answer
    assert two(box(), box(), translation=(0.0, 0.0, 0.001), tolerance=0.01) == "crossing"  # all but a copy


def test_a_mesh_without_triangles_and_a_node_without_a_mesh_overlap_nothing():
    scene = Scene()
    scene.add_nodes(["a", "b"], mesh=[scene.meshes.add(quad()), -1])
    scene.update_world()
    assert of(find_overlaps(scene)) == ([], [])
    assert of(find_overlaps(Scene())) == ([], [])


def test_a_node_whose_place_overflows_overlaps_nothing():
    scene = Scene()
    mesh = scene.meshes.add(box())
    scene.add_nodes(["a", "b", "c"], mesh=mesh, translation=[(0, 0, 0), (1, 1, 1), (1e300, 0, 0)])
    scene.update_world()
    assert of(find_overlaps(scene)) == ([[0, 1]], [])


def test_a_deleted_node_overlaps_nothing():
    scene = Scene()
    mesh = scene.meshes.add(box())
    scene.add_nodes(["a", "b", "c"], mesh=mesh, translation=[(x, x, x) for x in (0.0, 0.5, 1.0)])
    scene.set_alive([1], False)
    scene.update_world()
    assert of(find_overlaps(scene)) == of(find_overlaps(scene, ids=[0, 2])) == ([[0, 2]], [])
    with pytest.raises(IndexError, match="node 1, 'b', was deleted"):
        find_overlaps(scene, ids=[0, 1, 2])


def test_ids_are_all_that_is_looked_at():
    scene = Scene()
    mesh = scene.meshes.add(box())
    scene.add_nodes(["a", "b", "c", "d"], mesh=mesh, translation=[(x, x, x) for x in (0.0, 0.5, 1.0, 1.5)])
    scene.update_world()
    assert of(find_overlaps(scene, ids=[3, 0, 1, 1])) == ([[0, 1], [0, 3], [1, 3]], [])
    assert of(find_overlaps(scene, ids=[])) == ([], [])
    with pytest.raises(IndexError):
        find_overlaps(scene, ids=[-1])


def test_a_search_about_some_finds_their_pairs_among_those_of_all(monkeypatch):
    scene = city(300)
    everything, about = scene.ids, np.arange(5, 200, 7)
    crossing, touching = OverlapSearch(scene).run()
    found = OverlapSearch(scene, ids=everything, about=about).run()
    expected = touching[np.isin(touching, about).any(axis=1)]
    assert 0 < len(expected) < len(touching) and len(crossing) == 0
    np.testing.assert_array_equal(found.touching, expected)
    monkeypatch.setattr(search, "_MOST_PAIRS", 300)
    part = OverlapSearch(scene, ids=everything, about=about)
    found = part.run()
    assert found.left_out and 0 < len(found.touching) < len(expected), "some of many"
    rows = np.flatnonzero(part._is_about)
    assert np.isin(rows, part._rows_to_search()).all()


@pytest.mark.parametrize("tolerance", (-1.0, np.nan))
def test_a_tolerance_that_is_none_is_refused(tolerance):
    with pytest.raises(ValueError, match="tolerance"):
        find_overlaps(Scene(), tolerance=tolerance)


def test_a_city_stands_on_its_pavements_and_nothing_in_it_crosses():
    scene = city(3000)
    crossing, touching = find_overlaps(scene)
    assert len(crossing) == 0
    names = np.array([str(name).split("_")[0] for name in scene.names])
    assert np.isin(names[touching], ("pavement", "lawn")).any(axis=1).all()
    standing = np.isin(np.arange(len(scene)), touching)
    assert standing[np.isin(names, ("house", "building", "tower", "tree", "pine", "tank"))].all()


# Progress, and a thread of its own.


def test_progress_ends_with_all_pairs_and_never_goes_back(monkeypatch):
    monkeypatch.setattr("octoscope.scene.overlap.search._REPORTS_AFTER_SECONDS", 1e-4)
    heard = []
    find_overlaps(city(20_000), progress=lambda done, total: heard.append((done, total)))
    done, totals = zip(*heard, strict=True)
    assert len(set(totals)) == 1 and done[0] == 0 and done[-1] == totals[0] and len(done) > 2
    assert list(done) == sorted(done)


def test_what_progress_raises_ends_the_search():
    calls = []

    def stop(done: int, total: int) -> None:
        calls.append(done)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        find_overlaps(city(5000), progress=stop)
    assert calls == [0]


def test_a_search_can_be_ended_while_it_compares_a_single_pair():
    """The objects are so far out that rounding hides all distances: every triangle is compared with every other."""
    scene = Scene()
    scene.add_nodes(["far"] * 2, mesh=scene.meshes.add(ball(60, 60)), translation=(3e13, 0.0, 0.0))
    scene.update_world()
    heard = []

    def stop(done: int, total: int) -> None:
        heard.append((done, total))
        if len(heard) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        find_overlaps(scene, progress=stop)
    assert heard == [(0, 1)] * 3


def test_a_search_on_another_thread_answers_for_the_scene_as_it_was():
    scene = random_scene(3, 60)
    scene.update_world()
    before = of(find_overlaps(scene))
    waiting = OverlapSearch(scene)
    answers = []
    thread = threading.Thread(target=lambda: answers.append(of(waiting.run())))
    scene.set_translations(np.arange(len(scene)), np.arange(3 * len(scene)).reshape(-1, 3) * 1e3)
    scene.meshes.add(soup(np.random.default_rng(0), 1000))
    scene.update_world()
    thread.start()
    thread.join()
    assert answers == [before] != [of(find_overlaps(scene))]


def test_a_scene_that_is_edited_while_it_is_searched_is_searched_as_it_was():
    scene = random_scene(3, 60)
    scene.update_world()
    before = of(find_overlaps(scene))
    edited = []

    def edit(done: int, total: int) -> None:
        scene.set_translations(np.arange(len(scene)), np.full((len(scene), 3), 1e3 * len(edited)))
        mesh = scene.meshes.add(soup(np.random.default_rng(len(edited)), 1000))
        apply(scene, change_nodes(scene, scene.ids, mesh=mesh))
        scene.update_world()
        edited.append(done)

    assert of(OverlapSearch(scene).run(edit)) == before
    assert edited[0] == 0 and len(edited) > 1 and of(find_overlaps(scene)) != before


def test_of_thousands_of_objects_in_one_place_a_part_is_compared_and_that_is_said(monkeypatch):
    monkeypatch.setattr(search, "_MOST_PAIRS", 3000)
    monkeypatch.setattr(search, "_SAMPLE", 100)
    scene = Scene()
    mesh = scene.meshes.add(box())
    scene.add_nodes(["alone"] * 300, mesh=mesh, translation=[(9.0 * i, 50.0, 0.0) for i in range(300)])
    scene.update_world()
    overlaps = find_overlaps(scene)
    assert of(overlaps) == ([], []) and overlaps.left_out == "", "many that lie apart are all looked at"
    scene.add_nodes(["copy"] * 400, mesh=mesh)
    scene.update_world()
    overlaps = find_overlaps(scene)
    crossing, touching = of(overlaps)
    assert 1000 < len(crossing) < 9000 and touching == []
    assert all(300 <= a < b < 700 for a, b in crossing)
    assert overlaps.left_out.endswith("too many to compare all; choose fewer")
    assert "of 700 objects were compared: some " in overlaps.left_out
    assert of(find_overlaps(scene)) == (crossing, touching), "the same each time"
