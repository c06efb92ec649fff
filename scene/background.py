"""BackgroundChange: what takes long of a change is made on another thread, while the scene goes on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from scene.scene import Scene
from scene.snapshot import snapshot

_Made = TypeVar("_Made")
_Done = TypeVar("_Done")


class BackgroundChange(ABC, Generic[_Made, _Done]):
    """A change of a scene in two steps: `prepare` only reads, and may run beside the scene; `join` sets.

    Args:
        scene: to be changed.
        copies: whether to copy it now, so that it can be changed while `prepare` runs on another thread.
    """

    def __init__(self, scene: Scene, *, copies: bool) -> None:
        self._scene = scene
        self._begin = self._state(scene)
        self._read = snapshot(scene) if copies else scene
        self._made: _Made | None = None

    @property
    def is_current(self) -> bool:
        """Whether it was prepared, for the scene as it is."""
        return self._made is not None and self._state(self._scene) == self._begin

    def prepare(self) -> None:
        """Do what takes long; on any thread."""
        self._made = self._make(self._read)
        self._read = self._scene

    def join(self) -> _Done:
        """Let the scene have it; on the scene's thread. It is prepared now if it was not, or for another state."""
        made = self._made if self.is_current else self._make(self._scene)
        assert made is not None
        return self._commit(self._scene, made)

    @abstractmethod
    def _state(self, scene: Scene) -> object:
        """Return what of a scene `_make` and `_commit` depend on, to be compared."""

    @abstractmethod
    def _make(self, scene: Scene) -> _Made:
        """Return what is to be set, without changing the scene."""

    @abstractmethod
    def _commit(self, scene: Scene, made: _Made) -> _Done:
        """Set it."""
