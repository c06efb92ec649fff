"""A day's work in the window: found, moved, coloured, grouped, undone, saved, lost, recovered and handed on."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from octoscope.scene import Scene, load
from octoscope.scene.measuring.measurements import world_points
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.features.measuring.decoration import MEASUREMENT_COLOR
from octoscope.viewer.ui.imgui.docking import Area
from tests.viewer.windows.window_steps import WINDOW_TEST, named_in_title
from tests.viewer.windows.window_village import (
    FOUNTAIN,
    SEARCH,
    box_extent,
    configure,
    framing,
    in_window,
    inspector_fields,
    picture_area,
    roof,
    row,
    row_of,
    wait_for_change,
    write,
    write_village,
)
from tests.viewer.windows.xvfb import Point, Window, close_to, open_window, wait_for

pytestmark = WINDOW_TEST
ROWS, MIDDLE = np.s_[80:690, 10:240], np.s_[150:500, 350:930]
SELECTED_TEXT = (48, 92, 160)
MANY = 40  # more than is done in a day
PANEL = (29, 31, 35)
MESSAGES, INSIDE_MESSAGES = (39, 41, 44), 17  # their colour, nine tenths opaque; pixels from the margin to their inside


class Day:
    """Acts of a user in a window, and pictures of it."""

    def __init__(self, window: Window, area: Area) -> None:
        self.window = window
        self._area = area

    def look(self) -> np.ndarray:
        """(h, w, 3) int: the scene as a whole, from the side that it is first seen from; -1 where messages hide it."""
        self.window.press("q", "Home")
        self.window.move((640, 710))  # a row shows icons under it
        return self._scene(self.window.picture())

    def _scene(self, picture: np.ndarray) -> np.ndarray:
        area = self._area
        scene = picture[round(area.top) : round(area.bottom), round(area.left) : round(area.right)]
        # A message goes when its time is over, so how many there are depends on how fast the machine is.
        is_message = close_to(scene, MESSAGES, 13)
        scene = scene.astype(int)
        beside = is_message[:, -INSIDE_MESSAGES]
        if beside[:200].any():
            top = beside.argmax()
            bottom = top + (~beside[top:]).argmax()
            width = (~is_message[bottom - 6, :-INSIDE_MESSAGES][::-1]).argmax()
            scene[top - 3 : bottom + 3, -INSIDE_MESSAGES - width - 3 :] = -1
        return scene

    def wait_for_title(self, *parts: str) -> None:
        wait_for(lambda: all(part in self.window.title for part in parts), f"a title with {parts}")

    def selects(self, name: str) -> None:
        wait_for(lambda: named_in_title(self.window) == name, f"{name!r} in the title")

    def find(self, name: str) -> None:
        """Look for an object and select it by its row."""
        wait_for_change(self.window, SEARCH, lambda: self.window.press("ctrl+f"), "the field for a name")
        wait_for_change(self.window, ROWS, lambda: write(self.window, name), "the rows that fit")
        self.window.click(row(1))
        self.selects(name)
        self.see_all_rows()

    def see_all_rows(self) -> None:
        wait_for_change(self.window, SEARCH, lambda: self.window.press("ctrl+f"), "the name to be marked")
        wait_for_change(self.window, ROWS, lambda: self.window.press("Escape"), "all rows")
        wait_for_change(self.window, SEARCH, lambda: self.window.press("Escape"), "the field to be left")

    def type_number(self, point: Point, text: str) -> None:
        """Into a field of the inspector."""
        x, y = point
        part = np.s_[y - 8 : y + 9, x - 22 : x + 23]

        def is_marked() -> bool:
            return int(close_to(self.window.picture()[part], SELECTED_TEXT, 25).sum()) > 40

        self.window.click(point, modifier="ctrl")
        wait_for(is_marked, "the number to be marked")
        write(self.window, text)
        self.window.press("Return")
        self.window.move((640, 710))
        wait_for(lambda: not is_marked(), "the number to be taken")

    def choose(self, command: str) -> None:
        """Run a command by the palette."""
        wait_for_change(self.window, MIDDLE, lambda: self.window.press("ctrl+p"), "the palette")
        write(self.window, command)
        self.window.press("Return")

    def name_file(self, name: str) -> None:
        """In the box for it, once that is there."""
        wait_for(lambda: close_to(self.window.picture()[MIDDLE], PANEL, 2).mean() > 0.9, "the box that names files")
        write(self.window, name)
        self.window.press("Return")


def alike(one: np.ndarray, other: np.ndarray, most: int = 0) -> np.ndarray:
    """(h, w) bool: where two looks at the scene differ by no more than that, or messages hide it in one of them."""
    return ((abs(one - other) <= most) | (one < 0) | (other < 0)).all(axis=-1)


def blue(picture: np.ndarray) -> np.ndarray:
    """(h, w) bool: where the fountain's own colour is seen."""
    picture = picture.astype(int)
    return (
        (picture[..., 2] > 80) & (picture[..., 0] < 0.3 * picture[..., 2]) & (picture[..., 1] < 0.5 * picture[..., 2])
    )


