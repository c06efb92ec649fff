"""DocumentOptions: the options of opening a document, in a window or in browsers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from octoscope.viewer.frame.streamed_scene import StreamedScene


@dataclass(frozen=True)
class DocumentOptions:
    """Options of opening a document."""

    title: str  # the name of a scene that has no project; "": it is named after its files
    watch: bool = True
    max_memory_bytes: int | None = None  # limit for reading a file; None: most of what is free
    smooth_degrees: float | None = None  # as for scene.load
    can_leave: bool = True  # whether another document may take the scene's place; a script keeps its scene
    keeps_work: bool = True  # whether it is saved by itself, and asked about before it is lost
    offers_lost: bool = False
    streamed: StreamedScene | None = None  # the scene, if it is streamed
