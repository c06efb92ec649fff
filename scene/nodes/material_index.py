"""MaterialIndex: which of a scene's materials are equal to wanted ones, without a walk over all of them."""

from __future__ import annotations

from collections.abc import Iterable

from octoscope.scene.mesh.material import Material


class MaterialIndex:
    """Finds materials of a tuple that mostly grows; any other tuple is indexed anew."""

    def __init__(self) -> None:
        self._materials: tuple[Material, ...] = ()
        self._by_color: dict[tuple[float, float, float], list[int]] = {}  # a colour is quickly compared, the rest not

    def ids_of(self, materials: tuple[Material, ...], wanted: Iterable[Material]) -> dict[Material, int]:
        """Return the first place in `materials` of each wanted one that is there."""
        known = len(self._materials)
        if materials[:known] != self._materials:
            known, self._by_color = 0, {}
        for number, material in enumerate(materials[known:], known):
            self._by_color.setdefault(material.base_color, []).append(number)
        self._materials = materials
        found = {}
        for material in wanted:
            for number in self._by_color.get(material.base_color, ()):
                if materials[number] == material:
                    found[material] = number
                    break
        return found
