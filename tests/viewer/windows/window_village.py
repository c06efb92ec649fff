"""A village that the window's tests work on: its file, where its parts are, and where the panels show them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import moderngl
import numpy as np

from octoscope.scene import Material, change_nodes, load
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.frame.view import View
from octoscope.viewer.settings.config import WindowState, save_window_state
from octoscope.viewer.ui.imgui.docking import Area
from tests.viewer.headless_app import ROW_HEIGHT, HeadlessApp
from tests.viewer.windows.window_boxes import project
from tests.viewer.windows.xvfb import Point, Window, wait_for

QUADS = ((1, 3, 4, 2), (5, 6, 8, 7), (1, 2, 6, 5), (3, 7, 8, 4), (1, 5, 7, 3), (2, 4, 8, 6))
COLORS = {
    "grass": (0.25, 0.45, 0.2),
    "plaster": (0.85, 0.8, 0.7),
    "tiles": (0.6, 0.2, 0.15),
    "wood": (0.35, 0.22, 0.1),
    "iron": (0.15, 0.15, 0.18),
    "water": (0.0, 0.1, 0.9),
}
FOUNTAIN = np.array([(-1.0, 0.0, 8.0), (1.0, 2.0, 10.0)])  # before the houses, as the first camera sees them
HOUSES = {f"house_{row}{place}": (7.0 * place - 14.0, 8.0 * row - 4.0) for row in range(2) for place in range(5)}
LAMPS = {f"lamp_{row}{place}": (7.0 * place - 10.5, 8.0 * row - 4.0) for row in range(2) for place in range(4)}
NAMES = ["ground", *HOUSES, *LAMPS, "fountain"]  # at the top, in the file's order


def roof(house: str) -> np.ndarray:
    """(2, 3): the corners of a house's roof with the least and the greatest coordinates."""
    x, z = HOUSES[house]
    return np.array([(x - 2.3, 3.0, z - 1.8), (x + 2.3, 4.2, z + 1.8)])


def write_village(folder: Path) -> Path:
    """An OBJ file of 40 meshes: houses are objects with groups below them."""
    lines, count = ["mtllib village.mtl"], 0

    def block(heading: str, lower: tuple[float, ...], upper: tuple[float, ...], material: str) -> None:
        nonlocal count
        lines.extend((heading, f"usemtl {material}"))
        ends = np.array([lower, upper])
        lines.extend("v {} {} {}".format(*ends[[k & 1, k >> 1 & 1, k >> 2], [0, 1, 2]]) for k in range(8))
        lines.extend("f {} {} {} {}".format(*(count + k for k in quad)) for quad in QUADS)
        count += 8

    block("o ground", (-18.0, -0.5, -8.0), (18.0, 0.0, 14.0), "grass")
    for name, (x, z) in HOUSES.items():
        block(f"o {name}\ng walls", (x - 2.0, 0.0, z - 1.5), (x + 2.0, 3.0, z + 1.5), "plaster")
        block("g roof", *map(tuple, roof(name)), "tiles")
        block("g door", (x - 0.5, 0.0, z + 1.5), (x + 0.5, 1.8, z + 1.7), "wood")
    for name, (x, z) in LAMPS.items():
        block(f"o {name}", (x - 0.2, 0.0, z - 0.2), (x + 0.2, 4.0, z + 0.2), "iron")
    block("o fountain", *map(tuple, FOUNTAIN), "water")
    (folder / "village.mtl").write_text(
        "".join(f"newmtl {name}\nKd {r} {g} {b}\n" for name, (r, g, b) in COLORS.items())
    )
    path = folder / "village.obj"
    path.write_text("\n".join(lines) + "\n")
    return path


def configure(folder: Path) -> Path:
    """A configuration with panels."""
    save_window_state(folder / "config", WindowState(settings={"view.smooth": False}))
    return folder / "config"


# Where things are.

SEARCH = np.s_[55:77, 10:240]  # the field in which names are looked for


