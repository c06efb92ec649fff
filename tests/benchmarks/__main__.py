"""`make bench ARGS="[SUITE ...] [--json]"`: measure, and compare with other libraries; answers are checked first."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module

from rich.console import Console

from octoscope.viewer.cli.output import answer, answer_json
from tests.benchmarks.harness import Result

_SUITES = ("start", "octree", "frame", "canvas", "load", "pick", "freeze")
_NAME_WIDTH = 68


def main(arguments: Sequence[str]) -> None:
    """Run the suites that are named, or all."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"of: {', '.join(_SUITES)} (default: all)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(arguments)
    unknown = [suite for suite in options.suites if suite not in _SUITES]
    if unknown:
        parser.error(f"no such benchmark: {', '.join(unknown)}; there are {', '.join(_SUITES)}")
    suites = options.suites or _SUITES
    if options.json:
        answer_json([_fields(result) for suite in suites for result in _measured(suite)])
        return
    answer("medians; behind other libraries, how many times as long they take")
    for suite in suites:
        for result in _measured(suite):
            for line in _lines(result):
                answer(line)
            sys.stdout.flush()  # a suite takes minutes: whoever reads a pipe sees each result at once, too


def _measured(suite: str) -> Iterator[Result]:
    """Yield the results of a suite as they are measured, and say meanwhile on a terminal that it is."""
    results = import_module(f"tests.benchmarks.{suite}").run()
    status = Console(stderr=True).status(f"measuring {suite}")
    while True:
        with status:  # not while a result is printed: the two would write over each other
            result = next(results, None)
        if result is None:
            return
        yield result


def _lines(result: Result) -> Iterator[str]:
    """Yield a result as lines: ours with its name, the note, the competitors."""
    yield _line(result.name, result.ours, result.unit)
    if result.note:
        yield f"    ({result.note})"
    ratios = result.ratios()
    for name, value in result.others.items():
        yield f"{_line(f'    {name}', value, result.unit)}  {ratios[name]:.1f} times"


def _line(name: str, value: float, unit: str) -> str:
    return f"{name:<{_NAME_WIDTH}} {value:>12.3f} {unit}" if math.isfinite(value) else f"{name}: not measured"


def _fields(result: Result) -> dict[str, object]:
    return {
        "name": result.name,
        "unit": result.unit,
        "ours": result.ours if math.isfinite(result.ours) else None,  # it could not be measured here; the note says why
        "others": dict(result.others),
        "times_as_fast": result.ratios(),
        "note": result.note,
    }


if __name__ == "__main__":
    main(sys.argv[1:])
