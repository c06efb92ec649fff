"""A real Chromium shows the scene, and what is done in it is done to the scene."""

from functools import partial

import numpy as np
import pytest

pytest.importorskip("viser", reason="octoscope[web] is not installed")

from octoscope.scene import Material, Scene, change_nodes
from octoscope.scene.mesh.primitives import PRIMITIVES
from octoscope.viewer.frame.look.backdrop import DARK_BACKDROP
from tests.viewer.chromium import PROGRAM, Chromium, Page, running_chromium, wait_for
from tests.viewer.features.web.serving import Served
from tests.viewer.stated import with_properties

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="there is no Chromium: apt install chromium")

SHIFT, CONTROL = 8, 2  # of mouse events
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


@pytest.fixture(scope="module")
def shared(chromium: Chromium):
    """Return three cubes that are served, and a page that shows them, for tests that leave the camera where it is."""
    served = Served(with_properties(three_cubes()))
    page = chromium.new_page(served.address)
    chromium.pages.remove(page)  # it stays when the other pages are closed
    served.until_connected()
    served.until_picture(page, partial(seen_at, served), {name: name for name in COLORS})
    yield served, page
    page.close()
    served.close()


@pytest.fixture
def cubes_page(shared):
    """Return the shared session and page, with nothing selected, measured or moved."""
    served, page = shared
    while served.session.editor.history.undo_label is not None:
        served.session.editor.undo()
    served.session.editor.select([])
    served.until_picture(page, partial(seen_at, served), {name: name for name in COLORS})
    return served, page


def test_the_model_is_where_it_should_be_in_its_colours(cubes_page):
    served, page = cubes_page
    picture = served.until_picture(page, partial(seen_at, served), {name: name for name in COLORS})
    assert np.median(picture[2, :300], axis=0) == pytest.approx(255.0 * np.array(DARK_BACKDROP.top), abs=6.0)
    assert not [line for line in page.console if "Content Security Policy" in line or "exceptionThrown" in line]


def names(served: Served) -> list[str]:
    return [str(served.scene.names[node]) for node in served.session.editor.selected_ids]


def test_a_click_selects_what_a_ray_hits_in_the_scene(cubes_page):
    served, page = cubes_page
    page.click(*pixel_of(served, PLACES["blue"]))
    served.until(lambda: names(served) == ["blue"], "the blue cube to be selected")
    said = "Objectdistrictblue <b>town</b>height3.25At the clicksideright"
    served.until(lambda: said in page.evaluate("document.body.textContent"), "its properties to be shown")
    page.click(*pixel_of(served, PLACES["red"]), modifiers=SHIFT)
    served.until(lambda: names(served) == ["blue", "red"], "the red cube to be added")
    page.click(*pixel_of(served, (3.4, 0.5, -0.4)), modifiers=CONTROL)  # its corner: handles lie over the middle
    served.until(lambda: names(served) == ["red"], "the blue cube to be removed")
    page.click(5, 5)
    served.until(lambda: names(served) == [], "nothing to be selected")


