"""BookmarkList: add, visit, step through, rename and remove bookmarks."""

from __future__ import annotations

from octoscope.scene import Bookmark, change_scene
from octoscope.scene.system.unique_names import UniqueNames
from octoscope.viewer.camera.bookmark_pose import bookmark_of, camera_at
from octoscope.viewer.editing.editor import REFUSED, Editor

_NAME = "bookmark"


class BookmarkList:
    """The bookmarks of an editor's scene: visit, add, rename and remove them."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._current: str | None = None

    @property
    def names(self) -> list[str]:
        """Names in their order."""
        return list(self._editor.scene.bookmarks)

    @property
    def current(self) -> str | None:
        """The bookmark that was visited last, if it still exists."""
        return self._current if self._current in self._editor.scene.bookmarks else None

    def add(self) -> None:
        """Add a bookmark of where the camera is."""
        bookmarks = dict(self._editor.scene.bookmarks)
        name = UniqueNames(bookmarks).take(_NAME)
        try:
            bookmarks[name] = bookmark_of(self._editor.view.camera)
        except ValueError as error:
            self._editor.log.say("error", f"no bookmark can be added here: {error}", REFUSED)
            return
        if self._set(bookmarks, f'Add bookmark "{name}"'):
            self._current = name
            self._editor.log.say("info", f"{name}: bookmark added")

    def go(self, name: str) -> None:
        """Look from a bookmark; KeyError: there is none of that name."""
        view = self._editor.view
        view.camera = camera_at(self._editor.scene.bookmarks[name], view.index.bounds())
        view.layout.ease_cameras()
        self._current = name

    def step(self, steps: int) -> None:
        """Go to the next bookmark, or the one before, around the list."""
        names = self.names
        if names:
            place = names.index(self.current) + steps if self.current is not None else min(steps, 0)
            self.go(names[place % len(names)])

    def rename(self, name: str, wanted: str) -> None:
        """Rename a bookmark, with a number where the name is taken; an empty name changes nothing."""
        wanted = wanted.strip()
        if not wanted or wanted == name:
            return
        bookmarks = self._editor.scene.bookmarks
        new = UniqueNames(bookmarks.keys() - {name}).take(wanted)
        changed = {(new if each == name else each): bookmark for each, bookmark in bookmarks.items()}
        if self._set(changed, f'Rename bookmark "{name}"'):
            self._current = new if self._current == name else self._current

    def remove(self, name: str) -> None:
        """Remove a bookmark."""
        bookmarks = self._editor.scene.bookmarks
        self._set({each: bookmarks[each] for each in bookmarks if each != name}, f'Remove bookmark "{name}"')

    def remove_current(self) -> None:
        """Remove the bookmark that was visited last."""
        if self.current is not None:
            self.remove(self.current)

    def _set(self, bookmarks: dict[str, Bookmark], label: str) -> bool:
        return self._editor.do(change_scene(self._editor.scene, bookmarks=bookmarks, label=label))
