"""Many rows of text at once, and rows that are equal, against loops."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene.formats.bulk_text import rows_of_templates, rows_of_text
from octoscope.scene.geometry.ranges import ranges, unique_rows


def test_each_row_is_its_own_values_in_the_template():
    floats = np.array([[0.1, -0.0], [1e300, 5e-324], [1.0, 123456789.125]])
    whole = np.array([0, -5, 2**40])
    rows = rows_of_text("%d: %r %r (%s)", whole, floats, ["a", "%d", ""])
    assert rows.tolist() == ["0: 0.1 -0.0 (a)", "-5: 1e+300 5e-324 (%d)", f"{2**40}: 1.0 123456789.125 ()"]


def test_rows_may_have_templates_of_their_own_and_there_may_be_none():
    templates = np.array(["f %d %d", "nothing", "l %d"], dtype=object)
    assert rows_of_templates(templates, np.array([1, 2, 3])).tolist() == ["f 1 2", "nothing", "l 3"]
    assert (
        rows_of_text("%d", np.empty(0)).tolist() == [] and rows_of_templates(templates[:0], np.empty(0)).tolist() == []
    )


def test_floats_read_back_equal():
    values = np.random.default_rng(1).integers(0, 2**63, 1000, dtype=np.uint64).view(np.float64)
    values = values[np.isfinite(values)]
    assert [float(text) for text in rows_of_text("%r", values)] == values.tolist()


def test_ranges_are_counted_one_behind_the_other():
    firsts, counts = np.array([5, 0, 7]), np.array([2, 0, 3])
    assert ranges(firsts, counts).tolist() == [5, 6, 7, 8, 9]
    assert ranges(firsts[:0], counts[:0]).tolist() == []


@pytest.mark.parametrize("seed", range(5))
def test_equal_rows_have_one_number_in_the_order_in_which_they_are_met(seed):
    rows = np.random.default_rng(seed).integers(-1, 2, (30, 3))
    firsts, numbers = unique_rows(*rows.T)
    known: dict[tuple, int] = {}
    expected = [known.setdefault(tuple(row), len(known)) for row in rows.tolist()]
    assert numbers.tolist() == expected
    assert firsts.tolist() == [expected.index(number) for number in range(len(known))]


def test_no_rows_have_no_numbers():
    assert [array.tolist() for array in unique_rows(np.empty(0), np.empty(0))] == [[], []]
