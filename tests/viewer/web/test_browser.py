"""A real Chromium shows the scene, and what is done in it is done to the scene."""

from functools import partial

import numpy as np
import pytest

pytest.importorskip("viser", reason="octoscope[web] is not installed")

from scene import Material, Scene
from scene.mesh.primitives import PRIMITIVES
from tests.viewer.web.chromium import PROGRAM, Chromium, running_chromium
from tests.viewer.web.serving import Served

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="there is no Chromium: apt install chromium")

COLORS = {"red": (1.0, 0.0, 0.0), "green": (0.0, 0.8, 0.0), "blue": (0.0, 0.1, 1.0)}
PLACES = {"red": (-3.0, 0.0, 0.0), "green": (0.0, 0.0, 0.0), "blue": (3.0, 0.0, 0.0)}


@pytest.fixture(scope="module")
def chromium():
    with running_chromium() as chromium:
        yield chromium


@pytest.fixture
def serve(chromium):
    """Return a function that serves a scene; all ends with the test."""
    served = []

    def begin(scene: Scene, **options: object) -> Served:
        served.append(Served(scene, **options))
        return served[-1]

    yield begin
    chromium.close_pages()
    for each in served:
        each.close()


def three_cubes() -> Scene:
    scene = Scene()
    cube = scene.meshes.add(PRIMITIVES["cube"]())
    for name, color in COLORS.items():
        material = scene.add_material(Material(name, base_color=color))
        scene.add_node(name, mesh=cube, material=material, translation=PLACES[name])
    return scene


def pixel_of(served: Served, point) -> tuple[float, float]:
    """Return the pixel of the page where its first camera sees a world point."""
    (client, *_) = served.session.server.viser.get_clients().values()
    camera = client.camera
    w, x, y, z = camera.wxyz
    right = np.array((1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)))
    down = np.array((2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)))
    offset = served.session.mirror.frame.points(np.asarray(point, dtype=np.float64)) - camera.position
    depth = offset @ np.cross(right, down)
    half = np.tan(camera.fov / 2.0) * depth / (camera.image_height / 2.0)
    middle = camera.image_width / 2.0, camera.image_height / 2.0  # the picture begins at the page's upper left
    return middle[0] + float(offset @ right / half), middle[1] + float(offset @ down / half)


def color_at(picture: np.ndarray, pixel: tuple[float, float]) -> str:
    """Return the name of the colour that is at a pixel, or ""."""
    red, green, blue = picture[round(pixel[1]), round(pixel[0])].astype(int)
    strongest = max((red, "red"), (green, "green"), (blue, "blue"))
    rest = sorted((red, green, blue))[1]
    return strongest[1] if strongest[0] > 60 and strongest[0] > 1.5 * rest else ""


def seen_at(served: Served, picture: np.ndarray, places=PLACES) -> dict[str, str]:
    """Return the name of the colour that a picture has at each of some places."""
    return {name: color_at(picture, pixel_of(served, place)) for name, place in places.items()}


def test_the_model_is_where_it_should_be_in_its_colours(chromium: Chromium, serve):
    served = serve(three_cubes())
    page = chromium.new_page(served.address)
    served.until_connected()
    picture = served.until_picture(page, partial(seen_at, served), {name: name for name in COLORS})
    assert color_at(picture, (5, 5)) == ""
    assert not [line for line in page.console if "Content Security Policy" in line or "exceptionThrown" in line]
