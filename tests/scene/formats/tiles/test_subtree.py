"""Subtree files: their bytes read by hand, what is read of them, and damage."""

from __future__ import annotations

import json
import struct
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octoscope.scene.formats.tiles.subtree import Subtree, first_bit, pack_subtree, unpack_subtree

LEVELS = 3


def subtree_of(seed: int) -> Subtree:
    """A random subtree: each tile but the root below one that there is."""
    rng = np.random.default_rng(seed)
    tiles, last = [0], [0]
    for level in range(1, LEVELS):
        last = [
            code << 3 | octant for code in last for octant in range(8) if rng.random() < rng.choice((0.1, 0.6, 1.0))
        ]
        tiles += [first_bit(level) + code for code in last]
    below = [code << 3 | octant for code in last for octant in range(8) if rng.random() < 0.2]
    count = len(tiles)
    return Subtree(
        LEVELS,
        np.array(tiles),
        rng.random((count, 1)) < 0.7,
        rng.normal(size=(count, 12)),
        rng.random(count),
        np.array(below, dtype=np.int64),
    )


def bits_of(document: dict, binary: bytes, availability: dict, size: int) -> list[int]:
    """Return which bits are set, read one by one."""
    if "constant" in availability:
        return list(range(size)) if availability["constant"] else []
    view = document["bufferViews"][availability["bitstream"]]
    data = binary[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]
    found = [bit for bit in range(size) if data[bit // 8] >> bit % 8 & 1]
    assert len(data) == (size + 7) // 8 and len(found) == availability["availableCount"]
    return found


@pytest.mark.parametrize("seed", range(30))
def test_the_bytes_are_those_of_the_specification(seed):
    subtree = subtree_of(seed)
    content = pack_subtree(subtree)
    magic, version, text_length, binary_length = struct.unpack_from("<4sIQQ", content)
    assert (magic, version) == (b"subt", 1)
    assert len(content) == 24 + text_length + binary_length and text_length % 8 == binary_length % 8 == 0
    document, binary = json.loads(content[24 : 24 + text_length]), content[24 + text_length :]
    assert document["buffers"] == [{"byteLength": binary_length}]
    end = 0
    for view in document["bufferViews"]:
        assert view["byteOffset"] % 8 == 0 and view["byteOffset"] >= end
        end = view["byteOffset"] + view["byteLength"]
    assert end <= binary_length
    size = 1 + 8 + 64
    assert bits_of(document, binary, document["tileAvailability"], size) == subtree.tiles.tolist()
    (contents,) = document["contentAvailability"]
    assert bits_of(document, binary, contents, size) == subtree.tiles[subtree.has_content[:, 0]].tolist()
    assert bits_of(document, binary, document["childSubtreeAvailability"], 512) == subtree.children.tolist()
    table = document["propertyTables"][document["tileMetadata"]]
    assert table["class"] == "tile" and table["count"] == len(subtree.tiles)
    for name, values in (("boundingBox", subtree.volumes), ("geometricError", subtree.errors)):
        view = document["bufferViews"][table["properties"][name]["values"]]
        data = binary[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]
        assert struct.unpack(f"<{values.size}d", data) == tuple(values.ravel().tolist())


@pytest.mark.parametrize("seed", range(30))
def test_what_was_written_is_read(seed):
    subtree = subtree_of(seed)
    read = unpack_subtree(pack_subtree(subtree), LEVELS)
    for name in ("tiles", "has_content", "volumes", "errors", "children"):
        np.testing.assert_array_equal(getattr(read, name), getattr(subtree, name), err_msg=name)
    for bit, level, code in zip(read.tiles, read.level_of_tiles, read.codes_of_tiles, strict=True):
        assert bit == sum(8**above for above in range(level)) + code and code < 8**level


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_damage_is_told(data):
    content = bytearray(pack_subtree(subtree_of(3)))
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    content = content[: data.draw(st.integers(0, len(content)))] if data.draw(st.booleans()) else content
    # What read_implicit tells in one line.
    with suppress(ValueError, KeyError, TypeError, IndexError, AttributeError):
        unpack_subtree(bytes(content), LEVELS)


@pytest.mark.parametrize("number", [np.nan, np.inf, -1e300])
@pytest.mark.parametrize("field", ["volumes", "errors"])
def test_boxes_and_errors_that_are_no_numbers_are_refused(field, number):
    subtree = subtree_of(0)
    getattr(subtree, field).flat[-1] = number
    with pytest.raises(ValueError, match="no number, or too large"):
        unpack_subtree(pack_subtree(subtree), LEVELS)
