"""3DTilesRendererJS in a real Chromium shows a tileset as Octoscope shows the file that it was made of.

Heavy, and its packages are not among what the tests need: `make tiles-viewer`, then
`make test ARGS="-m slow tests/viewer/web/test_tiles_in_browser.py"`.
"""

from __future__ import annotations

import base64
import io
import json
import math
import os
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

pytest.importorskip("websockets", reason="octoscope[web] is not installed")

from scene import Material, Scene, load, write_glb
from scene.mesh.primitives import PRIMITIVES
from scene.tiling.tiling import write_tiles
from tests.oracles import random_quaternion
from tests.viewer.web.chromium import PROGRAM, Page, running_chromium, wait_for
from viewer.camera.camera import Camera
from viewer.camera.controls import look_at
from viewer.rendering.stills import render_buffers

ROOT = Path(__file__).parents[3]
PACKAGES = Path(os.environ.get("OCTOSCOPE_TILES_VIEWER", ROOT / ".node" / "tiles-viewer" / "node_modules"))
SIZE = (240, 160)
PLACES = [((60, 40, 80), (0, 5, 0)), ((-70, 15, 30), (0, 5, 0)), ((5, 90, -20), (0, 0, 0))]
NOTHING = (255, 0, 255)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(PROGRAM is None, reason="there is no Chromium: apt install chromium"),
    pytest.mark.skipif(
        not (PACKAGES / "3d-tiles-renderer").is_dir(), reason="needs 3DTilesRendererJS: make tiles-viewer"
    ),
]


@pytest.fixture(scope="module")
def chromium():
    with running_chromium() as chromium:
        yield chromium


class Files(SimpleHTTPRequestHandler):
    """The page, the packages and the tileset, and nothing else: as any static server would serve them."""

    def __init__(self, *args: object, tileset: Path) -> None:
        self._roots = {"packages": PACKAGES, "tileset": tileset}
        super().__init__(*args)

    def translate_path(self, path: str) -> str:
        first, _, rest = path.split("?")[0].lstrip("/").partition("/")
        return str(self._roots[first] / rest if first in self._roots else Path(__file__).with_name("tiles_page.html"))

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def shown(chromium):
    """Return a function that opens a tileset's folder in the page."""
    servers = []

    def show(tileset: Path) -> Page:
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, tileset=tileset))
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = chromium.new_page(f"http://127.0.0.1:{server.server_port}/page.html")
        wait_for(lambda: page.evaluate("window.isReady === true"), "the page to load")
        return page

    yield show
    chromium.close_pages()
    for server in servers:
        server.shutdown()
        server.server_close()


def camera_of(position, target) -> Camera:
    return look_at(Camera(np.zeros(3), near=1.0, far=1000.0), np.array(position, float), np.array(target, float))


def seen_in_browser(page: Page, camera: Camera, position, target, *, error: float) -> tuple[np.ndarray, list[str]]:
    """Return the browser's picture, (h, w, 3) uint8, and the contents that it shows."""
    numbers = [*SIZE, math.degrees(camera.fov_y_rad), list(position), list(target), camera.near, camera.far, error]
    page.evaluate(f"look({', '.join(map(json.dumps, numbers))})")
    result = page.evaluate("settled()")
    with Image.open(io.BytesIO(base64.b64decode(result["picture"].partition(",")[2]))) as image:
        return np.array(image.convert("RGB")), result["contents"]


def expected_colors(scene: Scene, ids: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the colour of each pixel, and where it is known: objects of one opaque material without a texture."""
    colors, known = np.zeros((*ids.shape, 3)), np.zeros(ids.shape, bool)
    for node in np.unique(ids[ids >= 0]).tolist():
        (*materials,) = set(scene.meshes.mesh(int(scene.mesh_ids[node])).material_ids.tolist())
        if len(materials) == 1:
            material = scene.materials[materials[0]]
            if material.opacity == 1.0 and not material.textures:
                colors[ids == node] = np.array(material.base_color) * 255.0
                known |= ids == node
    return colors, known


@pytest.mark.parametrize("compresses", [False, True])
def test_it_shows_what_octoscope_shows_from_three_places(tmp_path, shown, compresses):
    sample = ROOT / "assets" / "harbour.obj"
    write_tiles([sample], tmp_path / "tiles", leaf_elements=2000, compresses=compresses)
    page = shown(tmp_path / "tiles")
    scene = load(sample)
    for position, target in PLACES:
        camera = camera_of(position, target)
        buffers = render_buffers(scene, SIZE, camera=camera)
        picture, contents = seen_in_browser(page, camera, position, target, error=1e-6)
        assert len(contents) > 3
        is_there = (picture != NOTHING).any(axis=2)
        assert 0.1 < (buffers.ids >= 0).mean() < 0.99
        assert (is_there != (buffers.ids >= 0)).mean() < 0.002
        colors, known = expected_colors(scene, buffers.ids)
        both = known & is_there
        off = np.abs(picture.astype(float) - colors).max(axis=2)
        assert both.mean() > 0.1 and (off[both] > 6.0).mean() < 0.02
        names = {str(name) for name in scene.names}
        pixels = np.argwhere(both & (off <= 6.0))
        same = 0
        for y, x in pixels[:: len(pixels) // 12].tolist():
            name = page.evaluate(f"nameAt({x}, {y})")
            assert name in names
            same += name == str(scene.names[buffers.ids[y, x]])
        assert same >= 10  # at a border a pixel is another object's


def test_copies_of_a_mesh_stand_where_they_are(tmp_path, shown):
    made = Scene()
    rng = np.random.default_rng(0)
    mesh = made.meshes.add(PRIMITIVES["cone"]())
    look = made.add_material(Material("green", (0.2, 0.6, 0.3)))
    for number in range(60):
        turn = random_quaternion(rng)
        place, scale = rng.uniform(-30, 30, 3), rng.uniform(2, 6, 3)
        made.add_node(f"{number}", mesh=mesh, material=look, translation=place, rotation=turn, scale=scale)
    write_glb(made, tmp_path / "scene.glb")
    write_tiles([tmp_path / "scene.glb"], tmp_path / "tiles")
    assert b"EXT_mesh_gpu_instancing" in (tmp_path / "tiles" / "content" / "0_0_0_0.glb").read_bytes()
    page = shown(tmp_path / "tiles")
    camera = camera_of(*PLACES[0])
    buffers = render_buffers(load(tmp_path / "scene.glb"), SIZE, camera=camera)
    picture, _ = seen_in_browser(page, camera, *PLACES[0], error=1.0)
    is_there = (picture != NOTHING).any(axis=2)
    assert 0.05 < is_there.mean() < 0.9 and (is_there != (buffers.ids >= 0)).mean() < 0.005
    off = np.abs(picture.astype(float) - np.array((0.2, 0.6, 0.3)) * 255.0).max(axis=2)
    assert (off[is_there] > 6.0).mean() < 0.01


def test_a_coarse_level_looks_alike(tmp_path, shown):
    sample = ROOT / "assets" / "harbour.obj"
    write_tiles([sample], tmp_path / "tiles", leaf_elements=2000)
    page = shown(tmp_path / "tiles")
    position, target = PLACES[0]
    camera = camera_of(position, target)
    picture, contents = seen_in_browser(page, camera, position, target, error=1e6)
    assert contents == ["content/0_0_0_0.glb"]
    is_there = (picture != NOTHING).any(axis=2)
    assert (is_there != (render_buffers(load(sample), SIZE, camera=camera).ids >= 0)).mean() < 0.05
