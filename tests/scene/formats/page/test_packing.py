"""Packing for pages: the same comes out again, in Python and by the page's own module in Node."""

from __future__ import annotations

import io
import json
import shutil
import struct
import subprocess
from pathlib import Path

import numpy as np
import pytest

from octoscope.scene import Material, Scene, load, write_glb
from octoscope.scene.formats.page.writer import page_of
from octoscope.scene.measuring.lengths import Lengths
from octoscope.scene.mesh.primitives import PRIMITIVES
from tests.scene.formats.page.pages import data_of, head_of, numbers_of

ROOT = Path(__file__).parents[4]
UNPACK = ROOT / "scene" / "formats" / "page" / "source" / "unpack.js"
NODE = shutil.which("node")
IN_NODE = """
import {readFileSync, writeFileSync} from 'node:fs';
const script = readFileSync(process.argv[1]).toString('base64');
const {unpacked, inflated, bytesOf} = await import('data:text/javascript;base64,' + script);
const {glb} = unpacked(await inflated(bytesOf(readFileSync(process.argv[2], 'utf8'))));
writeFileSync(process.argv[3], Buffer.from(glb));
"""


LENGTHS_IN_NODE = """
import {readFileSync} from 'node:fs';
const script = readFileSync(process.argv[1]).toString('base64');
const {lengthsOf} = await import('data:text/javascript;base64,' + script);
const [kinds, values] = JSON.parse(process.argv[2]);
console.log(JSON.stringify(kinds.map((kind) => values.map((value) => lengthsOf(...kind)(value)))));
"""


def far_and_flat_scene() -> Scene:
    scene = Scene()
    rng = np.random.default_rng(3)
    for number, (scale, place) in enumerate([(1.0, 0.0), (1e-6, 0.0), (1e5, 0.0), (1.0, 1e7), (1.0, -5e6)]):
        vertices = rng.normal(size=(60, 3)) * scale + place
        vertices[:, number % 3] = place  # one side has no length
        scene.add_mesh(f"{number}", vertices, rng.integers(0, 60, (40, 3)), color=(0.2, 0.1 * number, 0.9))
    scene.add_node("point", mesh=scene.meshes.add(PRIMITIVES["sphere"]()))
    scene.update_world()
    return scene


@pytest.mark.parametrize("make", [far_and_flat_scene, lambda: load(ROOT / "assets" / "harbour.obj")])
def test_numbers_come_out_within_their_steps(make):
    scene = make()
    file = io.BytesIO()
    write_glb(scene, file)
    glb = file.getvalue()
    length = struct.unpack_from("<I", glb, 12)[0]
    document = json.loads(glb[20 : 20 + length])
    page, _ = page_of(scene, "page")
    for view, found, described in zip(document["bufferViews"], numbers_of(page), head_of(page)["views"], strict=True):
        data = glb[28 + length + view["byteOffset"] :][: view["byteLength"]]
        if "exponents" not in described:
            dtype = {2: "<u2", 4: "<u4"}[described["bytes"]]
            np.testing.assert_array_equal(np.frombuffer(data, dtype).reshape(found.shape), found)
            continue
        given = np.frombuffer(data, "<f4").reshape(found.shape).astype(float)
        counts, exponents = np.array(described["exponents"]).T
        assert (np.abs(given - found) <= 0.5 * 2.0 ** np.repeat(exponents, counts)[:, None]).all()
        if described["columns"] == 3 and len(counts) > 1:  # positions
            firsts = np.cumsum(counts) - counts
            lower, upper = np.minimum.reduceat(given, firsts), np.maximum.reduceat(given, firsts)
            sizes, far = (upper - lower).max(axis=1), np.abs([lower, upper]).max(axis=(0, 2))
            off = np.maximum.reduceat(np.abs(given - found).max(axis=1), firsts)
            assert (off <= np.maximum(1e-6 * sizes, 2.0**-28 * far)).all()


@pytest.mark.skipif(NODE is None, reason="there is no Node")
@pytest.mark.parametrize("make", [far_and_flat_scene, lambda: load(ROOT / "assets" / "harbour.obj")])
def test_the_pages_own_module_makes_a_glb_of_it(tmp_path, make):
    scene = make()
    scene.add_mesh("textured", [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
    page, _ = page_of(scene, "page")
    (tmp_path / "data").write_text(page.partition('type="application/octet-stream">')[2].partition("<")[0])
    (tmp_path / "unpack.js").write_bytes(UNPACK.read_bytes())
    command = [str(NODE), "--input-type=module", "-e", IN_NODE, str(tmp_path / "unpack.js")]
    subprocess.run([*command, str(tmp_path / "data"), str(tmp_path / "out.glb")], check=True, timeout=60)
    again = load(tmp_path / "out.glb")
    write_glb(scene, tmp_path / "plain.glb")
    plain = load(tmp_path / "plain.glb")
    assert list(map(str, again.names))[1:] == list(map(str, plain.names))[1:] and not again.report.warnings
    again.update_world()
    plain.update_world()
    sizes = plain.world_spheres[:, 3:]
    far = np.abs(plain.world_spheres[:, :3]).max(axis=1, keepdims=True)
    assert (np.abs(again.world_spheres - plain.world_spheres) <= 4e-6 * sizes + 2.0**-23 * far).all()
    np.testing.assert_array_equal(again.meshes.triangles["corners"], plain.meshes.triangles["corners"])


def test_a_scene_packs_into_few_bytes_beyond_the_scripts():
    page, _ = page_of(load(ROOT / "assets" / "harbour.obj"), "harbour")
    script = (ROOT / "scene" / "formats" / "page" / "page.js").stat().st_size
    assert len(page.encode()) - script < 400_000 and script < 700_000
    assert len(data_of(page)) > 1_000_000


def test_textures_are_webp_where_that_is_smaller():
    scene = Scene()
    rng = np.random.default_rng(0)
    smooth = np.kron(rng.integers(0, 256, (6, 6, 3), dtype=np.uint8), np.ones((40, 40, 1), np.uint8))
    noise = (smooth + rng.integers(0, 5, smooth.shape, dtype=np.uint8)).astype(np.uint8)
    from octoscope.scene import Texture

    pixels = np.dstack([noise, np.full(noise.shape[:2], 255, np.uint8)])
    look = scene.add_material(Material("painted", base_color_texture=Texture("noise.png", pixels)))
    mesh = scene.meshes.add(PRIMITIVES["plane"]())
    scene.add_node("plane", mesh=mesh, material=look)
    page, _ = page_of(scene, "page")
    assert [image["mimeType"] for image in head_of(page)["gltf"]["images"]] == ["image/webp"]
    assert bytes(numbers_of(page)[-1][8:12]) == b"WEBP"


@pytest.mark.skipif(NODE is None, reason="there is no Node")
def test_lengths_read_as_in_the_window():
    rng = np.random.default_rng(5)
    values = [0.0, 1.0, -2.25, *(rng.normal(size=200) * 10.0 ** rng.integers(-8, 8, 200)).tolist()]
    kinds = [(0.0, "", None), (35.0, "m", None), (35.0, "mm", None), (0.004, "", None), (2e6, "", None), (35.0, "m", 0)]
    command = [str(NODE), "--input-type=module", "-e", LENGTHS_IN_NODE, str(UNPACK.with_name("figures.js"))]
    run = subprocess.run(
        [*command, json.dumps([kinds, values])], check=True, timeout=60, capture_output=True, text=True
    )
    for kind, texts in zip(kinds, json.loads(run.stdout), strict=True):
        assert texts == [Lengths(*kind).number(value) for value in values]
