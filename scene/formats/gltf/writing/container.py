"""The container of a GLB that is written: its JSON, and the bytes of its buffer views."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from typing import BinaryIO

import numpy as np

from octoscope.scene.formats.export import write_arrays
from octoscope.scene.formats.gltf.codes import BINARY_CHUNK, GLB_MAGIC, JSON_CHUNK
from octoscope.scene.system.atomic_file import WriteError, WriteProgress

_LARGEST_BYTES = 2**32 - 1  # the file says its length in 32 bits
_ALIGNMENT = 8  # bytes, of buffer views: what columns of metadata need

View = tuple[int | None, int | None, np.ndarray]  # bytes of a row, target, array; of a buffer view


def write_container(
    file: BinaryIO, document: Mapping[str, str], views: Sequence[View], progress: WriteProgress | None = None
) -> None:
    """Write a GLB of its top object's other fields, in JSON, and buffer views; progress goes from 0.7 to 1."""
    sizes = np.array([array.nbytes for _, _, array in views], dtype=np.int64)
    padded = -(-sizes // _ALIGNMENT) * _ALIGNMENT
    offsets = np.cumsum(padded) - padded
    fields = dict(document)
    if views:
        fields["buffers"] = json.dumps([{"byteLength": int(padded.sum())}])
        fields["bufferViews"] = json.dumps(
            [
                _described(offset, size, stride, target)
                for offset, size, (stride, target, _) in zip(offsets.tolist(), sizes.tolist(), views, strict=True)
            ]
        )
    text = "{" + ",".join(f'"{key}":{value}' for key, value in fields.items()) + "}"
    content = text.encode()
    content += b" " * (-len(content) % 4)
    total = 12 + 8 + len(content) + (8 + int(padded.sum()) if views else 0)
    if total > _LARGEST_BYTES:
        raise WriteError(f"{total:,} bytes are more than a GLB can hold; write an OBJ, or 3D Tiles")
    file.write(GLB_MAGIC + struct.pack("<II", 2, total))
    file.write(struct.pack("<II", len(content), JSON_CHUNK))
    file.write(content)
    if views:
        file.write(struct.pack("<II", int(padded.sum()), BINARY_CHUNK))
        padding = [np.zeros(rest, dtype=np.uint8) for rest in (padded - sizes).tolist()]
        arrays = [part for (_, _, array), rest in zip(views, padding, strict=True) for part in (array, rest)]
        write_arrays(file, arrays, progress, begin=0.7)


def _described(offset: int, size: int, stride: int | None, target: int | None) -> dict[str, int]:
    view = {"buffer": 0, "byteOffset": offset, "byteLength": size, "byteStride": stride, "target": target}
    return {key: value for key, value in view.items() if value is not None}
