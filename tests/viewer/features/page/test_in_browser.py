"""The page in a real Chromium: what it shows beside our own picture, and what clicks and keys do."""

from __future__ import annotations

import html
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("websockets", reason="octoscope[web] is not installed")

from octoscope.scene import Bookmark, Material, Scene, load
from octoscope.scene.annotations.labels import Label
from octoscope.scene.annotations.measurement import Anchor, Measurement
from octoscope.scene.formats.page.writer import write_page
from octoscope.scene.mesh.primitives import PRIMITIVES
from octoscope.viewer.camera.bookmark_pose import bookmark_of
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.features.page.look import page_look_of
from octoscope.viewer.frame.section import Section
from octoscope.viewer.frame.view_settings import ViewSettings
from octoscope.viewer.rendering.stills import render, render_buffers
from tests.viewer.chromium import PROGRAM, Page, running_chromium, wait_for
from tests.viewer.stated import with_properties

ROOT = Path(__file__).parents[4]

pytestmark = [
    pytest.mark.skipif(PROGRAM is None, reason="there is no Chromium: apt install chromium"),
    pytest.mark.slow,
]
RECTANGLE = (
    "(({left, top, width, height}) => [left, top, width, height])(octoscope.stage.canvas.getBoundingClientRect())"
)
COARSE_FIRST = """
ratios = [], octoscope.stage.drawn.add(() => ratios.push(octoscope.stage.renderer.getPixelRatio()));
octoscope.stage.share = 0.5, octoscope.stage.request(), 0
"""
FIRST_LINE = """
(([label], [line]) => [label.textContent, ...['x1', 'y1', 'x2', 'y2'].map((each) => Number(line.getAttribute(each)))])
(document.querySelectorAll('#measurements text'), document.querySelectorAll('#measurements line'))
"""


@pytest.fixture(scope="module")
def chromium():
    with running_chromium() as chromium:
        yield chromium


@pytest.fixture
def opened(chromium, tmp_path):
    """Return a function that writes a scene's page and opens it."""

    def open_page(scene: Scene, **options) -> Page:
        write_page(scene, tmp_path / "scene.html", **options)
        page = chromium.new_page("about:blank")
        page.call("Emulation.setDeviceMetricsOverride", width=1000, height=400, deviceScaleFactor=1, mobile=False)
        page.open((tmp_path / "scene.html").as_uri())
        wait_for(lambda: page.evaluate("document.documentElement?.dataset.state"), "the page to open")
        assert page.evaluate("document.documentElement.dataset.state") == "ready", page.console
        return page

    yield open_page
    chromium.close_pages()


def settled(page: Page) -> None:
    """Wait for the end of a camera's way, and for the picture with all pixels."""
    page.evaluate("new Promise((done) => setTimeout(() => requestAnimationFrame(done), 400))")
    wait_for(lambda: page.evaluate("!octoscope.stage.isRequested && !octoscope.stage.rest"), "a picture at rest")


def picture_of(page: Page) -> np.ndarray:
    """Return the picture between the panels."""
    settled(page)
    page.evaluate("document.getElementById('views').hidden = true")
    left, _, width, _ = page.evaluate(RECTANGLE)
    return page.picture()[:, round(left) : round(left + width)]


def test_it_looks_as_our_own_picture_does(opened):
    scene = load(ROOT / "assets" / "harbour.obj")
    camera = Camera.looking_at((60, 40, 80), (0, 5, 0))
    settings = ViewSettings()
    page = opened(scene, look=page_look_of(settings, camera))
    found = picture_of(page)
    expected = np.asarray(render(scene, (found.shape[1], found.shape[0]), camera=camera))[..., :3]
    off = np.abs(found.astype(float) - expected).max(axis=2)
    assert np.median(off) < 8 and (off > 30).mean() < 0.02, "shadows as ours, also on the ground"
    buffers = render_buffers(scene, (found.shape[1], found.shape[0]), camera=camera)
    rng = np.random.default_rng(0)
    inside = np.argwhere(buffers.ids >= 0)
    same = 0
    for y, x in inside[rng.choice(len(inside), 30, replace=False)].tolist():
        name = page.evaluate(f"octoscope.stage.pick({x + 0.5}, {y + 0.5})?.node.name")
        same += name == str(scene.names[buffers.ids[y, x]])
    assert same >= 28  # at a border a pixel is another object's


def test_points_are_as_large_as_in_our_own_picture(opened):
    scene = Scene()
    places = np.stack(np.meshgrid(np.arange(-4.0, 5.0), np.arange(-2.0, 3.0), [0.0]), axis=-1).reshape(-1, 3)
    scene.add_mesh("points", places, colors=np.full((len(places), 3), (1.0, 0.0, 0.0)))
    camera = Camera.looking_at((0, 0, 12), (0, 0, 0))
    found = picture_of(opened(scene, look=page_look_of(ViewSettings(), camera)))
    expected = np.asarray(render(scene, (found.shape[1], found.shape[0]), camera=camera))[..., :3]
    red, own = ((each.astype(int) @ (2, -1, -1) > 150).sum() for each in (found, expected))
    assert own > 8 * len(places) and 0.7 < red / own < 1.4


