"""Materials are found by their values, without a walk over all of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from octoscope import Material, Scene
from octoscope.scene.nodes.material_index import MaterialIndex


def test_materials_are_found_as_by_a_walk_whatever_becomes_of_the_tuple():
    rng = np.random.default_rng(3)
    kinds = [Material("m", base_color=(red, 0, 0), opacity=opacity) for red in (0, 0.5, 1) for opacity in (0.2, 1)]
    index, materials = MaterialIndex(), ()
    for _ in range(300):
        chance = rng.random()
        if chance < 0.7:
            materials = (*materials, kinds[rng.integers(len(kinds))])
        elif chance < 0.85 and materials:
            replaced = list(materials)
            replaced[rng.integers(len(replaced))] = kinds[rng.integers(len(kinds))]
            materials = tuple(replaced)
        else:
            materials = materials[: rng.integers(len(materials) + 1)]
        found = index.ids_of(materials, kinds)
        assert found.keys() == {kind for kind in kinds if kind in materials}
        assert all(materials[number] == kind for kind, number in found.items())


@dataclass(frozen=True)
class _Counting:
    number: int
    asked: list[int]

    @property
    def base_color(self) -> tuple[float, float, float]:
        self.asked.append(self.number)
        return (float(self.number), 0.0, 0.0)


def test_each_material_is_looked_at_once_while_they_grow():
    asked: list[int] = []
    index, materials = MaterialIndex(), ()
    for number in range(100):
        wanted = _Counting(number, [])
        assert index.ids_of(materials, [wanted]) == {}
        materials = (*materials, _Counting(number, asked))
    assert asked == list(range(99))


def test_meshes_that_are_added_one_by_one_share_materials_of_a_colour():
    scene = Scene()
    for number in range(20):
        scene.add_mesh("m", np.eye(3), [(0, 1, 2)], color=("red", "green")[number % 2])
    assert len(scene.materials) == 3
