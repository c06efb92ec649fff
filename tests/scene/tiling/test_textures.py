"""Textures of coarse tiles are smaller, and no coarser than their error allows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from octoscope.scene import Material, Scene, load, write_glb
from octoscope.scene.formats.gltf.document import read_document
from octoscope.scene.mesh.data import MeshData
from octoscope.scene.mesh.texture import Texture
from octoscope.scene.tiling.tiling import write_tiles
from tests.scene.tiling.checks import tileset_of
from tests.scene.tiling.test_resuming import Ended, assert_same_files, end_after

SIDE = 48


def ground(pixels: np.ndarray, *, size: float = 10.0) -> Scene:
    """A square of a size, many triangles and one image."""
    v, u = np.mgrid[0 : SIDE + 1, 0 : SIDE + 1] / SIDE
    heights = np.random.default_rng(0).uniform(0.0, 0.01, u.shape)
    positions = np.stack([size * u, heights, size * v], axis=2).reshape(-1, 3)
    corner = (np.arange(SIDE)[:, None] * (SIDE + 1) + np.arange(SIDE)).ravel()
    quads = corner[:, None] + (0, SIDE + 1, SIDE + 2, 1)
    triangles = np.concatenate([quads[:, :3], quads[:, [0, 2, 3]]])
    uvs = np.stack([u, v], axis=2).reshape(-1, 2).astype(np.float32)
    mesh = MeshData(positions, triangles, None, np.zeros(len(uvs), np.int32), uvs=uvs)
    made = Scene()
    look = made.add_material(
        Material("ground", (1.0, 1.0, 1.0), base_color_texture=Texture(Path("ground.png"), pixels, is_file=False))
    )
    made.add_node("ground", mesh=made.meshes.add(mesh), material=look)
    return made


@pytest.fixture
def pixels():
    v, u = np.mgrid[0:1024, 0:512] / 512.0
    made = np.full((1024, 512, 4), 255, dtype=np.uint8)
    made[..., :3] = np.stack([255.0 * u, 100.0 * v + 50.0, 128.0 + 60.0 * np.sin(8.0 * u) * np.cos(9.0 * v)], axis=2)
    return made


def test_a_tile_has_an_image_as_fine_as_its_error_needs(tmp_path, pixels):
    write_glb(ground(pixels), tmp_path / "a.glb")
    write_tiles([tmp_path / "a.glb"], tmp_path / "tiles", leaf_elements=300)
    sizes = set()
    for tile, facts in tileset_of(tmp_path / "tiles").tiles.items():
        content = tmp_path / "tiles" / "content" / "{}_{}_{}_{}.glb".format(*tile)
        document = read_document(content).json
        (image,) = document["images"]
        with Image.open(content.parent / image["uri"]) as read:
            shown, kind = np.array(read.convert("RGB")), read.format
        sizes.add(len(shown))
        texel = 10.0 / np.sqrt(shown.shape[0] * shown.shape[1])
        times = len(pixels) // len(shown)
        assert shown.shape == (1024 // times, 512 // times, 3)
        if facts.error == 0.0:
            assert kind == "PNG" and times == 1 and "extensionsRequired" not in document
        else:
            assert times == 1 or texel <= facts.error / 8.0
            assert len(shown) == 64 or texel * 2.0 > facts.error / 8.0 * 0.99
        if times > 1:
            assert kind == "WEBP" and document["extensionsRequired"] == ["EXT_texture_webp"]
            boxes = pixels[..., :3].reshape(1024 // times, times, 512 // times, times, 3).mean(axis=(1, 3))
            assert np.abs(shown - boxes).mean() < 3.0
            (material,) = (each for each in load(content).materials if each.textures)
            assert material.base_color_texture.pixels.shape[:2] == shown.shape[:2]
    assert len(sizes) > 2
    read = load(tmp_path / "tiles" / "tileset.json")
    assert read.report.warnings == [] and {each.pixels.shape for m in read.materials for each in m.textures} == {
        pixels.shape
    }


def test_a_run_that_was_ended_goes_on_with_its_textures(tmp_path, pixels):
    write_glb(ground(pixels), tmp_path / "a.glb")
    write_tiles([tmp_path / "a.glb"], tmp_path / "once", leaf_elements=300)
    with pytest.raises(Ended):
        write_tiles([tmp_path / "a.glb"], tmp_path / "tiles", leaf_elements=300, progress=end_after(2))
    assert write_tiles([tmp_path / "a.glb"], tmp_path / "tiles", leaf_elements=300).done_before == 2
    assert_same_files(tmp_path / "once", tmp_path / "tiles")