@pytest.mark.parametrize("orthographic", [False, True])
@pytest.mark.parametrize("kind", ["one point", "far vertices"])
def test_a_scene_without_a_size_or_far_from_the_origin_is_drawn_as_it_is(opened, kind, orthographic):
    scene = Scene()
    red = Material("red", base_color="red")
    if kind == "one point":
        scene.add_mesh("point", [(3.0, 3.0, 3.0)], material=red)
    else:
        corners = 1e7 + np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
        scene.add_mesh("far", corners, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)], material=red)
    middle = np.mean(scene.bounds(), axis=0)
    camera = Camera.looking_at(middle + np.array((2, 1, 3)), middle, orthographic=orthographic)
    picture = picture_of(opened(scene, look=page_look_of(ViewSettings(), camera))).astype(int)
    ours = np.asarray(render(scene, picture.shape[1::-1], camera=camera))[..., :3].astype(int)
    found, expected = (each @ (2, -1, -1) > 90 for each in (picture, ours))
    assert expected.sum() >= 8 and (found != expected).sum() <= 0.05 * expected.sum() + 8
    assert (np.abs(picture - ours).max(axis=2) > 60).mean() < 0.02, "shadows as ours"


def test_clicks_and_keys_select_frame_hide_and_search(opened):
    scene = Scene()
    cube = scene.meshes.add(PRIMITIVES["cube"]())
    group = scene.add_node("group")
    scene.add_node("one", mesh=cube, parent=group, translation=(-3, 0, 0))
    scene.add_node("two", mesh=cube, parent=group, translation=(3, 0, 0))
    scene.update_world()
    camera = Camera.looking_at((0, 2, 12), (0, 0, 0))
    page = opened(with_properties(scene), look=page_look_of(ViewSettings(), camera))
    settled(page)
    left, top, width, height = page.evaluate(RECTANGLE)
    clip = camera.clip_from_world(width / height) @ (3.0, 0.0, 0.0, 1.0)
    x, y = left + width * (0.5 + 0.5 * clip[0] / clip[3]), top + height * (0.5 - 0.5 * clip[1] / clip[3])
    page.click(x, y)
    text = page.evaluate("document.getElementById('inspector').textContent")
    page.evaluate(COARSE_FIRST)
    settled(page)
    assert page.evaluate("ratios") == [0.5, 1], "quickly with fewer pixels, then with all"
    assert "Objectdistricttwo <b>town</b>height3.25clicked at" in text
    assert "two" in text and "group" in text and "triangles12" in text and "size1.000 x 1.000 x 1.000" in text
    assert page.evaluate("document.querySelector('.row[aria-selected=true]').textContent") == "two"
    page.call("Input.dispatchKeyEvent", type="keyDown", key="f", code="KeyF", text="f")
    settled(page)
    np.testing.assert_allclose(page.evaluate("octoscope.stage.controls.target.toArray()"), (3, 0, 0), atol=0.3)
    page.call("Input.dispatchKeyEvent", type="keyDown", key="h", code="KeyH", text="h")
    assert page.evaluate("octoscope.model.seen.length") == 1
    page.call("Input.dispatchKeyEvent", type="keyDown", key="Escape", code="Escape")
    assert page.evaluate("octoscope.selected") is None
    page.evaluate("octoscope.tree.search.value = 'TW'; octoscope.tree.update()")
    assert page.evaluate("[...document.querySelectorAll('.row')].map((row) => row.textContent)") == ["group", "two"]
    page.call("Input.dispatchKeyEvent", type="keyDown", key="7", code="Digit7", text="7")
    settled(page)
    x, y, z = page.evaluate("octoscope.stage.camera.position.clone().sub(octoscope.stage.controls.target).toArray()")
    assert y > 1.0 and abs(x) + abs(z) < 1e-3 * y
    assert page.console == []


