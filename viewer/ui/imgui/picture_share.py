"""The picture's share of a window that is resized. Dear ImGui alone would leave panels their size."""

from __future__ import annotations

from collections.abc import Iterable

from imgui_bundle import imgui

_LEAST_SHARE = 0.45  # of the window, across and down, unless the user has made it smaller
_SAME = 1.5  # logical pixels: sizes are whole ones


class PictureShare:
    """Makes panels smaller if the picture would get too little, and restores them when there is room again."""

    def __init__(self, root: int) -> None:
        self._root = root
        self._axes = (_Axis(0), _Axis(1))

    def keep(self, windows: Iterable[str], size: imgui.ImVec2) -> None:
        """Resize panels before the space is submitted, which is to have this size.

        `windows` are the names of those that may be docked.
        """
        root = imgui.internal.dock_builder_get_node(self._root)
        if root is None:
            return
        sides = _sides(root, windows)
        for axis in self._axes:
            axis.keep({node.id_: node for node, split in sides if split == axis.number}, root.size, size)

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
        if now == self._extent:
            return
        self._extent = now
        total = sum(self._wanted.values())
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
