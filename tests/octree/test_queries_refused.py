"""Refused volumes, rays, layers and static of queries and insert: the tree stays exactly as it was."""

import numpy as np
import pytest

from octoscope.octree import Frustum, Octree
from tests.octree.query_checks import INFINITE, a_few_kinds, a_few_octrees, all_answers, filled, on_x_axis
from tests.octree.validate import validate
from tests.oracles import EVERYTHING

pytestmark = pytest.mark.usefixtures("strict_floats")


@a_few_kinds
@pytest.mark.parametrize(
    ("method", "arguments"),
    [
        ("query_box", ((0.0, np.nan, 0.0), (1.0, 1.0, 1.0))),
        ("query_box", ((0.0, 0.0, 0.0), (1.0, 1.0, np.nan))),
        ("query_box", ((0.0, 0.0, 1.5), (1.0, 1.0, 1.0))),
        ("query_box", (INFINITE, -INFINITE)),
        ("query_box", ((0.0, 0.0), (1.0, 1.0))),
        ("query_box", (0.0, 1.0)),
        ("query_sphere", ((0.0, 0.0, 0.0), -1e-9)),
        ("query_sphere", ((0.0, 0.0, 0.0), np.nan)),
        ("query_sphere", ((0.0, np.nan, 0.0), 1.0)),
        ("query_sphere", ((0.0, np.inf, 0.0), 1.0)),
        ("raycast_nearest", ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))),
        ("raycast_nearest", ((0.0, 0.0, np.nan), (0.0, 0.0, 1.0))),
    ],
)
def test_volumes_and_rays_that_make_no_sense_are_refused(kind, method, arguments):
    tree = on_x_axis(kind, 5)
    with pytest.raises(ValueError, match=r"box|ball|ray|radius"):
        getattr(tree, method)(*arguments)


@a_few_kinds
@pytest.mark.parametrize("layers", (-1, 2**32, 1.5, np.int64(-1), np.nan, np.inf))
def test_a_querys_layers_that_are_no_mask_are_refused(kind, layers):
    tree, origin, along = on_x_axis(kind, 5), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0)
    for method, arguments in (
        ("query_box", (origin, along)),
        ("query_sphere", (origin, 1.0)),
        ("raycast", (origin, along)),
        ("raycast_nearest", (origin, along)),
        ("pairs", ()),
        ("cull", (Frustum.from_matrix(EVERYTHING),)),
    ):
        with pytest.raises(ValueError, match=r"layers|integer"):
            getattr(tree, method)(*arguments, layers=layers)


@a_few_octrees
@pytest.mark.parametrize(
    ("option", "values", "names_ids"),
    [
        *(("layers", [1, bad, 3], True) for bad in (0, -1, 2**32)),
        *(("layers", bad, True) for bad in (0, -1)),
        *(("layers", bad, False) for bad in (1.0, [1.0, 1.0, 1.0], "1", [1, 1], [[1, 1, 1]], True, None)),
        *(("static", bad, False) for bad in (1, 0.0, [0, 1, 0], "yes", [True], [[True] * 3], None)),
    ],
)
def test_layers_and_static_that_make_no_sense_are_refused_by_insert(kind, option, values, names_ids):
    tree, _ = filled(kind, count=100)
    before = all_answers(tree, 6)
    with pytest.raises(ValueError, match=option) as refused:
        tree.insert([501, 777, 502], np.zeros((3, 3)), np.ones(3), **{option: values})
    assert not names_ids or "777" in str(refused.value)
    assert not (names_ids and isinstance(values, list)) or "501" not in str(refused.value)
    assert len(tree) == 100 and not tree.contains([501, 777, 502]).any()
    assert all_answers(tree, 6) == before
    validate(tree)


def test_nothing_may_be_inserted_with_layers_and_static_of_nothing():
    tree = Octree((0.0, 0.0, 0.0), 1.0)
    tree.insert([], np.empty((0, 3)), [], layers=[], static=[])
    assert len(tree) == 0
