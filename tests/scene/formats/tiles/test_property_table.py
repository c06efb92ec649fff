"""Property tables: every column comes back, and damage is told."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octoscope.scene.formats.tiles.tables.property_table import Lists, pack_table, unpack_table

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)


def strings(texts: list[str]) -> np.ndarray:
    return np.array(texts, dtype=np.dtypes.StringDType())


@given(st.lists(st.tuples(st.integers(0, 2**32 - 1), TEXTS, st.lists(TEXTS, max_size=3)), min_size=1, max_size=8))
def test_columns_come_back(rows):
    counts = np.array([len(names) for _, _, names in rows])
    columns = {
        "number": np.array([number for number, _, _ in rows], dtype=np.uint32),
        "pair": np.array([(number, -number) for number, _, _ in rows], dtype=np.float64),
        "name": strings([name for _, name, _ in rows]),
        "path": Lists(strings([name for _, _, names in rows for name in names]), counts),
        "above": Lists(np.arange(counts.sum(), dtype=np.uint16), counts),
    }
    packed = pack_table(columns, 3)
    views = dict(enumerate(packed.views, start=3))
    read = unpack_table(packed.properties, packed.values, len(rows), views.__getitem__)
    assert read.keys() == columns.keys()
    for name, column in columns.items():
        assert isinstance(read[name], Lists) == isinstance(column, Lists)
        for own, other in zip(column, read[name], strict=True) if isinstance(column, Lists) else [(column, read[name])]:
            assert own.dtype == other.dtype and own.tolist() == other.tolist()


@pytest.mark.parametrize("cut", ["values", "stringOffsets", "arrayOffsets"])
def test_bytes_that_are_missing_are_told(cut):
    packed = pack_table({"path": Lists(strings(["a", "bc"]), np.array([1, 1]))}, 0)
    views = list(packed.views)
    views[packed.values["path"][cut]] = views[packed.values["path"][cut]][:-1]
    with pytest.raises(ValueError, match=r"outside|stated"):
        unpack_table(packed.properties, packed.values, 2, views.__getitem__)


def test_offsets_that_descend_are_told():
    packed = pack_table({"name": strings(["a", "bc", "d"])}, 0)
    offsets = packed.views[packed.values["name"]["stringOffsets"]].view(np.uint32)
    offsets[1:3] = 3, 1
    with pytest.raises(ValueError, match="descend"):
        unpack_table(packed.properties, packed.values, 3, packed.views.__getitem__)
