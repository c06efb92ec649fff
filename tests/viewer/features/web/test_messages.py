"""Messages of browsers: the page's own are taken, nothing else is, and whatever comes in, nothing else is raised."""

import math
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("viser", reason="octoscope[web] is not installed")

import msgspec

from octoscope.viewer.features.web.guard import LARGEST_BYTES, BadMessage, Uploads, accepts
from tests.viewer.features.web.serving import CAMERA, packed

CLICK = {"event_type": "click", "ray_origin": [0, 0, 5], "ray_direction": [0, 0, -1.0], "screen_pos": [[0.5, 0.5]]}
BOX = {"event_type": "rect-select", "ray_origin": None, "ray_direction": None, "screen_pos": [[0.1, 0.1], [0.5, 0.5]]}
UPLOAD = packed(
    "FileTransferStartUpload",
    source_component_uuid="a",
    transfer_uuid="b",
    filename="c.glb",
    mime_type="",
    part_count=2,
    size_bytes=5,
)
GOOD = [
    packed("ViewerCameraMessage", **CAMERA),
    packed("ScenePointerMessage", **CLICK, modifier=None),
    packed("ScenePointerMessage", **CLICK, modifier="shift"),
    packed("ScenePointerMessage", **BOX, modifier="shift"),
    packed("GuiUpdateMessage", uuid="a", updates={"value": True}),
    packed("CommandTriggerMessage", uuid="a"),
    packed("TransformControlsUpdateMessage", name="/gizmo", wxyz=[1, 0, 0, 0], position=[0, 0, 0], owner=""),
]


@pytest.mark.parametrize("raw", GOOD)
def test_messages_of_the_page_are_taken(raw):
    assert accepts(raw)


@pytest.mark.parametrize(
    "raw",
    [
        packed("ShareUrlRequest"),  # would open a tunnel to the world
        UPLOAD,  # of a browser that may send none
        packed("RunJavascriptMessage", source="1"),
        packed("NoSuchMessage"),
        packed("ScenePointerMessage", **{**CLICK, "event_type": "rect-select"}, modifier=None),  # of one corner
    ],
)
def test_messages_that_are_not_for_this_server_are_left_out(raw):
    assert not accepts(raw)


BAD = {
    "text": "hello",
    "no MessagePack": b"\xc1",
    "nothing": b"",
    "too large": packed("CommandTriggerMessage", uuid="a" * LARGEST_BYTES),
    "a long text": packed("CommandTriggerMessage", uuid="a" * 2000),
    "no mapping": msgspec.msgpack.encode([1, 2]),
    "no type": msgspec.msgpack.encode({"uuid": "a"}),
    "type is no text": msgspec.msgpack.encode({"type": 5}),
    "a field is missing": packed("CommandTriggerMessage"),
    "a field too many": packed("CommandTriggerMessage", uuid="a", excluded_self_client=3),
    "not a number": packed("ViewerCameraMessage", **{**CAMERA, "fov": math.nan}),
    "infinite": packed("ViewerCameraMessage", **{**CAMERA, "position": [0.0, math.inf, 0.0]}),
    "far beyond": packed("ViewerCameraMessage", **{**CAMERA, "position": [0.0, 1e300, 0.0]}),
    "two coordinates": packed("ViewerCameraMessage", **{**CAMERA, "position": [0.0, 0.0]}),
    "a text for a number": packed("ViewerCameraMessage", **{**CAMERA, "fov": "wide"}),
    "an attribute of a control": packed("GuiUpdateMessage", uuid="a", updates={"removed": True}),
    "an attribute beside the value": packed("GuiUpdateMessage", uuid="a", updates={"value": 1, "update_cb": []}),
    "nested without end": b"\x91" * 5000,
}


@pytest.mark.parametrize("raw", BAD.values(), ids=BAD)
def test_messages_that_no_page_sends_are_bad(raw):
    with pytest.raises(BadMessage):
        accepts(raw)


@given(st.binary(max_size=200))
def test_any_bytes_are_taken_left_out_or_bad(raw):
    with suppress(BadMessage):
        accepts(raw)


JSON_LIKE = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats() | st.text(max_size=5) | st.binary(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=10,
)


@given(st.sampled_from(GOOD), st.data())
def test_changed_messages_are_taken_left_out_or_bad(raw, data):
    fields = msgspec.msgpack.decode(raw)
    fields[data.draw(st.sampled_from([*fields, "more"]))] = data.draw(JSON_LIKE)
    with suppress(BadMessage):
        accepts(msgspec.msgpack.encode(fields))


def test_a_file_is_taken_in_its_parts_and_no_more_than_was_announced():
    def part(content: bytes, transfer: str = "b") -> bytes:
        fields = {"source_component_uuid": "a", "transfer_uuid": transfer, "part_index": 0, "content": content}
        return packed("FileTransferPart", **fields)

    uploads = Uploads()
    assert not accepts(part(b"abc"), uploads)  # before it was announced
    assert accepts(UPLOAD, uploads) and not accepts(UPLOAD, uploads)
    assert accepts(part(b"abc"), uploads) and not accepts(part(b"abc", "another"), uploads)
    with pytest.raises(BadMessage, match="more of a file"):
        accepts(part(b"abc"), uploads)
    with pytest.raises(BadMessage, match="large"):
        accepts(part(bytes(2 * 1024 * 1024)), uploads)
