"""LAS files as laspy writes them: points exact far from the origin, in their colours, an object for each class."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import octoscope.scene.tiling.sources
import octoscope.scene.tiling.tiling
from octoscope.scene import ReadError, load
from octoscope.scene.formats.las.reader import read_las
from octoscope.scene.formats.readers import memory_per_byte
from octoscope.scene.tiling.tiling import write_tiles
from tests.scene.tiling.checks import assert_same_elements, assert_sound, elements_of_leaves, elements_of_scene

laspy = pytest.importorskip("laspy")
ORIGIN = np.array([482_913.25, 5_456_721.5, 213.75])


def write_cloud(path: Path, *, point_format: int, count: int = 900) -> np.ndarray:
    """Write a cloud of two classes; return its positions, exact."""
    rng = np.random.default_rng(4)
    header = laspy.LasHeader(point_format=point_format, version="1.4" if point_format > 5 else "1.2")
    header.offsets, header.scales = np.floor(ORIGIN), np.full(3, 0.001)
    cloud = laspy.LasData(header)
    cloud.X, cloud.Y, cloud.Z = rng.integers(0, 90_000, (3, count), dtype=np.int32)
    cloud.classification = np.where(np.arange(count) % 3, 2, 6).astype(np.uint8)
    cloud.intensity = np.arange(count, dtype=np.uint16)
    if "red" in cloud.point_format.dimension_names:
        cloud.red, cloud.green, cloud.blue = rng.integers(0, 65536, (3, count), dtype=np.uint16)
    cloud.write(path)
    return np.stack([cloud.X, cloud.Y, cloud.Z], axis=1) * 0.001 + np.floor(ORIGIN)


@pytest.mark.parametrize(("name", "point_format"), [("cloud.las", 0), ("cloud.laz", 7)])
def test_points_are_exact_and_of_their_class(tmp_path, name, point_format):
    expected = write_cloud(tmp_path / name, point_format=point_format)
    content = read_las(tmp_path / name)
    assert content.up_axis == "z" and content.node_names.tolist() == ["ground", "building"]
    for (_, mesh), rows, place in zip(
        content.objects, (np.arange(900) % 3 > 0, np.arange(900) % 3 == 0), content.translations, strict=True
    ):
        np.testing.assert_allclose(mesh.positions + place, expected[rows], rtol=0, atol=2e-9)
        assert np.abs(mesh.positions).max() < 100.0
        grey = mesh.colors[:, 0] == mesh.colors[:, 1]
        assert grey.all() == (point_format == 0) and len(np.unique(mesh.colors[:, 0])) > 100


def test_a_file_that_was_cut_off_shows_what_is_there_or_is_refused(tmp_path):
    for name, point_format in (("cloud.las", 0), ("cloud.laz", 7)):
        write_cloud(tmp_path / name, point_format=point_format)
        (tmp_path / name).write_bytes((tmp_path / name).read_bytes()[:-4000])
    assert [problem.kind for problem in read_las(tmp_path / "cloud.las").problems] == ["cut-off"]
    with pytest.raises(ReadError, match=r"cloud.laz: broken LAS \(.+\); export it again"):
        read_las(tmp_path / "cloud.laz")
    whole = (tmp_path / "cloud.las").read_bytes()
    (tmp_path / "cloud.las").write_bytes(whole[:100] + b"\xff\xff\xff\x7f" + whole[104:])
    with pytest.raises(ReadError, match="more records than it has bytes"):
        read_las(tmp_path / "cloud.las")


def test_a_cloud_larger_than_memory_makes_the_same_tiles(tmp_path, monkeypatch):
    write_cloud(tmp_path / "cloud.laz", point_format=7)
    of_points = memory_per_byte(Path("cloud.las"))
    assert of_points * 20 >= octoscope.scene.formats.las.reader._POINT_BYTES, "bytes of the smallest point"
    assert memory_per_byte(Path("cloud.laz")) == 8 * of_points
    monkeypatch.setattr(octoscope.scene.tiling.sources, "memory_per_byte", lambda path: 2**30)
    monkeypatch.setattr(octoscope.scene.tiling.tiling, "_VERTICES_PER_ELEMENT", 0.0002)
    report = write_tiles([tmp_path / "cloud.laz"], tmp_path / "tiles", leaf_elements=200)
    assert report.counts.points == 900
    tileset = assert_sound(tmp_path / "tiles", 200)
    expected = elements_of_scene(load(tmp_path / "cloud.laz"))
    assert_same_elements(elements_of_leaves(tmp_path / "tiles", tileset), expected, rounding=1e-8)
