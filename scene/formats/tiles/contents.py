"""Any content of a tile: glTF and GLB, and what 3D Tiles 1.0 wraps it in or has beside it (b3dm, i3dm, pnts, cmpt).

The frame of a content is that of a glTF, Y up. What 1.0 states in the frame of a tile, Z up, is turned to it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from octoscope.scene.content import FileContent
from octoscope.scene.formats.gltf.document import LARGEST_BYTES, GltfDocument, document_of
from octoscope.scene.formats.gltf.reader import GltfContent, decoded, numbered_content_of
from octoscope.scene.formats.tiles.feature_table import BrokenContent, FeatureTable, Frame
from octoscope.scene.formats.tiles.files.packed_file import read_unpacked
from octoscope.scene.formats.tiles.tables.at_point import has_properties_at_points
from octoscope.scene.formats.tiles.tables.features import NO_FEATURE, Features, features_of, gltf_features
from octoscope.scene.formats.tiles.tables.metadata import BROKEN, extension_of
from octoscope.scene.formats.tiles.tables.property_table import PropertyTable
from octoscope.scene.formats.tiles.volumes import TILES_FROM_CONTENT, checked_numbers, up_on_earth
from octoscope.scene.geometry.pyrr_transforms import translation
from octoscope.scene.mesh.data import MeshBatch, MeshData
from octoscope.scene.mesh.material import DEFAULT_MATERIAL
from octoscope.scene.system.file_finder import file_beside
from octoscope.scene.system.memory import no_collections
from octoscope.scene.system.read_limits import current_limits
from octoscope.scene.system.report import Problem
from octoscope.scene.system.text_file import ReadError, printable

_DEEPEST = 8  # of composites in composites
_INSTANCE_BYTES = 1700  # of a node
_NOT_READ = {b"vctr": "vector tiles", b"geom": "geometry tiles"}


@dataclass(frozen=True, eq=False)
class PlacedContent:
    """Nodes and meshes of a glTF, or of a part of an older content, with their instances."""

    content: FileContent  # nodes and meshes
    matrices: np.ndarray  # (k, 4, 4) float64 content_from_instance of each of k instances
    document: GltfDocument | None = None  # the glTF; None for the parts that have none
    gltf: GltfContent | None = None  # of it
    batch: PropertyTable | None = None  # the batch table around it
    batch_ids: np.ndarray | None = None  # (k,) rows of that, of the instances, or of points

    @property
    def has_properties_at_points(self) -> bool:
        """True if properties may differ from point to point of one object: by textures or per vertex."""
        try:
            return self.document is not None and has_properties_at_points(self.document)
        except BROKEN:
            return False

    @cached_property
    def features(self) -> Features:
        """The features of vertices, nodes and instances; what cannot be read is a problem of `content`."""
        nothing = np.full(len(self.content.node_names), NO_FEATURE)
        try:
            if self.batch is not None and self.batch_ids is not None:
                features = features_of(self.batch_ids, self.batch)
                if self.document is None:
                    return Features([self.batch], features, nothing)
                return Features([self.batch], np.empty(0, dtype=np.int64), nothing, features)
            if self.document is not None and self.gltf is not None:
                return gltf_features(self.document, self.gltf, self.batch)
        except ReadError as error:
            reason = error.reason
        except BROKEN:
            reason = "what it says of its features is broken"
        else:
            reason = ""
        if reason:
            path = str(self.document.path if self.document else self.content.name)
            self.content.problems.append(Problem(path, None, "features", reason, "shown without them"))
        return Features([], np.empty(0, dtype=np.int64), nothing)


class _Source(NamedTuple):
    """The file of a content, and the folder that bounds what it may name."""

    path: Path
    folder: Path  # which all files that it names are in
    is_z_up: bool  # the glTF in it has Z up


def read_contents(path: Path, folder: Path, *, is_z_up: bool = False) -> list[PlacedContent]:
    """Read a content, which names files in a folder; return what it shows, at least one.

    Args:
        is_z_up: its glTF has Z up, against glTF's own rules, as tilesets before 3D Tiles 1.0 could say.
    """
    with no_collections():
        return _parts(_Source(path, folder, is_z_up), read_unpacked(path, largest_bytes=LARGEST_BYTES), 0)


def _parts(source: _Source, data: bytes, depth: int) -> list[PlacedContent]:
    path, kind = source.path, data[:4]
    try:
        if kind in _READERS:
            return [_READERS[kind](source, data)]
        if kind == b"cmpt":
            return _read_composite(source, data, depth)
        if kind in _NOT_READ:
            raise ReadError(path, f"{_NOT_READ[kind]} ({kind.decode()}) are not read; export them as glTF")
        return [_of_gltf(source, data)]
    except BrokenContent as error:
        raise ReadError(path, f"broken content: {printable(str(error)[:100])}; make it again") from None


def _of_gltf(source: _Source, data: bytes) -> PlacedContent:
    document = decoded(document_of(source.path, data, source.folder))
    center = extension_of(document.json, "CESIUM_RTC").get("center")
    matrices = TILES_FROM_CONTENT.T[None] if source.is_z_up else np.eye(4)[None]
    if center is not None:
        try:
            matrices = _turned(translation(checked_numbers(center, 3))[None]) @ matrices
        except ValueError as error:
            raise BrokenContent(f"CESIUM_RTC: {error}") from None
    gltf = numbered_content_of(document)
    return PlacedContent(gltf.content, matrices, document, gltf)


def _turned(in_tile: np.ndarray) -> np.ndarray:
    """Return (k, 4, 4) matrices of the tile's frame as those of the content's."""
    return TILES_FROM_CONTENT.T @ in_tile @ TILES_FROM_CONTENT


def _read_batched(source: _Source, data: bytes) -> PlacedContent:
    """Read a b3dm: a glTF whose vertices tell which object of a table they are of."""
    frame = Frame.of(data)
    table = FeatureTable(data, frame)
    inner = _of_gltf(source, data[frame.body :])
    matrices = _turned(translation(table.center())[None]) @ inner.matrices
    return replace(inner, matrices=matrices, batch=frame.batch_table(data, table.batch_length()))


def _read_instanced(source: _Source, data: bytes) -> PlacedContent:
    """Read an i3dm: a glTF that stands at many places."""
    frame = Frame.of(data, further=4)
    table = FeatureTable(data, frame)
    count = table.count("INSTANCES_LENGTH")
    if int.from_bytes(data[28:32], "little") == 0:
        uri = data[frame.body :].decode(errors="replace").rstrip("\0 ")
        file = file_beside(source.path, uri, within=source.folder)
        inner = _of_gltf(source._replace(path=file), read_unpacked(file, largest_bytes=LARGEST_BYTES))
    else:
        inner = _of_gltf(source, data[frame.body :])
    current_limits().take(_INSTANCE_BYTES * count * max(len(inner.content.node_names), 1))
    positions = table.positions(count)
    centers = positions + table.center()
    linear = np.tile(np.eye(3), (count, 1, 1))
    ups, rights = table.directions(count)
    if ups is not None and rights is not None:
        linear = np.stack([rights, ups, np.cross(rights, ups)], axis=2)
    elif table.json.get("EAST_NORTH_UP") is True:
        linear = up_on_earth(centers)
    linear = linear * table.scales(count)[:, None, :]
    matrices = np.tile(np.eye(4), (count, 1, 1))
    matrices[:, :3, :3], matrices[:, :3, 3] = linear, centers
    ids = table.batch_ids(count)
    ids = np.arange(count) if ids is None else ids
    batch = frame.batch_table(data, int(ids.max()) + 1)
    return replace(inner, matrices=_turned(matrices) @ inner.matrices, batch=batch, batch_ids=ids)


def _read_points(source: _Source, data: bytes) -> PlacedContent:
    path = source.path
    frame = Frame.of(data)
    table = FeatureTable(data, frame)
    count = table.count("POINTS_LENGTH")
    current_limits().take(200 * count)
    try:
        table.decode()
    except ModuleNotFoundError:
        raise ReadError(path, "points that Draco compressed need an extra: pip install 'octoscope[draco]'") from None
    mesh = MeshData(
        table.positions(count),
        np.empty((0, 3), dtype=np.int32),
        table.normals(count),
        np.zeros(count, dtype=np.int32),
        colors=table.colors(count),
        points=np.arange(count, dtype=np.int32),
    )
    batch = MeshBatch.of([mesh], [printable(path.stem)])
    content = FileContent.flat(printable(path.name), count, batch, [DEFAULT_MATERIAL])
    matrices = (TILES_FROM_CONTENT.T @ translation(table.center()))[None]
    batch = frame.batch_table(data, table.batch_length())
    return PlacedContent(content, matrices, batch=batch, batch_ids=table.batch_ids(count))


def _read_composite(source: _Source, data: bytes, depth: int) -> list[PlacedContent]:
    """Read a cmpt: contents one behind the other."""
    if depth >= _DEEPEST:
        raise BrokenContent("composites too deep in each other")
    if len(data) < 16:
        raise BrokenContent("cut off")
    count, begin = int.from_bytes(data[12:16], "little"), 16
    parts: list[PlacedContent] = []
    for _ in range(count):
        size = int.from_bytes(data[begin + 8 : begin + 12], "little")
        if size < 12 or begin + size > len(data):
            raise BrokenContent("cut off")
        parts += _parts(source, data[begin : begin + size], depth + 1)
        begin += size
    if not parts:
        raise BrokenContent("a composite of nothing")
    return parts


_READERS: dict[bytes, Callable[[_Source, bytes], PlacedContent]] = {
    b"b3dm": _read_batched,
    b"i3dm": _read_instanced,
    b"pnts": _read_points,
}
