"""Contribution: everything that a feature adds to a window; the kinds of parts that belong to windows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from octoscope.scene import Scene
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.switches import switch
from octoscope.viewer.commands.table import Command, Declarations
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.frame.decoration import Decoration
from octoscope.viewer.frame.streamed_scene import Stream, StreamedScene, UploadMeshes
from octoscope.viewer.settings import kept
from octoscope.viewer.tools.tool import Follow
from octoscope.viewer.ui.imgui.docking import Area
from octoscope.viewer.ui.overlays.hud import CornerBox
from octoscope.viewer.ui.panels.inspector.panel import NodeFoldout
from octoscope.viewer.ui.widgets.panel import Panel


@dataclass(frozen=True)
class Contribution:
    """The parts of one feature in one window."""

    panels: Sequence[Panel] = ()  # docked after those of the core
    commands: Sequence[Command] = ()  # bound to what they act on; each stands behind the command that its `after` names
    tools: Sequence[Follow] = ()  # offered each intent that no drag of the gizmo has, in this order
    # called in each frame of the interface with the picture's area: they draw over it, below all panels
    overlays: Sequence[Callable[[Area], object]] = ()
    # returns the parts of the picture that these cover, from its corner: labels stand beside, messages below
    covered: Callable[[], Sequence[Area]] = tuple
    foldouts: Sequence[NodeFoldout] = ()  # of the inspector
    # kept between runs, by their names in window.json
    settings: Mapping[str, kept.Setting] = field(default_factory=dict)
    status: Callable[[], str] = str  # returns what the status bar says while the feature is used, or ""
    hint: Callable[[], str] = str  # returns what it says of the feature while nothing is used, or ""
    # ids of commands that are offered in an empty window, after those of the core, and the glyphs of their buttons
    ways_in: Sequence[tuple[str, str]] = ()
    # returns rows that stand over the picture while the feature is used, or None
    corner_box: Callable[[], CornerBox | None] = lambda: None


@dataclass(frozen=True)
class WindowPart:
    """Makes a feature's Contribution to the window whose commands act on a context."""

    FILE: ClassVar[str] = "feature"
    contribute: Callable[[Context], Contribution]

    @classmethod
    def switch_of(
        cls, kind: type[Decoration], command_id: str, label: str, description: str, *, synonyms: Sequence[str]
    ) -> WindowPart:
        """Return a part that adds a switch to View > Overlays which shows or hides a decoration, kept between runs."""
        command = Declarations("View/Overlays", after="view.grid")
        switch(command, "is_shown", command_id, label, f"{description}, on or off", synonyms=synonyms)

        def contribute(context: Context) -> Contribution:
            decoration = context.view.decoration(kind)
            settings = {command_id: kept.switch(decoration, "is_shown")}
            return Contribution(commands=command.bound_to(decoration), settings=settings)

        return cls(contribute)


@dataclass(frozen=True)
class StreamPart:
    """Begins to stream a scene into the window of an editor; None: it is not a scene of this kind."""

    FILE: ClassVar[str] = "stream"
    begin: Callable[[Editor, StreamedScene, UploadMeshes], Stream | None]


class NotebookUnavailable(RuntimeError):
    """Raised where no notebook is running; the message is one line that says why."""


class ShowInNotebook(Protocol):
    """Shows a scene in the cell of a notebook that runs."""

    def __call__(self, scene: Scene, *, title: str, height: int) -> object:
        """Show it on a page of a height in pixels. RuntimeError: this is no notebook, or a library is missing."""


@dataclass(frozen=True)
class NotebookPart:
    """Shows scenes in notebooks: show(scene, where=...)."""

    FILE: ClassVar[str] = "notebook"
    where: str
    show: ShowInNotebook
