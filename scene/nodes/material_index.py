"""The materials of a scene: which are equal to wanted ones, and which places others may take."""

from __future__ import annotations

from collections.abc import Container, Iterable, Set
from itertools import chain, compress, count
from operator import is_not
from typing import NamedTuple

import numpy as np

from octoscope.scene.mesh.material import DEFAULT_MATERIAL, Material

_NO_IDS = np.empty(0, dtype=np.int64)


class MaterialIndex:
    """Finds materials of a tuple that mostly grows, without a walk over all of them."""

    def __init__(self) -> None:
        self._materials: tuple[Material, ...] = ()
        # A colour is quickly compared, the rest not. The numbers are keys, to be removed quickly.
        self._by_color: dict[tuple[float, float, float], dict[int, None]] = {}

    def ids_of(
        self, materials: tuple[Material, ...], wanted: Iterable[Material], but: Container[int] = ()
    ) -> dict[Material, int]:
        """Return a place in `materials` of each wanted one that is there, except for some places."""
        self.update(materials)
        found = {}
        for material in wanted:
            for number in self._by_color.get(material.base_color, ()):
                if materials[number] == material and number not in but:
                    found[material] = number
                    break
        return found

    def equal_to(self, materials: tuple[Material, ...], wanted: Set[Material]) -> list[int]:
        """Return the places in `materials` of all that are equal to a wanted one."""
        self.update(materials)
        colors = {material.base_color for material in wanted}
        places = chain.from_iterable(self._by_color.get(color, ()) for color in colors)
        return [number for number in places if materials[number] in wanted]

    def update(self, materials: tuple[Material, ...], changed: Iterable[int] | None = None) -> None:
        """Index what differs from the materials of the last time.

        Args:
            changed: places where they differ; None: it is looked for.
        """
        before, self._materials = self._materials, materials
        if materials is before:
            return
        if changed is None:
            both = min(len(before), len(materials))
            replaced = compress(count(), map(is_not, materials, before))
            changed = (*replaced, *range(both, max(len(before), len(materials))))
        for number in changed:
            if number < len(before):
                self._remove(number, before[number].base_color)
            if number < len(materials) and not (number and materials[number] is DEFAULT_MATERIAL):  # which is free
                self._by_color.setdefault(materials[number].base_color, {})[number] = None

    def _remove(self, number: int, color: tuple[float, float, float]) -> None:
        of_color = self._by_color.get(color, {})
        of_color.pop(number, None)
        if not of_color:
            self._by_color.pop(color, None)


class MadeMaterials(NamedTuple):
    """Materials that a table made for colours and materials of nodes; nobody else was given their ids.

    All arrays are never written to.
    """

    ids: np.ndarray = _NO_IDS  # (k,) of those that are there
    free: np.ndarray = _NO_IDS  # (f,) places of those that nothing showed any more; the default material is there
    enough: int = 0  # from so many `ids` on it is worth a look at which of them nothing shows
