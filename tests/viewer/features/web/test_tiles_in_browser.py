"""3DTilesRendererJS and CesiumJS in a real Chromium show a tileset as Octoscope shows the file that it was made of.

Heavy, and its packages are not among what the tests need: `make tiles-viewer`, then
`make test ARGS="-m slow tests/viewer/features/web/test_tiles_in_browser.py"`.
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

from octoscope.scene import Material, Scene, load, write_glb
from octoscope.scene.formats.tiles.placed_tilesets import PlacedTileset, beside_each_other, write_placed_tilesets
from octoscope.scene.mesh.data import MeshData
from octoscope.scene.mesh.primitives import PRIMITIVES
from octoscope.scene.tiling.tiling import write_tiles
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.camera.controls import look_at
from octoscope.viewer.rendering.stills import render_buffers
from tests.oracles import random_quaternion
from tests.scene.tiling.test_textures import ground
from tests.viewer.chromium import PROGRAM, Page, running_chromium, wait_for

ROOT = Path(__file__).parents[4]
PACKAGES = Path(os.environ.get("OCTOSCOPE_TILES_VIEWER", ROOT / ".node" / "tiles-viewer" / "node_modules"))
SIZE = (240, 160)
PLACES = [((60, 40, 80), (0, 5, 0)), ((-70, 15, 30), (0, 5, 0)), ((5, 90, -20), (0, 0, 0))]
NOTHING = (255, 0, 255)
PAGES = {"3d-tiles-renderer": "tiles_page.html", "cesium": "cesium_page.html"}  # by the package that each uses

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(PROGRAM is None, reason="there is no Chromium: apt install chromium"),
]


@pytest.fixture(scope="module")
def chromium():
    with running_chromium() as chromium:
        yield chromium


class Files(SimpleHTTPRequestHandler):
    """The page, the packages and the tileset, and nothing else: as any static server would serve them."""

    def __init__(self, *args: object, tileset: Path, page: str) -> None:
        self._page = page
        self._roots = {"packages": PACKAGES, "tileset": tileset}
        super().__init__(*args)

    def translate_path(self, path: str) -> str:
        first, _, rest = path.split("?")[0].lstrip("/").partition("/")
        return str(self._roots[first] / rest if first in self._roots else Path(__file__).with_name(self._page))

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture(params=PAGES)
def shown(chromium, request):
    """Return a function that opens a tileset's folder in each of the pages."""
    if not (PACKAGES / request.param).is_dir():
        pytest.skip(f"needs {request.param}: make tiles-viewer")
    servers = []

    def show(tileset: Path) -> Page:
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, tileset=tileset, page=PAGES[request.param]))
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


def test_placed_tilesets_stand_where_they_are(tmp_path, shown):
    made = Scene()
    mesh = made.meshes.add(PRIMITIVES["cube"]())
    look = made.add_material(Material("green", (0.2, 0.6, 0.3)))
    made.add_node("cube", mesh=mesh, material=look, scale=(10.0, 20.0, 10.0))
    write_glb(made, tmp_path / "scene.glb")
    (tmp_path / "all").mkdir()
    write_tiles([tmp_path / "scene.glb"], tmp_path / "all" / "tiles")
    placed = beside_each_other([tmp_path / "all" / "tiles" / "tileset.json"], (4, 3))
    # One stands turned and larger beside them, where a box that is not transformed would be out of the picture.
    outer_from_inner = np.array([(0, -2, 0, -25), (2, 0, 0, -25), (0, 0, 2, 0), (0, 0, 0, 1)], dtype=float)
    box = np.array([-25, -25, 0, 10, 0, 0, 0, 10, 0, 0, 0, 20], dtype=float)
    placed.append(PlacedTileset(placed[0].path, outer_from_inner, box, 100.0))
    write_placed_tilesets(tmp_path / "all" / "tileset.json", placed)
    for x, y in np.ndindex(4, 3):
        if x or y:
            made.add_node(f"{x} {y}", mesh=mesh, material=look, translation=(10 * x, 0, -10 * y), scale=(10, 20, 10))
    made.add_node("turned", mesh=mesh, material=look, translation=(-25, 0, 25), scale=(20, 40, 20))
    made.update_world()
    page = shown(tmp_path / "all")
    for position, target in [((60, 40, 80), (0, 0, 0)), ((-40, 20, 50), (-25, 0, 25)), ((20, 60, -60), (15, 0, -10))]:
        camera = camera_of(position, target)
        expected = render_buffers(made, SIZE, camera=camera).ids >= 0
        is_there = (seen_in_browser(page, camera, position, target, error=1e-3)[0] != NOTHING).any(axis=2)
        assert 0.05 < expected.mean() < 0.99 and (is_there != expected).mean() < 0.005


