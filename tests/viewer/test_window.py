"""The window as a person works with it: mouse, keys, and what is seen on the screen.

Four boxes lie at known places, so that the camera's own arithmetic says which pixel shows which box.
"""

from __future__ import annotations

import os
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.viewer import xvfb
from tests.viewer.xvfb import Point, Screen, Window, close_to, open_window, program, wait_for
from viewer import navigation
from viewer.camera import Camera

pytestmark = [
    pytest.mark.window,
    # In CI they must run: there a missing tool is a failure, not a reason to skip.
    pytest.mark.skipif(bool(xvfb.missing_tools()) and "CI" not in os.environ, reason="needs Xvfb and xdotool"),
]

SIZE = (1280, 720)
BOXES = {  # name: (middle, half of its edge length, colour)
    "red": ((-6.0, 1.0, 0.0), 1.0, (0.9, 0.1, 0.1)),
    "green": ((0.0, 1.0, 0.0), 1.0, (0.1, 0.8, 0.1)),
    "blue": ((6.0, 1.0, 0.0), 1.0, (0.1, 0.2, 0.9)),
    "behind": ((0.0, 1.0, -5.0), 0.7, (0.8, 0.1, 0.8)),  # the green one, seen from the front
}
ALL = np.array((-7.0, 0.0, -5.7)), np.array((7.0, 2.0, 1.0))
FIGURES = np.s_[:290, :270]  # where the panels are, and some room
STATUS = np.s_[-50:, :450]
PANEL_POINT = (120, 150)
OUTLINE, FRUSTUM = (255, 158, 31), (255, 217, 51)
SWITCHED_ON = (255, 184, 77)


def write_boxes(folder: Path) -> Path:
    obj, mtl = ["mtllib boxes.mtl"], []
    for k, (name, (middle, half, color)) in enumerate(BOXES.items()):
        mtl += [f"newmtl {name}", "Kd {} {} {}".format(*color)]
        obj += [f"o {name}", f"usemtl {name}"]
        obj += ["v {} {} {}".format(*corner) for corner in corners(middle, half)]
        quads = ((1, 3, 4, 2), (5, 6, 8, 7), (1, 2, 6, 5), (3, 7, 8, 4), (1, 5, 7, 3), (2, 4, 8, 6))
        obj += ["f {} {} {} {}".format(*(8 * k + i for i in quad)) for quad in quads]
    (folder / "boxes.mtl").write_text("\n".join(mtl))
    path = folder / "boxes.obj"
    path.write_text("\n".join(obj))
    return path


# Where things must be.


def corners(middle: tuple[float, float, float], half: float) -> np.ndarray:
    """(8, 3) corners of a cube, x fastest."""
    signs = np.array([(x, y, z) for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)])
    return np.array(middle) + half * signs


def first_camera(size: tuple[int, int] = SIZE) -> Camera:
    """The camera of a window that has just opened the boxes."""
    return navigation.frame_box(Camera(np.zeros(3)), *ALL, size[0] / size[1])


