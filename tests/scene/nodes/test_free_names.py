"""Names for copies and for what is added: against a loop over names, as a person would count."""

import numpy as np
import pytest

from octoscope.scene import History, Scene, apply, change_nodes, inverse
from octoscope.scene.editing import add_primitive, array, delete, duplicate, group, radial_array
from octoscope.scene.nodes import free_name, names_of_copies


def named(*names: str) -> Scene:
    scene = Scene()
    scene.add_nodes(names)
    return scene


def living_names(scene: Scene) -> list[str]:
    return scene.names[scene.ids].tolist()


def counted_on(names: list[str], originals: list[str]) -> list[str]:
    """A name for a copy of each, one after the other, none of which is among those before."""
    made = []
    for original in originals:
        base, _, digits = original.rpartition(".")
        if not (base and digits.isascii() and digits.isdigit() and len(digits) <= 9):
            base = original
        taken = set()
        for name in names + made:
            rest = name.removeprefix(f"{base}.")
            if name.startswith(f"{base}.") and rest.isascii() and rest.isdigit() and len(rest) <= 9:
                taken.add(int(rest))
        made.append(f"{base}.{next(n for n in range(1, len(taken) + 2) if n not in taken):03}" if original else "")
    return made


def test_copies_of_a_copy_count_on_and_a_number_that_is_free_again_is_used_again():
    scene = named("tower")
    history = History(scene)
    for ids in ([0], [1], [0]):
        history.do(duplicate(scene, ids))
    assert living_names(scene) == ["tower", "tower.001", "tower.002", "tower.003"]
    history.do(delete(scene, [2]))
    history.do(duplicate(scene, [3]))
    assert living_names(scene)[-1] == "tower.002"
    history.go_to(0)
    assert living_names(scene) == ["tower"]
    history.do(duplicate(scene, [0]))
    assert living_names(scene) == ["tower", "tower.001"]


def test_every_node_of_a_copied_tree_gets_a_name_of_its_own():
    scene = named("car", "wheel", "wheel", "")
    scene.set_parents([1, 2, 3], [0, 0, 2])
    apply(scene, duplicate(scene, [0]))
    assert living_names(scene)[4:] == ["car.001", "wheel.001", "wheel.002", ""]
    assert scene.parents[4:].tolist() == [-1, 4, 4, 6]


def test_the_copies_of_an_array_are_counted_in_their_order():
    scene = named("post", "lamp.007")
    apply(scene, array(scene, [0, 1], 4, (1.0, 0.0, 0.0)))
    assert living_names(scene)[2::2] == ["post.001", "post.002", "post.003"]
    assert living_names(scene)[3::2] == ["lamp.001", "lamp.002", "lamp.003"]
    apply(scene, radial_array(scene, [0], 3, center=(0.0, 0.0, 5.0)))
    assert living_names(scene)[-2:] == ["post.004", "post.005"]


def test_what_is_added_is_called_by_its_kind_and_counted_where_that_is_taken():
    scene = Scene()
    for _ in range(3):
        apply(scene, add_primitive(scene, "cube"))
    apply(scene, add_primitive(scene, "cone"))
    apply(scene, group(scene, scene.ids))
    apply(scene, group(scene, scene.ids[:1]))
    assert living_names(scene) == ["cube", "cube.001", "cube.002", "cone", "group", "group.001"]


def test_a_copy_keeps_its_name_when_it_is_undone_and_done_again():
    scene = named("a", "b")
    edit = duplicate(scene, [0, 1])
    apply(scene, edit)
    before = living_names(scene)
    apply(scene, inverse(edit))
    apply(scene, change_nodes(scene, [0], name="other"))
    apply(scene, edit)
    assert living_names(scene) == ["other", *before[1:]]


@pytest.mark.parametrize("seed", range(8))
def test_after_any_changes_names_are_those_that_a_loop_over_all_names_finds(seed):
    rng = np.random.default_rng(seed)
    words = [
        "a",
        "b.",
        "b..",
        ".",
        ".5",
        "a.001",
        "a.1",
        "a.002.003",
        "é.04",
        "x.1234567890",
        "x.123456789",
        "",
        "a\0b",
    ]
    scene = named(*rng.choice(words, 12).tolist())
    for _ in range(12):
        ids = rng.permutation(scene.ids)[: rng.integers(1, 6)]
        dice = rng.random()
        if dice < 0.2 and len(scene) > 6:
            apply(scene, delete(scene, ids[:2]))
        elif dice < 0.4:
            apply(scene, change_nodes(scene, ids, name=rng.choice(words, len(ids)).tolist()))
        elif dice < 0.5:
            wanted = str(rng.choice(words))
            free = free_name(scene, wanted)
            assert free == (
                wanted if wanted not in living_names(scene) else counted_on(living_names(scene), [wanted])[0]
            )
        else:
            count = int(rng.integers(1, 4))
            expected = counted_on(living_names(scene), scene.names[ids].tolist() * count)
            made = names_of_copies(scene, ids, count)
            assert made.tolist() == expected
            scene.add_nodes(made)


def test_ten_thousand_copies_of_one_and_of_ten_thousand_have_ten_thousand_names():
    scene = named(*[f"object {number}" for number in range(10_000)], "one")
    apply(scene, duplicate(scene, np.arange(10_000)))
    apply(scene, array(scene, [10_000], 10_001, (1.0, 0.0, 0.0)))
    names = living_names(scene)
    assert len(set(names)) == len(names) == 30_001
    assert names[10_001] == "object 0.001" and names[-1] == "one.10000"