def magenta(picture: np.ndarray) -> np.ndarray:
    """(h, w) bool: where that is seen with more red."""
    picture = picture.astype(int)
    return (picture[..., 2] > 60) & (picture[..., 0] > 60) & (picture[..., 1] < 0.5 * picture[..., 2])


def wait_until_seen(window: Window, mask: object, camera: Camera, area: Area, box: np.ndarray) -> None:
    """Wait until pixels of a colour fill the outline of a box."""

    def is_there() -> bool:
        y, x = np.nonzero(mask(window.picture()[:, round(area.left) : round(area.right)]))
        if not len(x):
            return False
        seen = np.array((x.min(), y.min(), x.max() + 1, y.max() + 1)) + (round(area.left), 0) * 2
        return bool(abs(seen - box_extent(camera, area, box)).max() < 4.0)

    wait_for(is_there, f"the fountain about {box.mean(axis=0)}", seconds=20.0)


def places(scene: Scene) -> dict[str, np.ndarray]:
    """World matrices by the path of the node."""
    return {scene.path_of(node): scene.world_from_local[node] for node in scene.ids.tolist()}


def solids(scene: Scene) -> list[tuple[str, np.ndarray]]:
    """Name and world vertices (n, 3) of everything that has a mesh, in an order of its own."""
    found = []
    for node in scene.ids[scene.mesh_ids[scene.ids] >= 0].tolist():
        matrix, points = scene.world_from_local[node], scene.meshes.mesh(scene.mesh_ids[node]).positions
        name = str(scene.names[node])
        found.append((name, points @ matrix[:3, :3].T + matrix[:3, 3]))
    return sorted(found, key=lambda pair: (pair[0], *pair[1].round(6).ravel().tolist()))


@pytest.mark.slow
def test_a_days_work(ctx, tmp_path):
    path, config = write_village(tmp_path), configure(tmp_path)
    area, fields = picture_area(ctx, path), inspector_fields(ctx, path)
    with open_window(path, folder=tmp_path, config=config) as window:
        day = Day(window, area)
        first = day.look()
        moved_by = edit_the_village(day, path, area, fields)
        last = day.look()
        assert not alike(first, last).all()

        window.press(*["ctrl+z"] * MANY)
        wait_for(lambda: window.title == "village.obj - Octoscope", "a title without a star")
        assert alike(day.look(), first).all(), "undone, it is not what it was"
        window.press(*["ctrl+shift+z"] * MANY)
        day.wait_for_title("*village.obj")
        window.press("alt+a")
        assert alike(day.look(), last).all(), "done again, it is not what it was"

        window.press("ctrl+s")
        day.name_file("work")
        wait_for(lambda: window.title == "work.octo.json - Octoscope", "the project's name")
        assert_is_the_edited_village(load(tmp_path / "work.octo.json"), load(path), moved_by)

        day.find("lamp_12")
        window.press("Delete")
        day.selects("")
        day.find("house_01")
        window.press("g", "x", "2", "Return")
        day.wait_for_title("*work.octo.json")
        window.press("alt+a")
        last = day.look()
        window.process.kill()
        window.process.wait()

    project = tmp_path / "work.octo.json"
    assert "lamp_12" in load(path).names
    with open_window(project, folder=tmp_path, config=config) as window:
        day = Day(window, area)
        wait_for(lambda: close_to(window.picture()[300:420, 300:980], PANEL, 1).sum() > 20_000, "recover?")
        window.press("Return")
        day.wait_for_title("*work.octo.json")
        assert alike(day.look(), last).all(), "what was done before the end is not all there"
        window.press("ctrl+s")
        wait_for(lambda: window.title == "work.octo.json - Octoscope", "a title without a star")
        window.press("ctrl+q")
        assert window.wait_for_exit() == 0
        assert "Traceback" not in window.errors

    with open_window(project, folder=tmp_path, config=config) as window:
        day = Day(window, area)
        assert alike(day.look(), last).all(), "opened again, it is not what was saved"
        assert window.title == "work.octo.json - Octoscope"
        window.press("alt+h", "alt+a")  # the other file knows neither what is hidden nor what is measured
        day.choose("remove last measurement")
        day.wait_for_title("*work.octo.json")
        last = day.look()
        day.choose("export obj")
        day.name_file("handed_on")
        wait_for((tmp_path / "handed_on.obj").exists, "the exported file")

    assert not list(tmp_path.glob("*.octoscope-saving"))
    with open_window("handed_on.obj", folder=tmp_path, config=config) as window:
        day = Day(window, area)
        assert alike(day.look(), last, most=10).mean() > 0.999, "the exported file looks different"
    ours, theirs = solids(load(project)), solids(load(tmp_path / "handed_on.obj"))
    assert [name for name, _ in ours] == [name for name, _ in theirs]
    for (name, points), (_, others) in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(points, others, atol=1e-6, err_msg=name)


