"""BackgroundChange: prepare a change on another thread while the scene stays in use, then apply it if it still fits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from octoscope.scene.scene import Scene

_Computed = TypeVar("_Computed")
_Result = TypeVar("_Result")


class BackgroundChange(ABC, Generic[_Computed, _Result]):
    """A change of a scene in two steps: `prepare` reads a copy on another thread, `join` changes the scene.

    Args:
        copies: copy the scene now, so that it can be changed while `prepare` runs; False: `prepare` reads it directly.
    """

    def __init__(self, scene: Scene, *, copies: bool) -> None:
        self._scene = scene
        self._begin = self._state(scene)
        self._read = scene.copy() if copies else scene
        self._computed: _Computed | None = None

    @property
    def is_current(self) -> bool:
        """True if the change is prepared, and the scene is still as it was prepared for."""
        return self._computed is not None and self._state(self._scene) == self._begin

    def prepare(self) -> None:
        """Compute the change, on any thread."""
        self._computed = self._compute(self._read)
        self._read = self._scene

    def join(self) -> _Result:
        """Apply the change, on the scene's thread; compute it anew unless it is current."""
        computed = self._computed if self.is_current else self._compute(self._scene)
        assert computed is not None
        return self._commit(self._scene, computed)

    @abstractmethod
    def _state(self, scene: Scene) -> object:
        """Return a value that is equal as long as a computed change fits the scene: versions, mostly."""

    @abstractmethod
    def _compute(self, scene: Scene) -> _Computed:
        """Compute the change without changing the scene."""

    @abstractmethod
    def _commit(self, scene: Scene, computed: _Computed) -> _Result:
        """Apply the computed change to the scene."""
