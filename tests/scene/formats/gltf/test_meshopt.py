"""Files of gltfpack open, streams of its encoder are decoded exactly, and broken ones are told in a line."""

from __future__ import annotations

import base64
import hashlib
import json
from contextlib import suppress
from functools import reduce
from operator import getitem

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octoscope.scene import ReadError, load
from octoscope.scene.formats.gltf.compression.meshopt import filtered
from octoscope.scene.formats.gltf.compression.meshopt_codec import decode_attributes, decode_indices, decode_triangles
from tests.scene.formats.gltf.compressed_files import FOLDER, assert_five_balls
from tests.scene.formats.gltf.files import CORNERS, Gltf, document_of, glb_bytes, places

STREAMS = json.loads((FOLDER / "streams.json").read_text())
ATTRIBUTES = [stream for stream in STREAMS if stream["mode"] == "ATTRIBUTES"]


def decoded(mode: str, stride: int, count: int, stream: np.ndarray) -> tuple[np.ndarray, bool]:
    """Decode a stream to (n,) uint8 without a filter; and whether it was sound."""
    if mode == "ATTRIBUTES":
        out = np.zeros((count, stride), np.uint8)
        return out, decode_attributes(stream, stride, out)
    indices = np.zeros(count, np.uint32)
    sound = decode_indices(stream, indices) if mode == "INDICES" else decode_triangles(stream, indices.reshape(-1, 3))
    return indices.astype(f"<u{stride}").view(np.uint8), sound


def bytes_of(text: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), np.uint8)


@pytest.mark.parametrize("stream", STREAMS, ids=[stream["name"] for stream in STREAMS])
def test_streams_are_decoded_as_their_encoders_library_does(stream):
    out, sound = decoded(stream["mode"], stream["stride"], stream["count"], bytes_of(stream["stream"]))
    assert sound
    if stream["filter"] == "NONE":
        assert hashlib.sha256(out.tobytes()).hexdigest() == stream["decoded"]
        return
    # The specification leaves a unit to rounding, but for floats.
    kind = "<f4" if stream["filter"] == "EXPONENTIAL" else {4: "i1", 8: "<i2"}[stream["stride"]]
    kind = kind.replace("i", "u") if stream["filter"] == "COLOR" else kind
    read, expected = (
        each.reshape(-1).view(kind) for each in (filtered(out, stream["filter"]), bytes_of(stream["decoded"]))
    )
    np.testing.assert_allclose(read.astype(float), expected.astype(float), rtol=0.0, atol=0.0 if kind == "<f4" else 1.0)


