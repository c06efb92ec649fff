"""Selection: the selected nodes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from octoscope.scene.nodes.arguments import checked_rows


@dataclass
class Selection:
    """The selected nodes.

    Attributes:
        ids: (s,) int32 node ids in the order in which they were selected; set as a whole, never written to.
    """

    _ids: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int32))
    _mask: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.bool_))
    on_change: Callable[[], None] | None = None

    @property
    def ids(self) -> np.ndarray:
        """The selected nodes, (s,) int32."""
        return self._ids

    @ids.setter
    def ids(self, ids: ArrayLike) -> None:
        ids = checked_rows("node", ids, 2**31).astype(np.int32).ravel()
        if not np.array_equal(ids, self._ids):
            self._ids, self._mask = ids, np.empty(0, dtype=np.bool_)
            if self.on_change is not None:
                self.on_change()

    def mask(self, count: int) -> np.ndarray:
        """Return (count,) bool, by node id: the node is selected. The array is shared and never written to."""
        if len(self._mask) != count:
            self._mask = np.zeros(count, dtype=np.bool_)
            self._mask[self._ids] = True
        return self._mask
