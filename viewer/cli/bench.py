"""`octoscope bench [SUITE ...]`: measure, and compare with other libraries; answers are checked first."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator
from importlib import import_module

from rich.console import Console

from octoscope.viewer.benchmarks.harness import Result
from octoscope.viewer.cli.arguments.options import BENCHMARKS
from octoscope.viewer.cli.output import UserError, answer, answer_json

_NAME_WIDTH = 68


def run(options: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    unknown = [suite for suite in options.suites if suite not in BENCHMARKS]
    if unknown:
        raise UserError(f"no such benchmark: {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
    suites = options.suites or BENCHMARKS
    if options.json:
        answer_json([_fields(result) for suite in suites for result in _measured(suite)])
        return 0
    answer("medians; behind other libraries, how many times as long they take")
    for suite in suites:
        for result in _measured(suite):
            for line in _lines(result):
                answer(line)
            sys.stdout.flush()  # a suite takes minutes: whoever reads a pipe sees each result at once, too
    return 0


def _measured(suite: str) -> Iterator[Result]:
    """Yield the results of a suite as they are measured, and say meanwhile on a terminal that it is."""
    results = import_module(f"octoscope.viewer.benchmarks.{suite}").run()
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
