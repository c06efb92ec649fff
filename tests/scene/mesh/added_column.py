"""Adds a column to meshes, tangents, and prints what comes of them; run by test_layout in a process of its own."""

import io
from dataclasses import dataclass, replace
from types import SimpleNamespace
from unittest import mock

import numpy as np

from octoscope.scene.mesh import layout

TANGENTS = layout.MeshColumn("tangents", "tangent", "vertex", np.float32, (4,), "absent")


def with_tangents(cls: type | None = None, **options: bool):
    """Make a dataclass that has tangents if it has normals, as in a checkout whose sources name them."""
    if cls is None:
        return lambda each: with_tangents(each, **options)
    if "normals" in cls.__annotations__:
        cls.__annotations__["tangents"] = "np.ndarray | None"
        cls.tangents = None
    return dataclass(cls, **options)


layout.COLUMNS = (*layout.COLUMNS, TANGENTS)
layout.COLUMNS_OF["vertex"] = (*layout.COLUMNS_OF["vertex"], TANGENTS)
with mock.patch("dataclasses.dataclass", with_tangents):
    from octoscope.scene.bake import transformed
    from octoscope.scene.formats.tiles.repeats import Repeats, without_copies
    from octoscope.scene.merging.merged_geometry import MergedGeometry
    from octoscope.scene.mesh.data import MeshBatch
    from octoscope.scene.mesh.pool import Meshes
    from octoscope.scene.mesh.primitives import sphere
    from octoscope.scene.project.meshes import meshes_from_json, meshes_to_json
    from octoscope.scene.streaming.tile_content import TileContent


def check() -> None:
    plain = sphere(segments=9, rings=6)
    count = len(plain.positions)
    tangents = np.random.default_rng(0).random((count, 4)).astype(np.float32)
    dressed = replace(plain, tangents=tangents)
    batch = MeshBatch.of([plain, dressed], ["plain", "dressed"])
    both = np.concatenate([np.zeros_like(tangents), tangents])
    meshes = Meshes()
    ids = np.array(meshes.extend(batch))
    read = meshes_from_json(meshes_to_json(batch), 1)
    baked = transformed(meshes, ids, np.stack([np.eye(4)] * 2))
    for each in (batch, meshes.batch(ids), read, baked):
        np.testing.assert_array_equal(each.tangents, both)
    try:
        meshes_from_json(meshes_to_json(replace(batch, tangents=both * np.float32(np.nan))), 1)
    except ValueError as error:
        assert str(error) == "'tangents' are not all finite"
    else:
        raise AssertionError("tangents that are no numbers were read")

    parts = [MergedGeometry.of(MeshBatch.of([each], ["a"]), np.array([k])) for k, each in enumerate((plain, dressed))]
    assert parts[0].tangents is None
    merged = MergedGeometry.merged(parts)
    np.testing.assert_array_equal(merged.tangents, both)
    for geometry in (parts[0], merged, merged.with_elements(*np.empty((3, 0, 3), np.int32))):
        file = io.BytesIO()
        geometry.save(file)
        file.seek(0)
        loaded = MergedGeometry.load(file)
        assert (loaded.tangents is None) == (geometry.tangents is None)
        assert loaded.tangents is None or loaded.tangents.tobytes() == geometry.tangents.tobytes()

    others = [dressed] * 6 + [replace(dressed, tangents=tangents[::-1])]
    objects = np.arange(len(others))
    geometry = MergedGeometry.of(MeshBatch.of(others, ["a"] * len(others)), objects)
    repeats = Repeats.of(objects, objects * 0, np.stack([np.eye(4)[:3]] * len(others)))
    rest, (copies,) = without_copies(geometry, repeats)
    assert copies.objects.tolist() == [0, 1, 2, 3, 4, 5] and np.unique(rest.objects).tolist() == [6]
    np.testing.assert_array_equal(copies.mesh.tangents, tangents)

    memory_bytes = TileContent.memory_bytes.fget  # of the meshes alone
    sizes = [memory_bytes(SimpleNamespace(meshes=MeshBatch.of([each], ["a"]))) for each in (plain, dressed)]
    assert sizes[1] - sizes[0] == 2 * tangents.nbytes


if __name__ == "__main__":
    check()
