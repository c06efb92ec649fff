"""The commands that concern where one looks from: sides, viewports, how one turns, and bookmarks."""

from __future__ import annotations

from collections.abc import Callable

from viewer.camera import controls as navigation
from viewer.commands.table import Command
from viewer.editing.bookmark_list import BookmarkList
from viewer.frame.view import View
from viewer.tools.camera_tool import Steering

_OPPOSITES = (("back", "Back", "1"), ("left", "Left", "3"), ("bottom", "Bottom", "7"))
_COUNTS = ((1, "one", "One view"), (2, "two", "Two views"), (4, "four", "Four views"))


def camera_commands(view: View, steering: Steering, bookmarks: BookmarkList) -> tuple[Command, ...]:
    """The opposite sides, how many viewports there are, turntable or trackball, and bookmarks."""

    def look(name: str) -> Callable[[], None]:
        def run() -> None:
            view.turn(navigation.look(view.camera, name))

        return run

    def divide(count: int) -> Callable[[], None]:
        def run() -> None:
            view.divide(count)
            view.times.reset()

        return run

    def maximise() -> None:
        view.maximise(steering.pointed)
        view.times.reset()

    def is_divided(count: int) -> Callable[[], bool]:
        return lambda: len(view.viewports) == count

    def has_bookmarks() -> bool:
        return len(view.scene.bookmarks) > 0

    return (
        *(
            Command(
                f"view.{name}",
                label,
                look(name),
                "View/Look from",
                keys=(f"Ctrl+Num {key}", f"Alt+{key}", f"Alt+Num {key}"),
            )
            for name, label, key in _OPPOSITES
        ),
        *(
            Command(
                f"view.{name}",
                label,
                divide(count),
                "View/Viewports",
                keys=(f"Ctrl+Alt+{count}",),
                description=f"{label.lower()} of the scene",
                checked=is_divided(count),
            )
            for count, name, label in _COUNTS
        ),
        Command(
            "view.maximise",
            "Maximise view",
            maximise,
            "View/Viewports",
            keys=("Ctrl+Alt+Q", "Shift+Space"),
            description="show only the viewport under the mouse, or all again",
            synonyms=("toggle quad view",),
        ),
        Command(
            "view.trackball",
            "Trackball",
            steering.toggle_trackball,
            "View",
            description="orbit freely over the poles, or keep the horizon level",
            checked=lambda: steering.trackball,
            synonyms=("turntable", "orbit", "arcball"),
        ),
        Command(
            "bookmark.add",
            "Add bookmark",
            bookmarks.add,
            "View/Bookmarks",
            keys=("Ctrl+B",),
            description="save the camera under a name",
            synonyms=("save view", "store camera", "camera"),
        ),
        Command(
            "bookmark.next",
            "Next bookmark",
            lambda: bookmarks.step(1),
            "View/Bookmarks",
            keys=("PageDown",),
            enabled=has_bookmarks,
        ),
        Command(
            "bookmark.previous",
            "Previous bookmark",
            lambda: bookmarks.step(-1),
            "View/Bookmarks",
            keys=("PageUp",),
            enabled=has_bookmarks,
        ),
        Command(
            "bookmark.remove",
            "Remove bookmark",
            bookmarks.remove_current,
            "View/Bookmarks",
            description="the bookmark visited last",
            enabled=lambda: bookmarks.current is not None,
        ),
    )