@given(st.sampled_from(STREAMS), st.data())
def test_damaged_streams_are_read_to_their_end_at_most(stream, data):
    """Behind a damaged stream lie bytes that would tell whether they were read: all of them can end it otherwise."""
    damaged = bytes_of(stream["stream"]).copy()
    for _ in range(data.draw(st.integers(1, 4))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    damaged = damaged[: data.draw(st.integers(0, len(damaged)))]
    answers = []
    for behind in (0, 255):
        held = np.full(len(damaged) + 4096, behind, np.uint8)
        held[: len(damaged)] = damaged
        out, sound = decoded(stream["mode"], stream["stride"], stream["count"], held[: len(damaged)])
        answers.append((sound, out.tobytes()))
    assert answers[0] == answers[1]


def test_a_stream_is_of_one_number_of_items_alone():
    for stream in STREAMS:
        step = 3 if stream["mode"] == "TRIANGLES" else 300
        source = bytes_of(stream["stream"])
        assert not decoded(stream["mode"], stream["stride"], stream["count"] + step, source)[1]
        assert not decoded(stream["mode"], stream["stride"], stream["count"], source[:-1])[1]


@given(st.sampled_from(["OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR"]), st.binary(min_size=64, max_size=64))
def test_filters_take_any_bytes(name, data):
    items = np.frombuffer(data, np.uint8).reshape(-1, 8)
    assert filtered(items, name).shape == items.shape


@pytest.mark.parametrize("name", ["ext", "khr", "instances", "fallback"])
def test_what_gltfpack_writes_is_what_it_was_made_of(name):
    assert_five_balls(FOLDER / f"{name}.glb")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"byteLength": 5}, "broken stream"),
        ({"byteLength": 10**9}, "outside the file"),
        ({"byteOffset": -1}, "no place"),
        ({"buffer": 7}, "no place"),
        ({"count": 48}, "another size"),
        ({"count": 10**15}, "another size"),
        ({"count": "x"}, "another size"),
        ({"mode": "NEW"}, "the mode NEW"),
        ({"mode": "TRIANGLES"}, "for 8 bytes"),
        ({"filter": "NEW"}, "filter NEW"),
        ({"filter": "EXPONENTIAL", "byteStride": 0}, "another size"),
    ],
)
def test_what_cannot_be_decoded_is_one_line_with_its_reason(tmp_path, change, reason):
    path = FOLDER / "ext.glb"
    document = document_of(path)
    document["bufferViews"][0]["extensions"]["EXT_meshopt_compression"] |= change
    # Another mesh beside it, which is not compressed, is shown.
    raw = path.read_bytes()
    data = raw[28 + int.from_bytes(raw[12:16], "little") :]
    other = CORNERS[:3].tobytes()
    document["bufferViews"].append({"buffer": 0, "byteOffset": len(data), "byteLength": len(other)})
    document["accessors"].append({"bufferView": 2, "componentType": 5126, "count": 3, "type": "VEC3"})
    document["buffers"][0]["byteLength"] = len(data) + len(other)
    document["meshes"].append({"primitives": [{"attributes": {"POSITION": 2}}]})
    document["nodes"].append({"mesh": 1})
    document["scenes"][0]["nodes"].append(len(document["nodes"]) - 1)
    changed = tmp_path / "a.glb"
    changed.write_bytes(glb_bytes(document, data + other))
    scene = load(changed)
    whats = [problem.what for problem in scene.report.problems]
    assert scene.element_count("triangle") == 1
    assert [what for what in whats if "meshoptimizer" in what and reason in what], whats


@given(st.sampled_from(["ext", "khr", "instances"]), st.data())
def test_whatever_stands_where_it_should_not_is_told_in_a_line(tmp_path_factory, name, data):
    raw = (FOLDER / f"{name}.glb").read_bytes()
    document = document_of(FOLDER / f"{name}.glb")
    packed = [place for place in places(document["bufferViews"]) if "extensions" in place]
    for place in data.draw(st.lists(st.sampled_from(packed), min_size=1, max_size=2)):
        with suppress(KeyError, IndexError, TypeError):  # an earlier change may have taken the place away
            value = data.draw(st.sampled_from([None, -1, 0, 1, 4, 2**31, 2**53, 1e308, "x", "COLOR", [], {}, True]))
            reduce(getitem, place[:-1], document["bufferViews"])[place[-1]] = value
    path = tmp_path_factory.getbasetemp() / "changed.glb"
    path.write_bytes(glb_bytes(document, raw[28 + int.from_bytes(raw[12:16], "little") :]))
    try:
        load(path).bounds()
    except ReadError as error:
        assert len(str(error).splitlines()) == 1


def test_few_bytes_do_not_take_much_memory(tmp_path):
    gltf = Gltf()
    gltf.node(mesh=gltf.mesh(gltf.primitive()))
    gltf.data += bytes(64)
    packed = {"buffer": 0, "byteLength": 64, "byteStride": 256, "count": 2**24, "mode": "ATTRIBUTES"}
    gltf.json["bufferViews"][0] = {
        "buffer": 0,
        "byteLength": 2**32,
        "extensions": {"KHR_meshopt_compression": packed},
    }
    path = gltf.glb(tmp_path / "a.glb")
    with pytest.raises(Exception, match=r"nothing to show.*fewer bytes than so many items take"):
        load(path)