def edit_the_village(day: Day, path: Path, area: Area, fields: dict[str, Point]) -> float:
    """Everything once; how far the mouse has moved the fountain along X."""
    window = day.window
    # Found, framed, and moved by its red arm: what was taken stays under the mouse; how far that is, the camera says.
    day.find("fountain")
    window.press("f")
    camera = framing(path, area, "fountain")
    wait_until_seen(window, blue, camera, area, FOUNTAIN)
    before = window.picture()
    window.press("w")
    wait_for(lambda: (window.picture() != before).any(), "the handles")
    middle, x_axis = FOUNTAIN.mean(axis=0), np.array((1.0, 0.0, 0.0))
    origin, along, goal = in_window(camera, area, middle + np.outer((0.0, 1.0, 0.7), x_axis))
    start = origin + 60.0 * (along - origin) / np.linalg.norm(along - origin)
    end = start + (goal - origin)
    ts = np.linspace(-6.0, 6.0, 120_001)
    ways = in_window(camera, area, middle + np.outer(ts, x_axis))
    begin_t, end_t = (ts[np.linalg.norm(ways - np.round(point) - 0.5, axis=1).argmin()] for point in (start, end))
    window.drag(tuple(map(int, np.round(start))), tuple(map(int, np.round(end))))
    moved_by = end_t - begin_t
    day.wait_for_title("*village.obj")
    window.press("q")
    wait_until_seen(window, blue, camera, area, FOUNTAIN + np.array((moved_by, 0.0, 0.0)))
    # A number and a colour are typed, and a copy is made and put behind it.
    day.type_number(fields["y"], "0.5")
    wait_until_seen(window, blue, camera, area, FOUNTAIN + np.array((moved_by, 0.5, 0.0)))
    day.type_number(fields["red"], "0.9")
    wait_until_seen(window, magenta, camera, area, FOUNTAIN + np.array((moved_by, 0.5, 0.0)))
    wait_for_change(window, ROWS, lambda: window.press("ctrl+d"), "the copy's row")
    day.type_number(fields["z"], "2.5")
    window.press("Home")
    whole = framing(path, area)
    # Both are grouped and named; a house is hidden; a lamp is hung below a house by its row.
    wait_for_change(window, SEARCH, lambda: window.press("ctrl+f"), "the field for a name")
    wait_for_change(window, ROWS, lambda: write(window, "fountain"), "the rows that fit")
    window.press("Return")
    day.wait_for_title("fountain.001 and 1 more")
    window.press("ctrl+g")
    day.selects("group")
    day.see_all_rows()
    wait_for_change(window, ROWS, lambda: window.press("F2"), "the field for a name")
    write(window, "water")
    window.press("Return")
    day.selects("water")
    window.click(row_of("house_10"))
    day.selects("house_10")
    window.press("h")
    day.selects("")
    place = tuple(in_window(whole, area, roof("house_10").mean(axis=0)[None])[0].astype(int)[::-1])
    wait_for(lambda: window.picture()[place][0] < 1.2 * window.picture()[place][1], "the house to be hidden")
    window.move((640, 710))
    wait_for_change(
        window, ROWS, lambda: window.drag(row_of("lamp_00"), row_of("house_03"), pause_seconds=0.1), "another tree"
    )
    # A distance between the corners of two roofs, and the view is kept.
    window.press("m")
    corners = np.array([roof("house_02")[1], roof("house_04")[1]])
    for x, y in in_window(whole, area, corners).astype(int):
        window.click((x - 3, y + 3))
    color = tuple(round(255 * part) for part in MEASUREMENT_COLOR)
    wait_for(lambda: close_to(window.picture(), color, 8).sum() > 100, "the line between the corners")
    window.press("m", "ctrl+b", "alt+a")
    return moved_by


def assert_is_the_edited_village(scene: Scene, original: Scene, moved_by: float) -> None:
    """The project holds what was done by hand, and else what was there."""
    found = places(scene)
    moved = {"village.obj/lamp_00": "village.obj/house_03/lamp_00"}
    for name, matrix in places(original).items():
        if "fountain" not in name:
            np.testing.assert_allclose(found.pop(moved.get(name, name)), matrix, atol=1e-9, err_msg=name)
    assert len(scene) == len(original) + 2
    group = next(node for node in scene if node.name == "water")
    copies = [node for node in scene if node.name in ("fountain", "fountain.001")]
    assert [scene.parents[node.id] for node in copies] == [group.id] * 2
    assert len({scene.mesh_ids[node.id] for node in copies}) == 1
    for node, z in zip(copies, (0.0, 2.5), strict=True):
        place = scene.world_from_local[node.id]
        np.testing.assert_allclose(place[:3, :3], np.eye(3))
        np.testing.assert_allclose(place[1:3, 3], (0.5, z), atol=1e-6)
        assert abs(place[0, 3] - moved_by) < 0.03, "it did not go where the mouse went"
        assert scene.materials[scene.material_overrides[node.id]].base_color[0] == np.float32(0.9)
    assert [str(scene.names[node]) for node in scene.ids[scene.hidden[scene.ids]]] == ["house_10"]
    assert list(scene.bookmarks) == ["bookmark"]
    (measured,) = scene.measurements
    ends = world_points(scene, measured.anchors)
    assert math.isclose(math.dist(*ends), math.dist(roof("house_02")[1], roof("house_04")[1]), abs_tol=1e-6)