def picture_area(ctx: moderngl.Context, path: Path) -> Area:
    """The part of the window that the panels leave to the picture."""
    app = HeadlessApp(ctx, load(path))
    area = app.shell.picture
    app.close()
    return area


def inspector_fields(ctx: moderngl.Context, path: Path) -> dict[str, Point]:
    """Return the pixels of the inspector's fields for location x, y, z and red: those that change with the values."""
    app = HeadlessApp(ctx, load(path))
    scene = app.view.scene
    node = scene["fountain"].id
    app.editor.select([node])
    app.settle()
    before = app.picture().astype(int)
    found = {}
    for name in ("x", "y", "z", "red"):
        if name == "red":
            materials = [scene.add_material(Material("water", base_color=(0.6, 0.1, 0.9)))]
            app.editor.do(change_nodes(scene, [node], material=materials))
        else:
            app.editor.do(change_nodes(scene, [node], translation=[[7.0 * (name == axis) for axis in "xyz"]]))
        app.settle()
        differs = abs(app.picture() - before).max(axis=-1) > 20
        differs[:, : round(app.shell.picture.right)] = False
        found[name] = differs
        app.editor.undo()
        app.settle()
    app.close()
    anywhere = found["x"] & found["y"] & found["z"]  # what says that it has been moved
    return {name: _first_cluster(differs & ~anywhere) for name, differs in found.items()}


def _first_cluster(mask: np.ndarray) -> Point:
    """The middle of the topmost band of set pixels, and in that of those on the left."""
    rows = np.flatnonzero(mask.any(axis=1))
    band = rows[: int(np.argmax(np.diff(rows, append=rows[-1] + 99) > 6)) + 1]
    columns = np.flatnonzero(mask[band[0] : band[-1] + 1].any(axis=0))
    part = columns[: int(np.argmax(np.diff(columns, append=columns[-1] + 99) > 12)) + 1]
    return int(part.mean()), int(band.mean())


def framing(path: Path, area: Area, name: str | None = None) -> Camera:
    """The camera of a window that has just opened the village, or framed one of its objects."""
    view = View(load(path))
    size = tuple(map(round, area.size))
    view.layout.resize(size)
    view.framing.frame_nodes(None, every=True)
    if name is not None:
        view.layout.resize(size)
        view.framing.frame_nodes(np.array([view.scene[name].id]))
    return view.camera


def in_window(camera: Camera, area: Area, points: np.ndarray) -> np.ndarray:
    """(n, 2): where world points (n, 3) are in the window; pixels are between whole numbers."""
    return project(camera, points, tuple(map(round, area.size))) + np.array((round(area.left), round(area.top)))


def box_extent(camera: Camera, area: Area, box: np.ndarray) -> np.ndarray:
    """(4,): left, top, right, bottom in the window of what is in the picture of a box, (2, 3)."""
    corners = np.array([box[[k & 1, k >> 1 & 1, k >> 2], [0, 1, 2]] for k in range(8)])
    outline = in_window(camera, area, corners)
    extent = np.concatenate((outline.min(axis=0), outline.max(axis=0)))
    return np.clip(extent, (area.left, area.top) * 2, (area.right, area.bottom) * 2)


def row(place: int) -> Point:
    """The outliner's row of that number, as long as nothing was scrolled."""
    return 120, 90 + ROW_HEIGHT * place


def row_of(name: str) -> Point:
    """The row of an object at the top, as long as none is open."""
    return row(1 + NAMES.index(name))


# What a person does.


def write(window: Window, text: str) -> None:
    """Type into the field that has the keyboard."""
    names = {" ": "space", "_": "underscore", ".": "period", "-": "minus", "/": "slash"}
    window.press(*(names.get(letter, letter) for letter in text))


def wait_for_change(window: Window, part: tuple[slice, slice], act: Callable[[], object], what: str) -> None:
    """Do something, and wait until a part of the window shows something else."""
    before = window.picture()[part]
    act()
    wait_for(lambda: bool((window.shown()[part] != before).any()), what)
