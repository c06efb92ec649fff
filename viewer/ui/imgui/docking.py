"""Docking: original and present positions of panels around the picture."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from imgui_bundle import imgui

_DOCKSPACE_ID = 0x0C7050
_BORDER = 3.0  # logical pixels at the picture's edge that belong to the bar that resizes a panel
_SIDES = (  # share of the rest that a panel takes, logical pixels that it asks for, largest share
    ("left", imgui.Dir.left, 0.20, 200.0, 0.28),
    ("right", imgui.Dir.right, 0.27, 240.0, 0.36),
    ("bottom", imgui.Dir.down, 0.26, 305.0, 0.44),
)
_LEAST_SHARE = 0.45  # of the window, across and down, unless the user has made it smaller
_USUAL_SHARE = 0.416  # of the window: that of all panels at first
_SQUEEZED_SHARE = 0.5  # of the window: the least that panels take which lack room
_SAME = 1.5  # logical pixels: sizes are whole ones


@dataclass(frozen=True)
class Area:
    """A rectangle of the window, logical pixels from the top left."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def of_window(cls) -> Area:
        """Return the area of the present Dear ImGui window."""
        position, size = imgui.get_window_pos(), imgui.get_window_size()
        return cls(position.x, position.y, position.x + size.x, position.y + size.y)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height."""
        return self.right - self.left, self.bottom - self.top

    def grown(self, margin: float) -> Area:
        """Return the area with a margin added on each side."""
        return Area(self.left - margin, self.top - margin, self.right + margin, self.bottom + margin)

    def moved(self, x: float, y: float) -> Area:
        """Return the area moved."""
        return Area(self.left + x, self.top + y, self.right + x, self.bottom + y)

    def corner(self, across: float, down: float) -> tuple[float, float]:
        """Return a corner, or what lies at other shares of the width and height."""
        return self.left + across * self.size[0], self.top + down * self.size[1]

    def holds(self, point: tuple[float, float], border: float = 0.0) -> bool:
        """Return whether a point lies inside, at least `border` away from the edge."""
        return (
            self.left + border <= point[0] < self.right - border
            and self.top + border <= point[1] < self.bottom - border
        )

    def overlaps(self, other: Area) -> bool:
        """Return whether two areas have more in common than an edge."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom


def free_corner(
    room: Area, size: tuple[float, float], covered: Sequence[Area], corners: Sequence[tuple[float, float]]
) -> tuple[float, float]:
    """Return the first corner, shares across and down, of a room where a box of a size lies over none of some areas.

    Where there is none, it is the first of all.
    """
    for across, down in corners:
        left = room.left + across * (room.size[0] - size[0])
        top = room.top + down * (room.size[1] - size[1])
        box = Area(left, top, left + size[0], top + size[1])
        if not any(box.overlaps(area) for area in covered):
            return across, down
    return corners[0]


class Docking:
    """The positions of panels around the picture: a saved layout, made for `layout_scale`, or the original ones."""

    def __init__(self, layout: str, scale: float = 1.0, layout_scale: float | None = None) -> None:
        self.scale = scale  # of text and spacing
        self.picture = Area(0.0, 0.0, 1.0, 1.0)  # the area that panels leave free
        self._share = PictureShare(_DOCKSPACE_ID)
        self._stale = not layout
        if layout:
            factor = scale / (layout_scale or scale)
            layout = _rescaled(layout, factor)
            self._share.rescale(factor)
            imgui.load_ini_settings_from_memory(layout.encode(errors="replace").decode())

    def rescale(self, scale: float) -> None:
        """Have panels that suit another scale of text and spacing."""
        self._share.rescale(scale / self.scale)
        self.scale = scale

    def reset(self) -> None:
        """Restore the original positions."""
        self._stale = True

    def draw(self, places: dict[str, str], pixel_ratio: tuple[float, float]) -> None:
        """Submit the space that windows dock in, before the windows; `places`: by title, where each is at first."""
        viewport = imgui.get_main_viewport()
        if self._stale:
            self._stale = False
            self._build(places, viewport.work_size)
            self._share.forget()
        self._share.keep(places, viewport.work_size)
        imgui.dock_space_over_viewport(_DOCKSPACE_ID, viewport, imgui.DockNodeFlags_.passthru_central_node)
        node = imgui.internal.dock_builder_get_central_node(_DOCKSPACE_ID)
        across, down = pixel_ratio
        self.picture = Area(
            round(node.pos.x * across) / across,
            round(node.pos.y * down) / down,
            max(round((node.pos.x + node.size.x) * across), round(node.pos.x * across) + 1) / across,
            max(round((node.pos.y + node.size.y) * down), round(node.pos.y * down) + 1) / down,
        )

    def fill(self) -> None:
        """Leave the whole window to the picture, in place of `draw`."""
        size = imgui.get_main_viewport().size
        self.picture = Area(0.0, 0.0, size.x, size.y)
        # Kept alive, or panels would leave the dock.
        imgui.dock_space_over_viewport(
            _DOCKSPACE_ID, None, imgui.DockNodeFlags_.passthru_central_node | imgui.DockNodeFlags_.keep_alive_only
        )

    def gives_to_picture(self, point: tuple[float, float], window_size: tuple[int, int]) -> bool:
        """Return whether a point is the picture's, and not on a panel or on the bar that resizes it."""
        picture = self.picture
        whole = picture.size == tuple(map(float, window_size))
        return picture.holds(point, 0.0 if whole else _BORDER)

    def _build(self, places: dict[str, str], size: imgui.ImVec2) -> None:
        builder = imgui.internal
        builder.dock_builder_remove_node(_DOCKSPACE_ID)
        builder.dock_builder_add_node(_DOCKSPACE_ID, imgui.internal.DockNodeFlagsPrivate_.dock_space)
        builder.dock_builder_set_node_size(_DOCKSPACE_ID, size)
        center = _DOCKSPACE_ID
        room = {"left": size.x, "right": size.x, "bottom": size.y}
        for side, direction, usual, asked, most in _SIDES:
            titles = [title for title, place in places.items() if place == side]
            if titles:
                share = max(usual, min(asked * self.scale / max(room[side], 1.0), most))
                room["right"] *= 1.0 - share
                split = builder.dock_builder_split_node_py(center, direction, share)
                _, at_side, center = split
                for title in titles:
                    builder.dock_builder_dock_window(title, at_side)
        builder.dock_builder_finish(_DOCKSPACE_ID)


