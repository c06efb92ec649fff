"""CardTimes: computed from times of pictures, and read from files."""

from __future__ import annotations

import json
import math
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octoscope.viewer.frame.quality import CardTimes

USUAL = CardTimes.of_software()
TIMES = st.floats(1e-6, 1e3)


def test_what_follows_from_times() -> None:
    times = CardTimes.from_measured([8.0, 4.0, 2.0, 1.0], (5.0, 3.0), (1.0, 2.0), 10_000.0, 20.0)
    assert times == CardTimes((1.0, 0.5, 0.25, 0.125), most_at_corners=2.0, fewest_culled=50_000.0, shadows=2.5)


@pytest.mark.parametrize(
    ("pixel_ms", "triangle_ms", "most"),
    [
        ((3.0, 5.0), (1.0, 2.0), 0.0),  # corners never pay
        ((5.0, 3.0), (2.0, 1.0), math.inf),  # they always do
        ((3.0, 5.0), (2.0, 1.0), 0.0),
    ],
)
def test_a_way_that_is_never_or_always_faster(pixel_ms, triangle_ms, most: float) -> None:
    times = CardTimes.from_measured([4.0, 3.0, 2.0, 1.0], pixel_ms, triangle_ms, 1.0, 1.0)
    assert times.most_at_corners == most


@given(
    st.lists(TIMES, min_size=4, max_size=4),
    st.tuples(TIMES, TIMES),
    st.tuples(TIMES, TIMES),
    st.floats(0.0, 1e3),
    TIMES,
)
def test_whatever_was_measured_a_lower_quality_costs_less_and_a_file_keeps_it(
    qualities_ms: list[float],
    pixel_ms: tuple[float, float],
    triangle_ms: tuple[float, float],
    culling_ms: float,
    shadowed_ms: float,
) -> None:
    times = CardTimes.from_measured(qualities_ms, pixel_ms, triangle_ms, culling_ms, shadowed_ms)
    assert list(times.costs) == sorted(set(times.costs), reverse=True) and times.costs[-1] > 0.0
    assert CardTimes.from_table(json.loads(json.dumps(asdict(times)))) == times


@pytest.mark.parametrize(
    "changes",
    [
        {"costs": [1.0, 0.4, 0.5, 0.06]},
        {"costs": [1.0, 0.4, 0.1]},
        {"costs": [1.0, 0.4, 0.1, 0.0]},
        {"costs": [1.0, 0.4, float("nan"), 0.05]},
        {"costs": None},
        {"most_at_corners": "many"},
        {"fewest_culled": float("nan")},
        {"shadows": 0.5},
        {"shadows": None},
    ],
)
def test_a_damaged_table_is_refused(changes: dict[str, object]) -> None:
    with pytest.raises((TypeError, ValueError)):
        CardTimes.from_table(asdict(USUAL) | changes)