@pytest.mark.parametrize("up", ["y", "z"])
@pytest.mark.parametrize("place", [0.0, 1e6])
def test_bookmarks_sections_measurements_and_cells_are_where_they_are(opened, up, place):
    scene = Scene(up_axis=up)
    cube = scene.meshes.add(PRIMITIVES["cube"]())
    for number, name in enumerate(("near", "far")):
        scene.add_node(name, mesh=cube, translation=(place - 3 + 6 * number, 0.5, 1.0))
    scene.update_world()
    camera = Camera.looking_at((place + 4, -11, 7), (place, 0, 0), up_axis=up)
    scene.bookmarks = {"gate": bookmark_of(camera), "tower": Bookmark((place, 20.0, 20.0), distance=9.0)}
    scene.measurements = [Measurement("distance", (Anchor(0, (-1, 1, 1)), Anchor(1, (-1, 1, 1))))]
    scene.labels = [Label("**far**\n[plan](https://example.org/)", Anchor(1, (0, 1, 0)), bookmark_of(camera))]
    sides = np.vstack([np.eye(3), -np.eye(3)]) / 2.0
    scene.labels = [
        *scene.labels,
        *(Label(str(each), Anchor(1, tuple(side))) for each, side in enumerate(sides.tolist())),
    ]
    settings = ViewSettings(section=Section.of(f"x>{place - 3}"))
    page = opened(scene, look=page_look_of(settings))
    page.evaluate("octoscope.inspector.visit(0)")
    settled(page)
    np.testing.assert_allclose(page.evaluate("octoscope.stage.camera.position.toArray()"), camera.position, rtol=1e-9)
    found = picture_of(page)
    height, width = found.shape[:2]
    buffers = render_buffers(scene, (width, height), camera=camera, section=f"x>{place - 3}")
    rng = np.random.default_rng(0)
    for y, x in np.argwhere(np.ones((height, width)))[rng.choice(height * width, 60, replace=False)].tolist():
        around = buffers.ids[max(y - 2, 0) : y + 3, max(x - 2, 0) : x + 3]
        if np.ptp(around) == 0:
            name = page.evaluate(f"octoscope.stage.pick({x + 0.5}, {y + 0.5})?.node.name")
            # What the section cuts open is closed in our picture alone.
            assert name == (str(scene.names[around[0, 0]]) if around[0, 0] >= 0 else None) or around[0, 0] == 0
    labels = page.evaluate("[...document.querySelectorAll('#measurements text')].map((each) => each.textContent)")
    assert page.evaluate("document.querySelectorAll('#measurements rect').length") == len(labels) - 1, "a box each"
    assert labels == ["far", "plan", *"012345"]  # one end of the distance is cut away
    assert page.evaluate("document.querySelector('#measurements a').href.baseVal") == "https://example.org/"
    page.evaluate("octoscope.inspector.cutting.planes[0].sign = -1; octoscope.inspector.cutting.planes[0].isOn = false")
    page.evaluate("octoscope.inspector.cutting.apply()")
    settled(page)
    text, *ends = page.evaluate(FIRST_LINE)
    assert float(text) == pytest.approx(6.0)
    for point, pixel in (((place - 4, 1.5, 2.0), ends[:2]), ((place + 2, 1.5, 2.0), ends[2:])):
        clip = camera.clip_from_world(width / height) @ (*point, 1.0)
        expected = (0.5 + 0.5 * clip[0] / clip[3]) * width, (0.5 - 0.5 * clip[1] / clip[3]) * height
        np.testing.assert_allclose(pixel, expected, atol=1.0)
    middle = scene.world_from_local[1, :3, 3]
    away = [str(each) for each, side in enumerate(sides) if side @ (camera.position - middle - side) < 0.0]
    faint = "[...document.querySelectorAll('#measurements text.is-hidden')].map((each) => each.textContent)"
    wait_for(lambda: set(page.evaluate(faint)) - {"far", "plan"} == set(away), "labels on sides that face away")
    before = picture_of(page)
    page.evaluate("octoscope.inspector.showOctree(true)")
    assert (np.abs(picture_of(page).astype(int) - before).max(axis=2) > 40).mean() > 0.002
    assert page.console == []


def test_on_a_phone_panels_open_over_the_picture_one_at_a_time(opened):
    scene = Scene()
    scene.add_node("cube", mesh=scene.meshes.add(PRIMITIVES["cube"]()))
    page = opened(scene)
    page.call("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=1, mobile=False)
    settled(page)
    for name, other in (("outliner", "inspector"), ("inspector", "outliner")):
        left, top, width, height = page.evaluate(RECTANGLE)
        assert (left, top, width) == (0, 0, 390) and height > 700
        page.evaluate(f"document.querySelector('[data-sheet={name}]').click()")
        panel = RECTANGLE.replace("octoscope.stage.canvas", f"document.getElementById('{name}')")
        left, top, width, height = page.evaluate(panel)
        assert (left, width) == (0, 390) and 300 < height < 500
        assert page.evaluate(f"document.getElementById('{other}').clientHeight") == 0
    assert page.console == []


def test_a_page_is_shown_in_a_frame_as_cells_of_notebooks_have_them(chromium, tmp_path):
    scene = Scene()
    scene.add_node("cube", mesh=scene.meshes.add(PRIMITIVES["cube"]()))
    write_page(scene, tmp_path / "scene.html")
    inner = html.escape((tmp_path / "scene.html").read_text(encoding="utf-8"))
    (tmp_path / "cell.html").write_text(
        f'<iframe srcdoc="{inner}" width="100%" height="500"></iframe>', encoding="utf-8"
    )
    page = chromium.new_page("about:blank")
    page.open((tmp_path / "cell.html").as_uri())
    state = "document.querySelector('iframe')?.contentDocument?.documentElement?.dataset.state"
    assert wait_for(lambda: page.evaluate(state), "the page to open") == "ready" and page.console == []
    chromium.close_pages()
