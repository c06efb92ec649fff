"""`make bench`: what it prints of what was measured, and when."""

import json
from types import SimpleNamespace

from tests.benchmarks import __main__ as bench
from tests.benchmarks.harness import Result


def test_each_result_is_printed_as_soon_as_it_is_measured(capsys, monkeypatch):
    printed = []

    def run():
        yield Result("cull", 0.25, {"flat test": 1.5}, note="10 spheres")
        printed.append(capsys.readouterr().out)
        yield Result("freeze", float("nan"), note="no display")

    monkeypatch.setattr(bench, "import_module", lambda name: SimpleNamespace(run=run))
    bench.main(["octree"])
    *_, ours, note, other = printed[0].splitlines()
    assert ours.split() == ["cull", "0.250", "ms"]
    assert note.split() == ["(10", "spheres)"]
    assert other.split() == ["flat", "test", "1.500", "ms", "6.0", "times"]
    assert ours.index(" ms") == other.index(" ms")
    assert capsys.readouterr().out == "freeze: not measured\n    (no display)\n"

    bench.main(["octree", "--json"])
    cull, freeze = json.loads(capsys.readouterr().out)
    assert cull == {
        "name": "cull",
        "unit": "ms",
        "ours": 0.25,
        "others": {"flat test": 1.5},
        "times_as_fast": {"flat test": 6.0},
        "note": "10 spheres",
    }
    assert freeze["ours"] is None