def test_a_tap_selects_though_the_finger_moves_a_little_and_a_longer_way_orbits(chromium, serve):
    served = serve(three_cubes())
    page = chromium.new_page(served.address)
    served.until_connected()
    served.until_picture(page, partial(seen_at, served), {name: name for name in COLORS})
    (client, *_) = served.session.server.viser.get_clients().values()
    before = client.camera.position.copy()
    page.call("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)
    x, y = pixel_of(served, PLACES["blue"])
    page.touch("touchStart", (x, y))
    page.touch("touchMove", (x + 6, y + 4))
    page.touch("touchEnd")
    served.until(lambda: names(served) == ["blue"], "the blue cube to be selected")
    assert (client.camera.position == before).all()
    for kind, far in (("touchStart", 0), ("touchMove", 20), ("touchMove", 60)):
        page.touch(kind, (20 + far, 40))
    page.touch("touchEnd")
    served.until(lambda: np.abs(client.camera.position - before).max() > 0.1, "the camera to orbit")
    assert names(served) == ["blue"]
    page.call("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=1, mobile=True)
    page.open(served.address)  # on a narrow page, all is framed

    def framed() -> bool:
        clients = list(served.session.server.viser.get_clients().values())
        inside = clients and all(0 < pixel_of(served, (x, 0.0, 0.0))[0] < 390 for x in (-3.5, 3.5))
        return inside and client not in clients and clients[0].camera.image_width == 390

    served.until(framed, "all cubes to be in a narrow page")


def test_a_box_drawn_with_shift_selects_all_that_touches_it_and_with_control_takes_them_out(cubes_page):
    served, page = cubes_page
    left, middle = (np.array(pixel_of(served, PLACES[name])) for name in ("red", "green"))
    page.drag(tuple(left - (12, 25)), tuple(middle + np.array((2, 5))), modifiers=SHIFT)
    served.until(lambda: sorted(names(served)) == ["green", "red"], "the red and the green cube to be selected")
    page.drag(tuple(left - (30, 30)), tuple(left + np.array((2, 5))), modifiers=CONTROL)
    served.until(lambda: names(served) == ["green"], "the red cube to be removed")


def test_an_edit_is_seen_in_two_browsers_and_undo_in_one_is_seen_in_both(chromium: Chromium, serve):
    scene = three_cubes()
    served = serve(scene)
    pages = [chromium.new_page(served.address) for _ in range(2)]
    served.until_connected(2)
    for page in pages:
        served.until_picture(page, partial(seen_at, served), {name: name for name in COLORS})
    editor = served.session.editor
    editor.do(change_nodes(scene, [scene["green"].id], label="Move", translation=(0.0, 2.5, 0.0)))
    places = {"red": PLACES["red"], "": PLACES["green"], "green": (0.0, 2.5, 0.0)}
    for page in pages:
        served.until_picture(page, partial(seen_at, served, places=places), {name: name for name in places})
    press(pages[1], "Undo Move")
    served.until(lambda: editor.history.undo_label is None, "the edit to be undone")
    for page in pages:
        served.until_picture(page, partial(seen_at, served), {name: name for name in COLORS})


def press(page: Page, label: str) -> None:
    """Click the button with a label."""
    button = f"[...document.querySelectorAll('button')].find(each => each.innerText.trim() === {label!r})"
    click = f"(button => button !== undefined && (button.click(), true))({button})"  # it may be gone a moment later
    wait_for(lambda: page.evaluate(click), f"a button {label}")


def test_the_list_of_objects_selects_and_follows_the_selection(cubes_page):
    served, page = cubes_page
    press(page, "green")
    served.until(lambda: names(served) == ["green"], "the green cube to be selected")
    served.session.editor.select([served.scene["red"].id])
    served.until(lambda: served.session._panel._rows[0].color == "orange", "the row to be marked")


def press_key(page: Page, key: str) -> None:
    for kind in ("keyDown", "keyUp"):
        page.call(
            "Input.dispatchKeyEvent", type=kind, key=key, code=f"{'Digit' if key.isdigit() else 'Key'}{key.upper()}"
        )


def test_commands_of_the_window_are_run_by_keys_and_forms_and_move_the_camera_of_the_browser(cubes_page):
    served, page = cubes_page
    scene, session = served.scene, served.session
    session.editor.select([scene["green"].id])
    served.until(lambda: session._panel._rows[1].color == "orange", "the row to be marked")
    press_key(page, "h")
    served.until_picture(page, lambda picture: color_at(picture, pixel_of(served, PLACES["green"])), "")
    press(page, "Undo Hide green")
    served.until(lambda: not scene.hidden.any(), "the cube to be shown again")
    (client,) = session.server.viser.get_clients().values()
    session.call(partial(session._panel.commands.run, "object.array"), client)
    served.until(lambda: page.evaluate("document.body.innerText").count("2 more objects"), "the form")
    press(page, "Make")
    served.until(lambda: len(scene) == 5, "two copies")
    served.until(lambda: page.evaluate("document.activeElement === document.body"), "the form to leave the keyboard")
    before = client.camera.position, client.camera.look_at
    press_key(page, "7")
    served.until(lambda: abs(session._cameras()[0].position[0] - client.camera.look_at[0]) < 0.1, "the view from above")
    with client.atomic():
        client.camera.position, client.camera.look_at = before
    while session.editor.history.undo_label is not None:
        session.editor.undo()
    session.editor.select([])
    served.until_picture(page, partial(seen_at, served), {name: name for name in COLORS})


def test_a_drag_of_the_handles_is_one_edit_of_the_history(cubes_page):
    served, page = cubes_page
    scene = served.scene
    served.session.editor.select([scene["green"].id])
    served.until(lambda: served.session._gizmo._handle is not None, "the handles")
    reach = served.session._gizmo._handle.scale / served.session.mirror.frame.scale
    history = served.session.editor.history
    begin, end = (pixel_of(served, (0.0, 0.8 * reach + up, 0.0)) for up in (0.0, 1.0))
    served.until_picture(page, lambda picture: bool(picture[round(begin[1]), round(begin[0])].max() > 100), True)
    page.drag(begin, end)
    is_over = lambda: (history.undo_label or "").startswith("Move") and history.transaction is None  # noqa: E731
    served.until(is_over, "the drag to end")
    x, y, z = scene["green"].translation
    assert (x, z) == pytest.approx((0.0, 0.0), abs=1e-6) and 0.5 < y < 1.5
    assert [entry.edit.label for entry in history.entries][-2:] == ["Select green", "Move green"]
    served.session.editor.undo()
    assert scene["green"].translation == pytest.approx((0.0, 0.0, 0.0))


def test_a_page_finds_its_server_again_and_shows_what_is_there_then(chromium: Chromium, serve):
    scene = three_cubes()
    first = serve(scene)
    page = chromium.new_page(first.address)
    first.until_connected()
    first.until_picture(page, partial(seen_at, first), {name: name for name in COLORS})
    port = first.session.server.port
    first.close()
    scene.set_translations([scene["green"].id], [[0.0, 2.5, 0.0]])
    second = serve(scene, port=port)
    second.until_connected()
    places = {"red": PLACES["red"], "": PLACES["green"], "green": (0.0, 2.5, 0.0)}
    second.until_picture(page, partial(seen_at, second, places=places), {name: name for name in places})


def mean_color(picture: np.ndarray, middle: tuple[float, float]) -> np.ndarray:
    """Return the mean colour of the pixels near a place of a picture, (3,)."""
    x, y = map(round, middle)
    return picture[y - 10 : y + 11, x - 10 : x + 11].reshape(-1, 3).astype(float).mean(axis=0)


@pytest.mark.slow  # each takes ten seconds; test_page_light.py has what they measured
@pytest.mark.parametrize("shape", ["cube", "sphere"])
@pytest.mark.parametrize("height", [0.15, 1.0, 4.0], ids=["from the side", "oblique", "from above"])
def test_points_have_the_light_of_the_meshes_that_they_stand_for(chromium, serve, monkeypatch, shape, height):
    monkeypatch.setattr("octoscope.viewer.features.web.mirror._MOST_WHOLE", 0)
    scene = Scene()
    mesh = scene.meshes.add(PRIMITIVES[shape]())
    material = scene.add_material(Material("ochre", base_color=(0.8, 0.6, 0.3)))
    places = np.stack(np.meshgrid(np.arange(12.0), np.arange(12.0), np.arange(12.0)), axis=-1).reshape(-1, 3)
    scene.add_nodes(["object"] * len(places), mesh=mesh, material=material, translation=1.02 * places)
    served = serve(scene)
    page = chromium.new_page(served.address)
    served.until_connected()
    (client,) = served.session.server.viser.get_clients().values()
    middle = served.session.mirror.frame.points(np.full(3, 5.61))
    ahead = np.array((1.0, 2.0 * height, 2.0)) / np.linalg.norm((1.0, 2.0 * height, 2.0))
    place = middle + 180.0 * served.session.mirror.frame.scale * ahead
    found = [np.full(3, 20.0)]  # as the page is empty

    def color_with(budget: float, coarseness: float) -> np.ndarray:
        monkeypatch.setattr(served.session, "_budget", lambda frustum: budget)
        served.until(lambda: served.session.mirror.coarseness == coarseness, "how coarse it is")
        served.until(lambda: not served.session.step() and not served.session.mirror._leaving, "all to go over")
        pieces = served.session.mirror._sent.values()
        assert {(bool(piece.points), bool(piece.meshes)) for piece in pieces} == {(coarseness > 1.0, coarseness == 1.0)}
        before = found[-1]

        def has_come() -> bool:
            client.camera.position, client.camera.look_at = place, middle  # it draws again, whatever it has missed
            at = pixel_of(served, np.full(3, 5.61))  # which moves once the page has made room for its panel
            found.append(mean_color(page.picture(), at))
            return np.abs(found[-1] - before).max() > 0.1 and np.abs(found[-1] - found[-2]).max() < 0.1

        served.until(has_come, "the picture")
        return found[-1]

    meshes, points = color_with(np.inf, 1.0), color_with(0.0, 4.0)
    assert meshes.max() > 100.0
    np.testing.assert_allclose(points / meshes, 1.0, atol=0.2, err_msg=f"{points} in place of {meshes}")
    gray = 0.2126, 0.7152, 0.0722
    assert points @ gray == pytest.approx(meshes @ gray, rel=0.12)
