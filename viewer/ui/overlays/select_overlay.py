"""Draw the box of the selection tool, and its list of names of the objects under the cursor (Alt+click)."""

from __future__ import annotations

from imgui_bundle import imgui

from octoscope.scene import Scene
from octoscope.scene.system.text_file import printable
from octoscope.viewer.frame.viewports import PointerLocation
from octoscope.viewer.tools.select_tool import SelectionBox, SelectTool, StackedHits
from octoscope.viewer.ui.imgui.docking import Area
from octoscope.viewer.ui.imgui.items import fitting, item, list_row
from octoscope.viewer.ui.imgui.theme import packed, with_opacity
from octoscope.viewer.ui.imgui.windows import begin_over_picture

_TOUCHING = (0.45, 0.85, 0.55, 1.0)
_WHOLLY = (0.45, 0.65, 1.0, 1.0)
_FILL_OPACITY = 0.12
_BESIDE_CURSOR = 16.0  # so that the next click hits the scene again
_MOST_LISTED = 16
_WIDEST_NAME = 24.0  # in heights of the text


class SelectOverlay:
    """Draws over the picture, and knows the area of its list."""

    def __init__(self) -> None:
        self._area: Area | None = None

    def covers(self, point: tuple[float, float]) -> bool:
        """Return whether the list was drawn over a point, logical pixels from the top left of the window."""
        return self._area is not None and self._area.holds(point)

    def draw(self, tool: SelectTool, scene: Scene, picture: Area) -> None:
        """Draw over the picture, and select what is clicked in the list."""
        self._area = None
        if tool.box is not None:
            _draw_box(tool.box, picture)
        if tool.stack is not None:
            clicked = self._draw_list(tool.stack, scene, picture)
            if clicked is not None:
                tool.choose_stacked(clicked)

    def _draw_list(self, stack: StackedHits, scene: Scene, picture: Area) -> int | None:
        x, y = _corner(stack.location, picture)
        (width, height), (across, down) = picture.size, stack.location.pixel
        right, low = across > 0.7 * width, down > 0.6 * height  # near the edge it is on the other side of the cursor
        corner = x + (-_BESIDE_CURSOR if right else _BESIDE_CURSOR), y + (-_BESIDE_CURSOR if low else _BESIDE_CURSOR)
        begin_over_picture("objects here", corner, (float(right), float(low)))
        clicked = None
        room = _WIDEST_NAME * imgui.get_font_size()
        first = max(0, min(stack.chosen - _MOST_LISTED // 2, len(stack.node_ids) - _MOST_LISTED))
        for k, node_id in list(enumerate(stack.node_ids))[first : first + _MOST_LISTED]:
            name = fitting(printable(str(scene.names[node_id])) or "(no name)", room)
            width = imgui.calc_text_size(name).x
            if list_row(item(name, k), k == stack.chosen, size=(max(width, 80.0), 0.0)):
                clicked = k
        if len(stack.node_ids) > _MOST_LISTED:
            imgui.text_disabled(f"{stack.chosen + 1:,} of {len(stack.node_ids):,}")
        self._area = Area.of_window()
        imgui.end()
        return clicked


def _draw_box(box: SelectionBox, picture: Area) -> None:
    color = _WHOLLY if box.wholly else _TOUCHING
    (x0, y0), (x1, y1) = _corner(box.begin, picture), _corner(box.end, picture)
    low, high = (min(x0, x1), min(y0, y1)), (max(x0, x1), max(y0, y1))
    draw_list = imgui.get_background_draw_list()
    draw_list.push_clip_rect((picture.left, picture.top), (picture.right, picture.bottom))
    draw_list.add_rect_filled(low, high, packed(with_opacity(color, _FILL_OPACITY)))
    draw_list.add_rect(low, high, packed(color))
    draw_list.pop_clip_rect()


def _corner(location: PointerLocation, picture: Area) -> tuple[float, float]:
    """Return a place of the picture as a point of the window, logical pixels."""
    return picture.left + location.pixel[0], picture.top + location.pixel[1]