def project(camera: Camera, points: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """(n, 2): where world points (n, 3) lie in the picture, y down; pixels are between whole numbers."""
    points = np.atleast_2d(points)
    x, y, _, w = camera.clip_from_world(size[0] / size[1]) @ np.column_stack((points, np.ones(len(points)))).T
    return np.column_stack(((1.0 + x / w) * size[0], (1.0 - y / w) * size[1])) / 2.0


def pixel_of(camera: Camera, point: np.ndarray, size: tuple[int, int] = SIZE) -> Point:
    x, y = project(camera, point, size)[0]
    return int(x), int(y)


def box_pixel(camera: Camera, name: str, size: tuple[int, int] = SIZE) -> Point:
    """The pixel of a box's middle."""
    return pixel_of(camera, BOXES[name][0], size)


def box_extent(camera: Camera, name: str, size: tuple[int, int] = SIZE) -> np.ndarray:
    """(4,): left, top, right, bottom of a box in the picture."""
    outline = project(camera, corners(*BOXES[name][:2]), size)
    return np.concatenate((outline.min(axis=0), outline.max(axis=0)))


def silhouette(camera: Camera, name: str, axis: int, place: float, size: tuple[int, int] = SIZE) -> tuple[float, float]:
    """From where to where a box reaches along an axis of the picture (0: x), on the line at `place` on the other."""
    outline = project(camera, corners(*BOXES[name][:2]), size)
    first, second = (outline[i] for i in np.triu_indices(8, 1))  # the silhouette's edges are among all the pairs
    crosses = (first[:, 1 - axis] - place) * (second[:, 1 - axis] - place) < 0.0
    first, second = first[crosses], second[crosses]
    part = (place - first[:, 1 - axis]) / (second[:, 1 - axis] - first[:, 1 - axis])
    met = first[:, axis] + part * (second[:, axis] - first[:, axis])
    return met.min(), met.max()


def pixels_about_edges(camera: Camera, name: str, size: tuple[int, int] = SIZE) -> list[tuple[Point, Point]]:
    """On all four sides of a box's middle: a pixel just inside its silhouette, and one just outside.

    The middles of both are at least a pixel from the edge, and less than two.
    """
    middle = box_pixel(camera, name, size)
    found = []
    for axis in (0, 1):
        ends = silhouette(camera, name, axis, middle[1 - axis] + 0.5, size)
        for end, outward in zip(ends, (-1, 1), strict=True):
            pair = []
            for side in (-outward, outward):
                place = int(np.floor(end + side) if side < 0 else np.ceil(end + side))
                place -= int(side < 0) and int(place + 0.5 > end - 1.0)
                pair.append((place, middle[1]) if axis == 0 else (middle[0], place))
            found.append(tuple(pair))
    return found


# What is seen.


def seen(picture: np.ndarray, name: str) -> np.ndarray:
    """(h, w) bool: pixels that show a box, whatever the light; none where the panels are."""
    color = np.array(BOXES[name][2])
    strong = color > 0.5 * color.max()
    share = picture / np.maximum(picture.max(axis=-1, keepdims=True), 1)
    mask = np.where(strong, share > 0.6, share < 0.45).all(axis=-1)
    mask[FIGURES] = mask[STATUS] = False
    return mask


def seen_extent(picture: np.ndarray, name: str) -> np.ndarray:
    """(4,): left, top, right, bottom of the pixels that show a box."""
    y, x = np.nonzero(seen(picture, name))
    assert len(x), f"the {name} box is not in the picture"
    return np.array((x.min(), y.min(), x.max() + 1, y.max() + 1))


def assert_shows(picture: np.ndarray, camera: Camera, name: str, pixels: float = 2.0) -> None:
    """A box is where the camera says it is."""
    size = (picture.shape[1], picture.shape[0])
    difference = abs(seen_extent(picture, name) - box_extent(camera, name, size))
    assert (difference <= pixels).all(), f"the {name} box is off by {difference} pixels"


def scene_part(picture: np.ndarray) -> np.ndarray:
    """The picture with the panels blackened, whose figures change with every drawing."""
    picture = picture.copy()
    picture[FIGURES] = picture[STATUS] = 0
    return picture


def differing(first: np.ndarray, second: np.ndarray) -> float:
    """The fraction of a picture's pixels that differ visibly, panels aside."""
    difference = abs(scene_part(first).astype(np.int16) - scene_part(second))
    return float((difference.max(axis=-1) > 10).mean())


def empty_pixel(picture: np.ndarray) -> Point:
    """A pixel far from every box and panel."""
    taken = np.any([seen(picture, name) for name in BOXES], axis=0)
    taken[FIGURES] = taken[STATUS] = True
    for y in range(40, picture.shape[0] - 40, 20):
        for x in range(picture.shape[1] - 40, 40, -20):
            if not taken[y - 30 : y + 31, x - 30 : x + 31].any():
                return x, y
    raise AssertionError("the boxes fill the picture")


def named_in_title(window: Window) -> str:
    """What the title says is selected: it is the first of three parts then."""
    parts = window.title.split(" - ")
    return parts[0] if len(parts) == 3 else ""


def selected(window: Window) -> str:
    """What is selected, once all that was sent has been handled."""
    window.sync()
    return named_in_title(window)


def assert_click_changes_selection(window: Window, point: Point, name: str) -> None:
    """A click makes another selection than the present one: quicker to wait for than to be sure that none came."""
    assert named_in_title(window) != name
    window.click(point)
    what = f"a click on {point} to select {name or 'nothing'}"
    wait_for(lambda: named_in_title(window) == name, what, seconds=10.0)


# Windows.


@pytest.fixture(autouse=True)
def tools() -> None:
    assert not xvfb.missing_tools(), "the tests of the window need Xvfb and xdotool"


@pytest.fixture(scope="module")
def boxes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_boxes(tmp_path_factory.mktemp("boxes"))


class SharedWindow:
    """One window for all the tests that leave no trace in it; when one did leave some, the next gets a new window."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._opened = None
        self.window: Window | None = None
        self.first_picture: np.ndarray | None = None
        self._on_nothing: Point = (0, 0)

    def fresh(self) -> Window:
        if self.window is None or not self._reset():
            self.close()
            self._opened = open_window(self._file, folder=self._file.parent)
            self.window = self._opened.__enter__()
            self.first_picture = self.window.sync()
            self._on_nothing = empty_pixel(self.first_picture)
        return self.window

    def _reset(self) -> bool:
        """Bring the window back to how it began; False when that did not do it."""
        window = self.window
        if window.process.poll() is not None:
            return False
        if window.size != SIZE:
            window.resize(*SIZE)
        window.press("0", "Home")
        window.click(self._on_nothing)
        try:
            picture = window.sync()
        except AssertionError:  # such as where a test that failed has left the key sheet open
            return False
        return picture.shape == self.first_picture.shape and differing(picture, self.first_picture) == 0.0

    def close(self) -> None:
        if self._opened is not None:
            self._opened.__exit__(None, None, None)
        self._opened = self.window = None


@pytest.fixture(scope="module")
def shared(boxes: Path):
    shared = SharedWindow(boxes)
    yield shared
    shared.close()


@pytest.fixture
def window(shared: SharedWindow) -> Window:
    """A window on the boxes, as if just opened."""
    return shared.fresh()


@pytest.fixture
def first(window: Window, shared: SharedWindow) -> np.ndarray:
    """The picture that `window` begins with."""
    return shared.first_picture


# It opens.


def test_the_window_shows_every_box_where_the_camera_says(window, first):
    assert "boxes.obj" in window.title
    assert first.shape == (SIZE[1], SIZE[0], 3)
    for name in BOXES:
        assert_shows(first, first_camera(), name)


def test_without_files_the_sample_opens(tmp_path):
    with open_window(folder=tmp_path) as window:
        picture = window.sync()
        assert "harbour.obj" in window.title
        saturated = np.ptp(scene_part(picture), axis=-1) > 60
        assert saturated.mean() > 0.05
        window.press("ctrl+q")
        assert window.wait_for_exit() == 0


# The mouse.


def test_dragging_orbits_and_dragging_back_undoes_it(window, first):
    start = box_pixel(first_camera(), "green")
    end = (start[0] + 130, start[1] - 60)
    window.drag(start, end)
    turned = window.sync()
    assert differing(turned, first) > 0.05
    camera = navigation.orbit(first_camera(), 130, -60)
    for name in ("red", "green", "blue"):
        assert_shows(turned, camera, name)
    window.drag(end, start)
    assert differing(window.sync(), first) < 0.002


def test_a_drag_selects_nothing(window):
    x, y = box_pixel(first_camera(), "green")
    window.drag((x, y), (x + 20, y))
    window.drag((x, y), (x + 20, y), (x, y))  # and neither does one that ends where it began
    assert selected(window) == ""


def test_an_unsteady_click_still_selects(window, first):
    x, y = box_pixel(first_camera(), "green")
    window.drag((x, y), (x + 1, y + 1))
    assert selected(window) == "green"
    assert_shows(window.picture(), first_camera(), "green", pixels=4.0)


@pytest.mark.parametrize("name", BOXES)
def test_a_click_selects_what_it_hits_and_one_on_nothing_clears(window, first, name):
    window.click(box_pixel(first_camera(), name))
    assert selected(window) == name
    outlined = close_to(window.picture(), OUTLINE, 4)
    y, x = np.nonzero(outlined)
    assert len(x) > 200
    left, top, right, bottom = box_extent(first_camera(), name)
    assert abs(np.array((x.min() - left, y.min() - top, x.max() - right, y.max() - bottom))).max() < 6.0
    window.click(empty_pixel(first))
    assert selected(window) == ""
    assert differing(window.picture(), first) == 0.0


@pytest.mark.parametrize("name", ("green", "behind"))
def test_picking_is_exact_to_the_pixel(window, name):
    for inside, outside in pixels_about_edges(first_camera(), name):
        assert_click_changes_selection(window, inside, name)
        assert_click_changes_selection(window, outside, "")


def test_the_right_and_the_middle_button_select_nothing(window):
    x, y = box_pixel(first_camera(), "green")
    window.drag((x, y), button=2)
    window.drag((x, y), button=3)
    assert selected(window) == ""


def test_the_wheel_zooms_to_the_cursor(window, first):
    target = np.array((0.0, 2.0, 0.0))  # the middle of the green box's lid
    point = pixel_of(first_camera(), target)
    window.scroll(point, 3)
    picture = window.sync()
    assert_shows(picture, navigation.zoom(first_camera(), 3, target), "green", pixels=4.0)
    assert seen(picture, "green").sum() > 1.8 * seen(first, "green").sum()
    assert abs(project(navigation.zoom(first_camera(), 3, target), target, SIZE)[0] - point).max() <= 1.0
    window.scroll(point, -3)
    assert differing(window.sync(), first) < 0.002


@pytest.mark.parametrize(("button", "shift"), ((2, False), (3, False), (1, True)))
def test_panning_moves_the_scene_as_far_as_the_mouse(window, first, button, shift):
    x, y = empty_pixel(first)
    window.drag((x, y), (x - 90, y + 70), button=button, shift=shift)
    camera = navigation.pan(first_camera(), -90, 70, SIZE[1])
    pivot = first_camera().pivot
    assert project(camera, pivot, SIZE)[0] == pytest.approx(project(first_camera(), pivot, SIZE)[0] + (-90, 70))
    picture = window.sync()
    for name in ("green", "behind"):
        assert_shows(picture, camera, name)
    assert selected(window) == ""


# The keys.


def test_f_frames_the_selection_and_then_all(window, first):
    window.click(box_pixel(first_camera(), "green"))
    window.press("f")
    picture = window.sync()
    middle, half, _ = BOXES["green"]
    box = np.array(middle) - half, np.array(middle) + half
    assert_shows(picture, navigation.frame_box(first_camera(), *box, SIZE[0] / SIZE[1]), "green", pixels=5.0)
    window.click(empty_pixel(picture))
    window.press("f")
    assert differing(window.sync(), first) == 0.0


def centers(picture: np.ndarray) -> dict[str, np.ndarray]:
    """Where the boxes that can be seen are, on average."""
    masks = {name: seen(picture, name) for name in BOXES}
    return {name: np.argwhere(mask).mean(axis=0)[::-1] for name, mask in masks.items() if mask.sum() > 100}


@pytest.mark.parametrize("keys", (("1", "3", "7"), ("KP_1", "KP_3", "KP_7")), ids=("digits", "keypad"))
def test_digits_look_from_the_front_the_right_and_the_top(window, first, keys):
    window.press(keys[0])
    front = centers(window.sync())
    assert set(front) == {"red", "green", "blue"}, "the green box hides the one behind it"
    assert front["red"][0] < front["green"][0] < front["blue"][0]
    assert np.ptp([y for _, y in front.values()]) < 3.0

    window.press(keys[1])
    picture = window.sync()
    right = centers(picture)
    assert right["behind"][0] > right["blue"][0]
    assert seen(picture, "blue").sum() > seen(picture, "green").sum() > seen(picture, "red").sum()

    window.press(keys[2])
    top = centers(window.sync())
    assert top["red"][0] < top["green"][0] < top["blue"][0]
    assert top["behind"][1] < top["green"][1] - 100.0

    window.press(keys[0].replace("1", "0"))
    assert differing(window.sync(), first) == 0.0


def test_5_switches_between_perspective_and_orthographic(window, first):
    window.press("5")
    picture = window.sync()
    camera = replace(first_camera(), orthographic=True)
    for name in BOXES:
        assert_shows(picture, camera, name)
    window.click(box_pixel(camera, "blue"))
    assert selected(window) == "blue"
    window.click(empty_pixel(picture))
    window.press("5")
    assert differing(window.sync(), first) == 0.0


def test_o_shows_the_octree(window, first):
    def line_pixels(picture: np.ndarray) -> int:
        return int((np.ptp(scene_part(picture), axis=-1) > 100).sum())

    window.press("o")
    picture = window.sync()
    assert line_pixels(picture) > line_pixels(first) + 300
    window.press("o")
    assert differing(window.sync(), first) == 0.0


def test_c_switches_culling_and_the_picture_stays(window, first):
    def on(picture: np.ndarray) -> int:
        return int(close_to(picture[FIGURES], SWITCHED_ON, 12).sum())

    window.press("c")
    picture = window.sync()
    assert (scene_part(picture) == scene_part(first)).all()
    assert on(picture) < 5 < 20 < on(first)
    window.press("c")
    picture = window.sync()
    assert on(picture) == on(first)


def test_x_freezes_the_frustum_and_shows_it_from_elsewhere(window, first):
    def frustum_pixels() -> int:
        return int(close_to(scene_part(window.sync()), FRUSTUM, 8).sum())

    start = empty_pixel(first)
    end = (start[0] - 150, start[1] + 40)
    window.press("x")
    assert frustum_pixels() == 0, "seen from itself it is the picture's own edge"
    window.drag(start, end)
    assert frustum_pixels() > 100
    window.press("x")
    assert frustum_pixels() == 0


def key_sheet_is_there(picture: np.ndarray, first: np.ndarray) -> bool:
    middle = np.s_[SIZE[1] // 2 - 100 : SIZE[1] // 2 + 100, SIZE[0] // 2 - 200 : SIZE[0] // 2 + 200]
    return bool((picture[middle] != first[middle]).any(axis=-1).mean() > 0.7)


def test_f1_shows_the_keys_and_hides_them(window, first):
    window.press("F1")
    wait_for(lambda: key_sheet_is_there(window.picture(), first), "the key sheet")
    window.press("F1")
    wait_for(lambda: not key_sheet_is_there(window.picture(), first), "the end of the key sheet")
    assert differing(window.sync(), first) == 0.0


def test_no_key_is_lost_after_a_burst_of_clicks(window, first):
    """Clicks made before a panel opened under the mouse must not count as clicks on that panel, and keep the keys."""
    for _ in range(4):  # it depends on the moment
        with window.busy():
            window.click(box_pixel(first_camera(), "green"), times=6)
            window.press("F1")
        wait_for(lambda: key_sheet_is_there(window.picture(), first), "the key sheet")
        time.sleep(0.5)  # the window is idle by then, whatever it still has in mind
        window.press("F1")
        wait_for(lambda: not key_sheet_is_there(window.picture(), first), "the end of the key sheet", seconds=5.0)


def test_g_switches_the_grid(window, first):
    strip = np.s_[60:62, 700:]
    assert np.ptp(first[strip], axis=1).max() > 10
    window.press("g")
    assert np.ptp(window.sync()[strip], axis=1).max() <= 1
    window.press("g")
    assert differing(window.sync(), first) == 0.0


def test_the_grid_lies_before_the_scene_too(window):
    """The floor goes on towards the person; it does not end where the nearest object begins."""
    window.press("1")
    before_the_boxes = window.sync()[450:600, 300:1000]
    assert np.ptp(before_the_boxes, axis=1).max() > 10


# The panels.


def test_the_panel_keeps_the_mouse_for_itself(window, first):
    x, y = box_pixel(first_camera(), "red")
    dx, dy = PANEL_POINT[0] - x, PANEL_POINT[1] - y
    camera = navigation.pan(first_camera(), dx, dy, SIZE[1])
    left, top, right, bottom = box_extent(camera, "red")
    assert left < PANEL_POINT[0] < right and top < PANEL_POINT[1] < bottom, "the red box is to lie behind the panel"
    start = empty_pixel(first)
    window.drag(start, (start[0] + dx, start[1] + dy), button=2)
    before = window.sync()

    window.click(PANEL_POINT)
    assert selected(window) == ""
    window.drag(PANEL_POINT, (600, 400))
    window.drag(PANEL_POINT, (600, 400), button=2)
    window.scroll(PANEL_POINT, 3)
    assert differing(window.sync(), before) == 0.0


def test_a_drag_may_end_on_the_panel(window, first):
    start = box_pixel(first_camera(), "green")
    window.drag(start, PANEL_POINT)
    camera = navigation.orbit(first_camera(), PANEL_POINT[0] - start[0], PANEL_POINT[1] - start[1])
    assert_shows(window.sync(), camera, "green")
    assert selected(window) == ""


# The window itself.


@pytest.mark.parametrize("size", ((900, 640), (1400, 610)))
def test_after_resizing_picture_and_picking_agree(window, size):
    window.resize(*size)
    picture = window.sync()
    assert picture.shape == (size[1], size[0], 3)
    camera = first_camera()
    shown = "green", "behind", "blue"
    for name in shown:
        if (box_extent(camera, name, size) > 0).all() and (box_extent(camera, name, size)[2:] < size).all():
            assert_shows(picture, camera, name)
    for name in shown:
        assert_click_changes_selection(window, box_pixel(camera, name, size), name)
    for inside, outside in pixels_about_edges(camera, "green", size):
        assert_click_changes_selection(window, inside, "green")
        assert_click_changes_selection(window, outside, "")


def test_an_idle_window_costs_next_to_nothing(window):
    window.sync()
    before = window.cpu_seconds()
    time.sleep(2.0)  # what is measured is this time
    assert window.cpu_seconds() - before < 0.5


def test_ctrl_q_closes(boxes, tmp_path):
    with open_window(boxes, folder=tmp_path) as window:
        window.sync()
        window.press("ctrl+q")
        assert window.wait_for_exit() == 0
        assert window.errors == ""


def test_the_window_managers_request_closes(boxes, tmp_path):
    with open_window(boxes, folder=tmp_path) as window:
        window.sync()
        window.ask_to_close()
        assert window.wait_for_exit() == 0
        assert window.errors == ""


def test_an_interrupt_ends_it_without_a_traceback(boxes, tmp_path):
    with open_window(boxes, folder=tmp_path) as window:
        window.sync()
        window.interrupt()
        assert window.wait_for_exit() == 130
        assert window.errors == ""


# Files that cannot be opened.


def test_a_missing_file_is_told_and_the_others_open(boxes, tmp_path):
    other = tmp_path / "other.obj"
    other.write_text("o flag\nv 0 2 0\nv 0 4 0\nv 1 3 0\nf 1 2 3\n")
    with open_window(boxes, "missing.obj", other, folder=tmp_path) as window:
        picture = window.sync()
        assert "boxes.obj and 2 more" in window.title
        assert_shows(picture, message_camera(), "blue")

        def message(picture: np.ndarray) -> np.ndarray:
            mask = close_to(picture, SWITCHED_ON, 30)
            mask[FIGURES] = False
            return np.argwhere(mask)

        shown = message(picture)
        assert len(shown) > 50, "no message in the window"
        below, left = shown[:, 0].max(), shown[:, 1].min()
        window.click((left + 20, below + 11))  # "dismiss", in the next line
        wait_for(lambda: len(message(window.picture())) == 0, "the message to go")
        window.press("ctrl+q")
        assert window.wait_for_exit() == 0
        assert "missing.obj" in window.errors
        assert len(window.errors.splitlines()) == 1


def message_camera() -> Camera:
    """The camera on the boxes and the flag above them."""
    lower, upper = ALL
    return navigation.frame_box(first_camera(), lower, np.maximum(upper, (1.0, 4.0, 0.0)), SIZE[0] / SIZE[1])


def test_with_no_file_to_show_it_says_why_and_ends(tmp_path):
    (tmp_path / "noise.obj").write_bytes(bytes(range(256)) * 40)
    screen = Screen()
    try:
        begin = time.monotonic()
        done = run("missing.obj", "noise.obj", folder=tmp_path, environment=screen.environment)
        assert time.monotonic() - begin < 15.0
    finally:
        screen.close()
    assert done.returncode == 2
    lines = done.stderr.splitlines()
    assert len(lines) == 2 and "missing.obj" in lines[0] and "noise.obj" in lines[1]


# The demo, and machines without a display.


def test_the_demo_opens_and_can_be_picked_in(tmp_path):
    with open_window("demo", "--objects", 3000, folder=tmp_path) as window:
        window.sync()
        title = window.title
        window.click((SIZE[0] // 2, SIZE[1] // 2))
        window.sync()
        assert close_to(window.picture(), OUTLINE, 4).sum() > 50
        assert len(window.title.split(" - ")) == 3
        assert title == "city of 3,000 - Octoscope"


@pytest.mark.parametrize("display", (None, ":9999"))
def test_without_a_display_a_picture_is_drawn(boxes, tmp_path, display):
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    if display is not None:
        environment["DISPLAY"] = display
    done = run(boxes, folder=tmp_path, environment=environment)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "off-screen" in done.stderr
    (path,) = tmp_path.iterdir()
    assert str(path) in done.stderr
    picture = np.asarray(Image.open(path).convert("RGB"))
    assert picture.shape == (SIZE[1], SIZE[0], 3)
    assert all(seen(picture, name).sum() > 1000 for name in BOXES)


def run(*arguments: object, folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """The program where it should end by itself."""
    return subprocess.run(
        program(*arguments),
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=xvfb.DEADLINE_SECONDS,
    )
