"""The window from Python: a script opens it on its scene, is notified of what the user does, and may change the scene.

Callbacks run on the window's thread, between two frames. What they change in the scene is in the next picture; an
exception that they raise closes the window and leaves `run`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Literal

import numpy as np

from octoscope.scene import Edit, History, Node, Nodes, Scene
from octoscope.viewer.app.app import App
from octoscope.viewer.app.session import DocumentOptions
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.frame.redraw import Damage

if TYPE_CHECKING:
    from PIL import Image

OnNodes = Callable[[Nodes], object]
OnFrame = Callable[[float], object]

_SHORTEST_FRAME_SECONDS = 1.0 / 120.0  # as nothing else limits it
_LOOK_SECONDS = 1.0 / 30.0  # between two looks at the scene, which other threads may change
_MOVING_COLUMNS = frozenset(("translation", "rotation", "scale", "parent"))


class Window:
    """A window on a scene. It opens with the whole scene in the picture, and is shown by `run`.

    Args:
        scene: to show.
        title: name of the scene; None: the name of its first file.
        size: logical pixels.
        watch: whether to read files again that change on disk.

    Attributes:
        scene: as given.

    Raises:
        WindowUnavailable: there is no display, or no OpenGL 3.3 on it; the message is one line that says why.
    """

    def __init__(
        self, scene: Scene, *, title: str | None = None, size: tuple[int, int] = (1280, 720), watch: bool = False
    ) -> None:
        self.scene = scene
        self._app = App(scene, DocumentOptions(_title_of(scene, title), watch=watch, for_script=True), size=size)
        self._editor = self._app.session.editor
        self._has_run = False
        self._begin: float | None = None
        self._last_frame = -math.inf
        self._on_frame: OnFrame | None = None
        self._on_select: OnNodes | None = None
        self._on_transform: OnNodes | None = None
        self._moved: list[np.ndarray] = []  # ids that edits have moved since on_transform was called
        self._told_selection = self._editor.selected_ids
        self._app.view.update()
        self._app.view.frame_nodes(None, every=True)

    @property
    def history(self) -> History:
        """The history of edits, for undo and redo; a script's edits through it can be undone in the window."""
        return self._editor.history

    @property
    def selected(self) -> Nodes:
        """The selected nodes, the active one last; can be set to any nodes."""
        return Nodes(self.scene, self._editor.selected_ids)

    @selected.setter
    def selected(self, nodes: Iterable[Node]) -> None:
        self.history.select(self._ids_of(nodes))

    @property
    def camera(self) -> Camera:
        """The camera of the active viewport; can be set, for example to dataclasses.replace(camera, distance=5)."""
        return self._app.view.camera

    @camera.setter
    def camera(self, camera: Camera) -> None:
        if not camera.is_finite:
            raise ValueError("a camera's place, distance and depths must be finite numbers")
        self._app.view.camera = camera

    def frame(self, nodes: Iterable[Node] | None = None) -> None:
        """Move the camera so that nodes and their descendants fill the picture; None: everything that is shown."""
        self._app.view.update()
        self._app.view.frame_nodes(None if nodes is None else self._ids_of(nodes))

    def take_picture(self, *, transparent: bool = False) -> Image.Image:
        """Return the picture of the scene without panels; to be called before `run`, or in a callback.

        Args:
            transparent: True leaves out the background.

        Returns:
            An RGB image, or RGBA if it is transparent; numpy.asarray(image) is (height, width, 3 or 4) uint8.

        Raises:
            DrawError: the scene is too much for the graphics card.
        """
        from PIL import Image  # only here: the window itself does without it

        return Image.fromarray(self._app.take_picture(transparent=transparent))

    def close(self) -> None:
        """Close the window without asking about unsaved changes: `run` returns after the callback that calls this."""
        self._app.end()
        if not self._has_run:
            self.run()

    def run(
        self,
        *,
        on_frame: OnFrame | None = None,
        on_select: OnNodes | None = None,
        on_transform: OnNodes | None = None,
    ) -> None:
        """Show the window until it is closed. Can be called once.

        Args:
            on_frame: called before each frame with the seconds since the first call.
            on_select: called with the selected nodes when the selection has changed.
            on_transform: called with the nodes whose transform or parent edits have changed since the last frame: each
                step of a drag, typed numbers, undo and redo; not by assignments of a script.

        Raises:
            DrawError: the scene is too much for the graphics card.
            Exception: whatever a callback raises; the window is closed then.
        """
        if self._has_run:
            raise ValueError("this window was closed; open another")
        self._has_run = True
        self._on_frame, self._on_select, self._on_transform = on_frame, on_select, on_transform
        self.history.listeners.append(self._note_edit)
        try:
            self._app.run(
                between_frames=self._call_back,
                longest_wait_seconds=_LOOK_SECONDS if on_frame is None else _SHORTEST_FRAME_SECONDS / 2.0,
            )
            self._tell()  # of the last frame
        finally:
            self.history.listeners.remove(self._note_edit)

    def _ids_of(self, nodes: Iterable[Node]) -> np.ndarray:
        """Return the ids of nodes, (k,) int32.

        Raises:
            ValueError: they belong to another scene.
        """
        if isinstance(nodes, Nodes) and nodes.scene is self.scene:
            return nodes.ids
        return np.array([node.id_in(self.scene) for node in nodes], dtype=np.int32)

    def _note_edit(self, edit: Edit) -> None:
        self._moved += [change.ids for change in edit.changes if change.column in _MOVING_COLUMNS]

    def _call_back(self) -> None:
        """Run the callbacks, and request another picture if the scene has changed."""
        was_stale, before = self.scene.is_stale, self._shown()
        self._tell()
        now = time.perf_counter()
        self._begin = now if self._begin is None else self._begin
        if self._on_frame is not None and now - self._last_frame >= _SHORTEST_FRAME_SECONDS:
            self._last_frame = now
            self._on_frame(now - self._begin)
        if was_stale or self.scene.is_stale or self._shown() != before:
            self._app.view.redraw.request(Damage.SCENE)

    def _shown(self) -> tuple[object, ...]:
        scene = self.scene
        return scene.world_revision, scene.names_revision, len(scene.materials), scene.up_axis

    def _tell(self) -> None:
        """Call on_select and on_transform if something happened since the last time."""
        selected = self._editor.selected_ids
        if selected is not self._told_selection:
            self._told_selection = selected
            if self._on_select is not None:
                self._on_select(Nodes(self.scene, selected))
        moved, self._moved = self._moved, []
        if moved and self._on_transform is not None:
            ids = np.unique(np.concatenate(moved))
            ids = ids[self.scene.alive[ids]]
            if len(ids):
                self._on_transform(Nodes(self.scene, ids))


