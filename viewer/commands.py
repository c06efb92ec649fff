"""Commands: what keys do. One table feeds the keyboard and the key sheet, and says what may be rebound."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from viewer import navigation
from viewer.view import View


@dataclass(frozen=True)
class Command:
    """Something a key does.

    Attributes:
        keys: moderngl-window's names of the keys, any of which will do. ctrl: only with Ctrl held, else only without.
        shown: how people call the key. description: what it does, for the key sheet.
        switch: for one that the figures panel shows: what it switches, and whether that is on.
    """

    keys: tuple[str, ...]
    shown: str
    description: str
    run: Callable[[], None]
    ctrl: bool = False
    switch: tuple[str, Callable[[], bool]] | None = None


def view_commands(view: View, window_size: Callable[[], tuple[int, int]]) -> tuple[Command, ...]:
    """The commands that concern what a view shows; `window_size` gives its size in logical pixels."""

    def look(name: str) -> Callable[[], None]:
        def run() -> None:
            view.camera = navigation.look(view.camera, name)

        return run

    def toggle(attribute: str) -> Callable[[], None]:
        def run() -> None:
            setattr(view, attribute, not getattr(view, attribute))
            view.times.reset()  # figures from before and after must not mix

        return run

    def is_on(attribute: str) -> Callable[[], bool]:
        return lambda: bool(getattr(view, attribute))

    def frame_all() -> None:
        view.frame_box_of(None, window_size())

    def frame_selection() -> None:
        view.frame_box_of(view.selected_ids if len(view.selected_ids) else None, window_size())

    def toggle_orthographic() -> None:
        view.camera = replace(view.camera, orthographic=not view.camera.orthographic)

    def toggle_freeze() -> None:
        view.toggle_freeze()
        view.times.reset()

    return (
        Command(("F",), "F", "frame the selection, or all", frame_selection),
        Command(("HOME",), "Home", "frame all", frame_all),
        Command(("NUMBER_1", "NUMPAD_1"), "1", "front view", look("front")),
        Command(("NUMBER_3", "NUMPAD_3"), "3", "right view", look("right")),
        Command(("NUMBER_7", "NUMPAD_7"), "7", "top view", look("top")),
        Command(("NUMBER_0", "NUMPAD_0"), "0", "three-quarter view", look("iso")),
        Command(("NUMBER_5", "NUMPAD_5"), "5", "perspective or orthographic", toggle_orthographic),
        Command(("O",), "O", "octree nodes on or off", toggle("show_octree"), switch=("octree", is_on("show_octree"))),
        Command(("C",), "C", "culling on or off", toggle("culling"), switch=("culling", is_on("culling"))),
        Command(
            ("X",), "X", "freeze culling's frustum, or let it go", toggle_freeze, switch=("freeze", is_on("frozen"))
        ),
        Command(("E",), "E", "polygon edges on or off", toggle("show_edges")),
        Command(("G",), "G", "ground grid on or off", toggle("show_grid")),
    )
