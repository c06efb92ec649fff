"""Which tiles are shown and read, against a plain walk; and what must hold whatever is there."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from octoscope.scene.streaming.tile_selection import kept_contents, screen_space_errors, select
from tests.scene.streaming.tile_trees import (
    children_of,
    lost_one_by_one,
    pixels_off,
    random_lod_view,
    random_tiles,
    select_one_by_one,
    urgency_of,
    without_broken,
    would_lose,
)

SEEDS = st.integers(0, 2**32 - 1)


def random_case(seed: int):
    """Tiles, what is there of them, and cameras."""
    rng = np.random.default_rng(seed)
    tiles = random_tiles(seed)
    count = len(tiles.files)
    is_resident = rng.random(count) < rng.choice([0.0, 0.5, 0.9, 1.0])
    is_broken = (rng.random(count) < rng.choice([0.0, 0.05])) & ~is_resident
    lod_views = [random_lod_view(rng) for _ in range(int(rng.integers(1, 4)))]
    limits = {"threshold_pixels": float(rng.choice([0.5, 2.0, 8.0])), "budget_bytes": float(rng.choice([50, 500, 1e9]))}
    return (tiles, is_resident, is_broken, rng.integers(1, 60, count).astype(float), lod_views), limits


def seen_shares(tiles, shown) -> np.ndarray:
    """The number of shown tiles that each tile lies in, itself among them."""
    counts = np.isin(np.arange(len(tiles)), shown).astype(int)
    for tile in range(1, len(tiles)):
        counts[tile] += counts[tiles.parents[tile]]
    return counts[tiles.child_counts == 0]


@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_it_selects_what_a_plain_walk_selects(seed):
    case, limits = random_case(seed)
    found, expected = select(*case, **limits), select_one_by_one(*case, **limits)
    assert found.shown.tolist() == expected.shown.tolist()
    assert set(found.wanted.tolist()) == set(expected.wanted.tolist())
    assert set(found.missing.tolist()) == set(expected.missing.tolist())
    assert found.is_held_back == expected.is_held_back


@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_there_is_no_hole_and_no_tile_with_its_parent(seed):
    (tiles, is_resident, *rest), limits = random_case(seed)
    if tiles.contents[0] >= 0:
        is_resident[tiles.contents[0]] = True
        rest[0][tiles.contents[0]] = False
    found = select(tiles, is_resident, *rest, **limits)
    assert (seen_shares(tiles, found.shown) == 1).all()
    contents = tiles.contents[found.shown]
    assert (is_resident | rest[0])[contents[contents >= 0]].all()


@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_what_cannot_be_read_is_lost_alone(seed):
    (tiles, _, is_broken, *_), _ = random_case(seed)
    is_broken[:] = np.random.default_rng(seed).random(len(is_broken)) < 0.5
    found = np.isin(np.arange(len(tiles)), tiles.lost(np.append(is_broken, False)[tiles.contents]))
    assert found.tolist() == lost_one_by_one(tiles, is_broken)


@settings(max_examples=15, deadline=None)
@example(12092637)  # one content at two places, below a tile that stays as it is at one of them
@given(SEEDS)
def test_the_budget_is_kept_and_what_comes_first_is_most_off(seed):
    (tiles, is_resident, is_broken, content_bytes, lod_views), limits = random_case(seed)
    found = select(tiles, is_resident, is_broken, content_bytes, lod_views, **limits)
    first = tiles.contents[0]
    least = 0.0 if first < 0 or is_broken[first] else content_bytes[first]
    assert content_bytes[found.wanted].sum() <= max(limits["budget_bytes"], least)
    assert len(set(found.wanted.tolist())) == len(found.wanted)
    # Each content is as urgent as the most urgent tile above one that shows it, of those that can be refined.
    is_lost = lost_one_by_one(tiles, is_broken)
    tiles = without_broken(tiles, is_broken)
    is_stuck = [would_lose(tiles, is_lost, tile) for tile in range(len(tiles))]
    off = [-1.0 if is_stuck[tile] else urgency_of(tiles, tile, lod_views) for tile in range(len(tiles))]
    for tile in range(1, len(tiles)):
        off[tile] = min(off[tile], off[tiles.parents[tile]])
    urgencies = [
        max(np.inf if tile == 0 else off[tiles.parents[tile]] for tile in np.flatnonzero(tiles.contents == content))
        for content in found.wanted
    ]
    assert urgencies == sorted(urgencies, reverse=True)


@pytest.mark.parametrize("seed", range(20))
def test_with_everything_there_all_that_is_seen_is_fine_enough(seed):
    (tiles, is_resident, is_broken, content_bytes, lod_views), _ = random_case(seed)
    is_resident[:], is_broken[:] = True, False
    found = select(tiles, is_resident, is_broken, content_bytes, lod_views, threshold_pixels=1.0, budget_bytes=np.inf)
    assert len(found.missing) == 0 and not found.is_held_back
    for tile in found.shown.tolist():
        assert pixels_off(tiles, tile, lod_views) <= 1.0 or not children_of(tiles, tile)


@pytest.mark.parametrize("seed", range(20))
def test_reading_what_is_missing_comes_to_an_end(seed):
    (tiles, is_resident, is_broken, content_bytes, lod_views), limits = random_case(seed)
    is_resident[:] = False
    for _ in range(len(is_resident) + 1):
        found = select(tiles, is_resident, is_broken, content_bytes, lod_views, **limits)
        if len(found.missing) == 0:
            break
        is_resident[found.missing[0]] = True
    assert len(found.missing) == 0


def test_no_camera_sees_what_is_outside_of_its_planes():
    tiles = random_tiles(3)
    rng = np.random.default_rng(3)
    for _ in range(20):
        lod_view = random_lod_view(rng)
        pixels = screen_space_errors(tiles, np.arange(len(tiles)), [lod_view])
        np.testing.assert_allclose(pixels, [pixels_off(tiles, tile, [lod_view]) for tile in range(len(tiles))])


@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_what_was_not_seen_for_longest_goes_first(seed):
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 30))
    is_resident = rng.random(count) < 0.8
    wanted = np.flatnonzero(rng.random(count) < 0.2)
    last_seen, content_bytes = rng.integers(0, 10, count), rng.integers(1, 20, count).astype(float)
    budget = float(rng.integers(0, 200))
    stays = kept_contents(is_resident, wanted, last_seen, content_bytes, budget)
    assert not (stays & ~is_resident).any()
    is_wanted = np.isin(np.arange(count), wanted)
    assert stays[is_wanted & is_resident].all()
    others = stays & ~is_wanted
    assert not others.any() or content_bytes[stays].sum() <= budget
    gone = is_resident & ~stays
    assert not (others.any() and gone.any()) or last_seen[others].min() >= last_seen[gone].max()