def show(
    scene: Scene,
    *,
    title: str | None = None,
    size: tuple[int, int] = (1280, 720),
    watch: bool = False,
    on_frame: OnFrame | None = None,
    on_select: OnNodes | None = None,
    on_transform: OnNodes | None = None,
    where: Literal["window", "notebook"] = "window",
) -> None:
    """Show a scene in a window until it is closed; edits made in the window are then in the scene.

    With where="notebook" it is shown in the cell of a Jupyter notebook, of the size's height; the call returns at once,
    and edits made in the page are in the scene when the next cell runs. Callbacks are for windows alone.

    Other arguments, and errors, are those of Window and Window.run.

    Raises:
        RuntimeError: where="notebook" outside of a notebook, or without octoscope[web]; the message is one line.
        ValueError: there is no such place, or a callback was given for a notebook.
    """
    if where == "notebook":
        if watch or on_frame or on_select or on_transform:
            raise ValueError("watch and callbacks are for windows, not for where='notebook'")
        _show_in_notebook(scene, _title_of(scene, title), size[1])
        return
    if where != "window":
        raise ValueError(f"there is no such place as {where!r}; there are window and notebook")
    window = Window(scene, title=title, size=size, watch=watch)
    window.run(on_frame=on_frame, on_select=on_select, on_transform=on_transform)


def _title_of(scene: Scene, title: str | None) -> str:
    """Return the title that a script gave its scene, or the name of the scene's first file."""
    return title or (scene.sources[0].name if scene.sources else "scene")


def _show_in_notebook(scene: Scene, title: str, height: int) -> None:
    try:
        from octoscope.viewer.web.notebook import NotebookUnavailable, show_in_notebook  # only here: it needs an extra
        from octoscope.viewer.web.server import ServerUnavailable
    except ModuleNotFoundError as error:
        raise RuntimeError(f"where='notebook' needs {error.name}: pip install 'octoscope[web]'") from None
    try:
        show_in_notebook(scene, title=title, height=height)
    except (NotebookUnavailable, ServerUnavailable) as error:
        raise RuntimeError(str(error)) from None
