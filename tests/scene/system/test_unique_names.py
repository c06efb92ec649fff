"""Names of which no two are alike."""

import random

from octoscope.scene.system.unique_names import UniqueNames


def test_a_name_that_is_taken_gets_the_first_free_number():
    assert UniqueNames({"gat": 1}).take("gate") == "gate"
    assert UniqueNames(["gate"]).take("gate") == "gate (2)"
    assert UniqueNames(["gate", "gate (2)"]).take("gate") == "gate (3)"
    assert UniqueNames(["gate"], numbered="{}_{}".format).take("gate") == "gate_2"
    assert UniqueNames(["Gate"], key=str.lower).take("gATE") == "gATE (2)"


def test_names_are_those_that_a_search_from_the_first_number_finds():
    random.seed(3)
    words = ["a", "A", "a (2)", "A (3)", "a (2) (2)", "b", ""]
    for key in (str, str.lower):
        for _ in range(200):
            given = set(random.sample(words, 2))
            names, taken = UniqueNames(given, key=key), {key(name) for name in given}
            for wanted in random.choices(words, k=12):
                numbered = (wanted if number == 1 else f"{wanted} ({number})" for number in range(1, 99))
                expected = next(name for name in numbered if key(name) not in taken)
                taken.add(key(expected))
                assert names.take(wanted) == expected


def test_many_of_one_name_are_numbered_without_trying_every_number_for_each():
    tries = []
    names = UniqueNames(["gate", "gate (3)"], numbered=lambda name, number: tries.append(1) or f"{name} ({number})")
    found = [names.take("gate") for _ in range(1000)]
    assert found[:3] == ["gate (2)", "gate (4)", "gate (5)"] and found[-1] == "gate (1002)"
    assert len(tries) < 1100