def _rescaled(layout: str, factor: float) -> str:
    """Return a saved layout with floating windows enlarged; PictureShare enlarges docked ones."""

    def enlarged(match: re.Match[str]) -> str:
        return f"Size={round(int(match[1]) * factor)},{round(int(match[2]) * factor)}"

    return layout if factor == 1.0 else re.sub(r"(?m)^Size=(\d{1,6}),(\d{1,6})$", enlarged, layout)


class PictureShare:
    """Makes panels smaller if the picture would get too little, and restores them when there is room again."""

    def __init__(self, root: int) -> None:
        self._root = root
        self._axes = (_Axis(0), _Axis(1))

    def keep(self, windows: Iterable[str], size: imgui.ImVec2) -> None:
        """Resize those of some windows that are docked, before the space is submitted, which is to have this size."""
        root = imgui.internal.dock_builder_get_node(self._root)
        if root is None:
            return
        sides = _sides(root, windows)
        for axis in self._axes:
            axis.keep({node.id_: node for node, split in sides if split == axis.number}, root.size, size)

    def rescale(self, factor: float) -> None:
        """Make panels so many times as large, where there is room."""
        for axis in self._axes:
            axis.rescale(factor)

    def forget(self) -> None:
        """Forget all sizes, as the panels are docked anew."""
        self._axes = (_Axis(0), _Axis(1))


class _Axis:
    """One of the two directions."""

    def __init__(self, number: int) -> None:
        self.number = number  # 0 across, 1 down
        self._extent = 0.0  # of the window at the last look; 0: none yet
        self._wanted: dict[int, float] = {}  # sizes that the user has chosen, by node
        self._wanted_in = 1.0  # extent of the window then
        self._given: dict[int, float] = {}  # sizes that were set
        self._factor = 1.0  # by which the wanted sizes are to be enlarged

    def rescale(self, factor: float) -> None:
        self._factor *= factor

    def keep(self, nodes: dict[int, imgui.internal.DockNode], before: imgui.ImVec2, now: imgui.ImVec2) -> None:
        before, now = before[self.number], now[self.number]
        self._extent = self._extent or before
        if not nodes or now <= 0.0:
            return
        current = {number: node.size[self.number] for number, node in nodes.items()}
        is_as_given = current.keys() == self._given.keys() and all(
            abs(current[number] - self._given[number]) <= _SAME for number in current
        )
        if not is_as_given:
            self._wanted, self._wanted_in, self._given = current, self._extent, current
        if now == self._extent and self._factor == 1.0:
            return
        total = sum(self._wanted.values())
        if self._factor < 1.0 and total > _SQUEEZED_SHARE * self._wanted_in:  # they were larger but for want of room
            self._factor = max(self._factor, _USUAL_SHARE * self._wanted_in / total)
        self._wanted = {number: size * self._factor for number, size in self._wanted.items()}
        self._extent, self._wanted_in, total = now, self._wanted_in * self._factor, total * self._factor
        self._factor = 1.0
        least = min(_LEAST_SHARE, 1.0 - total / self._wanted_in)
        factor = min(1.0, (1.0 - least) * now / total) if total else 1.0
        self._given = {number: float(int(size * factor)) for number, size in self._wanted.items()}
        for number, node in nodes.items():
            size = [node.size.x, node.size.y]
            size[self.number] = self._given[number]
            imgui.internal.dock_builder_set_node_size(number, size)


def _sides(root: imgui.internal.DockNode, windows: Iterable[str]) -> list[tuple[imgui.internal.DockNode, int]]:
    """Return the nodes beside the central one, with the axis along which each stands: 0 across, 1 down."""
    central = set()
    node = imgui.internal.dock_builder_get_central_node(root.id_)
    while node is not None:
        central.add(node.id_)
        node = node.parent_node
    found = {}
    for name in windows:
        window = imgui.internal.find_window_by_name(name)
        node = None if window is None else window.dock_node
        while node is not None and node.parent_node is not None and node.parent_node.id_ not in central:
            node = node.parent_node
        if node is not None and node.parent_node is not None and node.id_ not in central:
            found[node.id_] = node, int(node.parent_node.split_axis)
    return list(found.values())
