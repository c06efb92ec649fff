"""The commands that concern what a view shows and from where."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from viewer.camera import controls as navigation
from viewer.commands.table import Command
from viewer.frame.view import View


def view_commands(view: View, picture_size: Callable[[], tuple[float, float]]) -> tuple[Command, ...]:
    """Framing, looking, and switches; `picture_size` gives the picture's size in logical pixels."""

    def look(name: str) -> Callable[[], None]:
        def run() -> None:
            view.turn(navigation.look(view.camera, name))

        return run

    def toggle(attribute: str) -> Callable[[], None]:
        def run() -> None:
            setattr(view, attribute, not getattr(view, attribute))
            view.times.reset()  # figures from before and after must not mix

        return run

    def is_on(attribute: str) -> Callable[[], bool]:
        return lambda: bool(getattr(view, attribute))

    def frame_all() -> None:
        view.frame_box_of(None, picture_size())

    def frame_selection() -> None:
        view.frame_box_of(view.selected_ids if len(view.selected_ids) else None, picture_size())

    def frame_cell() -> None:
        cell = view.selected_cell
        if cell is not None:
            view.frame_bounds(cell.bounds, picture_size())

    def toggle_orthographic() -> None:
        view.turn(replace(view.camera, orthographic=not view.camera.orthographic))

    def toggle_freeze() -> None:
        view.toggle_freeze()
        view.times.reset()

    return (
        Command(
            "view.frame",
            "Frame selection",
            frame_selection,
            "View",
            keys=("F",),
            blender_keys=("F", "."),
            description="fit the selection in the view, or everything",
            synonyms=("zoom to selection", "focus"),
        ),
        Command(
            "view.frame_all",
            "Frame all",
            frame_all,
            "View",
            keys=("Home",),
            description="fit everything in the view",
            synonyms=("zoom all", "fit", "reset view", "home"),
        ),
        Command("view.front", "Front", look("front"), "View/Look from", keys=("1", "Num 1")),
        Command("view.right", "Right", look("right"), "View/Look from", keys=("3", "Num 3")),
        Command("view.top", "Top", look("top"), "View/Look from", keys=("7", "Num 7")),
        Command(
            "view.iso",
            "Three quarters",
            look("iso"),
            "View/Look from",
            keys=("0", "Num 0"),
            synonyms=("isometric",),
        ),
        Command(
            "view.orthographic",
            "Orthographic",
            toggle_orthographic,
            "View",
            keys=("5", "Num 5"),
            description="perspective or orthographic",
            checked=lambda: view.camera.orthographic,
            synonyms=("perspective", "projection", "field of view", "fov", "lens", "parallel"),
        ),
        Command(
            "view.edges",
            "Polygon edges",
            toggle("show_edges"),
            "View",
            keys=("Z", "Shift+E"),
            blender_keys=("Z",),
            description="edges of the files' polygons on or off",
            checked=is_on("show_edges"),
            separated=True,
            synonyms=("wireframe", "wires", "outlines of polygons"),
        ),
        Command(
            "view.grid",
            "Ground grid",
            toggle("show_grid"),
            "View",
            keys=("Shift+G",),
            description="ground grid on or off",
            checked=is_on("show_grid"),
            synonyms=("floor",),
        ),
        Command(
            "octree.cells",
            "Octree nodes",
            toggle("show_octree"),
            "Octree",
            keys=("O",),
            description="occupied octree nodes on or off",
            checked=is_on("show_octree"),
            synonyms=("boxes", "bounding boxes"),
        ),
        Command(
            "octree.selected_cell",
            "Selection's node",
            toggle("show_selected_cell"),
            "Octree",
            description="show the octree node that holds the active object",
            checked=is_on("show_selected_cell"),
        ),
        Command(
            "octree.frame_cell",
            "Frame selection's node",
            frame_cell,
            "Octree",
            description="frame the octree node that holds the active object",
            enabled=lambda: view.selected_cell is not None,
        ),
        Command(
            "octree.culling",
            "Culling",
            toggle("culling"),
            "Octree",
            keys=("C",),
            description="draw only what is in view, or everything",
            checked=is_on("culling"),
            synonyms=("frustum culling",),
        ),
        Command(
            "octree.freeze",
            "Freeze culling",
            toggle_freeze,
            "Octree",
            keys=("X",),
            blender_keys=("Shift+X",),
            description="freeze or release the culling frustum",
            checked=lambda: view.frozen is not None,
        ),
    )