def test_a_coarse_level_looks_alike(tmp_path, shown):
    sample = ROOT / "assets" / "harbour.obj"
    write_tiles([sample], tmp_path / "tiles", leaf_elements=2000)
    page = shown(tmp_path / "tiles")
    position, target = PLACES[0]
    camera = camera_of(position, target)
    # So many pixels that the root's error is small enough, and that of showing nothing at all is not.
    tileset = json.loads((tmp_path / "tiles" / "tileset.json").read_text())
    box = np.array(tileset["root"]["boundingVolume"]["box"])
    x, y, z = position
    distance = np.linalg.norm(np.maximum(np.abs(np.array((x, -z, y)) - box[:3]) - box[[3, 7, 11]], 0.0))
    error = math.sqrt(tileset["geometricError"] * tileset["root"]["geometricError"])
    pixels = error * SIZE[1] / (2.0 * distance * math.tan(camera.fov_y_rad / 2.0))
    picture, contents = seen_in_browser(page, camera, position, target, error=pixels)
    assert contents == ["content/0_0_0_0.glb"]
    is_there = (picture != NOTHING).any(axis=2)
    assert (is_there != (render_buffers(load(sample), SIZE, camera=camera).ids >= 0)).mean() < 0.05


def test_textures_of_coarse_tiles_and_points_are_shown(tmp_path, shown):
    """A ground whose image is red, green and blue from west to east, and a yellow cloud of points above it."""
    pixels = np.full((1024, 1024, 4), 255, np.uint8)
    pixels[..., :3] = np.repeat(np.eye(3, dtype=np.uint8) * 255, (342, 341, 341), axis=0)
    made = ground(pixels, size=60.0)
    rows = np.arange(20_000)
    positions = np.random.default_rng(0).uniform((10, 10, 10), (50, 11, 20), (len(rows), 3))
    colors = np.full((len(rows), 4), (255, 255, 0, 255), np.uint8)
    none = np.empty((0, 3), np.int64)
    cloud = MeshData(positions, none, None, np.zeros(len(rows), np.int32), points=rows, colors=colors)
    made.add_node("cloud", mesh=made.meshes.add(cloud), material=made.add_material(Material("cloud", (1.0, 1.0, 1.0))))
    write_glb(made, tmp_path / "scene.glb")
    write_tiles([tmp_path / "scene.glb"], tmp_path / "tiles", leaf_elements=1000)
    page = shown(tmp_path / "tiles")
    place = (30, 90, 31), (30, 0, 30)
    picture, contents = seen_in_browser(page, camera_of(*place), *place, error=30.0)
    assert b"EXT_texture_webp" in b"".join((tmp_path / "tiles" / name).read_bytes() for name in contents)
    # A point is a pixel, and there are as few of them as the error allows.
    for color, least in (((255, 0, 0), 500), ((0, 255, 0), 500), ((0, 0, 255), 500), ((255, 255, 0), 8)):
        off = np.abs(picture.astype(int) - color).max(axis=2)
        assert (off < 12).sum() > least, color
    reds, blues = (np.argwhere(np.abs(picture.astype(int) - color).max(axis=2) < 12) for color in np.eye(3)[::2] * 255)
    assert reds[:, 1].mean() < SIZE[0] / 2.0 < blues[:, 1].mean()
