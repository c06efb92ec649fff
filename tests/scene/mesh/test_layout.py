"""The table of columns: batches, the pool and project files follow it."""

import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from octoscope.scene import Meshes
from octoscope.scene.bake import transformed
from octoscope.scene.mesh.data import MeshBatch, MeshData
from octoscope.scene.mesh.layout import COLUMNS, ELEMENTS, MeshColumn
from octoscope.scene.project.meshes import meshes_from_json, meshes_to_json

COUNTS = {"vertex": [5, 3], "triangle": [4, 0], "line": [2, 1], "point": [0, 3]}


def two_meshes() -> MeshBatch:
    """Make a batch in which no column has only equal rows."""
    rng = np.random.default_rng(5)
    columns = {}
    for column in COLUMNS:
        shape = (sum(COUNTS[column.element]), *column.row_shape)
        columns[column.name] = rng.integers(0, 3, shape).astype(column.dtype)
    counts = {f"{element}_counts": np.array(COUNTS[element]) for element in ELEMENTS}
    return MeshBatch(names=np.array(["a", "b"], dtype=np.dtypes.StringDType()), **counts, **columns)


def assert_same(a: MeshBatch, b: MeshBatch) -> None:
    for field in fields(MeshBatch):
        np.testing.assert_array_equal(getattr(a, field.name), getattr(b, field.name), err_msg=field.name)


def test_meshes_and_batches_have_the_columns_of_the_table():
    names = [column.name for column in COLUMNS]
    assert {field.name for field in fields(MeshData)} == set(names)
    others = {"names", "source_lines", *(f"{element}_counts" for element in ELEMENTS)}
    assert {field.name for field in fields(MeshBatch)} == {*names, *others}


def test_every_column_survives_the_pool_single_meshes_project_files_and_baking():
    batch, meshes = two_meshes(), Meshes()
    meshes.add(batch.mesh(1))  # so that nothing is adopted
    ids = np.array(meshes.extend(batch))
    assert_same(meshes.batch(ids), batch)
    assert_same(MeshBatch.of([meshes.mesh(int(k)) for k in ids], ["a", "b"]), batch)
    assert_same(MeshBatch.of([batch.mesh(0), batch.mesh(1)], ["a", "b"]), batch)
    assert_same(meshes_from_json(meshes_to_json(batch), 3), batch)
    baked = transformed(meshes, ids, np.stack([np.eye(4)] * 2))
    for column in COLUMNS:
        if column.name != "normals":  # they get length 1
            np.testing.assert_array_equal(getattr(baked, column.name), getattr(batch, column.name))


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: column.name)
def test_a_column_that_is_left_out_gets_its_default_everywhere(column: MeshColumn):
    batch = two_meshes()
    counts = batch.counts[column.element]
    default = column.default_rows(counts)
    written = meshes_to_json(batch)
    del written[column.name]
    if column.is_optional:
        assert getattr(meshes_from_json(written, 3), column.name) is None
        return
    if default is None or len(default) != counts.sum():
        with pytest.raises(ValueError, match=column.name):
            meshes_from_json(written, 3)
        return
    np.testing.assert_array_equal(getattr(meshes_from_json(written, 3), column.name), default)
    kept = {each.name: getattr(batch, each.name) for each in COLUMNS if each is not column}
    made = MeshBatch.with_defaults(batch.names, list(batch.counts.values()), **kept)
    np.testing.assert_array_equal(getattr(made, column.name), default)


def test_a_column_that_is_added_needs_no_more_than_its_row_and_fields():
    added_column = Path(__file__).with_name("added_column.py")
    done = subprocess.run([sys.executable, added_column], capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
