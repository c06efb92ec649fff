"""The four boxes that the window's tests show: where the camera puts them, and where a picture shows them.

They lie at known places, so that the camera's own arithmetic says which pixel shows which box.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from octoscope.viewer.camera import controls
from octoscope.viewer.camera.camera import Camera
from tests.viewer.windows.xvfb import Point

SIZE = (1280, 720)
BOXES = {  # name: (middle, half of its edge length, colour)
    "red": ((-6.0, 1.0, 0.0), 1.0, (0.9, 0.1, 0.1)),
    "green": ((0.0, 1.0, 0.0), 1.0, (0.1, 0.8, 0.1)),
    "blue": ((6.0, 1.0, 0.0), 1.0, (0.1, 0.2, 0.9)),
    "behind": ((0.0, 1.0, -5.0), 0.7, (0.8, 0.1, 0.8)),  # the green one, seen from the front
}
# Of the boxes and of two points beside them, which leave the boxes some room in the picture.
ALL = np.array((-8.0, 0.0, -8.0)), np.array((8.0, 4.0, 3.0))
_POINTS = (-8.0, 0.0, 3.0), (8.0, 4.0, -8.0)
FIGURES = np.s_[:290, :270]  # where the panels are, and some room
STATUS = np.s_[-50:, :450]


def write_boxes(folder: Path) -> Path:
    obj, mtl = ["mtllib boxes.mtl"], []
    for k, (name, (middle, half, color)) in enumerate(BOXES.items()):
        mtl += [f"newmtl {name}", "Kd {} {} {}".format(*color)]
        obj += [f"o {name}", f"usemtl {name}"]
        obj += ["v {} {} {}".format(*corner) for corner in corners(middle, half)]
        quads = ((1, 3, 4, 2), (5, 6, 8, 7), (1, 2, 6, 5), (3, 7, 8, 4), (1, 5, 7, 3), (2, 4, 8, 6))
        obj += ["f {} {} {} {}".format(*(8 * k + i for i in quad)) for quad in quads]
    mtl += ["newmtl grey", "Kd 0.5 0.5 0.5"]
    obj += ["o points", "usemtl grey", *("v {} {} {}".format(*point) for point in _POINTS), "p -1 -2"]
    (folder / "boxes.mtl").write_text("\n".join(mtl))
    path = folder / "boxes.obj"
    path.write_text("\n".join(obj))
    return path


# Where things must be.


def corners(middle: tuple[float, float, float], half: float) -> np.ndarray:
    """(8, 3) corners of a cube, x fastest."""
    signs = np.array([(x, y, z) for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)])
    return np.array(middle) + half * signs


def first_camera(size: tuple[int, int] = SIZE, covered: float = 0.0) -> Camera:
    """The camera of a window that has just opened the boxes, with a toolbar that covers so much of the picture."""
    return controls.frame_box(Camera(np.zeros(3)), *ALL, (size[0] - 2.0 * covered) / size[1])


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


def point_on_box(camera: Camera, name: str, pixel: Point, size: tuple[int, int] = SIZE) -> np.ndarray:
    """(3,): where the ray under a pixel enters a box, which it must hit."""
    middle, half, _ = BOXES[name]
    fractions = (pixel[0] + 0.5) / size[0], (pixel[1] + 0.5) / size[1]
    origin, direction = camera.ray_through(fractions, size[0] / size[1])
    t = (np.array(middle) + half * np.array([[-1.0], [1.0]]) - origin) / direction
    enters, leaves = t.min(axis=0).max(), t.max(axis=0).min()
    assert enters < leaves
    return origin + enters * direction


def box_extent(camera: Camera, name: str, size: tuple[int, int] = SIZE) -> np.ndarray:
    """(4,): left, top, right, bottom of a box in the picture."""
    outline = project(camera, corners(*BOXES[name][:2]), size)
    return np.concatenate((outline.min(axis=0), outline.max(axis=0)))


def silhouette(camera: Camera, name: str, axis: int, place: float, size: tuple[int, int] = SIZE) -> tuple[float, float]:
    """Return the ends of a box's outline along an axis of the picture (0: x), on the line at `place` on the other."""
    outline = project(camera, corners(*BOXES[name][:2]), size)
    first, second = (outline[i] for i in np.triu_indices(8, 1))  # the silhouette's edges are among all the pairs
    crosses = (first[:, 1 - axis] - place) * (second[:, 1 - axis] - place) < 0.0
    first, second = first[crosses], second[crosses]
    part = (place - first[:, 1 - axis]) / (second[:, 1 - axis] - first[:, 1 - axis])
    met = first[:, axis] + part * (second[:, axis] - first[:, axis])
    return met.min(), met.max()


def pixels_about_edges(camera: Camera, name: str, size: tuple[int, int] = SIZE) -> list[tuple[Point, Point]]:
    """Return a pixel just inside a box's silhouette and one just outside, four times: each side has one of either.

    The middles of both are at least a pixel from the edge, and less than two. One pixel after the other is far away:
    clicks on them are no double clicks.
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
    left, right, top, bottom = found
    ways = ((left, right), (top, bottom), (right, left), (bottom, top))
    return [(one[0], opposite[1]) for one, opposite in ways]


# What is seen.


def seen(picture: np.ndarray, name: str) -> np.ndarray:
    """(h, w) bool: pixels that show a box, whatever the light; none where the panels are."""
    color = np.array(BOXES[name][2])
    strong = color > 0.5 * color.max()
    red, green, blue = (picture[..., k] for k in range(3))
    brightest = np.maximum(np.maximum(np.maximum(red, green), blue), 1).astype(np.float32)
    high, low = 0.6 * brightest, 0.45 * brightest
    mask = np.ones(brightest.shape, dtype=bool)
    for channel, is_strong in zip((red, green, blue), strong, strict=True):
        mask &= channel > high if is_strong else channel < low
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
    differs = abs(scene_part(first).astype(np.int16) - scene_part(second)) > 10
    return float((differs[..., 0] | differs[..., 1] | differs[..., 2]).mean())


def empty_pixel(picture: np.ndarray) -> Point:
    """A pixel far from every box and panel, and from where messages are."""
    taken = np.any([seen(picture, name) for name in BOXES], axis=0)
    taken[FIGURES] = taken[STATUS] = True
    for y in range(200, picture.shape[0] - 40, 20):
        for x in range(picture.shape[1] - 40, 40, -20):
            if not taken[y - 30 : y + 31, x - 30 : x + 31].any():
                return x, y
    raise AssertionError("the boxes fill the picture")
